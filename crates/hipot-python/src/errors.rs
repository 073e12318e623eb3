//! Failures as Python exceptions.
//!
//! The classes are defined in Python (`hipot/_errors.py`). A file that cannot be read raises
//! what Python itself would raise, `FileNotFoundError` and the like.

use std::any::Any;

use hipot::{Failure, Status};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

/// The exception for a failure.
pub(crate) fn exception(py: Python<'_>, failure: &Failure) -> PyErr {
    if let Failure::Unreadable { file, error } | Failure::Unwritable { file, error } = failure
        && let Some(code) = error.raw_os_error()
    {
        let text = error.to_string();
        let text = text.split(" (os error").next().unwrap_or_default().to_owned();
        return PyOSError::new_err((code, text, file.clone().into_os_string()));
    }
    let class = match failure.status() {
        Status::InputError => "InputError",
        Status::Unsupported => "UnsupportedError",
        Status::UsageError => "UsageError",
        _ => "Error",
    };
    let (file, line, column) = failure.place();
    let file = file.map(|file| file.display().to_string());
    let arguments =
        (failure.message(), file, line, column, failure.source_line(), failure.to_string());
    construct(py, class, arguments)
}

/// The exception for invalid arguments.
pub(crate) fn usage(py: Python<'_>, message: impl Into<String>) -> PyErr {
    exception(py, &Failure::Usage(message.into()))
}

/// The exception for a panic, which is a defect in hipot.
pub(crate) fn defect(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    let message = format!("a defect in hipot itself, please report it: {text}");
    construct(py, "InternalError", (message,))
}

fn construct<'py, A>(py: Python<'py>, class: &str, arguments: A) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let made = py
        .import("hipot._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The exception for a thread that could not be started.
pub(crate) fn no_thread(error: &std::io::Error) -> PyErr {
    PyRuntimeError::new_err(format!("cannot start a thread: {error}"))
}
