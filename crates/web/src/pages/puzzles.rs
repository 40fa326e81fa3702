//! The pages of the daily puzzles: the list, and one puzzle with a tried answer.

use askama::Template;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::AnyLine;
use papan_rules::Move;
use papan_view::svg_board::{self, DrawOptions, Overlay};
use papan_view::{BoardView, Messages, MoveNotation, messages};
use serde::{Deserialize, Serialize};

use crate::analysis::puzzles::{Puzzle, SOURCES, Task};
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::pages::board_grid::{BoardGrid, CellAction};
use crate::pages::game::{game_title, side_of};
use crate::pages::layout::Layout;
use crate::pages::position_url::PositionUrl;
use crate::state::AppState;

/// Days whose puzzles are available.
const DAYS_BACK: i64 = 30;

#[derive(Template)]
#[template(path = "puzzles.html")]
struct PuzzlesPage {
    layout: Layout,
    puzzles: Vec<PuzzleCard>,
}

struct PuzzleCard {
    link: String,
    level: String,
    title: String,
    task: String,
    picture: String,
}

#[derive(Template)]
#[template(path = "puzzle.html")]
struct PuzzlePage {
    layout: Layout,
    board: BoardGrid,
    task: String,
    /// The verdict on the tried move.
    verdict: Option<AnswerVerdict>,
    again: String,
    analysis: String,
    pass: Option<String>,
    before: Option<String>,
    after: Option<String>,
    next: Option<String>,
}

/// The verdict on a tried move.
struct AnswerVerdict {
    text: String,
    is_right: bool,
}

fn task(words: Messages, puzzle: &Puzzle, line: &dyn AnyLine) -> String {
    let key = match puzzle.task {
        Task::Win => "web-puzzle-win",
        Task::Hold => "web-puzzle-hold",
    };
    let side = side_of(words, &line.game(), line.turn());
    words.with(key, [("side", side.into())])
}

/// `GET /puzzles`.
pub(crate) async fn puzzles(
    State(app): State<AppState>,
    client: Client,
) -> Result<Response, Rejection> {
    let words = client.words;
    let day = app.puzzles.today();
    let mut cards = Vec::new();
    let mut views = Vec::new();
    for (level, source) in SOURCES.iter().enumerate() {
        // A level whose puzzle cannot be generated now is skipped.
        let Ok(puzzle) = app.puzzles.get(client.address, day, level).await else {
            continue;
        };
        let line = puzzle.line().ok_or(Rejection::Internal)?;
        cards.push(PuzzleCard {
            link: format!("/puzzles/{day}/{}", source.name),
            level: words.text(&format!("web-puzzle-{}", source.name)),
            title: game_title(words, &puzzle.game),
            task: task(words, &puzzle, &*line),
            picture: svg_board::thumbnail(&BoardView::of(&*line)),
        });
        views.push(PuzzleView::new(&puzzle, day, level, &*line));
    }
    if client.format == ResponseFormat::Json {
        return Ok(Json(PuzzlesView { puzzles: views }).into_response());
    }
    let page = PuzzlesPage {
        layout: Layout::new(&client, words.text("web-puzzles"), "/puzzles"),
        puzzles: cards,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}

/// The puzzles of a day as JSON.
#[derive(Serialize)]
struct PuzzlesView {
    puzzles: Vec<PuzzleView>,
}

/// A puzzle as JSON, without its answer.
#[derive(Serialize)]
struct PuzzleView {
    day: i64,
    level: &'static str,
    game: String,
    position: String,
    moves: Vec<String>,
    task: Task,
}

impl PuzzleView {
    fn new(puzzle: &Puzzle, day: i64, level: usize, line: &dyn AnyLine) -> Self {
        Self {
            day,
            level: SOURCES[level].name,
            game: puzzle.game.clone(),
            position: line.position_text(),
            moves: puzzle.moves.clone(),
            task: puzzle.task,
        }
    }
}

/// A puzzle and the verdict on a tried move, as JSON.
#[derive(Serialize)]
struct AnsweredView {
    #[serde(flatten)]
    puzzle: PuzzleView,
    /// `null` if no move was tried.
    right: Option<bool>,
}

#[derive(Deserialize)]
pub(crate) struct AnswerQuery {
    #[serde(rename = "move")]
    mv: Option<String>,
}

/// `GET /puzzles/{day}/{level}`.
pub(crate) async fn puzzle(
    State(app): State<AppState>,
    client: Client,
    Path((day, level)): Path<(i64, String)>,
    Query(query): Query<AnswerQuery>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let level = SOURCES
        .iter()
        .position(|source| source.name == level)
        .ok_or(Rejection::NotFound)?;
    let today = app.puzzles.today();
    if !(today - DAYS_BACK..=today).contains(&day) {
        return Err(Rejection::NotFound);
    }
    let puzzle = app.puzzles.get(client.address, day, level).await?;
    let mut line = puzzle.line().ok_or(Rejection::Internal)?;
    let game = line.game();
    let task = task(words, &puzzle, &*line);
    let puzzle_url = |day: i64, level: usize| format!("/puzzles/{day}/{}", SOURCES[level].name);
    let mv = match query.mv.as_deref().filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => {
            let mv = game.parse_move(text);
            let mv =
                mv.map_err(|error| Rejection::Unusable(messages::notation(words, &game, &error)))?;
            if let Err(why) = line.check_move(mv) {
                let sentence = messages::illegal(words, &*line, MoveNotation::Usual, mv, why);
                return Err(Rejection::Unusable(sentence));
            }
            Some(mv)
        }
    };
    let right = mv.map(|mv| game.format_move(mv) == puzzle.answer);
    if client.format == ResponseFormat::Json {
        let puzzle = PuzzleView::new(&puzzle, day, level, &*line);
        return Ok(Json(AnsweredView { puzzle, right }).into_response());
    }
    let try_link = |mv: Move| format!("{}?move={}", puzzle_url(day, level), game.format_move(mv));
    let pass = line.legal_moves().contains(&Move::PASS);
    let analysis = PositionUrl {
        game: game.name(),
        moves: line.text(),
        ..PositionUrl::default()
    };
    let mut overlays = vec![None; game.cells()];
    if let (Some(mv), Some(false)) = (mv, right) {
        if let Some(cell) = mv.cell() {
            overlays[cell] = Some(Overlay {
                lines: vec!["✗".into()],
                chosen: false,
            });
        }
    } else if let Some(mv) = mv {
        line.play(mv).map_err(|_| Rejection::Internal)?;
    }
    let options = DrawOptions {
        legal: true,
        names: true,
        overlays,
        ..DrawOptions::default()
    };
    let solved = right == Some(true);
    let board = BoardGrid::new(&BoardView::of(&*line), &options, words, |index, cell| {
        if cell.legal && !solved {
            CellAction::Link(try_link(Move::on(index)))
        } else {
            CellAction::None
        }
    });
    let verdict = right.map(|right| {
        let key = if right {
            "web-puzzle-right"
        } else {
            "web-puzzle-wrong"
        };
        let tried = mv.map_or_else(String::new, |mv| game.show_move(mv));
        AnswerVerdict {
            text: words.with(key, [("move", tried.into())]),
            is_right: right,
        }
    });
    let level_name = words.text(&format!("web-puzzle-{}", SOURCES[level].name));
    let title = format!("{}: {level_name}", words.text("web-puzzles"));
    let page = PuzzlePage {
        layout: Layout::new(&client, title, puzzle_url(day, level)),
        board,
        task,
        verdict,
        again: puzzle_url(day, level),
        analysis: analysis.link("/analysis"),
        pass: (pass && !solved).then(|| try_link(Move::PASS)),
        before: (day > today - DAYS_BACK).then(|| puzzle_url(day - 1, level)),
        after: (day < today).then(|| puzzle_url(day + 1, level)),
        next: (solved && level + 1 < SOURCES.len()).then(|| puzzle_url(day, level + 1)),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}
