//! Solvers for [`Problem`](crate::Problem)s.

pub(crate) mod highs;
