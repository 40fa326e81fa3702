//! Stopping a search from another thread, through a flag in shared memory.
//!
//! A worker that searches does not receive messages. Where the page is cross-origin isolated, it
//! shares an `Int32Array` with the page; the search polls its first element. Elsewhere the page
//! terminates the worker. The element is the number of a call: searches of earlier calls stop, so that
//! nothing has to reset it. Without numbers, 1 stops every search.

use std::cell::RefCell;

use js_sys::{Atomics, Int32Array};
use papan_strategies::StopToken;
use wasm_bindgen::prelude::*;

thread_local! {
    static FLAG: RefCell<Option<Int32Array>> = const { RefCell::new(None) };
    /// The running search, and the number of its call.
    static RUNNING: RefCell<Option<(StopToken, i32)>> = const { RefCell::new(None) };
}

/// Makes searches with a time limit stop when the first element of `flag`, an array over shared
/// memory, is greater than 0. The caller resets it.
#[wasm_bindgen(js_name = setInterrupt)]
pub fn set_interrupt(flag: Option<Int32Array>) {
    FLAG.set(flag);
}

/// The search that an interrupt stops, until it is dropped.
pub(crate) struct Interruptible;

impl Interruptible {
    pub(crate) fn new(stop: &StopToken) -> Self {
        Self::of_call(stop, 0)
    }

    /// A search of a numbered call, which only a later call interrupts.
    pub(crate) fn of_call(stop: &StopToken, call: i32) -> Self {
        RUNNING.set(Some((stop.clone(), call)));
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
    let asked = FLAG.with_borrow(|flag| flag.as_ref().and_then(|flag| Atomics::load(flag, 0).ok()));
    RUNNING.with_borrow(|running| {
        if let (Some(asked), Some((stop, call))) = (asked, running)
            && asked > *call
        {
            stop.stop();
        }
    });
}
