//! `hipot generate`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use hipot::input::{display_name, read_bytes, source_line};
use hipot::report::TaskReport;
use hipot::{Failure, Status};
use hipot_task::sas;
use serde::Serialize;

use super::context::Context;
use super::examples::examples;
use super::options::output_file;
use crate::generate::{
    GenerateError, Generated, Graph, circuit, coloring, coloring_potential, hanoi, odometer,
    parity, rings, shuttle, toll,
};

/// Make a task of any size whose optimal cost is known
///
/// The task goes to standard output, or to the file given with -o.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot generate hanoi 5 -o hanoi.sas",
    "hipot generate coloring graph.txt --potential graph.json -o graph.sas",
]))]
pub(super) struct Arguments {
    #[command(subcommand)]
    family: Family,

    /// Where to write the task; required with --json [default: standard output]
    #[arg(short, long, global = true, value_name = "FILE", value_parser = output_file())]
    output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Family {
    /// Towers of Hanoi with three pegs
    #[command(after_long_help = examples(&["hipot generate hanoi 5 -o hanoi.sas"]))]
    Hanoi {
        /// The number of disks
        disks: u32,
    },
    /// Chinese rings: a state space that is one long path
    #[command(after_long_help = examples(&["hipot generate rings 8 -o rings.sas"]))]
    Rings {
        /// The number of rings
        rings: u32,
    },
    /// Parcels carried by a shuttle with a few places
    #[command(after_long_help = examples(&["hipot generate shuttle 4 2 -o shuttle.sas"]))]
    Shuttle {
        /// The number of parcels
        parcels: u32,
        /// The number of places in the shuttle
        #[arg(default_value_t = 2)]
        capacity: u32,
    },
    /// A counter with carries: conditional effects
    #[command(after_long_help = examples(&["hipot generate odometer 3 4 -o odometer.sas"]))]
    Odometer {
        /// The number of digits
        digits: u32,
        /// The number of values of a digit
        #[arg(default_value_t = 10)]
        base: u32,
    },
    /// Switches, wires and an alarm: axioms
    #[command(after_long_help = examples(&["hipot generate circuit 5 -o circuit.sas"]))]
    Circuit {
        /// The number of switches in the chain
        switches: u32,
    },
    /// Expensive roads and free detours: costs beyond 32 bits, operators of cost 0
    #[command(after_long_help = examples(&["hipot generate toll 6 -o toll.sas"]))]
    Toll {
        /// The number of stages on the way
        stations: u32,
    },
    /// Coins turned in pairs: a task without a plan
    #[command(after_long_help = examples(&["hipot generate parity 5 -o parity.sas"]))]
    Parity {
        /// The number of coins
        coins: u32,
    },
    /// Graph coloring: with its potential function, for hipot check
    ///
    /// The potential function is consistent if and only if the graph is not 3-colorable; otherwise
    /// the transition that hipot check finds shows a coloring.
    #[command(after_long_help = examples(&["hipot generate coloring graph.txt --potential graph.json -o graph.sas"]))]
    Coloring {
        /// The graph in the DIMACS format, or - for standard input
        graph: PathBuf,
        /// Where to write the potential function (JSON)
        #[arg(long, value_name = "FILE")]
        potential: Option<PathBuf>,
    },
}

/// A potential function that comes with a task, and the file that it is written to.
struct Companion<'a> {
    file: &'a Path,
    text: String,
}

impl Family {
    fn generate(&self) -> Result<(Generated, Option<Companion<'_>>), Failure> {
        let generated = match *self {
            Self::Hanoi { disks } => hanoi(disks),
            Self::Rings { rings: count } => rings(count),
            Self::Shuttle { parcels, capacity } => shuttle(parcels, capacity),
            Self::Odometer { digits, base } => odometer(digits, base),
            Self::Circuit { switches } => circuit(switches),
            Self::Toll { stations } => toll(stations),
            Self::Parity { coins } => parity(coins),
            Self::Coloring { ref graph, ref potential } => {
                let graph = read_graph(graph)?;
                let companion = potential
                    .as_deref()
                    .map(|file| Companion { file, text: coloring_potential(&graph) });
                return Ok((coloring(&graph), companion));
            }
        };
        let usage = |error: GenerateError| Failure::Usage(error.to_string());
        Ok((generated.map_err(usage)?, None))
    }
}

fn read_graph(file: &Path) -> Result<Graph, Failure> {
    let text = String::from_utf8_lossy(&read_bytes(file)?).into_owned();
    Graph::parse(&text).map_err(|error| Failure::Input {
        file: display_name(file),
        line: error.line,
        column: error.column,
        message: error.message,
        source_line: source_line(text.as_bytes(), error.line),
    })
}

/// The result of `hipot generate`, schema `hipot.generate/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    status: Status,
    file: PathBuf,
    /// `None`: there is no plan.
    optimal_cost: Option<u64>,
    task: TaskReport,
    /// The file of the potential function that comes with the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    potential: Option<PathBuf>,
}

impl Report {
    pub(super) const SCHEMA: &'static str = "hipot.generate/1";
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    if context.options.json && arguments.output.is_none() {
        return Err(Failure::Usage("--json needs a file for the task: add -o FILE".to_owned()));
    }
    let (Generated { task, optimal_cost }, companion) = arguments.family.generate()?;
    let mut text = Vec::new();
    sas::write(&task, &mut text).expect("memory can be written");
    let cost = optimal_cost.map_or("none: there is no plan".to_owned(), |cost| cost.to_string());
    tracing::info!("optimal cost: {cost}");

    if let Some(Companion { file, text }) = &companion {
        write(file, text.as_bytes())?;
    }
    let status = Status::Generated;
    if let Some(file) = &arguments.output {
        write(file, &text)?;
        let (schema, file) = (Report::SCHEMA, file.clone());
        let potential = companion.map(|companion| companion.file.to_owned());
        let task = TaskReport::new(&task);
        let report = Report { schema, status, file, optimal_cost, task, potential };
        context.reporter.write(&report, "")?;
    } else {
        let text = String::from_utf8(text).expect("names are text");
        context.reporter.write(&(), &text)?;
    }
    Ok(status)
}

fn write(file: &Path, text: &[u8]) -> Result<(), Failure> {
    let written = std::fs::write(file, text);
    written.map_err(|error| Failure::Unwritable { file: file.to_owned(), error })
}
