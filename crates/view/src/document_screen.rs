//! Screens as the documents print them: document 000 for boards with marks, 001 for discs.
//!
//! The lengths of the frames were lost in the text of document 000; they follow the board.

use papan_rules::{Pieces, Player};

use crate::text_board::Style;
use crate::{BoardView, Messages, text_board};

/// The screen of a game.
pub struct DocumentScreen<'a> {
    /// The board.
    pub view: &'a BoardView,
    /// The names of the players.
    pub players: [&'a str; 2],
    /// Which of them are people.
    pub people: [bool; 2],
    /// The marks.
    pub style: Style,
}

impl DocumentScreen<'_> {
    /// Draws the screen. Boards that the documents do not have are drawn as usual.
    #[must_use]
    pub fn draw(&self, messages: Messages) -> String {
        match (self.view.pieces, self.view.sides.as_slice()) {
            (Pieces::Marks, &[_, columns]) => self.marks(columns, messages),
            (Pieces::Discs, &[rows, columns]) => self.discs(rows, columns),
            _ => text_board::draw(self.view, self.style, messages),
        }
    }

    fn mark(&self, cell: usize) -> char {
        let Some(player) = self.view.cells[cell].piece else {
            return '-';
        };
        let mark = self.style.piece(self.view.pieces, player);
        mark.to_ascii_lowercase()
    }

    fn marks(&self, columns: usize, messages: Messages) -> String {
        let title = messages.text("document-title");
        let mut names = Vec::new();
        for player in Player::BOTH {
            let role = if self.people[player.index()] {
                "document-person"
            } else {
                "document-cpu"
            };
            let mark = self.style.piece(self.view.pieces, player);
            let mark = mark.to_ascii_lowercase();
            names.push(format!("{mark} = {}", messages.text(role)));
        }
        let legend = format!("!{}!", names.join("  "));
        let banner = format!("-----{title}-----");
        let players = self.players.iter().zip(1..);
        let players: Vec<String> = players
            .map(|(name, number)| format!("---={number}. {name} ---"))
            .collect();
        let heading = format!("!!   {title}   !!");
        let widest = players.iter().chain([&legend, &heading, &banner]);
        let width = widest.map(|line| line.chars().count()).max().unwrap_or(0);
        let frame = "=".repeat(width.max(4 * columns + 1));
        let rule = format!("|{}|", vec!["---"; columns].join("|"));
        let mut lines = vec![frame.clone(), banner, frame.clone()];
        lines.extend(players);
        lines.extend([frame.clone(), String::new(), heading, frame.clone()]);
        for (row, start) in (0..self.view.cells.len()).step_by(columns).enumerate() {
            if row > 0 {
                lines.push(rule.clone());
            }
            let cells = (start..start + columns).map(|cell| format!(" {} |", self.mark(cell)));
            lines.push(format!("|{}", cells.collect::<String>()));
        }
        lines.extend([frame.clone(), legend, frame]);
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn discs(&self, rows: usize, columns: usize) -> String {
        let numbers: String = (1..=columns).map(|column| format!(" {column}")).collect();
        let mut text = format!(" {numbers}\n");
        for row in 0..rows {
            text.push_str(&(row + 1).to_string());
            for column in 0..columns {
                text.push(' ');
                text.push(match self.view.cells[row * columns + column].piece {
                    Some(Player::First) => 'B',
                    Some(Player::Second) => 'W',
                    None => '.',
                });
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, Marks};
    use papan_catalog::AnyGame;

    fn drawn(game: &str, moves: &str) -> String {
        let game: AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        let screen = DocumentScreen {
            view: &BoardView::of(&*line),
            players: ["automaton", "human"],
            people: [false, true],
            style: Style {
                marks: Marks::OX,
                ..Style::default()
            },
        };
        screen.draw(Messages::new(Language::Indonesian))
    }

    #[test]
    fn the_board_of_document_000_has_its_frames_and_marks() {
        let screen = drawn("tictactoe", "1 2 7 4 5 3 9");
        let board = "| o | x | x |\n|---|---|---|\n| x | o | - |\n|---|---|---|\n| o | - | o |\n";
        assert!(screen.contains(board), "{screen}");
        assert!(screen.contains("!!   TIC TAC TOE   !!\n====="), "{screen}");
        assert!(screen.contains("!o = CPU  x = PLAYER!"), "{screen}");
        assert!(screen.contains("---=1. automaton ---"), "{screen}");
    }

    #[test]
    fn the_board_of_document_001_has_numbers_on_both_sides() {
        let screen = drawn("othello", "65");
        let lines: Vec<&str> = screen.lines().collect();
        assert_eq!(lines[0], "  1 2 3 4 5 6 7 8");
        assert_eq!(lines[4], "4 . . . W B . . .");
        assert_eq!(lines[6], "6 . . . . B . . .");
    }
}
