//! Values of experiment files, whose errors say what was expected.

use std::fmt;
use std::time::Duration;

use hipot_task::{parse_size, parse_time};
use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::name::check_name;

/// The longest time limit: anything longer is probably a mistake, and sums of limits must not
/// overflow.
const MAX_TIME: Duration = Duration::from_secs(365 * 24 * 3600);
/// The largest limit on memory and output, for the same reasons.
const MAX_SIZE: u64 = 1 << 50;
/// A name of an experiment, a suite or a configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name(pub(super) String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        check_name(&name).map_err(de::Error::custom)?;
        Ok(Self(name))
    }
}

/// A time, written as on the command line, more than 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time(pub(super) Duration);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parse = |text: &str| match parse_time(text)? {
            Duration::ZERO => Err("a limit of 0 leaves no time for anything".to_owned()),
            time if time > MAX_TIME => Err("expected a time of at most a year".to_owned()),
            time => Ok(Self(time)),
        };
        deserializer.deserialize_any(Quantity { parse, expecting: "a time such as \"30m\"" })
    }
}

/// A size, written as on the command line, more than 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size(pub(super) u64);

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parse = |text: &str| match parse_size(text)? {
            size if size > MAX_SIZE => Err("expected a size of at most 1024T".to_owned()),
            size => Ok(Self(size)),
        };
        deserializer.deserialize_any(Quantity { parse, expecting: "a size such as \"2G\"" })
    }
}

/// Reads text, or a number as if it were text.
struct Quantity<F> {
    parse: F,
    expecting: &'static str,
}

impl<T, F: Fn(&str) -> Result<T, String>> Visitor<'_> for Quantity<F> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.expecting)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.parse)(text).map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }
}

/// A whole number of at least 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count(pub(super) u32);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::try_from(i64::deserialize(deserializer)?) {
            Ok(number @ 1..) => Ok(Self(number)),
            _ => Err(de::Error::custom("expected a whole number from 1 to 4294967295")),
        }
    }
}
