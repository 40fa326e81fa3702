//! Renders the help page from the table of key bindings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use papan_view::Messages;

use crate::keys::BINDINGS;
use crate::state::State;

const LABEL: usize = 16;

fn lines(state: &State) -> Vec<Line<'static>> {
    let messages = state.messages();
    let theme = state.theme();
    let mut lines: Vec<Line<'static>> = BINDINGS
        .iter()
        .filter(|binding| !binding.text.is_empty())
        .map(|binding| {
            Line::from(vec![
                Span::styled(
                    format!(" {:<LABEL$} ", label(messages, binding.label)),
                    theme.heading(),
                ),
                Span::raw(messages.text(binding.text)),
            ])
        })
        .collect();
    lines.push(Line::default());
    let (cursor, legal) = if state.ascii() {
        ("< >", "*")
    } else {
        ("‹ ›", "•")
    };
    let marks = [
        messages.with("board-marks-pieces", [("cursor", cursor.into())]),
        messages.with("board-marks-cells", [("legal", legal.into())]),
    ];
    for text in marks {
        lines.push(Line::styled(format!(" {text}"), theme.dim()));
    }
    lines
}

/// Returns the keys of a binding with the names of special keys translated.
fn label(messages: Messages, keys: &str) -> String {
    keys.replace("arrows", &messages.text("keyboard-arrows"))
        .replace("Space", &messages.text("keyboard-space"))
}

/// Returns the rows between heading and footer.
fn room(state: &State) -> usize {
    usize::from(state.size.1.saturating_sub(3))
}

/// Returns the maximum scroll offset in this window.
#[must_use]
pub(crate) fn max_scroll(state: &State) -> u16 {
    lines(state).len().saturating_sub(room(state)) as u16
}

/// Draws the page.
pub(super) fn render(state: &State, scrolled: u16, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let messages = state.messages();
    let heading = format!(" papan: {}", messages.text("board-help"));
    buffer.set_stringn(
        0,
        0,
        heading,
        usize::from(area.width),
        state.theme().heading(),
    );
    let scrolled = usize::from(scrolled.min(max_scroll(state)));
    let lines = lines(state).into_iter().skip(scrolled).take(room(state));
    for (index, line) in lines.enumerate() {
        let y = 2 + index as u16;
        if y < area.height {
            line.render(Rect::new(0, y, area.width, 1), buffer);
        }
    }
    let footer = Rect::new(
        0,
        area.height.saturating_sub(1),
        area.width,
        1.min(area.height),
    );
    super::footer(state, "board-help-footer", footer, buffer);
}
