//! The page of a game: everything that its templates show, on a server or in a browser.
#![allow(missing_docs, reason = "the fields are the names in the templates")]

use askama::Template;
use papan_catalog::{AnyGame, AnyLine, StrategySpec};
use papan_rules::{Move, Outcome, Pieces, Player, Properties, ScoreUnit};
use papan_strategies::Decision;
use papan_view::svg_board::{self, DrawOptions, Overlay};
use papan_view::{BoardView, CellView, Marks, Messages, MoveNotation, explain, messages};

use crate::board_grid::BoardGrid;
use crate::layout::Layout;
use crate::overlay::{self, Reasons};
use crate::walk::Step;

/// The whole page.
#[derive(Template)]
#[template(path = "game.html")]
pub struct GamePage {
    pub layout: Layout,
    pub view: GameView,
    pub board: BoardGrid,
}

/// The part of the page that changes.
#[derive(Template)]
#[template(path = "game_part.html")]
pub struct GamePart {
    pub view: GameView,
    pub board: BoardGrid,
}

/// A hint, or the explanation of a move.
#[derive(Default)]
pub struct StudyView {
    pub title: String,
    pub text: String,
    /// Why the move was preferred, by what it leads to.
    pub why: String,
    /// The strategy's numbers, which the page shows on request.
    pub reasons: Reasons,
    /// The ply of the position that it is about.
    pub ply: usize,
    pub overlays: Vec<Option<Overlay>>,
    /// What the browser's engine is to answer, as JSON, until it has.
    pub request: Option<String>,
}

impl StudyView {
    /// Creates the hint of a strategy for the end of a line.
    #[must_use]
    pub fn hint(words: Messages, line: &dyn AnyLine, strategy: &str, decision: &Decision) -> Self {
        let game = line.game();
        let score = decision.chosen().and_then(|candidate| candidate.score);
        let mut overlays = vec![None; game.cells()];
        if let Some(cell) = decision.best.cell() {
            overlays[cell] = Some(Overlay {
                lines: vec!["✓".into()],
                chosen: true,
            });
        }
        Self {
            title: words.text("web-hint"),
            text: messages::hint(
                words,
                &game,
                MoveNotation::Usual,
                strategy,
                decision.best,
                score,
            ),
            ply: line.moves().len(),
            overlays,
            ..Self::default()
        }
    }

    /// Creates the explanation of a move that a strategy made at the end of a line.
    #[must_use]
    pub fn why(
        words: Messages,
        before: &dyn AnyLine,
        mv: Move,
        strategy: &str,
        decision: &Decision,
    ) -> Self {
        let mv = before.game().show_move(mv);
        Self {
            title: words.text("web-why"),
            text: words.with(
                "web-why-text",
                [
                    ("strategy", named(words, strategy).into()),
                    ("move", mv.into()),
                ],
            ),
            why: explain::why_by_score(before, decision, words)
                .unwrap_or_else(|| explain::why(before, decision, words)),
            reasons: overlay::reasons(words, before, decision),
            ply: before.moves().len(),
            overlays: overlay::scores(words, before, decision),
            request: None,
        }
    }
}

/// Returns the name of a strategy as people know it: a level has one.
fn named(words: Messages, strategy: &str) -> String {
    let spec = strategy.parse::<StrategySpec>();
    spec.map_or_else(
        |_| strategy.to_owned(),
        |spec| messages::strategy_name(words, &spec),
    )
}

/// A move in the list.
pub struct MoveItem {
    pub text: String,
    /// The ply after the move.
    pub ply: usize,
    pub is_current: bool,
}

/// Everything beside the board.
pub struct GameView {
    pub words: Messages,
    pub id: String,
    pub url: String,
    pub heading: String,
    pub version: u64,
    /// Idempotency key of the next move.
    pub key: String,
    pub over: bool,
    /// Whether the page shows the current position and follows the game.
    pub follows: bool,
    pub status: String,
    pub detail: Option<String>,
    /// Name of the opening.
    pub opening: Option<String>,
    pub may_move: bool,
    pub may_pass: bool,
    pub players: Vec<PlayerView>,
    pub invitation: Option<InvitationView>,
    pub asks: Vec<AskView>,
    /// The client's own unanswered offers.
    pub pending: Vec<String>,
    /// Names and texts of the canned messages that may be sent.
    pub greetings: Vec<(&'static str, String)>,
    /// The last canned message.
    pub greeting: Option<String>,
    pub your_turn: bool,
    pub seated: bool,
    /// Whether two strategies play, so that the page can pause and slow down.
    pub is_exhibition: bool,
    /// The last move as a sentence, for screen readers.
    pub last_move: Option<String>,
    pub actions: Vec<ActionView>,
    pub resignation: Option<String>,
    pub links: Vec<LinkView>,
    pub study: Option<StudyView>,
    pub moves: Vec<MoveItem>,
    pub walk: [Step; 4],
    pub move_text: String,
    pub ply_query: String,
    pub rematch: Option<String>,
}

impl GameView {
    #[must_use]
    pub fn t(&self, key: &str) -> String {
        self.words.text(key)
    }

    /// Returns the paces at which a game of two strategies is watched: seconds of each move, and the name.
    #[must_use]
    pub fn paces(&self) -> [(u32, String); 3] {
        [0, 2, 5].map(|seconds| match seconds {
            0 => (0, self.t("web-pace-played")),
            _ => {
                let value = ("seconds", seconds.to_string().into());
                (seconds, self.words.with("web-pace-seconds", [value]))
            }
        })
    }
}

/// A button that posts to a path below the game. Buttons of a running game stay in their places:
/// one that cannot be used now is disabled.
pub struct ActionView {
    pub path: &'static str,
    pub text: String,
    pub enabled: bool,
    /// Whether it is the main action of the page.
    pub primary: bool,
}

/// A link to another page about the game.
pub struct LinkView {
    pub url: String,
    pub text: String,
    pub primary: bool,
}

/// The vacant seat, shown to the player who waits.
pub struct InvitationView {
    pub link: String,
    /// Whether the game is an open challenge in the lobby.
    pub listed: bool,
}

/// An offer of the opponent, or a confirmation, with its answers.
pub struct AskView {
    pub path: &'static str,
    pub question: String,
    pub answers: Vec<(&'static str, String)>,
}

/// A player at the side of the board.
pub struct PlayerView {
    pub side: String,
    pub name: String,
    pub picture: String,
    /// Whether the client holds the seat.
    pub you: bool,
    /// `first` or `second`.
    pub seat: &'static str,
    /// Whether they are present, between two people.
    pub present: Option<bool>,
    pub clock_runs: bool,
    pub to_move: bool,
    pub count: Option<usize>,
    pub clock: Option<ClockView>,
}

/// Remaining time.
pub struct ClockView {
    pub millis: u64,
    pub text: String,
}

/// Draws a piece of a player as SVG.
#[must_use]
pub fn piece_picture(pieces: Pieces, player: Player) -> String {
    let view = BoardView {
        game: String::new(),
        sides: vec![1, 1],
        pieces,
        marks: Marks::XO,
        properties: Properties {
            fills_up: true,
            passes: false,
            score_unit: ScoreUnit::Result,
        },
        names_squares: false,
        cells: vec![CellView {
            piece: Some(player),
            ..CellView::default()
        }],
        turn: player,
        counts: [0, 0],
        outcome: None,
        passed: false,
    };
    svg_board::cell(&view, 0, &DrawOptions::default())
}

/// Formats a time as `m:ss` or `h:mm:ss`, rounded up; two days or more as days and hours.
#[must_use]
pub fn clock_text(words: Messages, millis: u64) -> String {
    let seconds = millis.div_ceil(1000);
    match seconds {
        TWO_DAYS.. => words.with(
            "web-clock-left-days",
            [
                ("days", (seconds / 86400).to_string().into()),
                ("hours", (seconds / 3600 % 24).to_string().into()),
            ],
        ),
        3600.. => format!(
            "{}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        ),
        _ => format!("{}:{:02}", seconds / 60, seconds % 60),
    }
}

/// Seconds of two days.
const TWO_DAYS: u64 = 2 * 86400;

/// Returns the result as a sentence, with the counts where counting decides.
#[must_use]
pub fn result(words: Messages, view: &BoardView, outcome: Outcome) -> String {
    let Some(winner) = outcome.winner() else {
        return words.text("web-draw");
    };
    let side = messages::side(words, view.pieces, winner, view.marks);
    // A resignation has no final count.
    let by_count = view.properties.score_unit.is_discs() && view.outcome.is_some();
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
    words.with("web-side-wins", [("side", side.into())])
}

/// Returns the moves in the notation that the board shows: `h8 i9`, not the numbers of files.
#[must_use]
pub fn shown_moves(line: &dyn AnyLine) -> String {
    let game = line.game();
    let same = |mv: &Move| game.format_move(*mv) == game.show_move(*mv);
    if line.moves().iter().all(same) {
        line.text()
    } else {
        game.show_moves(line.moves())
    }
}

/// Returns the name of a side: X, Black.
#[must_use]
pub fn side_of(words: Messages, game: &AnyGame, player: Player) -> String {
    messages::side(words, game.pieces(), player, Marks::default())
}

/// Returns the last move as a sentence: "White plays f4, flipping three".
#[must_use]
pub fn last_move(words: Messages, view: &BoardView, line: &dyn AnyLine) -> Option<String> {
    let mv = *line.moves().last()?;
    let game = line.game();
    let mut before = line.clone_line();
    before.undo();
    let side = side_of(words, &game, before.turn());
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
        ("move", game.show_move(mv).into()),
        ("turned", (flipped as i64).into()),
    ];
    Some(words.with(key, values))
}

/// Returns the list of moves; without a ply the last one is current.
#[must_use]
pub fn move_list(line: &dyn AnyLine, ply: Option<usize>) -> Vec<MoveItem> {
    let game = line.game();
    let current = ply.unwrap_or(line.moves().len());
    (1..)
        .zip(line.moves())
        .map(|(ply, mv)| MoveItem {
            text: game.show_move(*mv),
            ply,
            is_current: ply == current,
        })
        .collect()
}
