//! Command lines of other planners, with placeholders.
//!
//! A placeholder is a name of lowercase letters in braces. Braces around anything else belong to
//! the planner.

use std::collections::BTreeMap;

/// The names of placeholders.
const NAMES: [&str; 5] = ["domain", "problem", "plan", "seconds", "megabytes"];

/// Checks the words of a command: it must name a program, use only known placeholders, and
/// mention the problem.
pub(crate) fn check_template(command: &[String]) -> Result<(), String> {
    let program = command.first().ok_or("the command is empty")?;
    if program.is_empty() {
        return Err("the command has no program".to_owned());
    }
    let mut has_problem = false;
    for word in command {
        if word.contains('\0') {
            return Err("a word of the command has a zero byte".to_owned());
        }
        for (_, name) in placeholders(word) {
            if !NAMES.contains(&name) {
                let known = NAMES.map(|name| format!("{{{name}}}")).join(", ");
                return Err(format!("'{{{name}}}' is not known; the placeholders are {known}"));
            }
            has_problem |= name == "problem";
        }
    }
    if has_problem { Ok(()) } else { Err("the command does not mention {problem}".to_owned()) }
}

/// Fills in the placeholders. The error is the name of a placeholder without a value.
pub(super) fn fill(
    command: &[String],
    values: &BTreeMap<&str, String>,
) -> Result<Vec<String>, String> {
    command.iter().map(|word| fill_word(word, values)).collect()
}

fn fill_word(word: &str, values: &BTreeMap<&str, String>) -> Result<String, String> {
    let mut filled = String::new();
    let mut end = 0;
    for (start, name) in placeholders(word) {
        let value = values.get(name).ok_or(name)?;
        filled.push_str(&word[end..start]);
        filled.push_str(value);
        end = start + name.len() + 2;
    }
    filled.push_str(&word[end..]);
    Ok(filled)
}

/// The placeholders of a word: the position of the opening brace, and the name.
fn placeholders(word: &str) -> impl Iterator<Item = (usize, &str)> {
    word.match_indices('{').filter_map(|(start, _)| {
        let rest = &word[start + 1..];
        let name = &rest[..rest.find(|c: char| !c.is_ascii_lowercase())?];
        (!name.is_empty() && rest[name.len()..].starts_with('}')).then_some((start, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn templates_are_checked() {
        for right in ["run {problem}", "run {domain} {problem} --plan={plan}", "a {problem} {B} {}"]
        {
            assert_eq!(check_template(&words(right)), Ok(()), "{right}");
        }
        for (wrong, reason) in [
            ("run {problen}", "'{problen}' is not known"),
            ("run {domain}", "does not mention {problem}"),
            (" {problem}", "no program"),
            ("run {problem}\0", "zero byte"),
        ] {
            let error = check_template(&words(wrong)).expect_err(wrong);
            assert!(error.contains(reason), "{error}");
        }
        assert!(check_template(&[]).is_err());
    }

    #[test]
    fn places_are_filled_once() {
        let values =
            BTreeMap::from([("plan", "{problem}".to_owned()), ("problem", "ü".to_owned())]);
        let filled = fill(&words("{ {plan}{problem}} {{plan}} {x ü{plan"), &values);
        assert_eq!(filled, Ok(words("{ {problem}ü} {{problem}} {x ü{plan")));
        assert_eq!(fill(&words("run {domain}"), &values), Err("domain".to_owned()));
    }
}
