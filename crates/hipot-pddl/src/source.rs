//! Files, and places in them.

use std::io;
use std::path::Path;

/// A file's name, as messages show it, and its bytes.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name.
    pub name: String,
    /// The bytes.
    pub text: Vec<u8>,
}

impl Source {
    /// A source with this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Reads a file.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { name: path.display().to_string(), text: std::fs::read(path)? })
    }
}

/// One of the two files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum File {
    /// The domain.
    Domain,
    /// The problem.
    Problem,
}

/// A range of bytes in one of the files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file.
    pub file: File,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

/// Where the lines of a file begin.
pub(crate) struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub(crate) fn new(text: &[u8]) -> Self {
        let newlines = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        let starts = newlines.map(|(index, _)| index as u32 + 1);
        Self { starts: std::iter::once(0).chain(starts).collect() }
    }

    /// The number of the line with this byte, counted from 1.
    pub(crate) fn line(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset)
    }

    /// The first byte of a line, counted from 1.
    pub(crate) fn start(&self, line: usize) -> usize {
        self.starts[line - 1] as usize
    }
}
