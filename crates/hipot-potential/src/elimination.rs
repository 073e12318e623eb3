//! Bucket elimination (Dechter 2003) over an abstract value set.
//!
//! [PHB17, Theorems 3 and 4.] Maximizes a sum of functions of few variables
//! each, Max(Ψ) = max_ν Σ_{⟨S,ψ⟩ ∈ Ψ} ψ(ν|_S), by eliminating one variable
//! after another. The paper requires of the values only that addition and
//! maximization are commutative and associative and that max{a+c, b+c} =
//! c + max{a, b}. So the algorithm is written once over [`ValueSet`] and used
//! for linear expressions, where a maximum becomes an LP variable that is at
//! least each alternative; for exact integers, to certify; for counting, to
//! predict the LP's size; and for expressions with names, to be
//! [watched](crate::trace).
//!
//! The paper's example, f and g over two binary variables X and Y with
//! σ = ⟨X, Y⟩, on the values themselves:
//!
//! ```
//! use hipot_potential::elimination::{Integers, ScopedFunction, eliminate};
//!
//! let (a, b) = (2, -1);
//! let f = ScopedFunction { scope: vec![0], table: vec![3 * a - 2 * b, 4 * a + 2 * b] };
//! // g(x, y), y changing fastest: g(0,0) = 8a, g(0,1) = 7b, g(1,0) = −3b, g(1,1) = 0.
//! let g = ScopedFunction { scope: vec![0, 1], table: vec![8 * a, 7 * b, -3 * b, 0] };
//! let aux_1 = (8 * a).max(7 * b);
//! let aux_2 = (-3 * b).max(0);
//! let aux_3 = (3 * a - 2 * b + aux_1).max(4 * a + 2 * b + aux_2);
//! let max = eliminate(&[2, 2], vec![f, g], &[0, 1], &mut Integers::default());
//! assert_eq!(max, aux_3);
//! ```

/// The paper's 𝕍: values with addition and maximization.
pub trait ValueSet {
    /// A value.
    type Value: Clone;
    /// The neutral value of addition.
    fn zero(&mut self) -> Self::Value;
    /// `sum + value`.
    fn add(&mut self, sum: &mut Self::Value, value: &Self::Value);
    /// The maximum of the alternatives, one for each value of `variable`.
    fn max(&mut self, variable: usize, alternatives: Vec<Self::Value>) -> Self::Value;
    /// Told before `variable` is eliminated: the new function's scope and the functions in
    /// the bucket. Then [`max`](Self::max) is called once for each assignment to the scope;
    /// the last variable changes fastest.
    fn begin(
        &mut self,
        _variable: usize,
        _scope: &[usize],
        _bucket: &[ScopedFunction<Self::Value>],
    ) {
    }
}

/// A function ψ of the variables in its scope S.
#[derive(Clone, Debug)]
pub struct ScopedFunction<V> {
    /// S, in increasing order.
    pub scope: Vec<usize>,
    /// A value for each assignment to S; the last variable changes fastest.
    pub table: Vec<V>,
}

/// Max(Ψ) for `functions` over variables with these domain sizes. Variables are
/// eliminated from the end of `order`, which contains every variable of a scope.
pub fn eliminate<S: ValueSet>(
    domains: &[usize],
    functions: Vec<ScopedFunction<S::Value>>,
    order: &[usize],
    values: &mut S,
) -> S::Value {
    let mut rank = vec![usize::MAX; domains.len()];
    for (position, &variable) in order.iter().enumerate() {
        rank[variable] = position;
    }
    let mut buckets: Vec<Vec<ScopedFunction<S::Value>>> =
        order.iter().map(|_| Vec::new()).collect();
    let mut result = values.zero();
    for function in functions {
        place(function, &rank, &mut buckets, &mut result, values);
    }
    for position in (0..order.len()).rev() {
        let bucket = std::mem::take(&mut buckets[position]);
        if !bucket.is_empty() {
            let function = eliminate_variable(domains, &bucket, order[position], values);
            place(function, &rank, &mut buckets, &mut result, values);
        }
    }
    result
}

/// Puts a function into the bucket of the largest variable in its scope, or
/// adds it to the result if its scope is empty (the paper's bucket B₀).
fn place<S: ValueSet>(
    function: ScopedFunction<S::Value>,
    rank: &[usize],
    buckets: &mut [Vec<ScopedFunction<S::Value>>],
    result: &mut S::Value,
    values: &mut S,
) {
    match function.scope.iter().map(|&variable| rank[variable]).max() {
        Some(position) => buckets[position].push(function),
        None => values.add(result, &function.table[0]),
    }
}

/// ψ_X: the contribution of all functions that depend on X = `variable`.
fn eliminate_variable<S: ValueSet>(
    domains: &[usize],
    bucket: &[ScopedFunction<S::Value>],
    variable: usize,
    values: &mut S,
) -> ScopedFunction<S::Value> {
    let mut scope: Vec<usize> = bucket.iter().flat_map(|function| function.scope.clone()).collect();
    scope.sort_unstable();
    scope.dedup();
    scope.retain(|&other| other != variable);
    values.begin(variable, &scope, bucket);

    let mut assignment = vec![0; domains.len()];
    let mut table = Vec::new();
    loop {
        let mut alternatives = Vec::with_capacity(domains[variable]);
        for value in 0..domains[variable] {
            assignment[variable] = value;
            let mut sum = values.zero();
            for function in bucket {
                values.add(
                    &mut sum,
                    &function.table[position(domains, &function.scope, &assignment)],
                );
            }
            alternatives.push(sum);
        }
        table.push(values.max(variable, alternatives));
        if !advance(domains, &scope, &mut assignment) {
            return ScopedFunction { scope, table };
        }
    }
}

/// The index of `assignment`, restricted to `scope`, in a table.
pub(crate) fn position(domains: &[usize], scope: &[usize], assignment: &[usize]) -> usize {
    scope.iter().fold(0, |index, &variable| index * domains[variable] + assignment[variable])
}

/// Moves to the next assignment to `scope`. After the last one, returns false and
/// starts again with the first.
fn advance(domains: &[usize], scope: &[usize], assignment: &mut [usize]) -> bool {
    for &variable in scope.iter().rev() {
        assignment[variable] += 1;
        if assignment[variable] < domains[variable] {
            return true;
        }
        assignment[variable] = 0;
    }
    false
}

/// Integers of 128 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Integers {
    /// Whether a sum did not fit, so that results are wrong.
    pub overflowed: bool,
}

impl ValueSet for Integers {
    type Value = i128;

    fn zero(&mut self) -> i128 {
        0
    }

    fn add(&mut self, sum: &mut i128, value: &i128) {
        let (result, overflowed) = sum.overflowing_add(*value);
        *sum = result;
        self.overflowed |= overflowed;
    }

    fn max(&mut self, _variable: usize, alternatives: Vec<i128>) -> i128 {
        alternatives.into_iter().max().expect("a variable has values")
    }
}
