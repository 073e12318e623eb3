//! The attributes of a run that we use.
//!
//! Runs have dozens of others, some of them long lists. These are skipped while reading and
//! never stored.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The names of these attributes.
const NAMES: [&str; 30] = [
    "algorithm",
    "coverage",
    "cost",
    "dead_ends",
    "domain",
    "error",
    "evaluations",
    "expansions",
    "expansions_until_last_jump",
    "generated",
    "global_revision",
    "initial_h_value",
    "limit_search_memory",
    "limit_search_time",
    "local_revision",
    "memory",
    "node",
    "plan_length",
    "planner_exit_code",
    "planner_memory",
    "planner_memory_limit",
    "planner_time",
    "planner_time_limit",
    "planner_wall_clock_time",
    "problem",
    "raw_memory",
    "reopened",
    "search_time",
    "total_time",
    "unsolvable",
];

/// Python's largest index, which Lab writes for an infinite initial value.
const INFINITE: u64 = i64::MAX as u64;

/// The attributes of a run.
#[derive(Default)]
pub(super) struct Attributes {
    values: BTreeMap<&'static str, Scalar>,
    /// The attributes that were asked for and have a value of the wrong type.
    pub(super) skipped: Vec<&'static str>,
}

/// A value, as far as we can use it.
enum Scalar {
    Null,
    Text(String),
    Integer(u64),
    Number(f64),
    /// A list or an object.
    Other,
}

impl Attributes {
    /// An attribute that is a text.
    pub(super) fn text(&mut self, name: &'static str) -> Option<String> {
        self.value(name, |value| match value {
            Scalar::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// An attribute that is a finite number of at least 0.
    pub(super) fn number(&mut self, name: &'static str) -> Option<f64> {
        self.value(name, |value| match value {
            Scalar::Integer(count) => Some(*count as f64),
            Scalar::Number(number) if *number >= 0.0 && number.is_finite() => Some(*number),
            _ => None,
        })
    }

    /// An attribute that is a whole number; `None` for an infinite one.
    #[expect(clippy::cast_sign_loss, reason = "checked")]
    pub(super) fn count(&mut self, name: &'static str) -> Option<u64> {
        let count = self.value(name, |value| match value {
            Scalar::Integer(count) => Some(*count),
            Scalar::Number(number) if number.fract() == 0.0 && (0.0..1e15).contains(number) => {
                Some(*number as u64)
            }
            _ => None,
        });
        count.filter(|&count| count < INFINITE)
    }

    fn value<T>(&mut self, name: &'static str, read: impl Fn(&Scalar) -> Option<T>) -> Option<T> {
        let value = self.values.get(name).filter(|value| !matches!(value, Scalar::Null))?;
        let read = read(value);
        if read.is_none() && !self.skipped.contains(&name) {
            self.skipped.push(name);
        }
        read
    }
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Attributes;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object with the attributes of a run")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attributes, A::Error> {
                let mut attributes = Attributes::default();
                while let Some(key) = map.next_key::<String>()? {
                    match NAMES.into_iter().find(|name| *name == key) {
                        Some(name) => drop(attributes.values.insert(name, map.next_value()?)),
                        None => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(attributes)
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarReader)
    }
}

struct ScalarReader;

impl<'de> Visitor<'de> for ScalarReader {
    type Value = Scalar;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar::Integer(u64::from(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar::Integer(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
        Ok(u64::try_from(value).map_or(Scalar::Number(value as f64), Scalar::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Scalar, A::Error> {
        while sequence.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }
}
