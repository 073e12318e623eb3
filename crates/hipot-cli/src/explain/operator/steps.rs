//! The equations of an elimination in words: variables and values by name, numbers exact.

use hipot_potential::Certified;
use hipot_potential::contexts::Domains;
use hipot_potential::trace::{self, Expression, Origin, Symbol, Trace};
use hipot_task::{Fact, VariableId};

use super::super::Ratio;
use super::super::names::Names;
use super::{Alternative, BucketFunction, Elimination, Equation, Step, Sum, Term};

/// A trace with what its numbers stand for.
pub(super) struct Words<'a> {
    function: &'a Certified,
    names: &'a Names<'a>,
    /// The possible values of each variable.
    values: Vec<Vec<Fact>>,
    trace: &'a Trace,
}

impl<'a> Words<'a> {
    pub(super) fn new(
        function: &'a Certified,
        names: &'a Names<'a>,
        domains: &Domains,
        trace: &'a Trace,
    ) -> Self {
        let facts = function.features().facts();
        let values = |variable| {
            let possible = domains.possible(facts, variable);
            possible.into_iter().map(|id| facts.fact(id)).collect()
        };
        let values = facts.variable_ids().map(values).collect();
        Self { function, names, values, trace }
    }

    /// The whole elimination.
    pub(super) fn elimination(&self) -> Elimination {
        let fact = |&(variable, place): &(usize, usize)| self.values[variable][place];
        let context = self.trace.context.iter();
        Elimination {
            steps: self.trace.steps.iter().map(|step| self.step(step)).collect(),
            number: self.trace.auxiliaries.len() + 1,
            result: self.sum(&self.trace.result),
            context: context.map(|choice| self.names.fact(fact(choice))).collect(),
        }
    }

    fn variable(&self, variable: usize) -> String {
        let task = self.function.normal_form().task();
        task.variable(VariableId::new(variable)).name.clone()
    }

    fn variables(&self, variables: &[usize]) -> Vec<String> {
        variables.iter().map(|&variable| self.variable(variable)).collect()
    }

    fn value(&self, variable: usize, place: usize) -> &str {
        self.function.normal_form().task().fact_name(self.values[variable][place])
    }

    fn ratio(&self, numerator: i128) -> Ratio {
        let decimals = self.function.normal_form().task().decimals();
        Ratio::of_units(numerator, self.function.denominator().into(), decimals)
    }

    fn step(&self, step: &trace::Step) -> Step {
        let bucket = step.bucket.iter().map(|function| {
            let (eliminated, features) = match function.origin {
                Origin::Features(count) => (None, count),
                Origin::Eliminated(variable) => (Some(self.variable(variable)), 0),
            };
            BucketFunction { eliminated, features, scope: self.variables(&function.scope) }
        });
        let equations: Vec<Equation> =
            step.auxiliaries.clone().map(|index| self.equation(step, index)).collect();
        Step {
            variable: self.variable(step.variable),
            bucket: bucket.collect(),
            scope: self.variables(&step.scope),
            constraints: equations.iter().map(|equation| equation.alternatives.len()).sum(),
            equations,
        }
    }

    fn equation(&self, step: &trace::Step, index: usize) -> Equation {
        let auxiliary = &self.trace.auxiliaries[index];
        let maps = step.scope.iter().zip(&auxiliary.assignment).map(|(&variable, &place)| {
            format!("{}↦{}", self.variable(variable), self.value(variable, place))
        });
        let alternatives = auxiliary.alternatives.iter().enumerate().map(|(place, expression)| {
            let x = self.value(step.variable, place).to_owned();
            Alternative { x, sum: self.sum(expression) }
        });
        Equation {
            number: index + 1,
            assignment: maps.collect(),
            alternatives: alternatives.collect(),
            best: auxiliary.best,
            value: self.ratio(auxiliary.value()),
        }
    }

    fn sum(&self, expression: &Expression) -> Sum {
        let terms = expression.terms.iter().map(|symbol| self.term(symbol)).collect();
        Sum { terms, value: self.ratio(expression.value) }
    }

    fn term(&self, symbol: &Symbol) -> Term {
        let (symbol, value) = match *symbol {
            Symbol::Weight(term) => {
                let sign = if term.sign < 0 { "-" } else { "" };
                let weight = i128::from(self.function.weights()[term.feature.index()]);
                let symbol = format!("{sign}w(f{})", term.feature.index() + 1);
                (symbol, weight * i128::from(term.sign))
            }
            Symbol::Aux(index) => {
                (format!("Aux_{}", index + 1), self.trace.auxiliaries[index].value())
            }
        };
        Term { symbol, value: self.ratio(value) }
    }
}
