//! Drawing of a decision: the board with the strategy's numbers on its cells.

use papan_catalog::AnyLine;
use papan_strategies::{Decision, Term, Value};

use super::{columns, heading, value_text, why};
use crate::drawing::{Drawing, Piece, SmallBoard};
use crate::text_board::Style;
use crate::{ForcedWin, Messages};

/// Draws the board with the numbers of each legal move on its cell.
#[must_use]
pub fn picture(
    line: &dyn AnyLine,
    decision: &Decision,
    title: &str,
    style: Style,
    messages: Messages,
) -> Drawing {
    let game = line.game();
    let names = columns(decision);
    let cells: Vec<_> = (0..game.cells()).map(|cell| line.piece(cell)).collect();
    let board = SmallBoard {
        sides: game.shape().sides(),
        cells: &cells,
        pieces: game.pieces(),
        marks: style.marks,
        last: decision.best.cell(),
    };
    let longest = decision.candidates.iter().flat_map(|candidate| {
        let texts = candidate
            .terms
            .iter()
            .filter(|term| names.contains(&term.name));
        texts.map(|term| label(term, messages).chars().count())
    });
    let longest = longest.max().unwrap_or(0);
    let lines = names.len().max(1);
    let side = (lines as f64 * 14.0 + 30.0)
        .max(longest as f64 * 6.6 + 12.0)
        .max(72.0);
    let mut svg = Drawing::new(title);
    let at = (16.0, 44.0);
    svg.text_from(16.0, 26.0, 15.0, "strong", title);
    for (cell, piece) in cells.iter().enumerate() {
        let (x, y) = board.corner(at, side, cell);
        let chosen = if board.last == Some(cell) {
            " chosen"
        } else {
            ""
        };
        svg.rect(x, y, side, side, &format!("cell{chosen}"));
        if let Some(player) = *piece {
            let (pieces, marks) = (board.pieces, board.marks);
            svg.piece(
                (x, y),
                side,
                Piece {
                    player,
                    pieces,
                    marks,
                },
            );
        }
    }
    for candidate in &decision.candidates {
        let Some(cell) = candidate.mv.cell() else {
            continue;
        };
        let (x, y) = board.corner(at, side, cell);
        svg.text_from(
            x + 5.0,
            y + 15.0,
            11.0,
            "note",
            &game.show_move(candidate.mv),
        );
        let shown = candidate
            .terms
            .iter()
            .filter(|term| names.contains(&term.name));
        for (row, term) in shown.enumerate() {
            let class = if term.decides { "strong" } else { "" };
            let text = label(term, messages);
            svg.text(
                x + side / 2.0,
                y + 32.0 + row as f64 * 14.0,
                11.0,
                class,
                &text,
            );
        }
    }
    let below = at.1 + board.size(side).1;
    let mut said = why(line, decision, messages);
    if let Some(win) = ForcedWin::of(line, decision) {
        said = format!("{said} {}", win.text(&game, messages));
    }
    for (row, part) in wrapped(&said, 70).iter().enumerate() {
        svg.text_from(16.0, below + 24.0 + row as f64 * 17.0, 12.0, "", part);
    }
    svg
}

fn label(term: &Term, messages: Messages) -> String {
    let value = value_text(&term.value, messages, false);
    match term.value {
        Value::Rule(_) | Value::Text(_) => value,
        _ => format!("{} {value}", heading(term.name, messages)),
    }
}

/// Wraps a sentence into lines of about `width` characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
