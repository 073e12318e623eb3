//! From the text of an experiment file to an [`Experiment`].
//!
//! serde reads the file into `Raw…` types, whose values know their positions. What serde cannot
//! check is checked when they become an experiment: keys that exclude one another, globs,
//! templates.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use globset::{ErrorKind, Glob, GlobBuilder};
use serde::Deserialize;
use toml::Spanned;

use super::Experiment;
use super::engine::EngineSettings;
use super::place::{self, SpannedError};
use super::values::{Count, Name, Size, Time};
use crate::error::Error;
use crate::execute::check_template;
use crate::model::{Configuration, Limits, Planner};
use crate::name::check_name;
use crate::suite::{Sample, Suite, matcher};

/// The defaults: half an hour, and the memory of the paper's evaluation.
const DEFAULT_LIMITS: Limits =
    Limits { time: Duration::from_secs(1800), memory: 2 << 30, output: 16 << 20 };

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExperiment {
    name: Option<Name>,
    #[serde(default)]
    limits: RawLimits,
    #[serde(default)]
    suites: BTreeMap<Spanned<Name>, Spanned<RawSuite>>,
    #[serde(default)]
    configurations: BTreeMap<Spanned<Name>, Spanned<RawConfiguration>>,
    #[serde(default)]
    engine: EngineSettings,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLimits {
    time: Option<Time>,
    memory: Option<Size>,
    output: Option<Size>,
}

impl RawLimits {
    fn or(&self, limits: Limits) -> Limits {
        Limits {
            time: self.time.map_or(limits.time, |time| time.0),
            memory: self.memory.map_or(limits.memory, |memory| memory.0),
            output: self.output.map_or(limits.output, |output| output.0),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSuite {
    folder: Spanned<String>,
    include: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    exclude: Vec<Spanned<String>>,
    sample: Option<Spanned<RawSample>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawSample {
    per_domain: Option<Count>,
    tasks: Option<Count>,
    every: Option<Count>,
    seed: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConfiguration {
    heuristic: Option<Spanned<String>>,
    options: Option<Spanned<Vec<String>>>,
    command: Option<Spanned<Vec<String>>>,
    revision: Option<Spanned<Name>>,
    time: Option<Time>,
    memory: Option<Size>,
    output: Option<Size>,
}

impl Experiment {
    /// Reads an experiment file.
    pub fn read(file: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(file).map_err(Error::unreadable(file))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes());
            place::error(file, &text, at, "expected UTF-8".to_owned())
        })?;
        Self::parse(file, &text)
    }

    /// Reads the text of an experiment file.
    pub fn parse(file: &Path, text: &str) -> Result<Self, Error> {
        parse(file, text).map_err(|wrong| wrong.at(file, text))
    }
}

fn parse(file: &Path, text: &str) -> Result<Experiment, SpannedError> {
    let raw: RawExperiment = toml::from_str(text)?;
    let name = match raw.name {
        Some(Name(name)) => name,
        None => default_name(file)?,
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    let (mut suites, mut places) = (Vec::new(), Vec::new());
    for (name, suite) in in_order(raw.suites) {
        places.push(suite.get_ref().folder.span());
        suites.push(suite_of(name, suite.into_inner(), folder)?);
    }
    let defaults = raw.limits.or(DEFAULT_LIMITS);
    let (mut configurations, mut revisions) = (Vec::new(), BTreeMap::new());
    for (name, configuration) in in_order(raw.configurations) {
        let (planner, place) = planner_of(&configuration)?;
        let raw = configuration.into_inner();
        revisions.extend(raw.revision.map(|word| (name.clone(), word.into_inner().0)));
        let own = RawLimits { time: raw.time, memory: raw.memory, output: raw.output };
        configurations.push(Configuration { name, planner, limits: own.or(defaults) });
        places.push(place);
    }
    if suites.is_empty() {
        return Err(SpannedError::new(
            0..0,
            "expected a suite: a table [suites.NAME] with its folder",
        ));
    }
    if configurations.is_empty() {
        let message = "expected a configuration: a table [configurations.NAME] with a heuristic \
                       or a command";
        return Err(SpannedError::new(0..0, message));
    }
    let (file, text, engine) = (file.to_owned(), text.to_owned(), raw.engine);
    Ok(Experiment { name, file, text, suites, configurations, revisions, engine, places })
}

fn default_name(file: &Path) -> Result<String, SpannedError> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let hint =
        |message| SpannedError::new(0..0, format!("{message}; set another one with the key name"));
    check_name(&name).map_err(hint)?;
    Ok(name)
}

/// The entries of a table in the order of the text, which maps do not keep.
fn in_order<T>(table: BTreeMap<Spanned<Name>, T>) -> impl Iterator<Item = (String, T)> {
    let mut entries: Vec<_> = table.into_iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries.into_iter().map(|(name, value)| (name.into_inner().0, value))
}

fn suite_of(name: String, raw: RawSuite, folder: &Path) -> Result<Suite, SpannedError> {
    if raw.folder.get_ref().is_empty() {
        return Err(SpannedError::new(raw.folder.span(), "expected a folder"));
    }
    let globs = |patterns: &Vec<Spanned<String>>| patterns.iter().map(glob).collect();
    Ok(Suite {
        name,
        folder: folder.join(raw.folder.into_inner()),
        include: raw.include.as_ref().map(globs).transpose()?,
        exclude: globs(&raw.exclude)?,
        sample: raw.sample.as_ref().map(sample_of).transpose()?,
    })
}

/// A glob over `domain/problem`, in which `*` does not match the slash.
fn glob(pattern: &Spanned<String>) -> Result<Glob, SpannedError> {
    let built = GlobBuilder::new(pattern.get_ref()).literal_separator(true).build();
    let checked = built.and_then(|glob| matcher(&glob).map(|_| glob));
    checked.map_err(|error| {
        // An error of the regular expression that a glob becomes says more than is of interest.
        let why = match error.kind() {
            ErrorKind::Regex(_) => "too long, or too many braces within braces".to_owned(),
            kind => kind.to_string(),
        };
        SpannedError::new(pattern.span(), format!("not a glob: {why}"))
    })
}

fn sample_of(raw: &Spanned<RawSample>) -> Result<Sample, SpannedError> {
    let wrong = |message: &str| SpannedError::new(raw.span(), message);
    let RawSample { per_domain, tasks, every, seed } = raw.get_ref();
    let chosen = seed.unwrap_or(0);
    match (per_domain, tasks, every) {
        (Some(count), None, None) => Ok(Sample::PerDomain { count: count.0, seed: chosen }),
        (None, Some(count), None) => Ok(Sample::Tasks { count: count.0, seed: chosen }),
        (None, None, Some(_)) if seed.is_some() => {
            Err(wrong("every = N is not random: expected no seed"))
        }
        (None, None, Some(step)) => Ok(Sample::Every(step.0)),
        _ => Err(wrong("expected one of per-domain, tasks and every")),
    }
}

/// The planner of a configuration, and its position in the text.
fn planner_of(raw: &Spanned<RawConfiguration>) -> Result<(Planner, Range<usize>), SpannedError> {
    let RawConfiguration { heuristic, options, command, revision, .. } = raw.get_ref();
    match (heuristic, command) {
        (Some(heuristic), None) => {
            if let Some(revision) = revision {
                let message = "hipot reports its own revision; this key goes with a command";
                return Err(SpannedError::new(revision.span(), message));
            }
            let options = options.as_ref().map(|options| options.get_ref().clone());
            let (options, place) = (options.unwrap_or_default(), heuristic.span());
            Ok((Planner::Hipot { heuristic: heuristic.get_ref().clone(), options }, place))
        }
        (None, Some(command)) => {
            if let Some(options) = options {
                let message = "write the options of a command into the command; this key goes with a \
                               heuristic";
                return Err(SpannedError::new(options.span(), message));
            }
            let wrong = |message: String| SpannedError::new(command.span(), message);
            check_template(command.get_ref()).map_err(wrong)?;
            Ok((Planner::Command(command.get_ref().clone()), command.span()))
        }
        _ => {
            let message = "expected either heuristic = \"SPEC\" or command = [\"PROGRAM\", …]";
            Err(SpannedError::new(raw.span(), message))
        }
    }
}
