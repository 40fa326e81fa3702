//! Exact search for wins in at most n moves at k in a row (mate search).
//!
//! A puzzle promises that one move forces a line within n own moves and every other one does not.
//! The threat search of the engine proves wins, but never their absence; on lines alone, and with n
//! this small, every move and every reply is examined.

use papan_rules::Player;

use crate::AnyLine;

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
        let mut board = Self {
            length,
            counts: vec![[0; 2]; lines.len()],
            lines,
            through,
            owner: vec![None; cells],
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
    }

    fn remove(&mut self, cell: usize, player: Player) {
        self.owner[cell] = None;
        for &line in &self.through[cell] {
            self.counts[line][player.index()] -= 1;
        }
    }

    /// Returns the empty cells.
    pub(super) fn empty(&self) -> Vec<usize> {
        let cells = self.owner.iter().enumerate();
        let empty = cells.filter(|(_, owner)| owner.is_none());
        empty.map(|(cell, _)| cell).collect()
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

    /// Returns the cells that complete a line of a player.
    pub(super) fn completing(&self, player: Player) -> Vec<usize> {
        self.cells_on(player, self.length - 1)
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
        let must_block = self.completing(player.other());
        let candidates = match must_block[..] {
            [] => self.candidates(player, moves, fours),
            [block] => vec![block],
            _ => return false,
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
        if completes || moves < 2 {
            return completes;
        }
        let opponent = player.other();
        self.put(cell, player);
        let wins = match self.completing(player)[..] {
            _ if !self.completing(opponent).is_empty() => false,
            [] => !fours && self.wins_quietly(player, moves),
            [reply] => {
                self.put(reply, opponent);
                let wins = self.wins_within(player, moves - 1, fours);
                self.remove(reply, opponent);
                wins
            }
            _ => true,
        };
        self.remove(cell, player);
        wins
    }

    /// Whether a move that has just been made, and completes nothing on the next turn, wins against
    /// every reply.
    fn wins_quietly(&mut self, player: Player, moves: usize) -> bool {
        // A reply never helps the attacker: a move that threatens nothing cannot win.
        if moves < 3 || !self.wins_within(player, moves - 1, false) {
            return false;
        }
        let opponent = player.other();
        // The cells of the attacker's lines refute soonest.
        let near = self.cells_on(player, self.length.saturating_sub(2));
        let others = self.empty().into_iter().filter(|cell| !near.contains(cell));
        let replies: Vec<usize> = near.iter().copied().chain(others).collect();
        replies.into_iter().all(|reply| {
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
        let mut found = [0; 2];
        for (game, plies) in [
            ("tictactoe", 1..6),
            ("tictactoe:4x4:3", 3..8),
            ("tictactoe:5x4:4", 8..13),
        ] {
            let game: AnyGame = game.parse().unwrap();
            for _ in 0..40 {
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
        }
        assert!(found.iter().all(|&count| count > 30), "{found:?}");
    }
}
