//! Optimal costs that are known from elsewhere, as a table.
//!
//! The table is text with a head and tabs between columns. Of its columns, `domain`, `problem`
//! and `cost` are read; a cost may be empty. Lines that begin with `#` are comments. A problem's
//! name may end in `.pddl` or `.sas`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Error;

/// Optimal costs by domain and problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownCosts(BTreeMap<(String, String), u64>);

impl KnownCosts {
    /// Reads a table.
    pub fn read(file: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(file).map_err(Error::unreadable(file))?;
        let text = String::from_utf8_lossy(&bytes);
        parse(&text).map_err(|(line, message)| {
            let (file, source_line) = (file.to_owned(), text.lines().nth(line - 1).map(shorten));
            Error::Text { file, line, column: 1, message, source_line }
        })
    }

    /// The optimal cost of a task.
    pub(super) fn get(&self, domain: &str, problem: &str) -> Option<u64> {
        self.0.get(&(domain.to_owned(), stem(problem).to_owned())).copied()
    }
}

fn shorten(line: &str) -> String {
    line.chars().take(120).collect()
}

fn stem(problem: &str) -> &str {
    problem.strip_suffix(".pddl").or_else(|| problem.strip_suffix(".sas")).unwrap_or(problem)
}

/// The costs, or a line and what is wrong with it.
fn parse(text: &str) -> Result<KnownCosts, (usize, String)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let mut rows = lines.filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let (number, head) = rows.next().ok_or((1, "the table has no head".to_owned()))?;
    let names: Vec<&str> = head.split('\t').map(str::trim).collect();
    let column = |name: &str| {
        let place = names.iter().position(|own| *own == name);
        place.ok_or_else(|| (number, format!("the table has no column '{name}'")))
    };
    let (domain, problem, cost) = (column("domain")?, column("problem")?, column("cost")?);
    let mut costs = BTreeMap::new();
    for (number, line) in rows {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let cell = |place: usize| cells.get(place).copied().unwrap_or("");
        if cell(cost).is_empty() {
            continue;
        }
        let wrong = |_| (number, format!("expected a cost, found '{}'", cell(cost)));
        let value: u64 = cell(cost).parse().map_err(wrong)?;
        let key = (cell(domain).to_owned(), stem(cell(problem)).to_owned());
        if costs.insert(key, value).is_some_and(|other| other != value) {
            let task = format!("{}/{}", cell(domain), cell(problem));
            return Err((number, format!("a second, different cost of {task}")));
        }
    }
    Ok(KnownCosts(costs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_by_the_names_of_their_columns() {
        let text = "# from elsewhere\ncost\tdomain\tby\tproblem\n7\tgripper\tx\tp1.pddl\n\tgripper\t\tp2\n";
        let costs = parse(text).expect("a table");
        assert_eq!(costs.get("gripper", "p1"), Some(7));
        assert_eq!(costs.get("gripper", "p1.sas"), Some(7));
        assert_eq!(costs.get("gripper", "p2"), None);
        assert_eq!(costs.get("blocks", "p1"), None);
    }

    #[test]
    fn errors_name_their_line() {
        for (text, line, part) in [
            ("", 1, "no head"),
            ("# only a comment\n", 1, "no head"),
            ("domain\tproblem\n", 1, "no column 'cost'"),
            ("domain\tproblem\tcost\ng\tp\tmany\n", 2, "found 'many'"),
            ("domain\tproblem\tcost\ng\tp\t1\n\ng\tp.pddl\t2\n", 4, "different cost of g/p"),
        ] {
            let (found, message) = parse(text).expect_err(text);
            assert!(found == line && message.contains(part), "{text}: {found}: {message}");
        }
    }
}
