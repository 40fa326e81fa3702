//! What `papan engine check` saw.

use serde::Serialize;

/// Whether an engine keeps to its protocol.
#[derive(Clone, Debug, Serialize)]
pub struct EngineCheck {
    /// The engine's protocol and command.
    pub engine: String,
    /// What was tried.
    pub trials: Vec<Trial>,
}

/// One thing that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// What was asked.
    pub tried: String,
    /// What was said to it.
    pub said: String,
    /// What the engine did.
    pub did: String,
    /// Whether that keeps to the protocol.
    pub kept: bool,
    /// Whether it does not do this, and does not have to.
    pub absent: bool,
}
