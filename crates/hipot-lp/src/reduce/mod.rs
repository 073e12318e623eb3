//! Smaller linear programs with the same optimum: rows and columns that play
//! the same role are merged.
//!
//! # What is computed
//!
//! Planning tasks are full of objects that differ in name only: the balls of
//! Gripper, the trucks at one depot. Their linear programs are symmetric, but
//! finding symmetries means finding graph automorphisms. *Color refinement*
//! finds something weaker in quasi-linear time, and for linear programs that is
//! enough (Grohe, Kersting, Mladenov, Selman, *Dimension Reduction via Colour
//! Refinement*, ESA 2014).
//!
//! A partition of the rows and of the columns of
//!
//! ```text
//! optimize Σ_j c_j x_j   subject to   l_i ≤ Σ_j a_ij x_j ≤ u_i,   l_j ≤ x_j ≤ u_j
//! ```
//!
//! is *equitable* if rows of one class have the same bounds, columns of one
//! class the same bounds and objective coefficient, and for each row class R
//! and column class C there are numbers q and p with
//!
//! ```text
//! Σ_{j ∈ C} a_ij = q_RC   for every row i ∈ R,
//! Σ_{i ∈ R} a_ij = p_RC   for every column j ∈ C.
//! ```
//!
//! Summing the block's entries by rows and by columns, |R| q_RC = |C| p_RC (✳).
//! [`Partition::coarsest`] finds a partition with few classes, and [`Reduced`]
//! is its *quotient*, with one row per row class and one column per column class:
//!
//! ```text
//! optimize Σ_C |C| c_C X_C   subject to   l_R ≤ Σ_C q_RC X_C ≤ u_R,   l_C ≤ X_C ≤ u_C.
//! ```
//!
//! # Why it is right
//!
//! *From the quotient to the original.* For a feasible X let x_j = X_C for
//! j ∈ C. Row i ∈ R has the value Σ_C Σ_{j ∈ C} a_ij X_C = Σ_C q_RC X_C, which
//! is the value of R; the bounds are the same and so is the objective,
//! Σ_C |C| c_C X_C. This is [`Reduced::expand`].
//!
//! *From the original to the quotient.* For a feasible x let X_C be the mean
//! of the x_j with j ∈ C. Means keep bounds, and the objective is the same.
//! Row R has, with (✳), the value
//!
//! ```text
//! Σ_C q_RC/|C| Σ_{j ∈ C} x_j = 1/|R| Σ_C p_RC Σ_{j ∈ C} x_j = 1/|R| Σ_{i ∈ R} Σ_j a_ij x_j,
//! ```
//!
//! the mean of the values of its rows, so it too is within l_R and u_R. This
//! is [`Reduced::average`]. So both are feasible or neither is, and their
//! optima are the same, finite or not. The same two maps take rays to rays.
//!
//! *Duals.* Let Y_R be dual values of the quotient, with the reduced costs
//! D_C = |C| c_C − Σ_R Y_R q_RC, and let y_i = Y_R/|R| for i ∈ R. Column
//! j ∈ C of the original has the reduced cost
//!
//! ```text
//! c_j − Σ_R Y_R/|R| Σ_{i ∈ R} a_ij = c_C − Σ_R Y_R p_RC/|R| = c_C − Σ_R Y_R q_RC/|C| = D_C/|C|.
//! ```
//!
//! All signs are as in the quotient, so y is feasible if Y is; and each class
//! adds to the [dual bound](crate::Problem::dual_bound) what it added there:
//! |R| rows times Y_R/|R| times the same bound, |C| columns times D_C/|C| times
//! the same bound. So y proves the bound that Y proves, and is optimal if Y
//! is. This is [`Reduced::expand_duals`].
//!
//! # Multisets instead of sums
//!
//! Sums of floating-point numbers depend on their order, and numbers that
//! should be equal are not always. So classes are distinguished by the *multiset*
//! of the coefficients between a row and a column class, compared bit by bit.
//! Equal multisets have equal sums, so everything above holds; partitions can
//! be finer than with sums (1 + 3 is not 2 + 2), never wrong. "Coarsest" means
//! the coarsest partition that is equitable in this sense; there is exactly
//! one. Rounding enters only where a quotient's coefficient q_RC is summed, and
//! not there if the coefficients are small integers, as ours are.
//!
//! Multisets are compared by the sum of hashes of their members, modulo 2⁶⁴;
//! the resulting partition is then checked entry by entry (`partition`).
//!
//! # What was considered and dropped
//!
//! - Numbering the coefficients and refining by one number after the other
//!   needs adjacency sorted by number, and a linear program with many different
//!   coefficients needs another algorithm. Sums of hashes need neither, at the
//!   price of a check that reads the merged rows and columns once more.
//! - A first-in, first-out queue of splitters took 1.1 to 1.8 times as long as a
//!   stack, whose splitters are younger and so smaller.
//!
//! # Figures
//!
//! Ten million nonzeros in 40 thousand to 5 million rows and columns, in random
//! order, took 1 to 6 seconds, whether nearly everything could be merged or
//! nothing; and 12 bytes per nonzero and some 30 per row and column.
//!
//! | module | what |
//! |---|---|
//! | `partition` | the coarsest equitable partition |
//! | `refine` | splitting classes until nothing splits them |
//! | `classes` | a partition whose classes can be split |
//! | `graph` | the matrix as a graph, by rows and by columns |
//! | `quotient` | the smaller problem, and the way back |

mod classes;
mod graph;
mod partition;
mod quotient;
mod refine;

pub use partition::Partition;
pub use quotient::{Reduced, WORTHWHILE, reduce};
