//! The way from the task to the bound, step by step, each with its sizes.

use hipot::report::TaskReport;

use super::super::text::rung_in_words;
use super::super::{Explanation, Function};
use super::elements::{escape, section};
use crate::wording::counted;

/// The section about the way to `function`.
pub(super) fn path(explanation: &Explanation, function: &Function) -> String {
    let mut steps = vec![
        ("Task", task(&explanation.task)),
        ("Normal form", normal_form(function)),
        ("Linear program", linear_program(function)),
        ("Weights", weights(function)),
        ("Certificate", certificate(function)),
    ];
    if let (Some(search), [_]) = (&explanation.search, &explanation.functions[..]) {
        steps.push(("Search", format!("A* with it: {}; see below.", search.summary())));
    }
    let step = |(title, text): (&str, String)| {
        format!("<li><strong>{title}</strong><span>{text}</span></li>\n")
    };
    let list: String = steps.into_iter().map(step).collect();
    section(
        "From the task to the plan",
        "What each step makes of the ones before it.",
        &format!("<ol class=\"path\">\n{list}</ol>\n"),
    )
}

fn task(task: &TaskReport) -> String {
    let sizes = [
        counted(task.variables, "variable"),
        counted(task.facts, "fact"),
        counted(task.operators, "operator"),
        counted(task.goals, "goal"),
        counted(task.mutex_groups, "mutex group"),
    ];
    format!("{}, as read or as translated from PDDL.", sizes.join(", "))
}

fn normal_form(function: &Function) -> String {
    let (variables, operators) = (&function.variables, &function.operators);
    let forgetting = match operators.forgetting {
        0 => String::new(),
        forgetting => format!(", {forgetting} of which forget a value"),
    };
    format!(
        "Operators ask for the value of every variable that they set, and the goal names a value \
         for each: {}, {}{forgetting}.",
        counted(variables.len(), "variable"),
        counted(operators.count, "operator"),
    )
}

fn linear_program(function: &Function) -> String {
    let lp = &function.lp;
    format!(
        "Its solutions are the weights for which the goal has the value 0 or less and no operator \
         lowers a state's value by more than it costs: {} rows, {} columns, {} nonzeros.",
        lp.rows, lp.columns, lp.nonzeros
    )
}

fn weights(function: &Function) -> String {
    let rung = rung_in_words(function);
    format!("The solver returns floating-point numbers; {rung}.")
}

fn certificate(function: &Function) -> String {
    let claim = match function.initial {
        Some(bound) => format!("every plan costs at least {bound}"),
        None => "there is no plan".to_owned(),
    };
    let spec = escape(&function.spec);
    format!(
        "All weights as integers over one denominator, and a proof of the mutexes, if it rests on \
         any: proof enough that {claim}. \
         <code>hipot bound TASK --heuristic &quot;{spec}&quot; --certificate FILE</code> writes it; \
         <code>hipot verify TASK FILE</code> checks every operator anew, with code that shares \
         nothing with the computation."
    )
}
