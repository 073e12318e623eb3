//! Certificates of searches: what a heuristic and a search prove together.
//!
//! After a search, the functions of its heuristic leave some states to be listed. They are found
//! by a pass of its own ([`Listing`]), with those functions only that have certificates:
//!
//! - all potential functions, also those that abstractions are added to,
//! - of a cost partitioning, the function for the initial state, if it holds in all states,
//! - the blind heuristic, which the checker knows.
//!
//! For abstractions there are no certificates, and no state stands for others that are symmetric to
//! it. So a search that owes much to either has a long list.

use std::fs::File;
use std::io::{BufWriter, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hipot_analysis::PlainTask;
use hipot_check::{Claim, SearchCertificate, StateCode, StatesWriter, fingerprint};
use hipot_potential::{Certified, NormalForm};
use hipot_search::{Blind, ListError, Listing};
use hipot_task::{Fact, Heuristic, Limits, Packing, StateView, Task, Value, VariableId};

use crate::certificate::{empty_certificate, layers, of_function};
use crate::correspondence::DistanceFunction;
use crate::failure::Failure;
use crate::heuristic::{Computed, Potential, ProvedPart};
use crate::search::Max;
use crate::search_task::SearchTask;
use crate::spec::Objective;

/// A certificate of a search that was written.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// What it claims.
    pub claim: Claim,
    /// The number of states that it lists.
    pub states: u64,
    /// The number of its functions.
    pub functions: usize,
    /// The size of the file.
    pub bytes: u64,
    /// The time that it took.
    pub time: Duration,
}

/// Why a certificate for `heuristic` says less than the heuristic, in words.
pub fn shortcoming(heuristic: &Computed) -> Option<&'static str> {
    let solves_lps = |part: &ProvedPart<'_>| match part {
        ProvedPart::Potential(potential) => potential.spec.objective == Objective::EveryState,
        ProvedPart::Partition(_) => true,
        ProvedPart::Saturated(_) => false,
    };
    if !heuristic.saturated().is_empty() {
        return Some("abstractions have no certificates");
    }
    heuristic.parts().iter().any(solves_lps).then_some("LPs in each state have no certificates")
}

/// Writes a certificate that proves `claim`, which a search with `heuristic` has found to be true.
/// The file is replaced when the certificate is complete.
pub fn write_proof(
    task: &Task,
    heuristic: &Computed,
    claim: Claim,
    file: &Path,
    limits: &Limits,
) -> Result<Written, Failure> {
    let begin = Instant::now();
    let partial = partial(file);
    let written = write_to(task, heuristic, claim, &partial, limits).and_then(|written| {
        std::fs::rename(&partial, file).map_err(|error| unwritable(file, error))?;
        Ok(Written { time: begin.elapsed(), ..written })
    });
    if written.is_err() {
        // What is incomplete proves nothing. If it cannot be removed, it stays.
        drop(std::fs::remove_file(&partial));
    }
    written
}

/// The file that is written until it is complete.
fn partial(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

fn unwritable(file: &Path, error: std::io::Error) -> Failure {
    Failure::Unwritable { file: file.to_owned(), error }
}

fn write_to(
    task: &Task,
    heuristic: &Computed,
    claim: Claim,
    file: &Path,
    limits: &Limits,
) -> Result<Written, Failure> {
    let derived = partition_functions(task, heuristic);
    let parts = Parts::new(heuristic, &derived);
    let certificate = parts.certificate(task, claim);
    let mut out = BufWriter::new(File::create(file).map_err(|error| unwritable(file, error))?);
    certificate.write(&mut out).map_err(|error| unwritable(file, error))?;

    let search_task = parts.search_task(task);
    let mut list = List::new(StateCode::new(task), &search_task, out);
    let listed = parts.list(task, &search_task, claim, limits, &mut list);
    let finished = listed.and_then(|()| Ok(list.finish()?));
    let (states, bytes) = finished.map_err(|error| match error {
        ListError::Stopped(stop) => stop.into(),
        ListError::Io(error) => unwritable(file, error),
    })?;
    let functions = certificate.function_count();
    Ok(Written { claim, states, functions, bytes, time: Duration::ZERO })
}

/// The functions of cost partitionings for the initial state that hold in all states.
fn partition_functions(task: &Task, heuristic: &Computed) -> Vec<Certified> {
    let function = |part: ProvedPart<'_>| match part {
        ProvedPart::Partition(partitioning) if partitioning.bound().is_some() => {
            DistanceFunction::new(task, partitioning).ok()?.certify().ok()
        }
        _ => None,
    };
    heuristic.parts().into_iter().filter_map(function).collect()
}

/// What a certificate can use of a heuristic.
struct Parts<'a> {
    functions: Vec<&'a Certified>,
    /// A normal form whose mutexes make the task smaller. It may have none of the functions.
    pruned: Option<&'a Arc<NormalForm>>,
}

impl<'a> Parts<'a> {
    fn new(heuristic: &'a Computed, derived: &'a [Certified]) -> Self {
        let potentials = heuristic.potentials().into_iter();
        let potentials = potentials.filter(|it| !it.proves_unsolvable);
        let sums = heuristic.saturated().into_iter().flat_map(|saturated| &saturated.sums);
        let of_sums = sums.filter_map(|sum| sum.function.as_ref().map(|(function, _)| function));
        let functions: Vec<&Certified> =
            potentials.flat_map(Potential::functions).chain(of_sums).chain(derived).collect();
        let abstractions = heuristic.saturated().into_iter().map(|saturated| &saturated.normal);
        let mut forms = functions.iter().map(|it| it.normal_form()).chain(abstractions);
        let pruned = forms.find(|normal| normal.pruned().is_some());
        Self { functions, pruned }
    }

    /// The certificate without its list.
    fn certificate(&self, task: &Task, claim: Claim) -> SearchCertificate {
        let fingerprint = fingerprint(task);
        let mut certificate = SearchCertificate::new(fingerprint.clone(), claim);
        let is_same = |one: &&Certified, other: &&Certified| {
            Arc::ptr_eq(one.normal_form(), other.normal_form())
        };
        for group in self.functions.chunk_by(is_same) {
            let layers = layers(task, group[0].normal_form());
            for function in group {
                let function = of_function(fingerprint.clone(), function, Claim::Bound(0));
                certificate = certificate.with_function(&function.with_layers(layers.clone()));
            }
        }
        let has_layers = |normal: &&&Arc<NormalForm>| {
            !self.functions.iter().any(|it| Arc::ptr_eq(it.normal_form(), normal))
        };
        if let Some(normal) = self.pruned.as_ref().filter(has_layers) {
            let nothing = empty_certificate(task).with_layers(layers(task, normal));
            certificate = certificate.with_function(&nothing);
        }
        certificate
    }

    /// The task that is searched.
    fn search_task(&self, task: &'a Task) -> SearchTask<'a> {
        let plain = PlainTask::new(task);
        match self.pruned {
            // Of a task with axioms or conditional effects, the checker does not leave out operators.
            Some(normal) if plain.is_given() => SearchTask::in_normal_form(task, &plain, normal),
            _ => SearchTask::whole(task, &plain),
        }
    }

    /// Lists the states that the functions leave.
    fn list(
        &self,
        task: &Task,
        search_task: &SearchTask<'_>,
        claim: Claim,
        limits: &Limits,
        list: &mut List,
    ) -> Result<(), ListError> {
        let packing = Packing::new(search_task.task());
        let mut parts: Vec<Box<dyn Heuristic>> = Vec::new();
        for part in search_task.heuristics(&self.functions) {
            parts.push(part);
        }
        // The checker knows the operators of the given task, not those that are searched.
        let cheapest = task.min_cost();
        parts.push(Box::new(Blind::with_cheapest(search_task.task(), &packing, cheapest)));
        let bound = match claim {
            Claim::Bound(bound) => Some(bound),
            Claim::Unsolvable => None,
        };
        let listing = Listing {
            task: search_task.task(),
            packing: &packing,
            heuristic: &mut Max(parts),
            bound,
            limits,
        };
        listing.each(&mut |cost, state| list.add(cost, state))
    }
}

/// The list of states as it is written: in runs, each of which is sorted in memory.
struct List {
    code: StateCode,
    out: StatesWriter<BufWriter<File>>,
    /// Where the values of the task's variables come from.
    origins: Vec<Origin>,
    /// The states of the current run, and their cost.
    run: Vec<u8>,
    cost: u64,
}

/// Where the value of a variable comes from.
enum Origin {
    /// The variable has no other value.
    Constant(Value),
    /// A variable of the task that is searched, and the value for each of its values.
    Variable(VariableId, Vec<Value>),
}

/// The maximum number of bytes of a run.
const MAX_RUN: usize = 16 << 20;

impl List {
    /// A list of states of the searched task, written in the code of the given one.
    fn new(code: StateCode, search_task: &SearchTask<'_>, out: BufWriter<File>) -> Self {
        let searched = search_task.task();
        let any = search_task.original_state(vec![0; searched.variables().len()]);
        let mut origins: Vec<Origin> = any.into_iter().map(Origin::Constant).collect();
        for id in searched.variable_ids() {
            let values = 0..searched.variable(id).domain_size();
            let facts: Vec<Fact> =
                values.map(|value| search_task.original_fact(Fact::new(id, value))).collect();
            let values = facts.iter().map(|fact| fact.value).collect();
            origins[facts[0].variable.index()] = Origin::Variable(id, values);
        }
        let out = StatesWriter::new(&code, out);
        Self { code, out, origins, run: Vec::new(), cost: 0 }
    }

    fn add(&mut self, cost: u64, state: StateView<'_>) -> std::io::Result<()> {
        if cost != self.cost || self.run.len() >= MAX_RUN {
            self.end_run()?;
            self.cost = cost;
        }
        let value = |variable: usize| match &self.origins[variable] {
            Origin::Constant(value) => *value,
            Origin::Variable(id, values) => values[state.value(*id) as usize],
        };
        self.code.encode(value, &mut self.run);
        Ok(())
    }

    fn end_run(&mut self) -> std::io::Result<()> {
        self.out.write_run(self.cost, &self.run)?;
        self.run.clear();
        Ok(())
    }

    /// Writes the end; returns the number of states and the size of the file.
    fn finish(mut self) -> std::io::Result<(u64, u64)> {
        self.end_run()?;
        let states = self.out.written();
        let mut file = self.out.finish()?.into_inner()?;
        Ok((states, file.stream_position()?))
    }
}
