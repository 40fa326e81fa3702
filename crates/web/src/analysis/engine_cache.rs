//! Questions to strategies, and the seated players that a thread keeps to answer
//! them: a solver that remembers what it found answers its next move at once.

use papan_catalog::{AnyGame, AnyLine, Argument, Seat, StrategySpec};
use papan_rules::Move;
use papan_strategies::{Context, Decision, Limits, SystemClock};

use crate::analysis::strategy_failure::StrategyFailure;
use crate::api::create_game::MAX_HASH_MIB;

/// Seated players that one thread keeps at most.
const KEPT: usize = 6;

/// What a seated player may remember beside a hash table of a given size, in MiB: the
/// positions of a solver, the tree of its playouts.
pub(crate) const REMEMBERED: usize = 16;

/// A question to a strategy: a line of play, and how long it may think.
#[derive(Clone, Debug)]
pub(crate) struct AnalysisRequest {
    /// The game's name.
    pub game: String,
    /// Where the line starts, if not at the game's own start.
    pub start: Option<String>,
    /// The moves.
    pub moves: Vec<Move>,
    /// Who is asked.
    pub strategy: StrategySpec,
    /// How far it may go.
    pub limits: Limits,
    /// What lots depend on.
    pub seed: u64,
}

/// One seated player.
struct Kept {
    name: String,
    game: AnyGame,
    seat: Box<dyn Seat>,
    /// What it may hold, in MiB.
    memory: usize,
}

/// The seated players that one thread keeps, the one used last at the end. Together
/// they hold no more than the thread is given.
pub struct EngineCache {
    kept: Vec<Kept>,
    memory: usize,
}

impl EngineCache {
    /// None yet, with so many MiB for all of them.
    #[must_use]
    pub fn new(memory: usize) -> Self {
        Self {
            kept: Vec::new(),
            memory,
        }
    }

    fn seat(
        &mut self,
        question: &AnalysisRequest,
    ) -> Result<(&AnyGame, &mut dyn Seat), StrategyFailure> {
        let name = format!("{} {}", question.game, question.strategy);
        match self.kept.iter().position(|kept| kept.name == name) {
            Some(place) => {
                let kept = self.kept.remove(place);
                self.kept.push(kept);
            }
            None => {
                let memory = memory_of(&question.strategy);
                self.make_room(memory);
                let game: AnyGame = question.game.parse().map_err(StrategyFailure::other)?;
                let seat = game
                    .seat(&question.strategy, &question.limits)
                    .map_err(StrategyFailure::other)?;
                self.kept.push(Kept {
                    name,
                    game,
                    seat,
                    memory,
                });
            }
        }
        let kept = self.kept.last_mut().expect("one was pushed");
        Ok((&kept.game, &mut *kept.seat))
    }

    /// Lets go of those used longest ago until there is room for one more. One that
    /// is larger than everything is alone.
    fn make_room(&mut self, memory: usize) {
        let held = |kept: &[Kept]| kept.iter().map(|kept| kept.memory).sum::<usize>();
        while !self.kept.is_empty()
            && (self.kept.len() >= KEPT || held(&self.kept) + memory > self.memory)
        {
            self.kept.remove(0);
        }
    }

    fn line(
        game: &AnyGame,
        question: &AnalysisRequest,
    ) -> Result<Box<dyn AnyLine>, StrategyFailure> {
        let mut line = match &question.start {
            None => game.line(),
            Some(position) => game.line_from(position).map_err(StrategyFailure::other)?,
        };
        for &mv in &question.moves {
            line.play(mv).map_err(StrategyFailure::other)?;
        }
        Ok(line)
    }

    fn context(question: &AnalysisRequest) -> Context {
        Context::with_seed(question.seed).limited(question.limits, &SystemClock)
    }

    /// The strategy's move.
    ///
    /// # Errors
    /// With the reason, when it has no answer.
    pub(crate) fn choose(&mut self, question: &AnalysisRequest) -> Result<Move, StrategyFailure> {
        let (game, seat) = self.seat(question)?;
        let line = Self::line(game, question)?;
        let chosen = seat.choose(&*line, &Self::context(question));
        Ok(chosen.map(|(mv, _)| mv)?)
    }

    /// The strategy's move with its reasons.
    ///
    /// # Errors
    /// With the reason, when it has no answer.
    pub(crate) fn decide(
        &mut self,
        question: &AnalysisRequest,
    ) -> Result<Decision, StrategyFailure> {
        let (game, seat) = self.seat(question)?;
        let line = Self::line(game, question)?;
        Ok(seat.decide(&*line, &Self::context(question))?)
    }
}

/// What a strategy may hold, in MiB.
fn memory_of(strategy: &StrategySpec) -> usize {
    let arguments = strategy.arguments();
    let hash = arguments.iter().find(|(name, _)| *name == "hash");
    match hash {
        Some((_, Argument::Number(mebibytes))) => *mebibytes as usize,
        _ if strategy.info().parameters.iter().any(|p| p.name == "hash") => MAX_HASH_MIB as usize,
        _ => REMEMBERED,
    }
}
