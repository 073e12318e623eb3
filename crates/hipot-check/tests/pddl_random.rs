//! Random tasks.

use hipot_check::pddl::random::{Feature, RandomPddl};
use hipot_check::pddl::{Semantics, explore};

#[test]
fn stats() {
    let begin = std::time::Instant::now();
    let (mut lengths, mut states) = (vec![0; 30], 0);
    for seed in 0..500 {
        let text = RandomPddl::default().generate(seed);
        let task = text.read().unwrap();
        match explore(&Semantics::new(&task).unwrap(), 4000) {
            Ok(found) => {
                states = states.max(found.states);
                lengths[found.plan.map_or(29, |plan| plan.steps.len())] += 1;
            }
            Err(_) => lengths[28] += 1,
        }
        if seed < 3 {
            println!("{}{}", text.domain, text.problem);
        }
    }
    println!("{lengths:?} {states} {:?} {:?}", begin.elapsed(), Feature::ALL.len());
}
