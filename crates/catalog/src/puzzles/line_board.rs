//! Exact search for wins in at most n moves at k in a row (mate search).
//!
//! A puzzle promises that one move forces a line within n own moves and every other one does not.
//! The threat search of the engine proves wins, but never their absence; on lines alone, and with n
//! this small, every move and every reply is examined.

use std::sync::Arc;

use papan_rules::{Bits as _, Gomoku, GomokuRule, Player, Wide};

use crate::{AnyGame, AnyLine};

/// A position as the stones on each winning line.
pub(super) struct LineBoard {
    /// How many in a row win.
    length: usize,
    lines: Vec<Vec<usize>>,
    /// The lines through each cell.
    through: Vec<Vec<usize>>,
    owner: Vec<Option<Player>>,
    /// Stones of each side on each line.
    counts: Vec<[u8; 2]>,
    /// The rule, where not every completed line wins or not every cell may be played.
    rule: Option<GomokuStones>,
}

/// The stones of gomoku under a rule other than freestyle.
struct GomokuStones {
    game: Arc<Gomoku>,
    stones: [Wide; 2],
}

impl LineBoard {
    /// Returns the position at the end of a line of play; `None` in games without winning lines.
    pub(super) fn new(line: &dyn AnyLine) -> Option<Self> {
        let game = line.game();
        let cells = game.cells();
        let mut lines: Vec<Vec<usize>> = Vec::new();
        for cell in 0..cells {
            // Each line is listed once, by its first cell.
            let through = game.winning_lines_through(cell).into_iter();
            lines.extend(through.filter(|line| line.iter().min() == Some(&cell)));
        }
        let length = lines.first()?.len();
        let mut through = vec![Vec::new(); cells];
        for (index, line) in lines.iter().enumerate() {
            for &cell in line {
                through[cell].push(index);
            }
        }
        let rule = match game {
            AnyGame::Gomoku(game) if game.rule() != GomokuRule::Freestyle => Some(GomokuStones {
                game,
                stones: [Wide::EMPTY; 2],
            }),
            _ => None,
        };
        let mut board = Self {
            length,
            counts: vec![[0; 2]; lines.len()],
            lines,
            through,
            owner: vec![None; cells],
            rule,
        };
        for cell in 0..cells {
            if let Some(player) = line.piece(cell) {
                board.put(cell, player);
            }
        }
        Some(board)
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    fn put(&mut self, cell: usize, player: Player) {
        self.owner[cell] = Some(player);
        for &line in &self.through[cell] {
            self.counts[line][player.index()] += 1;
        }
        if let Some(GomokuStones { stones, .. }) = &mut self.rule {
            stones[player.index()] = stones[player.index()] | Wide::single(cell);
        }
    }

    fn remove(&mut self, cell: usize, player: Player) {
        self.owner[cell] = None;
        for &line in &self.through[cell] {
            self.counts[line][player.index()] -= 1;
        }
        if let Some(GomokuStones { stones, .. }) = &mut self.rule {
            stones[player.index()] = stones[player.index()].without(Wide::single(cell));
        }
    }

    /// Returns the empty cells where a player may play.
    pub(super) fn playable(&self, player: Player) -> Vec<usize> {
        let cells = 0..self.owner.len();
        cells.filter(|&cell| self.may_play(cell, player)).collect()
    }

    fn may_play(&self, cell: usize, player: Player) -> bool {
        let is_allowed = |GomokuStones { game, stones }: &GomokuStones| {
            game.forbids(*stones, cell, player).is_none()
        };
        self.owner[cell].is_none() && self.rule.as_ref().is_none_or(is_allowed)
    }

    /// Returns the empty cells on lines free of the opponent with at least `stones` of a player.
    fn cells_on(&self, player: Player, stones: usize) -> Vec<usize> {
        let mut wanted = vec![false; self.owner.len()];
        for (line, counts) in self.lines.iter().zip(&self.counts) {
            let [own, others] = [counts[player.index()], counts[player.other().index()]];
            if others == 0 && usize::from(own) >= stones {
                for &cell in line {
                    wanted[cell] = true;
                }
            }
        }
        let cells = wanted.iter().enumerate();
        cells
            .filter(|(cell, wanted)| **wanted && self.owner[*cell].is_none())
            .map(|(cell, _)| cell)
            .collect()
    }

    /// Returns the cells where a player wins.
    pub(super) fn completing(&self, player: Player) -> Vec<usize> {
        let mut cells = self.cells_on(player, self.length - 1);
        if let Some(GomokuStones { game, stones }) = &self.rule {
            cells.retain(|&cell| game.completes(*stones, cell, player));
        }
        cells
    }

    /// Returns the cells where a player may stop the completion of a line on `gaps`; empty if all of
    /// them cannot be stopped at once.
    pub(super) fn blocks(&mut self, player: Player, gaps: &[usize]) -> Vec<usize> {
        if let Some(side) = self.caro_side() {
            // A stone at the open end of a four stops it as well as one in its gap.
            let is_near = |cell: usize, gap: usize| {
                let rows = (cell / side).abs_diff(gap / side);
                let columns = (cell % side).abs_diff(gap % side);
                rows.max(columns) <= self.length && (rows == 0 || columns == 0 || rows == columns)
            };
            let mut cells = self.playable(player);
            cells.retain(|&cell| gaps.iter().any(|&gap| is_near(cell, gap)));
            cells.retain(|&cell| {
                self.put(cell, player);
                let stops = self.completing(player.other()).is_empty();
                self.remove(cell, player);
                stops
            });
            return cells;
        }
        match gaps {
            &[gap] if self.may_play(gap, player) => vec![gap],
            _ => Vec::new(),
        }
    }

    /// Returns the side of the board under the rule of caro.
    fn caro_side(&self) -> Option<usize> {
        let game = &self.rule.as_ref()?.game;
        (game.rule() == GomokuRule::Caro).then(|| game.side())
    }

    /// Whether a player who is to move can force a line within this many own moves; with `fours`
    /// only by moves that each threaten to complete a line.
    pub(super) fn wins_within(&mut self, player: Player, moves: usize, fours: bool) -> bool {
        if !self.completing(player).is_empty() {
            return moves > 0;
        }
        if moves < 2 {
            return false;
        }
        let gaps = self.completing(player.other());
        let candidates = if gaps.is_empty() {
            self.candidates(player, moves, fours)
        } else {
            self.blocks(player, &gaps)
        };
        let mut candidates = candidates.into_iter();
        candidates.any(|cell| self.wins_with(player, cell, moves, fours))
    }

    /// Returns every cell that can begin a win in exactly this many moves: it is on a line that
    /// they can complete, else the win would be a move shorter.
    fn candidates(&self, player: Player, moves: usize, fours: bool) -> Vec<usize> {
        let needed = if fours { 2 } else { moves };
        self.cells_on(player, self.length.saturating_sub(needed))
    }

    /// Whether a move forces a line within this many own moves, itself included.
    pub(super) fn wins_with(
        &mut self,
        player: Player,
        cell: usize,
        moves: usize,
        fours: bool,
    ) -> bool {
        let completes = self.completing(player).contains(&cell);
        if completes || moves < 2 || !self.may_play(cell, player) {
            return completes;
        }
        let opponent = player.other();
        self.put(cell, player);
        let gaps = self.completing(player);
        // At renju the game is a draw where Black has no move left.
        let can_reply = (0..self.owner.len()).any(|reply| self.may_play(reply, opponent));
        let wins = if !can_reply || !self.completing(opponent).is_empty() {
            false
        } else if gaps.is_empty() {
            !fours && self.wins_quietly(player, moves)
        } else {
            let blocks = self.blocks(opponent, &gaps);
            blocks.into_iter().all(|reply| {
                self.put(reply, opponent);
                let wins = self.wins_within(player, moves - 1, fours);
                self.remove(reply, opponent);
                wins
            })
        };
        self.remove(cell, player);
        wins
    }

    /// Whether a move that has just been made, and completes nothing on the next turn, wins against
    /// every reply.
    fn wins_quietly(&mut self, player: Player, moves: usize) -> bool {
        // A reply never helps the attacker, so a move that threatens nothing cannot win, unless
        // stones of Black forbid points to Black.
        let may_help = player == Player::Second
            && (self.rule.as_ref()).is_some_and(|rule| rule.game.rule() == GomokuRule::Renju);
        if moves < 3 || !may_help && !self.wins_within(player, moves - 1, false) {
            return false;
        }
        let opponent = player.other();
        // The cells of the attacker's lines refute soonest.
        let near = self.cells_on(player, self.length.saturating_sub(2));
        let all = self.playable(opponent);
        let is_near = |cell: &usize| near.contains(cell);
        let (first, others): (Vec<usize>, Vec<usize>) = all.into_iter().partition(is_near);
        first.into_iter().chain(others).all(|reply| {
            self.put(reply, opponent);
            let wins = self.wins_within(player, moves - 1, false);
            self.remove(reply, opponent);
            wins
        })
    }

    /// Whether a move leaves the opponent without a win within this many moves.
    pub(super) fn holds_with(&mut self, player: Player, cell: usize, moves: usize) -> bool {
        if self.completing(player).contains(&cell) {
            return true;
        }
        if !self.may_play(cell, player) {
            return false;
        }
        self.put(cell, player);
        let lost = self.wins_within(player.other(), moves, false);
        self.remove(cell, player);
        !lost
    }

    /// Returns the number of cells that would complete a line after a move.
    pub(super) fn threats_after(&mut self, player: Player, cell: usize) -> usize {
        self.put(cell, player);
        let threats = self.completing(player).len();
        self.remove(cell, player);
        threats
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyGame;
    use papan_rules::SplitMix;

    /// Plain minimax: whether the player to move completes a line within this many own moves.
    fn forced(line: &dyn AnyLine, moves: usize) -> bool {
        line.legal_moves().into_iter().any(|mv| {
            let mut next = line.clone_line();
            next.play(mv).unwrap();
            if let Some(outcome) = next.outcome() {
                return outcome.value_for(line.turn()) > 0;
            }
            moves > 1
                && next.legal_moves().into_iter().all(|reply| {
                    let mut after = next.clone_line();
                    after.play(reply).unwrap();
                    after.outcome().is_none() && forced(&*after, moves - 1)
                })
        })
    }

    #[test]
    fn wins_are_those_of_plain_minimax() {
        let mut random = SplitMix::new(3);
        for (game, plies) in [
            ("tictactoe", 1..6),
            ("tictactoe:4x4:3", 3..8),
            ("tictactoe:5x4:4", 8..13),
            ("gomoku:5x5:standard", 17..20),
            ("gomoku:6x6:standard", 26..30),
            ("gomoku:6x6:caro", 26..30),
            ("renju:6x6", 26..30),
        ] {
            let mut found = [0; 2];
            let game: AnyGame = game.parse().unwrap();
            for _ in 0..200 {
                let mut line = game.line();
                for _ in 0..plies.start + random.below(plies.len()) {
                    let legal = line.legal_moves();
                    if line.outcome().is_none() {
                        line.play(legal[random.below(legal.len())]).unwrap();
                    }
                }
                if line.outcome().is_some() {
                    continue;
                }
                let mut board = LineBoard::new(&*line).unwrap();
                for moves in 1..=3 {
                    let wins = board.wins_within(line.turn(), moves, false);
                    assert_eq!(wins, forced(&*line, moves), "{} in {moves}", line.text());
                    // Fours alone are fewer moves.
                    assert!(wins || !board.wins_within(line.turn(), moves, true));
                    found[usize::from(wins)] += 1;
                }
            }
            assert!(
                found.iter().all(|&count| count > 30),
                "{}: {found:?}",
                game.name()
            );
        }
    }
}
