//! The view of The Elm Architecture: renders the state with ratatui.

mod board;
mod cell;
mod curve;
pub(crate) mod help;
mod move_list;
pub(crate) mod panel;
pub(crate) mod start;

use std::borrow::Cow;

use papan_rules::sanitize;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use crate::keys;
use crate::keys::waiting_command;
use crate::layout;
use crate::state::{PromptKind, State};

/// Draws the state.
pub(crate) fn draw(state: &State, frame: &mut Frame<'_>) {
    let area = frame.area();
    // After a resize the screen is drawn when its message arrives.
    if (area.width, area.height) == state.size {
        render(state, area, frame.buffer_mut());
    }
}

/// Draws the state into a buffer.
pub(crate) fn render(state: &State, area: Rect, buffer: &mut Buffer) {
    if let Some(scrolled) = state.help {
        help::render(state, scrolled, area, buffer);
    } else if let Some(game) = &state.game {
        match layout::screen(&game.rules, state.size) {
            None => {
                let needed = layout::min_size(&game.rules);
                too_small(state, needed, area, buffer);
            }
            Some((screen, geometry)) => {
                title(state, screen, buffer);
                board::render(state, game, &geometry, buffer);
                if let Some(area) = screen.panel {
                    panel::render(state, area, buffer);
                }
                notice(state, screen.notice, buffer);
                footer(state, "board-footer", screen.footer, buffer);
            }
        }
    } else if area.width < start::MIN_SIZE.0 || area.height < start::MIN_SIZE.1 {
        too_small(state, start::MIN_SIZE, area, buffer);
    } else {
        start::render(state, area, buffer);
    }
    clean(buffer);
}

/// Removes control characters, because paths, names and records come from outside.
fn clean(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if let Cow::Owned(symbol) = sanitize(cell.symbol()) {
            cell.set_symbol(&symbol);
        }
    }
}

/// Draws the message that the window is too small.
fn too_small(state: &State, (columns, rows): (u16, u16), area: Rect, buffer: &mut Buffer) {
    if let Some(question) = question(state) {
        Paragraph::new(question)
            .wrap(Wrap { trim: true })
            .render(area, buffer);
        return;
    }
    let text = state.messages().with(
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

fn title(state: &State, screen: layout::Screen, buffer: &mut Buffer) {
    let messages = state.messages();
    let Some(game) = &state.game else { return };
    let mut labels = Vec::new();
    if game.setup.is_some() {
        labels.push(messages.text("board-label-setup"));
    } else if game.analysing {
        labels.push(messages.text("board-label-analysis"));
    } else if game.is_watched() {
        labels.push(messages.text("board-label-watching"));
    }
    if game.browsing {
        labels.push(messages.text("board-label-walking"));
    } else if game.paused {
        labels.push(messages.text("board-label-paused"));
    }
    let mut spans = vec![
        Span::styled(" papan ", state.theme().heading()),
        Span::raw(format!(" {} ", game.rules.name())),
    ];
    if !labels.is_empty() {
        spans.push(Span::styled(
            format!(" [{}]", labels.join(", ")),
            state.theme().dim(),
        ));
    }
    if screen.panel.is_none() && game.outcome().is_none() {
        // Normally in the panel.
        let side = crate::text::side(state, game.turn());
        let turn = messages.with("board-side-to-move", [("side", side.into())]);
        spans.push(Span::raw(format!(" {turn}")));
    }
    Line::from(spans).render(screen.title, buffer);
}

/// Returns the confirmation question.
fn question(state: &State) -> Option<String> {
    let command = keys::text(state.confirm?);
    let messages = state.messages();
    Some(messages.with(
        "board-ask-leave",
        [("command", messages.text(command).into())],
    ))
}

/// Formats the typed beginning of a square, with the command that its letter may mean.
fn typed(state: &State, typed: &str) -> String {
    let messages = state.messages();
    let asked = format!(" {} {typed}_", messages.text("board-ask-move"));
    match waiting_command(typed) {
        None => asked,
        Some(command) => {
            let command = messages.text(keys::text(command));
            let or = messages.with("board-or-command", [("command", command.into())]);
            format!("{asked}   {or}")
        }
    }
}

/// Draws the confirmation, the prompt, the notice or the typed square.
fn notice(state: &State, area: Rect, buffer: &mut Buffer) {
    let messages = state.messages();
    let begun = state.game.as_ref().map_or("", |game| game.typed.as_str());
    let (text, style) = if let Some(question) = question(state) {
        (format!(" {question}"), state.theme().heading())
    } else if let Some(prompt) = &state.prompt {
        let key = match prompt.kind {
            PromptKind::Move => "board-ask-move",
            PromptKind::Save => "board-ask-save",
            PromptKind::Open => "board-ask-open",
            PromptKind::Position => "board-ask-position",
        };
        let asked = format!(" {} {}_", messages.text(key), prompt.text);
        (asked, state.theme().heading())
    } else if let Some(notice) = &state.notice {
        let style = if notice.wrong {
            state.theme().wrong()
        } else {
            Style::new()
        };
        (format!(" {}", notice.text), style)
    } else if !begun.is_empty() {
        (typed(state, begun), state.theme().heading())
    } else {
        return;
    };
    // Show the end of a long line, where the user types.
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
    let text = format!(" {}", state.messages().text(key));
    buffer.set_stringn(
        area.x,
        area.y,
        text,
        usize::from(area.width),
        state.theme().dim(),
    );
}
