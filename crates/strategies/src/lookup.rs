//! Lookup table: positions with one answer each, up to symmetry.
//!
//! It believes its file. At every move the board is rotated and reflected until it is one of the
//! listed positions, and the answer is mapped back.
//!
//! ```text
//! papan lookup 1
//! game tictactoe
//! --------- 5
//! O---X---- 9
//! ```

use std::collections::HashMap;

use papan_rules::{GameInfo, Line, Move, Player, Symmetric};

use crate::{Candidate, Decision, NoMove, Strategy, Term, Turn, Value};

/// The first line of a list.
const KIND: &str = "papan lookup 1";

/// A player that looks positions up, each with all its symmetric images.
#[derive(Clone, Debug)]
pub struct Lookup<G: Symmetric> {
    /// Answers by the packed form of a position's representative.
    answers: HashMap<G::Packed, Move>,
}

/// An error in a list, with its place and the expected line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}")]
pub struct LookupError {
    /// The line, counted from 1.
    pub line: usize,
    /// The expected line.
    pub expected: ListLine,
}

/// A line of a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListLine {
    /// These very words.
    #[error("`{0}`")]
    Messages(String),
    /// A position and a move.
    #[error("the cells of a position, a space, and a move")]
    Answer,
    /// A position that can arise.
    #[error("a position that can arise")]
    Position,
    /// A move that is legal there.
    #[error("a legal move")]
    Move,
    /// A position that is not listed before.
    #[error("a position that is not listed already")]
    NewPosition,
}

impl<G: GameInfo + Symmetric> Lookup<G> {
    /// A list of positions and answers.
    pub fn new(game: &G, answers: impl IntoIterator<Item = (G::Position, Move)>) -> Self {
        let turned = answers.into_iter().map(|(pos, mv)| {
            let (representative, symmetry) = game.canonical(&pos);
            (game.pack(&representative), symmetry.apply(mv))
        });
        Self {
            answers: turned.collect(),
        }
    }

    /// How many positions are listed.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.answers.len()
    }

    /// Parses a list as [`list_text`] writes it. Lines that start with `#` are skipped.
    ///
    /// # Errors
    /// When a line is invalid.
    pub fn parse(game: &G, text: &str) -> Result<Self, LookupError> {
        let error = |line: usize, expected: ListLine| LookupError { line, expected };
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let mut lines = lines.by_ref().filter(|(_, line)| !line.starts_with('#'));
        if lines.next().is_none_or(|(_, line)| line != KIND) {
            return Err(error(1, ListLine::Messages(KIND.into())));
        }
        let named = format!("game {}", game.name());
        match lines.next() {
            Some((_, line)) if line == named => {}
            other => {
                let at = other.map_or(2, |(at, _)| at);
                return Err(error(at, ListLine::Messages(named)));
            }
        }
        let mut answers = HashMap::new();
        for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let (cells, mv) = line
                .split_once(' ')
                .ok_or_else(|| error(at, ListLine::Answer))?;
            let pos = [Player::First, Player::Second]
                .iter()
                .find_map(|turn| {
                    let letter = ["X", "O"][turn.index()];
                    game.parse_position(&format!("{cells} {letter}")).ok()
                })
                .ok_or_else(|| error(at, ListLine::Position))?;
            let mv = game.parse_move(mv).ok();
            let mv = mv.filter(|&mv| game.is_legal(&pos, mv));
            let mv = mv.ok_or_else(|| error(at, ListLine::Move))?;
            let (representative, symmetry) = game.canonical(&pos);
            let answer = symmetry.apply(mv);
            if answers.insert(game.pack(&representative), answer).is_some() {
                return Err(error(at, ListLine::NewPosition));
            }
        }
        Ok(Self { answers })
    }

    fn answer(&self, game: &G, line: &Line<G>) -> Result<(Move, String), NoMove> {
        let pos = line.position();
        if game.outcome(pos).is_some() {
            return Err(NoMove::GameOver);
        }
        let (representative, symmetry) = game.canonical(pos);
        let text = game.format_position(&representative);
        match self.answers.get(&game.pack(&representative)) {
            Some(&mv) => Ok((symmetry.inverse().apply(mv), text)),
            None => Err(NoMove::NoRow(text)),
        }
    }
}

/// A list as text, in the order given.
pub fn list_text<'a, G: GameInfo>(
    game: &G,
    answers: impl IntoIterator<Item = (&'a G::Position, Move)>,
) -> String {
    let mut text = format!("{KIND}\ngame {}\n", game.name());
    for (pos, mv) in answers {
        let position = game.format_position(pos);
        let cells = position.split(' ').next().unwrap_or_default();
        text.push_str(&format!("{cells} {}\n", game.format_move(mv)));
    }
    text
}

impl<G: GameInfo + Symmetric> Strategy<G> for Lookup<G> {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn { game, line, .. } = turn;
        let (mv, _) = self.answer(game, line)?;
        out.clear();
        out.push(mv);
        Ok(1)
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        let Turn { game, line, .. } = turn;
        let (best, row) = self.answer(game, line)?;
        let candidates = game.legal_moves(line.position()).map(|mv| {
            let mut terms = vec![Term::deciding("table", i64::from(mv == best))];
            if mv == best {
                terms.push(Term::shown("row", Value::Text(row.clone())));
            }
            Candidate::new(mv, terms)
        });
        Ok(Decision {
            best,
            candidates: candidates.collect(),
            nodes: 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use papan_rules::{Notation, tictactoe};

    #[test]
    fn an_answer_is_turned_with_the_board() {
        let game = tictactoe();
        let list = "papan lookup 1\ngame tictactoe\n# the corner\nX-------- 5\n-X------- 1\n";
        let mut lookup = Lookup::parse(&game, list).unwrap();
        let mut answer = |moves: &str| {
            let line = Line::parse(&game, moves).unwrap();
            let mut out = Vec::new();
            let asked = lookup.choices(Turn::new(&game, &line, &Context::default()), &mut out);
            asked.map(|_| game.format_move(out[0]))
        };
        assert_eq!(answer("9").unwrap(), "5");
        // A side is answered in a corner beside it, whichever side it is.
        for (side, corners) in [("2", ["1", "3"]), ("6", ["3", "9"]), ("8", ["7", "9"])] {
            assert!(corners.contains(&answer(side).unwrap().as_str()));
        }
        assert!(matches!(answer("5"), Err(NoMove::NoRow(_))));
    }

    #[test]
    fn a_broken_list_names_its_line() {
        let game = tictactoe();
        let line = |text: &str| Lookup::parse(&game, text).unwrap_err().line;
        assert_eq!(line(""), 1);
        assert_eq!(line("papan lookup 1\ngame othello\n"), 2);
        assert_eq!(line("papan lookup 1\ngame tictactoe\nX--------\n"), 3);
        assert_eq!(line("papan lookup 1\ngame tictactoe\nX-------- 1\n"), 3);
        assert_eq!(line("papan lookup 1\ngame tictactoe\nXXX------ 5\n"), 3);
        let twice = "papan lookup 1\ngame tictactoe\nX-------- 5\n--X------ 5\n";
        assert_eq!(line(twice), 4);
    }
}
