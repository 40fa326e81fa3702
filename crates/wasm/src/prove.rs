//! Proofs about strategies.

use std::sync::Arc;

use papan_catalog::{Family, GameVisitor, StrategySpec, Unplayable};
use papan_rules::Player;
use papan_solve::{Proof, ProveError};
use papan_strategies::{Limits, Strategy, Watch};
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
    let visitor = ProveVisitor {
        spec: &spec,
        player,
    };
    match game.0.visit(visitor) {
        Ok(Ok(proof)) => to_object(&json::Proof::new(&game.0, &name, &proof, None)),
        Ok(Err(error)) => to_object(&json::NoProof::new(&game.0, &name, Some(player), &error)),
        Err(error) => Err(plain(messages::unplayable(messages, &error))),
    }
}

struct ProveVisitor<'a> {
    spec: &'a StrategySpec,
    player: Player,
}

impl GameVisitor for ProveVisitor<'_> {
    type Output = Result<Result<Proof, ProveError>, Unplayable>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let limits = Limits::default();
        // Errors show here; a page has no files that could disappear later.
        game.strategy(self.spec, &limits)?;
        let factory = || -> Box<dyn Strategy<G>> {
            game.strategy(self.spec, &limits)
                .unwrap_or_else(|_| Box::new(papan_strategies::Random { seed: None }))
        };
        let watch = Watch::with_memory_limit(MEMORY_MIB);
        Ok(papan_solve::prove(&**game, &factory, self.player, &watch))
    }
}
