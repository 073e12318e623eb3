//! The lines of a proof.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::constraint::Constraint;
use crate::literal::Literal;

/// The number of a constraint.
pub(crate) type Id = u64;

/// Writes a proof line by line, and counts its constraints.
pub(crate) struct ProofWriter<W> {
    output: W,
    last: Id,
}

impl<W: Write> ProofWriter<W> {
    /// A proof about a formula with this many constraints.
    pub(crate) fn new(mut output: W, constraints: Id) -> io::Result<Self> {
        writeln!(output, "pseudo-Boolean proof version 3.0\nf {constraints};")?;
        Ok(Self { output, last: constraints })
    }

    pub(crate) fn comment(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "% {text}")
    }

    /// A sum of constraints.
    pub(crate) fn sum(&mut self, sum: &Sum) -> io::Result<Id> {
        writeln!(self.output, "pol {};", sum.postfix())?;
        Ok(self.next())
    }

    /// A sum of constraints in which no coefficient exceeds the degree.
    pub(crate) fn saturated_sum(&mut self, sum: &Sum) -> io::Result<Id> {
        writeln!(self.output, "pol {} s;", sum.postfix())?;
        Ok(self.next())
    }

    /// A constraint that follows from these by unit propagation.
    pub(crate) fn propagate(
        &mut self,
        constraint: &Constraint,
        from: impl IntoIterator<Item = Id>,
    ) -> io::Result<Id> {
        write!(self.output, "rup {constraint} :")?;
        for id in from {
            write!(self.output, " {id}")?;
        }
        writeln!(self.output, ";")?;
        Ok(self.next())
    }

    /// A contradiction that follows from these by unit propagation.
    pub(crate) fn contradict(&mut self, from: impl IntoIterator<Item = Id>) -> io::Result<Id> {
        self.propagate(&Constraint { terms: Vec::new(), degree: 1 }, from)
    }

    /// Begins the proof of a constraint by contradiction; returns the number of its negation.
    pub(crate) fn assume_negation(&mut self, constraint: &Constraint) -> io::Result<Id> {
        writeln!(self.output, "pbc {constraint} : subproof")?;
        Ok(self.next())
    }

    /// Ends a proof by contradiction, which has been found; returns the number of what is proved.
    pub(crate) fn end_by_contradiction(&mut self, contradiction: Id) -> io::Result<Id> {
        writeln!(self.output, "qed : {contradiction};")?;
        Ok(self.next())
    }

    /// Forgets a constraint that was proved.
    pub(crate) fn forget(&mut self, id: Id) -> io::Result<()> {
        writeln!(self.output, "del id {id};")
    }

    /// Ends the proof.
    pub(crate) fn end(&mut self, contradiction: Id) -> io::Result<()> {
        writeln!(self.output, "output NONE;\nconclusion UNSAT : {contradiction};")?;
        writeln!(self.output, "end pseudo-Boolean proof;")?;
        self.output.flush()
    }

    fn next(&mut self) -> Id {
        self.last += 1;
        self.last
    }
}

/// A sum of constraints with positive factors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    constraints: BTreeMap<Id, i128>,
    /// Factors of literals, each of which is at least 0.
    literals: BTreeMap<Literal, i128>,
}

impl Sum {
    pub(crate) fn add(&mut self, factor: i128, id: Id) {
        debug_assert!(factor >= 0);
        if factor > 0 {
            *self.constraints.entry(id).or_default() += factor;
        }
    }

    pub(crate) fn add_literal(&mut self, factor: i128, literal: impl Into<Literal>) {
        debug_assert!(factor >= 0);
        if factor > 0 {
            *self.literals.entry(literal.into()).or_default() += factor;
        }
    }

    /// In postfix notation. Constraints are added in pairs, pairs of pairs and so on, so
    /// that each is part of few additions.
    fn postfix(&self) -> String {
        let scaled = |(name, &factor): (String, &i128)| match factor {
            1 => name,
            _ => format!("{name} {factor} *"),
        };
        let constraints = self.constraints.iter().map(|(id, factor)| (id.to_string(), factor));
        let mut texts: Vec<String> = constraints.map(scaled).collect();
        while texts.len() > 1 {
            let joined = |pair: &[String]| match pair {
                [first, second] => format!("{first} {second} +"),
                _ => pair[0].clone(),
            };
            texts = texts.chunks(2).map(joined).collect();
        }
        let mut text = texts.pop().unwrap_or_default();
        for (literal, factor) in &self.literals {
            let literal = scaled((literal.to_string(), factor));
            text = if text.is_empty() { literal } else { text + " " + &literal + " +" };
        }
        text
    }
}
