//! The laboratory: forms for explanations, traces, proofs and automata.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::FAMILIES;

use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::pages::home::{StrategyChoice, strategy_choices};
use crate::pages::layout::Layout;
use crate::pages::trace::traceable_choices;

#[derive(Template)]
#[template(path = "laboratory.html")]
struct LaboratoryPage {
    layout: Layout,
    games: Vec<&'static str>,
    choices: Vec<StrategyChoice>,
    /// The strategies that can be traced.
    traced: Vec<StrategyChoice>,
}

/// `GET /laboratory`.
pub(crate) async fn laboratory(client: Client) -> Result<Response, Rejection> {
    let words = client.words;
    let page = LaboratoryPage {
        layout: Layout::new(&client, words.text("web-laboratory"), "/laboratory"),
        games: FAMILIES
            .iter()
            .flat_map(|family| family.examples)
            .copied()
            .collect(),
        choices: strategy_choices(words, "branch-and-bound"),
        traced: traceable_choices(words, "alphabeta"),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}
