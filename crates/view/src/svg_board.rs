//! SVG drawings of boards, for web pages, files and sharing.
//!
//! Colours are presentation attributes: a file is self-contained, and a page can still restyle the
//! classes, for instance in a dark theme. No information is conveyed by colour alone: pieces differ
//! in shape or fill, the last move has a dot, a flipped disc a ring, a winning line a stroke through
//! its pieces.

use std::fmt::Write;

use papan_rules::{Pieces, Player};

use crate::drawing::escape_xml;
use crate::stroke_font::StrokedText;
use crate::threats::{Threat, ThreatKind};
use crate::{BoardView, CellView, Marks, stroke_font};

/// Side of a cell in SVG units.
pub const CELL: usize = 100;
/// Margin for the labels of rows and columns.
const MARGIN: usize = 44;
/// Gap between two slices of a board with more than two dimensions.
const GAP: usize = 60;

/// Text over a cell: a strategy's numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlay {
    /// A few short lines.
    pub lines: Vec<String>,
    /// Whether this is the move that was chosen.
    pub chosen: bool,
}

/// Options of a drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawOptions {
    /// The marks of the players.
    pub marks: Marks,
    /// Whether empty cells show their names.
    pub names: bool,
    /// Whether legal moves are marked.
    pub legal: bool,
    /// Whether stones have the numbers of their moves; a page shows them on request.
    pub move_numbers: bool,
    /// Overlays by cell; may be shorter than the board.
    pub overlays: Vec<Option<Overlay>>,
    /// A line of text below a whole board, such as the players and the result.
    pub caption: Option<String>,
    /// Threats that are drawn through their stones.
    pub threats: Vec<Threat>,
}

/// Draws one cell, in units from 0 to [`CELL`].
#[must_use]
pub fn cell(view: &BoardView, index: usize, options: &DrawOptions) -> String {
    let cell = &view.cells[index];
    let mut svg = String::new();
    let (kind, field) = match view.pieces {
        Pieces::Marks => ("sheet", "#ffffff"),
        Pieces::Discs => ("felt", "#2f7d4f"),
        Pieces::Stones => ("wood", "#e0b064"),
    };
    let edge = if view.pieces == Pieces::Stones {
        field
    } else {
        "#52606d"
    };
    let _ = write!(
        svg,
        r##"<rect class="field {kind}" width="100" height="100" fill="{field}" stroke="{edge}" stroke-width="2"/>"##
    );
    if view.pieces == Pieces::Stones {
        crossing(&mut svg, view, index);
    }
    if cell.winning {
        svg.push_str(
            r##"<rect class="won" width="100" height="100" fill="#b45309" fill-opacity="0.18"/>"##,
        );
    }
    let overlay = options.overlays.get(index).and_then(Option::as_ref);
    match (cell.piece, overlay) {
        (Some(player), _) => {
            let options = DrawOptions {
                marks: view.marks,
                ..options.clone()
            };
            piece(&mut svg, view.pieces, player, cell, &options);
        }
        (None, Some(overlay)) => numbers(&mut svg, overlay),
        (None, None) => free(&mut svg, view, cell, options),
    }
    for threat in &options.threats {
        draw_threat(&mut svg, view, threat, index, overlay.is_some());
    }
    if cell.winning {
        strike(&mut svg, view, index);
    }
    svg
}

/// Shortest run of winning cells that is drawn as a line: two winning lines that meet in a corner
/// have neighbouring cells that are no line.
const MIN_STRIKE: usize = 3;

/// Draws the part of a winning line in a cell: from its centre to each neighbour on the line. Lines
/// through several slices of a board are only tinted.
fn strike(svg: &mut String, view: &BoardView, index: usize) {
    let [rows, columns] = match view.sides[..] {
        [rows, columns] | [.., rows, columns] => [rows, columns],
        _ => return,
    };
    let slice = index / (rows * columns) * (rows * columns);
    let (row, column) = ((index - slice) / columns, index % columns);
    let run = |down: isize, right: isize| {
        let on_line = |step: &isize| {
            let row = row.checked_add_signed(down * step);
            let column = column.checked_add_signed(right * step);
            let (Some(row), Some(column)) = (row, column) else {
                return false;
            };
            row < rows && column < columns && view.cells[slice + row * columns + column].winning
        };
        (1..).take_while(on_line).count()
    };
    let mut path = String::new();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        let (ahead, behind) = (run(down, right), run(-down, -right));
        if ahead + behind + 1 < MIN_STRIKE {
            continue;
        }
        for (length, sign) in [(ahead, 1), (behind, -1)] {
            if length > 0 {
                let (x, y) = (50 + sign * right * 50, 50 + sign * down * 50);
                let _ = write!(path, "M50 50L{x} {y}");
            }
        }
    }
    if !path.is_empty() {
        let _ = write!(
            svg,
            r##"<path class="strike" d="{path}" fill="none" stroke="#b45309" stroke-width="6" stroke-linecap="round"/>"##
        );
    }
}

/// Draws the part of a threat in a cell: a stroke through the stones, dashed for a three, and a ring
/// where it is carried out.
fn draw_threat(svg: &mut String, view: &BoardView, threat: &Threat, index: usize, covered: bool) {
    let columns = *view.sides.last().unwrap_or(&1);
    let place = |cell: usize| ((cell % columns) as isize, (cell / columns) as isize);
    let (class, dashes) = match threat.kind {
        ThreatKind::Four => ("threat", ""),
        ThreatKind::OpenThree => ("threat three", r#" stroke-dasharray="10 10""#),
    };
    let mut path = String::new();
    if let Some(at) = threat.span.iter().position(|&cell| cell == index) {
        let (x, y) = place(index);
        let neighbours = [at.checked_sub(1), Some(at + 1)];
        for next in neighbours.into_iter().flatten() {
            if let Some(&next) = threat.span.get(next) {
                let (to_x, to_y) = place(next);
                let (x, y) = (50 + (to_x - x) * 50, 50 + (to_y - y) * 50);
                let _ = write!(path, "M50 50L{x} {y}");
            }
        }
    }
    let colour = "#dc2626";
    if !path.is_empty() {
        let _ = write!(
            svg,
            r#"<path class="{class}" d="{path}" fill="none" stroke="{colour}" stroke-width="8"{dashes}/>"#
        );
    }
    if threat.gaps.contains(&index) && !covered {
        let _ = write!(
            svg,
            r#"<circle class="{class}" cx="50" cy="50" r="16" fill="none" stroke="{colour}" stroke-width="7"{dashes}/>"#
        );
    }
}

/// Draws the two lines that cross in a cell; they end at the edge of the board.
fn crossing(svg: &mut String, view: &BoardView, index: usize) {
    let [rows, columns] = view.sides[..] else {
        return;
    };
    let (row, column) = (index / columns, index % columns);
    let span = |at: usize, count: usize| {
        let start = if at == 0 { 50 } else { 0 };
        let end = if at + 1 == count { 50 } else { 100 };
        (start, end)
    };
    let ((left, right), (top, bottom)) = (span(column, columns), span(row, rows));
    let _ = write!(
        svg,
        r##"<path class="crossing" d="M{left} 50H{right}M50 {top}V{bottom}" fill="none" stroke="#52391a" stroke-width="3"/>"##
    );
    if view.is_star_point(index) {
        svg.push_str(r##"<circle class="star" cx="50" cy="50" r="9" fill="#52391a"/>"##);
    }
}

pub(crate) fn piece(
    svg: &mut String,
    pieces: Pieces,
    player: Player,
    cell: &CellView,
    options: &DrawOptions,
) {
    match (pieces, options.marks.letter(player), player) {
        (Pieces::Marks, 'X', _) => svg.push_str(
            r##"<path class="mark x" d="M26 26 74 74M74 26 26 74" fill="none" stroke="#1d4ed8" stroke-width="13" stroke-linecap="round"/>"##,
        ),
        (Pieces::Marks, _, _) => svg.push_str(
            r##"<circle class="mark o" cx="50" cy="50" r="26" fill="none" stroke="#b91c1c" stroke-width="13"/>"##,
        ),
        (Pieces::Discs | Pieces::Stones, _, Player::First) => svg.push_str(
            r##"<circle class="disc black" cx="50" cy="50" r="38" fill="#111827" stroke="#030712" stroke-width="3"/>"##,
        ),
        (Pieces::Discs | Pieces::Stones, _, Player::Second) => svg.push_str(
            r##"<circle class="disc white" cx="50" cy="50" r="38" fill="#f9fafb" stroke="#111827" stroke-width="3"/>"##,
        ),
    }
    let ink = match (pieces, player) {
        (Pieces::Discs | Pieces::Stones, Player::First) => "#f9fafb",
        _ => "#111827",
    };
    if let Some(number) = cell.number.filter(|_| options.move_numbers) {
        let _ = write!(
            svg,
            r#"<text class="move-number" x="50" y="62" font-size="34" text-anchor="middle" fill="{ink}">{number}</text>"#
        );
    }
    if cell.last {
        let (x, y, radius) = match pieces {
            // The corner is empty for both marks.
            Pieces::Marks => (89, 11, 5),
            Pieces::Discs | Pieces::Stones => (50, 50, 8),
        };
        let _ = write!(
            svg,
            r#"<circle class="last" cx="{x}" cy="{y}" r="{radius}" fill="{ink}"/>"#
        );
    }
    if cell.flipped {
        let _ = write!(
            svg,
            r#"<circle class="flipped" cx="50" cy="50" r="24" fill="none" stroke="{ink}" stroke-width="4" stroke-dasharray="7 7"/>"#
        );
    }
}

fn free(svg: &mut String, view: &BoardView, cell: &CellView, options: &DrawOptions) {
    if options.legal && cell.legal && view.pieces == Pieces::Discs {
        svg.push_str(
            r##"<circle class="legal" cx="50" cy="50" r="12" fill="none" stroke="#f9fafb" stroke-width="5"/>"##,
        );
    }
    if options.names && view.pieces == Pieces::Marks {
        text(svg, 50, 58, 22, "name", "#52606d", &cell.name);
    }
}

fn numbers(svg: &mut String, overlay: &Overlay) {
    if overlay.chosen {
        svg.push_str(
            r##"<rect class="chosen" x="8" y="8" width="84" height="84" rx="10" fill="#fde68a" stroke="#92400e" stroke-width="5"/>"##,
        );
    } else {
        svg.push_str(
            r##"<rect class="considered" x="8" y="8" width="84" height="84" rx="10" fill="#f1f5f9" stroke="#52606d" stroke-width="1"/>"##,
        );
    }
    let count = overlay.lines.len().max(1);
    let longest = overlay.lines.iter().map(|line| line.chars().count()).max();
    let by_width = 130 / longest.unwrap_or(1).max(3);
    let size = by_width.min(76 / count).clamp(9, 34);
    for (index, line) in overlay.lines.iter().enumerate() {
        let y = 50 + size / 3 + index * size * 11 / 10 - (count - 1) * size * 11 / 20;
        text(svg, 50, y, size, "number", "#111827", line);
    }
}

fn text(svg: &mut String, x: usize, y: usize, size: usize, class: &str, fill: &str, text: &str) {
    let text = escape_xml(text);
    let _ = write!(
        svg,
        r#"<text class="{class}" x="{x}" y="{y}" font-size="{size}" font-family="system-ui, sans-serif" text-anchor="middle" fill="{fill}">{text}</text>"#
    );
}

/// Positions of the cells in a drawing.
pub(crate) struct Layout {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The upper left corner of each cell.
    pub(crate) corners: Vec<(usize, usize)>,
}

impl Layout {
    /// Places the slices of a board with more than two dimensions side by side.
    pub(crate) fn of(view: &BoardView) -> Self {
        let slices = view.slices();
        let rows = slices.first().map_or(0, Vec::len);
        let columns = slices.first().and_then(|s| s.first()).map_or(0, Vec::len);
        let per_row = match view.sides.as_slice() {
            [_, third, _, _] => *third,
            _ => slices.len().max(1),
        };
        let (slice_width, slice_height) = (columns * CELL + GAP, rows * CELL + GAP);
        let mut corners = vec![(0, 0); view.cells.len()];
        for (number, slice) in slices.iter().enumerate() {
            let left = MARGIN + number % per_row * slice_width;
            let top = MARGIN + number / per_row * slice_height;
            for (row, cells) in slice.iter().enumerate() {
                for (column, &index) in cells.iter().enumerate() {
                    corners[index] = (left + column * CELL, top + row * CELL);
                }
            }
        }
        Self {
            width: MARGIN * 2 + per_row * slice_width - GAP,
            height: MARGIN * 2 + slices.len().div_ceil(per_row) * slice_height - GAP,
            corners,
        }
    }
}

/// Draws a board as an SVG document. `title` is for screen readers.
#[must_use]
pub fn draw(view: &BoardView, options: &DrawOptions, title: &str) -> String {
    let layout = Layout::of(view);
    let (width, mut height) = (layout.width, layout.height);
    let mut caption = String::new();
    if let Some(text) = options.caption.as_deref().filter(|text| !text.is_empty()) {
        write_caption(&mut caption, text, width, height);
        height += CAPTION;
    }
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"><title>{}</title><rect class="paper" width="{width}" height="{height}" fill="#ffffff"/>{}{}{caption}</svg>"##,
        escape_xml(title),
        cells(view, &layout, options),
        numbers_of_cells(view, &layout, options)
    )
}

/// Draws the numbers of the empty cells, where cells are numbered instead of named by squares.
fn numbers_of_cells(view: &BoardView, layout: &Layout, options: &DrawOptions) -> String {
    let mut svg = String::new();
    if view.pieces != Pieces::Marks || view.names_squares || options.names {
        return svg;
    }
    for (at, (cell, (x, y))) in view.cells.iter().zip(&layout.corners).enumerate() {
        let is_covered = options.overlays.get(at).is_some_and(Option::is_some);
        if cell.piece.is_none() && !is_covered {
            let (x, y) = ((x + CELL / 2) as f32, (y + CELL / 2 + 10) as f32);
            stroke_font::write(&mut svg, x, y, 21.0, "label", "#52606d", &cell.name);
        }
    }
    svg
}

/// Height of the caption.
const CAPTION: usize = 50;

/// Writes a caption below the board, in letters that fit its width.
fn write_caption(svg: &mut String, text: &str, width: usize, top: usize) {
    /// Width of a letter of height 1, with the gap to the next one.
    const LETTER: f32 = 0.85;
    let room = (width - MARGIN) as f32;
    let height = (room / (text.chars().count() as f32 * LETTER)).min(30.0);
    let line = StrokedText {
        x: width as f32 / 2.0,
        y: top as f32 + 14.0,
        height,
        is_centred: true,
        is_bold: false,
        ink: "#374151",
        text,
    };
    stroke_font::write_line(svg, &line);
}

/// Draws the cells and labels of a board, without the background.
pub(crate) fn cells(view: &BoardView, layout: &Layout, options: &DrawOptions) -> String {
    let mut svg = String::new();
    if let [rows, columns] = view.sides[..]
        && view.names_squares
    {
        labels(&mut svg, view.pieces, rows, columns);
    }
    for (index, (x, y)) in layout.corners.iter().enumerate() {
        let drawn = cell(view, index, options);
        let _ = write!(svg, r#"<g transform="translate({x} {y})">{drawn}</g>"#);
    }
    svg
}

/// Draws a small board: grid and pieces, without labels or marks.
#[must_use]
pub fn thumbnail(view: &BoardView) -> String {
    let slices = view.slices();
    let rows = slices.first().map_or(0, Vec::len);
    let columns = slices.first().and_then(|s| s.first()).map_or(0, Vec::len);
    // Cells of ten units, and a gap of one cell between slices.
    let wide = 10 * (columns + 1);
    let (width, height) = ((wide * slices.len()).saturating_sub(10), 10 * rows);
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {} {}">"#,
        width + 2,
        height + 2
    );
    for (number, slice) in slices.iter().enumerate() {
        let left = number * wide;
        let mut path = String::new();
        for row in 0..=rows {
            let _ = write!(path, "M{left} {}h{}", row * 10, columns * 10);
        }
        for column in 0..=columns {
            let _ = write!(path, "M{} 0v{}", left + column * 10, rows * 10);
        }
        let field = match view.pieces {
            Pieces::Marks => "none",
            Pieces::Discs => "#2f7d4f",
            Pieces::Stones => "#e0b064",
        };
        let _ = write!(
            svg,
            r##"<rect x="{left}" width="{}" height="{}" fill="{field}"/><path class="lines" d="{path}" fill="none" stroke="#52606d"/>"##,
            columns * 10,
            rows * 10
        );
        for (row, cells) in slice.iter().enumerate() {
            for (column, &index) in cells.iter().enumerate() {
                let (x, y) = (left + column * 10 + 5, row * 10 + 5);
                let Some(player) = view.cells[index].piece else {
                    continue;
                };
                let _ = match (view.pieces, view.marks.letter(player), player) {
                    (Pieces::Marks, 'X', _) => write!(
                        svg,
                        r##"<path class="x" d="M{} {}l5 5m0-5l-5 5" fill="none" stroke="#1d4ed8" stroke-width="1.5"/>"##,
                        x as f64 - 2.5,
                        y as f64 - 2.5
                    ),
                    (Pieces::Marks, _, _) => write!(
                        svg,
                        r##"<circle class="o" cx="{x}" cy="{y}" r="2.7" fill="none" stroke="#b91c1c" stroke-width="1.5"/>"##
                    ),
                    (Pieces::Discs | Pieces::Stones, _, player) => {
                        let fill = ["#111827", "#f9fafb"][player.index()];
                        write!(svg, r#"<circle cx="{x}" cy="{y}" r="4" fill="{fill}"/>"#)
                    }
                };
            }
        }
    }
    svg.push_str("</svg>");
    svg
}

/// Draws column letters and row numbers of a flat board with at most 26 columns.
fn labels(svg: &mut String, pieces: Pieces, rows: usize, columns: usize) {
    if columns > 26 {
        return;
    }
    let ink = "#374151";
    for column in 0..columns {
        let letter = papan_rules::column_name(column);
        let x = MARGIN + column * CELL + CELL / 2;
        let y = MARGIN - 14;
        stroke_font::write(svg, x as f32, y as f32, 21.0, "label", ink, &letter);
    }
    for row in 0..rows {
        let y = MARGIN + row * CELL + CELL / 2 + 10;
        let number = pieces.row_label(row, rows).to_string();
        stroke_font::write(
            svg,
            MARGIN as f32 / 2.0,
            y as f32,
            21.0,
            "label",
            ink,
            &number,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::AnyGame;

    fn view(game: &str, moves: &str) -> BoardView {
        let game: AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        BoardView::of(&*line)
    }

    #[test]
    fn a_threat_is_a_stroke_through_its_stones_and_a_ring_on_its_gaps() {
        let game: AnyGame = "gomoku".parse().unwrap();
        let mut line = game.line();
        line.extend("h8 a1 i8 a3 j8").unwrap();
        let options = DrawOptions {
            threats: crate::threats::of(&*line),
            ..DrawOptions::default()
        };
        let svg = draw(&BoardView::of(&*line), &options, "a three");
        assert_eq!(svg.matches(r#"<path class="threat three""#).count(), 3);
        assert_eq!(svg.matches(r#"<circle class="threat three""#).count(), 2);
    }

    #[test]
    fn last_flipped_winning_and_legal_cells_differ_in_shape() {
        let options = DrawOptions {
            legal: true,
            ..DrawOptions::default()
        };
        let othello = draw(&view("othello", "f5"), &options, "after f5");
        let count = |svg: &str, class: &str| svg.matches(&format!(r#"class="{class}""#)).count();
        assert_eq!(count(&othello, "field felt"), 64);
        assert_eq!(count(&othello, "disc black"), 4);
        assert_eq!(count(&othello, "last"), 1);
        assert_eq!(count(&othello, "flipped"), 1);
        assert_eq!(count(&othello, "legal"), 3);
        let won = draw(&view("tictactoe", "1 4 2 5 3"), &options, "X won");
        assert_eq!(count(&won, "won"), 3);
        assert_eq!(count(&won, "strike"), 3);
        assert!(
            won.contains(r#"class="strike" d="M50 50L100 50M50 50L0 50""#),
            "{won}"
        );
        assert_eq!(count(&won, "mark x"), 3);
    }

    #[test]
    fn text_cannot_break_out_of_its_element() {
        let options = DrawOptions {
            overlays: vec![Some(Overlay {
                lines: vec!["<script>&\"'".into()],
                chosen: true,
            })],
            ..DrawOptions::default()
        };
        let svg = draw(&view("tictactoe", ""), &options, "</title><script>");
        assert!(!svg.contains("<script>"));
        assert!(svg.contains("&lt;script&gt;&amp;&quot;&#39;"));
    }

    #[test]
    fn a_thumbnail_is_small() {
        let small = thumbnail(&view("othello", ""));
        assert_eq!(small.matches("<circle").count(), 4);
        assert!(small.len() < 1000, "{}", small.len());
        let marks = thumbnail(&view("tictactoe", "5 1"));
        let count = |class: &str| marks.matches(&format!("class=\"{class}\"")).count();
        assert_eq!((count("x"), count("o")), (1, 1));
    }

    #[test]
    fn every_slice_of_a_cube_is_drawn_beside_the_others() {
        let svg = draw(
            &view("tictactoe:3x3x3", "14"),
            &DrawOptions::default(),
            "a cube",
        );
        assert!(svg.contains(r#"viewBox="0 0 1108 388""#), "{}", &svg[..120]);
        assert_eq!(svg.matches(r#"class="field sheet""#).count(), 27);
    }

    #[test]
    fn labels_are_the_names_of_the_cells() {
        let labels = |game: &str, moves: &str| {
            let svg = draw(&view(game, moves), &DrawOptions::default(), "");
            svg.matches(r#"class="label""#).count()
        };
        // Squares have letters and numbers at the edge; numbered cells have their number inside.
        assert_eq!(labels("othello", ""), 16);
        assert_eq!(labels("tictactoe", ""), 9);
        assert_eq!(labels("tictactoe", "5 1"), 7);
        assert_eq!(labels("tictactoe:3x3x3", "14"), 26);
    }

    #[test]
    fn a_position_on_which_o_began_is_drawn_so() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let line = game.line_from("O-------- X").unwrap();
        let view = BoardView::of(&*line);
        for svg in [draw(&view, &DrawOptions::default(), ""), thumbnail(&view)] {
            assert!(
                !svg.contains(r#"x""#) || !svg.contains(r#"class="x""#),
                "{svg}"
            );
            assert!(svg.contains(r#"o""#), "{svg}");
        }
        assert!(draw(&view, &DrawOptions::default(), "").contains(r#"class="mark o""#));
    }
}
