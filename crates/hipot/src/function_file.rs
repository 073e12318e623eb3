//! Features and potential functions from files of either kind.
//!
//! A file is either JSON ([`potential_file`]) or a certificate, which
//! contains a function too. The first line tells them apart. A certificate says which task it is
//! for and which normal form its function is about; both are checked here.

use std::path::Path;

use hipot_analysis::{OpenValues, PlainTask};
use hipot_check::{BigInt, Certificate, FeatureFact, fingerprint};
use hipot_potential::feature::Features;
use hipot_potential::{MutexChoice, NormalForm, NormalFormError};
use hipot_task::{Fact, FactId, Limits, Rational, Task};

use crate::failure::Failure;
use crate::input::{display_name, parse_certificate, read_bytes};
use crate::potential_file::{self, GivenPotential};

/// What the first line of a certificate begins with.
const CERTIFICATE: &str = "hipot certificate";

/// The line and column of the task's fingerprint in a certificate.
const FINGERPRINT: (usize, usize) = (2, 6);

/// A file with features or a potential function.
#[derive(Clone, Debug)]
pub struct FunctionFile<'a> {
    file: &'a Path,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Json(String),
    Certificate(Box<Certificate>),
}

impl<'a> FunctionFile<'a> {
    /// Reads a file.
    pub fn read(file: &'a Path) -> Result<Self, Failure> {
        let text = String::from_utf8_lossy(&read_bytes(file)?).into_owned();
        let content = if text.starts_with(CERTIFICATE) {
            Content::Certificate(Box::new(parse_certificate(file, &text)?))
        } else {
            Content::Json(text)
        };
        Ok(Self { file, content })
    }

    /// The normal form of the plain task of `task` that the function is about, without mutexes.
    pub fn normal_form(&self, task: &Task, limits: &Limits) -> Result<NormalForm, NormalFormError> {
        let open = match &self.content {
            Content::Certificate(it) if it.open_values() == hipot_check::OpenValues::Cases => {
                OpenValues::Cases
            }
            _ => OpenValues::Unknown,
        };
        NormalForm::new(PlainTask::new(task).task(), MutexChoice::None, open, limits)
    }

    /// Whether the function is claimed to be consistent only in states without mutexes.
    pub fn rests_on_mutexes(&self) -> bool {
        matches!(&self.content, Content::Certificate(it) if !it.layers().is_empty())
    }

    /// Fails if this is a certificate for another task.
    pub fn check_task(&self, task: &Task) -> Result<(), Failure> {
        match &self.content {
            Content::Certificate(it) if it.fingerprint() != fingerprint(task) => {
                let message = "the certificate is for another task: its fingerprint is not that \
                               of the given one";
                Err(self.failure(FINGERPRINT, message))
            }
            _ => Ok(()),
        }
    }

    /// The features, for a normal form of the plain task. Weights are ignored.
    pub fn features(&self, normal: &NormalForm) -> Result<Features, Failure> {
        match &self.content {
            Content::Json(text) => potential_file::parse_features(normal, self.file, text),
            Content::Certificate(it) => self.certified_features(normal, it),
        }
    }

    /// The potential function, for a normal form of the plain task of `task`.
    pub fn potential(&self, task: &Task, normal: &NormalForm) -> Result<GivenPotential, Failure> {
        let certificate = match &self.content {
            Content::Json(text) => return potential_file::parse_potential(normal, self.file, text),
            Content::Certificate(certificate) => certificate,
        };
        self.check_task(task)?;
        let features = self.certified_features(normal, certificate)?;
        let number = |numerator: &BigInt| {
            let (numerator, denominator) =
                (numerator.try_into(), certificate.denominator().try_into());
            match (numerator, denominator) {
                (Ok(numerator), Ok(denominator)) => Ok(Rational { numerator, denominator }),
                _ => Err(self.failure((1, 1), "its numbers are too large for this command")),
            }
        };
        let weights = certificate.features().map(|(weight, _)| number(weight));
        let weights = weights.collect::<Result<_, _>>()?;
        Ok(GivenPotential { features, weights, constant: number(certificate.constant())? })
    }

    fn certified_features(
        &self,
        normal: &NormalForm,
        certificate: &Certificate,
    ) -> Result<Features, Failure> {
        if certificate.feature_count() == 0 {
            let message = "the certificate has no function: it claims a bound without features";
            return Err(self.failure((1, 1), message));
        }
        let mut lists = Vec::new();
        for (_, facts) in certificate.features() {
            let ids = facts.iter().map(|fact| self.fact(normal, fact));
            lists.push(ids.collect::<Result<Vec<FactId>, Failure>>()?);
        }
        let features = Features::new(normal.facts().clone(), lists);
        features.map_err(|(_, error)| self.failure((1, 1), &error.to_string()))
    }

    /// A fact of a certificate in the normal form.
    fn fact(&self, normal: &NormalForm, fact: &FeatureFact) -> Result<FactId, Failure> {
        let facts = normal.facts();
        let is_known = fact.variable.index() < facts.variable_count();
        let value =
            fact.value.or_else(|| is_known.then(|| normal.unknown(fact.variable)).flatten());
        let in_domain = |&value: &u32| (value as usize) < facts.domain_size(fact.variable);
        match value.filter(|value| is_known && in_domain(value)) {
            Some(value) => Ok(facts.id(Fact::new(fact.variable, value))),
            None => {
                let message = format!("there is no fact {fact} in the normal form of the task");
                Err(self.failure((1, 1), &message))
            }
        }
    }

    fn failure(&self, (line, column): (usize, usize), message: &str) -> Failure {
        let (file, message) = (display_name(self.file), message.to_owned());
        Failure::Input { file, line, column, message, source_line: None }
    }
}
