//! papan as an engine: whole conversations, and whatever anybody may type.

mod anything;
mod gtp;
mod nboard;
mod piskvork;
mod ugi;

use papan_arena::Responder;
use papan_strategies::Limits;

fn responder(game: &str, strategy: &str) -> Responder {
    let strategy = strategy.parse().unwrap();
    let limits = Limits {
        nodes: Some(50),
        ..Limits::default()
    };
    Responder::new(game.parse().unwrap(), Some(strategy), limits, 1).unwrap()
}
