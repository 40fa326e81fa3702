//! Factory: starts an engine with the client of its protocol.

use papan_rules::sanitize;

use crate::engine::Engine;
use crate::engine_command::{EngineCommand, EngineError, Protocol};
use crate::gtp::GtpClient;
use crate::nboard::NBoardClient;
use crate::notation::ProtocolNotation;
use crate::piskvork::PiskvorkClient;
use crate::position_line::PositionLineClient;
use crate::ugi::UgiClient;

impl EngineCommand {
    /// Starts the engine and prepares it for games on a board.
    ///
    /// # Errors
    /// When it does not start, does not follow its protocol, or does not support the game.
    pub fn start(&self, board: &ProtocolNotation) -> Result<Box<dyn Engine>, EngineError> {
        Ok(match self.protocol {
            Protocol::Gtp => Box::new(GtpClient::start(self, board)?),
            Protocol::Ugi => Box::new(UgiClient::start(self, board)?),
            Protocol::Piskvork => Box::new(PiskvorkClient::start(self, board)?),
            Protocol::NBoard => Box::new(NBoardClient::start(self, board)?),
            Protocol::PositionLine => Box::new(PositionLineClient::start(self, board)?),
        })
    }

    /// Starts the engine to ask for its name; `None` when it does not start.
    #[must_use]
    pub fn introduction(&self, board: &ProtocolNotation) -> Option<String> {
        let mut unlogged = self.clone();
        unlogged.settings.log_dir = None;
        let engine = unlogged.start(board).ok()?;
        Some(sanitize(engine.name()).chars().take(100).collect())
    }
}
