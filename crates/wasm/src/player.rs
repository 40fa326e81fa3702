//! Players: strategies that choose moves and explain them.

use papan_catalog::{Seat, StrategySpec};
use papan_strategies::Limits;
use papan_view::{json, messages};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error::{self, plain};
use crate::game::Game;
use crate::limits;
use crate::line::Line;
use crate::object::to_object;
use crate::progress::Running;

/// A strategy at a game, such as `computer(level=5)`, `engine` or `minimax(depth=4)`.
#[wasm_bindgen]
pub struct Player {
    game: papan_catalog::AnyGame,
    spec: StrategySpec,
    seat: Box<dyn Seat>,
}

#[derive(Serialize)]
struct Choice {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

#[wasm_bindgen]
impl Player {
    /// Seats a strategy at a game. It plays lines of this very `Game` object only. A strategy that
    /// would search the whole of a large board needs a limit in `strategy` or here.
    #[wasm_bindgen(constructor)]
    pub fn new(
        game: &Game,
        strategy: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "Limits")] limits: &JsValue,
    ) -> Result<Self, JsError> {
        let messages = error::messages();
        let spec: StrategySpec = strategy
            .parse()
            .map_err(|error| plain(messages::player(messages, &error)))?;
        let limits = limits::read(limits)?;
        let seat = game
            .0
            .seat(&spec, &limits)
            .map_err(|error| plain(messages::unplayable(messages, &error)))?;
        Ok(Self {
            game: game.0.clone(),
            spec,
            seat,
        })
    }

    /// The strategy with its parameters.
    #[wasm_bindgen(getter)]
    pub fn strategy(&self) -> String {
        self.spec.to_string()
    }

    /// Chooses a move.
    #[wasm_bindgen(unchecked_return_type = "Choice")]
    pub fn choose(
        &mut self,
        line: &Line,
        #[wasm_bindgen(unchecked_optional_param_type = "Limits")] limits: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "OnProgress")] on_progress: Option<
            js_sys::Function,
        >,
    ) -> Result<JsValue, JsError> {
        let running = self.begin(limits::read(limits)?, on_progress);
        let (mv, nodes) = self
            .seat
            .choose(&*line.0, &running.context)
            .map_err(|error| plain(messages::no_move(error::messages(), &error)))?;
        to_object(&Choice {
            mv: self.game.format_move(mv),
            nodes,
        })
    }

    /// Chooses a move and returns all candidates with their scores.
    #[wasm_bindgen(unchecked_return_type = "Decision")]
    pub fn decide(
        &mut self,
        line: &Line,
        #[wasm_bindgen(unchecked_optional_param_type = "Limits")] limits: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "OnProgress")] on_progress: Option<
            js_sys::Function,
        >,
    ) -> Result<JsValue, JsError> {
        let decision = self.decision(line, limits::read(limits)?, on_progress)?;
        to_object(&json::Decision::new(&self.game, &decision))
    }

    /// Chooses a move and says why, in the language of `setLanguage`.
    #[wasm_bindgen(unchecked_return_type = "Explanation")]
    pub fn explain(
        &mut self,
        line: &Line,
        #[wasm_bindgen(unchecked_optional_param_type = "Limits")] limits: &JsValue,
    ) -> Result<JsValue, JsError> {
        let decision = self.decision(line, limits::read(limits)?, None)?;
        to_object(&json::Explanation::new(
            &*line.0,
            &self.spec,
            &decision,
            error::messages(),
        ))
    }

    /// Clears state left by earlier games.
    #[wasm_bindgen]
    pub fn forget(&mut self) {
        self.seat.forget();
    }
}

impl Player {
    fn begin(&self, limits: Limits, on_progress: Option<js_sys::Function>) -> Running {
        Running::new(&self.game, limits, on_progress)
    }

    fn decision(
        &mut self,
        line: &Line,
        limits: Limits,
        on_progress: Option<js_sys::Function>,
    ) -> Result<papan_strategies::Decision, JsError> {
        let running = self.begin(limits, on_progress);
        self.seat
            .decide(&*line.0, &running.context)
            .map_err(|error| plain(messages::no_move(error::messages(), &error)))
    }
}
