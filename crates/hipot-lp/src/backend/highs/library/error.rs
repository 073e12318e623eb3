//! Why a file cannot be used as HiGHS.

use std::path::PathBuf;

use highs_sys::HighsInt;

/// A file cannot be used as HiGHS.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no such file, or it may not be looked at.
    #[error("cannot read the HiGHS library '{}': {reason}", file.display())]
    NoFile {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The system cannot load it: it is no shared library, or one for another
    /// machine, or a library that it needs is missing.
    #[error("cannot load the HiGHS library '{}': {reason}", file.display())]
    NotALibrary {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// It is a library, but has not all functions of HiGHS.
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
    /// It was built with CUDA, and CUDA finds no card.
    #[error(
        "the HiGHS library '{}' was built with CUDA, but there is no NVIDIA card to run it on: \
         {reason}", file.display()
    )]
    NoCard {
        /// The file.
        file: PathBuf,
        /// What CUDA says.
        reason: String,
    },
}
