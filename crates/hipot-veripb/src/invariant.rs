//! What a certificate makes of the invariant: its functions, and the states that it lists.

use std::io::BufRead;

use hipot_check::{Certificate, Claim, SearchCertificate, States};
use hipot_task::{Task, Value};

use crate::error::ExportError;
use crate::function::Function;
use crate::listing::Listing;
use crate::literal::{Side, Variable};

/// The parts of the invariant.
#[derive(Debug)]
pub(crate) struct Invariant {
    pub(crate) claim: Claim,
    pub(crate) functions: Vec<Function>,
    pub(crate) listing: Listing,
    /// The cost of the cheapest operator, if states that are one step from the bound are covered.
    pub(crate) step: Option<u32>,
}

impl Invariant {
    /// That of a function alone.
    pub(crate) fn of_function(task: &Task, certificate: &Certificate) -> Result<Self, ExportError> {
        if !certificate.layers().is_empty() {
            return Err(ExportError::Mutexes);
        }
        let bound = match certificate.claim() {
            Claim::Bound(bound) => Some(bound),
            Claim::Unsolvable => None,
        };
        let functions = vec![Function::new(task, 1, bound, certificate)?];
        let (claim, listing) = (certificate.claim(), Listing::default());
        Ok(Self { claim, functions, listing, step: None })
    }

    /// That of a search.
    pub(crate) fn of_search<R: BufRead>(
        task: &Task,
        certificate: &SearchCertificate,
        states: States<R>,
    ) -> Result<Self, ExportError> {
        let claim = certificate.claim();
        let mut functions = Vec::new();
        for (certificate, layers) in certificate.functions() {
            let bound = match (claim, certificate.claim()) {
                // A lower bound on a cost does not matter where no cost does.
                (Claim::Unsolvable, Claim::Bound(_)) => continue,
                (Claim::Bound(bound), Claim::Bound(_)) => Some(bound),
                (_, Claim::Unsolvable) => None,
            };
            if !layers.is_empty() {
                return Err(ExportError::Mutexes);
            }
            functions.push(Function::new(task, functions.len() + 1, bound, certificate)?);
        }
        let listing = Listing::read(task, states)?;
        let step = task.operators().iter().map(|operator| operator.cost).min();
        let step = step.filter(|&step| step > 0 && claim != Claim::Unsolvable);
        Ok(Self { claim, functions, listing, step })
    }

    /// The bound; `None` in a proof that there is no plan.
    pub(crate) fn bound(&self) -> Option<u64> {
        match self.claim {
            Claim::Bound(bound) => Some(bound),
            Claim::Unsolvable => None,
        }
    }

    /// The index of a listed state that covers this one if so much has been spent.
    pub(crate) fn find(&self, state: &[Value], spent: u64) -> Option<usize> {
        let index = self.listing.find(state)?;
        (self.bound().is_none() || self.listing.states[index].0 <= spent).then_some(index)
    }

    /// The names of its parts.
    pub(crate) fn parts(&self, side: Side) -> Vec<Variable> {
        let far = self.functions.iter().map(|function| Variable::Far(side, function.number));
        let late = self.step.map(|_| Variable::Late(side));
        let listed = (1..=self.listing.states.len()).map(|number| Variable::Listed(side, number));
        far.chain(late).chain(listed).collect()
    }
}
