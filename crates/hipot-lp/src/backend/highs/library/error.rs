//! Reasons why a file cannot be used as HiGHS.

use std::path::PathBuf;

use highs_sys::HighsInt;

/// A file cannot be used as HiGHS.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file does not exist or cannot be read.
    #[error("cannot read the HiGHS library '{}': {reason}", file.display())]
    NoFile {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// This program is linked statically, so it can load no libraries.
    #[error(
        "this hipot is a static program and cannot load the HiGHS library '{}': use the hipot of \
         the Python package, or build it from source", file.display()
    )]
    StaticProgram {
        /// The file.
        file: PathBuf,
    },
    /// The system cannot load the file: it is not a shared library, or it is one for
    /// another machine, or a library that it depends on is missing.
    #[error("cannot load the HiGHS library '{}': {reason}", file.display())]
    NotALibrary {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// It is a library but lacks a function of HiGHS.
    #[error("'{}' is not a HiGHS library: it has no function {function}", file.display())]
    MissingFunction {
        /// The file.
        file: PathBuf,
        /// The function.
        function: &'static str,
    },
    /// It is another version of HiGHS.
    #[error(
        "the HiGHS library '{}' has version {found}, but this program was built with HiGHS \
         {linked} and needs the same major and minor version", file.display()
    )]
    Version {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: String,
        /// The version of the linked HiGHS.
        linked: String,
    },
    /// It was built with integers of another size.
    #[error(
        "the HiGHS library '{}' has integers of {} bits, but {} are needed: build it with \
         HIGHSINT64=OFF", file.display(), 8 * bytes, HighsInt::BITS
    )]
    IntegerSize {
        /// The file.
        file: PathBuf,
        /// The size of its integers in bytes.
        bytes: HighsInt,
    },
    /// It was built with CUDA, but CUDA finds no GPU.
    #[error(
        "the HiGHS library '{}' was built with CUDA, but there is no NVIDIA GPU to run it on: \
         {reason}", file.display()
    )]
    NoCard {
        /// The file.
        file: PathBuf,
        /// What CUDA says.
        reason: String,
    },
}
