//! The whole site as a value.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::Method;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use tower_http::csrf::CsrfLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::admin::operator;
use crate::api::{downloads, events, exports, games, hints};
use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::http::{assets, page_cache, response};
use crate::pages::{
    analysis, automaton, embed, home, import, invitation, lobby, me, proof, puzzles, review, setup,
};
use crate::state::AppState;

/// The site over a app.
///
/// # Panics
/// When the public address in the settings is no address of a site.
pub fn app(app: &Arc<AppState>) -> Router {
    let settings = &app.settings;
    let mut csrf = CsrfLayer::new();
    if let Some(origin) = &settings.public_url {
        csrf = csrf
            .add_trusted_origin(origin.trim_end_matches('/'))
            .expect("the public address is scheme and host only");
    }
    let timeout = TimeoutLayer::with_status_code(
        axum::http::StatusCode::REQUEST_TIMEOUT,
        settings.request_timeout,
    );
    let mut pages = Router::new();
    if settings.metrics_listen.is_none() {
        pages = pages.route("/metrics", get(operator::metrics));
    }
    pages
        .route("/", get(home::home))
        .route("/language", post(operator::language))
        .route("/games", post(games::create))
        .route("/games/{id}", get(games::look))
        .route("/games/{id}/moves", post(games::make_move))
        .route("/games/{id}/resignation", post(games::resign))
        .route("/games/{id}/take-back", post(games::take_back))
        .route("/games/{id}/draw", post(games::draw))
        .route("/games/{id}/greeting", post(games::greet))
        .route("/games/{id}/rematch", post(games::rematch))
        .route("/games/{id}/hint", get(hints::hint))
        .route("/games/{id}/record", get(exports::record))
        .route("/games/{id}/board.svg", get(exports::svg))
        .route("/games/{id}/board.png", get(exports::png))
        .route("/games/{id}/study/{page}", get(exports::analyse))
        .route("/games/{id}/events", get(events::follow))
        .route("/lobby", get(lobby::lobby))
        .route("/puzzles", get(puzzles::puzzles))
        .route("/me", get(me::me))
        .route("/me/name", post(me::rename))
        .route("/me/link", post(me::make_link))
        .route("/me/link/withdrawal", post(me::withdraw_link))
        .route("/identity/{code}", get(me::ask).post(me::become_visitor))
        .route("/join", post(invitation::accept))
        .route("/join/{secret}", get(invitation::ask))
        .route("/import", post(import::import))
        .route("/laboratory", get(operator::laboratory))
        .route("/openapi.json", get(operator::openapi))
        .route("/health", get(operator::health))
        .route("/assets/{tag}/{name}", get(assets::asset))
        .merge(costly_pages(app))
        .fallback(async || Rejection::NotFound)
        .layer(from_fn_with_state(Arc::clone(app), gate))
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(settings.body_limit))
        .layer(csrf)
        .layer(timeout)
        .layer(from_fn_with_state(Arc::clone(app), response::finish))
        .with_state(Arc::clone(app))
}

/// Pages that take more than a look into memory: what they cost is bounded before
/// it is spent, counted by address, and spent once for the same page.
fn costly_pages(app: &Arc<AppState>) -> Router<Arc<AppState>> {
    Router::new()
        .route("/analysis", get(analysis::analysis))
        .route("/analysis/setup", get(setup::setup))
        .route("/embed", get(embed::embed))
        .route("/embed/proof", get(proof::embedded))
        .route("/analysis/board.svg", get(downloads::svg))
        .route("/analysis/board.png", get(downloads::png))
        .route("/analysis/record", get(downloads::record))
        .route("/review", get(review::review))
        .route("/proof", get(proof::proof))
        .route(
            "/automaton",
            get(automaton::built_in).post(automaton::of_visitor),
        )
        .route("/strategies", get(home::strategies))
        .route("/puzzles/{day}/{level}", get(puzzles::puzzle))
        .route_layer(from_fn_with_state(Arc::clone(app), page_cache::costly))
}

/// What the operator alone sees, where it has an address of its own.
pub fn admin_app(app: &Arc<AppState>) -> Router {
    Router::new()
        .route("/health", get(operator::health))
        .route("/metrics", get(operator::metrics))
        .route("/games/{id}", delete(operator::delete_game))
        .route(
            "/games/{id}/visitors/{seat}",
            delete(operator::delete_visitor),
        )
        .route("/names/{name}", delete(operator::delete_name))
        .fallback(async || Rejection::NotFound)
        .layer(from_fn_with_state(Arc::clone(app), response::finish))
        .with_state(Arc::clone(app))
}

/// Whoever changes too much too fast has to wait.
async fn gate(
    State(app): State<Arc<AppState>>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    if request.method() == Method::POST
        && let Err(wait) = app.gates.changes.take(client.address, app.now())
    {
        let seconds = wait.as_secs() + 1;
        return Rejection::TooMany { seconds }.into_response();
    }
    next.run(request).await
}
