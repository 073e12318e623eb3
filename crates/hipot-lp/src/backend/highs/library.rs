//! Which HiGHS: the one that is linked, or one that is loaded at run time.
//!
//! The linked HiGHS runs on the processor. A build with CUDA runs PDLP on an
//! NVIDIA card, but it needs NVIDIA's compiler to be made and NVIDIA's
//! libraries to start, so it cannot be linked into a program for everybody: it
//! is a shared library that a user makes (`scripts/build-highs-cuda`) and names.
//!
//! # What is checked
//!
//! A wrong library must give a message, not a crash. So a library is taken only
//! if it has all functions of the table, the linked version's major and minor
//! number (the C interface changes with the latter, and so do the quirks that
//! the solver works around), and integers of the same size. The version is asked
//! for first, because another version may lack functions.
//!
//! # Whether there is a card
//!
//! The C interface of HiGHS 1.15 does not say what a build can do, and no option
//! does: the options of PDLP are the same in both kinds of build, and what is
//! built with CUDA runs PDLP on the card always. What tells them apart is the
//! CUDA code itself, by a function of PDLP that exists only there; it is found
//! in the library or in one that it depends on (by default HiGHS puts the CUDA
//! code into a library of its own, `libcudalin.so`). NVIDIA's runtime, another
//! dependency, is then asked how many cards there are. Without one, PDLP and
//! HiPDLP of such a build print errors to standard output and fail, so the
//! library is refused, and the linked HiGHS is no worse.
//!
//! # A library stays
//!
//! A loaded library is never unloaded: HiGHS keeps threads that wait for work,
//! a run that was given up goes on in the background, and CUDA does not bear
//! being unloaded. So its table lives as long as the program, and a [`Library`]
//! is a reference that is copied.

#![allow(unsafe_code)]

mod error;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;
use std::path::Path;

use highs_sys::HighsInt;

pub use self::error::LoadError;
use super::functions::{Functions, LINKED};
use crate::method::{GPU_NONZEROS, Method};

/// A function of PDLP on a card; with C's name in every build with CUDA.
const CUDA_CODE: &[u8] = b"cuda_alloc_MVbuffer\0";

/// A HiGHS to solve with.
#[derive(Clone, Copy)]
pub struct Library {
    pub(super) functions: &'static Functions,
    /// The file that it was loaded from.
    file: Option<&'static Path>,
    version: Version,
    cuda: bool,
}

/// Major, minor and patch number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version(HighsInt, HighsInt, HighsInt);

impl Library {
    /// The HiGHS that this program is linked with.
    pub fn linked() -> Self {
        Self { functions: &LINKED, file: None, version: Version::of(&LINKED), cuda: false }
    }

    /// Loads HiGHS from a shared library, `libhighs.so`, which must have the
    /// version of the linked one (the patch number aside). It stays loaded
    /// until the program ends.
    ///
    /// The library's code becomes part of the program, so name only files that
    /// are trusted as much as the program itself.
    pub fn load(file: &Path) -> Result<Self, LoadError> {
        let found = file.canonicalize().and_then(|path| Ok((path.metadata()?.is_file(), path)));
        let path = match found {
            Ok((true, path)) => path,
            Ok((false, _)) => return Err(no_file(file, "it is not a file")),
            Err(error) => return Err(no_file(file, &error.to_string())),
        };
        // SAFETY: what runs when a library is loaded is its makers' business,
        // which the document above hands to the caller.
        let loaded = unsafe { libloading::Library::new(path) };
        let loaded = loaded.map_err(|error| LoadError::NotALibrary {
            file: file.to_owned(),
            reason: error.to_string(),
        })?;
        // Kept, whatever the checks say: they run some of its code.
        let loaded: &'static _ = Box::leak(Box::new(loaded));
        let (functions, version) = check(loaded, file)?;
        let cuda = check_cuda(loaded, file)?;
        Ok(Self {
            functions: Box::leak(Box::new(functions)),
            file: Some(Box::leak(file.to_owned().into_boxed_path())),
            version,
            cuda,
        })
    }

    /// Whether PDLP and HiPDLP run on a graphics card: it was built with CUDA,
    /// and there is a card, as far as CUDA can be asked.
    pub const fn has_gpu(&self) -> bool {
        self.cuda
    }

    /// What to solve a problem of this size with: this HiGHS, unless the method
    /// is [`Method::Auto`] and the problem is too small for a card; then the
    /// linked one.
    #[must_use]
    pub fn suited_to(self, method: Method, nonzeros: usize) -> Self {
        let too_small = self.cuda && method == Method::Auto && nonzeros <= GPU_NONZEROS;
        if too_small { Self::linked() } else { self }
    }

    /// The file that it was loaded from; none for the linked HiGHS.
    pub const fn file(&self) -> Option<&Path> {
        self.file
    }

    /// The version, as in `1.15.0`.
    pub fn version(&self) -> String {
        self.version.to_string()
    }
}

impl Default for Library {
    fn default() -> Self {
        Self::linked()
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { functions: _, file, version, cuda } = self;
        f.debug_struct("Library")
            .field("file", file)
            .field("version", version)
            .field("cuda", cuda)
            .finish()
    }
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cuda = if self.cuda { " with CUDA" } else { "" };
        write!(f, "HiGHS {}{cuda}", self.version)?;
        self.file.map_or(Ok(()), |file| write!(f, " from '{}'", file.display()))
    }
}

impl Version {
    fn of(functions: &Functions) -> Self {
        // SAFETY: no arguments.
        unsafe {
            Self(
                (functions.Highs_versionMajor)(),
                (functions.Highs_versionMinor)(),
                (functions.Highs_versionPatch)(),
            )
        }
    }

    /// Whether the C interfaces are the same.
    fn is_compatible(self, other: Self) -> bool {
        (self.0, self.1) == (other.0, other.1)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

fn no_file(file: &Path, reason: &str) -> LoadError {
    LoadError::NoFile { file: file.to_owned(), reason: reason.to_owned() }
}

/// A function without arguments, as the version functions are.
type Number = unsafe extern "C" fn() -> HighsInt;

/// The table of a library that is the right HiGHS.
fn check(
    loaded: &'static libloading::Library,
    file: &Path,
) -> Result<(Functions, Version), LoadError> {
    let missing = |function| LoadError::MissingFunction { file: file.to_owned(), function };
    let number = |name: &'static CStr| {
        let function = name.to_str().expect("an ASCII name");
        // SAFETY: every HiGHS has these three with this type, and a library
        // with a function of such a name is taken for HiGHS.
        let answer = unsafe { loaded.get::<Number>(name.to_bytes_with_nul()).map(|ask| ask()) };
        answer.map_err(|_| missing(function))
    };
    let version = Version(
        number(c"Highs_versionMajor")?,
        number(c"Highs_versionMinor")?,
        number(c"Highs_versionPatch")?,
    );
    let linked = Version::of(&LINKED);
    if !version.is_compatible(linked) {
        let (found, linked) = (version.to_string(), linked.to_string());
        return Err(LoadError::Version { file: file.to_owned(), found, linked });
    }
    // SAFETY: the C interface of the linked version, and a library that stays.
    let functions = unsafe { Functions::load(loaded) }.map_err(missing)?;
    let bytes = integer_size(&functions);
    if usize::try_from(bytes) != Ok(size_of::<HighsInt>()) {
        return Err(LoadError::IntegerSize { file: file.to_owned(), bytes });
    }
    Ok((functions, version))
}

/// The size of HiGHS's integers, which only an instance tells.
fn integer_size(functions: &Functions) -> HighsInt {
    // SAFETY: an instance made, asked and destroyed; functions that take no
    // integers, and one that returns a small one, are the same for every size.
    unsafe {
        let raw: *mut c_void = (functions.Highs_create)();
        assert!(!raw.is_null(), "HiGHS cannot be started: out of memory");
        let bytes = (functions.Highs_getSizeofHighsInt)(raw);
        (functions.Highs_destroy)(raw);
        bytes
    }
}

/// `cudaGetDeviceCount` and `cudaGetErrorString` of NVIDIA's runtime.
type DeviceCount = unsafe extern "C" fn(*mut c_int) -> c_int;
type ErrorString = unsafe extern "C" fn(c_int) -> *const c_char;

/// Whether the library was built with CUDA; an error if there is no card then.
fn check_cuda(loaded: &libloading::Library, file: &Path) -> Result<bool, LoadError> {
    // SAFETY: only whether there is such a function is of interest.
    if unsafe { loaded.get::<*const c_void>(CUDA_CODE) }.is_err() {
        return Ok(false);
    }
    let no_card = |reason: String| LoadError::NoCard { file: file.to_owned(), reason };
    // SAFETY: the types that NVIDIA documents, the same in all versions.
    let runtime = unsafe {
        let count = loaded.get::<DeviceCount>(b"cudaGetDeviceCount\0");
        count.and_then(|count| Ok((count, loaded.get::<ErrorString>(b"cudaGetErrorString\0")?)))
    };
    let Ok((device_count, error_string)) = runtime else {
        // The runtime is linked statically and hidden: nobody can be asked.
        return Ok(true);
    };
    let mut count = 0;
    // SAFETY: a place for the answer; the error's name is a constant string.
    unsafe {
        let error = device_count(&raw mut count);
        if error != 0 {
            return Err(no_card(CStr::from_ptr(error_string(error)).to_string_lossy().into()));
        }
    }
    if count < 1 { Err(no_card("CUDA counts none".to_owned())) } else { Ok(true) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_that_differ_in_the_patch_are_compatible() {
        let linked = Version(1, 15, 0);
        assert!(Version(1, 15, 3).is_compatible(linked));
        for other in [Version(1, 14, 0), Version(1, 16, 0), Version(2, 15, 0)] {
            assert!(!other.is_compatible(linked), "{other}");
        }
    }

    #[test]
    fn the_linked_library_is_itself_compatible() {
        let linked = Library::linked();
        let size = integer_size(linked.functions);
        assert_eq!(usize::try_from(size), Ok(size_of::<HighsInt>()));
        assert_eq!(linked.to_string(), format!("HiGHS {}", linked.version()));
        assert_eq!((linked.file(), linked.has_gpu()), (None, false));
    }

    #[test]
    fn only_large_problems_go_to_a_card_by_themselves() {
        let file = Some(Path::new("libhighs.so"));
        let card = Library { file, cuda: true, ..Library::linked() };
        let processor = Library { file, ..Library::linked() };
        let large = GPU_NONZEROS + 1;
        assert_eq!(card.suited_to(Method::Auto, GPU_NONZEROS).file(), None);
        assert_eq!(card.suited_to(Method::Auto, large).file(), file);
        assert_eq!(card.suited_to(Method::Pdlp, 1).file(), file);
        assert_eq!(processor.suited_to(Method::Auto, 1).file(), file);
    }

    #[test]
    fn errors_name_the_file_and_both_sides() {
        let file = Path::new("libhighs.so").to_owned();
        let version = LoadError::Version {
            file: file.clone(),
            found: Version(1, 12, 0).to_string(),
            linked: Version(1, 15, 0).to_string(),
        };
        for part in ["'libhighs.so'", "1.12.0", "1.15.0"] {
            assert!(version.to_string().contains(part), "{version}");
        }
        let size = LoadError::IntegerSize { file, bytes: 8 };
        for part in ["'libhighs.so'", "64 bits", "32 are needed"] {
            assert!(size.to_string().contains(part), "{size}");
        }
    }
}
