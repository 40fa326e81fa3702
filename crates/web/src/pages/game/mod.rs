//! The page of one game.

mod offers;
mod players;
mod status;

use papan_catalog::{AnyGame, AnyLine, PlayerSpec, opening};
use papan_rules::{Move, Player};
use papan_view::svg_board::{DrawOptions, Overlay};
use papan_view::{BoardView, CellView, Marks, Messages, messages};

use askama::Template;

use crate::game::state::GameState;
use crate::http::client::Client;
use crate::http::secret::random_game_id;
use crate::pages::board_grid::{BoardGrid, Touch};
use crate::pages::layout::Layout;
use crate::pages::overlay::Reasons;
use crate::state::AppState;
use offers::{ActionView, AskView};
use players::PlayerView;
pub(crate) use players::picture_of;
pub(crate) use status::result;

/// The whole page.
#[derive(Template)]
#[template(path = "game.html")]
pub(crate) struct GamePage {
    pub(crate) layout: Layout,
    pub(crate) view: GameView,
    pub(crate) board: BoardGrid,
}

/// The part that changes.
#[derive(Template)]
#[template(path = "table.html")]
pub(crate) struct GamePart {
    pub(crate) view: GameView,
    pub(crate) board: BoardGrid,
}

/// What an engine said.
#[derive(Default)]
pub(crate) struct StudyView {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) reasons: Reasons,
    /// The position that it is about, in moves from the start.
    pub(crate) ply: usize,
    pub(crate) overlays: Vec<Option<Overlay>>,
}

/// A step through the game: its sign, its label, what the link is to the page, and
/// where it leads, if anywhere.
type WalkStep = (&'static str, String, &'static str, Option<String>);

/// Everything that the page shows beside the board.
pub(crate) struct GameView {
    words: Messages,
    pub(crate) id: String,
    pub(crate) address: String,
    pub(crate) heading: String,
    pub(crate) version: u64,
    pub(crate) key: String,
    pub(crate) over: bool,
    pub(crate) follows: bool,
    pub(crate) status: String,
    pub(crate) detail: Option<String>,
    /// What the opening is called.
    pub(crate) opening: Option<String>,
    pub(crate) may_move: bool,
    pub(crate) may_pass: bool,
    pub(crate) players: Vec<PlayerView>,
    pub(crate) invitation: Option<String>,
    pub(crate) asks: Vec<AskView>,
    /// What may be said: its name and its text.
    pub(crate) greetings: Vec<(&'static str, String)>,
    /// What was said last.
    pub(crate) greeting: Option<String>,
    pub(crate) your_turn: bool,
    pub(crate) seated: bool,
    /// What the last move was, in words.
    pub(crate) last_move: Option<String>,
    pub(crate) actions: Vec<ActionView>,
    pub(crate) links: Vec<(String, String)>,
    pub(crate) study: Option<StudyView>,
    /// Text, number of moves, whether it is the one that is shown.
    pub(crate) moves: Vec<(String, usize, bool)>,
    pub(crate) walk: Vec<WalkStep>,
    pub(crate) move_text: String,
    pub(crate) ply_query: String,
    pub(crate) rematch: Option<String>,
}

impl GameView {
    pub(crate) fn t(&self, key: &str) -> String {
        self.words.text(key)
    }
}

/// What of a game is shown, to whom.
pub(crate) struct GamePageBuilder<'a> {
    pub(crate) app: &'a AppState,
    pub(crate) client: &'a Client,
    pub(crate) live: &'a GameState,
    /// A position of the past.
    pub(crate) ply: Option<usize>,
    pub(crate) study: Option<StudyView>,
    /// Whether the client is asked if they really want to resign.
    pub(crate) asks_to_resign: bool,
    /// Which players are here.
    pub(crate) here: [bool; 2],
}

impl GamePageBuilder<'_> {
    /// The board and what stands beside it.
    pub(crate) fn view(mut self) -> (GameView, BoardGrid) {
        let words = self.client.words;
        let live = self.live;
        let seats = live.seats_of(self.client.secret.as_ref());
        let last = live.line.moves().len();
        let study = self.study.take();
        let ply = study.as_ref().map(|study| study.ply).or(self.ply);
        let ply = ply.filter(|ply| *ply < last);
        let mut line = live.line.clone_line();
        while line.moves().len() > ply.unwrap_or(last) {
            line.undo();
        }
        let mut board_view = BoardView::of(&*line);
        let turn = live.turn();
        let mine = turn.is_some_and(|turn| seats.contains(&turn));
        let may_move = mine && ply.is_none();
        let legal = line.legal_moves();
        if ply.is_some() || turn.is_none() {
            for cell in &mut board_view.cells {
                cell.legal = false;
            }
        }
        let look = DrawOptions {
            legal: true,
            names: true,
            overlays: study
                .as_ref()
                .map_or_else(Vec::new, |study| study.overlays.clone()),
            ..DrawOptions::default()
        };
        let board = BoardGrid::new(&board_view, &look, words, |_, cell: &CellView| {
            match cell.legal && may_move {
                true => Touch::Send("move"),
                false => Touch::Nothing,
            }
        });
        let may_pass = may_move && legal.as_slice() == [Move::PASS];
        let (status, detail) = self.status(&board_view, &seats, ply);
        let game = live.line.game();
        let view = GameView {
            words,
            id: live.id.clone(),
            address: format!("{}/games/{}", self.client.origin, live.id),
            heading: game_title(words, &game.name()),
            version: live.version,
            // A new page is a new request; the same page sent twice is one.
            key: random_game_id(),
            over: live.is_over(),
            follows: ply.is_none() && study.is_none() && !self.asks_to_resign,
            status,
            detail,
            opening: opening(&*line).map(|name| words.with("opening", [("name", name.into())])),
            may_move,
            may_pass,
            players: self.players(&board_view, &seats),
            invitation: self.invitation(),
            asks: self.asks(&seats),
            greetings: self.greetings(&seats),
            greeting: self.greeting(),
            your_turn: mine && !live.is_over(),
            seated: !seats.is_empty(),
            last_move: self.last_move(&board_view, &*line),
            actions: self.actions(&seats),
            links: self.links(&seats),
            study,
            moves: move_list(live, ply),
            walk: walk(words, ply.unwrap_or(last), last),
            move_text: live.line.text(),
            ply_query: ply.map_or_else(String::new, |ply| format!("?ply={ply}")),
            rematch: live.rematch.clone(),
        };
        (view, board)
    }

    /// The last move as it is spoken: "White plays f4, three discs turned".
    fn last_move(&self, view: &BoardView, line: &dyn AnyLine) -> Option<String> {
        let mv = *line.moves().last()?;
        let mut before = line.clone_line();
        before.undo();
        let side = self.side(before.turn());
        let words = self.client.words;
        if mv == Move::PASS {
            return Some(words.with("passed", [("side", side.into())]));
        }
        let turned = view.cells.iter().filter(|cell| cell.flipped).count();
        let key = if turned > 0 {
            "web-spoken-move-turned"
        } else {
            "web-spoken-move"
        };
        let said = [
            ("side", side.into()),
            ("move", line.game().show_move(mv).into()),
            ("turned", (turned as i64).into()),
        ];
        Some(words.with(key, said))
    }

    fn greeting(&self) -> Option<String> {
        let (by, greeting) = self.live.greeting?;
        let words = self.client.words;
        let text = words.text(&format!("web-greet-{}", greeting.name()));
        Some(format!("{}: {text}", self.side(by)))
    }

    fn side(&self, player: Player) -> String {
        side_of(self.client.words, &self.live.line.game(), player)
    }
}

/// The number of moves before the last move of a strategy.
pub(crate) fn last_strategy_ply(live: &GameState) -> Option<usize> {
    let mut line = live.line.clone_line();
    while line.undo().is_some() {
        if matches!(live.players[line.turn().index()], PlayerSpec::Strategy(_)) {
            return Some(line.moves().len());
        }
    }
    None
}

fn move_list(live: &GameState, ply: Option<usize>) -> Vec<(String, usize, bool)> {
    let game = live.line.game();
    let last = live.line.moves().len();
    (1..)
        .zip(live.line.moves())
        .map(|(number, mv)| {
            let current = number == ply.unwrap_or(last);
            (game.show_move(*mv), number, current)
        })
        .collect()
}

fn walk(words: Messages, at: usize, last: usize) -> Vec<WalkStep> {
    let step = |text, key: &str, relation, to: Option<usize>| {
        // The end is where the game goes on: it has no number.
        let query = to.map(|ply| match ply == last {
            true => String::new(),
            false => format!("?ply={ply}"),
        });
        (text, words.text(key), relation, query)
    };
    vec![
        step("«", "web-walk-start", "first", (at > 0).then_some(0)),
        step("‹", "web-walk-back", "prev", at.checked_sub(1)),
        step("›", "web-walk-on", "next", (at < last).then_some(at + 1)),
        step("»", "web-walk-end", "last", (at < last).then_some(last)),
    ]
}

/// A side as players call it: X, Black.
pub(crate) fn side_of(words: Messages, game: &AnyGame, player: Player) -> String {
    messages::side(words, game.pieces(), player, Marks::default())
}

/// A game's name for a title: `Tic-tac-toe 4x4`, `Gomoku (15×15, five in a row)`.
pub(crate) fn game_title(words: Messages, name: &str) -> String {
    let (family, size) = name.split_once(':').unwrap_or((name, ""));
    if let ("tictactoe", Some(square @ ("15x15" | "19x19"))) = (family, size.strip_suffix(":5")) {
        let size = square.replace('x', "×");
        return words.with("web-game-gomoku", [("size", size.into())]);
    }
    let key = format!("web-family-{family}");
    let family = match words.has(&key) {
        true => words.text(&key),
        false => family.to_owned(),
    };
    format!("{family} {size}").trim_end().to_owned()
}
