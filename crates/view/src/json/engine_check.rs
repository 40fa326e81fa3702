//! JSON of `papan engine check`.

use serde::Serialize;

/// Whether an engine keeps to its protocol.
#[derive(Clone, Debug, Serialize)]
pub struct EngineCheck {
    /// The engine's protocol and command.
    pub engine: String,
    /// The tests.
    pub trials: Vec<Trial>,
}

/// One thing that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// The test.
    pub tried: String,
    /// The commands sent.
    pub said: String,
    /// The engine's behaviour.
    pub did: String,
    /// Whether that keeps to the protocol.
    pub kept: bool,
    /// Whether it does not do this, and does not have to.
    pub absent: bool,
}
