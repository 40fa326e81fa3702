//! Proofs about strategies.

use papan_catalog::{ProofTask, StrategyProofError, StrategySpec};
use papan_rules::Player;
use papan_strategies::Watch;
use papan_view::{json, messages};
use wasm_bindgen::prelude::*;

use crate::error::{self, plain};
use crate::game::Game;
use crate::object::to_object;

/// Memory of a proof, in MiB: a page has little.
const MEMORY_MIB: usize = 256;

/// Plays a strategy against every possible opponent: it never loses, or here is the game that beats
/// it.
#[wasm_bindgen(unchecked_return_type = "Proof")]
pub fn prove(
    game: &Game,
    strategy: &str,
    #[wasm_bindgen(unchecked_param_type = "Seat")] seat: &str,
) -> Result<JsValue, JsError> {
    let messages = error::messages();
    let spec: StrategySpec = strategy
        .parse()
        .map_err(|error| plain(messages::player(messages, &error)))?;
    let player = match seat {
        "first" => Player::First,
        "second" => Player::Second,
        other => return Err(plain(format!("a seat is first or second, not {other}"))),
    };
    let name = spec.to_string();
    let task = ProofTask {
        strategy: &spec,
        player,
        certify: false,
        journal: None,
        watch: &Watch::with_memory_limit(MEMORY_MIB),
    };
    match task.run(&game.0) {
        Ok(proved) => to_object(&json::Proof::new(&game.0, &name, &proved.proof, None)),
        Err(StrategyProofError::Prove(error)) => {
            to_object(&json::NoProof::new(&game.0, &name, Some(player), &error))
        }
        Err(StrategyProofError::Unplayable(error)) => {
            Err(plain(messages::unplayable(messages, &error)))
        }
        Err(error @ StrategyProofError::Certificate(_)) => Err(plain(error.to_string())),
    }
}
