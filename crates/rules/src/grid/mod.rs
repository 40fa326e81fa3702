//! m,n,k-games: k in a row along an axis or a diagonal, on boxes of one to four dimensions.
//!
//! Reference: E. R. Berlekamp, J. H. Conway and R. K. Guy, *Winning Ways*, chapter 22.

mod lines;
mod position;
mod size;
mod text;

use self::lines::{Direction, winning_lines, winning_sets};
pub use self::position::GridPosition;
pub use self::size::{GridError, GridSize, MAX_CELLS, MAX_DIMENSIONS, stored_game_name};
use crate::bits::CellMoves;
use crate::{
    Bits, Game, IllegalMove, Move, Outcome, Player, Properties, ScoreUnit, Symmetric, Symmetry,
};

/// Returns 3x3 with three in a row.
#[must_use]
pub fn tictactoe() -> Grid<u64> {
    Grid::new(&[3, 3], 3).expect("3x3 with three in a row is a board")
}

/// A board with its winning lines. `B` is the width of its cell sets.
#[derive(Clone, Debug)]
pub struct Grid<B: Bits> {
    size: GridSize,
    all_cells: B,
    winning_lines: Vec<B>,
    directions: Vec<Direction<B>>,
    /// The winning lines through cell `c` are `through[starts[c]..starts[c + 1]]`.
    through: Vec<B>,
    starts: Vec<usize>,
    /// On small boards, one bit for every set of cells: whether it contains a line.
    winning_sets: Vec<u64>,
    symmetries: Vec<Symmetry>,
}

impl<B: Bits> Grid<B> {
    /// Creates the game of `length` in a row on a box with these sides.
    ///
    /// # Errors
    /// When there is no such board, or it has more cells than `B` holds.
    pub fn new(sides: &[usize], length: usize) -> Result<Self, GridError> {
        Self::with_size(GridSize::new(sides, length)?)
    }

    /// Creates the game of this size.
    ///
    /// # Errors
    /// When the board has more cells than `B` holds.
    pub fn with_size(size: GridSize) -> Result<Self, GridError> {
        let cells = size.cells();
        if cells > B::CAPACITY {
            return Err(GridError::Width {
                cells,
                capacity: B::CAPACITY,
            });
        }
        let lines = winning_lines(&size);
        let winning_lines: Vec<B> = lines
            .iter()
            .map(|line| line.iter().fold(B::EMPTY, |set, &c| set | B::single(c)))
            .collect();
        let mut through = Vec::new();
        let mut starts = vec![0];
        for cell in 0..cells {
            through.extend(winning_lines.iter().filter(|line| line.contains(cell)));
            starts.push(through.len());
        }
        Ok(Self {
            all_cells: B::below(cells),
            symmetries: size.shape.symmetries(),
            winning_sets: winning_sets(cells, &winning_lines),
            winning_lines,
            directions: Direction::all(&lines),
            through,
            starts,
            size,
        })
    }

    /// Returns k, the number in a row that wins.
    #[must_use]
    pub fn length(&self) -> usize {
        self.size.length
    }

    /// Returns every winning line.
    #[must_use]
    pub fn winning_lines(&self) -> &[B] {
        &self.winning_lines
    }

    /// Returns the winning lines through a cell.
    #[inline]
    #[must_use]
    pub fn winning_lines_through(&self, cell: usize) -> &[B] {
        &self.through[self.starts[cell]..self.starts[cell + 1]]
    }

    /// Returns whether a player who has just played on `cell` has won.
    #[inline]
    fn wins(&self, stones: B, cell: usize) -> bool {
        let set = stones.low_word();
        match self.winning_sets.get((set / 64) as usize) {
            Some(word) => word >> (set % 64) & 1 != 0,
            None => {
                let lines = self.winning_lines_through(cell).iter();
                lines.copied().any(|line| stones.covers(line))
            }
        }
    }

    /// Returns the empty cells.
    #[inline]
    #[must_use]
    pub fn empty_cells(&self, pos: &GridPosition<B>) -> B {
        self.all_cells.without(pos.occupied())
    }

    /// Returns the empty cells that complete a line of a player.
    #[must_use]
    pub fn completing_cells(&self, pos: &GridPosition<B>, player: Player) -> B {
        let (mine, empty) = (pos.stones(player), self.empty_cells(pos));
        if self.winning_lines.len() <= self.directions.len() * self.size.length {
            let missing = self.winning_lines.iter().map(|line| line.without(mine));
            let single = |set: &B| !set.is_empty() && set.without_first().is_empty();
            return missing.filter(single).fold(B::EMPTY, B::bitor) & empty;
        }
        let lacking = |direction: &Direction<B>| direction.lacking(mine, self.size.length);
        let directions = self.directions.iter().map(lacking);
        directions.fold(B::EMPTY, B::bitor) & empty
    }

    fn map(set: B, symmetry: &Symmetry) -> B {
        set.cells()
            .fold(B::EMPTY, |image, c| image | B::single(symmetry.cell(c)))
    }

    /// Returns the lines that a player has completed.
    fn completed(&self, stones: B) -> impl Iterator<Item = B> {
        self.winning_lines
            .iter()
            .copied()
            .filter(move |&line| stones.covers(line))
    }
}

impl<B: Bits> Game for Grid<B> {
    type Position = GridPosition<B>;
    type Moves = CellMoves<B>;

    #[inline]
    fn cells(&self) -> usize {
        self.starts.len() - 1
    }

    fn properties(&self) -> Properties {
        Properties {
            fills_up: true,
            passes: false,
            score_unit: ScoreUnit::Result,
        }
    }

    fn start(&self) -> GridPosition<B> {
        GridPosition {
            stones: [B::EMPTY; 2],
            plies: 0,
            won: false,
        }
    }

    #[inline]
    fn turn(&self, pos: &GridPosition<B>) -> Player {
        pos.turn()
    }

    #[inline]
    fn legal_moves(&self, pos: &GridPosition<B>) -> CellMoves<B> {
        CellMoves::on(if pos.won {
            B::EMPTY
        } else {
            self.empty_cells(pos)
        })
    }

    #[inline]
    fn play_unchecked(&self, pos: &mut GridPosition<B>, mv: Move) {
        let Some(cell) = mv.cell() else { return };
        let [first, second] = &mut pos.stones;
        let mine = if pos.plies.is_multiple_of(2) {
            first
        } else {
            second
        };
        *mine = *mine | B::single(cell);
        pos.won = self.wins(*mine, cell);
        pos.plies += 1;
    }

    // Built from its parts: modifying a copy defeats store forwarding.
    #[inline]
    fn after(&self, pos: &GridPosition<B>, mv: Move) -> GridPosition<B> {
        let Some(cell) = mv.cell() else { return *pos };
        let [first, second] = pos.stones;
        let played = B::single(cell);
        let (stones, mine) = if pos.plies.is_multiple_of(2) {
            ([first | played, second], first | played)
        } else {
            ([first, second | played], second | played)
        };
        GridPosition {
            stones,
            plies: pos.plies + 1,
            won: self.wins(mine, cell),
        }
    }

    #[inline]
    fn outcome(&self, pos: &GridPosition<B>) -> Option<Outcome> {
        if pos.won {
            Some(Outcome::Win(pos.turn().other()))
        } else if pos.plies as usize == self.starts.len() - 1 {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    fn check_move(&self, pos: &GridPosition<B>, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome(pos).is_some() {
            return Err(IllegalMove::GameOver);
        }
        match mv.cell() {
            None => Err(IllegalMove::CannotPass),
            Some(cell) if cell >= self.cells() => Err(IllegalMove::OffBoard),
            Some(cell) if pos.occupied().contains(cell) => Err(IllegalMove::Occupied),
            Some(_) => Ok(()),
        }
    }

    fn piece(&self, pos: &GridPosition<B>, cell: usize) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|&player| pos.stones(player).contains(cell))
    }

    fn can_win(&self, pos: &GridPosition<B>, player: Player) -> bool {
        let theirs = pos.stones(player.other());
        self.winning_lines.iter().any(|&line| !line.meets(theirs))
    }

    fn winning_moves(&self, pos: &GridPosition<B>) -> Option<CellMoves<B>> {
        Some(CellMoves::on(if pos.won {
            B::EMPTY
        } else {
            self.completing_cells(pos, pos.turn())
        }))
    }

    fn urgent_moves(&self, pos: &GridPosition<B>) -> CellMoves<B> {
        let mover = pos.turn();
        let wins = self.completing_cells(pos, mover);
        if let (false, Some(cell)) = (pos.won, wins.first()) {
            return CellMoves::on(B::single(cell));
        }
        let blocks = self.completing_cells(pos, mover.other());
        if pos.won || blocks.is_empty() {
            self.legal_moves(pos)
        } else {
            CellMoves::on(blocks)
        }
    }
}

impl<B: Bits> Symmetric for Grid<B> {
    type Packed = (B, B);

    fn pack(&self, pos: &GridPosition<B>) -> (B, B) {
        (pos.stones[0], pos.stones[1])
    }

    fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    fn transform(&self, pos: &GridPosition<B>, symmetry: &Symmetry) -> GridPosition<B> {
        GridPosition {
            stones: pos.stones.map(|set| Self::map(set, symmetry)),
            ..*pos
        }
    }

    #[inline]
    fn marks(&self, pos: &GridPosition<B>) -> Option<[u32; 2]> {
        (self.cells() <= 32).then(|| pos.stones.map(|set| set.low_word() as u32))
    }

    #[inline]
    fn position_of_marks(&self, marks: [u32; 2]) -> Option<GridPosition<B>> {
        if self.starts.len() > 33 {
            return None;
        }
        let mut pos = GridPosition {
            stones: marks.map(|set| B::from_low_word(set.into())),
            plies: (marks[0].count_ones() + marks[1].count_ones()),
            won: false,
        };
        let last = pos.stones(pos.turn().other());
        pos.won = self.winning_lines.iter().any(|&line| last.covers(line));
        Some(pos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Notation as _, PositionError, Wide};

    #[test]
    fn a_cube_has_as_many_winning_lines_as_the_formula_says() {
        // Every line extends to two cells of the shell around the board.
        for (n, d) in [
            (3, 1),
            (2, 2),
            (3, 2),
            (4, 2),
            (7, 2),
            (3, 3),
            (4, 3),
            (7, 3),
            (3, 4),
        ] {
            let game = Grid::<Wide>::new(&vec![n; d], n).unwrap();
            let formula = ((n + 2).pow(d as u32) - n.pow(d as u32)) / 2;
            assert_eq!(game.winning_lines().len(), formula, "{n}^{d}");
        }
    }

    #[test]
    fn cells_that_complete_a_line_are_those_of_lines_that_lack_one() {
        fn check<B: Bits>(sides: &[usize], length: usize) {
            let game = Grid::<B>::new(sides, length).unwrap();
            let mut random = crate::SplitMix::new(3);
            for _ in 0..300 {
                let mut pos = game.start();
                for cell in 0..game.cells() {
                    if let Some(stones) = pos.stones.get_mut(random.below(3)) {
                        *stones = *stones | B::single(cell);
                    }
                }
                for player in Player::BOTH {
                    let (mine, empty) = (pos.stones(player), game.empty_cells(&pos));
                    let lacks_one = |line: &&B| line.without(mine).count() == 1;
                    let lines = game.winning_lines().iter().filter(lacks_one);
                    let naive =
                        lines.fold(B::EMPTY, |cells, line| cells | (line.without(mine) & empty));
                    assert_eq!(game.completing_cells(&pos, player), naive, "{sides:?}");
                }
            }
        }
        check::<u64>(&[3, 3], 3);
        check::<u64>(&[3, 3], 1);
        check::<u64>(&[2, 5], 2);
        check::<u64>(&[1, 64], 3);
        check::<u64>(&[4, 4, 4], 4);
        check::<u64>(&[2, 2, 2, 2], 2);
        check::<Wide>(&[15, 15], 5);
        check::<Wide>(&[20, 20], 4);
        check::<Wide>(&[4, 4, 4, 4], 3);
        check::<Wide>(&[1, 400], 7);
    }

    #[test]
    fn marks_lead_back_to_their_position() {
        let game = tictactoe();
        for moves in ["", "5 1 3", "1 4 2 5 3", "5 1 3 7 4 6 2 8 9"] {
            let line = crate::Line::parse(&game, moves).unwrap();
            let marks = game.marks(line.position()).unwrap();
            assert_eq!(
                game.position_of_marks(marks),
                Some(*line.position()),
                "{moves}"
            );
        }
        let large = Grid::<u64>::new(&[6, 6], 6).unwrap();
        assert_eq!(large.marks(&large.start()), None);
        assert_eq!(large.position_of_marks([0, 0]), None);
    }

    #[test]
    fn large_flat_boards_show_squares_and_read_both() {
        let shown = |sides: &[usize], cell| {
            let game = Grid::<Wide>::new(sides, 3).unwrap();
            let text = game.show_move(Move::on(cell));
            assert_eq!(game.parse_move(&text), Ok(Move::on(cell)), "{text}");
            assert_eq!(game.parse_move(&text.to_uppercase()), Ok(Move::on(cell)));
            let number = game.format_move(Move::on(cell));
            assert_eq!(number, (cell + 1).to_string());
            assert_eq!(game.parse_move(&number), Ok(Move::on(cell)));
            text
        };
        assert_eq!(shown(&[15, 15], 112), "h8");
        assert_eq!(shown(&[19, 19], 8), "i1");
        assert_eq!(shown(&[3, 10], 29), "j3");
        assert_eq!(shown(&[10, 3], 29), "c10");
        assert_eq!(shown(&[1, 400], 399), "oj1");
        assert_eq!(shown(&[9, 9], 40), "41");
        assert_eq!(shown(&[7, 7, 7], 40), "41");
        assert_eq!(shown(&[12], 11), "12");
    }

    #[test]
    fn five_in_a_row_on_15x15_has_572_lines() {
        let game = Grid::<Wide>::new(&[15, 15], 5).unwrap();
        assert_eq!(game.winning_lines().len(), 2 * 15 * 11 + 2 * 11 * 11);
    }

    #[test]
    fn a_position_that_cannot_arise_is_refused() {
        let game = tictactoe();
        let at = |text: &str| game.parse_position(text).unwrap_err();
        assert!(matches!(at("XXX------ O"), PositionError::Counts { .. }));
        assert!(matches!(at("X-------- X"), PositionError::Turn { .. }));
        assert_eq!(at("XXXOOO--- X"), PositionError::WonAlready(Player::First));
        let game = Grid::<u64>::new(&[3, 6], 3).unwrap();
        assert_eq!(
            game.parse_position("XXX---/------/XXXOOO O").unwrap_err(),
            PositionError::Counts {
                first: 6,
                second: 3
            }
        );
        assert_eq!(
            game.parse_position("XXX-O-/O-OO-O/XXX--- O").unwrap_err(),
            PositionError::WonTwice(Player::First)
        );
    }
}
