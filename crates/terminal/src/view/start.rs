//! Renders the start page.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use papan_catalog::PlayerSpec;
use papan_rules::Player;
use papan_view::messages::{about_strategy, strategy_name};
use papan_view::{BoardView, Language, Marks};

use super::{board, footer, notice};
use crate::layout::Geometry;
use crate::start_page::Row;
use crate::state::State;
use crate::text;

/// Minimum window for the start page.
pub(crate) const MIN_SIZE: (u16, u16) = (44, 12);
/// Width of the row labels.
const LABEL: usize = 18;
/// First line of the rows.
const TOP: u16 = 2;
/// Width of the rows in a wide window, beside the board preview.
const ROWS_WIDTH: u16 = 64;

/// Whether a row is a button.
#[must_use]
pub(crate) fn is_button(row: Row) -> bool {
    matches!(
        row,
        Row::Continue | Row::Play | Row::Analyse | Row::Open | Row::Quit
    )
}

/// Returns the lines of the page: rows, with an empty line before the buttons.
fn lines(state: &State) -> Vec<Option<usize>> {
    let rows = state.start.rows();
    let buttons = rows.iter().position(|row| is_button(*row)).unwrap_or(0);
    let mut lines: Vec<Option<usize>> = (0..rows.len()).map(Some).collect();
    lines.insert(buttons, None);
    lines
}

/// Returns the number of visible lines and the first of them.
fn window(state: &State) -> (usize, usize) {
    let room = usize::from(state.size.1.saturating_sub(TOP + 3));
    let lines = lines(state);
    let focus = lines
        .iter()
        .position(|line| *line == Some(state.start.focus))
        .unwrap_or(0);
    let first = if lines.len() <= room {
        0
    } else {
        focus.saturating_sub(room / 2).min(lines.len() - room)
    };
    (room, first)
}

/// Returns the row at a screen position.
#[must_use]
pub(crate) fn row_at(state: &State, _x: u16, y: u16) -> Option<usize> {
    let (room, first) = window(state);
    let line = usize::from(y.checked_sub(TOP)?);
    if line < room {
        lines(state).get(first + line).copied().flatten()
    } else {
        None
    }
}

/// Draws the page.
pub(super) fn render(state: &State, area: Rect, buffer: &mut Buffer) {
    let messages = state.messages();
    let title = format!(" {}", messages.text("title"));
    buffer.set_stringn(
        0,
        0,
        title,
        usize::from(area.width),
        state.theme().heading(),
    );
    let (room, first) = window(state);
    let rows = state.start.rows();
    let width = match area.width {
        100.. => ROWS_WIDTH,
        width => width,
    };
    let shown = lines(state).into_iter().skip(first).take(room);
    for (y, line) in (TOP..).zip(shown) {
        if let Some(index) = line {
            let line = row(state, rows[index], index == state.start.focus);
            line.render(Rect::new(0, y, width, 1), buffer);
        }
    }
    if area.width >= 100 {
        let beside = Rect::new(ROWS_WIDTH, TOP, area.width - ROWS_WIDTH, area.height - 5);
        let fit = |named| Geometry::fit(&state.start.game, beside, named);
        if let Some(geometry) = fit(true).or_else(|| fit(false)) {
            let view = BoardView::of(&*state.start.game.line());
            board::preview(state, &view, &geometry, buffer);
        }
    }
    let foot = Rect::new(0, area.height - 3, area.width, 2);
    if state.notice.is_some() || state.prompt.is_some() {
        notice(state, foot, buffer);
    } else {
        Paragraph::new(format!(" {}", about(state)))
            .style(state.theme().dim())
            .wrap(Wrap { trim: false })
            .render(foot, buffer);
    }
    let last = Rect::new(0, area.height - 1, area.width, 1);
    footer(state, "board-start-footer", last, buffer);
}

fn row(state: &State, row: Row, focused: bool) -> Line<'static> {
    let theme = state.theme();
    let mark = if focused { ">" } else { " " };
    let style = if focused {
        theme.cursor()
    } else {
        Style::new()
    };
    if is_button(row) {
        let text = format!(" {mark} [ {} ]", label(state, row));
        return Line::styled(text, style.patch(theme.heading()));
    }
    let label = format!(" {mark} {:<LABEL$} ", label(state, row));
    let editing = state.start.editing.as_ref().filter(|_| focused);
    let value = match editing {
        Some(text) => format!("{text}_"),
        None if focused => format!("< {} >", value(state, row)),
        None => format!("  {}", value(state, row)),
    };
    let label_style = match row {
        Row::Parameter(..) => theme.dim(),
        _ => Style::new(),
    };
    Line::from(vec![
        Span::styled(label, label_style),
        Span::styled(value, style),
    ])
}

fn label(state: &State, row: Row) -> String {
    let messages = state.messages();
    let key = match row {
        Row::Player(player) => {
            return messages.with("start-player", [("side", text::side(state, player).into())]);
        }
        Row::Parameter(_, parameter) => {
            let key = format!("parameter-name-{}", parameter.name);
            let name = if messages.has(&key) {
                messages.text(&key)
            } else {
                parameter.name.to_owned()
            };
            return format!("  {name}");
        }
        Row::Game => "start-game",
        Row::OpeningRule => "start-opening-rule",
        Row::Clock => "start-clock",
        Row::MoveTime => "start-move-time",
        Row::Seed => "start-seed",
        Row::Marks => "start-marks",
        Row::Language => "start-language",
        Row::Theme => "start-theme",
        Row::Drawing => "start-drawing",
        Row::Continue => return continue_label(state),
        Row::Play => "start-play",
        Row::Analyse => "start-analyse",
        Row::Open => "start-open",
        Row::Quit => "start-quit",
    };
    messages.text(key)
}

/// Returns the label of the button that continues a game.
fn continue_label(state: &State) -> String {
    let game = state
        .start
        .unfinished
        .as_ref()
        .map(|kept| &kept.record.game);
    let game = game.cloned().unwrap_or_default();
    state
        .messages()
        .with("start-continue", [("game", game.into())])
}

/// Describes the unfinished game.
fn about_unfinished(state: &State) -> String {
    let Some(kept) = &state.start.unfinished else {
        return String::new();
    };
    let [first, second] = kept.record.players.clone();
    let values = [
        ("first", first.into()),
        ("second", second.into()),
        ("file", kept.path.clone().into()),
    ];
    state.messages().with("start-about-continue", values)
}

fn value(state: &State, row: Row) -> String {
    let messages = state.messages();
    let none = || messages.text("start-none");
    match row {
        Row::Game => state.start.game.name(),
        Row::Player(player) => match &state.start.players[player.index()] {
            PlayerSpec::Human => messages.text("strategy-human"),
            PlayerSpec::Strategy(spec) if spec.level().is_some() => messages.text("start-computer"),
            PlayerSpec::Strategy(spec) => spec.info().name.to_owned(),
        },
        Row::Parameter(player, parameter) => state
            .start
            .value(player, parameter)
            .unwrap_or_else(|| messages.text("start-default")),
        Row::OpeningRule => match state.settings.opening_rule {
            Some(rule) => rule.to_string(),
            None => messages.text("start-opening-none"),
        },
        Row::Clock => state.settings.clock.map_or_else(none, |c| c.to_string()),
        Row::MoveTime => state
            .settings
            .move_time
            .map_or_else(none, |time| format!("{} s", time.as_secs_f64())),
        Row::Seed => {
            let seed = state.settings.seed.map(|seed| seed.to_string());
            seed.unwrap_or_else(|| messages.text("start-new-seed"))
        }
        Row::Marks => match state.settings.marks {
            Marks::XO => "X, O".into(),
            Marks::OX => "O, X".into(),
        },
        Row::Language => match messages.language() {
            Language::English => "English".into(),
            Language::Indonesian => "Bahasa Indonesia".into(),
        },
        Row::Theme if !state.environment.colour => messages.text("start-no-colour"),
        Row::Theme => messages.text(&format!("theme-{}", state.settings.theme.name())),
        Row::Drawing => messages.text(&format!("drawing-{}", state.settings.drawing.name())),
        Row::Continue | Row::Play | Row::Analyse | Row::Open | Row::Quit => String::new(),
    }
}

/// Describes the focused row.
fn about(state: &State) -> String {
    let messages = state.messages();
    match state.start.row() {
        Row::Player(player) => about_player(state, player),
        Row::Parameter(_, parameter) => {
            let key = format!("parameter-{}", parameter.name);
            if messages.has(&key) {
                messages.text(&key)
            } else {
                // A parameter without a message.
                parameter.summary.to_owned()
            }
        }
        Row::Game => messages.text("start-about-game"),
        Row::OpeningRule => messages.text("start-about-opening-rule"),
        Row::Clock => messages.text("start-about-clock"),
        Row::MoveTime => messages.text("start-about-move-time"),
        Row::Seed => messages.text("start-about-seed"),
        Row::Continue => about_unfinished(state),
        Row::Analyse => messages.text("start-about-analyse"),
        _ => String::new(),
    }
}

fn about_player(state: &State, player: Player) -> String {
    let messages = state.messages();
    match &state.start.players[player.index()] {
        PlayerSpec::Human => messages.text("strategy-human"),
        PlayerSpec::Strategy(spec) => {
            let name = match spec.level() {
                Some(_) => strategy_name(messages, spec),
                None => spec.info().name.to_owned(),
            };
            format!("{name}: {}", about_strategy(messages, spec))
        }
    }
}
