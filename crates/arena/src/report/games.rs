//! Games of the HTML report, as data that the page shows without knowing the rules.
//!
//! Every possible appearance of a cell is drawn once by the view; a game lists, move by move, the
//! cells that change.

use std::fmt;

use papan_catalog::AnyLine;
use papan_rules::{Move, Outcome, Player};
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, CellView};
use serde::Serialize;

use crate::game::game_result::GameResult;
use crate::results::{Results, ResultsError};
use crate::tournament::recorded_games::RecordedGames;
use crate::tournament::scoreboard::Scoreboard;
use crate::tournament::{ScheduledGame, Tournament};

/// Every counted game, by its number.
pub(super) struct Games<'a> {
    tournament: &'a Tournament,
    played: RecordedGames,
}

/// Data of the page.
#[derive(Serialize)]
struct Board {
    /// The rows of every flat slice of the board, as cell numbers.
    slices: Vec<Vec<Vec<usize>>>,
    /// Every look that a cell can have, as SVG; see [`look`].
    looks: Vec<String>,
    /// The looks before the first move.
    start: Vec<usize>,
    /// How a move onto each cell is written.
    words: Vec<String>,
    players: Vec<String>,
}

impl<'a> Games<'a> {
    pub(super) fn read(
        tournament: &'a Tournament,
        scoreboard: &Scoreboard,
        results: &mut dyn Results,
    ) -> Result<Self, ResultsError> {
        Ok(Self {
            tournament,
            played: RecordedGames::read(scoreboard, results)?,
        })
    }

    /// The board as JSON for a script: `<` in a player's name must not end it.
    pub(super) fn board(&self) -> String {
        let line = self.tournament.game.line();
        let mut view = BoardView::of(&*line);
        let start = (0..view.cells.len()).map(|cell| look(line.piece(cell), false, false));
        let start = start.collect();
        let words = view.cells.iter().map(|cell| cell.name.clone()).collect();
        let looks = (0..LOOKS).map(|number| {
            view.cells[0] = cell_with(number);
            svg_board::cell(&view, 0, &DrawOptions::default())
        });
        let board = Board {
            looks: looks.collect(),
            slices: view.slices(),
            start,
            words,
            players: self.tournament.names(),
        };
        let json = serde_json::to_string(&board);
        json.expect("a board has string keys only")
            .replace('<', "\\u003c")
    }

    /// `number;first;second;result;reason;moves`: players by number, the result 0, 1 or
    /// 2. A move is its cell, or `--` for a pass, and then each changed cell with its
    /// new look; cells are two digits of base 36.
    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        planned: &ScheduledGame,
        finished: &GameResult,
    ) -> fmt::Result {
        let [first, second] = finished.seats(planned);
        let result = match finished.outcome {
            Outcome::Draw => 0,
            Outcome::Win(player) => 1 + player.index(),
        };
        let number = finished.game + 1;
        let harmless = |c: &char| !matches!(c, '`' | '\\' | '$' | ';' | '<');
        let reason = finished.reason().unwrap_or_default();
        let reason: String = reason.chars().filter(harmless).collect();
        write!(f, "{number};{first};{second};{result};{reason};")?;
        let mut line = self.tournament.game.line();
        let mut before = looks(&*line, None);
        for (ply, &mv) in finished.moves.iter().enumerate() {
            if line.play(mv).is_err() {
                break;
            }
            f.write_str(if ply == 0 { "" } else { "," })?;
            match mv.cell() {
                Some(cell) => f.write_str(&base36(cell))?,
                None => f.write_str("--")?,
            }
            let now = looks(&*line, Some(mv));
            for (cell, (old, new)) in std::iter::zip(&before, &now).enumerate() {
                if old != new {
                    write!(f, "{}{new}", base36(cell))?;
                }
            }
            before = now;
        }
        f.write_str("\n")
    }
}

impl fmt::Display for Games<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut games = self.played.iter();
        games.try_for_each(|(planned, finished)| self.write(f, &planned, &finished))
    }
}

/// Number of appearances of a cell: empty or either player's; plain or last; part of the winning
/// line or not.
const LOOKS: usize = 9;

fn look(piece: Option<Player>, last: bool, winning: bool) -> usize {
    piece.map_or(0, |player| {
        1 + player.index() + 2 * usize::from(last) + 4 * usize::from(winning)
    })
}

/// The inverse of [`look`].
fn cell_with(number: usize) -> CellView {
    let Some(bits) = number.checked_sub(1) else {
        return CellView::default();
    };
    CellView {
        piece: Some(Player::BOTH[bits & 1]),
        last: bits & 2 != 0,
        winning: bits & 4 != 0,
        ..CellView::default()
    }
}

fn looks(line: &dyn AnyLine, last: Option<Move>) -> Vec<usize> {
    let winning = match line.outcome() {
        Some(_) => line.winning_cells(),
        None => Vec::new(),
    };
    (0..line.game().cells())
        .map(|cell| {
            let is_last = last == Some(Move::on(cell));
            look(line.piece(cell), is_last, winning.contains(&cell))
        })
        .collect()
}

fn base36(cell: usize) -> String {
    let digit = |n: usize| char::from_digit((n % 36) as u32, 36).unwrap_or('0');
    [digit(cell / 36), digit(cell)].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_look_stands_for_one_cell() {
        for number in 0..LOOKS {
            let cell = cell_with(number);
            assert_eq!(look(cell.piece, cell.last, cell.winning), number);
        }
    }

    #[test]
    fn cells_have_two_digits() {
        assert_eq!(base36(0), "00");
        assert_eq!(base36(37), "11");
        assert_eq!(base36(399), "b3");
    }
}
