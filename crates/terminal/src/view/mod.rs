//! The screen as a pure function of the state.

mod cell;
mod curve;
mod drawn_board;
pub(crate) mod geometry;
pub(crate) mod help;
mod move_list;
pub(crate) mod panel;
pub(crate) mod start;
pub(crate) mod theme;

use std::borrow::Cow;

use papan_rules::sanitize;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use crate::keys;
use crate::state::{Asks, State};
use crate::update::typing::waiting_command;

/// Draws the state.
pub(crate) fn draw(state: &State, frame: &mut Frame<'_>) {
    let area = frame.area();
    // A window that was resized this very moment is drawn when the message comes.
    if (area.width, area.height) == state.size {
        render(state, area, frame.buffer_mut());
    }
}

/// Draws the state into a buffer.
pub(crate) fn render(state: &State, area: Rect, buffer: &mut Buffer) {
    if let Some(scrolled) = state.help {
        help::render(state, scrolled, area, buffer);
    } else if let Some(table) = &state.table {
        match geometry::screen(&table.game, state.size) {
            None => {
                let needed = geometry::smallest(&table.game);
                too_small(state, needed, area, buffer);
            }
            Some((screen, geometry)) => {
                title(state, screen, buffer);
                drawn_board::render(state, table, &geometry, buffer);
                if let Some(area) = screen.panel {
                    panel::render(state, area, buffer);
                }
                notice(state, screen.notice, buffer);
                footer(state, "board-footer", screen.footer, buffer);
            }
        }
    } else if area.width < start::SMALLEST.0 || area.height < start::SMALLEST.1 {
        too_small(state, start::SMALLEST, area, buffer);
    } else {
        start::render(state, area, buffer);
    }
    clean(buffer);
}

/// Takes out what a terminal would obey: paths, names and records are shown as
/// whoever wrote them.
fn clean(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if let Cow::Owned(symbol) = sanitize(cell.symbol()) {
            cell.set_symbol(&symbol);
        }
    }
}

/// A sentence where a board would not fit.
fn too_small(state: &State, (columns, rows): (u16, u16), area: Rect, buffer: &mut Buffer) {
    if let Some(question) = question(state) {
        Paragraph::new(question)
            .wrap(Wrap { trim: true })
            .render(area, buffer);
        return;
    }
    let text = state.words().with(
        "board-too-small",
        [
            ("columns", columns.to_string().into()),
            ("rows", rows.to_string().into()),
            ("now-columns", area.width.to_string().into()),
            ("now-rows", area.height.to_string().into()),
        ],
    );
    Paragraph::new(text)
        .wrap(Wrap { trim: true })
        .render(area, buffer);
}

fn title(state: &State, screen: geometry::Screen, buffer: &mut Buffer) {
    let words = state.words();
    let Some(table) = &state.table else { return };
    let mut labels = Vec::new();
    if table.setup.is_some() {
        labels.push(words.text("board-label-setup"));
    } else if table.analysing {
        labels.push(words.text("board-label-analysis"));
    } else if table.is_watched() {
        labels.push(words.text("board-label-watching"));
    }
    if table.walking {
        labels.push(words.text("board-label-walking"));
    } else if table.paused {
        labels.push(words.text("board-label-paused"));
    }
    let mut spans = vec![
        Span::styled(" papan ", state.theme().heading()),
        Span::raw(format!(" {} ", table.game.name())),
    ];
    if !labels.is_empty() {
        spans.push(Span::styled(
            format!(" [{}]", labels.join(", ")),
            state.theme().dim(),
        ));
    }
    if screen.panel.is_none() && table.outcome().is_none() {
        // The panel would have said so.
        let side = crate::wording::side(state, table.turn());
        let turn = words.with("board-side-to-move", [("side", side.into())]);
        spans.push(Span::raw(format!(" {turn}")));
    }
    Line::from(spans).render(screen.title, buffer);
}

/// What is asked before a game that is under way is left.
fn question(state: &State) -> Option<String> {
    let command = keys::text(state.question?);
    let words = state.words();
    Some(words.with("board-ask-leave", [("command", words.text(command).into())]))
}

/// What is typed at the board, and what else its letter may mean.
fn typed(state: &State, typed: &str) -> String {
    let words = state.words();
    let asked = format!(" {} {typed}_", words.text("board-ask-move"));
    match waiting_command(typed) {
        None => asked,
        Some(command) => {
            let command = words.text(keys::text(command));
            let or = words.with("board-or-command", [("command", command.into())]);
            format!("{asked}   {or}")
        }
    }
}

/// What is being typed, or what there is to say.
fn notice(state: &State, area: Rect, buffer: &mut Buffer) {
    let words = state.words();
    let begun = state
        .table
        .as_ref()
        .map_or("", |table| table.typed.as_str());
    let (text, style) = if let Some(question) = question(state) {
        (format!(" {question}"), state.theme().heading())
    } else if let Some(prompt) = &state.prompt {
        let key = match prompt.asks {
            Asks::Move => "board-ask-move",
            Asks::Save => "board-ask-save",
            Asks::Open => "board-ask-open",
            Asks::Position => "board-ask-position",
        };
        let asked = format!(" {} {}_", words.text(key), prompt.text);
        (asked, state.theme().heading())
    } else if let Some(notice) = &state.notice {
        let style = match notice.wrong {
            true => state.theme().wrong(),
            false => Style::new(),
        };
        (format!(" {}", notice.text), style)
    } else if !begun.is_empty() {
        (typed(state, begun), state.theme().heading())
    } else {
        return;
    };
    // The end of a long line is what is being typed.
    let room = usize::from(area.width.saturating_sub(1)) * usize::from(area.height);
    let text = match (state.prompt.is_some(), text.chars().count()) {
        (true, long) if long > room => text.chars().skip(long - room).collect(),
        _ => text,
    };
    Paragraph::new(text)
        .style(style)
        .wrap(Wrap { trim: false })
        .render(area, buffer);
}

fn footer(state: &State, key: &str, area: Rect, buffer: &mut Buffer) {
    let text = format!(" {}", state.words().text(key));
    buffer.set_stringn(
        area.x,
        area.y,
        text,
        usize::from(area.width),
        state.theme().dim(),
    );
}
