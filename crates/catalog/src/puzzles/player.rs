//! Playing a puzzle: the moves tried so far, checked against the solution.

use papan_rules::{Move, Player};

use super::Puzzle;
use crate::AnyLine;

/// The state of an attempt after its last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was right so far; the solver is to move.
    Open,
    /// The last move was wrong.
    Wrong(Move),
    /// The goal is reached.
    Solved,
}

/// An attempt at a puzzle.
pub struct Attempt {
    /// The position: after the reply to the last right move, or after the last move of the solution.
    pub line: Box<dyn AnyLine>,
    /// The solver's side.
    pub solver: Player,
    /// The right moves, with the replies between them.
    pub played: Vec<Move>,
    /// Moves of the solver that were right.
    pub found: usize,
    /// The verdict on the moves.
    pub verdict: Verdict,
}

impl Attempt {
    /// Plays the solver's moves, with the replies of the solution between them, up to the first
    /// wrong one. `None` if the puzzle is damaged.
    #[must_use]
    pub fn new(puzzle: &Puzzle, tried: &[Move]) -> Option<Self> {
        let line = puzzle.line()?;
        let steps = puzzle.steps()?;
        let mut attempt = Self {
            solver: line.turn(),
            line,
            played: Vec::new(),
            found: 0,
            verdict: Verdict::Open,
        };
        for &mv in tried {
            if attempt.verdict != Verdict::Open {
                break;
            }
            attempt.make(&steps, mv)?;
        }
        Some(attempt)
    }

    fn make(&mut self, steps: &[Move], mv: Move) -> Option<()> {
        let at = self.played.len();
        let last = at + 1 == steps.len();
        let mut next = self.line.clone_line();
        if next.play(mv).is_err() {
            self.verdict = Verdict::Wrong(mv);
            return Some(());
        }
        let wins = next.outcome().is_some_and(|o| o.value_for(self.solver) > 0);
        // Several cells may complete the last line.
        if steps.get(at) != Some(&mv) && !(last && wins) {
            self.verdict = Verdict::Wrong(mv);
            return Some(());
        }
        self.line = next;
        self.played.push(mv);
        self.found += 1;
        if last {
            self.verdict = Verdict::Solved;
            return Some(());
        }
        let reply = *steps.get(at + 1)?;
        self.line.play(reply).ok()?;
        self.played.push(reply);
        Some(())
    }

    /// Returns the right move, if one is left to find.
    #[must_use]
    pub fn answer(&self, puzzle: &Puzzle) -> Option<Move> {
        puzzle.steps()?.get(self.played.len()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Goal, Theme};
    use super::*;

    fn puzzle() -> Puzzle {
        Puzzle {
            game: "tictactoe".into(),
            goal: Goal::WinIn(2),
            themes: vec![Theme::Win, Theme::Fork],
            rating: 900,
            // X holds 1 and 9; 7 threatens 4 and 8.
            moves: "1 5 9 3".into(),
            solution: "7 4 8".into(),
        }
    }

    #[test]
    fn a_puzzle_is_played_move_by_move_with_the_replies() {
        let puzzle = puzzle();
        puzzle.verify().unwrap();
        let at = |cells: &[usize]| {
            let moves: Vec<Move> = cells.iter().map(|cell| Move::on(cell - 1)).collect();
            Attempt::new(&puzzle, &moves).unwrap()
        };
        assert_eq!(at(&[]).verdict, Verdict::Open);
        let one = at(&[7]);
        assert_eq!(one.verdict, Verdict::Open);
        assert_eq!(one.line.text(), "1 5 9 3 7 4");
        assert_eq!(one.answer(&puzzle), Some(Move::on(7)));
        assert_eq!(at(&[7, 8]).verdict, Verdict::Solved);
        assert_eq!(at(&[2]).verdict, Verdict::Wrong(Move::on(1)));
        // The position is the one before the wrong move; an occupied cell is wrong as well.
        assert_eq!(at(&[7, 6]).line.text(), "1 5 9 3 7 4");
        assert_eq!(at(&[1]).verdict, Verdict::Wrong(Move::on(0)));
        assert_eq!(at(&[7, 8, 2]).verdict, Verdict::Solved);
    }
}
