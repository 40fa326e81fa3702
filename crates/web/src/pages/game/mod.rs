//! The page of a game.

mod offers;
mod players;
mod status;

use askama::Template;
use papan_catalog::{AnyGame, AnyLine, PlayerSpec, opening};
use papan_rules::{Move, Player};
use papan_view::svg_board::{DrawOptions, Overlay};
use papan_view::{BoardView, CellView, Marks, Messages, messages};

use crate::game::programs::Programs;
use crate::game::state::GameState;
use crate::http::client::Client;
use crate::http::secret::random_game_id;
use crate::pages::board_grid::{BoardGrid, CellAction};
pub(crate) use crate::pages::game_title::game_title;
use crate::pages::layout::Layout;
use crate::pages::overlay::Reasons;
use crate::pages::walk::{Step, StepBuilder};
use offers::{ActionView, AskView, InvitationView, LinkView};
use players::PlayerView;
pub(crate) use players::piece_picture;
pub(crate) use status::result;

/// The whole page.
#[derive(Template)]
#[template(path = "game.html")]
pub(crate) struct GamePage {
    pub(crate) layout: Layout,
    pub(crate) view: GameView,
    pub(crate) board: BoardGrid,
}

/// The part of the page that changes.
#[derive(Template)]
#[template(path = "game_part.html")]
pub(crate) struct GamePart {
    pub(crate) view: GameView,
    pub(crate) board: BoardGrid,
}

/// A hint, or the explanation of a move.
#[derive(Default)]
pub(crate) struct StudyView {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) reasons: Reasons,
    /// The ply of the position that it is about.
    pub(crate) ply: usize,
    pub(crate) overlays: Vec<Option<Overlay>>,
}

/// A move in the list.
pub(crate) struct MoveItem {
    pub(crate) text: String,
    /// The ply after the move.
    pub(crate) ply: usize,
    pub(crate) is_current: bool,
}

/// Everything beside the board.
pub(crate) struct GameView {
    words: Messages,
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) heading: String,
    pub(crate) version: u64,
    /// Idempotency key of the next move.
    pub(crate) key: String,
    pub(crate) over: bool,
    /// Whether the page shows the current position and follows the game.
    pub(crate) follows: bool,
    pub(crate) status: String,
    pub(crate) detail: Option<String>,
    /// Name of the opening.
    pub(crate) opening: Option<String>,
    pub(crate) may_move: bool,
    pub(crate) may_pass: bool,
    pub(crate) players: Vec<PlayerView>,
    pub(crate) invitation: Option<InvitationView>,
    pub(crate) asks: Vec<AskView>,
    /// The client's own unanswered offers.
    pub(crate) pending: Vec<String>,
    /// Names and texts of the canned messages that may be sent.
    pub(crate) greetings: Vec<(&'static str, String)>,
    /// The last canned message.
    pub(crate) greeting: Option<String>,
    pub(crate) your_turn: bool,
    pub(crate) seated: bool,
    /// Whether cells are known by numbers, which can be shown.
    pub(crate) has_cell_numbers: bool,
    /// The last move as a sentence, for screen readers.
    pub(crate) last_move: Option<String>,
    pub(crate) actions: Vec<ActionView>,
    pub(crate) resignation: Option<String>,
    pub(crate) links: Vec<LinkView>,
    pub(crate) study: Option<StudyView>,
    pub(crate) moves: Vec<MoveItem>,
    pub(crate) walk: [Step; 4],
    pub(crate) move_text: String,
    pub(crate) ply_query: String,
    pub(crate) rematch: Option<String>,
}

impl GameView {
    pub(crate) fn t(&self, key: &str) -> String {
        self.words.text(key)
    }
}

/// What of a game is shown, and to which client.
pub(crate) struct GamePageBuilder<'a> {
    pub(crate) client: &'a Client,
    pub(crate) programs: &'a Programs,
    pub(crate) state: &'a GameState,
    /// Milliseconds used in the current turn.
    pub(crate) elapsed: u64,
    /// A past position.
    pub(crate) ply: Option<usize>,
    pub(crate) study: Option<StudyView>,
    /// Whether to ask for confirmation of a resignation.
    pub(crate) confirms_resignation: bool,
    /// Which players are present.
    pub(crate) present: [bool; 2],
}

impl GamePageBuilder<'_> {
    /// Returns the board and everything beside it.
    pub(crate) fn build(mut self) -> (GameView, BoardGrid) {
        let words = self.client.words;
        let state = self.state;
        let seats = state.seats_of(self.client.secret.as_ref());
        let last = state.line.moves().len();
        let study = self.study.take();
        let ply = study
            .as_ref()
            .map(|study| study.ply)
            .or(self.ply)
            .filter(|ply| *ply < last);
        let mut line = state.line.clone_line();
        while line.moves().len() > ply.unwrap_or(last) {
            line.undo();
        }
        let mut board_view = BoardView::of(&*line);
        let turn = state.turn();
        let my_turn = turn.is_some_and(|turn| seats.contains(&turn));
        let may_move = my_turn && ply.is_none();
        let legal = line.legal_moves();
        if ply.is_some() || turn.is_none() {
            for cell in &mut board_view.cells {
                cell.legal = false;
            }
        }
        let options = DrawOptions {
            legal: true,
            names: true,
            overlays: study
                .as_ref()
                .map_or_else(Vec::new, |study| study.overlays.clone()),
            ..DrawOptions::default()
        };
        let board = BoardGrid::new(&board_view, &options, words, |_, cell: &CellView| {
            if cell.legal && may_move {
                CellAction::Submit("move")
            } else {
                CellAction::None
            }
        });
        let may_pass = may_move && legal.as_slice() == [Move::PASS];
        let status = self.status(&board_view, &seats, ply);
        let game = state.line.game();
        let view = GameView {
            words,
            id: state.id.clone(),
            url: format!("{}/games/{}", self.client.origin, state.id),
            heading: game_title(words, &game.name()),
            version: state.version,
            // Every rendering is a new request; the same form submitted twice is one.
            key: random_game_id(),
            over: state.is_over(),
            follows: ply.is_none() && study.is_none() && !self.confirms_resignation,
            status: status.text,
            detail: status.detail,
            opening: opening(&*line).map(|name| words.with("opening", [("name", name.into())])),
            may_move,
            may_pass,
            players: self.players(&board_view, &seats),
            invitation: self.invitation(),
            asks: self.asks(&seats),
            pending: self.pending(&seats),
            greetings: self.greetings(&seats),
            greeting: self.greeting(),
            your_turn: my_turn && !state.is_over(),
            seated: !seats.is_empty(),
            has_cell_numbers: !board_view.names_squares,
            last_move: self.last_move(&board_view, &*line),
            actions: self.actions(&seats),
            resignation: self.resignation(&seats),
            links: self.links(&seats),
            study,
            moves: move_list(state, ply),
            walk: self.walk(ply.unwrap_or(last), last),
            move_text: shown_moves(&*state.line),
            ply_query: ply.map_or_else(String::new, |ply| format!("?ply={ply}")),
            rematch: state.rematch.clone(),
        };
        (view, board)
    }

    /// Returns the last move as a sentence: "White plays f4, flipping three".
    fn last_move(&self, view: &BoardView, line: &dyn AnyLine) -> Option<String> {
        let mv = *line.moves().last()?;
        let mut before = line.clone_line();
        before.undo();
        let side = self.side(before.turn());
        let words = self.client.words;
        if mv == Move::PASS {
            return Some(words.with("passed", [("side", side.into())]));
        }
        let flipped = view.cells.iter().filter(|cell| cell.flipped).count();
        let key = if flipped > 0 {
            "web-spoken-move-turned"
        } else {
            "web-spoken-move"
        };
        let values = [
            ("side", side.into()),
            ("move", line.game().show_move(mv).into()),
            ("turned", (flipped as i64).into()),
        ];
        Some(words.with(key, values))
    }

    fn greeting(&self) -> Option<String> {
        let (by, greeting) = self.state.greeting?;
        let words = self.client.words;
        let text = words.text(&format!("web-greet-{}", greeting.name()));
        Some(format!("{}: {text}", self.side(by)))
    }

    /// The last position has no ply in its URL, because it follows the game.
    fn walk(&self, ply: usize, last: usize) -> [Step; 4] {
        let id = &self.state.id;
        let link = |ply: usize| {
            if ply == last {
                format!("/games/{id}")
            } else {
                format!("/games/{id}?ply={ply}")
            }
        };
        let words = self.client.words;
        StepBuilder { words, link }.steps(ply, last)
    }

    fn side(&self, player: Player) -> String {
        side_of(self.client.words, &self.state.line.game(), player)
    }
}

/// Returns the ply before the last move of a strategy.
pub(crate) fn last_strategy_ply(state: &GameState) -> Option<usize> {
    let mut line = state.line.clone_line();
    while line.undo().is_some() {
        if matches!(state.players[line.turn().index()], PlayerSpec::Strategy(_)) {
            return Some(line.moves().len());
        }
    }
    None
}

fn move_list(state: &GameState, ply: Option<usize>) -> Vec<MoveItem> {
    let game = state.line.game();
    let current = ply.unwrap_or(state.line.moves().len());
    (1..)
        .zip(state.line.moves())
        .map(|(ply, mv)| MoveItem {
            text: game.show_move(*mv),
            ply,
            is_current: ply == current,
        })
        .collect()
}

/// Returns the moves in the notation that the board shows: `h8 i9`, not the numbers of files.
pub(crate) fn shown_moves(line: &dyn AnyLine) -> String {
    let game = line.game();
    let same = |mv: &Move| game.format_move(*mv) == game.show_move(*mv);
    if line.moves().iter().all(same) {
        line.text()
    } else {
        game.show_moves(line.moves())
    }
}

/// Returns the name of a side: X, Black.
pub(crate) fn side_of(words: Messages, game: &AnyGame, player: Player) -> String {
    messages::side(words, game.pieces(), player, Marks::default())
}
