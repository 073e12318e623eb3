//! The listed states as a stream: writer and reader.
//!
//! `docs/formats.md` has the format. States come in runs of the same cost, in the order of costs,
//! and in a run in the order of their bytes. So each state begins as the one before it, and
//! only the number of these bytes and the others are written. The whole is compressed in the
//! format of zlib, which notices most damage. Nothing says how many states there are: a
//! reader needs no more memory than what it has read, whatever the file.

use std::io::{self, BufRead, BufReader, Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::code::StateCode;

/// Writes listed states.
pub struct StatesWriter<W: Write> {
    out: ZlibEncoder<W>,
    width: usize,
    /// The cost of the last run.
    cost: u64,
    buffer: Vec<u8>,
    written: u64,
}

impl<W: Write> StatesWriter<W> {
    /// A writer of states in this code.
    pub fn new(code: &StateCode, out: W) -> Self {
        let out = ZlibEncoder::new(out, Compression::new(LEVEL));
        Self { out, width: code.width(), cost: 0, buffer: Vec::new(), written: 0 }
    }

    /// Writes states, one after the other in `states`, in any order but all different, that have
    /// this cost. Costs must not fall from one call to the next.
    ///
    /// # Panics
    /// If costs fall.
    pub fn write_run(&mut self, cost: u64, states: &[u8]) -> io::Result<()> {
        let mut sorted: Vec<&[u8]> = states.chunks_exact(self.width).collect();
        sorted.sort_unstable();
        let Some(first) = sorted.first() else { return Ok(()) };
        let rise = cost.checked_sub(self.cost).expect("costs do not fall");
        push_number(&mut self.buffer, rise + 1);
        self.buffer.extend_from_slice(first);
        for pair in sorted.windows(2) {
            let same = pair[0].iter().zip(pair[1]).take_while(|(one, other)| one == other).count();
            push_number(&mut self.buffer, same as u64);
            self.buffer.extend_from_slice(&pair[1][same..]);
            if self.buffer.len() >= CHUNK {
                self.flush()?;
            }
        }
        push_number(&mut self.buffer, self.width as u64);
        self.cost = cost;
        self.written += sorted.len() as u64;
        self.flush()
    }

    /// The number of states written.
    pub fn written(&self) -> u64 {
        self.written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the end, and returns what was written to.
    pub fn finish(mut self) -> io::Result<W> {
        push_number(&mut self.buffer, 0);
        self.flush()?;
        self.out.finish()
    }
}

/// The level of compression: higher ones take several times as long and save a few percent.
const LEVEL: u32 = 3;

/// So many bytes are compressed at once.
const CHUNK: usize = 1 << 16;

/// Appends a number: seven bits in each byte, the lowest first; the highest bit says that there
/// are more.
fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// What is wrong with the list of states, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the list of states is damaged after {states} of them: {message}")]
pub struct StatesError {
    /// The number of states read before.
    pub states: u64,
    /// What is wrong there.
    pub message: String,
}

/// Reads listed states.
pub struct States<R: BufRead> {
    input: BufReader<ZlibDecoder<R>>,
    read: u64,
}

/// What comes next in the list.
pub(super) enum Next {
    /// A state.
    State,
    /// The end.
    End,
}

/// Where a [`States`] is.
pub(super) struct Cursor {
    /// The cost of the current state.
    pub(super) cost: u64,
    /// The bytes of the current state.
    pub(super) bytes: Vec<u8>,
    is_in_run: bool,
}

impl Cursor {
    pub(super) fn new(code: &StateCode) -> Self {
        Self { cost: 0, bytes: vec![0; code.width()], is_in_run: false }
    }
}

impl<R: BufRead> States<R> {
    /// A reader of what a [`StatesWriter`] has written, to the end of `input`.
    pub(super) fn new(input: R) -> Self {
        Self { input: BufReader::new(ZlibDecoder::new(input)), read: 0 }
    }

    /// Moves to the next state.
    pub(super) fn next(&mut self, cursor: &mut Cursor) -> Result<Next, StatesError> {
        let width = cursor.bytes.len();
        if cursor.is_in_run {
            let same = self.number()?;
            if same < width as u64 {
                self.rest(cursor, same as usize)?;
                return Ok(Next::State);
            }
            if same > width as u64 {
                return Err(self.error(format!("a state has {width} bytes, not {same}")));
            }
        }
        let Some(rise) = self.number()?.checked_sub(1) else {
            self.end()?;
            return Ok(Next::End);
        };
        let cost = cursor.cost.checked_add(rise);
        cursor.cost = cost.ok_or_else(|| self.error("a cost is too large".to_owned()))?;
        cursor.is_in_run = true;
        self.bytes(&mut cursor.bytes)?;
        self.read += 1;
        Ok(Next::State)
    }

    /// Reads the rest of a state that begins with `same` bytes of the one before.
    fn rest(&mut self, cursor: &mut Cursor, same: usize) -> Result<(), StatesError> {
        let before = cursor.bytes[same];
        self.bytes(&mut cursor.bytes[same..])?;
        if cursor.bytes[same] <= before {
            return Err(self.error("a state must come before the one before it".to_owned()));
        }
        self.read += 1;
        Ok(())
    }

    /// The end of the compressed data, and of the file.
    fn end(&mut self) -> Result<(), StatesError> {
        let more = self.input.fill_buf().map(|rest| !rest.is_empty());
        let more = more.map_err(|error| self.unreadable(&error))?;
        if more {
            return Err(self.error("there is more after its end".to_owned()));
        }
        let after = self.input.get_mut().get_mut().fill_buf().map(|rest| !rest.is_empty());
        if after.map_err(|error| self.unreadable(&error))? {
            return Err(self.error("the file goes on after its end".to_owned()));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<u64, StatesError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.bytes(&mut byte)?;
            let bits = u64::from(byte[0] & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte[0] & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.error("a number is too large".to_owned()))
    }

    fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), StatesError> {
        self.input.read_exact(bytes).map_err(|error| self.unreadable(&error))
    }

    fn unreadable(&self, error: &io::Error) -> StatesError {
        self.error(match error.kind() {
            io::ErrorKind::UnexpectedEof => "it ends too early".to_owned(),
            _ => error.to_string(),
        })
    }

    /// An error at this place.
    pub(super) fn error(&self, message: String) -> StatesError {
        StatesError { states: self.read, message }
    }
}
