//! A forced win, move by move, with the threat that each move makes.

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{Move, Pieces, Player};
use papan_strategies::{Decision, Score};

use crate::Messages;

/// The moves of a forced win of more than one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedWin {
    /// Each move with the name of its threat.
    steps: Vec<(Move, Option<&'static str>)>,
}

impl ForcedWin {
    /// Returns the win that a strategy found, against the replies of its principal variation. Games
    /// with flipped discs have none, because a list of cells would not describe it.
    #[must_use]
    pub fn of(line: &dyn AnyLine, decision: &Decision) -> Option<Self> {
        let game = line.game();
        let chosen = decision.chosen()?;
        let won = chosen.score.and_then(Score::proven);
        if won.is_none_or(|value| value <= 0) || chosen.pv.len() < 2 {
            return None;
        }
        if game.pieces() == Pieces::Discs {
            return None;
        }
        let mut board = Board {
            cells: (0..game.cells()).map(|cell| line.piece(cell)).collect(),
            game,
        };
        let winner = line.turn();
        let mut steps = Vec::with_capacity(chosen.pv.len());
        for (at, &mv) in chosen.pv.iter().enumerate() {
            let cell = mv.cell()?;
            let player = if at % 2 == 0 { winner } else { winner.other() };
            board.cells[cell] = Some(player);
            let threat = (player == winner).then(|| board.threat(cell, player));
            steps.push((mv, threat.flatten()));
        }
        Some(Self { steps })
    }

    /// Formats the moves: `1. h8 (open four), 2. g8, 3. l8 (completes a line)`.
    #[must_use]
    pub fn text(&self, game: &AnyGame, messages: Messages) -> String {
        let step = |(at, (mv, threat)): (usize, &(Move, Option<&str>))| {
            let named = threat.map(|threat| messages.text(&format!("rule-{threat}")));
            let named = named.map_or_else(String::new, |threat| format!(" ({threat})"));
            format!("{}. {}{named}", at + 1, game.show_move(*mv))
        };
        let steps: Vec<String> = self.steps.iter().enumerate().map(step).collect();
        let heading = messages.text("explain-winning-line");
        format!("{heading} {}.", steps.join(", "))
    }

    /// Returns the cells of the moves in order.
    pub fn cells(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().filter_map(|(mv, _)| mv.cell())
    }
}

struct Board {
    game: AnyGame,
    cells: Vec<Option<Player>>,
}

impl Board {
    /// Returns the empty cells of each line through a cell that has no opposing piece.
    fn lacking(&self, cell: usize, player: Player) -> impl Iterator<Item = Vec<usize>> {
        let lines = self.game.winning_lines_through(cell).into_iter();
        lines.filter_map(move |line| {
            let theirs = |&cell: &usize| self.cells[cell] == Some(player.other());
            if line.iter().any(theirs) {
                return None;
            }
            let empty = line.into_iter().filter(|&cell| self.cells[cell].is_none());
            Some(empty.collect())
        })
    }

    /// Returns the cells that complete a line through this one.
    fn completing(&self, cell: usize, player: Player) -> Vec<usize> {
        let lacking = self.lacking(cell, player).filter(|gaps| gaps.len() == 1);
        let mut cells: Vec<usize> = lacking.flatten().collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Returns the name of the threat that a new piece makes. Fours and threes are the words of five
    /// in a row; on other boards the names do not count pieces.
    fn threat(&mut self, cell: usize, player: Player) -> Option<&'static str> {
        let lines = self.game.winning_lines_through(cell);
        let [one_way, two_ways, quiet] = match lines.first().map(Vec::len) {
            Some(5) => ["four", "open-four", "open-three"],
            _ => ["threat", "fork", "fork-threat"],
        };
        if self.lacking(cell, player).any(|gaps| gaps.is_empty()) {
            return Some("completes");
        }
        match self.completing(cell, player).len() {
            0 => {}
            1 => return Some(one_way),
            _ => return Some(two_ways),
        }
        let two_short = self.lacking(cell, player).filter(|gaps| gaps.len() == 2);
        let next: Vec<usize> = two_short.flatten().collect();
        let opens = next.into_iter().any(|next| {
            self.cells[next] = Some(player);
            let two = self.completing(next, player).len() > 1;
            self.cells[next] = None;
            two
        });
        opens.then_some(quiet)
    }
}
