//! Samples of a suite.
//!
//! Random samples are chosen by rank: each task gets a number from the seed and its own name,
//! and the tasks with the smallest numbers are taken. So a sample depends only on the seed and
//! the names, and neither on the order in which a folder is read nor on the tasks of other
//! domains. A larger sample contains the smaller ones, and a task that is added to the folder
//! replaces at most one other.

use hipot_task::Rng;

use super::find::Found;

/// Which part of a suite is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sample {
    /// Random tasks of each domain.
    PerDomain {
        /// The number of tasks per domain.
        count: u32,
        /// The seed.
        seed: u64,
    },
    /// Random tasks, spread evenly over the domains.
    Tasks {
        /// The number of tasks in total.
        count: u32,
        /// The seed.
        seed: u64,
    },
    /// Tasks 1, 1 + n, 1 + 2n, … of each domain.
    Every(u32),
}

impl Sample {
    /// Chooses from tasks that are sorted by domain, and keeps their order.
    pub(super) fn choose(self, tasks: Vec<Found>) -> Vec<Found> {
        let domains = tasks.chunk_by(|a, b| a.domain == b.domain);
        let chosen: Vec<bool> = match self {
            Self::Every(step) => {
                let every = |domain: &[Found]| {
                    (0..domain.len()).map(|i| i % step as usize == 0).collect::<Vec<_>>()
                };
                domains.flat_map(every).collect()
            }
            Self::PerDomain { count, seed } => {
                domains.flat_map(|domain| smallest(domain, count as usize, seed)).collect()
            }
            Self::Tasks { count, seed } => {
                let domains: Vec<&[Found]> = domains.collect();
                let shares = shares(&domains, count as usize, seed);
                let both = domains.iter().zip(shares);
                both.flat_map(|(domain, share)| smallest(domain, share, seed)).collect()
            }
        };
        tasks.into_iter().zip(chosen).filter_map(|(task, is_in)| is_in.then_some(task)).collect()
    }
}

/// Which of the tasks of a domain have the `count` smallest ranks.
fn smallest(domain: &[Found], count: usize, seed: u64) -> Vec<bool> {
    let rank_of = |task: &Found| rank(&format!("{}/{}", task.domain, task.problem), seed);
    let mut ranked: Vec<(u64, usize)> =
        domain.iter().enumerate().map(|(index, task)| (rank_of(task), index)).collect();
    ranked.sort_unstable();
    let mut chosen = vec![false; domain.len()];
    for &(_, index) in ranked.iter().take(count) {
        chosen[index] = true;
    }
    chosen
}

/// The number of tasks to take from each domain: one from each in turn, in random order, as
/// long as it has tasks left.
fn shares(domains: &[&[Found]], count: usize, seed: u64) -> Vec<usize> {
    let mut turns: Vec<usize> = (0..domains.len()).collect();
    turns.sort_by_key(|&index| (rank(&domains[index][0].domain, seed), index));
    let mut shares = vec![0; domains.len()];
    let mut left = count.min(domains.iter().map(|domain| domain.len()).sum());
    while left > 0 {
        for &index in &turns {
            if left > 0 && shares[index] < domains[index].len() {
                shares[index] += 1;
                left -= 1;
            }
        }
    }
    shares
}

/// A random number that depends on the seed and a name (FNV-1a, then mixed).
fn rank(name: &str, seed: u64) -> u64 {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Rng::new(hash ^ Rng::new(seed).next_u64()).next_u64()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tasks(sizes: &[usize]) -> Vec<Found> {
        let mut tasks = Vec::new();
        for (domain, &size) in sizes.iter().enumerate() {
            tasks.extend((0..size).map(|problem| Found {
                suite: "s".to_owned(),
                domain: format!("d{domain}"),
                problem: format!("p{problem}.pddl"),
                file: format!("d{domain}/p{problem}.pddl").into(),
            }));
        }
        tasks
    }

    fn names(tasks: &[Found]) -> Vec<String> {
        tasks.iter().map(|task| format!("{}/{}", task.domain, task.problem)).collect()
    }

    #[test]
    fn every_third_of_each_domain() {
        let chosen = names(&Sample::Every(3).choose(tasks(&[4, 2])));
        assert_eq!(chosen, ["d0/p0.pddl", "d0/p3.pddl", "d1/p0.pddl"]);
    }

    #[test]
    fn a_seed_means_the_same_forever() {
        let chosen = |seed| names(&Sample::PerDomain { count: 2, seed }.choose(tasks(&[9, 1])));
        assert_eq!(chosen(0), GOLDEN);
        assert_ne!(chosen(1), GOLDEN);
    }

    const GOLDEN: [&str; 3] = ["d0/p2.pddl", "d0/p8.pddl", "d1/p0.pddl"];

    proptest! {
        #[test]
        fn shares_are_even_and_larger_samples_contain_smaller_ones(
            sizes in prop::collection::vec(1..6_usize, 1..5), count in 1..20_u32, seed: u64,
        ) {
            let all = tasks(&sizes);
            let small = names(&Sample::Tasks { count, seed }.choose(all.clone()));
            let large = names(&Sample::Tasks { count: count + 1, seed }.choose(all.clone()));
            prop_assert_eq!(small.len(), all.len().min(count as usize));
            prop_assert!(small.iter().all(|name| large.contains(name)));
            let share = |domain| {
                let prefix = format!("d{domain}/");
                small.iter().filter(|name| name.starts_with(&prefix)).count()
            };
            let most = (0..sizes.len()).map(share).max().unwrap();
            for (domain, &size) in sizes.iter().enumerate() {
                prop_assert!(share(domain) >= size.min(most - 1), "{small:?}");
            }
            // What is taken from one domain does not depend on the others.
            let alone = names(&Sample::PerDomain { count, seed }.choose(tasks(&sizes[..1])));
            let beside = names(&Sample::PerDomain { count, seed }.choose(all));
            prop_assert_eq!(&alone[..], &beside[..alone.len()]);
        }
    }
}
