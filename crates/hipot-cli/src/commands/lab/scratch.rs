//! Who makes runs on this machine.

use hipot_lab::{Executor, Scratch, machine};

use super::failure::LabFailure;
use crate::commands::context::Context;
use crate::version::VERSION;

/// An executor of runs on this machine, and the folder with their files, which is removed
/// when it is dropped.
pub(super) fn executor(context: &Context) -> Result<(Scratch, Executor), LabFailure> {
    let scratch = Scratch::new()?;
    let (machine, revision) = (machine(), format!("hipot {VERSION}"));
    let folder = scratch.path().to_owned();
    let hipot = context.program.clone();
    Ok((scratch, Executor { hipot, revision, machine, scratch: folder }))
}
