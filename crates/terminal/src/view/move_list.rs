//! Renders the move list, or the review in its place.

use papan_view::review::loss_text;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::panel::piece;
use crate::game::{Game, Mistake, Review};
use crate::state::State;
use crate::tree::NodeId;

/// Columns of one move in the list.
const MOVE_WIDTH: usize = 10;
/// Columns of a move's number.
const NUMBER_WIDTH: usize = 5;

/// Returns the first visible row, so that the current move is visible.
fn first_row(game: &Game, height: usize) -> usize {
    let rows = game.tree.path().len() / 2;
    let here = game.tree.node(game.tree.current()).ply.saturating_sub(1) / 2;
    here.saturating_sub(height / 2)
        .min(rows.saturating_sub(height))
}

/// Draws the moves around the current one.
pub(super) fn moves(state: &State, game: &Game, height: usize) -> Vec<Line<'static>> {
    let messages = state.messages();
    let theme = state.theme();
    let path = game.tree.path();
    let mut lines = vec![Line::styled(messages.text("board-moves"), theme.heading())];
    if path.len() == 1 {
        lines.push(Line::styled(messages.text("no-moves-yet"), theme.dim()));
    }
    let first = first_row(game, height.saturating_sub(1));
    for (index, pair) in path[1..].chunks(2).enumerate().skip(first) {
        let mut spans = vec![Span::styled(format!("{:>3}. ", index + 1), theme.dim())];
        for &id in pair {
            let node = game.tree.node(id);
            let mv = node.mv.map(|mv| game.rules.show_move(mv));
            let others = match game.tree.others(id) {
                0 => String::new(),
                others => format!(" ({others})"),
            };
            let here = id == game.tree.current();
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

/// Returns the position whose move is at a place of the list.
pub(super) fn node_at(game: &Game, height: usize, (column, row): (usize, usize)) -> Option<NodeId> {
    // The first row is the heading.
    let row = row.checked_sub(1)? + first_row(game, height.saturating_sub(1));
    let column = column.checked_sub(NUMBER_WIDTH)? / MOVE_WIDTH;
    let path = game.tree.path();
    (column < 2).then(|| path.get(1 + 2 * row + column).copied())?
}

/// Draws the mistakes.
pub(super) fn review(
    state: &State,
    game: &Game,
    chosen: Review,
    height: usize,
) -> Vec<Line<'static>> {
    let messages = state.messages();
    let theme = state.theme();
    let mistakes = game.mistakes();
    let mut lines = vec![Line::styled(messages.text("board-review"), theme.heading())];
    if game.first_unanalysed().is_some() {
        lines.push(Line::styled(messages.text("board-reviewing"), theme.dim()));
    } else if mistakes.is_empty() {
        lines.push(Line::from(messages.text("board-no-mistakes")));
    } else {
        lines.push(Line::styled(
            messages.text("board-review-keys"),
            theme.dim(),
        ));
    }
    let room = height.saturating_sub(2).max(1);
    let is_chosen = |mistake: &Mistake| Some(mistake.node) == chosen.chosen;
    let place = mistakes.iter().position(is_chosen).unwrap_or(0);
    for mistake in mistakes.iter().skip(place.saturating_sub(room - 1)) {
        let here = is_chosen(mistake);
        let mark = if here { ">" } else { " " };
        let style = if here { theme.cursor() } else { Style::new() };
        let text = format!("{mark}{}", mistake_text(state, game, mistake));
        lines.push(Line::styled(text, style));
    }
    lines
}

fn mistake_text(state: &State, game: &Game, mistake: &Mistake) -> String {
    let loss = loss_text(game.rules.properties().score_unit, mistake.loss);
    let played = game.rules.show_move(mistake.played);
    // The row of the move in the list.
    let row = game.tree.node(mistake.node).ply.div_ceil(2);
    state.messages().with(
        "board-mistake",
        [
            ("number", row.to_string().into()),
            ("side", piece(state, game, mistake.player).into()),
            ("played", format!("{played}{}", mistake.grade.sign()).into()),
            ("better", game.rules.show_move(mistake.better).into()),
            ("loss", loss.into()),
        ],
    )
}
