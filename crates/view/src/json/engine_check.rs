//! Output of `papan engine check`.

use serde::Serialize;

/// Protocol compliance of an engine.
#[derive(Clone, Debug, Serialize)]
pub struct EngineCheck {
    /// The engine's protocol and command.
    pub engine: String,
    /// The trials.
    pub trials: Vec<Trial>,
}

/// A trial.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// The requirement under test.
    pub tried: String,
    /// The commands sent.
    pub said: String,
    /// The engine's behaviour.
    pub did: String,
    /// Whether it complies.
    pub kept: bool,
    /// Whether it is an optional feature that the engine lacks.
    pub absent: bool,
}
