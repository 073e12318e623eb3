//! One function for each of some facts: a cheap, diverse set whose maximum is taken.
//!
//! A function that is best on average says little about states that are unlike most others. States
//! that share a fact are more alike, so for each fact take the function with the highest average
//! over the states that contain it (after Fišer, Horčík and Komenda, ICAPS 2020, who average over
//! all such states that mutexes allow; here they are sampled).
//!
//! *Which facts.* Those that divide the states most evenly come first, and of facts that hold in the
//! same states only the first is taken. A fact that holds in nearly all states gives a function
//! that is best for nearly all of them, which is not diverse; one that holds in few gives a
//! function for few.
//!
//! *Cheap:* one LP for each fact, each begun where the last one ended. [`diverse`](crate::diverse())
//! solves one for each state.

use std::collections::BTreeSet;

use hipot_task::{FactId, Facts, Limits, Value};

use crate::average::{highest_average, optimizer_for_averages};
use crate::certify::Certified;
use crate::feature_set::FeatureSet;
use crate::objective::Average;
use crate::params::Params;
use crate::report::Error;

/// For each of at most `max` facts, the function over `features` with the highest average over
/// those of `states` that contain the fact. When time runs out, returns what was found so far.
pub fn fact_ensemble(
    known: &Certified,
    features: FeatureSet<'_>,
    states: &[Vec<Value>],
    max: usize,
    params: &Params,
    limits: &Limits,
) -> Result<Vec<Certified>, Error> {
    let mut parts = dividing_parts(known.normal_form().facts(), states);
    parts.truncate(max);
    let mut optimizer = optimizer_for_averages(known, features, params, limits)?;
    let mut functions = Vec::new();
    for (_, part) in parts {
        let part = part.iter().map(|&state| states[state].clone()).collect();
        match highest_average(&mut optimizer, known, Average::States(part), None) {
            Ok(found) => functions.extend(found.map(|(function, _)| function)),
            Err(error) => {
                tracing::info!("functions for facts: stopped after {}: {error}", functions.len());
                break;
            }
        }
    }
    Ok(functions)
}

/// For each fact that holds in some states but not in all, which states these are; facts that
/// divide the states most evenly first, and one fact for each division.
fn dividing_parts(facts: &Facts, states: &[Vec<Value>]) -> Vec<(FactId, Vec<usize>)> {
    let holds = |id: FactId, state: &[Value]| {
        let fact = facts.fact(id);
        state[fact.variable.index()] == fact.value
    };
    let of_fact = |id| {
        let part = states.iter().enumerate().filter(|(_, state)| holds(id, state));
        (id, part.map(|(number, _)| number).collect::<Vec<usize>>())
    };
    let mut parts: Vec<_> = facts.ids().map(of_fact).collect();
    let mut known = BTreeSet::new();
    parts.retain(|(_, part)| {
        let divides = !part.is_empty() && part.len() < states.len();
        divides && known.insert(part.clone())
    });
    parts.sort_by_key(|(_, part)| (2 * part.len()).abs_diff(states.len()));
    parts
}

#[cfg(test)]
mod tests {
    use hipot_task::{TaskBuilder, Variable};

    use super::*;

    #[test]
    fn facts_that_divide_states_evenly_come_first() {
        let mut builder = TaskBuilder::new(false);
        for name in ["a", "b", "c"] {
            let values = (0..3).map(|value| format!("{name}={value}"));
            builder.add_variable(Variable::new(name, values)).unwrap();
        }
        builder.set_initial(vec![0; 3]).unwrap();
        builder.set_goal(Vec::new()).unwrap();
        let facts = Facts::new(&builder.build());
        // a=0 in three of four states, a=1 in one; b=0 in two, b=1 in the two others; c=0 in all.
        let states = [[0, 0, 0], [0, 0, 0], [0, 1, 0], [1, 1, 0]].map(|it| it.to_vec());
        let parts = dividing_parts(&facts, &states);
        let names: Vec<_> = parts.iter().map(|(id, _)| id.index()).collect();
        assert_eq!(names, [3, 4, 0, 1]);
        assert_eq!(parts[0].1, [0, 1]);
        // The value c=0 divides nothing, and a fact with the states of another is left out.
        let states = [[0, 0, 0], [1, 1, 0]].map(|it| it.to_vec());
        assert_eq!(dividing_parts(&facts, &states).len(), 2);
    }
}
