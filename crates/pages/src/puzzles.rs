//! The pages of the daily puzzles: the list, and one puzzle with a tried answer.

use askama::Template;
use papan_analysis::puzzle::{Puzzle, SOURCES, Task};
use papan_catalog::AnyLine;
use papan_rules::Move;
use papan_view::svg_board::{self, DrawOptions, Overlay};
use papan_view::{BoardView, Messages, MoveNotation, messages};
use serde::{Deserialize, Serialize};

use crate::board_grid::{BoardGrid, CellAction};
use crate::error::PageError;
use crate::game::side_of;
use crate::game_title::game_title;
use crate::layout::{Layout, PageContext};
use crate::position_url::PositionUrl;

/// Days whose puzzles are available.
pub const DAYS_BACK: i64 = 30;

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

/// The puzzle of a level on a day.
pub struct DailyPuzzle {
    /// Days since the Unix epoch.
    pub day: i64,
    /// The level, as in [`SOURCES`].
    pub level: usize,
    /// The puzzle.
    pub puzzle: Puzzle,
}

impl DailyPuzzle {
    fn line(&self) -> Result<Box<dyn AnyLine>, PageError> {
        self.puzzle.line().ok_or(PageError::Internal)
    }
}

/// Renders the list.
///
/// # Errors
/// If a puzzle cannot be replayed.
pub fn list(context: &PageContext, puzzles: &[DailyPuzzle]) -> Result<String, PageError> {
    let words = context.words;
    let card = |daily: &DailyPuzzle| {
        let line = daily.line()?;
        let name = SOURCES[daily.level].name;
        Ok(PuzzleCard {
            link: url(daily.day, daily.level),
            level: words.text(&format!("web-puzzle-{name}")),
            title: game_title(words, &daily.puzzle.game),
            task: task(words, &daily.puzzle, &*line),
            picture: svg_board::thumbnail(&BoardView::of(&*line)),
        })
    };
    let page = PuzzlesPage {
        layout: Layout::new(context, words.text("web-puzzles"), "/puzzles"),
        puzzles: puzzles.iter().map(card).collect::<Result<_, PageError>>()?,
    };
    Ok(page.render()?)
}

/// Returns the address of a puzzle.
fn url(day: i64, level: usize) -> String {
    format!("/puzzles/{day}/{}", SOURCES[level].name)
}

/// The puzzles of a day as JSON.
#[derive(Serialize)]
pub struct PuzzlesView {
    puzzles: Vec<PuzzleView>,
}

impl PuzzlesView {
    /// Creates the view.
    ///
    /// # Errors
    /// If a puzzle cannot be replayed.
    pub fn new(puzzles: &[DailyPuzzle]) -> Result<Self, PageError> {
        let view = |daily: &DailyPuzzle| Ok(PuzzleView::new(daily, &*daily.line()?));
        let puzzles = puzzles.iter().map(view).collect::<Result<_, PageError>>()?;
        Ok(Self { puzzles })
    }
}

/// A puzzle as JSON, without its answer.
#[derive(Serialize)]
pub struct PuzzleView {
    day: i64,
    level: &'static str,
    game: String,
    position: String,
    moves: Vec<String>,
    task: Task,
}

impl PuzzleView {
    fn new(daily: &DailyPuzzle, line: &dyn AnyLine) -> Self {
        let puzzle = &daily.puzzle;
        Self {
            day: daily.day,
            level: SOURCES[daily.level].name,
            game: puzzle.game.clone(),
            position: line.position_text(),
            moves: puzzle.moves.clone(),
            task: puzzle.task,
        }
    }
}

/// A puzzle and the verdict on a tried move, as JSON.
#[derive(Serialize)]
pub struct AnsweredView {
    #[serde(flatten)]
    puzzle: PuzzleView,
    /// `null` if no move was tried.
    right: Option<bool>,
}

/// The tried move in an address.
#[derive(Deserialize)]
pub struct AnswerQuery {
    #[serde(rename = "move")]
    mv: Option<String>,
}

/// A puzzle with the tried move.
pub struct Attempt {
    daily: DailyPuzzle,
    line: Box<dyn AnyLine>,
    mv: Option<Move>,
}

impl Attempt {
    /// Parses the tried move.
    ///
    /// # Errors
    /// If it is not a legal move, with a localized reason.
    pub fn parse(
        daily: DailyPuzzle,
        query: &AnswerQuery,
        words: Messages,
    ) -> Result<Self, PageError> {
        let line = daily.line()?;
        let game = line.game();
        let mv = match query.mv.as_deref().filter(|text| !text.is_empty()) {
            None => None,
            Some(text) => {
                let mv = game.parse_move(text);
                let mv = mv.map_err(|error| {
                    PageError::Unusable(messages::notation(words, &game, &error))
                })?;
                if let Err(why) = line.check_move(mv) {
                    let sentence = messages::illegal(words, &*line, MoveNotation::Usual, mv, why);
                    return Err(PageError::Unusable(sentence));
                }
                Some(mv)
            }
        };
        Ok(Self { daily, line, mv })
    }

    /// Returns whether the tried move is the answer.
    fn is_right(&self) -> Option<bool> {
        let answer = &self.daily.puzzle.answer;
        let mv = self.mv?;
        Some(self.line.game().format_move(mv) == *answer)
    }

    /// Returns the verdict as JSON.
    #[must_use]
    pub fn json(&self) -> AnsweredView {
        AnsweredView {
            puzzle: PuzzleView::new(&self.daily, &*self.line),
            right: self.is_right(),
        }
    }
}

/// Returns the level of a name.
#[must_use]
pub fn level(name: &str) -> Option<usize> {
    SOURCES.iter().position(|source| source.name == name)
}

/// Renders a puzzle with the verdict on the tried move.
///
/// # Errors
/// If the template fails.
pub fn page(context: &PageContext, attempt: &Attempt, today: i64) -> Result<String, PageError> {
    let words = context.words;
    let (day, level) = (attempt.daily.day, attempt.daily.level);
    let mut line = attempt.line.clone_line();
    let game = line.game();
    let task = task(words, &attempt.daily.puzzle, &*line);
    let (mv, right) = (attempt.mv, attempt.is_right());
    let try_link = |mv: Move| format!("{}?move={}", url(day, level), game.format_move(mv));
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
        line.play(mv).map_err(|_| PageError::Internal)?;
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
        layout: Layout::new(context, title, url(day, level)),
        board,
        task,
        verdict,
        again: url(day, level),
        analysis: analysis.link("/analysis"),
        pass: (pass && !solved).then(|| try_link(Move::PASS)),
        before: (day > today - DAYS_BACK).then(|| url(day - 1, level)),
        after: (day < today).then(|| url(day + 1, level)),
        next: (solved && level + 1 < SOURCES.len()).then(|| url(day, level + 1)),
    };
    Ok(page.render()?)
}
