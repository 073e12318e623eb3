//! Plans, and the IPC format they are written in.

use crate::amount::Amount;
use crate::ids::OperatorId;
use crate::task::Task;

/// A sequence of operators and its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The steps.
    pub operators: Vec<OperatorId>,
    /// The sum of their costs.
    pub cost: u64,
}

impl Plan {
    /// The steps as a plan file names them: in parentheses, lower case.
    pub fn steps<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = String> + 'a {
        let name = |id: &OperatorId| format!("({})", step_name(&task.operator(*id).name));
        self.operators.iter().map(name)
    }

    /// The last line of a plan file, as Fast Downward writes it.
    pub fn footer(&self, task: &Task) -> String {
        let is_unit_cost = task.is_unit_cost() && task.decimals() == 0;
        let kind = if is_unit_cost { "unit cost" } else { "general cost" };
        format!("; cost = {} ({kind})", Amount::of(self.cost, task))
    }
}

/// The name of an operator as a plan file has it: lower case, single spaces. As in PDDL, only the
/// letters from A to Z have another case.
pub fn step_name(operator: &str) -> String {
    operator.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase()
}

/// A character of an operator's name that a plan file cannot have there, if there is one.
pub(crate) fn unwritable(operator: &str) -> Option<char> {
    operator.chars().find(|&it| matches!(it, '(' | ')' | ';') || it.is_control() && it != '\t')
}

/// A step of a plan file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStep {
    /// The line, from 1.
    pub line: usize,
    /// The action and its arguments: lower case, single spaces, no parentheses.
    pub name: String,
}

/// What is wrong with a plan file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct PlanError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was expected there.
    pub expected: &'static str,
    /// What was found instead.
    pub found: String,
}

/// Reads a plan file: one step `(action argument …)` per line, optionally with a
/// time stamp `0.5:` before and a duration `[1]` after it; `;` starts a comment.
pub fn read_plan(text: &str) -> Result<Vec<PlanStep>, PlanError> {
    let mut steps = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let content = line.split(';').next().unwrap_or("");
        if content.trim().is_empty() {
            continue;
        }
        let step = read_step(content).map_err(|(rest, expected)| {
            let consumed = content.len() - rest.len();
            let found = match rest.trim() {
                "" => "the end of the line".to_owned(),
                rest => format!("'{}'", rest.chars().take(40).collect::<String>()),
            };
            let column = content[..consumed].chars().count() + 1;
            PlanError { line: index + 1, column, expected, found }
        })?;
        steps.push(PlanStep { line: index + 1, name: step });
    }
    Ok(steps)
}

/// The step's name, or the rest of the line from where it goes wrong and what
/// was expected there.
fn read_step(line: &str) -> Result<String, (&str, &'static str)> {
    let start = line.trim_start();
    let step = match start.split_once(':') {
        Some((time, rest)) if time.trim().parse::<f64>().is_ok() => rest.trim_start(),
        _ => start,
    };
    let inner = step.strip_prefix('(').ok_or((step, "a step in parentheses"))?;
    let end = inner.find(['(', ')']).unwrap_or(inner.len());
    let rest = inner[end..].strip_prefix(')').ok_or((&inner[end..], "')'"))?;
    let after = rest.trim();
    let is_duration = after.starts_with('[') && after.ends_with(']');
    if !after.is_empty() && !is_duration {
        return Err((rest.trim_start(), "the end of the line"));
    }
    let name = step_name(&inner[..end]);
    if name.is_empty() { Err((inner, "the name of an action")) } else { Ok(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        read_plan(text).unwrap().into_iter().map(|step| step.name).collect()
    }

    #[test]
    fn reads_what_planners_write() {
        let text = "; made by hand\n(Move  A b)\n\n0.001: (drop a) [1.0]\n( noop )\n; cost = 3 (unit cost)\n";
        assert_eq!(names(text), ["move a b", "drop a", "noop"]);
        assert_eq!(read_plan(text).unwrap()[1].line, 4);
        assert_eq!(names(""), [""; 0]);
    }

    #[test]
    fn names_that_differ_stay_different() {
        assert_eq!(names("(Go Ä)\n(GO ä)\n"), ["go Ä", "go ä"]);
        for name in ["a b", "a-b_c", "1:2", "x[1]", "a\tb", "Ä \"x\""] {
            assert_eq!(unwritable(name), None);
            assert_eq!(names(&format!("({})", step_name(name))), [step_name(name)]);
        }
        for (name, found) in [("b) ;x", ')'), ("f(x)", '('), ("a;b", ';'), ("a\rb", '\r')] {
            assert_eq!(unwritable(name), Some(found));
        }
    }

    #[test]
    fn says_where_a_plan_goes_wrong() {
        let error = |text: &str| read_plan(text).unwrap_err().to_string();
        assert_eq!(
            error("move a b"),
            "line 1, column 1: expected a step in parentheses, found 'move a b'"
        );
        assert_eq!(
            error("(a)\n(move a"),
            "line 2, column 8: expected ')', found the end of the line"
        );
        assert_eq!(error("(a) (b)"), "line 1, column 5: expected the end of the line, found '(b)'");
        assert_eq!(error("()"), "line 1, column 2: expected the name of an action, found ')'");
        assert_eq!(error("(a (b))"), "line 1, column 4: expected ')', found '(b))'");
    }
}
