//! papan as an engine: conversations, random input, interrupts.

mod gtp;
mod interrupt;
mod nboard;
mod piskvork;
mod random_input;
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
