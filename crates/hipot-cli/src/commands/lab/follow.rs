//! Shows how far the runs of an experiment are.

use std::sync::Arc;
use std::time::Instant;

use hipot_lab::slurm::Progress;
use hipot_lab::{Event, Overview, Record, Status as RunStatus, human, plain};

use crate::progress::Terminal;

/// Shows how far the runs of an experiment are.
pub(super) struct Follower {
    terminal: Arc<Terminal>,
    begin: Instant,
    runs: u64,
    done: u64,
    solved: u64,
    /// The number of runs made since this command began.
    made: u64,
    /// The state of the cluster's queue, to end the message with.
    queue: String,
}

impl Follower {
    pub(super) fn new(overview: &Overview, terminal: &Arc<Terminal>) -> Self {
        let solved = overview.configurations.iter().map(|line| line.count(RunStatus::Solved));
        Self {
            terminal: Arc::clone(terminal),
            begin: Instant::now(),
            runs: overview.runs,
            done: overview.done,
            solved: solved.sum(),
            made: 0,
            queue: String::new(),
        }
    }

    pub(super) fn see(&mut self, event: &Event<'_>) {
        match event {
            Event::Began(claim) => {
                let (task, name) = (&claim.task, &claim.configuration.name);
                tracing::trace!("{}/{} {name} begins", task.domain, task.problem);
            }
            Event::Ended(record) => {
                self.done += 1;
                self.made += 1;
                self.solved += u64::from(record.status == RunStatus::Solved);
                self.log(record);
            }
            Event::Tick => {}
        }
        let (done, runs, solved) = (self.done, self.runs, self.solved);
        let (left, queue) = (self.seconds_left(), &self.queue);
        self.terminal.show_runs(|| {
            let left = left.map_or(String::new(), |left| format!(", about {} left", human(left)));
            format!("{done} of {runs} runs, {solved} solved{left}{queue}")
        });
    }

    /// Shows the state of a cluster's queue.
    pub(super) fn see_queue(&mut self, progress: &Progress) {
        let elements = progress.elements.iter().map(|(state, count)| format!("{count} {state}"));
        let waiting = progress.unsubmitted;
        let waiting = (waiting > 0).then(|| format!("{waiting} not submitted"));
        let words: Vec<String> = elements.chain(waiting).collect();
        self.queue =
            if words.is_empty() { String::new() } else { format!("; Slurm: {}", words.join(", ")) };
        self.see(&Event::Tick);
    }

    /// The time that is left if the remaining runs take as long as those made so far.
    fn seconds_left(&self) -> Option<f64> {
        let left = self.runs.saturating_sub(self.done);
        (self.made > 0).then(|| self.begin.elapsed().as_secs_f64() * left as f64 / self.made as f64)
    }

    fn log(&self, record: &Record) {
        let Record { domain, problem, configuration, status, reason, measures, .. } = record;
        let cost = measures.cost.map_or(String::new(), |cost| format!(", cost {cost}"));
        let reason = reason.as_ref().map_or(String::new(), |r| format!(" ({})", plain(r)));
        let (done, runs, seconds) = (self.done, self.runs, measures.wall_seconds);
        tracing::debug!(
            "{done}/{runs} {domain}/{problem} {configuration}: {status}{reason}{cost}, \
             {seconds:.2} s"
        );
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.terminal.clear();
    }
}
