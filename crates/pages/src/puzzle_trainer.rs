//! The puzzle trainer: today's puzzle, themes, and one puzzle played move by move.

use askama::Template;
use papan_catalog::puzzles::{self, Attempt, Puzzle, Rating, Theme, Verdict};
use papan_catalog::{AnyGame, AnyLine};
use papan_rules::Move;
use papan_view::svg_board::{self, DrawOptions, Overlay};
use papan_view::{BoardView, Messages, json, puzzle};
use serde::{Deserialize, Serialize};

use crate::board_grid::{BoardGrid, CellAction};
use crate::error::PageError;
use crate::game_title::game_title;
use crate::layout::{Layout, PageContext};
use crate::position_url::PositionUrl;

/// Points of rating by which easier and harder puzzles differ from the visitor.
const DIFFICULTY_STEP: f64 = 300.0;

/// A visitor's results with puzzles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PuzzleProgress {
    /// Glicko-2 rating.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// Its volatility.
    pub volatility: f64,
    /// Puzzles solved in a row without a wrong move.
    pub streak: u32,
    /// The longest streak.
    pub best_streak: u32,
    /// Puzzles solved without a wrong move.
    pub solved: u32,
    /// Puzzles with a wrong move.
    pub failed: u32,
    /// Puzzles that have a result, oldest first.
    pub seen: Vec<String>,
}

impl Default for PuzzleProgress {
    fn default() -> Self {
        let new = Rating::NEW;
        Self {
            rating: new.value,
            deviation: new.deviation,
            volatility: new.volatility,
            streak: 0,
            best_streak: 0,
            solved: 0,
            failed: 0,
            seen: Vec::new(),
        }
    }
}

impl PuzzleProgress {
    /// Records the first result of a visitor with a puzzle and returns the puzzle's new rating;
    /// `None` if it has a result already.
    pub fn record(&mut self, id: &str, puzzle: Rating, solved: bool) -> Option<Rating> {
        if self.seen.iter().any(|seen| seen == id) {
            return None;
        }
        let visitor = Rating {
            value: self.rating,
            deviation: self.deviation,
            volatility: self.volatility,
        };
        let (visitor, puzzle) = visitor.after(puzzle, solved);
        self.rating = visitor.value;
        self.deviation = visitor.deviation;
        self.volatility = visitor.volatility;
        if solved {
            self.solved += 1;
            self.streak += 1;
            self.best_streak = self.best_streak.max(self.streak);
        } else {
            self.failed += 1;
            self.streak = 0;
        }
        self.seen.push(id.into());
        Some(puzzle)
    }

    /// Returns the unseen puzzle of a choice whose rating is nearest to the visitor's, or to one that is
    /// easier or harder.
    #[must_use]
    pub fn next(&self, choice: &PuzzleChoice) -> Option<&'static Puzzle> {
        let fits = |puzzle: &&Puzzle| {
            choice.theme.as_deref().is_none_or(|name| {
                let mut themes = puzzle.themes.iter();
                themes.any(|theme| theme.name() == name)
            }) && choice
                .game
                .as_deref()
                .is_none_or(|game| puzzle.game == game)
        };
        let all = || puzzles::collection().iter().filter(fits);
        let wanted = match choice.difficulty {
            None => self.rating,
            Some(Difficulty::Easier) => self.rating - DIFFICULTY_STEP,
            Some(Difficulty::Harder) => self.rating + DIFFICULTY_STEP,
        };
        let distance = |puzzle: &&Puzzle| (f64::from(puzzle.rating) - wanted).abs() as u64;
        let unseen = all().filter(|puzzle| !self.seen.contains(&puzzle.id()));
        unseen
            .min_by_key(distance)
            .or_else(|| all().min_by_key(distance))
    }
}

/// Which puzzles a visitor wants.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PuzzleChoice {
    /// Name of a theme.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// Name of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The difficulty, unless it is the visitor's own strength.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
}

/// The difficulty of a puzzle, relative to the visitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// A lower rating than the visitor's.
    Easier,
    /// A higher one.
    Harder,
}

impl PuzzleChoice {
    /// Returns the address with these fields in its query.
    fn link(&self, path: &str) -> String {
        let query = serde_urlencoded::to_string(self).unwrap_or_default();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{path}{mark}{query}")
    }

    /// Returns the fields with their values, for a form.
    fn fields(&self) -> Vec<(String, String)> {
        let query = serde_urlencoded::to_string(self).unwrap_or_default();
        serde_urlencoded::from_str(&query).unwrap_or_default()
    }

    /// Returns the addresses of the next puzzle at each difficulty, with the names of the messages and
    /// whether it is the chosen one.
    fn difficulties(&self) -> [DifficultyLink; 3] {
        [
            (Some(Difficulty::Easier), "web-puzzle-easier"),
            (None, "web-puzzle-fitting"),
            (Some(Difficulty::Harder), "web-puzzle-harder"),
        ]
        .map(|(difficulty, key)| DifficultyLink {
            key,
            link: Self {
                difficulty,
                ..self.clone()
            }
            .link("/puzzles/next"),
            is_chosen: difficulty == self.difficulty,
        })
    }
}

/// A link to the next puzzle of a difficulty.
struct DifficultyLink {
    key: &'static str,
    link: String,
    is_chosen: bool,
}

/// The moves of an attempt in an address.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct AttemptQuery {
    /// The solver's moves so far.
    #[serde(default)]
    pub tried: String,
    /// The move that was wrong.
    pub wrong: Option<String>,
    /// A further move (in a form).
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Which puzzles the visitor solves.
    #[serde(flatten)]
    pub choice: PuzzleChoice,
}

impl AttemptQuery {
    /// Plays the moves.
    ///
    /// # Errors
    /// If the puzzle cannot be replayed or a text is no move of its game.
    pub fn play(&self, puzzle: &Puzzle, words: Messages) -> Result<Attempt, PageError> {
        let game: AnyGame = puzzle.game.parse().map_err(|_| PageError::Internal)?;
        let mut moves = Vec::new();
        let texts = self.tried.split_whitespace().chain(self.mv.as_deref());
        for text in texts.chain(self.wrong.as_deref()) {
            let mv = game.parse_move(text).map_err(|error| {
                let sentence = papan_view::messages::notation(words, &game, &error);
                PageError::Unusable(sentence)
            })?;
            moves.push(mv);
        }
        Attempt::new(puzzle, &moves).ok_or(PageError::Internal)
    }
}

/// Returns the address of the next puzzle of a choice, which is part of it.
#[must_use]
pub fn next_address(puzzle: &Puzzle, choice: &PuzzleChoice) -> String {
    choice.link(&format!("/puzzles/{}", puzzle.id()))
}

/// Returns the address of a puzzle after an attempt.
#[must_use]
pub fn address(puzzle: &Puzzle, attempt: &Attempt, choice: &PuzzleChoice) -> String {
    let game = attempt.line.game();
    let tried = attempt.played.iter().step_by(2);
    let tried: Vec<String> = tried.map(|mv| game.format_move(*mv)).collect();
    let mut fields = vec![("tried".to_owned(), tried.join(" "))];
    if let Verdict::Wrong(mv) = attempt.verdict {
        fields.push(("wrong".to_owned(), game.format_move(mv)));
    }
    fields.extend(choice.fields());
    fields.retain(|(_, value)| !value.is_empty());
    let query = serde_urlencoded::to_string(fields).unwrap_or_default();
    let path = format!("/puzzles/{}", puzzle.id());
    if query.is_empty() {
        path
    } else {
        format!("{path}?{query}")
    }
}

#[derive(Template)]
#[template(path = "puzzle_index.html")]
struct IndexPage {
    layout: Layout,
    today: Option<PuzzleCard>,
    themes: Vec<ChoiceLink>,
    games: Vec<ChoiceLink>,
    difficulties: [DifficultyLink; 3],
    standing: Standing,
}

struct PuzzleCard {
    link: String,
    title: String,
    task: String,
    picture: String,
}

/// A link to the next puzzle of a choice.
struct ChoiceLink {
    link: String,
    text: String,
    count: usize,
}

/// The visitor's results in words.
struct Standing {
    rating: String,
    streak: String,
}

impl Standing {
    fn new(words: Messages, progress: &PuzzleProgress) -> Self {
        let tried = progress.solved + progress.failed;
        Self {
            rating: words.with(
                "web-puzzle-rating",
                [
                    ("rating", format!("{:.0}", progress.rating).into()),
                    (
                        "deviation",
                        format!("{:.0}", 2.0 * progress.deviation).into(),
                    ),
                    ("solved", progress.solved.to_string().into()),
                    ("tried", tried.to_string().into()),
                ],
            ),
            streak: words.with(
                "web-puzzle-streak",
                [
                    ("streak", progress.streak.to_string().into()),
                    ("best", progress.best_streak.to_string().into()),
                ],
            ),
        }
    }
}

/// Renders the index.
///
/// # Errors
/// If a puzzle cannot be replayed.
pub fn index(
    context: &PageContext,
    progress: &PuzzleProgress,
    day: i64,
) -> Result<String, PageError> {
    let words = context.words;
    let card = |puzzle: &Puzzle| {
        let line = puzzle.line().ok_or(PageError::Internal)?;
        Ok::<_, PageError>(PuzzleCard {
            link: format!("/puzzles/{}", puzzle.id()),
            title: game_title(words, &puzzle.game),
            task: puzzle::task(words, puzzle, &*line),
            picture: svg_board::thumbnail(&BoardView::of(&*line)),
        })
    };
    let all = puzzles::collection();
    let themes = Theme::ALL.into_iter().map(|theme| ChoiceLink {
        link: format!("/puzzles/next?theme={}", theme.name()),
        text: puzzle::theme(words, theme),
        count: all.iter().filter(|p| p.themes.contains(&theme)).count(),
    });
    let games = puzzles::GENERATED.into_iter().map(|game| ChoiceLink {
        link: format!("/puzzles/next?game={}", game.replace(':', "%3A")),
        text: game_title(words, game),
        count: all.iter().filter(|puzzle| puzzle.game == game).count(),
    });
    let page = IndexPage {
        layout: Layout::new(context, words.text("web-puzzles"), "/puzzles"),
        today: puzzles::of_day(day).map(card).transpose()?,
        themes: themes.filter(|theme| theme.count > 0).collect(),
        games: games.filter(|game| game.count > 0).collect(),
        difficulties: PuzzleChoice::default().difficulties(),
        standing: Standing::new(words, progress),
    };
    Ok(page.render()?)
}

#[derive(Template)]
#[template(path = "puzzle_trainer.html")]
struct TrainerPage {
    layout: Layout,
    board: BoardGrid,
    /// Where moves are sent.
    action: String,
    tried: String,
    task: String,
    /// The verdict on the last move.
    verdict: Option<String>,
    wrong: bool,
    solved: bool,
    may_pass: bool,
    title: String,
    themes: Vec<String>,
    rating: u16,
    standing: Standing,
    /// The solution on the analysis page.
    solution: String,
    next: String,
    /// The choice, as fields of the form.
    choice: Vec<(String, String)>,
    difficulties: [DifficultyLink; 3],
}

/// Renders a puzzle with an attempt.
///
/// # Errors
/// If the puzzle cannot be replayed.
pub fn page(
    context: &PageContext,
    puzzle: &Puzzle,
    attempt: &Attempt,
    progress: &PuzzleProgress,
    choice: &PuzzleChoice,
    rating: u16,
) -> Result<String, PageError> {
    let words = context.words;
    let start = puzzle.line().ok_or(PageError::Internal)?;
    let line = &*attempt.line;
    let game = line.game();
    let mut overlays = vec![None; game.cells()];
    if let Verdict::Wrong(mv) = attempt.verdict
        && let Some(cell) = mv.cell()
    {
        overlays[cell] = Some(Overlay {
            lines: vec!["✗".into()],
            chosen: false,
        });
    }
    let solved = attempt.verdict == Verdict::Solved;
    let options = DrawOptions {
        legal: true,
        names: true,
        overlays,
        ..DrawOptions::default()
    };
    let board = BoardGrid::new(&BoardView::of(line), &options, words, |_, cell| {
        if cell.legal && !solved {
            CellAction::Submit("move")
        } else {
            CellAction::None
        }
    });
    let tried = attempt.played.iter().step_by(2);
    let tried: Vec<String> = tried.map(|mv| game.format_move(*mv)).collect();
    let title = words.with("web-puzzle-title", [("id", puzzle.id().into())]);
    let mut layout = Layout::new(context, title, format!("/puzzles/{}", puzzle.id()));
    layout.picture = Some(position(&*start).link("/analysis/board.png"));
    let page = TrainerPage {
        layout,
        board,
        action: format!("/puzzles/{}", puzzle.id()),
        tried: tried.join(" "),
        task: puzzle::task(words, puzzle, &*start),
        verdict: puzzle::verdict(words, &game, attempt),
        wrong: matches!(attempt.verdict, Verdict::Wrong(_)),
        solved,
        may_pass: !solved && line.legal_moves().contains(&Move::PASS),
        title: game_title(words, &puzzle.game),
        themes: puzzle
            .themes
            .iter()
            .map(|&t| puzzle::theme(words, t))
            .collect(),
        rating,
        standing: Standing::new(words, progress),
        solution: solution(puzzle, &*start),
        next: choice.link("/puzzles/next"),
        choice: choice.fields(),
        difficulties: choice.difficulties(),
    };
    Ok(page.render()?)
}

fn position(line: &dyn AnyLine) -> PositionUrl {
    PositionUrl {
        game: line.game().name(),
        moves: line.text(),
        ..PositionUrl::default()
    }
}

/// Returns the address of the solution, at the position of the puzzle.
fn solution(puzzle: &Puzzle, start: &dyn AnyLine) -> String {
    let mut whole = start.clone_line();
    for mv in puzzle.steps().unwrap_or_default() {
        if whole.play(mv).is_err() {
            break;
        }
    }
    let url = PositionUrl {
        ply: Some(start.moves().len()),
        ..position(&*whole)
    };
    url.link("/analysis")
}

/// Today's puzzle and the visitor's results as JSON.
#[derive(Serialize)]
pub struct IndexView {
    today: Option<json::Puzzle>,
    count: usize,
    rating: f64,
    streak: u32,
    solved: u32,
    failed: u32,
}

impl IndexView {
    /// Creates the view.
    #[must_use]
    pub fn new(progress: &PuzzleProgress, day: i64) -> Self {
        let today = puzzles::of_day(day);
        Self {
            today: today.and_then(|puzzle| Some(json::Puzzle::new(puzzle, &*puzzle.line()?))),
            count: puzzles::collection().len(),
            rating: progress.rating.round(),
            streak: progress.streak,
            solved: progress.solved,
            failed: progress.failed,
        }
    }
}

/// An attempt as JSON.
///
/// # Errors
/// If the puzzle cannot be replayed.
pub fn attempt_json(puzzle: &Puzzle, attempt: &Attempt) -> Result<json::PuzzleAttempt, PageError> {
    let line = puzzle.line().ok_or(PageError::Internal)?;
    Ok(json::PuzzleAttempt::new(puzzle, &*line, attempt))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_result_with_a_puzzle_counts() {
        let mut progress = PuzzleProgress::default();
        let puzzle = Rating::of_puzzle(1200);
        assert!(progress.record("a", puzzle, true).is_some());
        let after = progress.rating;
        assert!(after > PuzzleProgress::default().rating);
        assert_eq!(progress.record("a", puzzle, false), None);
        assert_eq!((progress.rating, progress.streak), (after, 1));
        assert!(progress.record("b", puzzle, false).is_some());
        assert_eq!((progress.streak, progress.best_streak), (0, 1));
    }

    #[test]
    fn the_next_puzzle_fits_the_choice_and_is_new() {
        let mut progress = PuzzleProgress::default();
        let choice = PuzzleChoice {
            theme: Some("fork".into()),
            ..PuzzleChoice::default()
        };
        let mut seen = std::collections::HashSet::new();
        for _ in 0..20 {
            let puzzle = progress.next(&choice).unwrap();
            assert!(puzzle.themes.contains(&Theme::Fork));
            assert!(seen.insert(puzzle.id()));
            progress.record(&puzzle.id(), Rating::of_puzzle(puzzle.rating), true);
        }
    }

    #[test]
    fn every_puzzle_comes_once_before_any_comes_again() {
        let mut progress = PuzzleProgress::default();
        let mut seen = std::collections::HashSet::new();
        for _ in puzzles::collection() {
            let puzzle = progress.next(&PuzzleChoice::default()).unwrap();
            assert!(seen.insert(puzzle.id()), "{puzzle}");
            progress.record(&puzzle.id(), Rating::of_puzzle(puzzle.rating), false);
        }
    }

    #[test]
    fn easier_and_harder_puzzles_are_below_and_above_the_rating() {
        let progress = PuzzleProgress::default();
        let next = |difficulty| {
            let choice = PuzzleChoice {
                difficulty,
                ..PuzzleChoice::default()
            };
            f64::from(progress.next(&choice).unwrap().rating)
        };
        assert!((next(None) - progress.rating).abs() < 50.0);
        assert!(next(Some(Difficulty::Easier)) < progress.rating - 200.0);
        assert!(next(Some(Difficulty::Harder)) > progress.rating + 200.0);
    }

    #[test]
    fn a_choice_is_kept_from_puzzle_to_puzzle() {
        let query = "tried=5&theme=fork&difficulty=harder";
        let attempt: AttemptQuery = serde_urlencoded::from_str(query).unwrap();
        assert_eq!(
            attempt.choice.link("/puzzles/next"),
            "/puzzles/next?theme=fork&difficulty=harder"
        );
        assert_eq!(
            PuzzleChoice::default().link("/puzzles/next"),
            "/puzzles/next"
        );
    }
}
