//! The page of one game.

use papan_catalog::PlayerSpec;
use papan_rules::{Move, Outcome, Pieces, Player};
use papan_view::svg_board::{self, Look, Overlay};
use papan_view::{BoardView, CellView, Marks, Words, wording};

use askama::Template;

use crate::board::{Board, Touch};
use crate::hub::Hub;
use crate::live_match::{Cause, LiveMatch};
use crate::overlay::Reason;
use crate::page::Frame;
use crate::secret::random_game_id;
use crate::visitor::Visitor;

/// The whole page.
#[derive(Template)]
#[template(path = "game.html")]
pub(crate) struct GamePage {
    pub(crate) frame: Frame,
    pub(crate) view: GameView,
    pub(crate) board: Board,
}

/// The part that changes.
#[derive(Template)]
#[template(path = "table.html")]
pub(crate) struct TablePart {
    pub(crate) view: GameView,
    pub(crate) board: Board,
}

/// A player at the side of the board.
pub(crate) struct PlayerView {
    pub(crate) side: String,
    pub(crate) name: String,
    pub(crate) picture: String,
    pub(crate) you: bool,
    pub(crate) to_move: bool,
    pub(crate) count: Option<usize>,
    /// Milliseconds left, and the same as text.
    pub(crate) clock: Option<(u64, String)>,
}

/// A button that does something.
pub(crate) struct ActionView {
    pub(crate) path: &'static str,
    pub(crate) text: String,
}

/// A question to the visitor.
pub(crate) struct AskView {
    pub(crate) path: &'static str,
    pub(crate) question: String,
    pub(crate) answers: Vec<(&'static str, String)>,
}

/// What an engine said.
#[derive(Default)]
pub(crate) struct StudyView {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) reasons: Vec<Reason>,
    /// The position that it is about, in moves from the start.
    pub(crate) ply: usize,
    pub(crate) overlays: Vec<Option<Overlay>>,
}

/// Everything that the page shows beside the board.
pub(crate) struct GameView {
    words: Words,
    pub(crate) id: String,
    pub(crate) address: String,
    pub(crate) heading: String,
    pub(crate) version: u64,
    pub(crate) key: String,
    pub(crate) over: bool,
    pub(crate) follows: bool,
    pub(crate) status: String,
    pub(crate) detail: Option<String>,
    pub(crate) may_move: bool,
    pub(crate) may_pass: bool,
    pub(crate) players: Vec<PlayerView>,
    pub(crate) invitation: Option<String>,
    pub(crate) asks: Vec<AskView>,
    pub(crate) actions: Vec<ActionView>,
    pub(crate) links: Vec<(String, String)>,
    pub(crate) study: Option<StudyView>,
    /// Text, number of moves, whether it is the one that is shown.
    pub(crate) moves: Vec<(String, usize, bool)>,
    /// Text, label, number of moves.
    pub(crate) walk: Vec<(&'static str, String, Option<usize>)>,
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
pub(crate) struct Shown<'a> {
    pub(crate) hub: &'a Hub,
    pub(crate) visitor: &'a Visitor,
    pub(crate) live: &'a LiveMatch,
    /// A position of the past.
    pub(crate) ply: Option<usize>,
    pub(crate) study: Option<StudyView>,
}

impl Shown<'_> {
    /// The board and what stands beside it.
    pub(crate) fn view(mut self) -> (GameView, Board) {
        let words = self.visitor.words;
        let live = self.live;
        let seats = live.seats_of(self.visitor.secret.as_ref());
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
        let look = Look {
            legal: true,
            names: true,
            overlays: study
                .as_ref()
                .map_or_else(Vec::new, |study| study.overlays.clone()),
            ..Look::default()
        };
        let board = Board::new(&board_view, &look, words, |_, cell: &CellView| {
            match cell.legal && may_move {
                true => Touch::Play,
                false => Touch::Nothing,
            }
        });
        let may_pass = may_move && legal.as_slice() == [Move::PASS];
        let (status, detail) = self.status(&board_view, &seats, ply);
        let game = live.line.game();
        let view = GameView {
            words,
            id: live.id.clone(),
            address: format!("{}/games/{}", self.visitor.origin, live.id),
            heading: game_title(words, &game.name()),
            version: live.version,
            // A new page is a new request; the same page sent twice is one.
            key: random_game_id(),
            over: live.is_over(),
            follows: ply.is_none() && study.is_none(),
            status,
            detail,
            may_move,
            may_pass,
            players: self.players(&board_view, &seats),
            invitation: self.invitation(&seats),
            asks: self.asks(&seats),
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

    fn side(&self, player: Player) -> String {
        let pieces = self.live.line.game().pieces();
        wording::side(self.visitor.words, pieces, player, Marks::default())
    }

    fn status(
        &self,
        view: &BoardView,
        seats: &[Player],
        ply: Option<usize>,
    ) -> (String, Option<String>) {
        let words = self.visitor.words;
        if let Some(ply) = ply {
            let last = self.live.line.moves().len();
            let text = words.with(
                "web-after-move",
                [
                    ("number", ply.to_string().into()),
                    ("last", last.to_string().into()),
                ],
            );
            return (text, None);
        }
        if let Some(ending) = &self.live.ending {
            return (self.result(ending.outcome, view), self.cause(ending));
        }
        if self.live.vacant.is_some() {
            return (words.text("web-waiting"), None);
        }
        let turn = view.turn;
        let side = self.side(turn);
        let (only_me, strategy) = (
            seats == [turn],
            matches!(self.live.players[turn.index()], PlayerSpec::Strategy(_)),
        );
        let key = match (only_me, strategy) {
            (true, _) => "web-your-turn",
            (_, true) => "web-thinking",
            _ => "web-their-turn",
        };
        let status = words.with(key, [("side", side.clone().into())]);
        let passed = view.passed.then(|| {
            let other = self.side(turn.other());
            words.with("passed", [("side", other.into())])
        });
        let only_pass = self.live.line.legal_moves().as_slice() == [Move::PASS];
        let must_pass = (only_pass && seats.contains(&turn))
            .then(|| words.with("web-must-pass", [("side", side.into())]));
        (status, must_pass.or(passed))
    }

    fn result(&self, outcome: Outcome, view: &BoardView) -> String {
        let words = self.visitor.words;
        let Some(winner) = outcome.winner() else {
            return words.text("web-draw");
        };
        let side = self.side(winner);
        let by_count = view.pieces == Pieces::Discs && view.outcome.is_some();
        if by_count {
            let count = |player: Player| view.counts[player.index()].to_string();
            return words.with(
                "side-wins-discs",
                [
                    ("side", side.into()),
                    ("winner-count", count(winner).into()),
                    ("loser-count", count(winner.other()).into()),
                ],
            );
        }
        words.with("side-wins", [("side", side.into())])
    }

    fn cause(&self, ending: &crate::live_match::Ending) -> Option<String> {
        let words = self.visitor.words;
        let loser = self.side(ending.outcome.winner()?.other());
        Some(match ending.cause.as_ref()? {
            Cause::Resigned => words.with("web-resigned", [("side", loser.into())]),
            Cause::Time => words.with("out-of-time", [("side", loser.into())]),
            Cause::NoAnswer(reason) => words.with(
                "no-answer",
                [
                    ("player", loser.into()),
                    ("reason", reason.text(words).into()),
                ],
            ),
        })
    }

    fn players(&self, view: &BoardView, seats: &[Player]) -> Vec<PlayerView> {
        let words = self.visitor.words;
        let live = self.live;
        let running = self.hub.running(live);
        Player::BOTH
            .into_iter()
            .map(|player| {
                let to_move = live.turn() == Some(player);
                let clock = live.clock.as_ref().map(|clock| {
                    let used = if to_move { running } else { 0 };
                    let left = clock.left[player.index()].saturating_sub(used);
                    (left, clock_text(left))
                });
                PlayerView {
                    side: self.side(player),
                    name: match &live.players[player.index()] {
                        PlayerSpec::Human if live.vacant == Some(player) => {
                            words.text("web-seat-free")
                        }
                        PlayerSpec::Human => words.text("strategy-human"),
                        PlayerSpec::Strategy(spec) => spec.to_string(),
                    },
                    picture: picture_of(view.pieces, player),
                    you: seats.contains(&player),
                    to_move,
                    count: (view.pieces == Pieces::Discs).then(|| view.counts[player.index()]),
                    clock,
                }
            })
            .collect()
    }

    fn invitation(&self, seats: &[Player]) -> Option<String> {
        self.live.vacant?;
        let secret = self.visitor.secret.as_ref().filter(|_| !seats.is_empty())?;
        let invitation = secret.invitation(&self.live.id);
        Some(format!(
            "{}/join/{}",
            self.visitor.origin,
            invitation.text()
        ))
    }

    fn asks(&self, seats: &[Player]) -> Vec<AskView> {
        let words = self.visitor.words;
        let live = self.live;
        let other_asked = |by: Player| seats.len() == 1 && seats[0] != by;
        let mut asks = Vec::new();
        if let Some((by, _)) = live.asked_back.filter(|(by, _)| other_asked(*by)) {
            asks.push(AskView {
                path: "take-back",
                question: words.with("web-asks-back", [("side", self.side(by).into())]),
                answers: vec![
                    ("agree", words.text("web-agree")),
                    ("decline", words.text("web-decline")),
                ],
            });
        }
        let offer = live.rematch_offer.filter(|_| live.rematch.is_none());
        if let Some(by) = offer.filter(|by| other_asked(*by)) {
            asks.push(AskView {
                path: "rematch",
                question: words.with("web-offers-rematch", [("side", self.side(by).into())]),
                answers: vec![("agree", words.text("web-agree"))],
            });
        }
        asks
    }

    fn actions(&self, seats: &[Player]) -> Vec<ActionView> {
        let words = self.visitor.words;
        let live = self.live;
        let mut actions = Vec::new();
        if seats.is_empty() {
            return actions;
        }
        let mut add = |path, key: &str| {
            let text = words.text(key);
            actions.push(ActionView { path, text });
        };
        let consent = live.needs_consent();
        let has_moved = match seats {
            [only] => live.before_last_move_of(*only).is_some(),
            _ => !live.line.moves().is_empty(),
        };
        let running = !live.is_over() && live.vacant.is_none();
        if has_moved && live.asked_back.is_none() && (running || live.is_over() && !consent) {
            let key = if consent {
                "web-ask-back"
            } else {
                "web-take-back"
            };
            add("take-back", key);
        }
        if running {
            add("resignation", "web-resign");
        }
        if live.is_over() && live.rematch.is_none() && live.rematch_offer.is_none() {
            add("rematch", "web-rematch");
        }
        actions
    }

    fn links(&self, seats: &[Player]) -> Vec<(String, String)> {
        let words = self.visitor.words;
        let live = self.live;
        let mut links = Vec::new();
        let mut add = |link: String, key: &str| links.push((link, words.text(key)));
        let here = format!("/games/{}", live.id);
        if let Some(next) = &live.rematch {
            add(format!("/games/{next}"), "web-to-the-rematch");
        }
        let may_ask = !seats.is_empty() && !live.needs_consent();
        if may_ask && live.turn().is_some_and(|turn| seats.contains(&turn)) {
            add(format!("{here}?show=hint"), "web-hint");
        }
        if live.is_over() || !live.needs_consent() {
            if last_strategy_ply(live).is_some() {
                add(format!("{here}?show=why"), "web-why");
            }
            if live.is_over() && !live.line.moves().is_empty() {
                add(format!("{here}/study/review"), "web-review");
            }
            add(format!("{here}/study/analysis"), "web-analyse");
        }
        links
    }
}

/// The number of moves before the last move of a strategy.
pub(crate) fn last_strategy_ply(live: &LiveMatch) -> Option<usize> {
    let mut line = live.line.clone_line();
    while line.undo().is_some() {
        if matches!(live.players[line.turn().index()], PlayerSpec::Strategy(_)) {
            return Some(line.moves().len());
        }
    }
    None
}

fn picture_of(pieces: Pieces, player: Player) -> String {
    let view = BoardView {
        game: String::new(),
        sides: vec![1, 1],
        pieces,
        cells: vec![CellView {
            piece: Some(player),
            ..CellView::default()
        }],
        turn: player,
        counts: [0, 0],
        outcome: None,
        passed: false,
    };
    svg_board::cell(&view, 0, &Look::default())
}

fn move_list(live: &LiveMatch, ply: Option<usize>) -> Vec<(String, usize, bool)> {
    let game = live.line.game();
    let last = live.line.moves().len();
    (1..)
        .zip(live.line.moves())
        .map(|(number, mv)| {
            let current = number == ply.unwrap_or(last);
            (game.format_move(*mv), number, current)
        })
        .collect()
}

fn walk(words: Words, at: usize, last: usize) -> Vec<(&'static str, String, Option<usize>)> {
    let step = |text, key: &str, to: Option<usize>| (text, words.text(key), to);
    vec![
        step("«", "web-walk-start", (at > 0).then_some(0)),
        step("‹", "web-walk-back", at.checked_sub(1)),
        step("›", "web-walk-on", (at < last).then_some(at + 1)),
        step("»", "web-walk-end", (at < last).then_some(last)),
    ]
}

/// A game's name for a title: `Tic-tac-toe 4x4`.
pub(crate) fn game_title(words: Words, name: &str) -> String {
    let (family, size) = name.split_once(':').unwrap_or((name, ""));
    let key = format!("web-family-{family}");
    let family = match words.has(&key) {
        true => words.text(&key),
        false => family.to_owned(),
    };
    format!("{family} {size}").trim_end().to_owned()
}

/// Minutes and seconds.
pub(crate) fn clock_text(millis: u64) -> String {
    let seconds = millis.div_ceil(1000);
    match seconds {
        3600.. => format!(
            "{}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        ),
        _ => format!("{}:{:02}", seconds / 60, seconds % 60),
    }
}
