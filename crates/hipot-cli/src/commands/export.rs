//! `hipot export`.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use hipot::input::open_proof;
use hipot::{Failure, Status};
use hipot_veripb::{Export, ExportError};
use serde::Serialize;

use super::context::Context;
use super::examples::examples;
use super::options::output_file;

/// Write a certificate as a proof that a program by others checks
///
/// For VeriPB, the formula says what the task does and that the certificate's invariant is broken;
/// the proof says that this cannot be (docs/veripb.md). Whether the certificate is right
/// is left to VeriPB: veripb PREFIX.opb PREFIX.pbp.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot bound task.sas --heuristic 'pot(dim=2, paper)' --certificate plain.cert",
    "hipot export task.sas plain.cert --format veripb -o plain",
]))]
pub(super) struct Arguments {
    /// The task (a PDDL domain and problem, a PDDL problem with its domain next to it, or a .sas
    /// file, version 3), then the certificate
    #[arg(required = true, num_args = 2..=3, value_names = ["TASK", "CERTIFICATE"])]
    task_and_certificate: Vec<PathBuf>,

    /// The format
    #[arg(long, value_name = "FORMAT")]
    format: Format,

    /// Where to write: the formula to PREFIX.opb, the proof to PREFIX.pbp
    #[arg(short, long, value_name = "PREFIX", value_parser = output_file())]
    output: PathBuf,
}

/// The program that checks the proof.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// VeriPB, proof format 3.0
    Veripb,
}

/// The result of `hipot export`, schema `hipot.export/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    status: Status,
    formula: PathBuf,
    proof: PathBuf,
    formula_bytes: u64,
    proof_bytes: u64,
}

impl Report {
    pub(super) const SCHEMA: &'static str = "hipot.export/1";

    fn text(&self) -> String {
        let line = |what: &str, file: &Path, bytes: u64| {
            format!("{what}: {} ({bytes} bytes)\n", file.display())
        };
        line("Formula", &self.formula, self.formula_bytes)
            + &line("Proof", &self.proof, self.proof_bytes)
    }
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let Format::Veripb = arguments.format;
    let files = &arguments.task_and_certificate;
    let (certificate, task) = files.split_last().expect("clap asks for two files");
    let input = context.read_task(task)?;
    let read = open_proof(certificate)?;
    let refused = |error: ExportError| match error {
        ExportError::OtherTask(_) | ExportError::UnknownFact { .. } | ExportError::Damaged(_) => {
            Failure::Meaningless { file: certificate.clone(), message: error.to_string() }
        }
        _ => Failure::Unsupported(error.to_string()),
    };
    let export = Export::new(&input.task, read).map_err(refused)?;
    let [formula, proof] = ["opb", "pbp"].map(|ending| with_ending(&arguments.output, ending));
    let formula_bytes = write(&formula, |output| export.write_formula(output))?;
    let proof_bytes = write(&proof, |output| export.write_proof(output))?;
    let (schema, status) = (Report::SCHEMA, Status::Exported);
    let report = Report { schema, status, formula, proof, formula_bytes, proof_bytes };
    context.reporter.write(&report, &report.text())?;
    Ok(status)
}

fn with_ending(prefix: &Path, ending: &str) -> PathBuf {
    let mut name = prefix.as_os_str().to_owned();
    name.push(OsStr::new("."));
    name.push(ending);
    name.into()
}

/// Writes a file; returns its size.
fn write(
    file: &Path,
    contents: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<u64, Failure> {
    let written = File::create(file).and_then(|created| {
        contents(&mut BufWriter::new(&created))?;
        created.metadata()
    });
    let metadata = written.map_err(|error| Failure::Unwritable { file: file.to_owned(), error })?;
    Ok(metadata.len())
}
