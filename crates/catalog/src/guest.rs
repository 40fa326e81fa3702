//! Strategies from outside the catalog: programs in other processes, objects of other languages.
//!
//! A [`Guest`] needs no Rust type of a game: it is given moves and positions as text and answers with
//! a move. A [`StrategySpec`](crate::StrategySpec) made of a guest is used like any other: it plays,
//! is explained and proved. Text never parses to a guest, so that a server that reads names of
//! strategies from its clients runs no program of theirs.

use std::sync::Arc;
use std::time::Duration;

use papan_rules::{Game, GameInfo, Move};
use papan_strategies::{
    Candidate, Context, Decision, Limits, NoMove, ProgramFault, Strategy, Term, Turn,
};

use crate::{AnyGame, Unplayable};

/// A strategy from outside.
pub trait Guest: Send + Sync {
    /// Returns its name, as the user writes it.
    fn name(&self) -> String;

    /// Returns the name that people are shown.
    fn title(&self) -> String {
        self.name()
    }

    /// Returns a text that names this very version of it, for certificates.
    fn identity(&self) -> String {
        self.name()
    }

    /// Seats it at a game.
    ///
    /// # Errors
    /// When it cannot play this game, with the reason.
    fn seat(&self, game: &AnyGame, limits: &Limits) -> Result<Box<dyn GuestPlayer>, String>;
}

/// A seated guest.
pub trait GuestPlayer: Send {
    /// Returns its move, which need not be legal.
    ///
    /// # Errors
    /// When it has none, with the reason.
    fn choose(&mut self, turn: &GuestTurn<'_>) -> Result<GuestMove, NoMove>;

    /// Clears state left by earlier games.
    fn forget(&mut self);
}

/// The turn of a guest.
pub struct GuestTurn<'a> {
    /// The start position, if it is not that of the game.
    pub start: Option<&'a str>,
    /// The moves from the start.
    pub moves: &'a [Move],
    /// The position to move in.
    pub position: &'a str,
    /// Limits, stop token and seed.
    pub context: &'a Context,
}

/// The answer of a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuestMove {
    /// The move.
    pub mv: Move,
    /// Nodes searched, where reported.
    pub nodes: u64,
    /// The time that it took.
    pub time: Duration,
}

/// A guest as a strategy for a game type.
struct GuestStrategy {
    player: Box<dyn GuestPlayer>,
}

/// Seats a guest at a game.
pub(crate) fn strategy<G: GameInfo>(
    game: &G,
    guest: &Arc<dyn Guest>,
    limits: &Limits,
) -> Result<Box<dyn Strategy<G>>, Unplayable> {
    let unplayable = |why| Unplayable::Guest {
        name: guest.name(),
        why,
    };
    let any: AnyGame = game
        .name()
        .parse()
        .map_err(|error: crate::GameError| unplayable(error.to_string()))?;
    let player = guest.seat(&any, limits).map_err(unplayable)?;
    Ok(Box::new(GuestStrategy { player }))
}

impl GuestStrategy {
    fn answer<G: GameInfo>(&mut self, turn: Turn<'_, G>) -> Result<GuestMove, NoMove> {
        let (game, line) = (turn.game, turn.line);
        if game.outcome(line.position()).is_some() {
            return Err(NoMove::GameOver);
        }
        let text = |position: &<G as Game>::Position| game.format_position(position);
        let start = text(line.start());
        let is_usual = start == text(&game.start());
        let answer = self.player.choose(&GuestTurn {
            start: (!is_usual).then_some(start.as_str()),
            moves: line.moves(),
            position: &text(line.position()),
            context: turn.context,
        })?;
        match game.check_move(line.position(), answer.mv) {
            Ok(()) => Ok(answer),
            Err(_) => {
                let word = game.format_move(answer.mv);
                Err(NoMove::Program(
                    ProgramFault::Illegal,
                    format!("it answers {word}"),
                ))
            }
        }
    }
}

impl<G: GameInfo> Strategy<G> for GuestStrategy {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let answer = self.answer(turn)?;
        out.clear();
        out.push(answer.mv);
        Ok(answer.nodes)
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        let answer = self.answer(turn)?;
        let candidate = |mv: Move| {
            let mut terms = vec![Term::deciding("choice", i64::from(mv == answer.mv))];
            if mv == answer.mv {
                let milliseconds = answer.time.as_millis().try_into().unwrap_or(i64::MAX);
                terms.push(Term::shown("milliseconds", milliseconds));
            }
            Candidate::new(mv, terms)
        };
        Ok(Decision {
            best: answer.mv,
            candidates: turn
                .game
                .legal_moves(turn.position())
                .map(candidate)
                .collect(),
            nodes: answer.nodes,
        })
    }

    fn forget(&mut self) {
        self.player.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StrategySpec;

    /// Answers with a fixed cell.
    struct Fixed(usize);

    impl Guest for Fixed {
        fn name(&self) -> String {
            "fixed".into()
        }
        fn seat(&self, game: &AnyGame, _: &Limits) -> Result<Box<dyn GuestPlayer>, String> {
            match game.cells() {
                9 => Ok(Box::new(Self(self.0))),
                cells => Err(format!("it does not know {cells} cells")),
            }
        }
    }

    impl GuestPlayer for Fixed {
        fn choose(&mut self, turn: &GuestTurn<'_>) -> Result<GuestMove, NoMove> {
            assert_eq!(turn.position, "X-------- O");
            assert_eq!((turn.start, turn.moves.len()), (None, 1));
            Ok(GuestMove {
                mv: Move::on(self.0),
                nodes: 3,
                time: Duration::from_millis(2),
            })
        }
        fn forget(&mut self) {}
    }

    #[test]
    fn a_guest_is_seated_like_any_strategy_and_its_answers_are_checked() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend("1").unwrap();
        let spec = |cell| StrategySpec::guest(Arc::new(Fixed(cell)));
        let context = Context::default();
        let mut seat = game.seat(spec(4), &Limits::default()).unwrap();
        let decision = seat.decide(&*line, &context).unwrap();
        assert_eq!((decision.best, decision.nodes), (Move::on(4), 3));
        assert_eq!(decision.candidates.len(), 8);
        let mut seat = game.seat(spec(0), &Limits::default()).unwrap();
        let error = seat.choose(&*line, &context).unwrap_err().to_string();
        assert_eq!(error, "illegal: it answers 1");
        let large: AnyGame = "tictactoe:4x4".parse().unwrap();
        let error = large.seat(spec(0), &Limits::default()).err().unwrap();
        assert_eq!(
            error.to_string(),
            "`fixed` cannot play: it does not know 16 cells"
        );
        assert_eq!(spec(4).to_string(), "fixed");
        assert!("fixed".parse::<StrategySpec>().is_err());
    }
}
