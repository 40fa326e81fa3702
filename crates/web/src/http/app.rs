//! The routers of the public site and of the admin listener.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, post};
use tower_http::csrf::CsrfLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::admin::routes as admin;
use crate::api::{downloads, events, exports, games, hints, live_analysis, openapi};
use crate::handlers::{
    analysis, assets, automaton, embed, home, import, laboratory, proof, puzzles, review, rules,
    setup, studies, trace,
};
use crate::http::host::HostPolicy;
use crate::http::rejection::Rejection;
use crate::http::{compression, middleware, response};
use crate::pages::{invitation, language, lobby, me};
use crate::state::AppState;

/// Returns the router of the public site.
///
/// # Panics
/// If the public URL in the settings is not an origin.
pub fn app(state: &AppState) -> Router {
    let settings = &state.settings;
    // Fetch metadata (`Sec-Fetch-Site`), or `Origin` where a browser does not send it.
    let mut csrf = CsrfLayer::new();
    if let Some(origin) = &settings.public_url {
        csrf = csrf
            .add_trusted_origin(origin.trim_end_matches('/'))
            .expect("the public URL consists of scheme and host");
    }
    let timeout =
        TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, settings.request_timeout);
    let mut routes = Router::new();
    if settings.metrics_listen.is_none() {
        routes = routes.route("/metrics", get(admin::metrics));
    }
    if let Some(engine) = &settings.engine {
        routes = routes.merge(engine.routes());
    }
    routes
        .route("/language", post(language::set))
        .route("/games", post(games::create))
        .route("/games/{id}", get(games::show))
        .route("/games/{id}/moves", post(games::make_move))
        .route("/games/{id}/resignation", post(games::resign))
        .route("/games/{id}/withdrawal", post(games::withdraw))
        .route("/games/{id}/take-back", post(games::take_back))
        .route("/games/{id}/colour", post(games::choose_colour))
        .route("/games/{id}/draw", post(games::draw))
        .route("/games/{id}/greeting", post(games::greet))
        .route("/games/{id}/rematch", post(games::rematch))
        .route("/games/{id}/hint", get(hints::hint))
        .route("/games/{id}/record", get(exports::record))
        .route("/games/{id}/board.svg", get(exports::svg))
        .route("/games/{id}/study/{page}", get(exports::analyse))
        .route("/games/{id}/events", get(events::follow))
        .route("/lobby", get(lobby::lobby))
        .route("/puzzles", get(puzzles::index))
        .route("/puzzles/next", get(puzzles::next))
        .route("/puzzles/{id}", get(puzzles::puzzle).post(puzzles::attempt))
        .route("/studies", get(studies::list).post(studies::save))
        .route("/studies/{id}/deletion", post(studies::delete))
        .route("/me", get(me::me))
        .route("/me/name", post(me::rename))
        .route("/me/link", post(me::create_link))
        .route("/me/link/withdrawal", post(me::revoke_link))
        .route("/identity/{code}", get(me::confirm).post(me::redeem_link))
        .route("/join", post(invitation::accept))
        .route("/join/{secret}", get(invitation::confirm))
        .route("/import", post(import::import))
        .route("/analysis/live", get(live_analysis::live))
        .route("/openapi.json", get(openapi::openapi))
        .route("/health", get(admin::health))
        .route("/assets/{tag}/{name}", get(assets::asset))
        .route("/icons/{name}", get(assets::icon))
        .route("/manifest.webmanifest", get(assets::manifest))
        .merge(cached_pages(state))
        .merge(expensive_pages(state))
        .fallback(async || Rejection::NotFound)
        .layer(from_fn_with_state(
            state.clone(),
            middleware::accept_unsigned_cookie,
        ))
        .layer(from_fn_with_state(state.clone(), middleware::limit_rate))
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(settings.body_limit))
        .layer(csrf)
        .layer(timeout)
        .layer(from_fn_with_state(
            HostPolicy::public(settings),
            middleware::check_host,
        ))
        .layer(from_fn_with_state(state.clone(), response::finish))
        .layer(compression::layer())
        .with_state(state.clone())
}

/// Pages that are the same for all clients of a language.
fn cached_pages(state: &AppState) -> Router<AppState> {
    Router::new()
        .route("/", get(home::home))
        .route("/laboratory", get(laboratory::laboratory))
        .route("/rules", get(rules::list))
        .route("/rules/{game}", get(rules::rules))
        .route("/about", get(rules::about))
        .route_layer(from_fn_with_state(state.clone(), middleware::cache_pages))
}

/// Pages that replay and draw whole games: cached where possible, and limited per address.
fn expensive_pages(state: &AppState) -> Router<AppState> {
    Router::new()
        .route("/analysis", get(analysis::analysis))
        .route("/analysis/setup", get(setup::setup))
        .route("/embed", get(embed::embed))
        .route("/embed/proof", get(proof::embedded))
        .route("/analysis/board.svg", get(downloads::svg))
        .route("/analysis/board.png", get(downloads::png))
        .route("/analysis/record", get(downloads::record))
        .route("/review", get(review::review))
        .route("/trace", get(trace::trace))
        .route("/trace/step.svg", get(trace::svg))
        .route("/trace/step.png", get(trace::png))
        .route("/proof", get(proof::proof))
        .route(
            "/automaton",
            get(automaton::built_in).post(automaton::uploaded),
        )
        .route("/automaton/graph.svg", get(automaton::svg))
        .route("/automaton/graph.png", get(automaton::png))
        .route("/strategies", get(home::strategies))
        .route("/games/{id}/board.png", get(exports::png))
        // The cache is outside, so that a cached page takes no token.
        .route_layer(from_fn_with_state(
            state.clone(),
            middleware::limit_expensive_pages,
        ))
        .route_layer(from_fn_with_state(state.clone(), middleware::cache_pages))
}

/// Returns the router of the admin listener. It has no accounts, so its host and origin are
/// checked: a page that an operator's browser shows must not reach it by DNS rebinding or CSRF.
pub fn admin_app(state: &AppState) -> Router {
    Router::new()
        .route("/health", get(admin::health))
        .route("/metrics", get(admin::metrics))
        .route("/games/{id}", delete(admin::delete_game))
        .route("/games/{id}/visitors/{seat}", delete(admin::delete_visitor))
        .route("/names/{name}", delete(admin::delete_name))
        .fallback(async || Rejection::NotFound)
        .layer(CsrfLayer::new())
        .layer(from_fn_with_state(
            HostPolicy::known(&state.settings),
            middleware::check_host,
        ))
        .layer(from_fn_with_state(state.clone(), response::finish))
        .with_state(state.clone())
}
