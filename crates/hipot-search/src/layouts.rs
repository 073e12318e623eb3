//! One value for each layout of records, of which a search has one.
//!
//! The width of a state is known to the compiler if it has at most eight words. So what works on
//! records, a [`Family`] of types, is compiled for each of these widths, and for all others
//! together; and once more with costs of 64 bits, for all widths. The macros choose among them.

use crate::registry::{AnyWidth, Fixed, Layout};

/// A type for each layout.
pub(crate) trait Family {
    type Of<L: Layout>;
}

/// A value of a family.
pub(crate) enum ByLayout<F: Family> {
    Words1(F::Of<Fixed<1>>),
    Words2(F::Of<Fixed<2>>),
    Words3(F::Of<Fixed<3>>),
    Words4(F::Of<Fixed<4>>),
    Words5(F::Of<Fixed<5>>),
    Words6(F::Of<Fixed<6>>),
    Words7(F::Of<Fixed<7>>),
    Words8(F::Of<Fixed<8>>),
    /// States of more words.
    Any(F::Of<AnyWidth<1>>),
    /// States of any number of words, and costs of 64 bits. These hold every sum: a path has at
    /// most 2³¹ states, and each step costs less than 2³¹.
    Wide(F::Of<AnyWidth<2>>),
}

/// `for_width!(width, layout => value)`: the value for states of this many words, and costs of 32
/// bits.
macro_rules! for_width {
    ($width:expr, $layout:ident => $value:expr) => {
        for_width!(@ $width, $layout, $value,
            1 Words1, 2 Words2, 3 Words3, 4 Words4, 5 Words5, 6 Words6, 7 Words7, 8 Words8)
    };
    (@ $width:expr, $layout:ident, $value:expr, $($words:literal $variant:ident),*) => {
        match $width {
            $($words => {
                let $layout = $crate::registry::Fixed::<$words>;
                $crate::layouts::ByLayout::$variant($value)
            })*
            width => {
                let $layout = $crate::registry::AnyWidth::<1>(width);
                $crate::layouts::ByLayout::Any($value)
            }
        }
    };
}

/// `in_any!(any, it => value)`: an expression about a value of a family, whatever its layout.
macro_rules! in_any {
    ($any:expr, $it:ident => $value:expr) => {
        match $any {
            $crate::layouts::ByLayout::Words1($it) => $value,
            $crate::layouts::ByLayout::Words2($it) => $value,
            $crate::layouts::ByLayout::Words3($it) => $value,
            $crate::layouts::ByLayout::Words4($it) => $value,
            $crate::layouts::ByLayout::Words5($it) => $value,
            $crate::layouts::ByLayout::Words6($it) => $value,
            $crate::layouts::ByLayout::Words7($it) => $value,
            $crate::layouts::ByLayout::Words8($it) => $value,
            $crate::layouts::ByLayout::Any($it) => $value,
            $crate::layouts::ByLayout::Wide($it) => $value,
        }
    };
}

/// `map_any!(any, it => value)`: the value of another family for the same layout.
macro_rules! map_any {
    ($any:expr, $it:ident => $value:expr) => {
        map_any!(@ $any, $it, $value,
            Words1, Words2, Words3, Words4, Words5, Words6, Words7, Words8, Any, Wide)
    };
    (@ $any:expr, $it:ident, $value:expr, $($variant:ident),*) => {
        match $any {
            $($crate::layouts::ByLayout::$variant($it) => {
                $crate::layouts::ByLayout::$variant($value)
            })*
        }
    };
}

pub(crate) use {for_width, in_any, map_any};
