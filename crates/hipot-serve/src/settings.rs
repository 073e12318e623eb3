//! What a server is started with.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The program that solves tasks: `hipot`.
    pub program: PathBuf,
    /// The loopback address to listen on.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// How many runs there may be at once.
    pub runs: usize,
    /// How many requests may wait for a run.
    pub waiting: usize,
    /// The most time that a run may take.
    pub time: Duration,
    /// The most memory that a run may take, in bytes.
    pub memory: u64,
    /// The largest request, in bytes.
    pub size: usize,
}
