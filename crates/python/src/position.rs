//! `Position`: an immutable position of any game.

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use papan_catalog::{AnyGame, Family, GameVisitor};
use papan_rules::{IllegalMove, Move, Outcome, Player};
use papan_view::svg_board::{self, DrawOptions};
use papan_view::text_board::{self, Style};
use papan_view::{BoardView, Language, Messages};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::errors::value_error;
use crate::game::{Game, action_of, read_move};

/// A position without its Rust type.
pub(crate) trait ErasedPosition: Send + Sync {
    fn game(&self) -> AnyGame;
    fn cells(&self) -> usize;
    fn turn(&self) -> Player;
    fn legal_moves(&self) -> Vec<Move>;
    /// Returns the action numbers of the legal moves as a list, without a vector in between.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>>;
    fn check_move(&self, mv: Move) -> Result<(), IllegalMove>;
    fn after(&self, mv: Move) -> Box<dyn ErasedPosition>;
    fn outcome(&self) -> Option<Outcome>;
    fn final_score(&self, player: Player) -> i32;
    fn piece(&self, cell: usize) -> Option<Player>;
    fn text(&self) -> String;
    fn images(&self) -> Vec<Box<dyn ErasedPosition>>;
    fn canonical(&self) -> Box<dyn ErasedPosition>;
    fn hash(&self) -> u64;
    fn equals(&self, other: &dyn ErasedPosition) -> bool;
    fn as_any(&self) -> &dyn Any;
}

struct TypedPosition<G: Family> {
    game: Arc<G>,
    position: G::Position,
}

impl<G: Family> TypedPosition<G> {
    fn boxed(&self, position: G::Position) -> Box<dyn ErasedPosition> {
        let game = Arc::clone(&self.game);
        Box::new(Self { game, position })
    }
}

impl<G: Family> ErasedPosition for TypedPosition<G> {
    fn game(&self) -> AnyGame {
        Arc::clone(&self.game).any()
    }
    fn cells(&self) -> usize {
        self.game.cells()
    }
    fn turn(&self) -> Player {
        self.game.turn(&self.position)
    }
    fn legal_moves(&self) -> Vec<Move> {
        self.game.legal_moves(&self.position).collect()
    }
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let moves = self.game.legal_moves(&self.position);
        let left = moves.clone().count();
        let cells = self.game.cells();
        PyList::new(py, Actions { moves, left, cells })
    }
    fn check_move(&self, mv: Move) -> Result<(), IllegalMove> {
        self.game.check_move(&self.position, mv)
    }
    fn after(&self, mv: Move) -> Box<dyn ErasedPosition> {
        self.boxed(self.game.after(&self.position, mv))
    }
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.position)
    }
    fn final_score(&self, player: Player) -> i32 {
        self.game.final_score(&self.position, player)
    }
    fn piece(&self, cell: usize) -> Option<Player> {
        self.game.piece(&self.position, cell)
    }
    fn text(&self) -> String {
        self.game.format_position(&self.position)
    }
    fn images(&self) -> Vec<Box<dyn ErasedPosition>> {
        let symmetries = self.game.symmetries().iter();
        symmetries
            .map(|symmetry| self.boxed(self.game.transform(&self.position, symmetry)))
            .collect()
    }
    fn canonical(&self) -> Box<dyn ErasedPosition> {
        self.boxed(self.game.canonical(&self.position).0)
    }
    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position.hash(&mut hasher);
        hasher.finish()
    }
    fn equals(&self, other: &dyn ErasedPosition) -> bool {
        let Some(other) = other.as_any().downcast_ref::<Self>() else {
            return false;
        };
        let is_same_game =
            Arc::ptr_eq(&self.game, &other.game) || self.game.name() == other.game.name();
        is_same_game && self.position == other.position
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Moves as action numbers, with their count.
struct Actions<M> {
    moves: M,
    left: usize,
    cells: usize,
}

impl<M: Iterator<Item = Move>> Iterator for Actions<M> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let mv = self.moves.next()?;
        self.left -= 1;
        Some(action_of(self.cells, mv))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<M: Iterator<Item = Move>> ExactSizeIterator for Actions<M> {}

/// Creates a position.
struct Create<'a>(Option<&'a str>);

impl GameVisitor for Create<'_> {
    type Output = PyResult<Box<dyn ErasedPosition>>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let position = match self.0 {
            None => game.start(),
            Some(text) => game.parse_position(text).map_err(value_error)?,
        };
        let game = Arc::clone(game);
        Ok(Box::new(TypedPosition { game, position }))
    }
}

/// A position. Immutable and hashable; `play` returns a new one.
#[pyclass(frozen, module = "papan")]
pub(crate) struct Position {
    inner: Box<dyn ErasedPosition>,
}

impl Position {
    pub(crate) fn new(game: &AnyGame, text: Option<&str>) -> PyResult<Self> {
        let inner = game.visit(Create(text))?;
        Ok(Self { inner })
    }

    pub(crate) fn any_game(&self) -> AnyGame {
        self.inner.game()
    }

    pub(crate) fn position_text(&self) -> String {
        self.inner.text()
    }

    fn view(&self) -> PyResult<BoardView> {
        let line = self.inner.game().line_from(&self.inner.text());
        Ok(BoardView::of(&*line.map_err(value_error)?))
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game {
            any: self.inner.game(),
        }
    }

    /// The player to move: 0 or 1.
    #[getter]
    fn turn(&self) -> usize {
        self.inner.turn().index()
    }

    /// The position as text, as the option `--position` reads it.
    #[getter]
    fn text(&self) -> String {
        self.inner.text()
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.outcome().is_some()
    }

    /// The winner, 0 or 1; `None` after a draw and before the end.
    #[getter]
    fn winner(&self) -> Option<usize> {
        match self.inner.outcome() {
            Some(Outcome::Win(player)) => Some(player.index()),
            _ => None,
        }
    }

    /// The outcome: `"first"`, `"second"` or `"draw"`; `None` before the end.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        match self.inner.outcome()? {
            Outcome::Win(Player::First) => Some("first"),
            Outcome::Win(Player::Second) => Some("second"),
            Outcome::Draw => Some("draw"),
        }
    }

    /// The results of both players: 1, 0 or -1 each; zeros before the end.
    fn returns(&self) -> (f64, f64) {
        let first = match self.inner.outcome() {
            None | Some(Outcome::Draw) => 0.0,
            Some(Outcome::Win(Player::First)) => 1.0,
            Some(Outcome::Win(Player::Second)) => -1.0,
        };
        (first, 0.0 - first)
    }

    /// The final score for a player, in discs at Othello.
    fn score(&self, player: usize) -> PyResult<i32> {
        let player = Player::BOTH
            .get(player)
            .ok_or_else(|| value_error("a player is 0 or 1"))?;
        Ok(self.inner.final_score(*player))
    }

    /// The numbers of the legal moves, ascending; empty when the game is over.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.inner.legal_actions(py)
    }

    /// The legal moves as text.
    fn legal_moves(&self) -> Vec<String> {
        let game = self.inner.game();
        let moves = self.inner.legal_moves().into_iter();
        moves.map(|mv| game.format_move(mv)).collect()
    }

    /// A byte for each action: 1 if it is legal.
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let cells = self.inner.cells();
        let passes = self.inner.game().properties().passes;
        let mut mask = vec![0; cells + usize::from(passes)];
        for mv in self.inner.legal_moves() {
            mask[action_of(cells, mv)] = 1;
        }
        PyBytes::new(py, &mask)
    }

    /// Returns the position after a move: an action number, or text.
    fn play(&self, action: &Bound<'_, PyAny>) -> PyResult<Self> {
        let cells = self.inner.cells();
        let mv = match action.extract::<usize>() {
            Ok(cell) if cell < cells => Move::on(cell),
            _ => read_move(&self.inner.game(), action)?,
        };
        self.inner.check_move(mv).map_err(|why| {
            let shown = self.inner.game().show_move(mv);
            value_error(format!("{shown} is not legal: {why}"))
        })?;
        let inner = self.inner.after(mv);
        Ok(Self { inner })
    }

    /// Returns the numbers of moves written as text, such as `"f5d6c3"` or `"1 5 9"`.
    fn parse_moves(&self, text: &str) -> PyResult<Vec<usize>> {
        let game = self.inner.game();
        let mut line = game.line_from(&self.inner.text()).map_err(value_error)?;
        line.extend(text).map_err(|error| {
            let messages = Messages::new(Language::English);
            value_error(papan_view::messages::line(messages, &*line, &error))
        })?;
        let moves = line.moves().iter();
        Ok(moves.map(|&mv| action_of(game.cells(), mv)).collect())
    }

    /// The owner of the piece on a cell: 0, 1 or `None`.
    fn piece(&self, cell: usize) -> PyResult<Option<usize>> {
        if cell >= self.inner.cells() {
            return Err(value_error(format!("there is no cell {cell}")));
        }
        Ok(self.inner.piece(cell).map(Player::index))
    }

    /// The cells as bytes: 0 for empty, 1 for the first player, 2 for the second.
    fn pieces<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let piece = |cell| {
            self.inner
                .piece(cell)
                .map_or(0, |player| player.index() as u8 + 1)
        };
        let cells: Vec<u8> = (0..self.inner.cells()).map(piece).collect();
        PyBytes::new(py, &cells)
    }

    /// The images under all symmetries of the board, itself first.
    fn symmetries(&self) -> Vec<Self> {
        let images = self.inner.images().into_iter();
        images.map(|inner| Self { inner }).collect()
    }

    /// The same position for all symmetric ones.
    fn canonical(&self) -> Self {
        let inner = self.inner.canonical();
        Self { inner }
    }

    /// A picture in SVG.
    fn svg(&self) -> PyResult<String> {
        let options = DrawOptions {
            names: true,
            ..DrawOptions::default()
        };
        let title = self.inner.text();
        Ok(svg_board::draw(&self.view()?, &options, &title))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg()
    }

    fn __str__(&self) -> PyResult<String> {
        let style = Style::default();
        let messages = Messages::new(Language::English);
        Ok(text_board::draw(&self.view()?, style, messages))
    }

    fn __repr__(&self) -> String {
        format!(
            "<Position {} {:?}>",
            self.inner.game().name(),
            self.inner.text()
        )
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner.equals(&*other.inner)
    }

    fn __hash__(&self) -> u64 {
        self.inner.hash()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let restore = slf.py().import("papan")?.getattr("_restore_position")?;
        let inner = &slf.get().inner;
        Ok((restore, (inner.game().name(), inner.text())))
    }
}
