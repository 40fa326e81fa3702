//! Threats on a board of k in a row: fours and open threes of both players.
//!
//! A *four* lacks one stone of a line. An *open three* lacks two: one more stone makes an open four,
//! which can be completed at both ends. On boards of another length the same shapes have names that
//! count no stones.
//!
//! Reference: <https://en.wikipedia.org/wiki/Gomoku#Theoretical_generalizations>

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{GomokuRule, Move, Pieces, Player};

use crate::{Marks, Messages, messages};

/// Shortest line whose threats are shown: on smaller boards they are obvious.
const MIN_LENGTH: usize = 4;

/// The kind of a threat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreatKind {
    /// One stone completes a line.
    Four,
    /// One stone makes an open four.
    OpenThree,
}

/// A threat of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threat {
    /// Whose threat it is.
    pub player: Player,
    /// Its kind.
    pub kind: ThreatKind,
    /// The cells from its first stone to its last.
    pub span: Vec<usize>,
    /// The cells on which a stone carries it out.
    pub gaps: Vec<usize>,
}

/// Returns the threats of both players, fours first. A game that is over has none.
#[must_use]
pub fn of(line: &dyn AnyLine) -> Vec<Threat> {
    let game = line.game();
    let length = game.winning_lines_through(0).first().map_or(0, Vec::len);
    let sides = game.shape().sides().to_vec();
    let [rows, columns] = sides[..] else {
        return Vec::new();
    };
    if game.pieces() == Pieces::Discs || length < MIN_LENGTH || line.outcome().is_some() {
        return Vec::new();
    }
    let board = Board {
        rule: game.gomoku_rule().unwrap_or(GomokuRule::Freestyle),
        cells: (0..game.cells()).map(|cell| line.piece(cell)).collect(),
        sides: [rows, columns],
        length,
    };
    let may_play = |player: Player, cell: usize| {
        player != line.turn() || line.check_move(Move::on(cell)).is_ok()
    };
    let mut threats = Vec::new();
    for kind in [ThreatKind::Four, ThreatKind::OpenThree] {
        for player in Player::BOTH {
            for mut threat in board.threats(player, kind) {
                threat.gaps.retain(|&cell| may_play(player, cell));
                if !threat.gaps.is_empty() {
                    merge(&mut threats, threat);
                }
            }
        }
    }
    threats
}

/// Adds a threat. One of the same stones has further gaps, and a three in a four is no other threat.
fn merge(threats: &mut Vec<Threat>, new: Threat) {
    for known in threats.iter_mut().filter(|t| t.player == new.player) {
        let within = new.span.iter().all(|cell| known.span.contains(cell));
        if known.kind == new.kind && known.span == new.span {
            for gap in new.gaps {
                if !known.gaps.contains(&gap) {
                    known.gaps.push(gap);
                }
            }
            known.gaps.sort_unstable();
            return;
        }
        let known_gaps = new.gaps.iter().all(|gap| known.gaps.contains(gap));
        if within || known.kind == new.kind && known_gaps {
            return;
        }
    }
    threats.push(new);
}

/// Formats the threats of each player: `Black: open four (g8, l8)`.
#[must_use]
pub fn texts(words: Messages, game: &AnyGame, threats: &[Threat]) -> Vec<String> {
    let of_player = |player: Player| {
        let own = threats.iter().filter(|threat| threat.player == player);
        let texts: Vec<String> = own.map(|threat| text(words, game, threat)).collect();
        (!texts.is_empty()).then(|| {
            let side = messages::side(words, game.pieces(), player, Marks::default());
            format!("{side}: {}", texts.join(", "))
        })
    };
    Player::BOTH.into_iter().filter_map(of_player).collect()
}

fn text(words: Messages, game: &AnyGame, threat: &Threat) -> String {
    let length = game.winning_lines_through(0).first().map_or(0, Vec::len);
    let key = match (threat.kind, threat.gaps.len(), length) {
        (ThreatKind::Four, 1, 5) => "rule-four",
        (ThreatKind::Four, _, 5) => "rule-open-four",
        (ThreatKind::OpenThree, _, 5) => "rule-open-three",
        (ThreatKind::Four, 1, _) => "rule-threat",
        (ThreatKind::Four, ..) => "rule-fork",
        (ThreatKind::OpenThree, ..) => "rule-fork-threat",
    };
    let gaps = threat
        .gaps
        .iter()
        .map(|&cell| game.show_move(Move::on(cell)));
    let gaps: Vec<String> = gaps.collect();
    format!("{} ({})", words.text(key), gaps.join(", "))
}

struct Board {
    rule: GomokuRule,
    cells: Vec<Option<Player>>,
    sides: [usize; 2],
    length: usize,
}

impl Board {
    /// Returns the cell some steps away from another.
    fn at(&self, cell: usize, [down, right]: [isize; 2], steps: isize) -> Option<usize> {
        let [rows, columns] = self.sides;
        let row = (cell / columns).checked_add_signed(down * steps)?;
        let column = (cell % columns).checked_add_signed(right * steps)?;
        (row < rows && column < columns).then_some(row * columns + column)
    }

    fn threats(&self, player: Player, kind: ThreatKind) -> Vec<Threat> {
        let mut threats = Vec::new();
        for cell in 0..self.cells.len() {
            for direction in [[0, 1], [1, 0], [1, 1], [1, -1]] {
                threats.extend(match kind {
                    ThreatKind::Four => self.four(player, cell, direction),
                    ThreatKind::OpenThree => self.open_three(player, cell, direction),
                });
            }
        }
        threats
    }

    /// Returns the cells of a row that begins here.
    fn row(&self, cell: usize, direction: [isize; 2], length: usize) -> Option<Vec<usize>> {
        let steps = 0..length as isize;
        steps.map(|step| self.at(cell, direction, step)).collect()
    }

    fn four(&self, player: Player, cell: usize, direction: [isize; 2]) -> Option<Threat> {
        let row = self.row(cell, direction, self.length)?;
        let gap = self.only_gap(player, &row)?;
        if !self.completes(player, cell, direction) {
            return None;
        }
        Some(self.threat(player, ThreatKind::Four, &row, gap))
    }

    fn open_three(&self, player: Player, cell: usize, direction: [isize; 2]) -> Option<Threat> {
        let row = self.row(cell, direction, self.length + 1)?;
        let (first, last) = (row[0], row[self.length]);
        if self.cells[first].is_some() || self.cells[last].is_some() {
            return None;
        }
        let gap = self.only_gap(player, &row[1..self.length])?;
        let both = [cell, row[1]].map(|start| self.completes(player, start, direction));
        if both != [true, true] {
            return None;
        }
        Some(self.threat(player, ThreatKind::OpenThree, &row[1..self.length], gap))
    }

    /// Returns the empty cell of a row whose other cells the player holds.
    fn only_gap(&self, player: Player, row: &[usize]) -> Option<usize> {
        let mut others = row.iter().filter(|&&cell| self.cells[cell] != Some(player));
        let gap = others.next().filter(|&&cell| self.cells[cell].is_none())?;
        others.next().is_none().then_some(*gap)
    }

    /// Whether a line that begins here would win when it is full.
    fn completes(&self, player: Player, cell: usize, direction: [isize; 2]) -> bool {
        let beyond = [-1, self.length as isize].map(|step| {
            let cell = self.at(cell, direction, step)?;
            self.cells[cell]
        });
        match self.rule {
            GomokuRule::Freestyle => true,
            GomokuRule::Renju if player == Player::Second => true,
            GomokuRule::Standard | GomokuRule::Renju => !beyond.contains(&Some(player)),
            GomokuRule::Caro => beyond != [Some(player.other()); 2],
        }
    }

    fn threat(&self, player: Player, kind: ThreatKind, row: &[usize], gap: usize) -> Threat {
        let holds = |cell: &usize| self.cells[*cell] == Some(player);
        let first = row.iter().position(holds).unwrap_or(0);
        let last = row.iter().rposition(holds).unwrap_or(0);
        Threat {
            player,
            kind,
            span: row[first..=last].to_vec(),
            gaps: vec![gap],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    fn threats(game: &str, moves: &str) -> Vec<String> {
        let game: AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        texts(Messages::new(Language::English), &game, &of(&*line))
    }

    #[test]
    fn threes_and_fours_are_found_with_their_cells() {
        assert_eq!(threats("gomoku", "h8 a1 i8 a3"), [""; 0]);
        let three = threats("gomoku", "h8 a1 i8 a3 j8");
        assert_eq!(three, ["Black: open three (g8, k8)"]);
        let closed = threats("gomoku", "h8 g8 i8 a3 j8");
        assert_eq!(closed, [""; 0]);
        let broken = threats("gomoku", "h8 a1 i8 a3 k8");
        assert_eq!(broken, ["Black: open three (j8)"]);
        let open_four = threats("gomoku", "h8 a1 i8 a3 j8 a5 k8");
        assert_eq!(open_four, ["Black: open four (g8, l8)"]);
        let four = threats("gomoku", "h8 g8 i8 a3 j8 a5 k8");
        assert_eq!(four, ["Black: four (l8)"]);
        let split = threats("gomoku", "h8 a1 i8 a3 k8 a5 l8");
        assert_eq!(split, ["Black: four (j8)"]);
    }

    #[test]
    fn the_rule_decides_what_completes_a_line() {
        // Six stones do not win under the standard rule.
        let moves = "f8 a1 g8 a3 h8 a5 i8 a7 k8";
        assert_eq!(threats("gomoku", moves), ["Black: open four (e8, j8)"]);
        assert_eq!(threats("gomoku:standard", moves), ["Black: four (e8)"]);
        // Five between two stones of the opponent do not win under the caro rule.
        let moves = "f8 e8 g8 k8 h8 a5 i8";
        assert_eq!(threats("gomoku", moves), ["Black: four (j8)"]);
        assert_eq!(threats("gomoku:caro", moves), [""; 0]);
    }

    #[test]
    fn other_lengths_have_names_that_count_no_stones_and_small_boards_none() {
        assert_eq!(threats("tictactoe", "5 1 9"), [""; 0]);
        assert_eq!(threats("othello", "f5d6"), [""; 0]);
        let four = threats("tictactoe:6x6:4", "b2 a6 c2 b6 d2");
        assert_eq!(four, ["X: fork (7, 11)"]);
    }
}
