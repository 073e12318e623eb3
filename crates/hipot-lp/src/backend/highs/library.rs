//! The HiGHS to call: the linked one, or one that is loaded at run time.
//!
//! The linked HiGHS runs on the processor. A build with CUDA runs PDLP on an
//! NVIDIA GPU, but building it takes NVIDIA's compiler and starting it takes
//! NVIDIA's libraries, so it cannot be linked into a program for everybody. It
//! is a shared library that the user builds (`scripts/build-highs-cuda`) and
//! names.
//!
//! # What is checked
//!
//! A wrong library must give a message, not a crash. So a library is accepted
//! only if it has all functions of the table, the major and minor version of
//! the linked HiGHS (the C interface changes with the minor version, and so do
//! the surprises that the solver works around), and integers of the same size.
//! The version is checked first, because another version may lack functions.
//!
//! # Detecting a GPU
//!
//! Neither the C interface of HiGHS 1.15 nor an option says whether a build uses
//! CUDA: the options of PDLP are the same in both kinds of build, and a build
//! with CUDA always runs PDLP on the GPU. What distinguishes them is the CUDA
//! code itself: we look for a function of PDLP that exists only there, in the
//! library or in one that it depends on (by default HiGHS puts the CUDA code
//! into a library of its own, `libcudalin.so`). Then NVIDIA's runtime, another
//! dependency, reports the number of GPUs. Without one, PDLP and HiPDLP of such
//! a build print errors to standard output and fail, so the library is rejected;
//! the linked HiGHS is at least as good.
//!
//! # Libraries are never unloaded
//!
//! HiGHS keeps threads that wait for work, an abandoned run continues in the
//! background, and CUDA does not survive being unloaded. So the table of a
//! loaded library lives as long as the program, and a [`Library`] is a
//! reference that can be copied.

#![allow(unsafe_code)]

mod error;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;
use std::path::Path;

use highs_sys::HighsInt;

pub use self::error::LoadError;
use super::functions::{Functions, LINKED};
use crate::ladder::GPU_NONZEROS;
use crate::method::Method;

/// A function of PDLP for the GPU, exported under its C name by every build with CUDA.
const CUDA_CODE: &[u8] = b"cuda_alloc_MVbuffer\0";

/// A HiGHS to solve with.
#[derive(Clone, Copy)]
pub struct Library {
    pub(super) functions: &'static Functions,
    /// The file that it was loaded from; none for the linked HiGHS.
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
    /// version of the linked one, except for the patch number. It stays loaded
    /// until the program ends.
    ///
    /// The library's code becomes part of the program, so load only files that
    /// you trust as much as the program itself.
    pub fn load(file: &Path) -> Result<Self, LoadError> {
        let found = file.canonicalize().and_then(|path| Ok((path.metadata()?.is_file(), path)));
        let path = match found {
            Ok((true, path)) => path,
            Ok((false, _)) => return Err(no_file(file, "it is not a file")),
            Err(error) => return Err(no_file(file, &error.to_string())),
        };
        if cfg!(target_feature = "crt-static") {
            return Err(LoadError::StaticProgram { file: file.to_owned() });
        }
        // SAFETY: loading a library runs its initialization code. As documented
        // above, the caller vouches for it.
        let loaded = unsafe { libloading::Library::new(path) };
        let loaded = loaded.map_err(|error| LoadError::NotALibrary {
            file: file.to_owned(),
            reason: error.to_string(),
        })?;
        // Never unloaded, even if a check fails: the checks run some of its code.
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

    /// Whether PDLP and HiPDLP run on a GPU: the library was built with CUDA, and
    /// CUDA does not report that there is no GPU.
    pub const fn has_gpu(&self) -> bool {
        self.cuda
    }

    /// The library to solve a problem of this size with: this one, unless it uses
    /// a GPU, the method is [`Method::Auto`] and the problem is too small for a
    /// GPU; then the linked HiGHS.
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

/// The type of the version functions.
type VersionNumber = unsafe extern "C" fn() -> HighsInt;

/// The table and version of a library, if it is a compatible HiGHS.
fn check(
    loaded: &'static libloading::Library,
    file: &Path,
) -> Result<(Functions, Version), LoadError> {
    let missing = |function| LoadError::MissingFunction { file: file.to_owned(), function };
    let number = |name: &'static CStr| {
        let function = name.to_str().expect("an ASCII name");
        // SAFETY: every HiGHS has these three functions with this type, and we
        // assume that a library with a function of such a name is HiGHS.
        let answer =
            unsafe { loaded.get::<VersionNumber>(name.to_bytes_with_nul()).map(|ask| ask()) };
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

/// The size of HiGHS's integers, which only an instance reports.
fn integer_size(functions: &Functions) -> HighsInt {
    // SAFETY: an instance is created, queried and destroyed. The functions take no
    // integers and return at most a small one, so they work for every size.
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

/// Whether the library was built with CUDA; an error if it was but there is no GPU.
fn check_cuda(loaded: &libloading::Library, file: &Path) -> Result<bool, LoadError> {
    // SAFETY: the symbol is only looked up, never used.
    if unsafe { loaded.get::<*const c_void>(CUDA_CODE) }.is_err() {
        return Ok(false);
    }
    let no_gpu = |reason: String| LoadError::NoCard { file: file.to_owned(), reason };
    // SAFETY: the types that NVIDIA documents, the same in all versions.
    let runtime = unsafe {
        let count = loaded.get::<DeviceCount>(b"cudaGetDeviceCount\0");
        count.and_then(|count| Ok((count, loaded.get::<ErrorString>(b"cudaGetErrorString\0")?)))
    };
    let Ok((device_count, error_string)) = runtime else {
        // The runtime is linked statically and hidden, so it cannot be queried.
        return Ok(true);
    };
    let mut count = 0;
    // SAFETY: a buffer for the answer; the error's name is a constant string.
    unsafe {
        let error = device_count(&raw mut count);
        if error != 0 {
            return Err(no_gpu(CStr::from_ptr(error_string(error)).to_string_lossy().into()));
        }
    }
    if count < 1 { Err(no_gpu("CUDA finds none".to_owned())) } else { Ok(true) }
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
    fn auto_sends_only_large_problems_to_a_gpu() {
        let file = Some(Path::new("libhighs.so"));
        let gpu = Library { file, cuda: true, ..Library::linked() };
        let processor = Library { file, ..Library::linked() };
        let large = GPU_NONZEROS + 1;
        assert_eq!(gpu.suited_to(Method::Auto, GPU_NONZEROS).file(), None);
        assert_eq!(gpu.suited_to(Method::Auto, large).file(), file);
        assert_eq!(gpu.suited_to(Method::Pdlp, 1).file(), file);
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
