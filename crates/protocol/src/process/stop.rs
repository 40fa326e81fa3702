//! Waits for a program that a stop request ends.
//!
//! The token belongs to the thread and not to the engine: a handshake, a question and the end of a
//! game wait in different places, and an engine outlives the computation that asks it.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use papan_strategies::StopToken;

/// How often the token is read.
const TICK: Duration = Duration::from_millis(20);

thread_local! {
    static STOP: RefCell<Option<StopToken>> = const { RefCell::new(None) };
}

/// Ends every wait of this thread for a program once `stop` is set. The program is killed: a late
/// answer would belong to no question.
pub fn stop_waiting_by(stop: &StopToken) {
    STOP.set(Some(stop.clone()));
}

/// Waits until a deadline by `wait`, which returns whether the program is ready. `None` after a stop
/// request.
pub(super) fn wait(deadline: Instant, mut wait: impl FnMut(Instant) -> bool) -> Option<bool> {
    let Some(stop) = STOP.with_borrow(Clone::clone) else {
        return Some(wait(deadline));
    };
    loop {
        if stop.is_stopped() {
            return None;
        }
        let until = deadline.min(Instant::now() + TICK);
        if wait(until) {
            return Some(true);
        }
        if until == deadline {
            return Some(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine_settings::EngineSettings;
    use crate::process::{LineProcess, ProcessError};

    #[test]
    fn a_stop_request_ends_the_wait_for_a_silent_program() {
        let stop = StopToken::default();
        let waiting = std::thread::scope(|scope| {
            let waiter = scope.spawn(|| {
                stop_waiting_by(&stop);
                let settings = EngineSettings::default();
                let mut program = LineProcess::start("sleep 1000", &settings, "\n").unwrap();
                program.line(Instant::now() + Duration::from_secs(900))
            });
            std::thread::sleep(Duration::from_millis(100));
            stop.stop();
            waiter.join().unwrap()
        });
        assert_eq!(waiting, Err(ProcessError::Stopped));
    }

    #[test]
    fn lines_come_back_and_deadlines_hold_while_nothing_is_stopped() {
        std::thread::spawn(|| {
            stop_waiting_by(&StopToken::default());
            let settings = EngineSettings::default();
            let mut program =
                LineProcess::start("sh -c 'sleep 0.1; echo one; sleep 1000'", &settings, "\n")
                    .unwrap();
            let soon = || Instant::now() + Duration::from_secs(20);
            assert_eq!(program.line(soon()).unwrap(), "one");
            let passed = Instant::now();
            assert_eq!(program.line(passed), Err(ProcessError::Timeout));
        })
        .join()
        .unwrap();
    }
}
