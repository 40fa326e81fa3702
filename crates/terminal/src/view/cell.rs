//! Renders one cell at any size: its piece or number, and a character for every mark.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use papan_rules::{Pieces, Player};
use papan_view::CellView;
use papan_view::text_board;

use super::board::Overlay;
use crate::layout::Geometry;
use crate::theme::Theme;

/// Draws cells of one size.
pub(super) struct CellPainter {
    pub(super) style: text_board::Style,
    pub(super) theme: Theme,
    pub(super) pieces: Pieces,
    /// Whether rows and columns are labelled.
    pub(super) labelled: bool,
    pub(super) width: usize,
    pub(super) height: u16,
    pub(super) lined: bool,
}

impl CellPainter {
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
        let here = overlay.cursor == Some(number);
        let through = overlay.through.get(number).copied().unwrap_or(false);
        let (text, style) = match cell.piece {
            Some(player) => {
                let style = if cell.winning {
                    self.theme.winning()
                } else {
                    self.theme.piece(player)
                };
                (self.style.piece(self.pieces, player).to_string(), style)
            }
            None => self.free(number, cell, through, overlay),
        };
        let line = self.line(&text, self.around(cell, through), here);
        let base = if here {
            self.theme.cursor()
        } else {
            Style::new()
        };
        for row in area.top()..area.bottom() {
            buffer.set_string(area.x, row, " ".repeat(self.width), base);
        }
        let style = style.patch(base);
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
            let (start, end) = self.ends(cell, through, here);
            buffer.set_string(area.x, middle, start, style);
            let right = area.right() - end.chars().count() as u16;
            buffer.set_string(right, middle, end, style);
            return;
        }
        buffer.set_stringn(area.x, middle, line, self.width, style);
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
        if let Some((text, best)) = overlay.annotations.get(&number) {
            // The best move is also marked by a character, where there is room.
            let room = text.chars().count() < self.width;
            let text = if *best && room {
                format!("{text}!")
            } else {
                text.clone()
            };
            let style = if *best {
                self.theme.best()
            } else {
                self.theme.annotation()
            };
            return (text, style);
        }
        if overlay.hint == Some(number) {
            return ("!".into(), self.theme.best());
        }
        let dot = if self.style.ascii { "." } else { "·" };
        match (self.pieces, cell.legal) {
            _ if through && self.width < 5 => ("+".into(), self.theme.through()),
            (_, false) if !self.lined => (dot.into(), self.theme.dim()),
            (_, false) => (String::new(), self.theme.dim()),
            // Where every empty cell is legal, the labels beside the board suffice.
            (Pieces::Marks | Pieces::Stones, true) if self.labelled => {
                if self.lined {
                    (String::new(), self.theme.dim())
                } else {
                    (dot.into(), self.theme.dim())
                }
            }
            (Pieces::Discs, true) => {
                let mark = if self.style.ascii { "*" } else { "•" };
                (mark.into(), self.theme.legal())
            }
            (Pieces::Marks | Pieces::Stones, true) => {
                let style = if through {
                    self.theme.through()
                } else {
                    self.theme.dim()
                };
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
        let piece = self.style.piece(self.pieces, player);
        match (piece, self.style.ascii, self.width >= 9) {
            ('X', true, _) => ["\\ /", " X ", "/ \\"],
            ('X', false, _) => ["╲ ╱", " ╳ ", "╱ ╲"],
            ('O', true, true) => [".---.", "|   |", "'---'"],
            ('O', true, false) => [".-.", "| |", "'-'"],
            ('O', false, true) => ["╭───╮", "│   │", "╰───╯"],
            ('O', false, false) => ["╭─╮", "│ │", "╰─╯"],
            ('B', _, true) => [".---.", "| B |", "'---'"],
            ('B', ..) => [".-.", "|B|", "'-'"],
            ('W', _, true) => [".---.", "| W |", "'---'"],
            ('W', ..) => [".-.", "|W|", "'-'"],
            ('●', _, true) => ["▗▄▄▄▖", "▐███▌", "▝▀▀▀▘"],
            ('●', ..) => ["▗▄▖", "▐█▌", "▝▀▘"],
            (_, _, true) => ["╭───╮", "│ ○ │", "╰───╯"],
            _ => ["╭─╮", "│○│", "╰─╯"],
        }
    }
}
