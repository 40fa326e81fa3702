//! A game that is being played, watched or analysed: everything that the board
//! and the panel beside it show.

mod record;
mod review;

pub(crate) use review::{Mistake, Review};

use std::time::Duration;

use papan_catalog::{AnyGame, AnyLine, PlayerSpec, StrategySpec, advisor};
use papan_rules::{Move, Outcome, Player, Record};
use papan_strategies::{Decision, GameClock, Progress, TimeControl};
use papan_view::{BoardView, CellView, Setup};

use crate::analysis::Effort;
use crate::message::JobId;
use crate::tree::{NodeId, Tree};

/// A strategy at work.
#[derive(Clone, Debug)]
pub struct RunningJob {
    /// The work's number.
    pub job: JobId,
    /// The position it is about.
    pub node: NodeId,
    /// Who is thinking.
    pub strategy: StrategySpec,
    /// What it has told so far.
    pub progress: Option<Progress>,
    /// How hard, for an advisor.
    pub effort: Effort,
}

/// What stands on the free cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Annotation {
    /// Their names.
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
    /// Where.
    pub node: NodeId,
    /// Whose.
    pub strategy: StrategySpec,
    /// What it would play, and why.
    pub decision: Decision,
}

/// A game that ended before the rules ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// Where.
    pub node: NodeId,
    /// Who lost.
    pub loser: Player,
    /// Whether by time; else the strategy had no answer.
    pub by_time: bool,
}

/// A game at the board.
#[derive(Clone)]
pub struct Game {
    /// The game.
    pub rules: AnyGame,
    /// Who gives hints and scores.
    pub advisor: StrategySpec,
    /// Who sits where.
    pub players: [PlayerSpec; 2],
    /// Every line of play so far.
    pub tree: Tree,
    /// The cell under the cursor.
    pub cursor: usize,
    /// The clocks, if the game is played with any.
    pub clock: Option<GameClock>,
    /// What draws of lots depend on.
    pub seed: u64,
    /// How the game ended, if not by the rules.
    pub forfeit: Option<Forfeit>,
    /// Whether the computer players wait.
    pub paused: bool,
    /// Whether an earlier position is looked at.
    pub browsing: bool,
    /// The beginning of a square or a number.
    pub typed: String,
    /// The cell of a move that was played when its last digit was typed. Whoever then presses
    /// Enter means that move and no other.
    pub completed_cell: Option<usize>,
    /// The computer player at work.
    pub player_job: Option<RunningJob>,
    /// The advisor at work.
    pub advisor_job: Option<RunningJob>,
    /// A strategy that is working its reasons out.
    pub explainer_job: Option<RunningJob>,
    /// A move that is decided and waits for its time in a watched game.
    pub pending_move: Option<(NodeId, Move)>,
    /// When the last move was made.
    pub moved_at: Duration,
    /// What stands on the free cells.
    pub annotation: Annotation,
    /// The reasons that were worked out last.
    pub reasons: Option<Reasons>,
    /// The position for which a hint was asked.
    pub hint: Option<NodeId>,
    /// Whether this is the analysis board.
    pub analysing: bool,
    /// A position in the making.
    pub setup: Option<Setup>,
    /// The review of the mistakes, if it is open.
    pub review: Option<Review>,
    /// How many positions the tree had when it was taken up.
    loaded_positions: usize,
    /// What the record that it was taken up from says beside the moves.
    origin: Option<Record>,
    /// The file that keeps the game, once it has one.
    pub(crate) file: Option<String>,
    /// How far the game had gone when it was written there.
    pub(crate) kept: Option<Progressed>,
}

/// How far a game has gone: positions, the end of its line, its players, its end.
pub(crate) type Progressed = (usize, NodeId, [PlayerSpec; 2], Option<Forfeit>);

impl Game {
    /// A new game from a line of play.
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
            kept: None,
        };
        game.cursor = game.central_cell();
        game
    }

    /// A free cell near the middle: where a cursor is of most use.
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

    /// The line of play to the position that is looked at.
    #[must_use]
    pub fn line(&self) -> &dyn AnyLine {
        self.tree.line()
    }

    /// Whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.line().turn()
    }

    /// Who sits where.
    #[must_use]
    pub fn player(&self, player: Player) -> &PlayerSpec {
        &self.players[player.index()]
    }

    /// The strategy that sits there, if it is no person.
    #[must_use]
    pub fn strategy(&self, player: Player) -> Option<&StrategySpec> {
        match self.player(player) {
            PlayerSpec::Strategy(spec) if !self.analysing => Some(spec),
            _ => None,
        }
    }

    /// Whether both players are strategies.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        Player::BOTH.iter().all(|&p| self.strategy(p).is_some())
    }

    /// The only person at the board, if there is exactly one.
    #[must_use]
    pub fn sole_human(&self) -> Option<Player> {
        let person = |&player: &Player| self.strategy(player).is_none();
        match Player::BOTH.map(|player| person(&player)) {
            [true, false] => Some(Player::First),
            [false, true] => Some(Player::Second),
            _ => None,
        }
    }

    /// How the game ended, at the position that is looked at.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let forfeit = self.forfeit.filter(|f| f.node == self.tree.current());
        self.line()
            .outcome()
            .or_else(|| forfeit.map(|f| Outcome::Win(f.loser.other())))
    }

    /// Whether a person may move here: on their own turn, or for anybody while
    /// the game is paused or an earlier position is looked at.
    #[must_use]
    pub fn human_may_move(&self) -> bool {
        self.outcome().is_none()
            && (self.strategy(self.turn()).is_none() || self.paused || self.browsing)
    }

    /// The strategy that is to move now, if it is to think.
    #[must_use]
    pub fn strategy_to_move(&self) -> Option<&StrategySpec> {
        let waits = self.paused || self.browsing || self.setup.is_some();
        match self.outcome() {
            None if !waits => self.strategy(self.turn()),
            _ => None,
        }
    }

    /// Whose reasons are shown: the player's to move, else the other's, else the
    /// advisor's.
    #[must_use]
    pub fn explainer(&self) -> &StrategySpec {
        let turn = self.turn();
        self.strategy(turn)
            .or_else(|| self.strategy(turn.other()))
            .unwrap_or(&self.advisor)
    }

    /// The board to be drawn.
    #[must_use]
    pub fn board(&self) -> BoardView {
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

    /// Takes up a new line of play, forgetting the old tree and whatever was thought
    /// about it: its positions have other numbers now.
    pub fn restart(&mut self, line: &dyn AnyLine) {
        self.tree = Tree::new(line);
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
        self.kept = None;
    }

    /// Whether moves were made here.
    #[must_use]
    pub fn has_new_moves(&self) -> bool {
        self.tree.positions() > self.loaded_positions
    }

    /// How far the game has gone.
    pub(crate) fn progress(&self) -> Progressed {
        let tip = self.tree.path().last().copied().unwrap_or(0);
        (
            self.tree.positions(),
            tip,
            self.players.clone(),
            self.forfeit,
        )
    }

    /// Whether moves were made here and the game has not come to its end.
    #[must_use]
    pub fn is_in_progress(&self) -> bool {
        let tip = self.tree.path().last().copied().unwrap_or(0);
        let over = self.tree.line_to(tip).outcome().is_some()
            || self.forfeit.is_some_and(|forfeit| forfeit.node == tip);
        self.has_new_moves() && !over
    }
}
