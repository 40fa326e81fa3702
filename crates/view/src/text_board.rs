//! Text drawings of boards, with box-drawing characters and SGR colours.

use papan_rules::{Pieces, Player};

use crate::{BoardView, CellView, Marks, Messages};

/// Style of a text drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// ASCII only, without box-drawing characters.
    pub ascii: bool,
    /// Colours, by SGR escape sequences. No information is conveyed by colour alone.
    pub colour: bool,
    /// The marks of the players.
    pub marks: Marks,
}

impl Style {
    /// Returns the character of a piece.
    #[must_use]
    pub fn piece(self, pieces: Pieces, player: Player) -> char {
        match (pieces, player, self.ascii) {
            (Pieces::Marks, _, _) => self.marks.letter(player),
            (Pieces::Discs | Pieces::Stones, Player::First, true) => 'B',
            (Pieces::Discs | Pieces::Stones, Player::Second, true) => 'W',
            (Pieces::Discs | Pieces::Stones, Player::First, false) => '●',
            (Pieces::Discs | Pieces::Stones, Player::Second, false) => '○',
        }
    }
}

/// Draws a board. Empty cells show their numbers or, in games with discs, a mark if they are legal;
/// the last move is in brackets, a winning line between asterisks.
#[must_use]
pub fn draw(view: &BoardView, style: Style, messages: Messages) -> String {
    let slices: Vec<Vec<String>> = match view.pieces {
        Pieces::Marks => view
            .slices()
            .iter()
            .map(|s| marks(view, s, style))
            .collect(),
        Pieces::Discs => view
            .slices()
            .iter()
            .map(|s| discs(view, s, style))
            .collect(),
        Pieces::Stones => view
            .slices()
            .iter()
            .map(|s| stones(view, s, style))
            .collect(),
    };
    if let [flat] = slices.as_slice() {
        return flat.iter().map(|row| format!("{row}\n")).collect();
    }
    side_by_side(view, &slices, messages)
}

/// Arranges the slices of a board with more than two dimensions, with their levels above.
fn side_by_side(view: &BoardView, slices: &[Vec<String>], messages: Messages) -> String {
    let per_row = match view.sides.as_slice() {
        [_, third, _, _] => *third,
        _ => slices.len(),
    };
    let mut text = String::new();
    for (row, group) in slices.chunks(per_row).enumerate() {
        let width = group[0]
            .iter()
            .map(|line| visible_width(line))
            .max()
            .unwrap_or(0);
        for level in 0..group.len() {
            let number = if slices.len() > per_row {
                format!("{}.{}", row + 1, level + 1)
            } else {
                (level + 1).to_string()
            };
            let title = messages.with("slice", [("level", number.into())]);
            text.push_str(&format!("{title:<0$}   ", width));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        for line in 0..group[0].len() {
            let joined: Vec<String> = group
                .iter()
                .map(|slice| padded(&slice[line], width))
                .collect();
            text.push_str(joined.join("   ").trim_end());
            text.push('\n');
        }
    }
    text
}

/// Returns the width on screen, without escape sequences.
pub(crate) fn visible_width(line: &str) -> usize {
    let mut width = 0;
    let mut escape_xml = false;
    for character in line.chars() {
        match (escape_xml, character) {
            (false, '\u{1b}') => escape_xml = true,
            (true, 'm') => escape_xml = false,
            (false, _) => width += 1,
            (true, _) => {}
        }
    }
    width
}

fn padded(line: &str, width: usize) -> String {
    format!(
        "{line}{}",
        " ".repeat(width.saturating_sub(visible_width(line)))
    )
}

/// Draws a slice of a board with marks: a grid, with numbers on empty cells.
fn marks(view: &BoardView, slice: &[Vec<usize>], style: Style) -> Vec<String> {
    let width = view.cells.iter().map(|c| c.name.len()).max().unwrap_or(1);
    let (bar, dash, cross) = if style.ascii {
        ("|", "-", "+")
    } else {
        ("│", "─", "┼")
    };
    let mut lines = Vec::new();
    for (index, row) in slice.iter().enumerate() {
        if index > 0 {
            let rules: Vec<String> = row.iter().map(|_| dash.repeat(width + 2)).collect();
            lines.push(rules.join(cross));
        }
        let cells: Vec<String> = row
            .iter()
            .map(|&cell| mark_cell(&view.cells[cell], view.pieces, width, style))
            .collect();
        lines.push(cells.join(bar).trim_end().to_owned());
    }
    lines
}

fn mark_cell(cell: &CellView, pieces: Pieces, width: usize, style: Style) -> String {
    let Some(player) = cell.piece else {
        let name = if cell.legal { cell.name.as_str() } else { "" };
        return paint(&format!(" {name:^width$} "), "2", style);
    };
    let piece = style.piece(pieces, player);
    let (left, right) = brackets(cell);
    // The brackets are next to the piece, however wide the cell is.
    let text = format!("{left}{piece}{right}");
    paint(
        &format!("{text:<0$}", width + 2),
        colour(cell, player),
        style,
    )
}

/// Returns the marks around a piece: winning, or last move.
fn brackets(cell: &CellView) -> (char, char) {
    match (cell.winning, cell.last) {
        (true, _) => ('*', '*'),
        (false, true) => ('[', ']'),
        (false, false) => (' ', ' '),
    }
}

fn colour(cell: &CellView, player: Player) -> &'static str {
    match (cell.winning, player) {
        (true, _) => "1;32",
        (false, Player::First) => "36",
        (false, Player::Second) => "33",
    }
}

fn paint(text: &str, code: &str, style: Style) -> String {
    if style.colour {
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    } else {
        text.into()
    }
}

/// Draws a board with discs. Columns have letters above and numbers below, for both notations `f5`
/// and `56`.
fn discs(view: &BoardView, slice: &[Vec<usize>], style: Style) -> Vec<String> {
    let columns = slice.first().map_or(0, Vec::len);
    let header = |name: &dyn Fn(usize) -> char| {
        let names: Vec<String> = (0..columns).map(|c| format!(" {} ", name(c))).collect();
        format!("  {}", names.concat()).trim_end().to_owned()
    };
    let mut lines = vec![header(&|c| char::from(b'a' + c as u8))];
    for (index, row) in slice.iter().enumerate() {
        let cells: String = row
            .iter()
            .map(|&cell| disc_cell(&view.cells[cell], view.pieces, style))
            .collect();
        lines.push(format!("{} {cells}", index + 1).trim_end().to_owned());
    }
    lines.push(header(&|c| char::from(b'1' + c as u8)));
    lines
}

/// Draws a board of stones, with its squares named on the left and below.
fn stones(view: &BoardView, slice: &[Vec<usize>], style: Style) -> Vec<String> {
    let rows = slice.len();
    let columns = slice.first().map_or(0, Vec::len);
    let mut lines: Vec<String> = slice
        .iter()
        .enumerate()
        .map(|(row, cells)| {
            let cells = cells.iter().map(|&cell| {
                let cell = &view.cells[cell];
                let dot = if style.ascii { " . " } else { " · " };
                match cell.piece {
                    None => paint(dot, "2", style),
                    Some(_) => disc_cell(cell, view.pieces, style),
                }
            });
            let cells: String = cells.collect();
            let label = view.pieces.row_label(row, rows);
            format!("{label:>2} {cells}").trim_end().to_owned()
        })
        .collect();
    let letters = (0..columns).map(|column| format!(" {} ", papan_rules::column_name(column)));
    lines.push(
        format!("   {}", letters.collect::<String>())
            .trim_end()
            .to_owned(),
    );
    lines
}

fn disc_cell(cell: &CellView, pieces: Pieces, style: Style) -> String {
    match cell.piece {
        None if cell.legal => paint(" * ", "32", style),
        None => paint(if style.ascii { " . " } else { " · " }, "2", style),
        Some(player) => {
            let piece = style.piece(pieces, player);
            let (left, right) = match (brackets(cell), cell.flipped) {
                // A flipped disc has a smaller mark.
                ((' ', ' '), true) => (' ', '\''),
                (around, _) => around,
            };
            paint(
                &format!("{left}{piece}{right}"),
                colour(cell, player),
                style,
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::AnyGame;

    fn drawn(game: &str, moves: &str, style: Style) -> String {
        let game: AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        draw(&BoardView::of(&*line), style, Messages::default())
    }

    fn ascii() -> Style {
        Style {
            ascii: true,
            ..Style::default()
        }
    }

    #[test]
    fn the_last_move_and_the_winning_line_are_marked() {
        insta::assert_snapshot!(drawn("tictactoe", "5 1", Style::default()));
        insta::assert_snapshot!(drawn("tictactoe", "1 4 2 5 3", ascii()));
    }

    #[test]
    fn othello_has_headers_legal_moves_and_flipped_discs() {
        insta::assert_snapshot!(drawn("othello", "f5", ascii()));
        insta::assert_snapshot!(drawn("othello:4x4", "", Style::default()));
    }

    #[test]
    fn a_cube_is_drawn_as_slices_side_by_side() {
        insta::assert_snapshot!(drawn("tictactoe:3x3x3", "14 1", ascii()));
        insta::assert_snapshot!(drawn("tictactoe:2x2x2x2", "1", ascii()));
    }

    #[test]
    fn colours_do_not_change_the_text() {
        let style = Style {
            colour: true,
            ..ascii()
        };
        let coloured = drawn("tictactoe:3x3x3", "14 1", style);
        let mut plain = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        plain.push_str(rest);
        let trimmed = |text: &str| -> Vec<String> {
            text.lines()
                .map(|line| line.trim_end().to_owned())
                .collect()
        };
        assert_eq!(
            trimmed(&plain),
            trimmed(&drawn("tictactoe:3x3x3", "14 1", ascii()))
        );
    }
}
