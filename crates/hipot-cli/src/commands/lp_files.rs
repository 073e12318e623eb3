//! LPs for people and other solvers: `hipot bound --write-lp` and `--write-lp-plain`.
//!
//! *The LP that was solved* comes with the function that it gave. If there were several (rounds
//! over more and more features, other objectives), it is the one whose solution was certified
//! and gives the bound.
//!
//! *The plain LP* is that of the paper: of Theorem 1 (Eq. 8–9) for features of at most two facts and that of Theorem 5
//! (Eq. 12–13) for larger ones, over features without reference values, without mutexes. Eq. 1
//! has no row: the objective subtracts the potential of the goal instead. The LP that is solved
//! has the same optimum if there are no mutexes.
//!
//! A textbook LP can be far larger than the reduced one, so its size is predicted and
//! reserved before it is built, and limits are checked between the steps and while it is
//! written. A file that is cut short is removed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use hipot::Failure;
use hipot::function_file::FunctionFile;
use hipot::heuristic::Computed;
use hipot::spec::{FeatureChoice, PotentialSpec, Spec};
use hipot_analysis::PlainTask;
use hipot_lp::write_lp;
use hipot_potential::feature::{Features, frequent_values};
use hipot_potential::model::Model;
use hipot_potential::{NormalForm, textbook};
use hipot_task::{Limits, Task};

/// Rough bounds on the memory that a feature and an LP take, in bytes.
const BYTES_PER_FEATURE: u64 = 64;
const BYTES_PER_NONZERO: u64 = 16;
const BYTES_PER_ROW_OR_COLUMN: u64 = 48;

/// Writes the LP whose solution gives the best bound of a heuristic to a file.
pub(super) fn write_solved_lp(
    heuristic: &Computed,
    file: &Path,
    limits: &Limits,
) -> Result<(), Failure> {
    let best = heuristic.best_potential().and_then(|best| Some((best, best.report.lp.as_ref()?)));
    let Some((potential, lp)) = best else {
        tracing::warn!("there is no LP to write to '{}': none was solved", file.display());
        return Ok(());
    };
    write_limited(file, limits, |out| {
        writeln!(out, "\\ The LP that was solved for {}.", potential.spec)?;
        lp.write(out)
    })
}

/// Writes the textbook LP of a potential heuristic to a file.
pub(super) fn write_plain_lp(
    task: &Task,
    spec: &Spec,
    file: &Path,
    limits: &Limits,
) -> Result<(), Failure> {
    let Spec::Potential(spec) = spec else {
        return Err(Failure::Usage("--write-lp-plain needs a heuristic pot(…)".to_owned()));
    };
    let plain = PlainTask::new(task);
    let normal = NormalForm::plain(plain.task())?;
    let features = features(task, &normal, spec, limits)?;
    let model = build(&normal, &features, limits)?;
    write(&model, normal.task(), &features, file, limits)
}

/// Writes the textbook LP.
fn write(
    model: &Model,
    task: &Task,
    features: &Features,
    file: &Path,
    limits: &Limits,
) -> Result<(), Failure> {
    let name = |column| model.column_name(column, task, features);
    let row_name = |row| model.row_name(row, task);
    write_limited(file, limits, |out| {
        writeln!(out, "\\ The LP of Pommerening, Helmert and Bonet (AAAI 2017), not reduced.")?;
        writeln!(out, "\\ Eq. 1 has no row: the objective subtracts the potential of the goal.")?;
        write_lp(model.problem(), out, name, row_name)
    })
}

/// Writes a file; removes it if a limit is reached.
fn write_limited(
    file: &Path,
    limits: &Limits,
    write: impl FnOnce(&mut BufWriter<Limited<'_>>) -> io::Result<()>,
) -> Result<(), Failure> {
    let written = File::create(file).and_then(|out| {
        let mut out = BufWriter::new(Limited { out, limits });
        write(&mut out)?;
        out.flush()
    });
    let Err(error) = written else { return Ok(()) };
    if let Err(stop) = limits.check() {
        let _ = std::fs::remove_file(file);
        return Err(stop.into());
    }
    Err(Failure::Unwritable { file: file.to_owned(), error })
}

fn features(
    task: &Task,
    normal: &NormalForm,
    spec: &PotentialSpec,
    limits: &Limits,
) -> Result<Features, Failure> {
    let features = match &spec.features {
        FeatureChoice::File(file) => {
            let file = FunctionFile::read(file)?;
            file.check_task(task)?;
            file.features(normal)?
        }
        FeatureChoice::Dimension(dimension) => {
            let count = Features::complete_count(normal.facts(), *dimension);
            limits.reserve(count.saturating_mul(BYTES_PER_FEATURE))?;
            Features::complete(normal.facts().clone(), *dimension, &frequent_values(normal))
        }
    };
    limits.check()?;
    Ok(features)
}

fn build(normal: &NormalForm, features: &Features, limits: &Limits) -> Result<Model, Failure> {
    let unsupported =
        |error: hipot_potential::contexts::TooWide| Failure::Unsupported(error.to_string());
    let size = textbook::predict(normal, features).map_err(unsupported)?;
    let entries = size.nonzeros.saturating_mul(BYTES_PER_NONZERO);
    let lines = size.rows.saturating_add(size.columns).saturating_mul(BYTES_PER_ROW_OR_COLUMN);
    limits.reserve(entries.saturating_add(lines))?;
    limits.check()?;
    let mut model = textbook::model(normal, features).map_err(unsupported)?;
    limits.check()?;
    textbook::maximize_in_state(&mut model, normal, features, normal.initial());
    Ok(model)
}

/// A file that cannot be written to any more when a limit is reached.
struct Limited<'a> {
    out: File,
    limits: &'a Limits,
}

impl Write for Limited<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.limits.check().map_err(|stop| io::Error::other(stop.to_string()))?;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use hipot_task::Stop;
    use hipot_testing::RandomTask;

    use super::*;

    #[test]
    fn a_file_that_is_cut_short_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lp");
        let task = RandomTask::default().generate(0);
        let limits = Limits::none();
        write_plain_lp(&task, &Spec::dimension(2), &file, &limits).unwrap();
        assert!(std::fs::read_to_string(&file).unwrap().ends_with("End\n"));
        let normal = NormalForm::plain(&task).unwrap();
        let references = frequent_values(&normal);
        let features = Features::complete(normal.facts().clone(), 2, &references);
        let model = build(&normal, &features, &limits).unwrap();
        limits.request(Stop::TimeLimit);
        let stopped = write(&model, normal.task(), &features, &file, &limits);
        assert!(matches!(stopped, Err(Failure::Stopped(Stop::TimeLimit))), "{stopped:?}");
        assert!(!file.exists());
    }
}
