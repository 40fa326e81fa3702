//! Automata: strategies as tables of rows (the file format of document 000), drawn as graphs.

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use papan_solve::automaton::{MealyMachine, Side, inspect};
use papan_strategies::TransitionTable;
use papan_view::{automaton_check, automaton_graph, json, messages};
use serde::{Deserialize, Serialize};

use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::pages::layout::Layout;
use crate::state::AppState;

/// The built-in tables, which never lose: the document's, corrected, and one for the second player.
const BUILT_IN: &str = papan_data::AUTOMATA;

#[derive(Template)]
#[template(path = "automaton.html")]
struct AutomatonPage {
    layout: Layout,
    table: String,
    /// The sentences of the check.
    check: Vec<String>,
    pictures: Vec<(String, String)>,
}

/// The machines of a table as JSON.
#[derive(Serialize)]
struct MachinesView {
    machines: Vec<MachineView>,
    check: json::TableCheck,
}

#[derive(Serialize)]
struct MachineView {
    /// The computer's seat.
    seat: crate::side::Side,
    states: usize,
    arcs: usize,
    /// SVG.
    picture: String,
}

#[derive(Deserialize)]
struct UploadBody {
    table: String,
}

/// `GET /automaton`.
pub(crate) async fn built_in(
    State(app): State<AppState>,
    client: Client,
) -> Result<Response, Rejection> {
    let _permit = app.render_permit().await;
    page(&client, BUILT_IN)
}

/// `POST /automaton`.
pub(crate) async fn uploaded(
    State(app): State<AppState>,
    client: Client,
    body: ParsedBody,
) -> Result<Response, Rejection> {
    let upload: UploadBody = body.read()?;
    let _permit = app.render_permit().await;
    page(&client, &upload.table)
}

fn page(client: &Client, text: &str) -> Result<Response, Rejection> {
    let words = client.words;
    let table = TransitionTable::parse(text)
        .map_err(|error| Rejection::Unusable(messages::table(words, &error)))?;
    let inspection = inspect(&table);
    let title = words.text("web-automaton");
    let machines: Vec<(Side, MealyMachine)> = Side::of(&table)
        .into_iter()
        .filter_map(|side| Some((side, MealyMachine::of(&table, side)?)))
        .collect();
    if client.format == ResponseFormat::Json {
        let drawn = |(side, machine): &(Side, MealyMachine)| MachineView {
            seat: side.computer().into(),
            states: machine.states.len(),
            arcs: machine.arcs(),
            picture: automaton_graph::draw(machine, &title, words).svg(),
        };
        let machines = machines.iter().map(drawn).collect();
        let check = automaton_check::form(String::new(), &table, &inspection);
        return Ok(Json(MachinesView { machines, check }).into_response());
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
                automaton_graph::draw(machine, &title, words).inline_svg(),
            )
        })
        .collect();
    let page = AutomatonPage {
        layout: Layout::new(client, title, "/automaton"),
        table: text.into(),
        check: automaton_check::sentences(&table, &inspection, words),
        pictures,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}
