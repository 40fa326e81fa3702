//! The review of a game: its curve, its mistakes, and the better moves. It is
//! made in the background; whoever leaves finds it further along.

use std::fmt::Write;
use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::AnyLine;
use papan_rules::{Pieces, Player};
use papan_strategies::Score;
use papan_view::{Marks, Words, wording};
use serde_json::json;

use crate::games::study_rate;
use crate::hub::Hub;
use crate::page::Frame;
use crate::pages::game::game_title;
use crate::place::Place;
use crate::refusal::Refusal;
use crate::studies::Insight;
use crate::visitor::{Form, Visitor};

/// Seconds between two looks at a review that is being made.
const PATIENCE: u32 = 2;

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewPage {
    frame: Frame,
    heading: String,
    strategy: String,
    done: usize,
    positions: usize,
    failure: Option<String>,
    curve: String,
    rows: Vec<Row>,
    mistakes: usize,
    analysis: String,
}

/// One move under review.
struct Row {
    number: usize,
    side: String,
    mv: String,
    link: String,
    value: String,
    better: Option<String>,
    verdict: String,
    mistake: bool,
}

/// A score as a number from the side of the player to move.
fn number(score: Score) -> f32 {
    match score {
        Score::Proven { value, .. } | Score::AtMost(value) | Score::AtLeast(value) => value as f32,
        Score::Estimate(value) => value,
    }
}

/// What every position is worth to the first player, as far as it is known.
fn curve(line: &dyn AnyLine, insights: &[Insight]) -> Vec<Option<f32>> {
    let mut walked = line.clone_line();
    let mut turns = vec![walked.turn()];
    while walked.undo().is_some() {
        turns.push(walked.turn());
    }
    turns.reverse();
    turns
        .iter()
        .zip(insights)
        .map(|(turn, insight)| {
            let over = insight.best.is_none() && line.outcome().is_some();
            let value = match over {
                true => Some(line.final_score(*turn) as f32),
                false => insight.score.map(number),
            }?;
            Some(if *turn == Player::First {
                value
            } else {
                -value
            })
        })
        .collect()
}

pub(crate) async fn review(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Query(mut place): Query<Place>,
) -> Result<Response, Refusal> {
    let words = visitor.words;
    let line = place.line(&hub, words)?;
    let game = line.game();
    place.game = game.name();
    place.moves = line.text();
    place.strategy = None;
    if visitor.form == Form::Page {
        study_rate(&hub, &visitor)?;
    }
    let start = place.start.clone();
    let review = hub
        .studies
        .review(&hub, visitor.address, &game, start, line.moves());
    let insights = review.insights();
    let values = curve(&*line, &insights);
    let rows = rows(words, &place, &*line, &insights, &values);
    if visitor.form == Form::Json {
        let body = json!({
            "strategy": review.strategy.to_string(),
            "done": insights.len(),
            "positions": review.positions,
            "failure": review.failure(),
            "curve": values,
            "moves": rows.iter().map(|row| json!({
                "move": row.mv, "better": row.better, "mistake": row.mistake,
            })).collect::<Vec<_>>(),
        });
        return Ok(Json(body).into_response());
    }
    let title = game_title(words, &game.name());
    let mut frame = Frame::new(
        &visitor,
        format!("{}: {title}", words.text("web-review")),
        place.link("/review"),
    );
    let failure = review.failure();
    let waits = !review.is_done() && failure.is_none();
    frame.reload = waits.then_some(PATIENCE);
    let page = ReviewPage {
        frame,
        heading: title,
        strategy: review.strategy.to_string(),
        done: insights.len(),
        positions: review.positions,
        failure,
        curve: drawing(&values, review.positions, &words.text("web-curve")),
        mistakes: rows.iter().filter(|row| row.mistake).count(),
        rows,
        analysis: place.link("/analysis"),
    };
    Ok(Html(page.render().map_err(|_| Refusal::Broken)?).into_response())
}

fn rows(
    words: Words,
    place: &Place,
    line: &dyn AnyLine,
    insights: &[Insight],
    values: &[Option<f32>],
) -> Vec<Row> {
    let game = line.game();
    let mut walked = match &place.start {
        None => game.line(),
        Some(start) => game.line_from(start).unwrap_or_else(|_| game.line()),
    };
    // A disc or two is within an estimate's error; so is a small chance.
    let tolerance = match game.pieces() {
        Pieces::Discs => 2.0,
        Pieces::Marks => 0.3,
    };
    let mut rows = Vec::new();
    for (ply, mv) in line.moves().iter().enumerate() {
        let turn = walked.turn();
        let sign = if turn == Player::First { 1.0 } else { -1.0 };
        let value = |at: usize| values.get(at).copied().flatten().map(|value| value * sign);
        let lost = match (value(ply), value(ply + 1)) {
            (Some(before), Some(after)) => Some(before - after),
            _ => None,
        };
        let mistake = lost.is_some_and(|lost| lost > tolerance);
        let best = insights.get(ply).and_then(|insight| insight.best);
        let better = best.filter(|best| mistake && best != mv);
        // What the player should have done is looked at before the move.
        let link = Place {
            moves: walked.text(),
            strategy: None,
            ..place.clone()
        };
        let played = walked.play(*mv);
        debug_assert!(played.is_ok(), "the line was legal before");
        rows.push(Row {
            number: ply + 1,
            side: wording::side(words, game.pieces(), turn, Marks::default()),
            mv: game.format_move(*mv),
            link: link.link("/analysis"),
            value: values
                .get(ply + 1)
                .copied()
                .flatten()
                // Adding 0 turns a negative zero into a plain one.
                .map_or_else(String::new, |value| format!("{:+.1}", value + 0.0)),
            better: better.map(|best| game.format_move(best)),
            verdict: match (lost, mistake) {
                (None, _) => String::new(),
                (Some(lost), true) => {
                    let lost = format!("{lost:.1}");
                    words.with("web-mistake", [("lost", lost.into())])
                }
                (Some(_), false) => words.text("web-good-move"),
            },
            mistake,
        });
    }
    rows
}

/// The curve as SVG: above the middle the first player is better.
fn drawing(values: &[Option<f32>], positions: usize, title: &str) -> String {
    const WIDTH: f32 = 640.0;
    const HEIGHT: f32 = 160.0;
    let most = values
        .iter()
        .flatten()
        .fold(1.0_f32, |most, value| most.max(value.abs()));
    let step = WIDTH / (positions.max(2) - 1) as f32;
    let mut points = String::new();
    let mut dots = String::new();
    for (index, value) in values.iter().enumerate() {
        if let Some(value) = value {
            let (x, y) = (index as f32 * step, HEIGHT / 2.0 * (1.0 - value / most));
            let _ = write!(points, "{x:.1},{y:.1} ");
            let _ = write!(dots, r#"<circle cx="{x:.1}" cy="{y:.1}" r="4"/>"#);
        }
    }
    let middle = HEIGHT / 2.0;
    format!(
        r#"<svg class="curve" viewBox="-8 -8 {} {}" role="img" aria-label="{title}"><line class="middle" x1="0" y1="{middle}" x2="{WIDTH}" y2="{middle}"/><polyline points="{points}"/>{dots}</svg>"#,
        WIDTH + 16.0,
        HEIGHT + 16.0,
    )
}
