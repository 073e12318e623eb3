//! Callbacks that travel in parameters.

use std::fmt;
use std::sync::Arc;

/// A function that receives repeated reports, such as the progress of a solve.
pub struct Listener<T>(Arc<dyn Fn(T) + Send + Sync>);

impl<T> Listener<T> {
    /// A listener that calls `tell`.
    pub fn new(tell: impl Fn(T) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// Calls the function.
    pub fn tell(&self, news: T) {
        (self.0)(news);
    }
}

impl<T> Clone for Listener<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for Listener<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}
