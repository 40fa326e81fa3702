//! A traced run as text: the pseudo-code, and a line for each step.

use papan_catalog::AnyGame;
use papan_solve::{Algorithm, Trace, TraceEvent, TraceStep, Window};
use papan_strategies::{Bound, Candidate};

use crate::{Messages, explain};

/// Returns the lines of the pseudo-code of an algorithm, with their numbers.
#[must_use]
pub fn pseudo_code(algorithm: Algorithm, messages: Messages) -> Vec<(u8, String)> {
    let (name, lines): (&str, &[u8]) = match algorithm {
        Algorithm::Minimax => ("search", &[1, 2, 3, 4, 5, 6, 9, 10]),
        Algorithm::AlphaBeta => ("search", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        Algorithm::Scoring => ("scoring", &[1, 2, 3, 4, 5]),
        Algorithm::Mcts => ("mcts", &[1, 2, 3, 4, 5, 6]),
    };
    let text = |line: &u8| (*line, messages.text(&format!("trace-{name}-{line}")));
    lines.iter().map(text).collect()
}

/// Formats a whole run.
#[must_use]
pub fn text(
    game: &AnyGame,
    algorithm: Algorithm,
    trace: &Trace,
    messages: Messages,
    ascii: bool,
) -> String {
    let mut text = String::new();
    for (number, line) in pseudo_code(algorithm, messages) {
        text += &format!("{number:>3}  {line}\n");
    }
    text.push('\n');
    for (number, step) in (1..).zip(&trace.steps) {
        text += &format!("{number:>5}  {}\n", line(game, step, messages, ascii));
    }
    if trace.is_cut_short {
        let steps = trace.steps.len().to_string();
        text += &messages.with("trace-cut-short", [("steps", steps.into())]);
        text.push('\n');
    }
    text
}

/// Formats a step: the line of the pseudo-code, the path, what happens, and the window.
#[must_use]
pub fn line(game: &AnyGame, step: &TraceStep, messages: Messages, ascii: bool) -> String {
    let path = if step.path.is_empty() {
        messages.text("tree-root")
    } else {
        game.show_moves(&step.path)
    };
    let indent = "  ".repeat(step.path.len());
    let window = step.window.map_or_else(String::new, |window| {
        format!("  {}", window_text(window, ascii))
    });
    format!(
        "{:>2}  {indent}{path}: {}{window}",
        step.code,
        event(game, step, messages, ascii)
    )
}

/// Formats what happens in a step.
#[must_use]
pub fn event(game: &AnyGame, step: &TraceStep, messages: Messages, ascii: bool) -> String {
    let show = |mv| game.show_move(mv);
    let terms = |candidate: &Candidate| explain::terms(candidate, messages, ascii);
    match &step.event {
        TraceEvent::Enter if step.window.is_none() && step.path.is_empty() => {
            messages.text("trace-begin")
        }
        TraceEvent::Enter if step.maximising => messages.text("trace-enter-max"),
        TraceEvent::Enter => messages.text("trace-enter-min"),
        TraceEvent::Leaf { value } => messages.with(
            "trace-leaf",
            [("value", number(*value, Bound::Exact, ascii).into())],
        ),
        TraceEvent::Collapsed {
            value,
            bound,
            nodes,
        } => messages.with(
            "trace-collapsed",
            [
                ("value", number(*value, *bound, ascii).into()),
                ("nodes", nodes.to_string().into()),
            ],
        ),
        TraceEvent::Better { mv, value, bound } => messages.with(
            "trace-better",
            [
                ("move", show(*mv).into()),
                ("value", number(*value, *bound, ascii).into()),
            ],
        ),
        TraceEvent::NotBetter {
            mv,
            value,
            bound,
            best,
        } => messages.with(
            "trace-not-better",
            [
                ("move", show(*mv).into()),
                ("value", number(*value, *bound, ascii).into()),
                ("best", number(*best, Bound::Exact, ascii).into()),
            ],
        ),
        TraceEvent::Cut { left } => {
            messages.with("trace-cut", [("moves", game.show_moves(left).into())])
        }
        TraceEvent::Return { value, bound } => messages.with(
            "trace-return",
            [("value", number(*value, *bound, ascii).into())],
        ),
        TraceEvent::Score { candidate, best } => {
            let mark = if *best { " *" } else { "" };
            format!("{}: {}{mark}", show(candidate.mv), terms(candidate))
        }
        TraceEvent::Playout {
            number,
            mv,
            candidates,
        } => {
            let of_move = candidates.iter().find(|candidate| candidate.mv == *mv);
            messages.with(
                "trace-playout",
                [
                    ("number", number.to_string().into()),
                    ("move", show(*mv).into()),
                    ("terms", of_move.map_or_else(String::new, terms).into()),
                ],
            )
        }
        TraceEvent::Choose { mv } => messages.with("trace-choose", [("move", show(*mv).into())]),
    }
}

/// Formats a value with its bound: `+1`, `0`, `≤ 0`.
#[must_use]
pub fn number(value: i32, bound: Bound, ascii: bool) -> String {
    let sign = match (bound, ascii) {
        (Bound::AtMost, false) => "≤ ",
        (Bound::AtMost, true) => "<= ",
        (Bound::AtLeast, false) => "≥ ",
        (Bound::AtLeast, true) => ">= ",
        (Bound::Exact | Bound::Estimate, _) => "",
    };
    match value {
        0 => format!("{sign}0"),
        _ => format!("{sign}{value:+}"),
    }
}

/// Formats a window: `[-∞, +1]`.
#[must_use]
pub fn window_text(window: Window, ascii: bool) -> String {
    let infinity = if ascii { "inf" } else { "∞" };
    let end = |value: Option<i32>, sign: &str| match value {
        None => format!("{sign}{infinity}"),
        Some(value) => number(value, Bound::Exact, ascii),
    };
    format!(
        "[{}, {}]",
        end(window.alpha(), "-"),
        end(window.beta(), "+")
    )
}
