//! Renders one cell at any size: its piece or number, and a character for every mark.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use papan_rules::{Pieces, Player};
use papan_view::text_board;
use papan_view::{BoardView, CellView};

use super::board::Overlay;
use crate::analysis::Quality;
use crate::layout::Geometry;
use crate::theme::Theme;

/// Draws cells of one size.
pub(super) struct CellPainter<'a> {
    pub(super) style: text_board::Style,
    pub(super) theme: Theme,
    pub(super) view: &'a BoardView,
    /// Whether rows and columns are labelled.
    pub(super) labelled: bool,
    pub(super) width: usize,
    pub(super) height: u16,
    pub(super) lined: bool,
}

impl CellPainter<'_> {
    /// Draws one cell.
    pub(super) fn cell(
        &self,
        number: usize,
        cell: &CellView,
        geometry: &Geometry,
        overlay: &Overlay,
        buffer: &mut Buffer,
    ) {
        let area = geometry.cell(number);
        let middle = area.y + self.height / 2;
        let pieces = self.view.pieces;
        let here = overlay.cursor == Some(number);
        let through = overlay.through.get(number).copied().unwrap_or(false);
        let (text, style) = match cell.piece {
            Some(player) => {
                let style = if cell.winning {
                    self.theme.winning(pieces, player)
                } else {
                    self.theme.piece_on(pieces, player)
                };
                (self.style.piece(pieces, player).to_string(), style)
            }
            None => self.free(number, cell, through, overlay),
        };
        let base = if here {
            self.theme.surface(pieces).patch(self.theme.cursor())
        } else {
            self.theme.surface(pieces)
        };
        for row in area.top()..area.bottom() {
            buffer.set_string(area.x, row, " ".repeat(self.width), base);
        }
        let style = style.patch(base);
        if pieces == Pieces::Stones {
            let lines = self.theme.frame(pieces).patch(base);
            self.crossing(number, area, lines, buffer);
        }
        if let Some(player) = cell.piece
            && self.height >= 3
            && self.width >= 7
        {
            let art = self.art(player);
            let wide = art[0].chars().count() as u16;
            let left = area.x + (self.width as u16 - wide) / 2;
            for (index, art) in art.into_iter().enumerate() {
                buffer.set_string(left, middle - 1 + index as u16, art, style);
            }
            let side = usize::from((self.width as u16 - wide) / 2);
            if art[1].contains('○') && self.theme != Theme::Plain {
                let ring = self.theme.ring_on_white();
                buffer.set_string(left + wide / 2, middle, "○", ring);
            }
            let (start, end) = match side {
                0 | 1 => self.nearest_marks(cell, through, here),
                _ => self.ends(cell, through, here),
            };
            let ends = [
                (area.x, &start),
                (area.right() - end.chars().count() as u16, &end),
            ];
            for (x, text) in ends.into_iter().filter(|(_, text)| !text.trim().is_empty()) {
                buffer.set_string(x, middle, text, style);
            }
            return;
        }
        let line = match pieces {
            Pieces::Stones => {
                let (start, end) = self.nearest_marks(cell, through, here);
                self.on_crossing(&text, [&start, &end], (area.x, middle), style, buffer);
                return;
            }
            Pieces::Marks | Pieces::Discs => self.line(&text, self.around(cell, through), here),
        };
        buffer.set_stringn(area.x, middle, line, self.width, style);
    }

    /// Draws the text of a cell where its lines cross, with a mark on each side; the lines remain
    /// visible around it.
    fn on_crossing(
        &self,
        text: &str,
        [start, end]: [&str; 2],
        (x, y): (u16, u16),
        style: Style,
        buffer: &mut Buffer,
    ) {
        let long = text.chars().count() as u16;
        let first = self.centre().saturating_sub(long.saturating_sub(1) / 2);
        buffer.set_stringn(x + first, y, text, self.width - usize::from(first), style);
        let after = first + long.max(1);
        if first > 0 && !start.trim().is_empty() {
            buffer.set_string(x + first - 1, y, start, style);
        }
        if usize::from(after) < self.width && !end.trim().is_empty() {
            buffer.set_string(x + after, y, end, style);
        }
    }

    /// Draws the two lines that cross in a cell; they end at the edge of the board.
    fn crossing(&self, number: usize, area: Rect, style: Style, buffer: &mut Buffer) {
        let [rows, columns] = self.view.sides[..] else {
            return;
        };
        let (row, column) = (number / columns, number % columns);
        let [first_row, last_row] = [row == 0, row + 1 == rows];
        let [first_column, last_column] = [column == 0, column + 1 == columns];
        let (across, down) = if self.style.ascii {
            ("-", "|")
        } else {
            ("─", "│")
        };
        let centre = (area.x + self.centre(), area.y + self.height / 2);
        for x in area.left()..area.right() {
            let outside = x < centre.0 && first_column || x > centre.0 && last_column;
            if !outside {
                buffer.set_string(x, centre.1, across, style);
            }
        }
        for y in area.top()..area.bottom() {
            let outside = y < centre.1 && first_row || y > centre.1 && last_row;
            if !outside {
                buffer.set_string(centre.0, y, down, style);
            }
        }
        let edge = |first: bool, last: bool| usize::from(!first) + usize::from(last);
        const CORNERS: [[&str; 3]; 3] = [["┌", "┬", "┐"], ["├", "┼", "┤"], ["└", "┴", "┘"]];
        let corner =
            CORNERS[edge(first_row, last_row).min(2)][edge(first_column, last_column).min(2)];
        let symbol = match (self.view.is_star_point(number), self.style.ascii) {
            (true, true) => "*",
            (false, true) => "+",
            (true, false) => "╋",
            (false, false) => corner,
        };
        buffer.set_string(centre.0, centre.1, symbol, style);
    }

    /// Column of a cell where its lines cross.
    fn centre(&self) -> u16 {
        (self.width as u16 - 1) / 2
    }

    /// Returns the marks around a piece: winning, last move, flipped.
    fn around(&self, cell: &CellView, through: bool) -> (&'static str, &'static str) {
        match (cell.winning, cell.last, cell.flipped) {
            (true, ..) => ("*", "*"),
            (_, true, _) => ("[", "]"),
            (_, _, true) => (" ", "'"),
            _ if through && (cell.piece.is_some() || self.width >= 5) => ("-", "-"),
            _ => (" ", " "),
        }
    }

    fn brackets(&self, here: bool) -> (&'static str, &'static str) {
        match (here, self.style.ascii) {
            (false, _) => (" ", " "),
            (true, true) => ("<", ">"),
            (true, false) => ("‹", "›"),
        }
    }

    /// Returns one mark for each side of a piece; the cursor takes precedence.
    fn nearest_marks(&self, cell: &CellView, through: bool, here: bool) -> (String, String) {
        let (start, end) = if here {
            self.brackets(here)
        } else {
            self.around(cell, through)
        };
        (start.into(), end.into())
    }

    fn ends(&self, cell: &CellView, through: bool, here: bool) -> (String, String) {
        let (left, right) = self.around(cell, through);
        let (open, close) = self.brackets(here);
        (format!("{open}{left}"), format!("{right}{close}"))
    }

    /// Formats a line as wide as the cell.
    fn line(&self, text: &str, (left, right): (&str, &str), here: bool) -> String {
        let (open, close) = self.brackets(here);
        let text: String = text.chars().take(self.width).collect();
        let long = text.chars().count();
        match self.width {
            0..3 => {
                let after = if here { close } else { right };
                match long {
                    1 => format!("{text}{after}"),
                    _ => text,
                }
            }
            3 | 4 if long + 2 > self.width => format!("{text:^0$}", self.width),
            3 | 4 => {
                let (left, right) = if here { (open, close) } else { (left, right) };
                format!("{left}{text:^0$}{right}", self.width - 2)
            }
            // Where not all marks fit, the cursor takes precedence.
            wide if long + 4 <= wide => {
                let inner = format!("{left}{text}{right}");
                format!("{open}{inner:^0$}{close}", wide - 2)
            }
            wide if long + 2 <= wide => {
                let (left, right) = if here { (open, close) } else { (left, right) };
                let inner = format!("{left}{text}{right}");
                format!("{inner:^wide$}")
            }
            wide => format!("{text:^wide$}"),
        }
    }

    /// Returns the text of an empty cell: a number, a hint, its name, or a mark for a legal move.
    fn free(
        &self,
        number: usize,
        cell: &CellView,
        through: bool,
        overlay: &Overlay,
    ) -> (String, Style) {
        let pieces = self.view.pieces;
        let dim = self.theme.dim_on(pieces);
        if let Some((text, quality)) = overlay.annotations.get(&number) {
            // Numbers without a gap would read as one.
            let gap = usize::from(!self.lined);
            let text = match text.strip_suffix('%') {
                Some(percent) if text.chars().count() + gap > self.width => percent,
                _ => text,
            };
            // The best move is also marked by a character, where there is room.
            let room = text.chars().count() + gap < self.width;
            let best = *quality == Quality::Best && room;
            let text = format!("{text}{}", if best { "!" } else { "" });
            let style = self.theme.quality(pieces, *quality);
            let style = if overlay.threats.contains_key(&number) {
                style.add_modifier(Modifier::UNDERLINED)
            } else {
                style
            };
            return (text, style);
        }
        if overlay.hint == Some(number) {
            return ("!".into(), self.theme.quality(pieces, Quality::Best));
        }
        if let Some(is_four) = overlay.threats.get(&number) {
            let mark = match (is_four, self.style.ascii) {
                (true, false) => "◆",
                (false, false) => "◇",
                (true, true) => "#",
                (false, true) => "o",
            };
            return (mark.into(), self.theme.quality(pieces, Quality::Best));
        }
        if pieces == Pieces::Stones {
            return (String::new(), dim);
        }
        let dot = if self.style.ascii { "." } else { "·" };
        match (pieces, cell.legal) {
            _ if through && self.width < 5 => ("+".into(), self.theme.through()),
            (_, false) if !self.lined => (dot.into(), dim),
            (_, false) => (String::new(), dim),
            // Where every empty cell is legal, the labels beside the board suffice.
            (Pieces::Marks | Pieces::Stones, true) if self.labelled => {
                if self.lined {
                    (String::new(), dim)
                } else {
                    (dot.into(), dim)
                }
            }
            (Pieces::Discs, true) => {
                let mark = if self.style.ascii { "*" } else { "•" };
                (mark.into(), self.theme.legal_on(pieces))
            }
            (Pieces::Marks | Pieces::Stones, true) => {
                let style = if through { self.theme.through() } else { dim };
                // Numbers without a gap would read as one.
                let room = self.width - usize::from(!self.lined);
                if cell.name.chars().count() <= room {
                    (cell.name.clone(), style)
                } else {
                    (dot.into(), style)
                }
            }
        }
    }

    /// Returns a piece three rows high, and five columns wide where there is room.
    fn art(&self, player: Player) -> [&'static str; 3] {
        let piece = self.style.piece(self.view.pieces, player);
        // Characters are twice as high as wide: three rows need five columns for a round disc.
        let discs = self.view.pieces != Pieces::Marks;
        match (piece, self.style.ascii, discs || self.width >= 9) {
            ('X', true, _) => ["\\ /", " X ", "/ \\"],
            ('X', false, _) => ["╲ ╱", " ╳ ", "╱ ╲"],
            ('O', true, true) => [".---.", "|   |", "'---'"],
            ('O', true, false) => [".-.", "| |", "'-'"],
            ('O', false, true) => ["╭───╮", "│   │", "╰───╯"],
            ('O', false, false) => ["╭─╮", "│ │", "╰─╯"],
            ('B', ..) => [".---.", "| B |", "'---'"],
            ('W', ..) => [".---.", "| W |", "'---'"],
            // With colours both are full; the ring in the white one tells them apart without.
            ('○', ..) if self.theme == Theme::Plain => ["╭───╮", "│ ○ │", "╰───╯"],
            ('○', ..) => ["▗▄▄▄▖", "▐█○█▌", "▝▀▀▀▘"],
            _ => ["▗▄▄▄▖", "▐███▌", "▝▀▀▀▘"],
        }
    }
}
