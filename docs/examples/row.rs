//! A row of cells; the player who fills the last one wins.

use papan_rules::{
    CellMoves, Game, GameInfo, IllegalMove, Move, Notation, NotationError, Outcome, Pieces, Player,
    PositionError, Properties, ScoreUnit, Shape, Symmetric, Symmetry,
};

/// A row of cells; the player who fills the last one wins.
#[derive(Clone, Debug)]
pub struct Row {
    shape: Shape,
    symmetries: Vec<Symmetry>,
}

/// The pieces of both players, as two sets of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filled([u64; 2]);

impl Row {
    /// Creates a row of `cells` cells.
    pub fn new(cells: usize) -> Self {
        let shape = Shape::new(&[cells]);
        Self {
            symmetries: shape.symmetries(),
            shape,
        }
    }

    fn empty(&self, pos: &Filled) -> u64 {
        !(pos.0[0] | pos.0[1]) & ((1 << self.shape.cells()) - 1)
    }
}

impl Game for Row {
    type Position = Filled;
    type Moves = CellMoves<u64>;

    fn cells(&self) -> usize {
        self.shape.cells()
    }
    /// Searches and proofs rely on these; the conformance suite checks them.
    fn properties(&self) -> Properties {
        Properties {
            fills_up: true,
            passes: false,
            score_unit: ScoreUnit::Result,
        }
    }
    fn start(&self) -> Filled {
        Filled([0, 0])
    }
    fn turn(&self, pos: &Filled) -> Player {
        let pieces = (pos.0[0] | pos.0[1]).count_ones();
        if pieces.is_multiple_of(2) {
            Player::First
        } else {
            Player::Second
        }
    }
    /// Empty exactly when the game is over.
    fn legal_moves(&self, pos: &Filled) -> CellMoves<u64> {
        CellMoves::on(self.empty(pos))
    }
    fn play_unchecked(&self, pos: &mut Filled, mv: Move) {
        let mover = self.turn(pos).index();
        if let Some(cell) = mv.cell() {
            pos.0[mover] |= 1 << cell;
        }
    }
    fn outcome(&self, pos: &Filled) -> Option<Outcome> {
        (self.empty(pos) == 0).then(|| Outcome::Win(self.turn(pos).other()))
    }
    fn check_move(&self, pos: &Filled, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome(pos).is_some() {
            return Err(IllegalMove::GameOver);
        }
        match mv.cell() {
            None => Err(IllegalMove::CannotPass),
            Some(cell) if cell >= self.cells() => Err(IllegalMove::OffBoard),
            Some(cell) if self.empty(pos) >> cell & 1 == 0 => Err(IllegalMove::Occupied),
            Some(_) => Ok(()),
        }
    }
    fn piece(&self, pos: &Filled, cell: usize) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|p| pos.0[p.index()] >> cell & 1 != 0)
    }
}

impl Symmetric for Row {
    /// Exact: equal if and only if the positions are.
    type Packed = (u64, u64);

    fn pack(&self, pos: &Filled) -> (u64, u64) {
        (pos.0[0], pos.0[1])
    }
    fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }
    fn transform(&self, pos: &Filled, symmetry: &Symmetry) -> Filled {
        let image = |set: u64| {
            (0..self.cells())
                .filter(|&cell| set >> cell & 1 != 0)
                .fold(0, |image, cell| image | 1 << symmetry.cell(cell))
        };
        Filled(pos.0.map(image))
    }
}

impl Notation for Row {
    fn format_move(&self, mv: Move) -> String {
        mv.cell()
            .map_or("pass".into(), |cell| (cell + 1).to_string())
    }
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        match text.trim().parse::<usize>() {
            Ok(number @ 1..) if number <= self.cells() => Ok(Move::on(number - 1)),
            _ => Err(NotationError::NotAMove {
                text: text.into(),
                expected: format!("a number from 1 to {}", self.cells()),
            }),
        }
    }
    /// Refuses positions that cannot arise.
    fn position(&self, cells: &[Option<Player>], turn: Player) -> Result<Filled, PositionError> {
        let mut pos = self.start();
        for (cell, piece) in cells.iter().enumerate() {
            if let Some(player) = piece {
                pos.0[player.index()] |= 1 << cell;
            }
        }
        let [first, second] = pos.0.map(u64::count_ones);
        if first < second || first > second + 1 {
            return Err(PositionError::Counts { first, second });
        }
        if self.turn(&pos) != turn {
            return Err(PositionError::Turn {
                right: self.turn(&pos),
            });
        }
        Ok(pos)
    }
}

impl GameInfo for Row {
    fn name(&self) -> String {
        format!("row:{}", self.shape.text())
    }
    fn shape(&self) -> &Shape {
        &self.shape
    }
    fn pieces(&self) -> Pieces {
        Pieces::Marks
    }
}
