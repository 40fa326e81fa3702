//! The laboratory: forms for explanations, traces, proofs and automata.

use askama::Template;
use papan_catalog::FAMILIES;

use crate::error::PageError;
use crate::home::{StrategyChoice, strategy_choices};
use crate::layout::{Layout, PageContext};
use crate::trace::traceable_choices;

#[derive(Template)]
#[template(path = "laboratory.html")]
struct LaboratoryPage {
    layout: Layout,
    games: Vec<&'static str>,
    choices: Vec<StrategyChoice>,
    /// The strategies that can be traced.
    traced: Vec<StrategyChoice>,
}

/// Renders the page.
///
/// # Errors
/// If the template fails.
pub fn page(context: &PageContext) -> Result<String, PageError> {
    let words = context.words;
    let page = LaboratoryPage {
        layout: Layout::new(context, words.text("web-laboratory"), "/laboratory"),
        games: FAMILIES
            .iter()
            .flat_map(|family| family.examples)
            .copied()
            .collect(),
        choices: strategy_choices(words, "branch-and-bound"),
        traced: traceable_choices(words, "alphabeta"),
    };
    Ok(page.render()?)
}
