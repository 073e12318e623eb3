//! Log lines, on standard error unless they belong to standard output.

use std::fmt;
use std::fs::File;
use std::io;
use std::time::Instant;

use tracing::Level;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::writer::BoxMakeWriter;

/// Sends logs up to `level` to a file, or to standard error by default, with the time since
/// `begin`.
pub(crate) fn init(level: Level, begin: Instant, file: Option<File>) {
    let writer = match file {
        Some(file) => BoxMakeWriter::new(file),
        None => BoxMakeWriter::new(io::stderr),
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_timer(Since(begin))
        .with_target(false)
        .with_level(false)
        .with_ansi(false)
        .with_writer(writer)
        // The reader of standard output may go away.
        .log_internal_errors(false)
        .init();
}

struct Since(Instant);

impl FormatTime for Since {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "[{:.3}s]", self.0.elapsed().as_secs_f64())
    }
}
