//! The page of an automaton: a table in the file format of document 000, drawn.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use papan_solve::automaton::{MealyMachine, Side};
use papan_strategies::TransitionTable;
use papan_view::{automaton_graph, messages};
use serde::{Deserialize, Serialize};

use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::pages::layout::Layout;
use crate::state::AppState;

/// The built-in table that defends.
const DEFENCE: &str = include_str!("../../../../data/automata/defence.txt");

#[derive(Template)]
#[template(path = "automaton.html")]
struct AutomatonPage {
    layout: Layout,
    table: String,
    pictures: Vec<(String, String)>,
}

/// The machines of a table, as JSON.
#[derive(Serialize)]
struct Machines {
    machines: Vec<DrawnMachine>,
}

#[derive(Serialize)]
struct DrawnMachine {
    /// The computer's.
    seat: crate::game::event::Side,
    states: usize,
    arcs: usize,
    /// SVG.
    picture: String,
}

#[derive(Deserialize)]
struct Text {
    table: String,
}

pub(crate) async fn built_in(
    State(app): State<Arc<AppState>>,
    client: Client,
) -> Result<Response, Rejection> {
    let _turn = app.turn_for_a_page().await;
    page(&client, DEFENCE)
}

pub(crate) async fn of_visitor(
    State(app): State<Arc<AppState>>,
    client: Client,
    sent: ParsedBody,
) -> Result<Response, Rejection> {
    let text: Text = sent.read()?;
    let _turn = app.turn_for_a_page().await;
    page(&client, &text.table)
}

fn page(client: &Client, text: &str) -> Result<Response, Rejection> {
    let words = client.words;
    let table = TransitionTable::parse(text)
        .map_err(|error| Rejection::Unusable(messages::table(words, &error)))?;
    let title = words.text("web-automaton");
    let machines: Vec<(Side, MealyMachine)> = Side::of(&table)
        .into_iter()
        .filter_map(|side| Some((side, MealyMachine::of(&table, side)?)))
        .collect();
    if client.format == ResponseFormat::Json {
        let drawn = |(side, machine): &(Side, MealyMachine)| DrawnMachine {
            seat: side.computer().into(),
            states: machine.states.len(),
            arcs: machine.arcs(),
            picture: automaton_graph::draw(machine, &title, words),
        };
        let machines = machines.iter().map(drawn).collect();
        return Ok(Json(Machines { machines }).into_response());
    }
    let pictures = machines
        .iter()
        .map(|(_, machine)| {
            let size = words.with(
                "web-automaton-size",
                [
                    ("states", machine.states.len().to_string().into()),
                    ("arcs", machine.arcs().to_string().into()),
                ],
            );
            (
                size,
                without_style(&automaton_graph::draw(machine, &title, words)),
            )
        })
        .collect();
    let page = AutomatonPage {
        layout: Layout::new(client, title, "/automaton"),
        table: text.into(),
        pictures,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

/// A drawing without its own style: a page may carry none, and ours has the rules.
fn without_style(svg: &str) -> String {
    match (svg.find("<style>"), svg.find("</style>")) {
        (Some(from), Some(to)) if from < to => {
            format!("{}{}", &svg[..from], &svg[to + "</style>".len()..])
        }
        _ => svg.into(),
    }
}
