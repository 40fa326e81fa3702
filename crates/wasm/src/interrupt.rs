//! Stopping a search from another thread, through a flag in shared memory.
//!
//! A worker that searches does not receive messages. Where the page is cross-origin isolated, it
//! shares an `Int32Array` with the page; the search polls its first element. Elsewhere the page
//! terminates the worker.

use std::cell::RefCell;

use js_sys::{Atomics, Int32Array};
use papan_strategies::StopToken;
use wasm_bindgen::prelude::*;

thread_local! {
    static FLAG: RefCell<Option<Int32Array>> = const { RefCell::new(None) };
    static RUNNING: RefCell<Option<StopToken>> = const { RefCell::new(None) };
}

/// Makes searches with a time limit stop when the first element of `flag`, an array over shared
/// memory, is not 0. The caller resets it.
#[wasm_bindgen(js_name = setInterrupt)]
pub fn set_interrupt(flag: Option<Int32Array>) {
    FLAG.set(flag);
}

/// The search that an interrupt stops, until it is dropped.
pub(crate) struct Interruptible;

impl Interruptible {
    pub(crate) fn new(stop: &StopToken) -> Self {
        RUNNING.set(Some(stop.clone()));
        Self
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        RUNNING.set(None);
    }
}

/// Stops the running search if the flag is set.
pub(crate) fn poll() {
    let is_set = FLAG.with_borrow(|flag| {
        flag.as_ref()
            .is_some_and(|flag| Atomics::load(flag, 0).is_ok_and(|value| value != 0))
    });
    if is_set {
        RUNNING.with_borrow(|running| {
            if let Some(stop) = running {
                stop.stop();
            }
        });
    }
}
