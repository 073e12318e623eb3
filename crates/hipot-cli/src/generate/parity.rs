//! A row of coins that can only be turned in pairs: a task without a plan.
//!
//! All n coins show heads. An operator turns two neighbors at once; there is
//! one for each pair and each of the four ways in which it can lie. The first
//! coin shall show tails, all others heads.
//!
//! *Unsolvable.* An operator changes the number of tails by −2, 0 or 2, so it
//! stays even, and the goal has one. Each fact of the goal can be reached on
//! its own, and for n ≥ 3 each pair of facts, too: whoever looks at single
//! variables, or at two, cannot see that there is no plan.
//!
//! *Reachable states: 2ⁿ⁻¹*, all those with an even number of tails: turning
//! the pairs from i to j − 1 turns just the coins i and j.

use hipot_task::Variable;

use super::draft::{Draft, fact};
use super::{GenerateError, Generated, check_range};

const SIDES: [&str; 2] = ["heads", "tails"];
const HEADS: u32 = 0;
const TAILS: u32 = 1;

/// A row of 1 to 10000 coins; unsolvable.
pub(crate) fn parity(coins: u32) -> Result<Generated, GenerateError> {
    check_range("coins", coins, 1..=10_000)?;
    let mut draft = Draft::new(false, (0..coins).map(|coin| (coin_variable(coin), HEADS)));
    for coin in 1..coins {
        for (first, second) in [(HEADS, HEADS), (HEADS, TAILS), (TAILS, HEADS), (TAILS, TAILS)] {
            add_turn(&mut draft, [coin - 1, coin], [first, second]);
        }
    }
    let goal = (0..coins).map(|coin| fact(coin, if coin == 0 { TAILS } else { HEADS }));
    Ok(Generated { task: draft.build(goal.collect()), optimal_cost: None })
}

fn coin_variable(coin: u32) -> Variable {
    let name = coin_name(coin);
    let values = SIDES.map(|side| format!("{name} shows {side}"));
    Variable::new(name, values)
}

fn add_turn(draft: &mut Draft, coins: [u32; 2], sides: [u32; 2]) {
    let [left, right] = coins.map(coin_name);
    let [left_side, right_side] = sides.map(|side| SIDES[side as usize]);
    let name = format!("turn {left} {right} {left_side} {right_side}");
    let before = vec![fact(coins[0], sides[0]), fact(coins[1], sides[1])];
    let after = [fact(coins[0], 1 - sides[0]), fact(coins[1], 1 - sides[1])];
    draft.operator(name, before, &after);
}

fn coin_name(coin: u32) -> String {
    format!("coin{}", coin + 1)
}
