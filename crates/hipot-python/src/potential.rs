//! Potential functions, evaluated for one state or many.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hipot::certificate::{best_certificate, certificate};
use hipot::heuristic::{Computed, Potential as Found, ProvedPart};
use hipot::input::Input;
use hipot_check::Certificate;
use hipot_potential::{Certified, PotentialHeuristic};
use hipot_task::{Fact, Task, Value};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{exception, usage};
use crate::task::require_state;

/// A feature's facts: the variable's index and the value's.
type Conjunction = Vec<(usize, Option<Value>)>;

/// A heuristic that was computed for a task.
#[pyclass(frozen, module = "hipot._hipot")]
pub(crate) struct Heuristic {
    pub(crate) input: Arc<Input>,
    pub(crate) computed: Computed,
}

#[pymethods]
impl Heuristic {
    /// Its potential functions, the one with the best bound first.
    fn potentials(&self) -> Vec<Potential> {
        let mut found = self.computed.potentials();
        found.sort_by_key(|it| std::cmp::Reverse(it.bound().unwrap_or(u64::MAX)));
        let functions =
            found.into_iter().flat_map(|found| found.functions().map(move |it| (found, it)));
        functions.map(|(found, function)| Potential::new(&self.input, found, function)).collect()
    }

    /// The certificate of its bound; `None` if the heuristic has no proof that holds in all
    /// states.
    fn certificate(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let best = self.computed.best();
        match best {
            Some(ProvedPart::Partition(partitioning)) if partitioning.proof.is_none() => {
                return Ok(None);
            }
            Some(ProvedPart::Saturated(_)) => return Ok(None),
            _ => {}
        }
        let certificate = best_certificate(&self.input.task, best);
        let certificate = certificate.map_err(|failure| exception(py, &failure))?;
        Ok(Some(text(&certificate)))
    }
}

fn text(certificate: &Certificate) -> String {
    let mut text = Vec::new();
    certificate.write(&mut text).expect("memory can be written");
    String::from_utf8_lossy(&text).into_owned()
}

/// A certified potential function of a task.
#[pyclass(frozen, module = "hipot._hipot")]
pub(crate) struct Potential {
    input: Arc<Input>,
    found: Found,
    heuristic: Mutex<PotentialHeuristic>,
}

impl Potential {
    fn new(input: &Arc<Input>, found: &Found, function: &Certified) -> Self {
        Self {
            input: Arc::clone(input),
            found: Found { function: function.clone(), others: Vec::new(), ..found.clone() },
            heuristic: Mutex::new(PotentialHeuristic::new(function, &input.task)),
        }
    }

    fn function(&self) -> &Certified {
        &self.found.function
    }

    fn heuristic(&self) -> MutexGuard<'_, PotentialHeuristic> {
        self.heuristic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The weights of conjunctions of facts of the given task: in its states, the additional
    /// variable of the plain task is 0. The order is that of the features.
    fn weights(&self) -> Vec<(Conjunction, i64)> {
        let (features, normal) = (self.function().features(), self.found.normal_form());
        let width = self.width();
        let (mut weights, mut places) = (Vec::<(Conjunction, i64)>::new(), BTreeMap::new());
        for (id, &weight) in features.ids().zip(self.function().weights()) {
            let facts = features.conjuncts(id).iter().map(|&id| features.facts().fact(id));
            let (own, additional): (Vec<Fact>, Vec<Fact>) =
                facts.partition(|fact| fact.variable.index() < width);
            if additional.iter().any(|fact| fact.value != 0) {
                continue;
            }
            let fact = |fact: &Fact| {
                let is_unknown = normal.unknown(fact.variable) == Some(fact.value);
                (fact.variable.index(), (!is_unknown).then_some(fact.value))
            };
            let conjunction: Conjunction = own.iter().map(fact).collect();
            let place = *places.entry(conjunction.clone()).or_insert(weights.len());
            if place == weights.len() {
                weights.push((conjunction, 0));
            }
            weights[place].1 += weight;
        }
        weights
    }

    fn require_heuristic(&self, py: Python<'_>) -> PyResult<()> {
        if !self.found.proves_unsolvable {
            return Ok(());
        }
        Err(usage(py, "the function proves that there is no plan; it estimates nothing"))
    }
}

#[pymethods]
impl Potential {
    /// The spec that was asked for, or the one that replaced it.
    fn spec(&self) -> String {
        self.found.spec.to_string()
    }

    fn proves_unsolvable(&self) -> bool {
        self.found.proves_unsolvable
    }

    /// How many values a state has.
    fn width(&self) -> usize {
        self.input.task.variables().len()
    }

    fn denominator(&self) -> i64 {
        self.function().denominator()
    }

    fn constant(&self) -> i64 {
        let of_nothing = self.weights().into_iter().find(|(facts, _)| facts.is_empty());
        self.function().constant() + of_nothing.map_or(0, |(_, weight)| weight)
    }

    /// The features whose weight is not 0: their facts (value `None`: the one that
    /// transition normal form adds), and the numerators of the weights.
    fn features(&self) -> Vec<(Conjunction, i64)> {
        let weights = self.weights().into_iter();
        weights.filter(|(facts, weight)| !facts.is_empty() && *weight != 0).collect()
    }

    /// Numerator and denominator of φ(s).
    fn exact(&self, py: Python<'_>, state: Vec<Value>) -> PyResult<(i128, i64)> {
        require_state(&self.input.task, &state).map_err(|message| usage(py, message))?;
        let state = self.found.image(&state);
        Ok((self.function().numerator(&state), self.function().denominator()))
    }

    /// max(0, ⌈φ(s)⌉).
    fn evaluate(&self, py: Python<'_>, state: Vec<Value>) -> PyResult<u64> {
        self.require_heuristic(py)?;
        require_state(&self.input.task, &state).map_err(|message| usage(py, message))?;
        let state = self.found.image(&state);
        let estimate = self.heuristic().estimate_values(&state);
        Ok(estimate.cost().unwrap_or(u64::MAX))
    }

    /// Evaluates many states, one after the other in `states`: each value is an unsigned
    /// integer of `size` bytes in the machine's order. Returns the estimates as integers of
    /// eight bytes.
    fn evaluate_batch<'py>(
        &self,
        py: Python<'py>,
        states: &Bound<'py, PyBytes>,
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.require_heuristic(py)?;
        let (task, bytes) = (&self.input.task, states.as_bytes());
        let width = task.variables().len() * size;
        if width == 0 || bytes.len() % width != 0 {
            let message = format!("{} bytes are not states of {width} bytes each", bytes.len());
            return Err(usage(py, message));
        }
        let mut values = Vec::with_capacity(bytes.len() / width * size_of::<u64>());
        let evaluated = py.detach(|| {
            // One batch at a time; the lock is given back before Python's is taken.
            let mut heuristic = self.heuristic();
            let (it, mut state) = (&mut *heuristic, self.found.image(&[]));
            match size {
                1 => evaluate(it, task, &mut state, bytes, u8::from_ne_bytes, &mut values),
                2 => evaluate(it, task, &mut state, bytes, u16::from_ne_bytes, &mut values),
                4 => evaluate(it, task, &mut state, bytes, u32::from_ne_bytes, &mut values),
                8 => evaluate(it, task, &mut state, bytes, u64::from_ne_bytes, &mut values),
                _ => Err(format!("values of {size} bytes are not supported")),
            }
        });
        evaluated.map_err(|message| usage(py, message))?;
        Ok(PyBytes::new(py, &values))
    }

    /// The certificate for what the function proves about the initial state.
    fn certificate(&self) -> String {
        text(&certificate(&self.input.task, &self.found))
    }
}

/// Appends the estimates of the states in `bytes`, whose values have `N` bytes each. `state` has
/// room for one of them, and 0 for the additional variable of the plain task.
fn evaluate<const N: usize, V: TryInto<Value>>(
    heuristic: &mut PotentialHeuristic,
    task: &Task,
    state: &mut [Value],
    bytes: &[u8],
    read: impl Fn([u8; N]) -> V,
    values: &mut Vec<u8>,
) -> Result<(), String> {
    let sizes: Vec<Value> =
        task.variables().iter().map(hipot_task::Variable::domain_size).collect();
    for row in bytes.chunks_exact(sizes.len() * N) {
        let mut is_state = true;
        for ((value, &size), bytes) in state.iter_mut().zip(&sizes).zip(row.as_chunks::<N>().0) {
            *value = read(*bytes).try_into().unwrap_or(Value::MAX);
            is_state &= *value < size;
        }
        if !is_state {
            return Err(require_state(task, &state[..sizes.len()]).err().unwrap_or_default());
        }
        let estimate = heuristic.estimate_values(state);
        values.extend_from_slice(&estimate.cost().unwrap_or(u64::MAX).to_ne_bytes());
    }
    Ok(())
}
