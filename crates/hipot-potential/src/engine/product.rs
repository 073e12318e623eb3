//! Products with the matrix and its transpose, one unit at a time.
//!
//! The alternatives of a unit are the columns of its spans, one after another: rows of the table
//! are added to them, or they are added to rows, in long loops that know nothing of slabs.

use super::real::{LANES, Real, Vector, rows, rows_mut};
use super::structure::{Span, View};

/// hat = y + step × (the sums of the alternatives). Lanes that are not present get any values;
/// masked alternatives become −∞.
#[inline(always)]
pub(super) fn add_product<R: Real>(view: &View<'_>, table: &[R], step: R, y: &[R], hat: &mut [R]) {
    let (first, rest) = view.rows.split_at(view.rows.len().min(2));
    let mut begin = 0;
    for span in view.spans {
        let end = begin + span.len as usize;
        let (hat, y) = (rows_mut(&mut hat[begin..end]), rows(&y[begin..end]));
        let [before, after] = [first[0].0, first[0].1].map(|row| part(table, row, span));
        let changes = hat.iter_mut().zip(y).zip(before.iter().zip(after));
        if let [_, second] = first {
            let [other_before, other_after] =
                [second.0, second.1].map(|row| part(table, row, span));
            let others = other_before.iter().zip(other_after);
            for (((hat, y), (before, after)), (other_before, other_after)) in changes.zip(others) {
                for i in 0..LANES {
                    let other = other_before[i] - other_after[i];
                    hat[i] = y[i] + step * ((before[i] - after[i]) + other);
                }
            }
        } else {
            for ((hat, y), (before, after)) in changes {
                for i in 0..LANES {
                    hat[i] = y[i] + step * (before[i] - after[i]);
                }
            }
        }
        for &(before, after) in rest {
            let [before, after] = [before, after].map(|row| part(table, row, span));
            for (hat, (before, after)) in hat.iter_mut().zip(before.iter().zip(after)) {
                for i in 0..LANES {
                    hat[i] += step * (before[i] - after[i]);
                }
            }
        }
        begin = end;
    }
    for &masked in view.masked {
        hat[masked as usize] = R::LOWEST;
    }
}

/// The columns of a span in the row of the table that begins at `row`.
#[inline(always)]
fn part<'a, R: Real>(table: &'a [R], row: u32, span: &Span) -> &'a [Vector<R>] {
    rows(&table[row as usize + span.begin as usize..][..span.len as usize])
}

/// Δ_ind.
#[inline(always)]
pub(super) fn singles<R: Real>(view: &View<'_>, table: &[R]) -> R {
    let mut sum = R::ZERO;
    for &(entry, sign) in view.singles {
        let value = table[entry as usize];
        sum += if sign > 0 { value } else { R::ZERO - value };
    }
    sum
}

/// Adds the transposed product to the flow.
#[inline(always)]
pub(super) fn add_transposed<R: Real>(view: &View<'_>, lambda: R, y: &[R], flow: &mut [R]) {
    let mut begin = 0;
    for span in view.spans {
        let len = span.len as usize;
        let y = rows(&y[begin..begin + len]);
        for &(before, after) in view.rows {
            let [before, after] = [before, after].map(|row| (row + span.begin) as usize);
            // Facts without features share a row, and nobody reads it.
            let both = flow.get_disjoint_mut([before..before + len, after..after + len]);
            let Ok([before, after]) = both else { continue };
            let (before, after) = (rows_mut(before).iter_mut(), rows_mut(after).iter_mut());
            for ((before, after), y) in before.zip(after).zip(y) {
                // Copies, because the compiler does not see that the rows are apart.
                let (mut sum, mut difference) = (*before, *after);
                for i in 0..LANES {
                    sum[i] += y[i];
                    difference[i] -= y[i];
                }
                (*before, *after) = (sum, difference);
            }
        }
        begin += len;
    }
    for &(entry, sign) in view.singles {
        flow[entry as usize] += if sign > 0 { lambda } else { R::ZERO - lambda };
    }
}
