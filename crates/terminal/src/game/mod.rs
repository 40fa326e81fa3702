//! Model of a game that is played, watched or analysed, with everything on the board and the panel.

mod record;
mod review;
mod swap;

pub(crate) use review::{Mistake, Review};

use std::time::Duration;

use papan_catalog::{AnyGame, AnyLine, PlayerSpec, StrategySpec, advisor};
use papan_rules::{Move, Outcome, Player, Record, SwapOpening};
use papan_strategies::{Decision, GameClock, Progress, TimeControl};
use papan_view::{BoardView, CellView, Setup};

use crate::analysis::Effort;
use crate::message::JobId;
use crate::tree::{NodeId, Tree};

/// A search in progress.
#[derive(Clone, Debug)]
pub struct RunningJob {
    /// The job of the search.
    pub job: JobId,
    /// The position that is searched.
    pub node: NodeId,
    /// The strategy that searches.
    pub strategy: StrategySpec,
    /// Its latest progress report.
    pub progress: Option<Progress>,
    /// How long an advisor searches.
    pub effort: Effort,
}

/// The kind of text on the empty cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Annotation {
    /// The names of the cells.
    #[default]
    None,
    /// A strategy's reasons.
    Reasons,
    /// The advisor's scores.
    Scores,
}

/// A strategy's reasons at one position.
#[derive(Clone, Debug)]
pub struct Reasons {
    /// The position.
    pub node: NodeId,
    /// The strategy.
    pub strategy: StrategySpec,
    /// Its move, with its reasons.
    pub decision: Decision,
}

/// A game that ended by time or by a player without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// The position.
    pub node: NodeId,
    /// The loser.
    pub loser: Player,
    /// Whether on time; otherwise the strategy returned no legal move.
    pub by_time: bool,
}

/// A game on the board.
#[derive(Clone)]
pub struct Game {
    /// The rules and the board size.
    pub rules: AnyGame,
    /// The engine for hints and scores.
    pub advisor: StrategySpec,
    /// The players, first and second.
    pub players: [PlayerSpec; 2],
    /// The swap opening, if the game began with one.
    pub opening: Option<SwapOpening>,
    /// The game tree: the moves and all variations.
    pub tree: Tree,
    /// The cell under the cursor.
    pub cursor: usize,
    /// The chess clock, if there is one.
    pub clock: Option<GameClock>,
    /// Seed of all random choices.
    pub seed: u64,
    /// The forfeit, if the game did not end by the rules.
    pub forfeit: Option<Forfeit>,
    /// Whether computer players are paused.
    pub paused: bool,
    /// Whether the user is browsing an earlier position.
    pub browsing: bool,
    /// The typed beginning of a square or a cell number.
    pub typed: String,
    /// The cell of a move that was played as soon as its last digit was typed. Enter right after it
    /// confirms that move and plays no other.
    pub completed_cell: Option<usize>,
    /// The search of the computer player.
    pub player_job: Option<RunningJob>,
    /// The search of the advisor.
    pub advisor_job: Option<RunningJob>,
    /// The search of the strategy that explains its move.
    pub explainer_job: Option<RunningJob>,
    /// A chosen move that waits for its turn in a watched game.
    pub pending_move: Option<(NodeId, Move)>,
    /// When the last move was made.
    pub moved_at: Duration,
    /// The kind of text on the empty cells.
    pub annotation: Annotation,
    /// The latest explanation.
    pub reasons: Option<Reasons>,
    /// The position for which a hint was requested.
    pub hint: Option<NodeId>,
    /// Whether this is the analysis board.
    pub analysing: bool,
    /// The position that is being set up.
    pub setup: Option<Setup>,
    /// The review of the mistakes, if it is open.
    pub review: Option<Review>,
    /// Number of positions in the tree when the game was started or loaded.
    loaded_positions: usize,
    /// The record that the game was loaded from.
    origin: Option<Record>,
    /// The autosave file, once there is one.
    pub(crate) file: Option<String>,
    /// The state that was saved last.
    pub(crate) saved: Option<SavedState>,
}

/// What autosave compares: the game is written again when any of it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedState {
    positions: usize,
    tip: NodeId,
    players: [PlayerSpec; 2],
    opening: Option<SwapOpening>,
    forfeit: Option<Forfeit>,
}

impl Game {
    /// Creates a game from a line of play.
    #[must_use]
    pub fn new(
        line: &dyn AnyLine,
        players: [PlayerSpec; 2],
        clock: Option<TimeControl>,
        seed: u64,
    ) -> Self {
        let game = line.game();
        let mut game = Self {
            advisor: advisor(&game),
            cursor: 0,
            loaded_positions: line.moves().len() + 1,
            tree: Tree::new(line),
            rules: game,
            players,
            opening: None,
            clock: clock.map(GameClock::new),
            seed,
            forfeit: None,
            paused: false,
            browsing: false,
            typed: String::new(),
            completed_cell: None,
            player_job: None,
            advisor_job: None,
            explainer_job: None,
            pending_move: None,
            moved_at: Duration::ZERO,
            annotation: Annotation::None,
            reasons: None,
            hint: None,
            analysing: false,
            setup: None,
            review: None,
            origin: None,
            file: None,
            saved: None,
        };
        game.cursor = game.central_cell();
        game
    }

    /// Returns a legal cell near the centre, for the cursor.
    fn central_cell(&self) -> usize {
        let sides = self.rules.shape().sides();
        let middle = sides.iter().fold(0, |cell, side| cell * side + side / 2);
        let legal = self.line().legal_moves();
        let distance = |cell: usize| {
            let (mut a, mut b, mut sum) = (cell, middle, 0);
            for side in sides.iter().rev() {
                sum += (a % side).abs_diff(b % side);
                (a, b) = (a / side, b / side);
            }
            sum
        };
        let cells = legal.iter().filter_map(|mv| mv.cell());
        cells.min_by_key(|&cell| distance(cell)).unwrap_or(middle)
    }

    /// Returns the line of play to the current position.
    #[must_use]
    pub fn line(&self) -> &dyn AnyLine {
        self.tree.line()
    }

    /// Returns the side to move.
    #[must_use]
    pub(crate) fn turn(&self) -> Player {
        self.line().turn()
    }

    /// The players, first and second.
    #[must_use]
    pub(crate) fn player(&self, player: Player) -> &PlayerSpec {
        &self.players[player.index()]
    }

    /// Returns the strategy of a player; `None` for a person.
    #[must_use]
    pub(crate) fn strategy(&self, player: Player) -> Option<&StrategySpec> {
        match self.player(player) {
            PlayerSpec::Strategy(spec) if !self.analysing => Some(spec),
            _ => None,
        }
    }

    /// Whether both players are strategies.
    #[must_use]
    pub(crate) fn is_watched(&self) -> bool {
        Player::BOTH.iter().all(|&p| self.strategy(p).is_some())
    }

    /// Returns the human player if there is exactly one.
    #[must_use]
    pub(crate) fn sole_human(&self) -> Option<Player> {
        let person = |&player: &Player| self.strategy(player).is_none();
        match Player::BOTH.map(|player| person(&player)) {
            [true, false] => Some(Player::First),
            [false, true] => Some(Player::Second),
            _ => None,
        }
    }

    /// Returns the outcome at the current position.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let forfeit = self.forfeit.filter(|f| f.node == self.tree.current());
        self.line()
            .outcome()
            .or_else(|| forfeit.map(|f| Outcome::Win(f.loser.other())))
    }

    /// Whether the user may move: on a human player's turn, or for either side while the game is
    /// paused or an earlier position is shown.
    #[must_use]
    pub(crate) fn human_may_move(&self) -> bool {
        self.outcome().is_none()
            && (self.strategy(self.actor()).is_none() || self.paused || self.browsing)
    }

    /// Returns the strategy that should search for a move now.
    #[must_use]
    pub(crate) fn strategy_to_move(&self) -> Option<&StrategySpec> {
        let waits = self.paused || self.browsing || self.setup.is_some();
        match self.outcome() {
            None if !waits => self.strategy(self.actor()),
            _ => None,
        }
    }

    /// Returns the strategy that explains its move: that of the side to move, else of the other side,
    /// else the advisor.
    #[must_use]
    pub(crate) fn explainer(&self) -> &StrategySpec {
        let turn = self.turn();
        self.strategy(turn)
            .or_else(|| self.strategy(turn.other()))
            .unwrap_or(&self.advisor)
    }

    /// Returns the board to draw.
    #[must_use]
    pub(crate) fn board(&self) -> BoardView {
        let mut view = BoardView::of(self.line());
        if let Some(setup) = &self.setup {
            for (cell, &piece) in view.cells.iter_mut().zip(&setup.cells) {
                *cell = CellView {
                    name: std::mem::take(&mut cell.name),
                    written: std::mem::take(&mut cell.written),
                    piece,
                    ..CellView::default()
                };
            }
            let count = |player| setup.cells.iter().filter(|c| **c == Some(player)).count();
            view.counts = Player::BOTH.map(count);
            view.turn = setup.turn;
            view.outcome = None;
        }
        view
    }

    /// Starts over from another line of play. Everything that refers to nodes of the old tree is
    /// dropped.
    pub(crate) fn restart(&mut self, line: &dyn AnyLine) {
        self.tree = Tree::new(line);
        self.opening = None;
        self.loaded_positions = line.moves().len() + 1;
        self.forfeit = None;
        self.browsing = false;
        self.setup = None;
        self.player_job = None;
        self.advisor_job = None;
        self.explainer_job = None;
        self.reasons = None;
        self.hint = None;
        self.review = None;
        self.pending_move = None;
        self.typed.clear();
        self.origin = None;
        self.file = None;
        self.saved = None;
    }

    /// Whether moves were played since the game was started or loaded.
    #[must_use]
    pub(crate) fn has_new_moves(&self) -> bool {
        self.tree.positions() > self.loaded_positions
    }

    /// Returns the state that autosave compares.
    pub(crate) fn saved_state(&self) -> SavedState {
        let tip = self.tree.path().last().copied().unwrap_or(0);
        SavedState {
            positions: self.tree.positions(),
            tip,
            players: self.players.clone(),
            opening: self.opening,
            forfeit: self.forfeit,
        }
    }

    /// Whether moves were played and the game is not over.
    #[must_use]
    pub(crate) fn is_in_progress(&self) -> bool {
        let tip = self.tree.path().last().copied().unwrap_or(0);
        let over = self.tree.line_to(tip).outcome().is_some()
            || self.forfeit.is_some_and(|forfeit| forfeit.node == tip);
        self.has_new_moves() && !over
    }
}
