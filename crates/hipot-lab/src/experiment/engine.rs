//! The settings of engines: the table `[engine]`.

use serde::Deserialize;

use super::values::Count;

/// Where and how runs are made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "RawEngine")]
pub struct EngineSettings {
    /// On this machine, or on a cluster.
    pub kind: EngineKind,
    /// The number of runs that this machine makes at once; `None`: one per core.
    pub cores: Option<u32>,
    /// The settings for Slurm.
    pub slurm: SlurmSettings,
}

/// The kinds of engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineKind {
    /// Processes on this machine.
    #[default]
    Local,
    /// Array jobs of Slurm.
    Slurm,
}

/// Settings of the Slurm engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlurmSettings {
    /// `--partition`.
    pub partition: Option<String>,
    /// `--qos`.
    pub qos: Option<String>,
    /// `--account`.
    pub account: Option<String>,
    /// The number of runs that an array element makes, one after the other.
    pub chunk: Option<u32>,
    /// The most array elements that run at once.
    pub array_limit: Option<u32>,
    /// How often a run is submitted again if it left no record.
    pub retries: Option<u32>,
    /// Shell commands before the runs.
    pub setup: Vec<String>,
    /// Further options of `sbatch`.
    pub options: Vec<String>,
    /// `--export`.
    pub export: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawEngine {
    #[serde(default)]
    kind: EngineKind,
    cores: Option<Count>,
    partition: Option<String>,
    qos: Option<String>,
    account: Option<String>,
    chunk: Option<Count>,
    array_limit: Option<Count>,
    retries: Option<u32>,
    #[serde(default)]
    setup: Vec<String>,
    #[serde(default)]
    options: Vec<String>,
    export: Option<String>,
}

impl From<RawEngine> for EngineSettings {
    fn from(raw: RawEngine) -> Self {
        let slurm = SlurmSettings {
            partition: raw.partition,
            qos: raw.qos,
            account: raw.account,
            chunk: raw.chunk.map(|count| count.0),
            array_limit: raw.array_limit.map(|count| count.0),
            retries: raw.retries,
            setup: raw.setup,
            options: raw.options,
            export: raw.export,
        };
        Self { kind: raw.kind, cores: raw.cores.map(|count| count.0), slurm }
    }
}
