//! The home page: choose a game, then whom to play. Its forms come from the
//! catalog, so that a new game or strategy appears by itself.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::{
    FAMILIES, LEVELS, Parameter, ParameterKind, STRATEGIES, StrategyInfo, StrategySpec,
};
use papan_view::{BoardView, Messages, messages, svg_board};
use serde::{Deserialize, Serialize};

use crate::api::create_game::game_named;
use crate::game::opponent::{self, can_play};
use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::pages::form_defaults::Choice;
use crate::pages::game::game_title;
use crate::pages::layout::Layout;
use crate::state::AppState;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    layout: Layout,
    games: Vec<GameChoice>,
    other_game: String,
    /// Value, text, whether it is chosen.
    levels: Vec<(u64, String, bool)>,
    seats: Vec<(&'static str, String, bool)>,
    roles: Vec<Role>,
    sizes: String,
    choice: Choice,
    /// What was wrong in the form that came.
    wrong: Option<WrongField>,
}

/// A field of the form whose value cannot be used, and why.
pub(crate) struct WrongField {
    pub(crate) name: &'static str,
    pub(crate) sentence: String,
}

impl HomePage {
    /// What is wrong in a field.
    fn wrong(&self, name: &str) -> Option<&str> {
        let wrong = self.wrong.as_ref().filter(|wrong| wrong.name == name)?;
        Some(&wrong.sentence)
    }

    /// Whether the further choices are shown from the start.
    fn is_open(&self) -> bool {
        let chosen = !self.other_game.is_empty() || !self.choice.clock.is_empty();
        chosen || self.wrong.is_some()
    }
}

struct GameChoice {
    name: &'static str,
    title: String,
    picture: String,
    chosen: bool,
}

/// One strategy in a list to choose from.
pub(crate) struct StrategyChoice {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    pub(crate) families: String,
    pub(crate) chosen: bool,
    pub(crate) parameters: Vec<ParameterField>,
}

/// One parameter as a field of a form.
pub(crate) struct ParameterField {
    pub(crate) name: &'static str,
    pub(crate) summary: String,
    pub(crate) default: String,
    pub(crate) range: Option<(u64, u64)>,
    pub(crate) words: &'static [&'static str],
}

/// A place in a form where a strategy is chosen.
struct Role {
    name: &'static str,
    label: String,
    choices: Vec<StrategyChoice>,
}

/// Every strategy, to choose from.
pub(crate) fn strategy_choices(words: Messages, chosen: &str) -> Vec<StrategyChoice> {
    // A client has no files here for those that play from one alone.
    let needs_file = |recipe: &&StrategyInfo| recipe.parameters.iter().any(Parameter::is_required);
    STRATEGIES
        .iter()
        .filter(|recipe| !needs_file(recipe))
        .map(|recipe| StrategyChoice {
            name: recipe.name,
            text: words.text(&format!("strategy-{}", recipe.name)),
            families: recipe.families().join(" "),
            chosen: recipe.name == chosen,
            parameters: parameters(words, recipe),
        })
        .collect()
}

fn parameters(texts: Messages, recipe: &'static StrategyInfo) -> Vec<ParameterField> {
    let fields = recipe.parameters.iter().filter_map(|parameter| {
        let (range, words): (_, &[&str]) = match parameter.kind {
            ParameterKind::Number { min, max } => (Some((min, max)), &[]),
            ParameterKind::Choice(words) => (None, words),
            // A client has no files on the server.
            ParameterKind::File => return None,
        };
        Some(ParameterField {
            name: parameter.name,
            summary: messages::parameter(texts, recipe, parameter),
            default: messages::default(texts, recipe, parameter),
            range,
            words,
        })
    });
    fields.collect()
}

pub(crate) async fn home(
    State(app): State<Arc<AppState>>,
    client: Client,
) -> Result<Response, Rejection> {
    let choice = Choice::parse(client.choice.as_deref().unwrap_or(""));
    page(&app, &client, choice, None)
}

/// The page with what was chosen, and what was wrong with it.
pub(crate) fn page(
    app: &AppState,
    client: &Client,
    choice: Choice,
    wrong: Option<WrongField>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let names = FAMILIES.iter().flat_map(|family| family.examples);
    let mut games: Vec<GameChoice> = names
        .map(|name| GameChoice {
            name,
            title: game_title(words, name),
            picture: picture(app, name).unwrap_or_default(),
            chosen: *name == choice.game,
        })
        .collect();
    let known = games.iter().any(|game| game.chosen);
    if let Some(first) = games.first_mut().filter(|_| !known) {
        first.chosen = true;
    }
    let role = |name, key: &str, chosen| Role {
        name,
        label: words.text(key),
        choices: strategy_choices(words, chosen),
    };
    let sizes: Vec<String> = FAMILIES
        .iter()
        .map(|family| {
            let sizes = words.text(&format!("web-sizes-{}", family.name));
            format!("{}: {sizes}", family.name)
        })
        .collect();
    let level = opponent::level(&choice.level);
    let page = HomePage {
        layout: Layout::new(client, words.text("web-play"), "/"),
        other_game: if known {
            String::new()
        } else {
            choice.game.clone()
        },
        games,
        levels: LEVELS
            .map(|known| {
                let spec = StrategySpec::computer(known);
                let name = words.text(&format!("level-{known}"));
                let about = messages::about_strategy(words, &spec);
                (known, format!("{known} · {name}: {about}"), known == level)
            })
            .collect(),
        seats: ["first", "second", "either"]
            .into_iter()
            .map(|seat| {
                let chosen = seat == choice.seat || choice.seat.is_empty() && seat == "first";
                (seat, words.text(&format!("web-seat-{seat}")), chosen)
            })
            .collect(),
        roles: vec![
            role("opponent", "web-opponent", ""),
            role("first", "web-first-player", "minimax"),
            role("second", "web-second-player", "greedy"),
        ],
        sizes: sizes.join("; "),
        choice,
        wrong,
    };
    let status = match page.wrong {
        None => StatusCode::OK,
        Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let html = Html(page.render().map_err(|_| Rejection::Broken)?);
    Ok((status, html).into_response())
}

#[derive(Deserialize)]
pub(crate) struct OnBoard {
    game: String,
}

/// Who can play on a board, as JSON.
#[derive(Serialize)]
struct Able {
    game: String,
    strategies: Vec<&'static str>,
}

/// The strategies that can play on a board.
pub(crate) async fn strategies(
    State(app): State<Arc<AppState>>,
    client: Client,
    Query(board): Query<OnBoard>,
) -> Result<Response, Rejection> {
    let _turn = app.turn_for_a_page().await;
    let game = game_named(&app, &board.game, client.words)?;
    let names = STRATEGIES.iter().map(|recipe| recipe.name);
    let able = names.filter(|name| name.parse().is_ok_and(|spec| can_play(&game, &spec)));
    let able = Able {
        game: game.name(),
        strategies: able.collect(),
    };
    Ok(Json(able).into_response())
}

fn picture(app: &AppState, name: &str) -> Option<String> {
    let game = app.game(name).ok()?;
    Some(svg_board::thumbnail(&BoardView::of(&*game.line())))
}
