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
//! have been spent in both, less than the bound C. Its *invariant* is a condition on the state and what
//! has been spent: spent + φ ≥ C, rounded up. The formula says that the invariant is broken somewhere:
//!
//! 1. it does not hold in the initial state, where nothing has been spent, or
//! 2. an operator leads from a state where it holds to one where it does not, or
//! 3. it holds in a goal state.
//!
//! If the formula has no solution, there is no plan that costs less than C: along its states, the
//! invariant would hold from the first (1) to the last (2), a goal state (3). This needs no property of the
//! invariant but that it is a condition on a state and a cost: any other would do. It also
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
//! | `steps`, `goal` | the proof for functions: no operator breaks the invariant, and it holds in no goal state |
//! | `listed` | the same for listed states |
//! | `invariant`, `function`, `listing` | what the certificate says |
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
mod invariant;
mod listed;
mod listing;
mod literal;
mod proof;
mod steps;

use std::io::{self, BufRead, Write};

use hipot_check::{Claim, Proof, fingerprint};
use hipot_task::Task;

pub use error::ExportError;

use constraint::Constraint;
use formula::Formula;
use goal::Goal;
use invariant::Invariant;
use listed::Listed;
use literal::{Side, Variable};
use proof::{Id, ProofWriter};
use steps::Steps;

/// A certificate as a formula and a proof that it has no solution.
#[derive(Debug)]
pub struct Export<'a> {
    task: &'a Task,
    invariant: Invariant,
    formula: Formula,
}

impl<'a> Export<'a> {
    /// The export of a certificate about this task, if it can be expressed. Whether the certificate
    /// is right is not asked: the proof of a wrong one is refused by its checker.
    ///
    /// # Panics
    /// If the task has a name that no `.sas` file can hold; see [`fingerprint()`].
    pub fn new<R: BufRead>(task: &'a Task, certificate: Proof<R>) -> Result<Self, ExportError> {
        const BY: &str = "export to VeriPB";
        task.require_no_axioms(BY)?;
        task.require_no_conditional_effects(BY)?;
        let (named, claim) = match &certificate {
            Proof::Function(it) => (it.fingerprint(), it.claim()),
            Proof::Search(it, _) => (it.fingerprint(), it.claim()),
        };
        if named != fingerprint(task) {
            return Err(ExportError::OtherTask(named.to_owned()));
        }
        if claim == Claim::Bound(0) {
            return Err(ExportError::NothingToProve);
        }
        let invariant = match certificate {
            Proof::Function(it) => Invariant::of_function(task, &it)?,
            Proof::Search(it, states) => Invariant::of_search(task, &it, states)?,
        };
        let formula = Formula::new(task, &invariant);
        steps::check_cases(task, &formula)?;
        Ok(Self { task, invariant, formula })
    }

    /// Writes the formula in the OPB format.
    pub fn write_formula(&self, output: impl Write) -> io::Result<()> {
        self.formula.write(output)
    }

    /// Writes the proof in VeriPB's format 3.0.
    pub fn write_proof(&self, output: impl Write) -> io::Result<()> {
        let (formula, invariant) = (&self.formula, &self.invariant);
        let mut proof = ProofWriter::new(output, formula.count())?;
        proof.comment("The invariant holds in the initial state.")?;
        let first = self.prove_first(&mut proof)?;
        let (mut steps, mut lasts) = (vec![formula.step], vec![formula.last]);
        for function in &invariant.functions {
            proof.comment(&format!("Function {}: no operator breaks it.", function.number))?;
            steps.push(Steps::new(formula, function, &mut proof).prove()?);
            proof.comment("It is not large enough in a goal state.")?;
            lasts.push(Goal::new(self.task, formula, function, &mut proof).prove()?);
        }
        let mut listed = Listed::new(self.task, invariant, formula, &mut proof);
        if invariant.step.is_some() {
            let [step, last] = listed.prove_late()?;
            steps.push(step);
            lasts.push(last);
        }
        steps.extend(listed.prove_steps()?);
        lasts.extend(listed.prove_last()?);
        proof.comment("No operator breaks the invariant, and it does not hold in a goal state.")?;
        let some = formula.parts.some[Side::Before as usize];
        let refuted = [(Variable::Step, steps), (Variable::Last, lasts)];
        let mut from = vec![formula.cases, first];
        for (case, ids) in refuted {
            let clause = Constraint::clause([!case]);
            from.push(proof.propagate(&clause, ids.into_iter().chain([some]))?);
        }
        let contradiction = proof.contradict(from)?;
        proof.end(contradiction)
    }

    fn prove_first<W: Write>(&self, proof: &mut ProofWriter<W>) -> io::Result<Id> {
        let (formula, side) = (&self.formula, Side::Before as usize);
        let parts = &formula.parts;
        let mut from = vec![formula.first];
        from.extend(formula.values[side].iter().map(|values| values.at_most));
        if let Some(listed) = self.invariant.find(self.task.initial(), 0) {
            let name = Variable::Listed(Side::Before, listed + 1);
            from.push(parts.listed[side][listed].fails);
            from.push(parts.implies[side][&name]);
            from.extend(parts.at_least[side].get(&0).map(|named| named.fails));
        } else {
            from.extend(parts.implies[side].values());
            from.extend(
                [parts.goal[side].holds, parts.late[side].fails].iter().filter(|&&it| it > 0),
            );
            for function in &formula.functions {
                for definition in function.features[side].values() {
                    from.extend(definition.implies.iter().copied().chain([definition.implied]));
                }
                from.push(function.far[side].fails);
            }
        }
        proof.propagate(&Constraint::clause([!Variable::First]), from)
    }
}
