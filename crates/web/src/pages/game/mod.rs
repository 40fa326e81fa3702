//! The page of a game.

mod offers;
mod players;
mod status;

use papan_catalog::{PlayerSpec, opening};
use papan_pages::board_grid::{BoardGrid, CellAction};
use papan_pages::game::{GameView, StudyView, last_move, move_list, shown_moves, side_of};
use papan_pages::game_title::game_title;
use papan_pages::walk::{Step, StepBuilder};
use papan_rules::{Move, Player, SwapStep};
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, CellView};

use crate::game::state::GameState;
use crate::http::client::Client;
use crate::http::secret::random_game_id;
use papan_pages::programs::Programs;

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
        let must_choose = matches!(state.swap_step(), SwapStep::Choose { .. });
        let may_move = my_turn && ply.is_none() && !must_choose;
        let legal = line.legal_moves();
        if ply.is_some() || turn.is_none() {
            for cell in &mut board_view.cells {
                cell.legal = false;
            }
        }
        let options = DrawOptions {
            legal: true,
            names: true,
            move_numbers: true,
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
            is_exhibition: state
                .players
                .iter()
                .all(|player| matches!(player, PlayerSpec::Strategy(_))),
            last_move: last_move(words, &board_view, &*line),
            actions: self.actions(&seats),
            resignation: self.resignation(&seats),
            links: self.links(&seats),
            study,
            moves: move_list(&*state.line, ply),
            walk: self.walk(ply.unwrap_or(last), last),
            move_text: shown_moves(&*state.line),
            ply_query: ply.map_or_else(String::new, |ply| format!("?ply={ply}")),
            rematch: state.rematch.clone(),
        };
        (view, board)
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
