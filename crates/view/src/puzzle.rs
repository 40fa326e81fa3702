//! Puzzles in words: the task, its themes and the verdict on an attempt.

use papan_catalog::puzzles::{Attempt, Goal, Puzzle, Theme, Verdict};
use papan_catalog::{AnyGame, AnyLine};
use papan_rules::Move;

use crate::{Marks, Messages, messages};

/// Formats the task: `Black to move: complete a line in 3 moves.`
#[must_use]
pub fn task(messages: Messages, puzzle: &Puzzle, line: &dyn AnyLine) -> String {
    let pieces = line.game().pieces();
    let side = messages::side(messages, pieces, line.turn(), Marks::default());
    let key = match puzzle.goal {
        Goal::WinIn(1) => "puzzle-task-complete".into(),
        goal => format!("puzzle-task-{}", goal.name()),
    };
    let moves = puzzle.goal.moves().unwrap_or_default().to_string();
    messages.with(&key, [("side", side.into()), ("moves", moves.into())])
}

/// Returns the name of a theme.
#[must_use]
pub fn theme(messages: Messages, theme: Theme) -> String {
    messages.text(&format!("puzzle-theme-{}", theme.name()))
}

/// Returns the verdict on the last move of an attempt; `None` before the first one.
#[must_use]
pub fn verdict(messages: Messages, game: &AnyGame, attempt: &Attempt) -> Option<String> {
    let named =
        |key: &str, name: &str, mv: Move| messages.with(key, [(name, game.show_move(mv).into())]);
    match attempt.verdict {
        Verdict::Wrong(mv) => Some(named("puzzle-wrong", "move", mv)),
        Verdict::Solved => Some(messages.text("puzzle-solved")),
        Verdict::Open => {
            let reply = attempt.played.last()?;
            Some(named("puzzle-right", "reply", *reply))
        }
    }
}
