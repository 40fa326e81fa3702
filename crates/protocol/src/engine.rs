//! The interface of a protocol client: an engine in another process that is asked for moves.
//!
//! Each protocol module holds the messages as types that parse and print themselves;
//! `client` is the controller's side (UCI: the GUI) and `server` the engine's side.

use std::time::{Duration, Instant};

use papan_rules::{Move, SwapAction, SwapOpening, SwapRule};
use papan_strategies::Limits;

use crate::forfeit::{Forfeit, ForfeitKind};
use crate::time_control::AnnouncedTime;

/// Time for an engine that exceeded its time to deliver the outstanding move, before it
/// counts as hung and is restarted.
pub(crate) const GRACE: Duration = Duration::from_secs(3);

/// An engine in another process.
pub trait Engine: Send {
    /// The engine's own name, with its version where the protocol has it.
    fn name(&self) -> &str;

    /// The author that the engine names, where the protocol has one.
    fn author(&self) -> Option<&str> {
        None
    }

    /// The options that the engine declares, each with its type and default as it writes them.
    fn options(&self) -> &[(String, String)] {
        &[]
    }

    /// The last line about the search of the last move, such as `depth 3 nodes 512 pv f5 d6`; empty
    /// where the protocol has none.
    fn info(&self) -> &str {
        ""
    }

    /// Prepares for a new game under these limits. Output that belongs to the last game is
    /// discarded.
    ///
    /// # Errors
    /// When that fails; the engine has to be restarted.
    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit>;

    /// The time control announced for these limits, as far as the protocol can express
    /// them.
    fn announced(&self, limits: &Limits) -> AnnouncedTime {
        AnnouncedTime::of(limits)
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// When the engine fails to move; the game is then lost.
    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit>;

    /// Whether the protocol has this opening rule.
    fn supports_swap(&self, _rule: SwapRule) -> bool {
        false
    }

    /// Asks for the actions of the player in a swap opening. A move of White may follow the choice of
    /// White.
    ///
    /// # Errors
    /// When the engine fails to answer; the game is then lost.
    fn answer_swap(
        &mut self,
        opening: SwapOpening,
        _request: &MoveRequest<'_>,
    ) -> Result<Vec<SwapAction>, Forfeit> {
        let why = format!("the protocol has no opening rule {}", opening.rule());
        Err(Forfeit::new(ForfeitKind::Protocol, why))
    }
}

/// A position and the limits for the move.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// The start position, if it is not that of the game. Only `move:` can express it.
    pub start: Option<&'a str>,
    /// All moves from the start of the game.
    pub moves: &'a [Move],
    /// The mover's limits, with the remaining time of its clock.
    pub limits: &'a Limits,
    /// The opponent's remaining time and increment.
    pub other_clock: Option<(Duration, Duration)>,
    /// When to give up.
    pub deadline: Instant,
}

/// An engine's move: a cell of the board, not yet checked for legality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineMove {
    /// The move.
    pub mv: Move,
    /// Nodes searched, where reported.
    pub nodes: Option<u64>,
    /// The engine's evaluation in its own units, where reported.
    pub score: Option<i32>,
}
