//! `Position`: an immutable position of any game.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use papan_catalog::{AnyGame, Family};
use papan_rules::{
    Game as _, Gomoku, Grid, Move, Notation as _, Othello, Outcome, Player, Symmetric as _, Wide,
};
use papan_view::svg_board::{self, DrawOptions};
use papan_view::text_board::{self, Style};
use papan_view::{BoardView, Language, Messages};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyInt, PyList};

use crate::errors::value_error;
use crate::game::{Game, action_of, read_move};

/// A position with the type of its game.
struct TypedPosition<G: Family> {
    game: Arc<G>,
    position: G::Position,
}

impl<G: Family> TypedPosition<G> {
    fn new(game: &Arc<G>, text: Option<&str>) -> PyResult<Self> {
        let position = match text {
            None => game.start(),
            Some(text) => game.parse_position(text).map_err(value_error)?,
        };
        let game = Arc::clone(game);
        Ok(Self { game, position })
    }

    fn with(&self, position: G::Position) -> Self {
        let game = Arc::clone(&self.game);
        Self { game, position }
    }

    fn after(&self, mv: Move) -> Self {
        self.with(self.game.after(&self.position, mv))
    }

    /// Returns the action numbers of the legal moves as a list, without a vector in between.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let moves = self.game.legal_moves(&self.position);
        let left = moves.clone().count();
        let cells = self.game.cells();
        let numbers = action_numbers(py);
        PyList::new(
            py,
            Actions {
                moves,
                left,
                cells,
                numbers,
            },
        )
    }

    /// Returns the image under the symmetry with this number.
    fn image(&self, symmetry: usize) -> Self {
        let symmetry = &self.game.symmetries()[symmetry];
        self.with(self.game.transform(&self.position, symmetry))
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position.hash(&mut hasher);
        hasher.finish()
    }
}

impl<G: Family> PartialEq for TypedPosition<G> {
    fn eq(&self, other: &Self) -> bool {
        let is_same_game =
            Arc::ptr_eq(&self.game, &other.game) || self.game.name() == other.game.name();
        is_same_game && self.position == other.position
    }
}

/// A position of any game. An enum and not a trait object: a move of a random game takes as long as an
/// allocation. Large positions are boxed, so that small ones stay small.
#[derive(PartialEq)]
enum AnyPosition {
    Grid(TypedPosition<Grid<u64>>),
    WideGrid(Box<TypedPosition<Grid<Wide>>>),
    Gomoku(Box<TypedPosition<Gomoku>>),
    Othello(TypedPosition<Othello>),
}

/// Evaluates an expression for a position of any type.
macro_rules! with_position {
    ($any:expr, $typed:ident => $value:expr) => {
        match $any {
            AnyPosition::Grid($typed) => $value,
            AnyPosition::WideGrid($typed) => $value,
            AnyPosition::Gomoku($typed) => $value,
            AnyPosition::Othello($typed) => $value,
        }
    };
}

/// Makes a position of the same type.
macro_rules! map_position {
    ($any:expr, $typed:ident => $value:expr) => {
        match $any {
            AnyPosition::Grid($typed) => AnyPosition::Grid($value),
            AnyPosition::WideGrid($typed) => AnyPosition::WideGrid(Box::new($value)),
            AnyPosition::Gomoku($typed) => AnyPosition::Gomoku(Box::new($value)),
            AnyPosition::Othello($typed) => AnyPosition::Othello($value),
        }
    };
}

impl AnyPosition {
    fn new(game: &AnyGame, text: Option<&str>) -> PyResult<Self> {
        Ok(match game {
            AnyGame::Grid(game) => Self::Grid(TypedPosition::new(game, text)?),
            AnyGame::WideGrid(game) => Self::WideGrid(Box::new(TypedPosition::new(game, text)?)),
            AnyGame::Gomoku(game) => Self::Gomoku(Box::new(TypedPosition::new(game, text)?)),
            AnyGame::Othello(game) => Self::Othello(TypedPosition::new(game, text)?),
        })
    }

    fn game(&self) -> AnyGame {
        with_position!(self, typed => Arc::clone(&typed.game).any())
    }

    fn cells(&self) -> usize {
        with_position!(self, typed => typed.game.cells())
    }

    fn turn(&self) -> Player {
        with_position!(self, typed => typed.game.turn(&typed.position))
    }

    fn legal_moves(&self) -> Vec<Move> {
        with_position!(self, typed => typed.game.legal_moves(&typed.position).collect())
    }

    fn outcome(&self) -> Option<Outcome> {
        with_position!(self, typed => typed.game.outcome(&typed.position))
    }

    fn piece(&self, cell: usize) -> Option<Player> {
        with_position!(self, typed => typed.game.piece(&typed.position, cell))
    }

    fn text(&self) -> String {
        with_position!(self, typed => typed.game.format_position(&typed.position))
    }
}

/// The action numbers as Python integers, which need not be made again for every list.
fn action_numbers(py: Python<'_>) -> &[Py<PyInt>] {
    /// The cells of the largest board, and a pass.
    const MOST: usize = 401;
    static NUMBERS: PyOnceLock<Vec<Py<PyInt>>> = PyOnceLock::new();
    NUMBERS.get_or_init(py, || {
        (0..MOST)
            .map(|number| PyInt::new(py, number).unbind())
            .collect()
    })
}

/// Moves as action numbers, with their count.
struct Actions<'a, M> {
    moves: M,
    left: usize,
    cells: usize,
    numbers: &'a [Py<PyInt>],
}

impl<'a, M: Iterator<Item = Move>> Iterator for Actions<'a, M> {
    type Item = &'a Py<PyInt>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let mv = self.moves.next()?;
        self.left -= 1;
        Some(&self.numbers[action_of(self.cells, mv)])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<M: Iterator<Item = Move>> ExactSizeIterator for Actions<'_, M> {}

/// Pixels per unit of a picture in a notebook, and its longest side.
const SCALE: f64 = 0.5;
const MAX_SIDE: f64 = 480.0;

/// Adds width and height to a picture that has a `viewBox` alone.
fn with_size(svg: &str) -> String {
    const BOX: &str = "viewBox=\"0 0 ";
    let sized = || {
        let (before, after) = svg.split_once(BOX)?;
        let (sides, rest) = after.split_once('"')?;
        let (width, height) = sides.split_once(' ')?;
        let (width, height): (f64, f64) = (width.parse().ok()?, height.parse().ok()?);
        let scale = SCALE.min(MAX_SIDE / width.max(height));
        let (w, h) = (width * scale, height * scale);
        Some(format!(
            "{before}{BOX}{sides}\" width=\"{w:.0}\" height=\"{h:.0}\"{rest}"
        ))
    };
    sized().unwrap_or_else(|| svg.to_owned())
}

/// A position. Immutable and hashable; `play` returns a new one.
#[pyclass(frozen, module = "papan")]
pub(crate) struct Position {
    inner: AnyPosition,
}

impl Position {
    pub(crate) fn new(game: &AnyGame, text: Option<&str>) -> PyResult<Self> {
        let inner = AnyPosition::new(game, text)?;
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
        let inner = &self.inner;
        Ok(with_position!(inner, typed => typed.game.final_score(&typed.position, *player)))
    }

    /// The numbers of the legal moves, ascending; empty when the game is over.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        with_position!(&self.inner, typed => typed.legal_actions(py))
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
        let checked =
            with_position!(&self.inner, typed => typed.game.check_move(&typed.position, mv));
        checked.map_err(|why| {
            let shown = self.inner.game().show_move(mv);
            value_error(format!("{shown} is not legal: {why}"))
        })?;
        let inner = map_position!(&self.inner, typed => typed.after(mv));
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
        let count = with_position!(&self.inner, typed => typed.game.symmetries().len());
        let image = |at| Self {
            inner: map_position!(&self.inner, typed => typed.image(at)),
        };
        (0..count).map(image).collect()
    }

    /// The same position for all symmetric ones.
    fn canonical(&self) -> Self {
        let inner = map_position!(&self.inner, typed => {
            typed.with(typed.game.canonical(&typed.position).0)
        });
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

    /// The picture in the size for a notebook, which would stretch it to the width of the page.
    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(with_size(&self.svg()?))
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
        self.inner == other.inner
    }

    fn __hash__(&self) -> u64 {
        with_position!(&self.inner, typed => typed.hash())
    }

    /// Returns the position itself: it never changes.
    fn clone(slf: Py<Self>) -> Py<Self> {
        slf
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
