//! What a planner writes: all of it is read, but the middle is not kept.
//!
//! A pipe that nobody reads blocks its writer; one that is kept whole fills our memory. So one
//! thread each for standard output and standard error reads everything and keeps the
//! beginning and the end.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

/// The bytes kept of the beginning of a stream, and again of its end. A record's log gets
/// less; but a JSON report, with its plan, can only be read if it is whole.
const KEPT_BYTES: usize = 1 << 20;

/// The beginning and the end of a stream.
#[derive(Debug)]
pub(super) struct Excerpt {
    kept: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// The number of bytes between them.
    left_out: u64,
}

impl Excerpt {
    fn new(kept: usize) -> Self {
        Self { kept, head: Vec::new(), tail: VecDeque::new(), left_out: 0 }
    }

    fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.kept - self.head.len()));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let excess = self.tail.len().saturating_sub(self.kept);
        self.tail.drain(..excess);
        self.left_out += excess as u64;
    }

    /// The text, with a line in place of what was left out.
    fn text(&self) -> String {
        let mut bytes = self.head.clone();
        if self.left_out > 0 {
            bytes.extend_from_slice(format!("\n[… {} bytes …]\n", self.left_out).as_bytes());
        }
        bytes.extend(&self.tail);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The standard output and standard error of a planner.
#[derive(Debug)]
pub(super) struct Capture {
    streams: [Arc<Mutex<Excerpt>>; 2],
    written: Arc<AtomicU64>,
    /// Closed when both streams have ended.
    ended: Receiver<()>,
}

impl Capture {
    /// Starts reading.
    pub(super) fn begin(
        stdout: impl Read + Send + 'static,
        stderr: impl Read + Send + 'static,
    ) -> io::Result<Self> {
        let written = Arc::new(AtomicU64::new(0));
        let (running, ended) = channel();
        let first = drain(stdout, Arc::clone(&written), running.clone())?;
        let second = drain(stderr, Arc::clone(&written), running)?;
        Ok(Self { streams: [first, second], written, ended })
    }

    /// The number of bytes written so far, to both streams together.
    pub(super) fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// What was written to standard output and to standard error. To be called when the
    /// planner's processes are dead; should an unrelated process hold a descriptor, we wait
    /// one second for it.
    pub(super) fn finish(&self) -> [String; 2] {
        let deadline = Instant::now() + Duration::from_secs(1);
        let left = || deadline.saturating_duration_since(Instant::now());
        while !matches!(
            self.ended.recv_timeout(left()),
            Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout)
        ) {}
        let text =
            |stream: &Mutex<Excerpt>| stream.lock().unwrap_or_else(PoisonError::into_inner).text();
        let [stdout, stderr] = &self.streams;
        [text(stdout), text(stderr)]
    }
}

/// Reads a stream in a thread of its own, which drops `running` when the stream ends.
fn drain(
    mut stream: impl Read + Send + 'static,
    written: Arc<AtomicU64>,
    running: Sender<()>,
) -> io::Result<Arc<Mutex<Excerpt>>> {
    let excerpt = Arc::new(Mutex::new(Excerpt::new(KEPT_BYTES)));
    let shared = Arc::clone(&excerpt);
    let read = move || {
        let _running = running;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => {
                    written.fetch_add(count as u64, Ordering::Relaxed);
                    shared.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..count]);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    };
    thread::Builder::new().name("drain".to_owned()).spawn(read)?;
    Ok(excerpt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_are_kept() {
        let mut excerpt = Excerpt::new(4);
        for piece in ["ab", "", "cdefg", "hijklmnop"] {
            excerpt.push(piece.as_bytes());
        }
        assert_eq!(excerpt.text(), "abcd\n[… 8 bytes …]\nmnop");
    }

    #[test]
    fn short_streams_are_whole_and_bytes_become_text() {
        let mut excerpt = Excerpt::new(4);
        excerpt.push(b"a\xffbcdef");
        assert_eq!(excerpt.text(), "a\u{fffd}bcdef");
    }

    #[test]
    fn two_streams_are_apart_and_counted_together() {
        let capture = Capture::begin(&b"out"[..], &b"error"[..]).expect("threads");
        assert_eq!(capture.finish(), ["out", "error"]);
        assert_eq!(capture.written(), 8);
    }
}
