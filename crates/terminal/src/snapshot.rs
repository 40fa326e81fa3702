//! Screenshots of a state as text and as SVG, for snapshot tests and the README.

use std::borrow::Cow;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use papan_view::escape_xml;

use crate::state::State;
use crate::view;

/// Renders a state into a buffer.
#[must_use]
pub fn buffer(state: &State) -> Buffer {
    let area = Rect::new(0, 0, state.size.0, state.size.1);
    let mut buffer = Buffer::empty(area);
    view::render(state, area, &mut buffer);
    buffer
}

/// Renders a state as lines of text, without colours.
#[must_use]
pub fn text(state: &State) -> String {
    let buffer = buffer(state);
    let rows = buffer
        .content()
        .chunks(usize::from(buffer.area.width.max(1)));
    rows.map(|row| {
        let line: String = row.iter().map(Cell::symbol).collect();
        format!("{}\n", line.trim_end())
    })
    .collect()
}

/// Size of one character in SVG units.
const CELL: (f32, f32) = (9.0, 19.0);

/// Renders a state as SVG, with colours.
#[must_use]
pub fn svg(state: &State) -> String {
    let buffer = buffer(state);
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let (width, height) = (f32::from(columns) * CELL.0, f32::from(rows) * CELL.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" \
         font-size=\"15\" xml:space=\"preserve\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{BACKGROUND}\"/>\n"
    );
    for y in 0..rows {
        for x in 0..columns {
            if let Some(cell) = buffer.cell((x, y)) {
                svg += &character(cell, x, y);
            }
        }
    }
    svg + "</svg>\n"
}

fn character(cell: &Cell, x: u16, y: u16) -> String {
    let reversed = cell.modifier.contains(Modifier::REVERSED);
    let ground = match cell.bg {
        Color::Reset => BACKGROUND.into(),
        ground => colour(ground),
    };
    let (ink, ground) = if reversed {
        (ground, colour(cell.fg))
    } else {
        (colour(cell.fg), ground)
    };
    let (left, top) = (f32::from(x) * CELL.0, f32::from(y) * CELL.1);
    let mut svg = String::new();
    if ground != BACKGROUND {
        svg += &format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"{ground}\"/>\n",
            CELL.0, CELL.1
        );
    }
    let symbol = cell.symbol();
    if symbol.trim().is_empty() {
        return svg;
    }
    let bold = if cell.modifier.contains(Modifier::BOLD) {
        " font-weight=\"bold\""
    } else {
        ""
    };
    let underlined = if cell.modifier.contains(Modifier::UNDERLINED) {
        " text-decoration=\"underline\""
    } else {
        ""
    };
    let symbol = escape_xml(symbol);
    let base = top + CELL.1 * 0.76;
    svg += &format!(
        "<text x=\"{left}\" y=\"{base}\" fill=\"{ink}\"{bold}{underlined}>{symbol}</text>\n"
    );
    svg
}

const BACKGROUND: &str = "#16181d";

/// Returns the RGB value of a terminal colour.
fn colour(colour: Color) -> Cow<'static, str> {
    let name = match colour {
        Color::Indexed(index) => return indexed(index).into(),
        Color::DarkGray | Color::Gray => "#7d828c",
        Color::Cyan => "#4fc1d9",
        Color::Yellow => "#e5c453",
        Color::Green => "#7cc36e",
        Color::Magenta => "#c678dd",
        Color::LightBlue | Color::Blue => "#7aa2f7",
        Color::LightRed | Color::Red => "#ef6b73",
        _ => "#d7dae0",
    };
    name.into()
}

/// Returns the RGB value of an entry of xterm's palette from 16 on: a cube of 216 colours, then 24
/// greys.
fn indexed(index: u8) -> String {
    let (red, green, blue) = match index.saturating_sub(16) {
        cube @ 0..216 => {
            let step = |part: u8| match part % 6 {
                0 => 0,
                part => 55 + 40 * part,
            };
            (step(cube / 36), step(cube / 6), step(cube))
        }
        grey => {
            let grey = 8 + 10 * (grey - 216);
            (grey, grey, grey)
        }
    };
    format!("#{red:02x}{green:02x}{blue:02x}")
}
