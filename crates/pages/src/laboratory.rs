//! The laboratory: forms for explanations, traces, proofs and automata.

use askama::Template;

use crate::error::PageError;
use crate::game_title::{GameOption, game_options};
use crate::layout::{Layout, PageContext};
use crate::strategy_menu::StrategyMenu;

#[derive(Template)]
#[template(path = "laboratory.html")]
struct LaboratoryPage {
    layout: Layout,
    games: Vec<GameOption>,
    /// The strategies that explain their moves.
    explained: StrategyMenu,
    /// The strategies that can be traced.
    traced: StrategyMenu,
    /// The strategies about which something can be proved.
    proved: StrategyMenu,
}

/// Renders the page.
///
/// # Errors
/// If the template fails.
pub fn page(context: &PageContext) -> Result<String, PageError> {
    let words = context.words;
    let page = LaboratoryPage {
        layout: Layout::new(context, words.text("web-laboratory"), "/laboratory"),
        games: game_options(words, "tictactoe"),
        explained: StrategyMenu::new(words, "branch-and-bound"),
        traced: StrategyMenu::traceable(words, "alphabeta"),
        proved: StrategyMenu::new(words, "branch-and-bound"),
    };
    Ok(page.render()?)
}
