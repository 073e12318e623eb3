//! An odometer counts from 0…0 to the largest number that its digits show.
//!
//! A variable for each digit (digit 1 is the last one, which moves most), and
//! two operators without preconditions, of cost 1 each. `increment` adds 1 by
//! conditional effects: a digit moves on just if all digits behind it show
//! their largest value, and from its own largest value it goes to 0 (so that
//! 9…9 becomes 0…0). `reset`, the decoy, sets all digits to 0. Read without
//! their conditions, or without regard to their order in time, the effects of
//! `increment` promise far shorter plans.
//!
//! *Optimal cost: bⁿ − 1* for n digits in base b. The number shown grows by at
//! most 1 with each operator and must grow from 0 to bⁿ − 1; incrementing as
//! often reaches it.
//!
//! *Reachable states: bⁿ*, one for each number.

use hipot_task::{Effect, Operator, Variable};

use super::draft::{Draft, fact};
use super::{GenerateError, Generated, check_range};

/// An odometer in base 2 to 1000 with as many digits as keep bⁿ within 64
/// bits, at least 1; optimal cost bⁿ − 1.
pub(crate) fn odometer(digits: u32, base: u32) -> Result<Generated, GenerateError> {
    check_range("base", base, 2..=1000)?;
    check_range("digits", digits, 1..=u64::MAX.ilog(base.into()))?;
    let mut draft = Draft::new(false, (0..digits).map(|digit| (digit_variable(digit, base), 0)));
    draft.any_operator(increment(digits, base));
    let zeros: Vec<_> = (0..digits).map(|digit| fact(digit, 0)).collect();
    draft.operator("reset".to_owned(), Vec::new(), &zeros);
    let goal = (0..digits).map(|digit| fact(digit, base - 1)).collect();
    let largest = u64::from(base).pow(digits) - 1;
    Ok(Generated { task: draft.build(goal), optimal_cost: Some(largest) })
}

fn digit_variable(digit: u32, base: u32) -> Variable {
    let name = format!("digit{}", digit + 1);
    let values: Vec<String> = (0..base).map(|value| format!("{name} shows {value}")).collect();
    Variable::new(name, values)
}

fn increment(digits: u32, base: u32) -> Operator {
    let mut effects = Vec::new();
    for digit in 0..digits {
        for value in 0..base {
            let mut conditions: Vec<_> = (0..digit).map(|behind| fact(behind, base - 1)).collect();
            conditions.push(fact(digit, value));
            effects.push(Effect { conditions, fact: fact(digit, (value + 1) % base) });
        }
    }
    Operator { name: "increment".to_owned(), preconditions: Vec::new(), effects, cost: 1 }
}
