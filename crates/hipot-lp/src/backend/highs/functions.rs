//! The functions of HiGHS's C interface that this crate calls, as a table.
//!
//! Each is listed once, with its type. A macro turns the list into a struct of
//! function pointers, the table of the linked HiGHS, and a function that fills
//! a table from a loaded library. The compiler checks that the types match the
//! C interface when it fills the table of the linked HiGHS.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_void};

use highs_sys as ffi;
use highs_sys::HighsInt;

/// Declares the table; see the module documentation.
macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// One pointer per function, under its C name.
        #[derive(Clone, Copy, Debug)]
        #[allow(non_snake_case, reason = "the names of the C interface")]
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        /// The functions of the HiGHS that this program is linked with.
        pub(super) static LINKED: Functions = Functions { $($name: ffi::$name,)* };

        impl Functions {
            /// The functions of a library, or the name of the first that is missing.
            ///
            /// # Safety
            ///
            /// The library's functions must have the types that the C interface of
            /// the linked HiGHS gives to these names, and the table must not be used
            /// after the library is unloaded.
            pub(super) unsafe fn load(from: &libloading::Library) -> Result<Self, &'static str> {
                Ok(Self {
                    // SAFETY: the caller guarantees the types; the name ends in zero.
                    $($name: *unsafe { from.get(concat!(stringify!($name), "\0").as_bytes()) }
                        .map_err(|_| stringify!($name))?,)*
                })
            }
        }
    };
}

/// An instance that a function may change.
type Highs = *mut c_void;
/// An instance that a function only reads.
type ConstHighs = *const c_void;
/// Numbers to read, and buffers for numbers.
type Ints = *const HighsInt;
type IntsOut = *mut HighsInt;
type Doubles = *const f64;
type DoublesOut = *mut f64;
/// A zero-terminated string.
type Str = *const c_char;

functions! {
    Highs_versionMajor() -> HighsInt;
    Highs_versionMinor() -> HighsInt;
    Highs_versionPatch() -> HighsInt;
    Highs_create() -> Highs;
    Highs_destroy(Highs);
    Highs_getSizeofHighsInt(ConstHighs) -> HighsInt;
    Highs_setBoolOptionValue(Highs, Str, HighsInt) -> HighsInt;
    Highs_setIntOptionValue(Highs, Str, HighsInt) -> HighsInt;
    Highs_setDoubleOptionValue(Highs, Str, f64) -> HighsInt;
    Highs_setStringOptionValue(Highs, Str, Str) -> HighsInt;
    Highs_setCallback(Highs, ffi::HighsCCallbackType, *mut c_void) -> HighsInt;
    Highs_startCallback(Highs, HighsInt) -> HighsInt;
    Highs_passLp(
        Highs, HighsInt, HighsInt, HighsInt, HighsInt, HighsInt, f64, Doubles, Doubles, Doubles,
        Doubles, Doubles, Ints, Ints, Doubles
    ) -> HighsInt;
    Highs_readModel(Highs, Str) -> HighsInt;
    Highs_addCol(Highs, f64, f64, f64, HighsInt, Ints, Doubles) -> HighsInt;
    Highs_addCols(
        Highs, HighsInt, Doubles, Doubles, Doubles, HighsInt, Ints, Ints, Doubles
    ) -> HighsInt;
    Highs_addRows(Highs, HighsInt, Doubles, Doubles, HighsInt, Ints, Ints, Doubles) -> HighsInt;
    Highs_changeColsCostByRange(Highs, HighsInt, HighsInt, Doubles) -> HighsInt;
    Highs_changeColsCostBySet(Highs, HighsInt, Ints, Doubles) -> HighsInt;
    Highs_changeRowsBoundsBySet(Highs, HighsInt, Ints, Doubles, Doubles) -> HighsInt;
    Highs_changeObjectiveOffset(Highs, f64) -> HighsInt;
    Highs_changeObjectiveSense(Highs, HighsInt) -> HighsInt;
    Highs_getNumCol(ConstHighs) -> HighsInt;
    Highs_getNumRow(ConstHighs) -> HighsInt;
    Highs_getNumNz(ConstHighs) -> HighsInt;
    Highs_getObjectiveOffset(ConstHighs, DoublesOut) -> HighsInt;
    Highs_getObjectiveSense(ConstHighs, IntsOut) -> HighsInt;
    Highs_getColsByRange(
        ConstHighs, HighsInt, HighsInt, IntsOut, DoublesOut, DoublesOut, DoublesOut, IntsOut,
        IntsOut, IntsOut, DoublesOut
    ) -> HighsInt;
    Highs_getRowsByRange(
        ConstHighs, HighsInt, HighsInt, IntsOut, DoublesOut, DoublesOut, IntsOut, IntsOut, IntsOut,
        DoublesOut
    ) -> HighsInt;
    Highs_zeroAllClocks(ConstHighs) -> HighsInt;
    Highs_run(Highs) -> HighsInt;
    Highs_clearSolver(Highs) -> HighsInt;
    Highs_getModelStatus(ConstHighs) -> HighsInt;
    Highs_getIntInfoValue(ConstHighs, Str, IntsOut) -> HighsInt;
    Highs_getSolution(ConstHighs, DoublesOut, DoublesOut, DoublesOut, DoublesOut) -> HighsInt;
    Highs_getObjectiveValue(ConstHighs) -> f64;
    Highs_getPrimalRay(ConstHighs, IntsOut, DoublesOut) -> HighsInt;
}
