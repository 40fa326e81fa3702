//! Rules of Othello on 4x4, 6x6 and 8x8: bitboards, with passing as an explicit move.
//!
//! This is the reference implementation. The engine in `papan-othello` has faster boards, which are
//! tested against it.

use std::hash::{Hash, Hasher};

use crate::bits::CellMoves;
use crate::notation::{self, Notation, NotationError};
use crate::{
    Bits, Game, GameInfo, IllegalMove, Move, Outcome, Pieces, Player, PositionError, Properties,
    ScoreUnit, Shape, Symmetric, Symmetry,
};

/// Othello on a square board.
#[derive(Clone, Debug)]
pub struct Othello {
    shape: Shape,
    side: usize,
    all_cells: u64,
    /// Every cell that is not in the first or last column: a run of discs that is outflanked along
    /// a row or diagonal lies within these.
    inner_columns: u64,
    symmetries: Vec<Symmetry>,
}

/// There is no Othello board of that size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("othello is played on 4x4, 6x6 or 8x8, not on {0}")]
pub struct OthelloError(pub String);

/// A position of [`Othello`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OthelloPosition {
    discs: [u64; 2],
    turn: Player,
}

/// Hashes the discs and the turn, without the length prefix of an array.
impl Hash for OthelloPosition {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.discs[0].hash(state);
        self.discs[1].hash(state);
        self.turn.hash(state);
    }
}

impl OthelloPosition {
    /// Returns the cells of a player's discs.
    #[inline]
    #[must_use]
    pub fn discs(&self, player: Player) -> u64 {
        self.discs[player.index()]
    }

    /// Returns the player to move.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Player {
        self.turn
    }
}

impl Default for Othello {
    /// Returns the 8x8 board.
    fn default() -> Self {
        Self::new(8).expect("8 is a side of Othello")
    }
}

impl Othello {
    /// Creates a board of `side` x `side`.
    ///
    /// # Errors
    /// When the side is not 4, 6 or 8.
    pub fn new(side: usize) -> Result<Self, OthelloError> {
        if !matches!(side, 4 | 6 | 8) {
            return Err(OthelloError(format!("{side}x{side}")));
        }
        let shape = Shape::new(&[side, side]);
        let inner =
            (0..side * side).filter(|cell| !matches!(cell % side, 0) && cell % side != side - 1);
        Ok(Self {
            all_cells: u64::MAX >> (64 - side * side),
            inner_columns: inner.fold(0, |set, cell| set | 1 << cell),
            symmetries: shape.symmetries(),
            shape,
            side,
        })
    }

    /// Returns the length of a side.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// Returns the four directions as shifts, each with the cells that a run may cross.
    #[inline]
    fn directions(&self) -> [(usize, u64); 4] {
        [
            (1, self.inner_columns),
            (self.side, self.all_cells),
            (self.side - 1, self.inner_columns),
            (self.side + 1, self.inner_columns),
        ]
    }

    /// Returns the cells where `mine` may play against `theirs`.
    #[inline]
    #[must_use]
    pub fn mobility(&self, mine: u64, theirs: u64) -> u64 {
        let mut found = 0;
        for (shift, through) in self.directions() {
            let run = theirs & through;
            let (mut up, mut down) = (run & mine << shift, run & mine >> shift);
            for _ in 0..self.side - 3 {
                up |= run & up << shift;
                down |= run & down >> shift;
            }
            found |= up << shift | down >> shift;
        }
        found & self.all_cells & !(mine | theirs)
    }

    /// Returns the discs of `theirs` that a disc of `mine` on `cell` flips.
    #[inline]
    #[must_use]
    pub fn flips(&self, mine: u64, theirs: u64, cell: usize) -> u64 {
        let disc = 1_u64 << cell;
        let mut flipped = 0;
        for (shift, through) in self.directions() {
            let run = theirs & through;
            let (mut up, mut down) = (run & disc << shift, run & disc >> shift);
            for _ in 0..self.side - 3 {
                up |= run & up << shift;
                down |= run & down >> shift;
            }
            if up << shift & mine != 0 {
                flipped |= up;
            }
            if down >> shift & mine != 0 {
                flipped |= down;
            }
        }
        flipped
    }

    fn mover_and_other(pos: &OthelloPosition) -> (u64, u64) {
        (pos.discs(pos.turn), pos.discs(pos.turn.other()))
    }

    fn map(set: u64, symmetry: &Symmetry) -> u64 {
        set.cells()
            .fold(0, |image, c| image | 1 << symmetry.cell(c))
    }

    fn middle(&self) -> u64 {
        let at = |row: usize, column: usize| 1_u64 << (row * self.side + column);
        let high = self.side / 2;
        let low = high - 1;
        at(low, low) | at(low, high) | at(high, low) | at(high, high)
    }
}

impl Game for Othello {
    type Position = OthelloPosition;
    type Moves = CellMoves<u64>;

    #[inline]
    fn cells(&self) -> usize {
        self.side * self.side
    }

    fn properties(&self) -> Properties {
        Properties {
            fills_up: false,
            passes: true,
            score_unit: ScoreUnit::Discs,
        }
    }

    /// White on 44 and 55, Black on 45 and 54; Black moves first.
    fn start(&self) -> OthelloPosition {
        let at = |row: usize, column: usize| 1_u64 << (row * self.side + column);
        let high = self.side / 2;
        let low = high - 1;
        OthelloPosition {
            discs: [at(low, high) | at(high, low), at(low, low) | at(high, high)],
            turn: Player::First,
        }
    }

    fn turn(&self, pos: &OthelloPosition) -> Player {
        pos.turn
    }

    fn legal_moves(&self, pos: &OthelloPosition) -> CellMoves<u64> {
        let (mine, theirs) = Self::mover_and_other(pos);
        let cells = self.mobility(mine, theirs);
        if cells == 0 && self.mobility(theirs, mine) != 0 {
            CellMoves::pass()
        } else {
            CellMoves::on(cells)
        }
    }

    fn play_unchecked(&self, pos: &mut OthelloPosition, mv: Move) {
        if let Some(cell) = mv.cell() {
            let (mine, theirs) = Self::mover_and_other(pos);
            let flipped = self.flips(mine, theirs, cell);
            pos.discs[pos.turn.index()] = mine | flipped | 1 << cell;
            pos.discs[pos.turn.other().index()] = theirs & !flipped;
        }
        pos.turn = pos.turn.other();
    }

    fn outcome(&self, pos: &OthelloPosition) -> Option<Outcome> {
        let [black, white] = pos.discs;
        if self.mobility(black, white) != 0 || self.mobility(white, black) != 0 {
            return None;
        }
        Some(match black.count_ones().cmp(&white.count_ones()) {
            std::cmp::Ordering::Greater => Outcome::Win(Player::First),
            std::cmp::Ordering::Less => Outcome::Win(Player::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        })
    }

    fn check_move(&self, pos: &OthelloPosition, mv: Move) -> Result<(), IllegalMove> {
        let mut legal = self.legal_moves(pos);
        let occupied = pos.discs[0] | pos.discs[1];
        match (legal.next(), mv.cell()) {
            (None, _) => Err(IllegalMove::GameOver),
            (Some(Move::PASS), None) => Ok(()),
            (Some(_), None) => Err(IllegalMove::CannotPass),
            (_, Some(cell)) if cell >= self.cells() => Err(IllegalMove::OffBoard),
            (_, Some(cell)) if occupied.contains(cell) => Err(IllegalMove::Occupied),
            (Some(Move::PASS), Some(_)) => Err(IllegalMove::MustPass),
            (Some(_), Some(cell)) => {
                let (mine, theirs) = Self::mover_and_other(pos);
                if self.flips(mine, theirs, cell) == 0 {
                    return Err(IllegalMove::FlipsNothing);
                }
                Ok(())
            }
        }
    }

    fn piece(&self, pos: &OthelloPosition, cell: usize) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|&player| pos.discs(player).contains(cell))
    }

    fn best_score(&self) -> i32 {
        self.cells() as i32
    }

    /// The difference in discs, with empty squares counted for the winner.
    fn final_score(&self, pos: &OthelloPosition, player: Player) -> i32 {
        let mine = pos.discs(player).count_ones() as i32;
        let theirs = pos.discs(player.other()).count_ones() as i32;
        let empty = self.cells() as i32 - mine - theirs;
        mine - theirs + empty * (mine - theirs).signum()
    }
}

impl Symmetric for Othello {
    type Packed = (u64, u64, Player);

    fn pack(&self, pos: &OthelloPosition) -> (u64, u64, Player) {
        (pos.discs[0], pos.discs[1], pos.turn)
    }

    fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    fn transform(&self, pos: &OthelloPosition, symmetry: &Symmetry) -> OthelloPosition {
        OthelloPosition {
            discs: pos.discs.map(|set| Self::map(set, symmetry)),
            turn: pos.turn,
        }
    }
}

impl Notation for Othello {
    fn format_move(&self, mv: Move) -> String {
        mv.cell()
            .and_then(|cell| notation::square(cell, &self.shape))
            .unwrap_or_else(|| "pass".into())
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(NotationError::Empty);
        }
        if notation::is_pass(text) {
            return Ok(Move::PASS);
        }
        let side = self.side;
        let expected = || {
            let last = notation::square(side * side - 1, &self.shape).unwrap_or_default();
            format!(
                "a square from a1 to {last}, or row and column from 11 to {side}{side}, or pass"
            )
        };
        // Row and column, as in `56`, or a square, `f5`.
        let row_and_column = match text.as_bytes() {
            [row @ b'0'..=b'9', column @ b'0'..=b'9'] => Some((
                usize::from(row - b'0'),
                usize::from(column - b'0').wrapping_sub(1),
            )),
            _ => notation::parse_square(text),
        };
        match row_and_column {
            Some((row, column)) if (1..=side).contains(&row) && column < side => {
                Ok(Move::on((row - 1) * side + column))
            }
            Some(_) => Err(NotationError::OutOfRange {
                text: text.into(),
                expected: expected(),
            }),
            None if text.bytes().all(|b| b.is_ascii_digit()) => Err(NotationError::OutOfRange {
                text: text.into(),
                expected: expected(),
            }),
            None => Err(NotationError::NotAMove {
                text: text.into(),
                expected: expected(),
            }),
        }
    }

    fn names_squares(&self) -> bool {
        true
    }

    fn runs_together(&self) -> bool {
        true
    }

    fn position(
        &self,
        cells: &[Option<Player>],
        turn: Player,
    ) -> Result<OthelloPosition, PositionError> {
        let mut discs = [0; 2];
        for (cell, piece) in cells.iter().enumerate() {
            if let Some(player) = piece {
                discs[player.index()] |= 1 << cell;
            }
        }
        if (discs[0] | discs[1]) & self.middle() != self.middle() {
            return Err(PositionError::EmptyMiddle);
        }
        Ok(OthelloPosition { discs, turn })
    }
}

impl GameInfo for Othello {
    fn name(&self) -> String {
        match self.side {
            8 => "othello".into(),
            side => format!("othello:{side}x{side}"),
        }
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn pieces(&self) -> Pieces {
        Pieces::Discs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    #[test]
    fn document_001_begins_with_black_and_four_moves() {
        let game = Othello::default();
        let moves: Vec<String> = game
            .legal_moves(&game.start())
            .map(|mv| game.format_move(mv))
            .collect();
        assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
        assert_eq!(game.parse_move("56"), game.parse_move("F5"));
    }

    #[test]
    fn passing_is_legal_only_without_another_move() {
        let game = Othello::default();
        let start = game.start();
        assert_eq!(
            game.check_move(&start, Move::PASS),
            Err(IllegalMove::CannotPass)
        );
        assert_eq!(
            game.check_move(&start, Move::on(0)),
            Err(IllegalMove::FlipsNothing)
        );
        assert_eq!(
            game.check_move(&start, Move::on(27)),
            Err(IllegalMove::Occupied)
        );
    }

    #[test]
    fn a_side_without_moves_passes_and_says_so() {
        let game = Othello::new(4).unwrap();
        // Black holds everything but one white disc that only Black can outflank.
        let pos = game.parse_position("-OXX XXXX XXXX XXXX O").unwrap();
        assert_eq!(game.legal_moves(&pos).collect::<Vec<_>>(), [Move::PASS]);
        assert_eq!(
            game.check_move(&pos, Move::on(0)),
            Err(IllegalMove::MustPass)
        );
    }

    #[test]
    fn the_shortest_wipe_out_ends_at_the_ninth_move() {
        // Black wins with every disc: Jonathan Cerf's record wipe-out.
        let game = Othello::default();
        let line = Line::parse(&game, "f5d6c5f4e3f6g5e6e7").unwrap();
        assert_eq!(
            game.outcome(line.position()),
            Some(Outcome::Win(Player::First))
        );
        assert_eq!(game.final_score(line.position(), Player::Second), -64);
    }
}
