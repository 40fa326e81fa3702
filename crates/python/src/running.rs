//! Python code that runs on threads of a computation, so that Ctrl-C reaches it.
//!
//! Python handles signals on its main thread, which waits for the computation. The computation asks
//! strategies on threads of its own; an endless loop there ends by an exception that is raised in
//! that thread from outside.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use papan_protocol::stop_waiting_by;
use papan_strategies::StopToken;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

thread_local! {
    /// What stops the computation that this thread works for.
    static STOP: RefCell<Option<StopToken>> = const { RefCell::new(None) };
}

/// A thread that runs Python code for a computation.
struct Call {
    stop: StopToken,
    thread: u64,
}

static CALLS: Mutex<Vec<Call>> = Mutex::new(Vec::new());

/// Says that this thread works for the computation that `stop` ends.
pub(crate) fn begin(stop: &StopToken) {
    STOP.set(Some(stop.clone()));
    stop_waiting_by(stop);
}

/// Returns what ends the computation that this thread works for, if it does.
pub(crate) fn of_this_thread() -> Option<StopToken> {
    STOP.with_borrow(Clone::clone)
}

/// Runs Python code for the computation that `stop` ends.
pub(crate) fn call<T>(
    py: Python<'_>,
    stop: &StopToken,
    code: impl FnOnce() -> PyResult<T>,
) -> PyResult<T> {
    static THREAD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let identity = THREAD.get_or_try_init(py, || {
        let threading = py.import("threading")?;
        Ok::<_, PyErr>(threading.getattr("get_ident")?.unbind())
    })?;
    let thread: u64 = identity.call0(py)?.extract(py)?;
    let before = STOP.replace(Some(stop.clone()));
    let calls = || CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    calls().push(Call {
        stop: stop.clone(),
        thread,
    });
    let result = code();
    let mut calls = calls();
    let own = calls.iter().rposition(|call| call.thread == thread);
    own.map(|own| calls.swap_remove(own));
    STOP.set(before);
    result
}

/// Raises `KeyboardInterrupt` in all Python code of a computation.
pub(crate) fn interrupt(py: Python<'_>, stop: &StopToken) {
    let calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    let own = calls.iter().filter(|call| call.stop.is(stop));
    let threads: Vec<u64> = own.map(|call| call.thread).collect();
    drop(calls);
    for thread in threads {
        let raised = py.import("papan._running").and_then(|module| {
            let raise = module.getattr("raise_in_thread")?;
            raise.call1((thread,)).map(drop)
        });
        // This thread may itself be one that an outer computation interrupts just now.
        if let Err(error) = raised
            && !error.is_instance_of::<PyKeyboardInterrupt>(py)
        {
            error.write_unraisable(py, None);
        }
    }
}
