//! The LP with its step sizes.
//!
//! *Step sizes* τ of weights and σ of units are by Pock and Chambolle: the inverse of the sum of
//! a column's or row's absolute entries, larger by as much as the norm of the matrix allows.
//!
//! *Determined weights.* Equations of free operators express some weights by others. They are
//! not variables: K is multiplied with the matrix of these expressions, one way and the other.

use std::ops::IndexMut;
use std::sync::Arc;

use hipot_task::{Limits, Rng};

use super::chunk::Chunk;
use super::real::LANES;
use super::structure::Structure;
use crate::helpers::Helpers;

/// The number of steps to find the norm of the matrix.
const LANCZOS_STEPS: usize = 20;

/// What is found is a little below the norm.
const NORM_SAFETY: f64 = 0.97;

/// A weight that others determine, as a sum of these with factors.
pub(super) type Determined = (usize, Vec<(usize, f64)>);

/// The LP with its step sizes.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) structure: Structure,
    pub(super) determined: Vec<Determined>,
    /// The step size of each weight, 0 if others determine it.
    pub(super) tau: Vec<f64>,
    /// The step sizes of each unit's λ and y.
    pub(super) sigma: Vec<(f64, f64)>,
    /// A bound on the absolute weights.
    pub(super) max_weight: f64,
    /// The threads that iterate, this one and others.
    pub(super) helpers: Arc<Helpers>,
}

impl Model {
    /// Step sizes for an LP. They are not to be used if a limit is
    /// reached before they are computed.
    pub(super) fn new(
        structure: Structure,
        determined: Vec<Determined>,
        max_weight: f64,
        helpers: &Arc<Helpers>,
        limits: &Limits,
    ) -> Self {
        let (sigma, tau) = steps(&structure, &determined);
        let helpers = Arc::clone(helpers);
        let mut model = Self { structure, determined, tau, sigma, max_weight, helpers };
        let norm = model.norm(limits);
        tracing::debug!("engine: norm {norm:.4}");
        if norm > 0.0 {
            let factor = NORM_SAFETY / norm;
            model.tau.iter_mut().for_each(|tau| *tau *= factor);
            for (lambda, y) in &mut model.sigma {
                *lambda *= factor;
                *y *= factor;
            }
        }
        model
    }

    /// The norm of Σ^½ K T^½ for the step sizes Σ and T, from below, by the method of Lanczos.
    fn norm(&self, limits: &Limits) -> f64 {
        let roots: Vec<f64> = self.tau.iter().map(|tau| tau.sqrt()).collect();
        let mut chunk: Chunk<f64> = Chunk::for_products(&self.structure, &self.sigma);
        // The square of the matrix: T^½ Kᵀ Σ K T^½ x.
        let mut square = |x: &[f64]| -> Vec<f64> {
            let mut product: Vec<f64> = x.iter().zip(&roots).map(|(x, root)| x * root).collect();
            expand_determined(&self.determined, &mut product);
            chunk.multiply(&self.structure, &product);
            product.copy_from_slice(&chunk.flow_of_weights);
            transpose_determined(&self.determined, &mut product);
            product.iter_mut().zip(&roots).for_each(|(x, root)| *x *= root);
            product
        };
        let mut rng = Rng::new(0);
        let begin: Vec<f64> =
            roots.iter().map(|_| f64::from(rng.below(1 << 20)) - f64::from(1 << 19)).collect();
        largest_eigenvalue(begin, &mut square, limits).sqrt()
    }
}

/// The largest eigenvalue of a symmetric matrix, from below, by [`LANCZOS_STEPS`] products.
fn largest_eigenvalue(
    mut vector: Vec<f64>,
    product: &mut dyn FnMut(&[f64]) -> Vec<f64>,
    limits: &Limits,
) -> f64 {
    let length = |vector: &[f64]| vector.iter().map(|it| it * it).sum::<f64>().sqrt();
    let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
    let mut before = vec![0.0; vector.len()];
    let mut norm = length(&vector);
    for _ in 0..LANCZOS_STEPS {
        if norm <= f64::EPSILON || limits.check().is_err() {
            break;
        }
        for it in &mut vector {
            *it /= norm;
        }
        let mut next = product(&vector);
        let along: f64 = next.iter().zip(&vector).map(|(a, b)| a * b).sum();
        let last = beside.last().copied().unwrap_or(0.0);
        for ((next, own), before) in next.iter_mut().zip(&vector).zip(&before) {
            *next -= along * own + last * before;
        }
        diagonal.push(along);
        norm = length(&next);
        beside.push(norm);
        before = std::mem::replace(&mut vector, next);
    }
    largest_of_tridiagonal(&diagonal, &beside)
}

/// The largest eigenvalue of a symmetric tridiagonal matrix, by bisection.
fn largest_of_tridiagonal(diagonal: &[f64], beside: &[f64]) -> f64 {
    let side = |index: usize| if index < diagonal.len() - 1 { beside[index] } else { 0.0 };
    let before = |index: usize| if index > 0 { beside[index - 1] } else { 0.0 };
    let bounds = (0..diagonal.len()).map(|it| diagonal[it] + side(it) + before(it));
    let (mut low, mut high) = (0.0, bounds.fold(0.0, f64::max));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        // All pivots of (middle − matrix) are positive if all eigenvalues are below.
        let (mut pivot, mut is_above) = (1.0, true);
        for (index, own) in diagonal.iter().enumerate() {
            pivot = middle - own - before(index).powi(2) / pivot;
            is_above &= pivot > 0.0;
        }
        (low, high) = if is_above { (low, middle) } else { (middle, high) };
    }
    high
}

pub(super) fn expand_determined(
    determined: &[Determined],
    weights: &mut (impl IndexMut<usize, Output = f64> + ?Sized),
) {
    for (pivot, terms) in determined {
        weights[*pivot] = terms.iter().map(|&(other, factor)| factor * weights[other]).sum();
    }
}

pub(super) fn transpose_determined(
    determined: &[Determined],
    flow: &mut (impl IndexMut<usize, Output = f64> + ?Sized),
) {
    for (pivot, terms) in determined {
        let value = std::mem::take(&mut flow[*pivot]);
        for &(other, factor) in terms {
            flow[other] += factor * value;
        }
    }
}

/// Step sizes by Pock and Chambolle: those of units, and those of weights.
fn steps(structure: &Structure, determined: &[Determined]) -> (Vec<(f64, f64)>, Vec<f64>) {
    let layout = &structure.layout;
    let absolute = |terms: &Vec<(usize, f64)>| terms.iter().map(|it| (it.0, it.1.abs())).collect();
    let absolute: Vec<Determined> =
        determined.iter().map(|(pivot, terms)| (*pivot, absolute(terms))).collect();
    let mut weights = vec![1.0; structure.weights()];
    expand_determined(&absolute, &mut weights);
    let mut table = vec![0.0; layout.len()];
    layout.for_each_weight(|number, entries| {
        for &entry in entries {
            table[entry as usize] = weights[number];
        }
    });
    let mut flow = vec![0.0; layout.len()];
    let mut sigma = Vec::new();
    for unit in 0..structure.units.len() {
        let view = structure.view(unit);
        let mut is_masked = vec![false; view.alternatives];
        view.masked.iter().for_each(|&it| is_masked[it as usize] = true);
        let (mut most, mut begin) = (0.0_f64, 0);
        for part in view.parts {
            for place in 0..part.len() {
                let lane = if part.is_along { 0 } else { place % LANES };
                if is_masked[begin + place] || part.present >> lane & 1 == 0 {
                    continue;
                }
                let rows = view.rows.iter().flat_map(|&(before, after)| [before, after]);
                let mut sum = 0.0;
                for row in rows {
                    let entry = row as usize + part.begin as usize + place;
                    sum += table[entry];
                    flow[entry] += 1.0;
                }
                most = most.max(sum);
            }
            begin += part.len();
        }
        let mut singles = 0.0;
        for &(entry, _) in view.singles {
            singles += table[entry as usize];
            flow[entry as usize] += 1.0;
        }
        let y = if most > 0.0 { 1.0 / most } else { 1.0 };
        let lambda = if singles > 0.0 { 1.0 / singles } else { y };
        sigma.push((lambda, y));
    }
    let mut columns = vec![0.0; structure.weights()];
    layout.for_each_weight(|number, entries| {
        columns[number] = entries.iter().map(|&entry| flow[entry as usize]).sum();
    });
    transpose_determined(&absolute, &mut columns);
    let tau = columns.into_iter().map(|sum| if sum > 0.0 { 1.0 / sum } else { 0.0 }).collect();
    (sigma, tau)
}
