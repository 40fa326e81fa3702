//! The result of an exhaustive proof of a strategy.

use papan_rules::{Game, Line, Move, Player};
use papan_strategies::{NoMove, Stopped};

/// The result of playing a strategy against every possible opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The seat of the strategy.
    pub player: Player,
    /// Number of complete games: one for each sequence of the opponent's moves and of the strategy's
    /// own free choices.
    pub lines: u128,
    /// Games that the strategy wins.
    pub wins: u128,
    /// Drawn games.
    pub draws: u128,
    /// Games that the strategy loses.
    pub losses: u128,
    /// Distinct unfinished positions visited, with the strategy's memory. Games from dead positions
    /// are counted in closed form for positional strategies, and those positions are not visited.
    pub positions: u64,
    /// Plies of the longest game.
    pub longest: usize,
    /// The shortest lost game, first in cell order.
    pub losing_line: Option<Vec<Move>>,
}

impl Proof {
    /// Returns whether the strategy can lose.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.losses == 0 {
            Verdict::NeverLoses
        } else {
            Verdict::CanLose
        }
    }
}

/// The verdict of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No opponent beats the strategy.
    NeverLoses,
    /// Some opponent beats it.
    CanLose,
}

impl Verdict {
    /// Returns the keyword in files and JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NeverLoses => "never-loses",
            Self::CanLose => "can-lose",
        }
    }
}

/// Why a proof failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProveError {
    /// It was stopped.
    #[error("stopped before the end")]
    Stopped,
    /// The graph exceeds the memory limit.
    #[error("more than {positions} positions would have to be held at once, in {mib} MiB")]
    TooLarge {
        /// Number of positions that fit.
        positions: usize,
        /// The memory limit in MiB.
        mib: usize,
    },
    /// There are more games than 128 bits can count.
    #[error("too many lines of play to count: more than 3.4e38")]
    TooManyLines,
    /// The strategy is nondeterministic because its search has no fixed seed.
    #[error(
        "its search is random: a proof for one seed need not hold for another, so give it a seed"
    )]
    Random,
    /// The strategy answered a position in two ways.
    #[error("the strategy is not a function of the position: asked again, it answers otherwise")]
    NotAFunction {
        /// A line of play to the position.
        line: Vec<Move>,
        /// The first answer, or why there was none.
        first: Result<Move, String>,
        /// The second.
        second: Result<Move, String>,
    },
    /// The strategy has no legal move.
    #[error("after {} moves the strategy has no legal answer: {fault}", line.len())]
    NoAnswer {
        /// The moves before that.
        line: Vec<Move>,
        /// The error.
        fault: StrategyError,
    },
    /// The journal of an interview cannot be used.
    #[error("{0}")]
    Journal(String),
}

impl From<Stopped> for ProveError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl ProveError {
    pub(crate) fn no_answer<G: Game>(line: &Line<G>, fault: StrategyError) -> Self {
        Self::NoAnswer {
            line: line.moves().to_vec(),
            fault,
        }
    }
}

/// Why a strategy has no legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// It returned an error.
    #[error(transparent)]
    NoMove(#[from] NoMove),
    /// It returned an illegal move.
    #[error("it plays an illegal move")]
    Illegal(Move),
    /// It returned no move.
    #[error("it returns no move")]
    Silent,
}

/// Counts of finished lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) wins: u128,
    pub(crate) draws: u128,
    pub(crate) losses: u128,
    pub(crate) positions: u64,
    pub(crate) longest: usize,
    pub(crate) shortest_loss: Option<usize>,
    /// Final positions of the shortest losses, packed. Complete if there are at most
    /// [`Tally::MAX_LOST`].
    pub(crate) lost: Vec<u64>,
}

impl Tally {
    /// Maximum number of lost positions collected. If there are more, a forward search finds one
    /// soon.
    pub(crate) const MAX_LOST: usize = 10_000;

    /// Adds a position lost after `ply` moves; call before [`Tally::end`].
    pub(crate) fn add_lost(&mut self, word: u64, ply: usize) {
        match self.shortest_loss {
            Some(shortest) if shortest < ply => return,
            Some(shortest) if shortest > ply => self.lost.clear(),
            _ => {}
        }
        if self.lost.len() <= Self::MAX_LOST {
            self.lost.push(word);
        }
    }

    /// Adds `paths` lines that end after `ply` moves with this value for the strategy.
    pub(crate) fn end(&mut self, value: i32, paths: u128, ply: usize) {
        match value {
            1 => self.wins = self.wins.saturating_add(paths),
            0 => self.draws = self.draws.saturating_add(paths),
            _ => {
                self.losses = self.losses.saturating_add(paths);
                self.shortest_loss = Some(self.shortest_loss.map_or(ply, |s| s.min(ply)));
            }
        }
        self.longest = self.longest.max(ply);
    }

    /// Adds the counts of another part of the graph.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
        self.positions += other.positions;
        self.longest = self.longest.max(other.longest);
        for &word in &other.lost {
            self.add_lost(word, other.shortest_loss.unwrap_or(usize::MAX));
        }
        self.shortest_loss = match (self.shortest_loss, other.shortest_loss) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    /// Returns the number of all lines.
    ///
    /// # Errors
    /// If a saturating count has reached its maximum.
    pub(crate) fn lines(&self) -> Result<u128, ProveError> {
        self.wins
            .checked_add(self.draws)
            .and_then(|lines| lines.checked_add(self.losses))
            .filter(|&lines| lines != u128::MAX)
            .ok_or(ProveError::TooManyLines)
    }

    pub(crate) fn proof(
        &self,
        player: Player,
        losing_line: Option<Vec<Move>>,
    ) -> Result<Proof, ProveError> {
        Ok(Proof {
            player,
            lines: self.lines()?,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            positions: self.positions,
            longest: self.longest,
            losing_line,
        })
    }
}
