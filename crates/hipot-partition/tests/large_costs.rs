//! Costs near 2³², which leave little room between themselves and what floating
//! point can tell apart.

use hipot_partition::projection::Patterns;
use hipot_partition::{Bound, ocp, operator_cost, seq, tcp, transition_cost};
use hipot_task::{Limits, sas};

#[test]
fn values_are_exact() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/toll.sas");
    let task = sas::read(&std::fs::read(file).unwrap()).unwrap();
    let limits = Limits::none();
    let initial = task.initial();
    let mut bounds: Vec<Bound> = vec![seq(&task, &limits).unwrap().bound(initial)];
    for dimension in [1, 2] {
        let params = operator_cost::Params {
            patterns: Patterns::All(dimension),
            ..operator_cost::Params::default()
        };
        bounds.push(ocp(&task, &params, &limits).unwrap().bound(initial));
        let params = transition_cost::Params {
            patterns: Patterns::All(dimension),
            ..transition_cost::Params::default()
        };
        bounds.push(tcp(&task, &params, &limits).unwrap().bound(initial));
    }
    for bound in bounds {
        assert_eq!(bound.value.unwrap().to_string(), "6442450938", "{bound:?}");
    }
}
