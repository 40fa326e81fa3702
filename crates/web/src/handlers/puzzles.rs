//! The pages of the daily puzzles.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_analysis::puzzle::SOURCES;
use papan_pages::puzzles::{
    self as page, AnswerQuery, Attempt, DAYS_BACK, DailyPuzzle, PuzzlesView,
};

use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// `GET /puzzles`.
pub(crate) async fn puzzles(
    State(app): State<AppState>,
    client: Client,
) -> Result<Response, Rejection> {
    let day = app.puzzles.today();
    let mut puzzles = Vec::new();
    for level in 0..SOURCES.len() {
        // A level whose puzzle cannot be generated now is skipped.
        if let Ok(puzzle) = app.puzzles.get(client.address, day, level).await {
            puzzles.push(DailyPuzzle { day, level, puzzle });
        }
    }
    if client.format == ResponseFormat::Json {
        return Ok(Json(PuzzlesView::new(&puzzles)?).into_response());
    }
    Ok(Html(page::list(&client.page(), &puzzles)?).into_response())
}

/// `GET /puzzles/{day}/{level}`.
pub(crate) async fn puzzle(
    State(app): State<AppState>,
    client: Client,
    Path((day, level)): Path<(i64, String)>,
    Query(query): Query<AnswerQuery>,
) -> Result<Response, Rejection> {
    let level = page::level(&level).ok_or(Rejection::NotFound)?;
    let today = app.puzzles.today();
    if !(today - DAYS_BACK..=today).contains(&day) {
        return Err(Rejection::NotFound);
    }
    let puzzle = app.puzzles.get(client.address, day, level).await?;
    let daily = DailyPuzzle { day, level, puzzle };
    let attempt = Attempt::parse(daily, &query, client.words)?;
    if client.format == ResponseFormat::Json {
        return Ok(Json(attempt.json()).into_response());
    }
    Ok(Html(page::page(&client.page(), &attempt, today)?).into_response())
}
