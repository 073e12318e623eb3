//! Random tasks, some with symmetries planted in them.

use hipot_analysis::symmetry::PairOrbits;
use hipot_task::{Effect, Fact, Limits, Operator, Task, TaskBuilder, Variable};
use hipot_testing::{RandomTask, Rng};

use crate::checker::Checker;
use crate::{distinct, fact, find, initial_facts};

const TASKS: u64 = 400;

/// A random order of the numbers below `len`.
fn shuffle(len: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    for place in (1..len).rev() {
        order.swap(place, rng.below(place as u32 + 1) as usize);
    }
    order
}

/// A task that consists of shared variables and `copies` copies of others.
struct Planted {
    task: Task,
    /// Facts that a symmetry can exchange: in each list one of each copy.
    orbits: Vec<Vec<Fact>>,
}

/// Variables of the template: its own (0 and up), then shared ones.
struct Template {
    own: usize,
    domains: Vec<u32>,
    initial: Vec<u32>,
    goal: Vec<Option<u32>>,
    operators: Vec<(Vec<Fact>, Vec<Fact>, u32)>,
}

fn template(rng: &mut Rng) -> Template {
    let (own, shared) = (1 + rng.below(3) as usize, rng.below(3) as usize);
    let domains: Vec<u32> = (0..own + shared).map(|_| 1 + rng.below(4)).collect();
    let initial = domains.iter().map(|&domain| rng.below(domain)).collect();
    let goal = domains.iter().map(|&domain| rng.chance(40).then(|| rng.below(domain))).collect();
    let mut some = |percent| {
        let mut facts = Vec::new();
        for (variable, &domain) in domains.iter().enumerate() {
            if rng.chance(percent) {
                facts.push(fact(variable, rng.below(domain)));
            }
        }
        facts
    };
    let mut operators = Vec::new();
    for number in 0..8 {
        operators.push((some(45), some(40), 1 + number % 2));
    }
    Template { own, domains, initial, goal, operators }
}

/// Where the facts of each copy of a template are.
struct Placement {
    copies: usize,
    own: usize,
    /// The variable in each slot: all of copy 0, all of copy 1, …, shared ones.
    order: Vec<usize>,
    /// Where the values of each slot go.
    values: Vec<Vec<usize>>,
    /// The domain of each variable.
    domains: Vec<u32>,
}

impl Placement {
    fn new(template: &Template, rng: &mut Rng) -> Self {
        let (copies, own) = (2 + rng.below(3) as usize, template.own);
        let mut slots = template.domains[..own].repeat(copies);
        slots.extend(&template.domains[own..]);
        let order = shuffle(slots.len(), rng);
        let values = slots.iter().map(|&domain| shuffle(domain as usize, rng)).collect();
        let mut domains = vec![0; slots.len()];
        for (&variable, domain) in order.iter().zip(slots) {
            domains[variable] = domain;
        }
        Self { copies, own, order, values, domains }
    }

    /// The fact of a copy that stands for one of the template.
    fn place(&self, copy: usize, old: Fact) -> Fact {
        let variable = old.variable.index();
        let copies_before = if variable < self.own { copy } else { self.copies - 1 };
        let slot = copies_before * self.own + variable;
        fact(self.order[slot], self.values[slot][old.value as usize] as u32)
    }

    fn operator(&self, copy: usize, (pre, eff, cost): &(Vec<Fact>, Vec<Fact>, u32)) -> Operator {
        let place = |&old: &Fact| self.place(copy, old);
        Operator {
            name: "operator".into(),
            preconditions: pre.iter().map(place).collect(),
            effects: eff.iter().map(place).map(Effect::new).collect(),
            cost: *cost,
        }
    }
}

fn plant(seed: u64) -> Planted {
    let mut rng = Rng::new(seed);
    let template = template(&mut rng);
    let placement = Placement::new(&template, &mut rng);
    let copies = placement.copies;
    let mut builder = TaskBuilder::new(true);
    for &domain in &placement.domains {
        let names = (0..domain).map(|value| format!("value {value}"));
        builder.add_variable(Variable::new("variable", names)).unwrap();
    }
    let (mut initial, mut goal) = (vec![0; placement.domains.len()], Vec::new());
    for (copy, variable) in
        (0..copies).flat_map(|c| (0..template.domains.len()).map(move |v| (c, v)))
    {
        let place = |value| placement.place(copy, fact(variable, value));
        let start = place(template.initial[variable]);
        initial[start.variable.index()] = start.value;
        goal.extend(template.goal[variable].map(place));
    }
    goal.sort();
    goal.dedup();
    builder.set_initial(initial).unwrap();
    builder.set_goal(goal).unwrap();
    for number in shuffle(copies * template.operators.len(), &mut rng) {
        let operator = &template.operators[number / copies];
        builder.add_operator(placement.operator(number % copies, operator)).unwrap();
    }
    let mut orbits = Vec::new();
    for variable in 0..template.own {
        for old in (0..template.domains[variable]).map(|value| fact(variable, value)) {
            orbits.push((0..copies).map(|copy| placement.place(copy, old)).collect());
        }
    }
    Planted { task: builder.build(), orbits }
}

#[test]
fn planted_symmetries_are_found() {
    for seed in 0..TASKS {
        let planted = plant(seed);
        let symmetries = find(&planted.task);
        let orbits = symmetries.orbits_of_facts();
        let orbit = |&fact: &Fact| orbits[symmetries.facts().id(fact).index()];
        for facts in &planted.orbits {
            let found: Vec<u32> = facts.iter().map(orbit).collect();
            assert_eq!(distinct(&found), 1, "seed {seed}");
        }
    }
}

/// The numbers of orbits of facts and of pairs: found, and all.
fn compare(task: &Task) -> [[usize; 2]; 2] {
    let initial = initial_facts(task);
    let checker = Checker::new(task, &[&initial, task.goal()]);
    let symmetries = find(task);
    let pairs = PairOrbits::new(&symmetries, &Limits::none()).unwrap();
    [[distinct(&symmetries.orbits_of_facts()), pairs.len()], checker.true_orbits()]
}

/// The search may miss symmetries, but of tasks this small it finds all.
#[test]
fn all_symmetries_of_tiny_tasks_are_found() {
    let kinds = [
        RandomTask { variables: 4, domain: 2, operators: 5, cost: 1, ..RandomTask::default() },
        RandomTask { variables: 2, domain: 4, operators: 6, cost: 1, ..RandomTask::default() },
        RandomTask { variables: 3, domain: 3, operators: 3, cost: 1, ..RandomTask::default() },
    ];
    let mut symmetric = 0;
    for (seed, kind) in (0..TASKS).flat_map(|seed| kinds.iter().map(move |kind| (seed, kind))) {
        let task = kind.generate(seed);
        let [found, expected] = compare(&task);
        assert_eq!(found, expected, "seed {seed}");
        symmetric += usize::from(expected[0] < task.fact_count());
    }
    assert!(symmetric > 200, "only {symmetric} tasks have a symmetry");
}

#[test]
fn random_tasks_have_no_false_symmetries() {
    let kind = RandomTask { variables: 8, operators: 8, cost: 1, ..RandomTask::default() };
    for seed in 0..TASKS {
        find(&kind.generate(seed));
    }
}

/// Pairs of like variables and, for each of the given triples of pairs, an
/// operator for each choice of one variable a pair with an even number of
/// second ones.
fn parities(pairs: usize, triples: &[[usize; 3]]) -> Task {
    let mut builder = TaskBuilder::new(true);
    for _ in 0..2 * pairs {
        builder.add_variable(Variable::new("variable", ["off", "on"])).unwrap();
    }
    builder.set_initial(vec![0; 2 * pairs]).unwrap();
    let mut add = |variables: &[usize], cost: usize| {
        let preconditions = variables.iter().map(|&variable| fact(variable, 0)).collect();
        let effects = variables.iter().map(|&variable| Effect::new(fact(variable, 1))).collect();
        let (name, cost) = ("operator".into(), cost as u32);
        builder.add_operator(Operator { name, preconditions, effects, cost }).unwrap();
    };
    for variable in 0..2 * pairs {
        add(&[variable], 1 + variable / 2);
    }
    for triple in triples {
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            add(&[2 * triple[0] + a, 2 * triple[1] + b, 2 * triple[2] + (a ^ b)], 0);
        }
    }
    builder.build()
}

/// Color refinement sees nothing of these tasks, and a pair can be exchanged
/// just if an exchange of an even number of pairs a triple contains it.
#[test]
fn parities_are_solved() {
    let (mut found, mut expected) = (0, 0);
    for seed in 0..TASKS {
        let mut rng = Rng::new(seed);
        let pairs = 4 + rng.below(5) as usize;
        let mut triple = || {
            let order = shuffle(pairs, &mut rng);
            [order[0], order[1], order[2]]
        };
        let triples: Vec<[usize; 3]> = (0..pairs - 1).map(|_| triple()).collect();
        let orbits = find(&parities(pairs, &triples)).orbits_of_facts();
        let is_even = |set: usize| {
            triples.iter().all(|t| t.iter().filter(|&&pair| set >> pair & 1 == 1).count() % 2 == 0)
        };
        let exchanged = (0..1_usize << pairs).filter(|&set| is_even(set)).fold(0, |a, b| a | b);
        for pair in 0..pairs {
            expected += exchanged >> pair & 1;
            found += usize::from(orbits[4 * pair] == orbits[4 * pair + 2]);
        }
    }
    assert_eq!(found, expected);
}
