//! How a page shows a game that the browser keeps.

use papan_catalog::opening;
use papan_rules::{Move, Player};
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, Messages};

use super::Replayed;
use crate::board_grid::{BoardGrid, CellAction};
use crate::game::{
    ActionView, AskView, GameView, LinkView, PlayerView, StudyView, last_move, move_list,
    piece_picture, result, shown_moves, side_of,
};
use crate::game_title::game_title;
use crate::walk::StepBuilder;

/// How a page shows a game.
#[derive(Default)]
pub struct Shown {
    /// A past position.
    pub ply: Option<usize>,
    /// A hint or an explanation.
    pub study: Option<StudyView>,
    /// Whether to ask for confirmation of a resignation.
    pub confirms_resignation: bool,
}

impl Replayed {
    /// Returns the board and everything beside it.
    #[must_use]
    pub fn view(&self, words: Messages, shown: Shown) -> (GameView, BoardGrid) {
        let last = self.line.moves().len();
        let study = shown.study;
        let ply = study.as_ref().map(|study| study.ply).or(shown.ply);
        let ply = ply.filter(|ply| *ply < last);
        let line = self.line_at(ply);
        let mut board_view = BoardView::of(&*line);
        let turn = self.turn();
        let my_turn = turn.is_some_and(|turn| self.is_person(turn));
        let may_move = my_turn && ply.is_none();
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
        let board = BoardGrid::new(&board_view, &options, words, |_, cell| {
            if cell.legal && may_move {
                CellAction::Submit("move")
            } else {
                CellAction::None
            }
        });
        let id = &self.stored.id;
        let link = |ply: usize| {
            if ply == last {
                format!("/games/{id}")
            } else {
                format!("/games/{id}?ply={ply}")
            }
        };
        let (status, detail) = self.status(&board_view, ply, words);
        let seated = Player::BOTH.into_iter().any(|seat| self.is_person(seat));
        let view = GameView {
            words,
            id: id.clone(),
            url: self.position_url(None).link("/analysis"),
            heading: game_title(words, &line.game().name()),
            version: self.stored.version,
            key: String::new(),
            over: turn.is_none(),
            follows: ply.is_none() && study.is_none() && !shown.confirms_resignation,
            status,
            detail,
            opening: opening(&*line).map(|name| words.with("opening", [("name", name.into())])),
            may_move,
            may_pass: may_move && line.legal_moves().as_slice() == [Move::PASS],
            players: self.players_view(&board_view, words),
            invitation: None,
            asks: self.asks(shown.confirms_resignation && my_turn, words),
            pending: Vec::new(),
            greetings: Vec::new(),
            greeting: None,
            your_turn: my_turn,
            seated,
            is_exhibition: !seated,
            last_move: last_move(words, &board_view, &*line),
            actions: self.actions(words),
            resignation: my_turn.then(|| format!("/games/{id}?show=resign")),
            links: self.links(ply, my_turn, words),
            study,
            moves: move_list(&*self.line, ply),
            walk: StepBuilder { words, link }.steps(ply.unwrap_or(last), last),
            move_text: shown_moves(&*self.line),
            ply_query: ply.map_or_else(String::new, |ply| format!("?ply={ply}")),
            rematch: None,
        };
        (view, board)
    }

    fn status(
        &self,
        view: &BoardView,
        ply: Option<usize>,
        words: Messages,
    ) -> (String, Option<String>) {
        if let Some(ply) = ply {
            let last = self.line.moves().len();
            let values = [
                ("number", ply.to_string().into()),
                ("last", last.to_string().into()),
            ];
            return (words.with("web-after-move", values), None);
        }
        let side = |player| side_of(words, &self.line.game(), player);
        if let Some(outcome) = self.outcome() {
            let text = result(words, view, outcome);
            let people: Vec<Player> = Player::BOTH
                .into_iter()
                .filter(|seat| self.is_person(*seat))
                .collect();
            let text = match (&people[..], outcome.winner()) {
                ([seat], Some(winner)) => {
                    let key = if *seat == winner {
                        "web-you-won"
                    } else {
                        "web-you-lost"
                    };
                    words.with(key, [("result", text.into())])
                }
                _ => text,
            };
            let resigned = self
                .stored
                .resigned
                .map(|loser| words.with("web-resigned", [("side", side(loser.into()).into())]));
            return (text, resigned);
        }
        let turn = view.turn;
        let both = Player::BOTH.into_iter().all(|seat| self.is_person(seat));
        let key = match (self.is_person(turn), both) {
            (false, _) => "web-thinking",
            (true, false) => "web-your-turn",
            (true, true) => "web-their-turn",
        };
        let passed = view.passed.then(|| {
            let other = side(turn.other());
            words.with("passed", [("side", other.into())])
        });
        (words.with(key, [("side", side(turn).into())]), passed)
    }

    fn players_view(&self, view: &BoardView, words: Messages) -> Vec<PlayerView> {
        let player_view = |player: Player| PlayerView {
            side: side_of(words, &self.line.game(), player),
            name: self.name(player, words),
            picture: piece_picture(view.pieces, player),
            you: self.is_person(player),
            seat: match player {
                Player::First => "first",
                Player::Second => "second",
            },
            present: None,
            clock_runs: false,
            to_move: self.turn() == Some(player),
            count: (view.properties.score_unit.is_discs()).then(|| view.counts[player.index()]),
            clock: None,
        };
        Player::BOTH.map(player_view).into()
    }

    fn asks(&self, confirms_resignation: bool, words: Messages) -> Vec<AskView> {
        let resignation = confirms_resignation.then(|| AskView {
            path: "resignation",
            question: words.text("web-resign-sure"),
            answers: vec![("agree", words.text("web-resign-yes"))],
        });
        resignation.into_iter().collect()
    }

    fn actions(&self, words: Messages) -> Vec<ActionView> {
        let has_person = Player::BOTH.into_iter().any(|seat| self.is_person(seat));
        if !has_person {
            return Vec::new();
        }
        let mut before = self.line.clone_line();
        let mut may_take_back = false;
        while before.undo().is_some() {
            may_take_back |= self.is_person(before.turn());
        }
        let action = |path, key: &str, enabled, primary| ActionView {
            path,
            text: words.text(key),
            enabled,
            primary,
        };
        if self.is_over() {
            return vec![action("rematch", "web-rematch", true, true)];
        }
        vec![action("take-back", "web-take-back", may_take_back, false)]
    }

    fn links(&self, ply: Option<usize>, my_turn: bool, words: Messages) -> Vec<LinkView> {
        let here = format!("/games/{}", self.stored.id);
        let link = |url: String, key: &str| LinkView {
            url,
            text: words.text(key),
            primary: false,
        };
        let mut links = Vec::new();
        if my_turn {
            links.push(link(format!("{here}?show=hint"), "web-hint"));
        }
        let url = self.position_url(ply);
        if self.is_over() && !self.line.moves().is_empty() {
            links.push(link(url.link("/review"), "web-review"));
        }
        if self.last_strategy_turn().is_some() {
            links.push(link(format!("{here}?show=why"), "web-why"));
        }
        links.push(link(url.link("/analysis"), "web-analyse"));
        links
    }
}
