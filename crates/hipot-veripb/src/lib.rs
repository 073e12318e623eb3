//! Certificates as proofs that a program by others checks.
//!
//! VeriPB checks proofs about pseudo-Boolean formulas: inequalities over variables that are 0 or 1. An
//! [`Export`] is such a formula and a proof that nothing satisfies it. If VeriPB accepts the proof, what
//! the certificate claims is true, whatever the planner, the checker of certificates and this crate
//! did: it remains to see that the formula says what it should.
//!
//! # What the formula says
//!
//! It is about one step of the task, from a state *before* to a state *after*, and about the costs that
//! have been spent in both, less than the bound C. Its *invariant* is an inequality over the state and what
//! has been spent: spent + φ ≥ C, rounded up. The formula says that the invariant is broken somewhere:
//!
//! 1. it does not hold in the initial state, where nothing has been spent, or
//! 2. an operator leads from a state where it holds to one where it does not, or
//! 3. it holds in a goal state.
//!
//! If the formula has no solution, there is no plan that costs less than C: along its states, the
//! invariant would hold from the first (1) to the last (2), a goal state (3). This needs no property of the
//! invariant but that it is a condition on a state and a cost: any inequality would do. It also
//! does not matter whether φ is consistent, where its weights come from, or what
//! transition normal form is.
//!
//! In a proof that there is no plan, costs are left out, and the invariant is φ > 0.
//!
//! # Where to look
//!
//! | module | what |
//! |---|---|
//! | `formula` | the formula: this is what has to be believed |
//! | `steps`, `goal` | the proof: no operator breaks the invariant, and it holds in no goal state |
//! | `function` | the function of the certificate |
//! | `constraint`, `literal` | inequalities and variables, as text |
//! | `proof` | the lines of a proof |
//! | `error` | what cannot be exported |
//!
//! The proof is in VeriPB's format 3.0, its steps are sums of inequalities and unit propagation.
//! Nothing in it is searched for: each line names those that it follows from.

mod constraint;
mod error;
mod formula;
mod function;
mod goal;
mod literal;
mod proof;
mod steps;

use std::io::{self, Write};

use hipot_check::{Certificate, Claim, fingerprint};
use hipot_task::Task;

pub use error::ExportError;

use constraint::Constraint;
use formula::Formula;
use function::Function;
use goal::Goal;
use literal::{Side, Variable};
use proof::{Id, ProofWriter};
use steps::Steps;

/// A certificate as a formula and a proof that it has no solution.
#[derive(Debug)]
pub struct Export<'a> {
    task: &'a Task,
    claim: Claim,
    function: Function,
    formula: Formula,
}

impl<'a> Export<'a> {
    /// The export of a certificate about this task, if it can be expressed. Whether the certificate
    /// is right is not asked: the proof of a wrong one is refused by its checker.
    ///
    /// # Panics
    /// If the task has a name that no `.sas` file can hold; see [`fingerprint()`].
    pub fn new(task: &'a Task, certificate: &Certificate) -> Result<Self, ExportError> {
        const BY: &str = "export to VeriPB";
        task.require_no_axioms(BY)?;
        task.require_no_conditional_effects(BY)?;
        if certificate.fingerprint() != fingerprint(task) {
            return Err(ExportError::OtherTask(certificate.fingerprint().to_owned()));
        }
        if !certificate.layers().is_empty() {
            return Err(ExportError::Mutexes);
        }
        let claim = certificate.claim();
        if claim == Claim::Bound(0) {
            return Err(ExportError::NothingToProve);
        }
        let function = Function::new(task, certificate)?;
        let formula = Formula::new(task, &function, claim);
        steps::check_cases(task, &formula)?;
        Ok(Self { task, claim, function, formula })
    }

    /// Writes the formula in the OPB format.
    pub fn write_formula(&self, output: impl Write) -> io::Result<()> {
        self.formula.write(output)
    }

    /// Writes the proof in VeriPB's format 3.0.
    pub fn write_proof(&self, output: impl Write) -> io::Result<()> {
        let (formula, function) = (&self.formula, &self.function);
        let mut proof = ProofWriter::new(output, formula.count())?;
        proof.comment("The invariant holds in the initial state.")?;
        let first = self.prove_first(&mut proof)?;
        proof.comment("No operator breaks it.")?;
        let step = Steps::new(formula, function, self.claim, &mut proof).prove()?;
        proof.comment("It does not hold in a goal state.")?;
        let last = Goal::new(self.task, formula, function, &mut proof).prove(self.claim)?;
        let contradiction = proof.contradict([formula.cases, first, step, last])?;
        proof.end(contradiction)
    }

    fn prove_first<W: Write>(&self, proof: &mut ProofWriter<W>) -> io::Result<Id> {
        let formula = &self.formula;
        let side = Side::Before as usize;
        let mut from = vec![formula.first];
        from.extend(formula.values[side].iter().map(|values| values.at_most));
        for definition in formula.features[side].values() {
            from.extend(definition.implies.iter().copied().chain([definition.implied]));
        }
        from.push(formula.fails[side]);
        proof.propagate(&Constraint::clause([!Variable::First]), from)
    }
}
