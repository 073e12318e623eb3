//! JSON files whose errors name their place.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::failure::Failure;
use crate::input::{display_name, source_line};

/// The text of a JSON file.
#[derive(Clone, Copy)]
pub(crate) struct JsonFile<'a> {
    pub(crate) file: &'a Path,
    pub(crate) text: &'a str,
}

impl<'a> JsonFile<'a> {
    /// Parses `part`, which begins at `offset` in the file.
    pub(crate) fn parse<T: Deserialize<'a>>(
        self,
        part: &'a str,
        offset: usize,
    ) -> Result<T, Failure> {
        serde_json::from_str(part).map_err(|error| {
            let before: usize =
                part.split_inclusive('\n').take(error.line() - 1).map(str::len).sum();
            let place = (before + error.column().saturating_sub(1)).min(part.len());
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default().to_owned();
            self.failure(offset + place, message)
        })
    }

    /// The offset at which a part of the file begins.
    pub(crate) fn offset(self, raw: &RawValue) -> usize {
        raw.get().as_ptr() as usize - self.text.as_ptr() as usize
    }

    /// The error at this offset.
    pub(crate) fn failure(self, offset: usize, message: String) -> Failure {
        let offset =
            (0..=offset).rev().find(|&place| self.text.is_char_boundary(place)).unwrap_or(0);
        let before = &self.text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let source_line = source_line(self.text.as_bytes(), line);
        Failure::Input { file: display_name(self.file), line, column, message, source_line }
    }

    /// The index that `raw` gives, as a number below `count` or by name.
    pub(crate) fn choice(
        self,
        raw: &RawValue,
        what: &str,
        names: &HashMap<String, usize>,
        count: usize,
    ) -> Result<usize, Failure> {
        let found = match serde_json::from_str::<serde_json::Value>(raw.get()) {
            Ok(serde_json::Value::String(name)) => names.get(&name).copied(),
            Ok(serde_json::Value::Number(number)) => {
                number.as_u64().filter(|&index| index < count as u64).map(|index| index as usize)
            }
            _ => None,
        };
        found.ok_or_else(|| {
            self.failure(self.offset(raw), format!("there is no {what} {}", raw.get()))
        })
    }
}

/// The index of each name; the first one if several are equal.
pub(crate) fn indices<'a>(names: impl Iterator<Item = &'a str>) -> HashMap<String, usize> {
    let mut indices = HashMap::new();
    for (index, name) in names.enumerate() {
        indices.entry(name.to_owned()).or_insert(index);
    }
    indices
}
