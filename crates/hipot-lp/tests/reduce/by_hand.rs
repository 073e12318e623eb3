//! Problems whose quotient is known.

use hipot_lp::reduce::{Partition, Reduced, reduce};
use hipot_lp::{Bounds, Column, Params, Problem, Row, Solver, Status};

use crate::checks::{check_quotient, terms};

#[test]
fn a_transport_problem_with_equal_towns() {
    // Two mills send flour to four towns. The mills are alike; two towns are
    // cheap to reach and two are expensive: two classes of four routes.
    let mut problem = Problem::minimize();
    let routes: Vec<_> = (0..8)
        .map(|route| problem.add_column(if route % 4 < 2 { 1.0 } else { 3.0 }, 0.0..))
        .collect();
    for mill in 0..2 {
        problem.add_row(..=5.0, routes[4 * mill..4 * mill + 4].iter().map(|&route| (route, 1.0)));
    }
    for town in 0..4 {
        problem.add_row(2.0.., [(routes[town], 1.0), (routes[town + 4], 1.0)]);
    }
    let reduced = reduce(&problem).expect("worthwhile");
    let quotient = reduced.problem();
    assert_eq!((quotient.num_rows(), quotient.num_columns(), quotient.num_nonzeros()), (3, 2, 4));
    let expected = [
        (Bounds::from(..=5.0), vec![(Column(0), 2.0), (Column(1), 2.0)]),
        (Bounds::from(2.0..), vec![(Column(0), 2.0)]),
        (Bounds::from(2.0..), vec![(Column(1), 2.0)]),
    ];
    assert_eq!(terms(quotient), expected);
    assert!((quotient.objective_value(&[1.0, 10.0]) - 124.0).abs() < 1e-9);
    assert_eq!(reduced.partition().row_class_size(Row(0)), 2);
    assert_eq!(reduced.partition().column_class_size(Column(1)), 4);
    assert_eq!(reduced.row_class(Row(5)), Row(2));
    assert_eq!(reduced.column_class(routes[6]), Column(1));
    assert_eq!(reduced.expand_duals(&[-2.0, 4.0, 6.0]), [-1.0, -1.0, 2.0, 2.0, 3.0, 3.0]);
    check_quotient(&problem, &reduced);
}

#[test]
fn a_hexagon_and_two_triangles_are_alike() {
    // Not symmetric to each other, yet one class: color refinement cannot
    // distinguish them, and a linear program need not.
    let mut problem = Problem::maximize();
    let columns: Vec<_> = problem.add_columns(12, 1.0, 0.0..).collect();
    for (first, length) in [(0, 6), (6, 3), (9, 3)] {
        for place in 0..length {
            let ends = [first + place, first + (place + 1) % length];
            problem.add_row(..=1.0, ends.map(|end| (columns[end], 1.0)));
        }
    }
    let reduced = reduce(&problem).expect("worthwhile");
    assert_eq!(reduced.problem().num_columns(), 1);
    assert_eq!(terms(reduced.problem()), [((..=1.0).into(), vec![(Column(0), 2.0)])]);
    check_quotient(&problem, &reduced);
}

#[test]
fn coefficients_that_cancel_leave_the_quotient() {
    let mut problem = Problem::minimize();
    let [x, y, z] = [0; 3].map(|_| problem.add_column(1.0, -1.0..=1.0));
    for [one, other] in [[x, y], [y, z], [z, x]] {
        problem.add_row(..=1.0, [(one, 1.0), (other, -1.0)]);
    }
    let reduced = reduce(&problem).expect("worthwhile");
    assert_eq!(terms(reduced.problem()), [((..=1.0).into(), vec![])]);
    check_quotient(&problem, &reduced);
}

#[test]
fn problems_without_nonzeros_are_left_alone() {
    assert!(reduce(&Problem::minimize()).is_none());
    let mut problem = Problem::minimize();
    problem.add_columns(3, 0.0, ..).for_each(drop);
    problem.add_row(.., []);
    assert!(reduce(&problem).is_none());
    let reduced = Reduced::new(&problem, Partition::coarsest(&problem));
    assert_eq!(reduced.problem().num_columns(), 1);
    assert_eq!(reduced.expand(&[2.0]), [2.0; 3]);
}

#[test]
fn rays_are_kept() {
    let mut unbounded = Problem::maximize();
    let [x, y] = [0; 2].map(|_| unbounded.add_column(1.0, 0.0..));
    unbounded.add_row(..=1.0, [(x, 1.0), (y, -1.0)]);
    unbounded.add_row(..=1.0, [(y, 1.0), (x, -1.0)]);
    let reduced = reduce(&unbounded).expect("worthwhile");
    let solution = Solver::new(reduced.problem()).expect("accepted").solve(&Params::default());
    assert_eq!(solution.status, Status::Unbounded);
    let ray = reduced.expand(&solution.ray.expect("asked for"));
    assert!(unbounded.objective_value(&ray) > 0.0 && unbounded.violation(&ray) < 1e-6);
}
