//! Each closed form against brute force, each range at its ends.

use std::collections::BTreeSet;

use hipot_testing::StateSpace;

use super::*;

type Family = Result<Generated, GenerateError>;

/// Brute force finds the promised cost and as many states as the essay says.
fn assert_explored(family: Family, states: u64) {
    let Generated { task, optimal_cost } = family.unwrap();
    let space = StateSpace::explore(&task, 100_000).unwrap();
    assert_eq!((space.optimal_cost(), space.states.len() as u64), (optimal_cost, states));
}

fn refusal(family: Family) -> String {
    family.unwrap_err().to_string()
}

#[test]
fn hanoi_costs_what_it_should() {
    for disks in 1..=7 {
        assert_explored(hanoi(disks), 3_u64.pow(disks));
    }
    assert_eq!(hanoi(4).unwrap().optimal_cost, Some(15));
    assert_eq!(hanoi(63).unwrap().optimal_cost, Some(i64::MAX as u64));
    assert_eq!(refusal(hanoi(0)), "disks is 0, but must be from 1 to 63");
    assert_eq!(refusal(hanoi(64)), "disks is 64, but must be from 1 to 63");
}

#[test]
fn rings_cost_what_they_should() {
    for count in 1..=10 {
        assert_explored(rings(count), 1 << count);
    }
    assert_eq!(rings(5).unwrap().optimal_cost, Some(21));
    assert_eq!(rings(62).unwrap().optimal_cost, Some((1 << 63) / 3));
    assert_eq!(refusal(rings(0)), "rings is 0, but must be from 1 to 62");
    assert_eq!(refusal(rings(63)), "rings is 63, but must be from 1 to 62");
}

#[test]
fn shuttle_costs_what_it_should() {
    for parcels in 1..=4 {
        for capacity in 1..=3 {
            assert_explored(shuttle(parcels, capacity), shuttle_states(parcels, capacity));
        }
    }
    assert_eq!(shuttle(7, 3).unwrap().optimal_cost, Some(19));
    assert_eq!(shuttle(200, 50).unwrap().optimal_cost, Some(407));
    assert_eq!(refusal(shuttle(0, 1)), "parcels is 0, but must be from 1 to 200");
    assert_eq!(refusal(shuttle(201, 1)), "parcels is 201, but must be from 1 to 200");
    assert_eq!(refusal(shuttle(1, 0)), "capacity is 0, but must be from 1 to 50");
    assert_eq!(refusal(shuttle(1, 51)), "capacity is 51, but must be from 1 to 50");
}

/// 2 Σₖ C(p, k) · c! / (c − k)! · 2ᵖ⁻ᵏ.
fn shuttle_states(parcels: u32, capacity: u32) -> u64 {
    let (parcels, capacity) = (u64::from(parcels), u64::from(capacity));
    let (mut sum, mut choices) = (0, 1);
    for inside in 0..=parcels.min(capacity) {
        sum += choices << (parcels - inside);
        choices = choices * (parcels - inside) / (inside + 1) * (capacity - inside);
    }
    2 * sum
}

#[test]
fn odometer_costs_what_it_should() {
    for base in 2..=5 {
        for digits in 1..=4 {
            assert_explored(odometer(digits, base), u64::from(base).pow(digits));
        }
    }
    assert_eq!(odometer(3, 10).unwrap().optimal_cost, Some(999));
    assert_eq!(odometer(63, 2).unwrap().optimal_cost, Some((1 << 63) - 1));
    assert_eq!(odometer(6, 1000).unwrap().optimal_cost, Some(999_999_999_999_999_999));
    assert_eq!(refusal(odometer(0, 2)), "digits is 0, but must be from 1 to 63");
    assert_eq!(refusal(odometer(20, 10)), "digits is 20, but must be from 1 to 19");
    assert_eq!(refusal(odometer(1, 1)), "base is 1, but must be from 2 to 1000");
    assert_eq!(refusal(odometer(1, 1001)), "base is 1001, but must be from 2 to 1000");
}

#[test]
fn circuit_costs_what_it_should() {
    for switches in 2..=8 {
        assert_explored(circuit(switches), 2 << switches);
    }
    assert_eq!(circuit(10_000).unwrap().optimal_cost, Some(10_002));
    assert_eq!(refusal(circuit(1)), "switches is 1, but must be from 2 to 10000");
    assert_eq!(refusal(circuit(10_001)), "switches is 10001, but must be from 2 to 10000");
}

#[test]
fn toll_costs_what_it_should() {
    for stations in 1..=7 {
        assert_explored(toll(stations), (3 << stations) - 2);
    }
    assert_eq!(toll(3).unwrap().optimal_cost, Some(6_442_450_938));
    assert_eq!(toll(10_000).unwrap().optimal_cost, Some(21_474_836_460_000));
    assert_eq!(refusal(toll(0)), "stations is 0, but must be from 1 to 10000");
    assert_eq!(refusal(toll(10_001)), "stations is 10001, but must be from 1 to 10000");
}

#[test]
fn parity_has_no_plan() {
    for coins in 1..=9 {
        assert_explored(parity(coins), 1 << (coins - 1));
    }
    assert_eq!(parity(10_000).unwrap().optimal_cost, None);
    assert_eq!(refusal(parity(0)), "coins is 0, but must be from 1 to 10000");
    assert_eq!(refusal(parity(10_001)), "coins is 10001, but must be from 1 to 10000");
}

#[test]
fn names_can_be_read_back() {
    let families =
        [hanoi(3), rings(4), shuttle(3, 2), odometer(3, 4), circuit(4), toll(4), parity(4)];
    for Generated { task, .. } in families.map(Result::unwrap) {
        let mut text = Vec::new();
        hipot_task::sas::write(&task, &mut text).unwrap();
        assert_eq!(hipot_task::sas::read(&text).unwrap(), task);

        let names: BTreeSet<&str> = task.operators().iter().map(|op| op.name.as_str()).collect();
        assert_eq!(names.len(), task.operators().len(), "names are unique");
        for name in names {
            let is_word = |word: &str| {
                let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                !word.is_empty() && word.chars().all(plain)
            };
            assert!(name.split(' ').all(is_word), "{name}");
        }
    }
}
