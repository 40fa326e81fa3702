//! What a proof says.

use papan_rules::{Game, Line, Move, Player};
use papan_strategies::{NoMove, Stopped};

/// What became of a strategy that was played against every possible opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The seat of the strategy.
    pub player: Player,
    /// Complete lines of play: one per sequence of the opponent's choices and of
    /// the strategy's own free choices.
    pub lines: u128,
    /// Lines that the strategy wins.
    pub wins: u128,
    /// Lines that nobody wins.
    pub draws: u128,
    /// Lines that the strategy loses.
    pub losses: u128,
    /// Different unfinished positions (with what the strategy remembers) that were
    /// looked into. A board on which nobody can win any more is counted in closed
    /// form, and not looked into, where the strategy has one answer to everything.
    pub positions: u64,
    /// Moves of the longest game.
    pub longest: usize,
    /// The shortest lost game, the first of them in cell order.
    pub losing_line: Option<Vec<Move>>,
}

impl Proof {
    /// Whether the strategy can lose.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.losses == 0 {
            Verdict::NeverLoses
        } else {
            Verdict::CanLose
        }
    }
}

/// The answer of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No opponent beats the strategy.
    NeverLoses,
    /// Some opponent does.
    CanLose,
}

impl Verdict {
    /// The word for it in files and JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NeverLoses => "never-loses",
            Self::CanLose => "can-lose",
        }
    }
}

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProveError {
    /// Somebody asked to stop.
    #[error("stopped before the end")]
    Stopped,
    /// The graph does not fit into memory.
    #[error("more than {positions} positions would have to be held at once, in {mib} MiB")]
    TooLarge {
        /// The positions that there was room for.
        positions: usize,
        /// The memory that they may take.
        mib: usize,
    },
    /// There are more lines of play than a number of 128 bits holds.
    #[error("too many lines of play to count: more than 3.4e38")]
    TooManyLines,
    /// The strategy chooses at random in its search, by a seed that it was not given.
    #[error(
        "it chooses at random in its search: what holds for one seed need not hold for another, so give it one"
    )]
    Random,
    /// The strategy does not know how to go on.
    #[error("after {} moves the strategy has no legal answer: {fault}", line.len())]
    NoAnswer {
        /// The moves after which it has none.
        line: Vec<Move>,
        /// What happened there.
        fault: StrategyError,
    },
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

/// How a strategy can fail to answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// It said so.
    #[error(transparent)]
    NoMove(#[from] NoMove),
    /// It answered with a move that is not allowed.
    #[error("it answers with an illegal move")]
    Illegal(Move),
    /// It answered with nothing.
    #[error("it names no move")]
    Silent,
}

/// Counts of finished lines, added up over the whole graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) wins: u128,
    pub(crate) draws: u128,
    pub(crate) losses: u128,
    pub(crate) positions: u64,
    pub(crate) longest: usize,
    pub(crate) shortest_loss: Option<usize>,
    /// Where the shortest losses end, by whoever keeps them; all of them while
    /// there are no more than [`Tally::MOST_LOST`].
    pub(crate) lost: Vec<u64>,
}

impl Tally {
    /// Lost positions that are kept. Where there are more, a search finds one soon.
    pub(crate) const MOST_LOST: usize = 10_000;

    /// Keeps where a line is lost after `ply` moves; [`Tally::end`] comes after.
    pub(crate) fn keep_lost(&mut self, word: u64, ply: usize) {
        match self.shortest_loss {
            Some(shortest) if shortest < ply => return,
            Some(shortest) if shortest > ply => self.lost.clear(),
            _ => {}
        }
        if self.lost.len() <= Self::MOST_LOST {
            self.lost.push(word);
        }
    }

    /// Adds lines that end after `ply` moves with this value for the strategy.
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

    /// Adds what another part of the graph counted.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
        self.positions += other.positions;
        self.longest = self.longest.max(other.longest);
        for &word in &other.lost {
            self.keep_lost(word, other.shortest_loss.unwrap_or(usize::MAX));
        }
        self.shortest_loss = match (self.shortest_loss, other.shortest_loss) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    /// All lines together.
    ///
    /// # Errors
    /// When there were too many: counts stop at the largest number.
    pub(crate) fn lines(&self) -> Result<u128, ProveError> {
        let lines = self.wins.checked_add(self.draws);
        let lines = lines.and_then(|lines| lines.checked_add(self.losses));
        let whole = lines.filter(|lines| *lines != u128::MAX);
        whole.ok_or(ProveError::TooManyLines)
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
