//! The pages of puzzles: today's, and one with its answer tried on the board.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::AnyLine;
use papan_rules::Move;
use papan_view::svg_board::{self, DrawOptions, Overlay};
use papan_view::{BoardView, Messages, messages};
use serde::{Deserialize, Serialize};

use crate::analysis::puzzles::{Puzzle, SOURCES, Task};
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::pages::board_grid::{BoardGrid, Touch};
use crate::pages::game::{game_title, side_of};
use crate::pages::layout::Layout;
use crate::pages::position_url::PositionUrl;
use crate::state::AppState;

/// Days that can be gone back.
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
    /// What became of the move that was tried, and whether it was right.
    verdict: Option<(String, bool)>,
    again: String,
    analysis: String,
    pass: Option<String>,
    before: Option<String>,
    after: Option<String>,
    next: Option<String>,
}

fn task(words: Messages, puzzle: &Puzzle, line: &dyn AnyLine) -> String {
    let key = match puzzle.task {
        Task::Win => "web-puzzle-win",
        Task::Hold => "web-puzzle-hold",
    };
    let side = side_of(words, &line.game(), line.turn());
    words.with(key, [("side", side.into())])
}

pub(crate) async fn puzzles(
    State(app): State<Arc<AppState>>,
    client: Client,
) -> Result<Response, Rejection> {
    let words = client.words;
    let day = app.today();
    let mut cards = Vec::new();
    let mut found = Vec::new();
    for (level, source) in SOURCES.iter().enumerate() {
        // A level whose puzzle cannot be made right now is there the next time.
        let Ok(puzzle) = app.puzzle(client.address, day, level).await else {
            continue;
        };
        let line = puzzle.line().ok_or(Rejection::Broken)?;
        cards.push(PuzzleCard {
            link: format!("/puzzles/{day}/{}", source.name),
            level: words.text(&format!("web-puzzle-{}", source.name)),
            title: game_title(words, &puzzle.game),
            task: task(words, &puzzle, &*line),
            picture: svg_board::thumbnail(&BoardView::of(&*line)),
        });
        found.push(Posed::of(&puzzle, day, level, &*line));
    }
    if client.format == ResponseFormat::Json {
        return Ok(Json(Puzzles { puzzles: found }).into_response());
    }
    let page = PuzzlesPage {
        layout: Layout::new(&client, words.text("web-puzzles"), "/puzzles"),
        puzzles: cards,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

/// The puzzles of a day, as JSON.
#[derive(Serialize)]
struct Puzzles {
    puzzles: Vec<Posed>,
}

/// A puzzle as JSON, without its answer.
#[derive(Serialize)]
struct Posed {
    day: i64,
    level: &'static str,
    game: String,
    position: String,
    moves: Vec<String>,
    task: Task,
}

impl Posed {
    fn of(puzzle: &Puzzle, day: i64, level: usize, line: &dyn AnyLine) -> Self {
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

/// A puzzle and whether a move is its answer, as JSON.
#[derive(Serialize)]
struct Answered {
    #[serde(flatten)]
    puzzle: Posed,
    /// Nothing where no move was tried.
    right: Option<bool>,
}

#[derive(Deserialize)]
pub(crate) struct Tried {
    #[serde(rename = "move")]
    mv: Option<String>,
}

pub(crate) async fn puzzle(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path((day, level)): Path<(i64, String)>,
    Query(tried): Query<Tried>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let mut levels = SOURCES.iter();
    let level = levels.position(|source| source.name == level);
    let level = level.ok_or(Rejection::NotFound)?;
    let today = app.today();
    if !(today - DAYS_BACK..=today).contains(&day) {
        return Err(Rejection::NotFound);
    }
    let puzzle = app.puzzle(client.address, day, level).await?;
    let mut line = puzzle.line().ok_or(Rejection::Broken)?;
    let game = line.game();
    let task = task(words, &puzzle, &*line);
    let here = |day: i64, level: usize| format!("/puzzles/{day}/{}", SOURCES[level].name);
    let mv = match tried.mv.as_deref().filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => {
            let mv = game.parse_move(text);
            let mv =
                mv.map_err(|error| Rejection::Unusable(messages::notation(words, &game, &error)))?;
            if let Err(why) = line.check_move(mv) {
                let sentence = messages::illegal(words, &*line, mv, why);
                return Err(Rejection::Unusable(sentence));
            }
            Some(mv)
        }
    };
    let right = mv.map(|mv| game.format_move(mv) == puzzle.answer);
    if client.format == ResponseFormat::Json {
        let puzzle = Posed::of(&puzzle, day, level, &*line);
        return Ok(Json(Answered { puzzle, right }).into_response());
    }
    let try_link = |mv: Move| format!("{}?move={}", here(day, level), game.format_move(mv));
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
        line.play(mv).map_err(|_| Rejection::Broken)?;
    }
    let look = DrawOptions {
        legal: true,
        names: true,
        overlays,
        ..DrawOptions::default()
    };
    let solved = right == Some(true);
    let board = BoardGrid::new(&BoardView::of(&*line), &look, words, |index, cell| {
        match cell.legal && !solved {
            true => Touch::Go(try_link(Move::on(index))),
            false => Touch::Nothing,
        }
    });
    let verdict = right.map(|right| {
        let key = if right {
            "web-puzzle-right"
        } else {
            "web-puzzle-wrong"
        };
        let tried = mv.map_or_else(String::new, |mv| game.show_move(mv));
        (words.with(key, [("move", tried.into())]), right)
    });
    let level_name = words.text(&format!("web-puzzle-{}", SOURCES[level].name));
    let title = format!("{}: {level_name}", words.text("web-puzzles"));
    let page = PuzzlePage {
        layout: Layout::new(&client, title, here(day, level)),
        board,
        task,
        verdict,
        again: here(day, level),
        analysis: analysis.link("/analysis"),
        pass: (pass && !solved).then(|| try_link(Move::PASS)),
        before: (day > today - DAYS_BACK).then(|| here(day - 1, level)),
        after: (day < today).then(|| here(day + 1, level)),
        next: (solved && level + 1 < SOURCES.len()).then(|| here(day, level + 1)),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}
