//! Long computations: without the GIL, with progress and Ctrl-C.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use papan_strategies::{StopToken, Watch};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::errors::runtime_error;
use crate::running;

/// How often signals are checked.
const TICK: Duration = Duration::from_millis(10);
/// How often progress is reported, and when for the first time.
const REPORT: Duration = Duration::from_millis(100);
/// Computations that are faster than this show no progress, unless it is asked for.
const DELAY: Duration = Duration::from_millis(300);

/// Runs `work` on another thread. Meanwhile Python handles signals, and progress is shown: as wanted,
/// or without a wish where there is a terminal or a notebook. An exception stops the work, also
/// where a strategy in Python or another program is asked for a move.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    watch: &Arc<Watch>,
    progress: Option<bool>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    // Only this thread receives; the lock makes that shareable in the eyes of the compiler.
    let receiver = Mutex::new(receiver);
    // A strategy may compute something itself: what stops the outer computation stops this one.
    let outer = running::of_this_thread();
    let mut bar = Bar::new(progress);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            running::begin(&watch.stop);
            // The receiver waits until it has an answer.
            let _ = sender.send(work());
        });
        let mut interrupted = None;
        loop {
            let waited = py.detach(|| {
                let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                receiver.recv_timeout(TICK)
            });
            match waited {
                Ok(result) => return interrupted.map_or(Ok(result), Err),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(runtime_error("the computation panicked"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if interrupted.is_some() {
                // Again and again: a strategy may catch the exception.
                running::interrupt(py, &watch.stop);
                continue;
            }
            let outcome = match &outer {
                Some(outer) if outer.is_stopped() => Err(PyKeyboardInterrupt::new_err(())),
                _ => py.check_signals().and_then(|()| bar.update(py, watch)),
            };
            if let Err(error) = outcome {
                watch.stop.stop();
                running::interrupt(py, &watch.stop);
                interrupted = Some(error);
            }
        }
    });
    bar.close(py);
    result
}

/// Returns a pool of threads that work for the computation that `stop` ends; as many as there are
/// processors for 0.
pub(crate) fn pool(threads: usize, stop: &StopToken) -> PyResult<rayon::ThreadPool> {
    let stop = stop.clone();
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(move |_| running::begin(&stop))
        .build()
        .map_err(runtime_error)
}

/// A progress bar of `papan._progress`, made when the computation turns out to be long.
struct Bar {
    wanted: Option<bool>,
    begun: Instant,
    reported: Option<Instant>,
    shown: Option<Py<PyAny>>,
}

impl Bar {
    fn new(wanted: Option<bool>) -> Self {
        Self {
            wanted,
            begun: Instant::now(),
            reported: None,
            shown: None,
        }
    }

    fn update(&mut self, py: Python<'_>, watch: &Watch) -> PyResult<()> {
        let since = self.reported.unwrap_or(self.begun);
        let pause = match (self.reported, self.wanted) {
            (Some(_), _) => REPORT,
            (None, Some(true)) => Duration::ZERO,
            (None, _) => DELAY,
        };
        if self.wanted == Some(false) || since.elapsed() < pause {
            return Ok(());
        }
        if self.reported.is_none() {
            let made = py.import("papan._progress")?;
            let bar = made.call_method1("bar", (self.wanted,))?;
            self.shown = (!bar.is_none()).then(|| bar.unbind());
        }
        self.reported = Some(Instant::now());
        let Some(bar) = &self.shown else {
            self.wanted = Some(false);
            return Ok(());
        };
        let progress = watch.progress();
        let (done, total) = progress.part.map_or((0, 0), |part| (part.done, part.total));
        let report = (progress.depth, done, total, progress.nodes);
        bar.call_method1(py, "report", report)?;
        Ok(())
    }

    fn close(&self, py: Python<'_>) {
        if let Some(bar) = &self.shown {
            // A bar that cannot be removed is no reason to lose the result.
            let _ = bar.call_method0(py, "close");
        }
    }
}
