//! Names of experiments, suites, configurations, domains and problems.

/// The most characters of a name: names appear in tables and file names.
const MAX_LENGTH: usize = 100;

/// Checks that a name can appear in a table and in a file name.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let wrong = match name {
        "" => "it is empty",
        "." | ".." => "it means a folder",
        _ if name.chars().count() > MAX_LENGTH => "it has more than 100 characters",
        _ if name.contains(['/', '\\']) => "it has a slash",
        _ if name.contains(char::is_control) => "it has a control character",
        _ if name.trim() != name => "it begins or ends with white space",
        _ => return Ok(()),
    };
    Err(format!("'{}' cannot be a name: {wrong}", name.escape_debug()))
}
