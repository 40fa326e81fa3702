//! The review of a game: evaluation curve, mistakes, and better moves.
//!
//! The page polls until every position is evaluated.

use askama::Template;
use papan_catalog::review::{Judgement, PositionAnalysis};
use papan_catalog::{AnyGame, AnyLine, StrategySpec, advisor, opening};
use papan_rules::{Move, Player};
use papan_view::json;
use papan_view::review::{GameReview, ReviewRow};
use papan_view::svg_board::{DrawOptions, Overlay};
use papan_view::{BoardView, Messages, messages};
use serde::Serialize;

use crate::analysis::{counts, status};
use crate::board_grid::{BoardGrid, CellAction};
use crate::error::PageError;
use crate::evaluation_bar::bar;
use crate::game_title::game_title;
use crate::games::Games;
use crate::layout::{Layout, PageContext};
use crate::position_url::PositionUrl;
use crate::walk::{Step, StepBuilder};

/// Reload interval without scripts, in seconds.
const RELOAD_SECONDS: u32 = 2;

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewPage {
    layout: Layout,
    strategy: String,
    done: usize,
    positions: usize,
    failure: Option<String>,
    status: String,
    /// Opening, result and counts in one line.
    details: String,
    walk: Vec<Step>,
    sides: Vec<String>,
    /// Evaluation bar of the position shown.
    bar: Option<String>,
    curve: String,
    curve_help: String,
    rows: Vec<Row>,
    analysis: String,
    /// URL of a second try at the move shown, if it is graded.
    again: Option<String>,
    /// URL of the review, during a second try.
    back: Option<String>,
    board: BoardGrid,
}

/// A reviewed move.
struct Row {
    text: ReviewRow,
    link: String,
    /// URL of the better line.
    better: Option<String>,
    current: bool,
}

/// The state of a review as JSON: the output of `papan review`, and its progress.
#[derive(Serialize)]
pub struct ReviewView {
    done: usize,
    positions: usize,
    failure: Option<String>,
    #[serde(flatten)]
    review: json::Review,
}

/// A review as far as it is known.
pub struct ReviewProgress {
    /// The strategy that evaluates.
    pub strategy: StrategySpec,
    /// Evaluations of all positions, from the first; the last ones are made first.
    pub insights: Vec<Option<PositionAnalysis>>,
    /// Why the review cannot be finished, localized.
    pub failure: Option<String>,
}

impl ReviewProgress {
    /// Returns the number of evaluated positions.
    fn evaluated(&self) -> usize {
        self.insights.iter().flatten().count()
    }

    fn is_done(&self) -> bool {
        self.evaluated() == self.insights.len()
    }
}

/// A line of play to review, and the ply that is shown.
pub struct ReviewRequest {
    url: PositionUrl,
    line: Box<dyn AnyLine>,
    ply: usize,
    /// The move tried instead of the one shown.
    tried: Option<Retry>,
}

/// A second try at a graded move.
#[derive(Clone, Copy)]
enum Retry {
    /// No move has been tried.
    Asked,
    /// This move was tried.
    Tried(Move),
}

impl ReviewRequest {
    /// Parses the address.
    ///
    /// # Errors
    /// If the game, the start position or a move is invalid.
    pub fn parse(url: PositionUrl, games: &dyn Games, words: Messages) -> Result<Self, PageError> {
        let line = url.line(games, words)?;
        let last = line.moves().len();
        let tried = url.tried.as_deref().filter(|text| !text.is_empty());
        let tried = tried.map(|text| match text {
            "?" => Ok(Retry::Asked),
            text => line.game().parse_move(text).map(Retry::Tried),
        });
        let tried = tried.transpose().map_err(|error| {
            PageError::Unusable(messages::notation(words, &line.game(), &error))
        })?;
        Ok(Self {
            tried,
            ply: url.ply.unwrap_or(last).min(last),
            url: PositionUrl {
                game: line.game().name(),
                moves: line.text(),
                start: url.start,
                ..PositionUrl::default()
            },
            line,
        })
    }

    /// Returns the line of play.
    #[must_use]
    pub fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// Returns the start position, unless it is the game's own.
    #[must_use]
    pub fn start(&self) -> Option<&str> {
        self.url.start.as_deref()
    }
}

/// Returns the review as JSON.
#[must_use]
pub fn view(request: &ReviewRequest, review: &ReviewProgress) -> ReviewView {
    let line = &*request.line;
    let reviewed = GameReview::new(line, review.strategy.to_string(), &review.insights);
    ReviewView {
        done: review.evaluated(),
        positions: review.insights.len(),
        failure: review.failure.clone(),
        review: json::Review::new(&reviewed),
    }
}

/// Renders the page.
///
/// # Errors
/// If the template fails.
pub fn page(
    context: &PageContext,
    request: &ReviewRequest,
    review: &ReviewProgress,
) -> Result<String, PageError> {
    let words = context.words;
    let ReviewRequest { url, line, ply, .. } = request;
    let ply = *ply;
    let game = line.game();
    let last = line.moves().len();
    let reviewed = GameReview::new(&**line, review.strategy.to_string(), &review.insights);
    let judgements = &reviewed.judgements;
    let at = |ply: usize| {
        let url = PositionUrl {
            ply: (ply < last).then_some(ply),
            ..url.clone()
        };
        url.link("/review")
    };
    let title = game_title(words, &game.name());
    let title = format!("{}: {title}", words.text("web-review"));
    let mut layout = Layout::new(context, title, at(ply));
    let shown = PositionUrl {
        ply: (ply < last).then_some(ply),
        ..url.clone()
    };
    layout.picture = Some(shown.link("/analysis/board.png"));
    let failure = review.failure.clone();
    let waits = !review.is_done() && failure.is_none();
    layout.reload = waits.then_some(RELOAD_SECONDS);
    let mut here = line.clone_line();
    while here.moves().len() > ply {
        here.undo();
    }
    let move_here = ply.checked_sub(1).and_then(|index| judgements.get(index));
    let retry_link = |tried: String| {
        let url = PositionUrl {
            ply: Some(ply),
            tried: Some(tried),
            ..url.clone()
        };
        url.link("/review")
    };
    let graded = move_here.filter(|judgement| judgement.grade.is_some());
    let retry = request.tried.zip(graded).and_then(|(retry, judgement)| {
        let insight = review.insights.get(ply - 1)?.as_ref()?;
        here.undo();
        Some((retry, judgement, insight))
    });
    let view = BoardView::of(&*here);
    let curve = reviewed.curve(Some(ply));
    let page = ReviewPage {
        // Its parameters are for programs.
        strategy: review.strategy.info().name.to_owned(),
        done: review.evaluated(),
        positions: review.insights.len(),
        failure,
        status: match (retry, move_here) {
            (Some((retry, judgement, insight)), _) => {
                retry_status(words, &game, retry, judgement, insight)
            }
            (_, Some(_)) => reviewed.sentence(ply, words),
            (_, None) => status(words, &view),
        },
        details: [
            opening(&*here).map(|name| words.with("opening", [("name", name.into())])),
            view.outcome.map(|_| status(words, &view)),
            counts(words, &view),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" · "),
        walk: walk(words, ply, judgements, at),
        // Before the end nothing is known of the first moves.
        sides: if waits {
            Vec::new()
        } else {
            reviewed.sides(words)
        },
        bar: reviewed.values.get(ply).copied().flatten().map(|score| {
            // From the first player's side, as in the curve.
            bar(words, &game, Player::First, score)
        }),
        curve: curve.draw(at),
        curve_help: curve.help(words, &game),
        analysis: analysis_url(url, &*here, move_here),
        again: graded
            .filter(|_| retry.is_none())
            .map(|_| retry_link("?".into())),
        back: retry.map(|_| at(ply)),
        board: match retry {
            Some((retry, ..)) => {
                retry_board(words, &view, retry, |mv| retry_link(game.format_move(mv)))
            }
            None => board(words, &view, move_here),
        },
        rows: (1..=judgements.len())
            .map(|number| row(words, &reviewed, number, url, number == ply))
            .collect(),
        layout,
    };
    Ok(page.render()?)
}

/// Returns the task of a second try, or the verdict on the move that was tried.
fn retry_status(
    words: Messages,
    game: &AnyGame,
    retry: Retry,
    judgement: &Judgement,
    insight: &PositionAnalysis,
) -> String {
    let played = game.show_move(judgement.mv);
    let Retry::Tried(mv) = retry else {
        return words.with("review-retry", [("move", played.into())]);
    };
    let name = game.show_move(mv);
    let best = insight.best == Some(mv);
    let key = match insight.grade(mv, None) {
        _ if best => "review-retry-best".into(),
        Some(grade) => format!("review-retry-{}", grade.name()),
        None if insight.score_of(mv).is_some() => "review-retry-good".into(),
        None => "review-retry-unknown".into(),
    };
    words.with(&key, [("move", name.into())])
}

/// Returns the board before a graded move, on which another one can be tried.
fn retry_board(
    words: Messages,
    view: &BoardView,
    retry: Retry,
    link: impl Fn(Move) -> String,
) -> BoardGrid {
    let mut overlays = vec![None; view.cells.len()];
    if let Retry::Tried(mv) = retry
        && let Some(cell) = mv.cell().filter(|&cell| cell < overlays.len())
    {
        overlays[cell] = Some(Overlay {
            lines: vec!["•".into()],
            chosen: true,
        });
    }
    let options = DrawOptions {
        legal: true,
        overlays,
        ..DrawOptions::default()
    };
    BoardGrid::new(view, &options, words, |index, cell| {
        if cell.legal {
            CellAction::Link(link(Move::on(index)))
        } else {
            CellAction::None
        }
    })
}

/// Returns the board after a move, with the better move marked.
fn board(words: Messages, view: &BoardView, judgement: Option<&Judgement>) -> BoardGrid {
    let mut overlays = vec![None; view.cells.len()];
    if let Some(cell) = judgement.and_then(|judgement| judgement.better()?.cell()) {
        overlays[cell] = Some(Overlay {
            lines: vec!["✓".into()],
            chosen: true,
        });
    }
    let options = DrawOptions {
        names: true,
        overlays,
        ..DrawOptions::default()
    };
    BoardGrid::new(view, &options, words, |_, _| CellAction::None)
}

/// Returns the URL of the analysis: before the move if it was a mistake, else after it.
fn analysis_url(url: &PositionUrl, here: &dyn AnyLine, judgement: Option<&Judgement>) -> String {
    let ply = here.moves().len();
    let mistake = judgement.is_some_and(|judgement| judgement.grade.is_some());
    let url = PositionUrl {
        ply: Some(ply - usize::from(mistake)),
        strategy: (mistake || here.outcome().is_none()).then(|| advisor(&here.game()).to_string()),
        ..url.clone()
    };
    url.link("/analysis")
}

/// Returns the steps through the moves and from mistake to mistake.
fn walk(
    words: Messages,
    ply: usize,
    judgements: &[Judgement],
    at: impl Fn(usize) -> String,
) -> Vec<Step> {
    let builder = StepBuilder { words, link: at };
    let last = judgements.len();
    let mut mistakes = (1..)
        .zip(judgements)
        .filter(|(_, judgement)| judgement.grade.is_some())
        .map(|(number, _)| number);
    let before = mistakes.clone().take_while(|number| *number < ply).last();
    let after = mistakes.find(|number| *number > ply);
    let [first, back, forward, end] = builder.steps(ply, last);
    let mistake_back = builder.step("✗‹", "web-walk-mistake-back", "mistake-back", before);
    let mistake_on = builder.step("›✗", "web-walk-mistake-on", "mistake-on", after);
    vec![first, mistake_back, back, forward, mistake_on, end]
}

/// Returns the URL of the better line as the main line, with the game as a variation.
fn better_line(
    url: &PositionUrl,
    line: &dyn AnyLine,
    number: usize,
    judgement: &Judgement,
) -> Option<String> {
    let better = judgement.better_line();
    if better.is_empty() {
        return None;
    }
    let game = line.game();
    let moves = line.moves()[..number - 1].iter().chain(better);
    let moves: Vec<String> = moves.map(|mv| game.format_move(*mv)).collect();
    let better = PositionUrl {
        moves: moves.join(" "),
        ply: Some(number),
        others: Some(url.moves.clone()),
        ..url.clone()
    };
    Some(better.link("/analysis"))
}

fn row(
    words: Messages,
    reviewed: &GameReview<'_>,
    number: usize,
    url: &PositionUrl,
    current: bool,
) -> Row {
    let last = reviewed.judgements.len();
    let here = PositionUrl {
        ply: (number < last).then_some(number),
        ..url.clone()
    };
    let judgement = &reviewed.judgements[number - 1];
    Row {
        text: ReviewRow::new(&reviewed.line.game(), number, judgement, words, false),
        better: better_line(url, reviewed.line, number, judgement),
        link: here.link("/review"),
        current,
    }
}
