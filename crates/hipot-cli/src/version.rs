//! Which hipot this is.

/// The version, with the revision that it was built from if that is known.
pub(crate) const VERSION: &str = env!("HIPOT_VERSION");
