//! Typed indices. A bare `usize` never crosses a module boundary as an identity.

use std::fmt;

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id with this index; tasks are far smaller than `u32::MAX`.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("an index fits in 32 bits"))
            }

            /// The index into the task's list.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

index_type! {
    /// A finite-domain variable V ∈ 𝒱.
    VariableId
}
index_type! {
    /// An operator o ∈ 𝒪.
    OperatorId
}

/// A value d ∈ dom(V), as its index in the domain.
pub type Value = u32;

/// A fact ⟨V, d⟩.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The variable V.
    pub variable: VariableId,
    /// The value d.
    pub value: Value,
}

impl Fact {
    /// The fact ⟨`variable`, `value`⟩.
    pub const fn new(variable: VariableId, value: Value) -> Self {
        Self { variable, value }
    }
}
