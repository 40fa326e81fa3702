//! The puzzle trainer: results are kept per visitor, ratings per puzzle.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_catalog::puzzles::{self, Puzzle, Rating, Verdict};
use papan_pages::puzzle_trainer::{
    self as page, AttemptQuery, IndexView, PuzzleChoice, PuzzleProgress,
};
use papan_store::StoredStudy;
use serde::{Deserialize, Serialize};

use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::state::AppState;
use crate::visitor_data::{self, DataKind};

/// A day in milliseconds.
const DAY: i64 = 24 * 3600 * 1000;

async fn progress(app: &AppState, client: &Client) -> Result<PuzzleProgress, Rejection> {
    match &client.secret {
        Some(secret) => visitor_data::read(&*app.store, &secret.visitor(), DataKind::Puzzles).await,
        None => Ok(PuzzleProgress::default()),
    }
}

fn today(app: &AppState) -> i64 {
    app.clock.unix_millis().div_euclid(DAY)
}

/// `GET /puzzles`.
pub(crate) async fn index(
    State(app): State<AppState>,
    client: Client,
) -> Result<Response, Rejection> {
    let progress = progress(&app, &client).await?;
    if client.format == ResponseFormat::Json {
        return Ok(Json(IndexView::new(&progress, today(&app))).into_response());
    }
    Ok(Html(page::index(&client.page(), &progress, today(&app))?).into_response())
}

/// `GET /puzzles/next`: leads to a puzzle of the visitor's strength.
pub(crate) async fn next(
    State(app): State<AppState>,
    client: Client,
    Query(choice): Query<PuzzleChoice>,
) -> Result<Response, Rejection> {
    let progress = progress(&app, &client).await?;
    let puzzle = progress.next(&choice).ok_or(Rejection::NotFound)?;
    Ok(Redirect::to(&page::next_address(puzzle, &choice)).into_response())
}

/// The stored rating of a puzzle.
#[derive(Serialize, Deserialize)]
struct StoredRating {
    value: f64,
    deviation: f64,
    volatility: f64,
}

fn rating_subject(puzzle: &Puzzle) -> String {
    format!("puzzle {}", puzzle.id())
}

async fn rating(app: &AppState, puzzle: &Puzzle) -> Result<Rating, Rejection> {
    let stored = app.store.study(&rating_subject(puzzle)).await?;
    let stored = stored.and_then(|stored| serde_json::from_str(&stored.body).ok());
    Ok(stored.map_or_else(
        || Rating::of_puzzle(puzzle.rating),
        |stored: StoredRating| Rating {
            value: stored.value,
            deviation: stored.deviation,
            volatility: stored.volatility,
        },
    ))
}

/// `GET /puzzles/{id}`.
pub(crate) async fn puzzle(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    Query(query): Query<AttemptQuery>,
) -> Result<Response, Rejection> {
    let puzzle = puzzles::find(&id).ok_or(Rejection::NotFound)?;
    let attempt = query.play(puzzle, client.words)?;
    if client.format == ResponseFormat::Json {
        return Ok(Json(page::attempt_json(puzzle, &attempt)?).into_response());
    }
    let progress = progress(&app, &client).await?;
    let rating = rating(&app, puzzle).await?.value.round() as u16;
    let _permit = app.render_permit().await;
    let html = page::page(
        &client.page(),
        puzzle,
        &attempt,
        &progress,
        &query.choice,
        rating,
    )?;
    Ok(Html(html).into_response())
}

/// `POST /puzzles/{id}`: tries a move; the first result of a visitor with a puzzle is rated.
pub(crate) async fn attempt(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    body: ParsedBody,
) -> Result<Response, Rejection> {
    let puzzle = puzzles::find(&id).ok_or(Rejection::NotFound)?;
    let query: AttemptQuery = body.read()?;
    let attempt = query.play(puzzle, client.words)?;
    let (secret, headers) = client.secret_or_new()?;
    let is_decided = attempt.verdict != Verdict::Open;
    if is_decided {
        let visitor = secret.visitor();
        let mut progress: PuzzleProgress =
            visitor_data::read(&*app.store, &visitor, DataKind::Puzzles).await?;
        let before = rating(&app, puzzle).await?;
        let solved = attempt.verdict == Verdict::Solved;
        if let Some(after) = progress.record(&id, before, solved) {
            let stored = StoredRating {
                value: after.value,
                deviation: after.deviation,
                volatility: after.volatility,
            };
            let study = StoredStudy {
                subject: rating_subject(puzzle),
                body: serde_json::to_string(&stored).map_err(|_| Rejection::Internal)?,
                at: app.clock.unix_millis(),
            };
            app.store.keep_study(study).await?;
            let (store, clock) = (&*app.store, &*app.clock);
            visitor_data::write(store, clock, &visitor, DataKind::Puzzles, &progress).await?;
        }
    }
    let mut response = match client.format {
        ResponseFormat::Json => Json(page::attempt_json(puzzle, &attempt)?).into_response(),
        _ => Redirect::to(&page::address(puzzle, &attempt, &query.choice)).into_response(),
    };
    response.headers_mut().extend(headers);
    Ok(response)
}
