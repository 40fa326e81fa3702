//! The client side of every protocol: an engine in another process that is asked for moves.

use std::time::{Duration, Instant};

use papan_rules::Move;
use papan_strategies::Limits;

use crate::forfeit::Forfeit;
use crate::time_control::AnnouncedTime;

/// How long an engine that was late may take to give the answer that it owes, before
/// it counts as hung and is started again.
pub(crate) const GRACE: Duration = Duration::from_secs(3);

/// An engine in another process.
pub trait Engine: Send {
    /// What it calls itself, with its version where it says so.
    fn name(&self) -> &str;

    /// Prepares for a new game under these limits. Whatever it still had to say
    /// about the last one is heard and forgotten.
    ///
    /// # Errors
    /// When it fails to: it has to be started again.
    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit>;

    /// What it is told about its time, which is what it is judged by: not every
    /// protocol can say everything.
    fn announced(&self, limits: &Limits) -> AnnouncedTime {
        AnnouncedTime::of(limits)
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// When none comes; the game is then lost.
    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit>;
}

/// A position to move in.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// All moves of the game from its start; what follows is to be chosen.
    pub moves: &'a [Move],
    /// The mover's limits, with what is left of the clock.
    pub limits: &'a Limits,
    /// The other player's clock and increment.
    pub other_clock: Option<(Duration, Duration)>,
    /// When waiting ends.
    pub deadline: Instant,
}

/// An engine's move: on the board, but not yet judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineMove {
    /// The move.
    pub mv: Move,
    /// The nodes it looked at, where it says so.
    pub nodes: Option<u64>,
    /// What it thinks of its position, in units of its own, where it says so.
    pub score: Option<i32>,
}
