//! The formula says what the task does, and nothing else: whatever the function, its solutions without
//! the last constraint are the steps of the task.
//!
//! The formula is read as text, and by brute force: nothing is shared with the code that writes it.

use std::collections::{BTreeMap, BTreeSet};

use hipot_check::{
    Certificate, Claim, FeatureFact, Proof, SearchCertificate, StateCode, StatesWriter, applicable,
    apply, fingerprint, read_proof,
};
use hipot_task::{Rng, Task, Value, VariableId};
use hipot_testing::RandomTask;
use hipot_veripb::{Export, ExportError};

type Assignment = BTreeMap<String, bool>;

/// Listed states with costs, in the order of costs.
type List = Vec<(u64, Vec<Value>)>;

/// Σ coefficient · literal ≥ degree.
struct Constraint {
    terms: Vec<(i128, bool, String)>,
    degree: i128,
}

fn parse(line: &str) -> Constraint {
    let line = line.strip_suffix(" ;").expect("a constraint ends with a semicolon");
    let (sum, degree) = line.split_once(">=").expect("it is an inequality");
    let words: Vec<&str> = sum.split_whitespace().collect();
    let term = |pair: &[&str]| {
        let name = pair[1].trim_start_matches('~');
        (pair[0].parse().unwrap(), !pair[1].starts_with('~'), name.to_owned())
    };
    Constraint {
        terms: words.chunks(2).map(term).collect(),
        degree: degree.trim().parse().unwrap(),
    }
}

impl Constraint {
    fn holds(&self, assignment: &Assignment) -> bool {
        let is_true = |(_, sign, name): &&(i128, bool, String)| assignment[name] == *sign;
        self.terms.iter().filter(is_true).map(|(coefficient, ..)| coefficient).sum::<i128>()
            >= self.degree
    }

    fn mentions(&self, name: &str) -> bool {
        self.terms.iter().any(|(.., own)| own == name)
    }
}

fn export<'a>(task: &'a Task, certificate: &Certificate) -> Result<Export<'a>, ExportError> {
    Export::new(task, Proof::<&[u8]>::Function(certificate.clone()))
}

/// The formula of a certificate with this function and these listed states.
fn formula(task: &Task, certificate: &Certificate, listed: &List) -> Vec<Constraint> {
    let search = SearchCertificate::new(fingerprint(task), certificate.claim());
    let mut file = Vec::new();
    search.with_function(certificate).write(&mut file).unwrap();
    let code = StateCode::new(task);
    let mut writer = StatesWriter::new(&code, file);
    for (cost, state) in listed {
        let mut bytes = Vec::new();
        code.encode(|variable| state[variable], &mut bytes);
        writer.write_run(*cost, &bytes).unwrap();
    }
    let file = writer.finish().unwrap();
    let mut text = Vec::new();
    let export = Export::new(task, read_proof(&file[..]).unwrap()).unwrap();
    export.write_formula(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.lines().filter(|line| !line.starts_with('*')).map(parse).collect()
}

/// A function of up to two facts in a feature, whatever it says.
fn random_function(task: &Task, rng: &mut Rng, claim: Claim) -> Certificate {
    let mut features: BTreeMap<Vec<FeatureFact>, i64> = BTreeMap::new();
    for _ in 0..rng.below(12) {
        let mut facts = Vec::new();
        for id in task.variable_ids() {
            if facts.len() < 2 && rng.chance(50) {
                facts.push(FeatureFact::new(id, Some(rng.below(task.variable(id).domain_size()))));
            }
        }
        if !facts.is_empty() {
            features.insert(facts, i64::from(rng.below(21)) - 10);
        }
    }
    let features = features.into_iter().map(|(facts, weight)| (weight, facts));
    Certificate::new(fingerprint(task), claim, 2, 3, features).unwrap()
}

/// 2φ.
fn doubled(certificate: &Certificate, state: &[Value]) -> i128 {
    let holds = |fact: &FeatureFact| Some(state[fact.variable.index()]) == fact.value;
    let features = certificate.features().filter(|(_, facts)| facts.iter().all(holds));
    3 + features.map(|(weight, _)| i128::try_from(weight).unwrap()).sum::<i128>()
}

/// The variables of a state and of what has been spent.
fn side(assignment: &mut Assignment, task: &Task, side: &str, state: &[Value], spent: u64) {
    for (variable, &value) in task.variable_ids().zip(state) {
        for other in 0..task.variable(variable).domain_size() {
            assignment.insert(format!("{side}{}_{other}", variable.index()), other == value);
        }
    }
    for bit in 0..64 {
        assignment.insert(format!("{side}s{bit}"), spent >> bit & 1 == 1);
    }
}

/// Completes an assignment: variables that are defined by others get the value that their constraints
/// leave, true if both are possible. Returns the names of all that can only be false.
fn complete(assignment: &mut Assignment, constraints: &[Constraint], names: &[String]) {
    for name in names {
        let about: Vec<&Constraint> = constraints.iter().filter(|it| it.mentions(name)).collect();
        let known = |it: &&&Constraint| {
            it.terms.iter().all(|(.., own)| own == name || assignment.contains_key(own))
        };
        let about: Vec<&Constraint> = about.iter().filter(known).copied().collect();
        let mut try_value = |value| {
            assignment.insert(name.clone(), value);
            about.iter().all(|constraint| constraint.holds(assignment))
        };
        if !try_value(true) {
            assert!(try_value(false), "'{name}' has no value");
        }
    }
}

/// Names with a prefix, in the order of the formula.
fn names(constraints: &[Constraint], prefixes: &[&str]) -> Vec<String> {
    let all: BTreeSet<&String> =
        constraints.iter().flat_map(|it| it.terms.iter().map(|(.., name)| name)).collect();
    let with = |prefix: &&str| {
        let numbered = |name: &&&String| {
            let rest = name.strip_prefix(prefix);
            rest.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
        };
        all.iter().filter(numbered).map(|name| (*name).clone()).collect::<Vec<_>>()
    };
    prefixes.iter().flat_map(with).collect()
}

#[test]
fn operators_are_possible_where_they_lead_from_one_state_to_the_other() {
    let mut steps = 0;
    for seed in 0..30 {
        let random =
            RandomTask { variables: 3, operators: 6, percent_free: 20, ..RandomTask::default() };
        let (task, mut rng) = (random.generate(seed), Rng::new(seed));
        let bound = 1 + u64::from(rng.below(8));
        let certificate = random_function(&task, &mut rng, Claim::Bound(bound));
        let mut random_state = || -> Vec<Value> {
            let sizes = task.variables().iter().map(hipot_task::Variable::domain_size);
            sizes.map(|size| rng.below(size)).collect()
        };
        let states: BTreeSet<Vec<Value>> = (0..5).map(|_| random_state()).collect();
        let listed: List = (0..).zip(states).collect();
        let constraints = formula(&task, &certificate, &listed);
        let mut defined = names(&constraints, &["same", "kept", "cost", "op"]);
        for side in ["x", "y"] {
            let of_side = ["f1_", "far", "goal", "late", "at", "state", "inv"];
            let of_side = of_side.map(|name| format!("{side}{name}"));
            let prefixes: Vec<&str> = of_side.iter().map(String::as_str).collect();
            defined.extend(names(&constraints, &prefixes));
        }
        let step = task.operators().iter().map(|it| u64::from(it.cost)).min().unwrap_or(0);
        let is_goal =
            |state: &[Value]| task.goal().iter().all(|it| state[it.variable.index()] == it.value);
        for _ in 0..60 {
            let mut state = || -> Vec<Value> {
                let sizes = task.variables().iter().map(hipot_task::Variable::domain_size);
                sizes.map(|size| rng.below(size)).collect()
            };
            let (before, mut after) = (state(), state());
            if rng.chance(80) && !task.operators().is_empty() {
                let operator = rng.below(task.operators().len() as u32) as usize;
                after = apply(&task, &task.operators()[operator], &before);
            }
            let [spent, spent_after] = [(); 2].map(|()| u64::from(rng.below(bound as u32)));
            let mut assignment = Assignment::new();
            side(&mut assignment, &task, "x", &before, spent);
            side(&mut assignment, &task, "y", &after, spent_after);
            complete(&mut assignment, &constraints, &defined);
            for (index, operator) in task.operators().iter().enumerate() {
                let is_step = applicable(operator, &before)
                    && apply(&task, operator, &before) == after
                    && spent + u64::from(operator.cost) == spent_after;
                assert_eq!(assignment[&format!("op{index}")], is_step, "seed {seed}: {operator:?}");
                steps += u32::from(is_step);
            }
            for (name, state, spent) in [("xinv", &before, spent), ("yinv", &after, spent_after)] {
                let is_far = 2 * i128::from(spent) + doubled(&certificate, state)
                    > 2 * (i128::from(bound) - 1);
                let is_late = step > 0 && spent + step >= bound && !is_goal(state);
                let is_listed = listed.iter().any(|it| it.0 <= spent && it.1 == *state);
                let holds = is_far || is_late || is_listed;
                assert_eq!(assignment[name], holds, "seed {seed}: {name}");
            }
            // What is left is the claim that the invariant is broken.
            for name in ["first", "step", "last"] {
                assignment.insert(name.to_owned(), false);
            }
            let (broken, rest) = constraints.split_last().unwrap();
            assert!(rest.iter().all(|constraint| constraint.holds(&assignment)), "seed {seed}");
            assert!(!broken.holds(&assignment));
            let mut is_possible = |name: &str| {
                assignment.insert(name.to_owned(), true);
                let possible = constraints.iter().all(|constraint| constraint.holds(&assignment));
                assignment.insert(name.to_owned(), false);
                possible
            };
            let [first, step, last] = ["first", "step", "last"].map(&mut is_possible);
            let [holds, holds_after] = ["xinv", "yinv"].map(|name| assignment[name]);
            assert_eq!(first, before == task.initial() && spent == 0 && !holds, "seed {seed}");
            assert_eq!(last, is_goal(&before) && holds, "seed {seed}");
            let mut operators = (0..task.operators().len()).map(|it| format!("op{it}"));
            let is_step = operators.any(|name| assignment[&name]);
            assert_eq!(step, is_step && holds && !holds_after, "seed {seed}");
        }
    }
    assert!(steps > 50, "{steps} steps were tried");
}

#[test]
fn what_cannot_be_expressed_is_refused() {
    let task = RandomTask::default().generate(1);
    let fact = |variable| FeatureFact::new(VariableId::new(variable), Some(0));
    let make = |claim, features: Vec<(i128, Vec<FeatureFact>)>| {
        Certificate::new(fingerprint(&task), claim, 1, 0, features).unwrap()
    };
    let refused = |certificate: &Certificate| export(&task, certificate).unwrap_err();
    let three = make(Claim::Bound(1), vec![(1, vec![fact(0), fact(1), fact(2)])]);
    assert_eq!(refused(&three), ExportError::Dimension { feature: 1, facts: 3 });
    let missing = FeatureFact::new(VariableId::new(0), Some(99));
    let missing = make(Claim::Bound(1), vec![(1, vec![fact(1)]), (1, vec![missing])]);
    assert_eq!(refused(&missing), ExportError::UnknownFact { feature: 2 });
    assert_eq!(refused(&make(Claim::Bound(0), vec![])), ExportError::NothingToProve);
    let large = make(Claim::Bound(u64::MAX), vec![(1 << 60, vec![fact(0)])]);
    assert_eq!(refused(&large), ExportError::Weights);
    let other = Certificate::new("0".repeat(64), Claim::Bound(1), 1, 0, [(1, [fact(0)])]).unwrap();
    assert_eq!(refused(&other), ExportError::OtherTask("0".repeat(64)));
    let derived = RandomTask { derived: 1, ..RandomTask::default() }.generate(1);
    let bound = Certificate::new(fingerprint(&derived), Claim::Bound(1), 1, 0, [(1, [fact(0)])]);
    assert!(matches!(export(&derived, &bound.unwrap()), Err(ExportError::Unsupported(_))));
}
