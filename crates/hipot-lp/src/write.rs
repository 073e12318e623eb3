//! Linear programs as text in the CPLEX LP format, which both people and most
//! solvers can read.
//!
//! ```text
//! Maximize
//!  obj: + 1 w(at~ball1@rooma) - 1 w(free~left)
//! Subject To
//!  move: - 1 w(at~ball1@rooma) + 1 w(free~left) <= 1
//! Bounds
//!  w(at~ball1@rooma) free
//! End
//! ```
//!
//! # Names
//!
//! The format allows few characters in names, and readers disagree about some
//! of them. So names are rewritten; different names stay different:
//!
//! | in the name | in the file |
//! |---|---|
//! | ASCII letters, digits, `_ ( ) , . & \| ! ? # $ ' { }` | the same |
//! | `-`, `=`, space | `~`, `@`, `;` |
//! | every other byte of its UTF-8 | `%` and two hexadecimal digits |
//! | a start that reads like a number (digit, `.`, `e`, `inf`, `nan`), a keyword of the format such as `free` or `st`, an empty name | preceded by `%_` |
//! | a name that is taken or has more than 200 characters | cut to 200, followed by `%#` and the index of the row or column |
//!
//! # What the format cannot express
//!
//! A row with two different bounds becomes two rows, `NAME%lower` and
//! `NAME%upper`: some readers, HiGHS among them, do not accept both in one. The
//! objective lists every column, with the coefficient 0 if need be, so that a
//! reader numbers the columns as we do. A row without terms gets `0` times the
//! first column; if there are no columns at all, rows are omitted.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::problem::{Bounds, Column, Problem, Row, Sense};

/// Expressions are wrapped at this width where possible.
const LINE_WIDTH: usize = 100;

/// Longer names are cut; the format allows 255 bytes.
const MAX_NAME_LENGTH: usize = 200;

/// Characters that are kept, besides letters and digits.
const PLAIN: &[u8] = b"_(),.&|!?#$'{}";

/// Keywords of the format, which cannot be names.
const KEYWORDS: [&str; 30] = [
    "min", "max", "minimize", "maximize", "minimise", "maximise", "minimum", "maximum", "subject",
    "such", "st", "s.t.", "st.", "bound", "bounds", "bin", "binary", "binaries", "gen", "general",
    "generals", "int", "integer", "integers", "semi", "semis", "sos", "end", "free", "obj",
];

/// Writes a problem in CPLEX LP format. Names that the format does not allow
/// are rewritten: letters, digits and `_ ( ) , . & | ! ? # $ ' { }` are kept,
/// `-`, `=` and space become `~`, `@` and `;`, any other byte `%` and two
/// hexadecimal digits. Different names stay different.
pub fn write_lp(
    problem: &Problem,
    out: &mut impl Write,
    column_name: impl Fn(Column) -> String,
    row_name: impl Fn(Row) -> String,
) -> io::Result<()> {
    let mut taken = HashSet::new();
    let mut named = |name: String, number: u32| unique(&mut taken, &escape(&name), number);
    let columns: Vec<_> = problem.columns().map(|c| named(column_name(c), c.0)).collect();
    let mut taken = HashSet::new();
    let mut named = |name: String, number: u32| unique(&mut taken, &escape(&name), number);

    let sense = match problem.sense() {
        Sense::Minimize => "Minimize",
        Sense::Maximize => "Maximize",
    };
    writeln!(out, "{sense}")?;
    let terms = problem.columns().map(|column| (column, problem.objective(column)));
    write_expression(out, "obj", terms, &columns, "")?;
    writeln!(out, "Subject To")?;
    for row in problem.rows().filter(|_| !columns.is_empty()) {
        write_row(out, problem, row, &named(row_name(row), row.0), &columns)?;
    }
    writeln!(out, "Bounds")?;
    for column in problem.columns() {
        write_bounds(out, &columns[column.index()], problem.column_bounds(column))?;
    }
    writeln!(out, "End")
}

fn write_row(
    out: &mut impl Write,
    problem: &Problem,
    row: Row,
    name: &str,
    columns: &[String],
) -> io::Result<()> {
    let mut terms: Vec<_> = problem.terms(row).collect();
    if terms.is_empty() {
        terms.push((Column(0), 0.0));
    }
    let Bounds { lower, upper } = problem.row_bounds(row);
    let mut write = |name: &str, relation: &str, bound: f64| {
        let relation = format!(" {relation} {}", number(bound));
        write_expression(out, name, terms.iter().copied(), columns, &relation)
    };
    if lower.to_bits() == upper.to_bits() {
        write(name, "=", lower)
    } else if lower == f64::NEG_INFINITY && upper == f64::INFINITY {
        write(name, ">=", lower)
    } else if lower == f64::NEG_INFINITY {
        write(name, "<=", upper)
    } else if upper == f64::INFINITY {
        write(name, ">=", lower)
    } else {
        write(&format!("{name}%lower"), ">=", lower)?;
        write(&format!("{name}%upper"), "<=", upper)
    }
}

fn write_expression(
    out: &mut impl Write,
    name: &str,
    terms: impl Iterator<Item = (Column, f64)>,
    columns: &[String],
    relation: &str,
) -> io::Result<()> {
    let mut line = format!(" {name}:");
    for (column, value) in terms {
        let sign = if value < 0.0 { '-' } else { '+' };
        let term = format!(" {sign} {} {}", number(value.abs()), columns[column.index()]);
        if line.len() + term.len() > LINE_WIDTH {
            writeln!(out, "{line}")?;
            line = String::from(" ");
        }
        line += &term;
    }
    writeln!(out, "{line}{relation}")
}

fn write_bounds(out: &mut impl Write, name: &str, bounds: Bounds) -> io::Result<()> {
    let Bounds { lower, upper } = bounds;
    if bounds.is_free() {
        writeln!(out, " {name} free")
    } else if lower.to_bits() == upper.to_bits() {
        writeln!(out, " {name} = {}", number(lower))
    } else if upper == f64::INFINITY {
        writeln!(out, " {name} >= {}", number(lower))
    } else {
        writeln!(out, " {} <= {name} <= {}", number(lower), number(upper))
    }
}

/// The shortest text from which the number can be read back exactly.
fn number(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+inf" } else { "-inf" }.to_owned();
    }
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-6..1e16).contains(&magnitude) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// The name with the characters that the format does not allow replaced.
fn escape(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len() + 2);
    if needs_prefix(name) {
        escaped += "%_";
    }
    for byte in name.bytes() {
        match byte {
            _ if byte.is_ascii_alphanumeric() || PLAIN.contains(&byte) => escaped.push(byte.into()),
            b'-' => escaped.push('~'),
            b'=' => escaped.push('@'),
            b' ' => escaped.push(';'),
            _ => escaped.extend(['%', hexadecimal(byte >> 4), hexadecimal(byte & 15)]),
        }
    }
    escaped
}

fn hexadecimal(digit: u8) -> char {
    char::from_digit(digit.into(), 16).expect("a digit").to_ascii_uppercase()
}

fn needs_prefix(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.is_empty()
        || name.starts_with(|first: char| first.is_ascii_digit() || first == '.' || first == 'e')
        || name.starts_with("inf")
        || name.starts_with("nan")
        || KEYWORDS.contains(&name.as_str())
}

/// The name, shortened if necessary and different from all names in `taken`.
fn unique(taken: &mut HashSet<String>, name: &str, number: u32) -> String {
    let unique = if name.len() > MAX_NAME_LENGTH || taken.contains(name) {
        format!("{}%#{number}", &name[..name.len().min(MAX_NAME_LENGTH)])
    } else {
        name.to_owned()
    };
    taken.insert(unique.clone());
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable_and_differ() {
        assert_eq!(escape("w(at-ball1=rooma & free-left)"), "w(at~ball1@rooma;&;free~left)");
        assert_eq!(escape("a~b"), "a%7Eb");
        assert_eq!(escape("é"), "%C3%A9");
        assert_eq!(escape("free"), "%_free");
        assert_eq!(escape("Infinity"), "%_Infinity");
        assert_eq!(escape("3x"), "%_3x");
        assert_eq!(escape(""), "%_");
        let mut taken = HashSet::new();
        assert_eq!(unique(&mut taken, "x", 0), "x");
        assert_eq!(unique(&mut taken, "x", 1), "x%#1");
        assert!(unique(&mut taken, &"x".repeat(1000), 2).len() < 255);
    }

    #[test]
    fn numbers_are_exact() {
        for value in [0.0, 1.0, -2.5, 1.0 / 3.0, 1e-9, 1.5e300, 123_456_789.0] {
            assert_eq!(number(value).parse(), Ok(value));
        }
    }

    #[test]
    fn a_small_problem() {
        let mut problem = Problem::maximize();
        let x = problem.add_column(1.0, ..);
        let y = problem.add_column(0.0, 0.0..=1.0);
        problem.add_row(..=4.0, [(x, 1.0), (y, -2.0)]);
        problem.add_row(1.0..=2.0, [(y, 1.0)]);
        let mut text = Vec::new();
        let name = |column: Column| ["x", "y"][column.index()].to_owned();
        write_lp(&problem, &mut text, name, |row| format!("row-{}", row.0)).expect("memory");
        let expected = "Maximize\n obj: + 1 x + 0 y\nSubject To\n row~0: + 1 x - 2 y <= 4\n \
            row~1%lower: + 1 y >= 1\n row~1%upper: + 1 y <= 2\nBounds\n x free\n 0 <= y <= 1\nEnd\n";
        assert_eq!(String::from_utf8(text).as_deref(), Ok(expected));
    }
}
