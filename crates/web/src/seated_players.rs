//! Questions to strategies, and the seated players that a thread keeps to answer
//! them: a solver that remembers what it found answers its next move at once.

use papan_catalog::{AnyGame, AnyLine, Seat, StrategySpec};
use papan_rules::Move;
use papan_strategies::{Context, Decision, Limits, SystemClock};

use crate::strategy_failure::StrategyFailure;

/// Seated players that one thread keeps.
const KEPT: usize = 6;

/// A question to a strategy: a line of play, and how long it may think.
#[derive(Clone, Debug)]
pub(crate) struct Question {
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

/// The seated players that one thread keeps, the one used last at the end.
#[derive(Default)]
pub(crate) struct SeatedPlayers(Vec<(String, AnyGame, Box<dyn Seat>)>);

impl SeatedPlayers {
    fn seat(&mut self, question: &Question) -> Result<(&AnyGame, &mut dyn Seat), StrategyFailure> {
        let name = format!("{} {}", question.game, question.strategy);
        match self.0.iter().position(|(kept, _, _)| *kept == name) {
            Some(place) => {
                let kept = self.0.remove(place);
                self.0.push(kept);
            }
            None => {
                let game: AnyGame = question.game.parse().map_err(StrategyFailure::other)?;
                let seat = game
                    .seat(&question.strategy, &question.limits)
                    .map_err(StrategyFailure::other)?;
                if self.0.len() == KEPT {
                    self.0.remove(0);
                }
                self.0.push((name, game, seat));
            }
        }
        let (_, game, seat) = self.0.last_mut().expect("one was pushed");
        Ok((game, &mut **seat))
    }

    fn line(game: &AnyGame, question: &Question) -> Result<Box<dyn AnyLine>, StrategyFailure> {
        let mut line = match &question.start {
            None => game.line(),
            Some(position) => game.line_from(position).map_err(StrategyFailure::other)?,
        };
        for &mv in &question.moves {
            line.play(mv).map_err(StrategyFailure::other)?;
        }
        Ok(line)
    }

    fn context(question: &Question) -> Context {
        Context::with_seed(question.seed).limited(question.limits, &SystemClock)
    }

    /// The strategy's move.
    ///
    /// # Errors
    /// With the reason, when it has no answer.
    pub(crate) fn choose(&mut self, question: &Question) -> Result<Move, StrategyFailure> {
        let (game, seat) = self.seat(question)?;
        let line = Self::line(game, question)?;
        let chosen = seat.choose(&*line, &Self::context(question));
        Ok(chosen.map(|(mv, _)| mv)?)
    }

    /// The strategy's move with its reasons.
    ///
    /// # Errors
    /// With the reason, when it has no answer.
    pub(crate) fn decide(&mut self, question: &Question) -> Result<Decision, StrategyFailure> {
        let (game, seat) = self.seat(question)?;
        let line = Self::line(game, question)?;
        Ok(seat.decide(&*line, &Self::context(question))?)
    }
}
