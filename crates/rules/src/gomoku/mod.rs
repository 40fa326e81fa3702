//! Gomoku and renju: five in a row on a square board, under the rules that people play.
//!
//! | rule | wins | forbidden for Black |
//! |---|---|---|
//! | freestyle | five or more | – |
//! | standard | exactly five | – |
//! | renju | Black exactly five, White five or more | overline, double four, double three |
//! | caro | six or more, or five without the opponent's stones at both ends | – |
//!
//! Reference: Renju International Federation, *The International Rules of Renju*, 2008.

mod renju;
mod runs;
mod text;

use self::runs::Runs;
use crate::bits::CellMoves;
use crate::{
    Bits, Forbidden, Game, IllegalMove, Move, Outcome, Player, Properties, ScoreUnit, Shape,
    Symmetric, Symmetry, Wide,
};

/// The number in a row.
const FIVE: usize = 5;
/// The sides of boards.
const SIDES: std::ops::RangeInclusive<usize> = 5..=20;
/// The side of the usual board.
const USUAL_SIDE: usize = 15;

/// A rule of five in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GomokuRule {
    /// Five or more.
    Freestyle,
    /// Exactly five.
    Standard,
    /// Exactly five for Black, to whom overlines, double fours and double threes are forbidden; five
    /// or more for White.
    Renju,
    /// Six or more, or five that the opponent does not block at both ends.
    Caro,
}

impl GomokuRule {
    /// Every rule.
    pub const ALL: [Self; 4] = [Self::Freestyle, Self::Standard, Self::Renju, Self::Caro];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Freestyle => "freestyle",
            Self::Standard => "standard",
            Self::Renju => "renju",
            Self::Caro => "caro",
        }
    }

    /// Returns the number of the rule in Piskvork's protocol.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Freestyle => 0,
            Self::Standard => 1,
            Self::Renju => 4,
            Self::Caro => 8,
        }
    }

    /// Returns the rule with this [number](Self::code) or [name](Self::name).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        Self::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text) || text.parse() == Ok(rule.code()))
    }
}

/// The reason why there is no such board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("gomoku is played on squares of 5x5 to 20x20, not on {0}x{0}")]
pub struct GomokuError(pub usize);

/// A board of gomoku with its rule.
#[derive(Clone, Debug)]
pub struct Gomoku {
    rule: GomokuRule,
    shape: Shape,
    runs: Runs,
    all_cells: Wide,
    /// The sets of five cells in a row.
    lines: Vec<Wide>,
    symmetries: Vec<Symmetry>,
}

/// A position of [`Gomoku`]. The number of stones determines the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GomokuPosition {
    stones: [Wide; 2],
    plies: u32,
    /// Whether the last move won.
    won: bool,
}

/// Hashes the stones, which determine the rest.
impl std::hash::Hash for GomokuPosition {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.stones.hash(state);
    }
}

impl GomokuPosition {
    /// Returns the cells that a player holds.
    #[must_use]
    pub fn stones(&self, player: Player) -> Wide {
        self.stones[player.index()]
    }

    /// Returns the number of moves made.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.plies as usize
    }

    fn turn(&self) -> Player {
        if self.plies.is_multiple_of(2) {
            Player::First
        } else {
            Player::Second
        }
    }

    fn occupied(&self) -> Wide {
        self.stones[0] | self.stones[1]
    }
}

impl Gomoku {
    /// Creates a square board with a rule.
    ///
    /// # Errors
    /// When the side is below 5 or above 20.
    pub fn new(side: usize, rule: GomokuRule) -> Result<Self, GomokuError> {
        if !SIDES.contains(&side) {
            return Err(GomokuError(side));
        }
        let shape = Shape::new(&[side, side]);
        let runs = Runs::new(side);
        Ok(Self {
            rule,
            all_cells: Wide::below(side * side),
            lines: runs.lines(),
            symmetries: shape.symmetries(),
            shape,
            runs,
        })
    }

    /// Returns the rule.
    #[must_use]
    pub fn rule(&self) -> GomokuRule {
        self.rule
    }

    /// Returns the side of the board.
    #[must_use]
    pub fn side(&self) -> usize {
        self.shape.sides()[0]
    }

    /// Returns the empty cells.
    #[must_use]
    pub fn empty_cells(&self, pos: &GomokuPosition) -> Wide {
        self.all_cells.without(pos.occupied())
    }

    /// Returns whether a player wins with the stone on `cell`, which is among `mine`.
    fn wins(&self, mine: Wide, theirs: Wide, cell: usize, player: Player) -> bool {
        (0..runs::DIRECTIONS).any(|direction| {
            let run = self.runs.through(mine, cell, direction);
            let length = run.length();
            match self.rule {
                GomokuRule::Freestyle => length >= FIVE,
                GomokuRule::Standard => length == FIVE,
                GomokuRule::Renju if player == Player::First => length == FIVE,
                GomokuRule::Renju => length >= FIVE,
                GomokuRule::Caro => {
                    let is_blocked = |end: Option<usize>| end.is_some_and(|c| theirs.contains(c));
                    length > FIVE
                        || length == FIVE
                            && !self
                                .runs
                                .ends(cell, direction, run)
                                .iter()
                                .all(|&end| is_blocked(end))
                }
            }
        })
    }

    /// Returns whether a stone on an empty cell wins, given the stones of both players.
    #[must_use]
    pub fn completes(&self, stones: [Wide; 2], cell: usize, player: Player) -> bool {
        let mine = stones[player.index()] | Wide::single(cell);
        self.wins(mine, stones[player.other().index()], cell, player)
    }

    /// Returns why a player may not play on an empty cell, given the stones of both players.
    #[must_use]
    pub fn forbids(&self, stones: [Wide; 2], cell: usize, player: Player) -> Option<Forbidden> {
        if self.rule != GomokuRule::Renju || player == Player::Second {
            return None;
        }
        renju::forbidden(&self.runs, stones[0], stones[1], cell)
    }

    /// Returns the empty cells that win for a player who plays there.
    #[must_use]
    pub fn completing_cells(&self, pos: &GomokuPosition, player: Player) -> Wide {
        let (mine, theirs) = (pos.stones(player), pos.stones(player.other()));
        let empty = self.empty_cells(pos);
        // Only the gaps of lines that lack one stone can win.
        let mut tried = Wide::EMPTY;
        let mut found = Wide::EMPTY;
        for &line in &self.lines {
            let gap = line.without(mine);
            let Some(cell) = gap.first().filter(|_| gap.without_first().is_empty()) else {
                continue;
            };
            if !empty.contains(cell) || tried.contains(cell) {
                continue;
            }
            tried = tried | gap;
            if self.wins(mine | gap, theirs, cell, player) {
                found = found | gap;
            }
        }
        found
    }

    /// Returns why the player to move may not play on an empty cell.
    #[must_use]
    pub fn forbidden(&self, pos: &GomokuPosition, cell: usize) -> Option<Forbidden> {
        self.forbids(pos.stones, cell, pos.turn())
    }

    /// Returns the cells where the player to move may play, regardless of whether the game is over.
    fn playable(&self, pos: &GomokuPosition) -> Wide {
        let empty = self.empty_cells(pos);
        // A forbidden point takes four stones around it at least.
        if self.rule != GomokuRule::Renju || pos.turn() == Player::Second || pos.plies < 8 {
            return empty;
        }
        let allowed = empty
            .cells()
            .filter(|&cell| self.forbidden(pos, cell).is_none());
        allowed.fold(Wide::EMPTY, |set, cell| set | Wide::single(cell))
    }

    fn has_no_move(&self, pos: &GomokuPosition) -> bool {
        let mut empty = self.empty_cells(pos).cells();
        empty.all(|cell| self.forbidden(pos, cell).is_some())
    }

    /// Returns the winning runs of a player, as sets.
    fn won_runs(&self, pos: &GomokuPosition, player: Player) -> Vec<Wide> {
        let (mine, theirs) = (pos.stones(player), pos.stones(player.other()));
        let mut found = Vec::new();
        for &line in self.lines.iter().filter(|&&line| mine.covers(line)) {
            let Some(cell) = line.first() else { continue };
            for direction in 0..runs::DIRECTIONS {
                let run =
                    self.runs
                        .cells(cell, direction, self.runs.through(mine, cell, direction));
                if run.covers(line) && !found.contains(&run) && self.wins(run, theirs, cell, player)
                {
                    found.push(run);
                }
            }
        }
        found
    }
}

impl Game for Gomoku {
    type Position = GomokuPosition;
    type Moves = CellMoves<Wide>;

    fn cells(&self) -> usize {
        self.shape.cells()
    }

    fn properties(&self) -> Properties {
        Properties {
            // In renju Black may not play on forbidden points.
            fills_up: self.rule != GomokuRule::Renju,
            passes: false,
            score_unit: ScoreUnit::Result,
        }
    }

    fn start(&self) -> GomokuPosition {
        GomokuPosition {
            stones: [Wide::EMPTY; 2],
            plies: 0,
            won: false,
        }
    }

    fn turn(&self, pos: &GomokuPosition) -> Player {
        pos.turn()
    }

    fn legal_moves(&self, pos: &GomokuPosition) -> CellMoves<Wide> {
        CellMoves::on(if pos.won {
            Wide::EMPTY
        } else {
            self.playable(pos)
        })
    }

    fn play_unchecked(&self, pos: &mut GomokuPosition, mv: Move) {
        let Some(cell) = mv.cell() else { return };
        let mover = pos.turn();
        let mine = pos.stones(mover) | Wide::single(cell);
        pos.stones[mover.index()] = mine;
        pos.won = self.wins(mine, pos.stones(mover.other()), cell, mover);
        pos.plies += 1;
    }

    fn outcome(&self, pos: &GomokuPosition) -> Option<Outcome> {
        if pos.won {
            Some(Outcome::Win(pos.turn().other()))
        } else if self.has_no_move(pos) {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    fn check_move(&self, pos: &GomokuPosition, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome(pos).is_some() {
            return Err(IllegalMove::GameOver);
        }
        match mv.cell() {
            None => Err(IllegalMove::CannotPass),
            Some(cell) if cell >= self.cells() => Err(IllegalMove::OffBoard),
            Some(cell) if pos.occupied().contains(cell) => Err(IllegalMove::Occupied),
            Some(cell) => match self.forbidden(pos, cell) {
                Some(reason) => Err(IllegalMove::Forbidden(reason)),
                None => Ok(()),
            },
        }
    }

    fn piece(&self, pos: &GomokuPosition, cell: usize) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|&player| pos.stones(player).contains(cell))
    }

    fn can_win(&self, pos: &GomokuPosition, player: Player) -> bool {
        let theirs = pos.stones(player.other());
        self.lines.iter().any(|&line| !line.meets(theirs))
    }

    fn winning_moves(&self, pos: &GomokuPosition) -> Option<CellMoves<Wide>> {
        // In renju White may end the game in a draw, by leaving Black without a move.
        if self.rule == GomokuRule::Renju {
            return None;
        }
        Some(CellMoves::on(if pos.won {
            Wide::EMPTY
        } else {
            self.completing_cells(pos, pos.turn())
        }))
    }

    fn urgent_moves(&self, pos: &GomokuPosition) -> CellMoves<Wide> {
        if pos.won {
            return CellMoves::on(Wide::EMPTY);
        }
        let mover = pos.turn();
        if let Some(cell) = self.completing_cells(pos, mover).first() {
            return CellMoves::on(Wide::single(cell));
        }
        // At caro a stone beside a four can stop it as well as one in its gap.
        let blocks = if self.rule == GomokuRule::Caro {
            Wide::EMPTY
        } else {
            self.completing_cells(pos, mover.other())
        };
        let may_play = |cell: &usize| self.forbidden(pos, *cell).is_none();
        let blocks = blocks.cells().filter(may_play);
        let blocks = blocks.fold(Wide::EMPTY, |set, cell| set | Wide::single(cell));
        CellMoves::on(if blocks.is_empty() {
            self.playable(pos)
        } else {
            blocks
        })
    }
}

impl Symmetric for Gomoku {
    type Packed = (Wide, Wide);

    fn pack(&self, pos: &GomokuPosition) -> (Wide, Wide) {
        (pos.stones[0], pos.stones[1])
    }

    fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    fn transform(&self, pos: &GomokuPosition, symmetry: &Symmetry) -> GomokuPosition {
        let image = |set: Wide| {
            let cells = set.cells();
            cells.fold(Wide::EMPTY, |image, c| {
                image | Wide::single(symmetry.cell(c))
            })
        };
        GomokuPosition {
            stones: pos.stones.map(image),
            ..*pos
        }
    }
}
