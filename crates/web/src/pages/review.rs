//! The review of a game: its curve, its mistakes, and the better moves, to be
//! walked through. It is made in the background; whoever leaves finds it further
//! along.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::review::Judgement;
use papan_catalog::{AnyLine, advisor, opening};
use papan_strategies::Score;
use papan_view::review::{GameReview, value_text};
use papan_view::svg_board::{DrawOptions, Overlay};
use papan_view::{BoardView, Marks, Messages, messages};
use serde::Serialize;

use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::pages::analysis::{Step, counts, status};
use crate::pages::board_grid::{BoardGrid, Touch};
use crate::pages::evaluation_bar::bar;
use crate::pages::game::game_title;
use crate::pages::layout::Layout;
use crate::pages::position_url::PositionUrl;
use crate::state::AppState;

/// Seconds between two looks at a review that is being made.
const PATIENCE: u32 = 2;

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewPage {
    layout: Layout,
    strategy: String,
    done: usize,
    positions: usize,
    failure: Option<String>,
    status: String,
    details: Vec<String>,
    walk: Vec<Step>,
    sides: Vec<String>,
    /// Who is ahead here, as a bar.
    bar: Option<String>,
    curve: String,
    curve_help: String,
    rows: Vec<Row>,
    analysis: String,
    board: BoardGrid,
}

/// One move under review.
struct Row {
    number: usize,
    side: String,
    mv: String,
    /// What the position after it is worth, if that is known yet.
    value: String,
    /// What is said of it.
    said: String,
    mistake: bool,
    better: Option<String>,
    link: String,
    current: bool,
}

/// How far a review is and what it has found, as JSON.
#[derive(Serialize)]
struct ReviewTold {
    strategy: String,
    done: usize,
    positions: usize,
    failure: Option<String>,
    opening: Option<&'static str>,
    /// What each position is worth to the first player, where it is known.
    curve: Vec<Option<f32>>,
    moves: Vec<JudgedMove>,
}

#[derive(Serialize)]
struct JudgedMove {
    #[serde(rename = "move")]
    mv: String,
    better: Option<String>,
    mistake: bool,
}

pub(crate) async fn review(
    State(app): State<Arc<AppState>>,
    client: Client,
    Query(mut place): Query<PositionUrl>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let line = place.line(&app, words)?;
    let game = line.game();
    let last = line.moves().len();
    let ply = place.ply.unwrap_or(last).min(last);
    place = PositionUrl {
        game: game.name(),
        moves: line.text(),
        start: place.start,
        ..PositionUrl::default()
    };
    let start = place.start.clone();
    let review = app
        .review(client.address, &game, start, line.moves())
        .await?;
    let _turn = app.turn_for_a_page().await;
    let insights: Vec<_> = review.insights().into_iter().map(Some).collect();
    let reviewed = GameReview::new(&*line, review.strategy.to_string(), &insights);
    let judgements = &reviewed.judgements;
    if client.format == ResponseFormat::Json {
        let text = |mv| game.format_move(mv);
        let judged = judgements.iter().map(|judgement| JudgedMove {
            mv: text(judgement.mv),
            better: judgement.better().map(text),
            mistake: judgement.mistake,
        });
        let curve = reviewed
            .values
            .iter()
            .map(|score| score.map(Score::balance));
        let told = ReviewTold {
            strategy: review.strategy.to_string(),
            done: insights.len(),
            positions: review.positions,
            failure: review.failure(words),
            opening: opening(&*line),
            curve: curve.collect(),
            moves: judged.collect(),
        };
        return Ok(Json(told).into_response());
    }
    let at = |ply: usize| {
        let place = PositionUrl {
            ply: (ply < last).then_some(ply),
            ..place.clone()
        };
        place.link("/review")
    };
    let title = game_title(words, &game.name());
    let title = format!("{}: {title}", words.text("web-review"));
    let mut layout = Layout::new(&client, title, at(ply));
    let failure = review.failure(words);
    let waits = !review.is_done() && failure.is_none();
    layout.reload = waits.then_some(PATIENCE);
    let mut here = line.clone_line();
    while here.moves().len() > ply {
        here.undo();
    }
    let view = BoardView::of(&*here);
    let move_here = ply.checked_sub(1).and_then(|index| judgements.get(index));
    let curve = reviewed.curve(Some(ply));
    let page = ReviewPage {
        strategy: review.strategy.to_string(),
        done: insights.len(),
        positions: review.positions,
        failure,
        status: match move_here {
            Some(_) => reviewed.sentence(ply, words),
            None => status(words, &view),
        },
        details: [
            opening(&*here).map(|name| words.with("opening", [("name", name.into())])),
            view.outcome.map(|_| status(words, &view)),
            counts(words, &view),
        ]
        .into_iter()
        .flatten()
        .collect(),
        walk: walk(words, ply, judgements, at),
        sides: reviewed.sides(words),
        bar: reviewed.values.get(ply).copied().flatten().map(|score| {
            // Always from the first player's side, as the curve is.
            bar(words, &game, papan_rules::Player::First, score)
        }),
        curve: curve.draw(at),
        curve_help: curve.help(words, &game),
        analysis: analysis(&place, &*here, move_here),
        board: board(words, &view, move_here),
        rows: (1..=judgements.len())
            .map(|number| row(words, &reviewed, number, at(number), number == ply))
            .collect(),
        layout,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

/// The board after a move, with the better one marked.
fn board(words: Messages, view: &BoardView, judgement: Option<&Judgement>) -> BoardGrid {
    let mut overlays = vec![None; view.cells.len()];
    if let Some(cell) = judgement.and_then(|judgement| judgement.better()?.cell()) {
        overlays[cell] = Some(Overlay {
            lines: vec!["✓".into()],
            chosen: true,
        });
    }
    let look = DrawOptions {
        names: true,
        overlays,
        ..DrawOptions::default()
    };
    BoardGrid::new(view, &look, words, |_, _| Touch::Nothing)
}

/// Where a move is looked at closely: before it, if it was a mistake.
fn analysis(place: &PositionUrl, here: &dyn AnyLine, judgement: Option<&Judgement>) -> String {
    let ply = here.moves().len();
    let mistake = judgement.is_some_and(|judgement| judgement.mistake);
    let place = PositionUrl {
        ply: Some(ply - usize::from(mistake)),
        strategy: (mistake || here.outcome().is_none()).then(|| advisor(&here.game()).to_string()),
        ..place.clone()
    };
    place.link("/analysis")
}

/// Steps through the moves and from mistake to mistake.
fn walk(
    words: Messages,
    ply: usize,
    judgements: &[Judgement],
    at: impl Fn(usize) -> String,
) -> Vec<Step> {
    let step = |sign, key: &str, relation, to: Option<usize>| Step {
        sign,
        label: words.text(key),
        relation,
        link: to.map(&at),
    };
    let last = judgements.len();
    let mut mistakes = (1..)
        .zip(judgements)
        .filter(|(_, judgement)| judgement.mistake)
        .map(|(number, _)| number);
    let before = mistakes.clone().take_while(|number| *number < ply).last();
    let after = mistakes.find(|number| *number > ply);
    vec![
        step("«", "web-walk-start", "first", (ply > 0).then_some(0)),
        step("✗‹", "web-walk-mistake-back", "mistake-back", before),
        step("‹", "web-walk-back", "prev", ply.checked_sub(1)),
        step("›", "web-walk-on", "next", (ply < last).then_some(ply + 1)),
        step("›✗", "web-walk-mistake-on", "mistake-on", after),
        step("»", "web-walk-end", "last", (ply < last).then_some(last)),
    ]
}

fn row(
    words: Messages,
    reviewed: &GameReview<'_>,
    number: usize,
    link: String,
    current: bool,
) -> Row {
    let (game, judgement) = (reviewed.line.game(), &reviewed.judgements[number - 1]);
    let value = reviewed.values.get(number).copied().flatten();
    Row {
        number,
        side: messages::side(words, game.pieces(), judgement.player, Marks::default()),
        mv: game.show_move(judgement.mv),
        value: value.map_or_else(String::new, |value| value_text(words, &game, value)),
        said: reviewed.short(judgement, words),
        mistake: judgement.mistake,
        better: judgement.better().map(|best| game.show_move(best)),
        link,
        current,
    }
}
