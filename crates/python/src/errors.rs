//! Errors of papan as Python exceptions.

use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

/// An argument that is wrong.
#[expect(
    clippy::needless_pass_by_value,
    reason = "a function for `map_err` takes the error"
)]
pub(crate) fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A computation that failed.
#[expect(
    clippy::needless_pass_by_value,
    reason = "a function for `map_err` takes the error"
)]
pub(crate) fn runtime_error(error: impl ToString) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
