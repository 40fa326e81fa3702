//! Limits of one move, as JavaScript writes them.

use std::time::Duration;

use papan_strategies as strategies;
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::error::plain;
use crate::object::from_object;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    depth: Option<u32>,
    nodes: Option<f64>,
    time: Option<f64>,
}

/// The longest time of a move: a week. JavaScript writes "until stopped" as a large number.
const MAX_MILLISECONDS: f64 = 7.0 * 24.0 * 3600.0 * 1000.0;

/// Reads limits; `undefined` is no limit.
pub(crate) fn read(object: &JsValue) -> Result<strategies::Limits, JsError> {
    let limits: Limits = from_object(object, "limits")?;
    let non_negative = |number: Option<f64>, name: &str| match number {
        Some(number) if number.is_nan() || number < 0.0 => Err(plain(format!(
            "limits: {name} must be a number from 0, not {number}"
        ))),
        number => Ok(number),
    };
    let nodes = non_negative(limits.nodes, "nodes")?;
    let time = non_negative(limits.time, "time")?;
    Ok(strategies::Limits {
        depth: limits.depth,
        nodes: nodes.map(|nodes| nodes as u64),
        time: time.map(|time| Duration::from_secs_f64(time.min(MAX_MILLISECONDS) / 1000.0)),
        ..strategies::Limits::default()
    })
}
