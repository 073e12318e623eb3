//! Theorems 3 and 4 (`thm:ve`): bucket elimination as a system of maxima.
//!
//! In our own words. Let each Aux_i be the maximum of linear expressions over
//! given variables and earlier Aux. Theorem 3: the LP that only asks Aux_i to
//! be *at least* each of its expressions has every solution of this system,
//! and below every solution of the LP there is one of the system with the same
//! given variables; so the least possible Aux_m is the maximum. Theorem 4:
//! for functions over variables 𝒳 with at most d values each and an order σ of
//! induced width w(σ), elimination defines at most |𝒳| d^w(σ) Aux and the LP
//! has at most |𝒳| d^(w(σ)+1) constraints (and one for the result, which is a
//! sum here and not a column).
//!
//! Elimination must give what enumeration gives, for every order; the system
//! of the paper's worked example must come out literally.

mod common;

use std::collections::BTreeMap;

use common::orders;
use hipot_lp::{Bounds, Column, Params, Problem, Solver};
use hipot_potential::elimination::{Integers, ScopedFunction, ValueSet, eliminate};
use hipot_testing::Rng;

/// Random functions over at most 5 variables, some without scope, some with
/// the same scope.
fn random_functions(rng: &mut Rng) -> (Vec<usize>, Vec<ScopedFunction<i128>>) {
    let domains: Vec<usize> = (0..=rng.below(5)).map(|_| 1 + rng.below(3) as usize).collect();
    let function = |rng: &mut Rng| {
        let mut scope: Vec<usize> = (0..domains.len()).collect();
        scope.retain(|_| rng.chance(45));
        let entries = scope.iter().map(|&variable| domains[variable]).product();
        let table = (0..entries).map(|_| i128::from(rng.below(41)) - 20).collect();
        ScopedFunction { scope, table }
    };
    let functions = (0..rng.below(6)).map(|_| function(rng)).collect();
    (domains, functions)
}

/// Every assignment to variables with these domains.
fn assignments(domains: &[usize]) -> Vec<Vec<usize>> {
    let mut assignments = vec![Vec::new()];
    for &size in domains {
        let extend = |assignment: &Vec<usize>| {
            let longer = |value| assignment.iter().copied().chain([value]).collect();
            (0..size).map(longer).collect::<Vec<Vec<usize>>>()
        };
        assignments = assignments.iter().flat_map(extend).collect();
    }
    assignments
}

/// ψ(ν|_S).
fn value<V: Clone>(function: &ScopedFunction<V>, domains: &[usize], assignment: &[usize]) -> V {
    let mut index = 0;
    for &variable in &function.scope {
        index = index * domains[variable] + assignment[variable];
    }
    function.table[index].clone()
}

/// Max(Ψ) by enumeration.
fn enumerate(domains: &[usize], functions: &[ScopedFunction<i128>]) -> i128 {
    let sum = |assignment: Vec<usize>| {
        functions.iter().map(|function| value(function, domains, &assignment)).sum()
    };
    assignments(domains).into_iter().map(sum).max().unwrap()
}

#[test]
fn elimination_equals_enumeration_for_every_order() {
    let (mut negative, mut positive) = (0, 0);
    for seed in 0..200 {
        let (domains, functions) = random_functions(&mut Rng::new(seed));
        let expected = enumerate(&domains, &functions);
        for order in orders(domains.len()) {
            let mut integers = Integers::default();
            let max = eliminate(&domains, functions.clone(), &order, &mut integers);
            assert_eq!(max, expected, "seed {seed}, order {order:?}");
            assert!(!integers.overflowed, "seed {seed}, order {order:?}");
        }
        negative += usize::from(expected < 0);
        positive += usize::from(expected > 0);
    }
    assert!(negative >= 10 && positive >= 10, "{negative}, {positive}");
}

#[test]
fn a_sum_that_does_not_fit_is_noticed() {
    let functions = vec![ScopedFunction { scope: vec![0], table: vec![i128::MAX, 0] }; 2];
    let mut integers = Integers::default();
    eliminate(&[2], functions, &[0], &mut integers);
    assert!(integers.overflowed);
}

/// The induced width w(σ) by its definition: process the nodes from the end,
/// joining all earlier neighbors.
fn induced_width(scopes: &[Vec<usize>], order: &[usize]) -> usize {
    let count = order.len();
    let rank = |variable: usize| order.iter().position(|&other| other == variable).unwrap();
    let mut joined = vec![vec![false; count]; count];
    let join = |ranks: &[usize], joined: &mut Vec<Vec<bool>>| {
        for &a in ranks {
            for &b in ranks {
                joined[a][b] |= a != b;
            }
        }
    };
    for scope in scopes {
        let ranks: Vec<usize> = scope.iter().map(|&variable| rank(variable)).collect();
        join(&ranks, &mut joined);
    }
    let mut width = 0;
    for node in (0..count).rev() {
        let parents: Vec<usize> = (0..node).filter(|&parent| joined[node][parent]).collect();
        width = width.max(parents.len());
        join(&parents, &mut joined);
    }
    width
}

/// Counts maxima and their alternatives, which are the Aux and constraints.
#[derive(Default)]
struct Count {
    auxiliaries: usize,
    constraints: usize,
}

impl ValueSet for Count {
    type Value = ();

    fn zero(&mut self) {}

    fn add(&mut self, _sum: &mut (), _value: &()) {}

    fn max(&mut self, _variable: usize, alternatives: Vec<()>) {
        self.auxiliaries += 1;
        self.constraints += alternatives.len();
    }
}

#[test]
fn the_system_is_within_the_bound_of_theorem_4() {
    let mut widths = std::collections::BTreeSet::new();
    let mut tight = 0;
    for seed in 0..200 {
        let (domains, functions) = random_functions(&mut Rng::new(seed));
        let scopes: Vec<Vec<usize>> = functions.iter().map(|f| f.scope.clone()).collect();
        let largest = *domains.iter().max().unwrap();
        for order in orders(domains.len()) {
            let width = induced_width(&scopes, &order);
            let bound = domains.len() * largest.pow(width as u32);
            let nothing = |function: &ScopedFunction<i128>| ScopedFunction {
                scope: function.scope.clone(),
                table: vec![(); function.table.len()],
            };
            let mut count = Count::default();
            eliminate(&domains, functions.iter().map(nothing).collect(), &order, &mut count);
            assert!(count.auxiliaries <= bound, "seed {seed}, order {order:?}");
            assert!(count.constraints <= bound * largest, "seed {seed}, order {order:?}");
            tight += usize::from(count.constraints == bound * largest);
            widths.insert(width);
        }
    }
    assert!(widths.into_iter().eq(0..=4) && tight > 0, "{tight}");
}

/// A symbol of an expression: one of the given variables 𝒴, or Aux_i.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    Y(usize),
    Aux(usize),
}

/// A linear expression.
type Expression = BTreeMap<Symbol, i64>;

/// Linear expressions, and the system Aux_i = max{…} that elimination writes.
#[derive(Default)]
struct System {
    equations: Vec<Vec<Expression>>,
}

impl ValueSet for System {
    type Value = Expression;

    fn zero(&mut self) -> Expression {
        Expression::new()
    }

    fn add(&mut self, sum: &mut Expression, value: &Expression) {
        for (&symbol, &factor) in value {
            *sum.entry(symbol).or_insert(0) += factor;
        }
        sum.retain(|_, factor| *factor != 0);
    }

    fn max(&mut self, _variable: usize, alternatives: Vec<Expression>) -> Expression {
        self.equations.push(alternatives);
        Expression::from([(Symbol::Aux(self.equations.len()), 1)])
    }
}

/// The value of an expression, given 𝒴 and Aux_1, …
fn evaluate(expression: &Expression, given: &[i64], auxiliaries: &[i64]) -> i64 {
    let value = |symbol: &Symbol| match *symbol {
        Symbol::Y(index) => given[index],
        Symbol::Aux(number) => auxiliaries[number - 1],
    };
    expression.iter().map(|(symbol, factor)| factor * value(symbol)).sum()
}

impl System {
    /// The only solution of P_max for these values of 𝒴.
    fn solve(&self, given: &[i64]) -> Vec<i64> {
        let mut auxiliaries = Vec::new();
        for equation in &self.equations {
            let values = equation.iter().map(|e| evaluate(e, given, &auxiliaries));
            auxiliaries.push(values.max().unwrap());
        }
        auxiliaries
    }

    /// P_LP with 𝒴 fixed, minimizing `result`; its optimum.
    fn least(&self, given: &[i64], result: &Expression) -> f64 {
        let column = |symbol: Symbol| match symbol {
            Symbol::Y(index) => Column(index as u32),
            Symbol::Aux(number) => Column((given.len() + number - 1) as u32),
        };
        let objective = |symbol| result.get(&symbol).copied().unwrap_or(0) as f64;
        let mut problem = Problem::minimize();
        for (index, &value) in given.iter().enumerate() {
            problem.add_column(objective(Symbol::Y(index)), Bounds::equal(value as f64));
        }
        for number in 1..=self.equations.len() {
            problem.add_column(objective(Symbol::Aux(number)), Bounds::FREE);
        }
        for (index, equation) in self.equations.iter().enumerate() {
            for expression in equation {
                let mut terms = vec![(column(Symbol::Aux(index + 1)), 1.0)];
                terms.extend(expression.iter().map(|(&s, &factor)| (column(s), -factor as f64)));
                problem.add_row(0.0.., terms);
            }
        }
        let solution = Solver::new(&problem).unwrap().solve(&Params::default());
        assert!(solution.is_optimal(), "{:?}", solution.status);
        solution.objective
    }
}

const A: usize = 0;
const B: usize = 1;

/// pa + qb.
fn linear(p: i64, q: i64) -> Expression {
    let mut expression = Expression::from([(Symbol::Y(A), p), (Symbol::Y(B), q)]);
    expression.retain(|_, factor| *factor != 0);
    expression
}

/// pa + qb + Aux_i.
fn linear_and_aux(p: i64, q: i64, number: usize) -> Expression {
    let mut expression = linear(p, q);
    expression.insert(Symbol::Aux(number), 1);
    expression
}

/// f and g of the paper; X is variable 0, Y is variable 1.
fn example() -> Vec<ScopedFunction<Expression>> {
    let f = ScopedFunction { scope: vec![0], table: vec![linear(3, -2), linear(4, 2)] };
    let g = ScopedFunction {
        scope: vec![0, 1],
        table: vec![linear(8, 0), linear(0, 7), linear(0, -3), linear(0, 0)],
    };
    vec![f, g]
}

#[test]
fn the_worked_example_comes_out_literally() {
    let mut system = System::default();
    let result = eliminate(&[2, 2], example(), &[0, 1], &mut system);
    let expected = [
        // Aux_1 = max{8a, 7b}
        vec![linear(8, 0), linear(0, 7)],
        // Aux_2 = max{−3b, 0}
        vec![linear(0, -3), linear(0, 0)],
        // Aux_3 = max{3a − 2b + Aux_1, 4a + 2b + Aux_2}
        vec![linear_and_aux(3, -2, 1), linear_and_aux(4, 2, 2)],
    ];
    assert_eq!(system.equations, expected);
    // Aux_4 = Aux_3, the result.
    assert_eq!(result, Expression::from([(Symbol::Aux(3), 1)]));
}

#[test]
fn the_worked_example_is_right_for_all_values() {
    let mut chosen = [[0; 2]; 3];
    for order in [[0, 1], [1, 0]] {
        let mut system = System::default();
        let result = eliminate(&[2, 2], example(), &order, &mut system);
        for a in -4..=4 {
            for b in -4..=4 {
                let tables = example().into_iter().map(|function| ScopedFunction {
                    table: function
                        .table
                        .iter()
                        .map(|e| evaluate(e, &[a, b], &[]).into())
                        .collect(),
                    scope: function.scope,
                });
                let max = enumerate(&[2, 2], &tables.collect::<Vec<_>>());
                let auxiliaries = system.solve(&[a, b]);
                let value = evaluate(&result, &[a, b], &auxiliaries);
                assert_eq!(i128::from(value), max, "a = {a}, b = {b}");
                let least = system.least(&[a, b], &result);
                assert!((least - value as f64).abs() < 1e-6, "a = {a}, b = {b}: {least}");
                for (equation, counts) in system.equations.iter().zip(&mut chosen) {
                    let of = |e: &Expression| evaluate(e, &[a, b], &auxiliaries);
                    counts[usize::from(of(&equation[1]) > of(&equation[0]))] += 1;
                }
            }
        }
    }
    assert!(chosen.as_flattened().iter().all(|&count| count > 0), "a side was never larger");
}

/// Random functions to linear expressions over three given variables.
fn random_expressions(rng: &mut Rng) -> (Vec<usize>, Vec<ScopedFunction<Expression>>) {
    let (domains, functions) = random_functions(rng);
    let expression = |rng: &mut Rng| {
        let factor = |rng: &mut Rng| i64::from(rng.below(7)) - 3;
        let mut expression: Expression = (0..3).map(|i| (Symbol::Y(i), factor(rng))).collect();
        expression.retain(|_, factor| *factor != 0);
        expression
    };
    let symbolic = functions.into_iter().map(|function| ScopedFunction {
        table: function.table.iter().map(|_| expression(rng)).collect(),
        scope: function.scope,
    });
    let symbolic = symbolic.collect();
    (domains, symbolic)
}

#[test]
fn the_least_solution_of_the_lp_is_the_maximum() {
    let mut positive = 0;
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let (domains, functions) = random_expressions(&mut rng);
        let mut order: Vec<usize> = (0..domains.len()).collect();
        order.rotate_left(rng.below(domains.len() as u32) as usize);
        let mut system = System::default();
        let result = eliminate(&domains, functions.clone(), &order, &mut system);
        for (index, equation) in system.equations.iter().enumerate() {
            let earlier = |symbol: &Symbol| !matches!(symbol, Symbol::Aux(n) if *n > index);
            assert!(equation.iter().all(|e| e.keys().all(earlier)), "seed {seed}");
        }
        let given = [0; 3].map(|_| i64::from(rng.below(9)) - 4);
        let numbers = functions.into_iter().map(|function| ScopedFunction {
            table: function.table.iter().map(|e| evaluate(e, &given, &[]).into()).collect(),
            scope: function.scope,
        });
        let max = enumerate(&domains, &numbers.collect::<Vec<_>>()) as f64;
        let least = system.least(&given, &result);
        assert!((least - max).abs() < 1e-6, "seed {seed}: {least} but {max}");
        positive += usize::from(max > 0.0);
    }
    assert!(positive > 20, "{positive}");
}
