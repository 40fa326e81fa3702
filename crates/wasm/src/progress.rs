//! Progress of a search, reported to a JavaScript function.

use std::cell::RefCell;
use std::sync::Arc;

use papan_catalog::AnyGame;
use papan_strategies::{self as strategies, Context, Limits, StopToken};
use papan_view::json;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::clock::PageClock;
use crate::interrupt::Interruptible;
use crate::object::to_object;

#[derive(Serialize)]
struct Progress {
    depth: u32,
    nodes: u64,
    #[serde(flatten)]
    score: Option<json::Score>,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
}

#[derive(Serialize)]
struct Part {
    done: u64,
    total: u64,
}

impl Progress {
    fn new(game: &AnyGame, progress: &strategies::Progress) -> Self {
        Self {
            depth: progress.depth,
            nodes: progress.nodes,
            score: progress.score.map(Into::into),
            pv: json::moves(game, &progress.pv),
            part: progress.part.map(|part| Part {
                done: part.done,
                total: part.total,
            }),
        }
    }
}

thread_local! {
    /// The function that receives the progress of the running search. A listener must be `Sync`,
    /// which JavaScript values are not.
    static CALLBACK: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// A running search: its context, and the function that hears of it, until it is dropped.
pub(crate) struct Running {
    pub(crate) context: Context,
    _interruptible: Interruptible,
}

impl Running {
    /// Begins the time of a search.
    pub(crate) fn new(game: &AnyGame, limits: Limits, callback: Option<js_sys::Function>) -> Self {
        let stop = StopToken::default();
        let mut context = Context::default()
            .stopped_by(&stop)
            .limited(limits, &PageClock);
        if callback.is_some() {
            let (game, stop) = (game.clone(), stop.clone());
            context.listener = Some(Arc::new(move |progress| {
                if report(&Progress::new(&game, progress)) == Some(false) {
                    stop.stop();
                }
            }));
        }
        CALLBACK.set(callback);
        Self {
            context,
            _interruptible: Interruptible::new(&stop),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        CALLBACK.set(None);
    }
}

/// Calls the function; returns its answer if that is a boolean. An exception counts as none.
fn report(progress: &Progress) -> Option<bool> {
    let callback = CALLBACK.with_borrow(Clone::clone)?;
    let object = to_object(progress).ok()?;
    callback.call1(&JsValue::NULL, &object).ok()?.as_bool()
}
