//! Certificates of searches against brute force on random tasks: what is proved is true, whatever
//! is changed, and lists of all states that matter are accepted.

use std::collections::BTreeMap;

use hipot_check::{
    Claim, Proof, SearchCertificate, State, StateCode, StatesWriter, VerifiedSearch, fingerprint,
    read_proof, verify_search,
};
use hipot_task::{Rng, Task};
use hipot_testing::{RandomTask, StateSpace, counter, switches};

/// A list of states with costs, in any order.
type List = Vec<(u64, State)>;

/// Tasks with and without conditional effects, axioms and free operators.
fn random_task(seed: u64) -> (Task, StateSpace) {
    let shape = RandomTask {
        derived: [0, 0, 3][seed as usize % 3],
        percent_free: [0, 40][seed as usize % 2],
        percent_conditional: [0, 30][(seed / 2) as usize % 2],
        ..RandomTask::default()
    };
    let task = shape.generate(seed);
    let space = StateSpace::explore(&task, 10_000).unwrap();
    (task, space)
}

/// The cost of reaching each state.
fn distances(task: &Task, space: &StateSpace) -> Vec<u64> {
    let mut distances = vec![u64::MAX; space.states.len()];
    distances[0] = 0;
    loop {
        let before = distances.clone();
        for &(source, operator, target) in &space.transitions {
            let reached = distances[source].saturating_add(task.operator(operator).cost.into());
            distances[target] = distances[target].min(reached);
        }
        if distances == before {
            return distances;
        }
    }
}

/// The states that are reached at less than `claimed`, and what claims that.
fn complete(task: &Task, space: &StateSpace, claimed: Option<u64>) -> (Claim, List) {
    let claim = claimed.map_or(Claim::Unsolvable, Claim::Bound);
    let all = distances(task, space).into_iter().zip(&space.states);
    let listed = all.filter(|&(cost, _)| claimed.is_none_or(|claimed| cost < claimed));
    (claim, listed.map(|(cost, state)| (cost, state.clone())).collect())
}

fn written(task: &Task, claim: Claim, list: &List, runs_of: usize) -> Vec<u8> {
    let mut file = Vec::new();
    SearchCertificate::new(fingerprint(task), claim).write(&mut file).unwrap();
    let code = StateCode::new(task);
    let mut writer = StatesWriter::new(&code, file);
    let mut by_cost: BTreeMap<u64, Vec<&State>> = BTreeMap::new();
    for (cost, state) in list {
        by_cost.entry(*cost).or_default().push(state);
    }
    for (cost, states) in by_cost {
        for run in states.chunks(runs_of) {
            let mut bytes = Vec::new();
            for state in run {
                code.encode(|variable| state[variable], &mut bytes);
            }
            writer.write_run(cost, &bytes).unwrap();
        }
    }
    assert_eq!(writer.written(), list.len() as u64);
    writer.finish().unwrap()
}

/// What a file proves, or why it is not accepted.
fn verified(task: &Task, file: &[u8]) -> Result<VerifiedSearch, String> {
    match read_proof(file).map_err(|error| error.to_string())? {
        Proof::Search(certificate, states) => {
            verify_search(task, &certificate, states).map_err(|rejection| rejection.to_string())
        }
        Proof::Function(_) => panic!("this is version 4"),
    }
}

fn rejection(task: &Task, claim: Claim, list: &List) -> String {
    verified(task, &written(task, claim, list, 100)).unwrap_err()
}

fn is_true(claim: Claim, optimal: Option<u64>) -> bool {
    match (claim, optimal) {
        (_, None) => true,
        (Claim::Unsolvable, Some(_)) => false,
        (Claim::Bound(bound), Some(cost)) => bound <= cost,
    }
}

#[test]
fn what_a_search_sees_proves_the_optimal_cost() {
    let (mut solvable, mut unsolvable) = (0, 0);
    for seed in 0..2000 {
        let (task, space) = random_task(seed);
        let (claim, list) = complete(&task, &space, space.optimal_cost());
        let found = verified(&task, &written(&task, claim, &list, 1 + seed as usize % 50));
        let expected = (claim, list.len() as u64);
        let found = found.map(|found| (found.claim, found.states));
        assert_eq!(found, Ok(expected), "seed {seed}");
        *(if space.optimal_cost().is_some() { &mut solvable } else { &mut unsolvable }) += 1;
    }
    assert!(solvable > 300 && unsolvable > 300, "{solvable} and {unsolvable}");
}

#[test]
fn nothing_false_is_proved_by_a_changed_list() {
    let mut accepted = 0;
    for seed in 0..6000 {
        let (task, space) = random_task(seed % 1500);
        let mut rng = Rng::new(seed);
        let optimal = space.optimal_cost();
        let claimed = match rng.below(4) {
            0 => None,
            1 => optimal,
            _ => Some(optimal.unwrap_or(7) + u64::from(rng.below(3))),
        };
        let (claim, mut list) = complete(&task, &space, claimed);
        for _ in 0..rng.below(3) {
            let Some(place) = (!list.is_empty()).then(|| rng.below(list.len() as u32) as usize)
            else {
                break;
            };
            match rng.below(4) {
                0 => drop(list.swap_remove(place)),
                1 => list[place].0 += u64::from(rng.below(3)),
                2 => list[place].0 = list[place].0.saturating_sub(1),
                _ => list.retain(|(_, state)| !hipot_check::is_goal(&task, state)),
            }
        }
        let result = verified(&task, &written(&task, claim, &list, 20));
        if result.is_ok() {
            assert!(is_true(claim, optimal), "seed {seed}: {claim} of {optimal:?}");
            accepted += 1;
        }
    }
    assert!(accepted > 500, "{accepted} were accepted");
}

#[test]
fn damaged_files_are_refused_or_prove_the_truth() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..4000 {
        let (task, space) = random_task(seed % 500);
        let mut rng = Rng::new(seed);
        let (claim, list) = complete(&task, &space, space.optimal_cost());
        let mut file = written(&task, claim, &list, 10);
        match rng.below(4) {
            0 => file.truncate(rng.below(file.len() as u32) as usize),
            1 => file.push(rng.below(256) as u8),
            _ => {
                for _ in 0..=rng.below(3) {
                    let place = rng.below(file.len() as u32) as usize;
                    file[place] ^= 1 << rng.below(8);
                }
            }
        }
        match verified(&task, &file) {
            Ok(found) => {
                assert!(is_true(found.claim, space.optimal_cost()), "seed {seed}");
                accepted += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 3000, "{refused} were refused, {accepted} accepted");
}

/// The compressed part is taken apart, changed and put together again, so that the checksum holds.
#[test]
fn damaged_lists_with_a_right_checksum_are_refused_or_prove_the_truth() {
    use std::io::{Read, Write};
    for seed in 0..4000 {
        let (task, space) = random_task(seed % 500);
        let mut rng = Rng::new(seed);
        let (claim, list) = complete(&task, &space, space.optimal_cost());
        let file = written(&task, claim, &list, 10);
        let marker = b"\nstates\n";
        let begin = file.windows(marker.len()).position(|part| part == marker).unwrap();
        let (text, packed) = file.split_at(begin + marker.len());
        let mut bytes = Vec::new();
        flate2::read::ZlibDecoder::new(packed).read_to_end(&mut bytes).unwrap();
        match rng.below(3) {
            0 => bytes.truncate(rng.below(bytes.len() as u32) as usize),
            1 => bytes.insert(rng.below(bytes.len() as u32) as usize, rng.below(256) as u8),
            _ => {
                let place = rng.below(bytes.len() as u32) as usize;
                bytes[place] = rng.below(256) as u8;
            }
        }
        let mut writer =
            flate2::write::ZlibEncoder::new(text.to_vec(), flate2::Compression::default());
        writer.write_all(&bytes).unwrap();
        if let Ok(found) = verified(&task, &writer.finish().unwrap()) {
            assert!(is_true(found.claim, space.optimal_cost()), "seed {seed}");
        }
    }
}

#[test]
fn every_state_of_a_counter_is_needed() {
    let task = counter(4, 3);
    let space = StateSpace::explore(&task, 100).unwrap();
    assert_eq!(space.optimal_cost(), Some(45));
    let (claim, mut list) = complete(&task, &space, Some(45));
    // The cheapest operator costs 3, so the last state before the goal is not needed.
    list.retain(|&(cost, _)| cost < 42);
    assert!(verified(&task, &written(&task, claim, &list, 4)).is_ok());
    for left_out in 0..list.len() {
        let mut list = list.clone();
        list.remove(left_out);
        let message = rejection(&task, claim, &list);
        assert!(message.contains("is not listed"), "{message}");
    }
    for raised in 0..list.len() {
        let mut list = list.clone();
        list[raised].0 += 1;
        let message = rejection(&task, claim, &list);
        assert!(message.contains("is listed with a cost of"), "{message}");
    }
    assert!(rejection(&task, Claim::Bound(46), &list).contains("is not listed"));
    assert!(rejection(&task, Claim::Unsolvable, &list).contains("is neither listed nor proved"));
}

#[test]
fn messages_name_the_place() {
    let task = switches(2, 5, true);
    let state = |values: [u32; 3]| values.to_vec();
    let bound = Claim::Bound(10);
    assert_eq!(
        rejection(&task, bound, &vec![]),
        "the initial state is not listed, although it is reached at cost 0 and needs 5 for all \
         that is proved, less than 10 in all"
    );
    let list = vec![(0, state([0, 0, 0]))];
    assert!(verified(&task, &written(&task, bound, &list, 1)).is_ok());
    assert_eq!(
        rejection(&task, Claim::Bound(11), &list),
        "operator 'switch 1' leads from listed state 1, of cost 0, to a state that is not listed, \
         although it is reached at cost 5 and needs 5 for all that is proved, less than 11 in \
         all: 0 = 'off', 1 = 'on', 2 = 'off'"
    );
    let list = vec![(0, state([0, 0, 0])), (0, state([1, 1, 0]))];
    assert_eq!(
        rejection(&task, bound, &list),
        "listed state 2 is a goal state: 0 = 'on', 1 = 'on', 2 = 'off'"
    );
    let list = vec![(0, state([0, 0, 0])), (1, state([0, 0, 0]))];
    assert_eq!(
        rejection(&task, bound, &list),
        "the list of states is damaged after 2 of them: a state is listed twice"
    );
}
