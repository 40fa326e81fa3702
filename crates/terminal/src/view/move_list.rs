//! The list of moves, and the review of the mistakes in its place.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::panel::piece;
use crate::state::State;
use crate::table::{Mistake, Review, Table};
use crate::tree::NodeId;

/// Columns of one move in the list.
const MOVE_WIDTH: usize = 10;
/// Columns of a move's number.
const NUMBER_WIDTH: usize = 5;

/// Which pairs of moves are shown: those around the one that is looked at.
fn first_row(table: &Table, height: usize) -> usize {
    let rows = table.tree.path().len() / 2;
    let here = table.tree.node(table.tree.current()).ply.saturating_sub(1) / 2;
    here.saturating_sub(height / 2)
        .min(rows.saturating_sub(height))
}

/// The moves around the one that is looked at.
pub(super) fn moves(state: &State, table: &Table, height: usize) -> Vec<Line<'static>> {
    let words = state.words();
    let theme = state.theme();
    let path = table.tree.path();
    let mut lines = vec![Line::styled(words.text("board-moves"), theme.heading())];
    if path.len() == 1 {
        lines.push(Line::styled(words.text("no-moves-yet"), theme.dim()));
    }
    let first = first_row(table, height.saturating_sub(1));
    for (index, pair) in path[1..].chunks(2).enumerate().skip(first) {
        let mut spans = vec![Span::styled(format!("{:>3}. ", index + 1), theme.dim())];
        for &id in pair {
            let node = table.tree.node(id);
            let mv = node.mv.map(|mv| table.game.show_move(mv));
            let others = match table.tree.others(id) {
                0 => String::new(),
                others => format!(" ({others})"),
            };
            let here = id == table.tree.current();
            let text = format!(
                "{}{}{others}",
                if here { ">" } else { " " },
                mv.unwrap_or_default()
            );
            let style = if here { theme.cursor() } else { Style::new() };
            spans.push(Span::styled(format!("{text:<MOVE_WIDTH$}"), style));
        }
        lines.push(Line::from(spans));
    }
    lines
}

/// The position whose move stands at a place of the list.
pub(super) fn node_at(
    table: &Table,
    height: usize,
    (column, row): (usize, usize),
) -> Option<NodeId> {
    // The heading is no move.
    let row = row.checked_sub(1)? + first_row(table, height.saturating_sub(1));
    let column = column.checked_sub(NUMBER_WIDTH)? / MOVE_WIDTH;
    let path = table.tree.path();
    (column < 2).then(|| path.get(1 + 2 * row + column).copied())?
}

/// The mistakes, and how to go through them.
pub(super) fn review(
    state: &State,
    table: &Table,
    chosen: Review,
    height: usize,
) -> Vec<Line<'static>> {
    let words = state.words();
    let theme = state.theme();
    let mistakes = table.mistakes();
    let mut lines = vec![Line::styled(words.text("board-review"), theme.heading())];
    if table.unjudged().is_some() {
        lines.push(Line::styled(words.text("board-reviewing"), theme.dim()));
    } else if mistakes.is_empty() {
        lines.push(Line::from(words.text("board-no-mistakes")));
    } else {
        lines.push(Line::styled(words.text("board-review-keys"), theme.dim()));
    }
    let room = height.saturating_sub(2).max(1);
    let is_chosen = |mistake: &Mistake| Some(mistake.node) == chosen.chosen;
    let place = mistakes.iter().position(is_chosen).unwrap_or(0);
    for mistake in mistakes.iter().skip(place.saturating_sub(room - 1)) {
        let here = is_chosen(mistake);
        let mark = if here { ">" } else { " " };
        let style = if here { theme.cursor() } else { Style::new() };
        let text = format!("{mark}{}", mistake_text(state, table, mistake));
        lines.push(Line::styled(text, style));
    }
    lines
}

fn mistake_text(state: &State, table: &Table, mistake: &Mistake) -> String {
    let loss = match mistake.loss.fract() == 0.0 {
        true => format!("{:.0}", mistake.loss),
        false => format!("{:.1}", mistake.loss),
    };
    // The row of the list that the move stands in.
    let row = table.tree.node(mistake.node).ply.div_ceil(2);
    state.words().with(
        "board-mistake",
        [
            ("number", row.to_string().into()),
            ("side", piece(state, table, mistake.player).into()),
            ("played", table.game.show_move(mistake.played).into()),
            ("better", table.game.show_move(mistake.better).into()),
            ("loss", loss.into()),
        ],
    )
}
