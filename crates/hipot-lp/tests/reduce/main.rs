//! Color refinement: partitions against a naive loop, quotients against the
//! original, on random problems with and without planted symmetry.

mod by_hand;
mod checks;
mod naive;
mod planted;

use checks::{check_quotient, terms};
use hipot_lp::reduce::{Partition, Reduced, reduce};
use hipot_lp::{Column, Problem};
use naive::{classes, edges, refine_naively};
use planted::planted;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn planted_symmetry_is_found_and_the_quotient_is_equivalent(planted in planted()) {
        let problem = planted.problem();
        let partition = Partition::coarsest(&problem);
        prop_assert!(partition.num_row_classes() <= planted.rows.len());
        prop_assert!(partition.num_column_classes() <= planted.columns.len());
        check_quotient(&problem, &Reduced::new(&problem, partition));
    }

    #[test]
    fn the_partition_is_the_coarsest_equitable_one(planted in planted(), spoil in 0..12_u32) {
        let mut problem = planted.problem();
        if (spoil as usize) < problem.num_columns() {
            problem.set_objective(Column(spoil), 7.0);
        }
        let partition = Partition::coarsest(&problem);
        let (rows, columns) = classes(&problem, &partition);
        prop_assert_eq!(&(rows.clone(), columns.clone()), &refine_naively(&problem));
        let (row_edges, column_edges) = edges(&problem, &rows, &columns);
        for (all, classes) in [(row_edges, rows), (column_edges, columns)] {
            for (one, list) in classes.iter().zip(&all) {
                let first = classes.iter().position(|other| other == one).expect("itself");
                prop_assert_eq!(list, &all[first]);
            }
        }
    }

    #[test]
    fn without_symmetry_nothing_changes(
        rows in prop::collection::vec(prop::collection::vec(-3..=3_i32, 6), 1..8),
    ) {
        let mut problem = Problem::minimize();
        for objective in 0..6 {
            problem.add_column(f64::from(objective), 0.0..);
        }
        for (place, row) in rows.iter().enumerate() {
            let terms = row.iter().map(|&value| f64::from(value));
            problem.add_row(place as f64.., problem.columns().zip(terms));
        }
        prop_assert!(reduce(&problem).is_none());
        let reduced = Reduced::new(&problem, Partition::coarsest(&problem));
        prop_assert_eq!(format!("{:?}", terms(reduced.problem())), format!("{:?}", terms(&problem)));
    }
}
