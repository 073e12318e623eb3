//! Patterns as a JSON file.
//!
//! ```json
//! {"patterns": [["door", "robot"], ["robot", 2], ["door"]]}
//! ```
//!
//! A pattern is a list of variables, each by name or by index.

use std::path::Path;

use hipot_partition::projection::Pattern;
use hipot_task::{Task, VariableId};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::failure::Failure;
use crate::input::read_bytes;
use crate::json_file::{JsonFile, indices};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    #[serde(borrow)]
    patterns: Vec<&'a RawValue>,
}

/// Reads the patterns of a file.
pub fn read_patterns(task: &Task, file: &Path) -> Result<Vec<Pattern>, Failure> {
    let bytes = read_bytes(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let json = JsonFile { file, text: &text };
    let names = indices(task.variables().iter().map(|variable| variable.name.as_str()));
    let document: Document<'_> = json.parse(json.text, 0)?;
    if document.patterns.is_empty() {
        return Err(json.failure(0, "there are no patterns".to_owned()));
    }
    let pattern = |raw: &&RawValue| -> Result<Pattern, Failure> {
        let variables: Vec<&RawValue> = json.parse(raw.get(), json.offset(raw))?;
        let mut pattern = Pattern::new();
        for variable in variables {
            let index = json.choice(variable, "variable", &names, task.variables().len())?;
            let found = VariableId::new(index);
            if pattern.contains(&found) {
                let name = &task.variable(found).name;
                let message = format!("the pattern has variable '{name}' twice");
                return Err(json.failure(json.offset(variable), message));
            }
            pattern.push(found);
        }
        if pattern.is_empty() {
            return Err(json.failure(json.offset(raw), "the pattern is empty".to_owned()));
        }
        Ok(pattern)
    };
    document.patterns.iter().map(pattern).collect()
}
