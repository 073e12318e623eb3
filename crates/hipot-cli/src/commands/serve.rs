//! `hipot serve`.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use clap::Args;
use hipot::{Failure, Status};
use hipot_serve::{Server, Settings};
use hipot_task::{Stop, parse_memory, parse_size, parse_time};
use serde::Serialize;

use super::context::Context;
use super::examples::examples;

/// Open a local page to write, solve and explain PDDL tasks
///
/// The page works offline and sends nothing anywhere: the server listens on this machine only, and
/// refuses requests of other sites' pages. Editors and other clients of planning services can use it
/// as well: POST /solve, and POST /package/hipot/solve with GET /check/ID (docs/editors.md). Ctrl-C
/// ends the server and all its runs.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot serve                                 # then open http://127.0.0.1:8023/",
    "hipot serve --port 9000 --run-time 1m --run-memory 4G",
]))]
pub(super) struct Arguments {
    /// The port; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 8023)]
    port: u16,

    /// The address; it must be one of this machine alone
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST.into())]
    address: IpAddr,

    /// How many tasks are solved at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,

    /// How many more may wait; others are refused
    #[arg(long, value_name = "N", default_value_t = 16)]
    waiting: u16,

    /// The most time that a task may take
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "5m")]
    run_time: Duration,

    /// The most memory that a task may take
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, default_value = "2G")]
    run_memory: u64,

    /// The largest request
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4M")]
    request_size: u64,
}

/// Where the server listens, schema `hipot.serve/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    url: String,
}

impl Report {
    pub(super) const SCHEMA: &'static str = "hipot.serve/1";
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let settings = Settings {
        program: context.program.clone(),
        address: arguments.address,
        port: arguments.port,
        runs: arguments.runs.into(),
        waiting: arguments.waiting.into(),
        time: arguments.run_time,
        memory: arguments.run_memory,
        size: usize::try_from(arguments.request_size).unwrap_or(usize::MAX),
    };
    let server = Server::bind(settings).map_err(|error| Failure::Usage(error.to_string()))?;
    let report = Report { schema: Report::SCHEMA, url: format!("http://{}/", server.address()) };
    context.reporter.write(&report, &format!("{}\n", report.url))?;
    tracing::info!("open {} in a browser; Ctrl-C ends the server", report.url);
    server.run(|| context.limits.check().is_err());
    Err(Failure::Stopped(context.limits.check().err().unwrap_or(Stop::Interrupted)))
}
