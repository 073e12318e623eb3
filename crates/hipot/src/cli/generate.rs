//! `hipot generate`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use hipot_task::sas;
use serde::Serialize;

use super::Context;
use crate::failure::{Failure, Status};
use crate::generate::{
    GenerateError, Generated, circuit, hanoi, odometer, parity, rings, shuttle, toll,
};
use crate::report::TaskReport;

/// Make a task of any size whose optimal cost is known
///
/// The task goes to standard output, or to the file given with -o.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    family: Family,

    /// Where to write the task; needed with --json [default: standard output]
    #[arg(short, long, global = true, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Family {
    /// Towers of Hanoi with three pegs
    Hanoi {
        /// How many disks the tower has
        disks: u32,
    },
    /// Chinese rings: a state space that is one long path
    Rings {
        /// How many rings come off the bar
        rings: u32,
    },
    /// Parcels carried by a shuttle with a few places
    Shuttle {
        /// How many parcels there are
        parcels: u32,
        /// How many places the shuttle has
        #[arg(default_value_t = 2)]
        capacity: u32,
    },
    /// A counter with carries: conditional effects
    Odometer {
        /// How many digits it shows
        digits: u32,
        /// How many values a digit has
        #[arg(default_value_t = 10)]
        base: u32,
    },
    /// Switches, wires and an alarm: axioms
    Circuit {
        /// How many switches are in a chain
        switches: u32,
    },
    /// Dear roads and free detours: costs beyond 32 bits, operators of cost 0
    Toll {
        /// How many stages the way has
        stations: u32,
    },
    /// Coins turned in pairs: a task without a plan
    Parity {
        /// How many coins there are
        coins: u32,
    },
}

impl Family {
    fn generate(&self) -> Result<Generated, GenerateError> {
        match *self {
            Self::Hanoi { disks } => hanoi(disks),
            Self::Rings { rings: count } => rings(count),
            Self::Shuttle { parcels, capacity } => shuttle(parcels, capacity),
            Self::Odometer { digits, base } => odometer(digits, base),
            Self::Circuit { switches } => circuit(switches),
            Self::Toll { stations } => toll(stations),
            Self::Parity { coins } => parity(coins),
        }
    }
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
}

impl Report {
    pub(super) const SCHEMA: &'static str = "hipot.generate/1";
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let generated = arguments.family.generate();
    let Generated { task, optimal_cost } =
        generated.map_err(|error| Failure::Usage(error.to_string()))?;
    let mut text = Vec::new();
    sas::write(&task, &mut text).expect("memory can be written");
    let cost = optimal_cost.map_or("none: there is no plan".to_owned(), |cost| cost.to_string());
    tracing::info!("optimal cost: {cost}");

    let status = Status::Generated;
    if let Some(file) = &arguments.output {
        std::fs::write(file, text)
            .map_err(|error| Failure::Unwritable { file: file.clone(), error })?;
        let (schema, file) = (Report::SCHEMA, file.clone());
        let report = Report { schema, status, file, optimal_cost, task: TaskReport::new(&task) };
        context.reporter.write(&report, "")?;
    } else if context.options.json {
        return Err(Failure::Usage("with --json the task needs a file: add -o FILE".to_owned()));
    } else {
        let text = String::from_utf8(text).expect("names are text");
        context.reporter.write(&(), &text)?;
    }
    Ok(status)
}
