//! papan as an engine: whole conversations, and whatever anybody may type.

mod anything;
mod gtp;
mod interrupt;
mod nboard;
mod piskvork;
mod ugi;

use papan_protocol::EngineSession;
use papan_strategies::Limits;

fn session(game: &str, strategy: &str) -> EngineSession {
    let strategy = strategy.parse().unwrap();
    let limits = Limits {
        nodes: Some(50),
        ..Limits::default()
    };
    EngineSession::new(game.parse().unwrap(), Some(strategy), limits, 1).unwrap()
}
