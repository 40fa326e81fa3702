//! Long computations: without the GIL, with progress and Ctrl-C.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use papan_strategies::Watch;
use pyo3::prelude::*;

/// How often signals are checked.
const TICK: Duration = Duration::from_millis(20);
/// How often progress is reported.
const REPORT: Duration = Duration::from_millis(100);

/// Runs `work` on another thread. Meanwhile Python handles signals, and `progress(depth, done,
/// total, nodes)` is called if it is given. An exception from either stops the work.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    watch: &Arc<Watch>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    // Only this thread receives; the lock makes that shareable in the eyes of the compiler.
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The receiver waits until it has an answer.
            let _ = sender.send(work());
        });
        let mut interrupted = None;
        let mut reported = Instant::now();
        loop {
            let waited = py.detach(|| {
                let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                receiver.recv_timeout(TICK)
            });
            match waited {
                Ok(result) => return interrupted.map_or(Ok(result), Err),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(crate::errors::runtime_error("the computation panicked"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if interrupted.is_some() {
                continue;
            }
            let mut outcome = py.check_signals();
            if let Some(callback) = progress
                && outcome.is_ok()
                && reported.elapsed() >= REPORT
            {
                reported = Instant::now();
                outcome = report(callback, watch);
            }
            if let Err(error) = outcome {
                watch.stop.stop();
                interrupted = Some(error);
            }
        }
    })
}

fn report(callback: &Bound<'_, PyAny>, watch: &Watch) -> PyResult<()> {
    let progress = watch.progress();
    let (done, total) = progress.part.map_or((0, 0), |part| (part.done, part.total));
    callback.call1((progress.depth, done, total, progress.nodes))?;
    Ok(())
}
