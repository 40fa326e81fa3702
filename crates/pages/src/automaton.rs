//! Automata: strategies as tables of rows (the file format of document 000), drawn as graphs.

use askama::Template;
use papan_analysis::side::Side as Seat;
use papan_solve::automaton::{MealyMachine, Side, inspect};
use papan_strategies::TransitionTable;
use papan_view::Drawing;
use papan_view::{Messages, automaton_check, automaton_graph, json, messages};
use serde::{Deserialize, Serialize};

use crate::error::PageError;
use crate::layout::{Layout, PageContext};
use crate::position_url::encode;

/// The built-in tables, which never lose: the document's, corrected, and one for the second player.
pub const BUILT_IN: &str = papan_data::AUTOMATA;

#[derive(Template)]
#[template(path = "automaton.html")]
struct AutomatonPage {
    layout: Layout,
    table: String,
    /// The sentences of the check.
    check: Vec<String>,
    pictures: Vec<GraphView>,
}

/// A machine on the page.
struct GraphView {
    size: String,
    picture: String,
    /// The formats of its picture with their addresses.
    downloads: [(&'static str, String); 2],
}

/// Which machine of which table is drawn.
#[derive(Deserialize)]
pub struct GraphQuery {
    /// The table; without it, the built-in one.
    table: Option<String>,
    /// Which of its machines, from 0.
    #[serde(default)]
    machine: usize,
}

impl GraphQuery {
    /// Draws the machine.
    ///
    /// # Errors
    /// If the table is none, or has no such machine.
    pub fn draw(&self, words: Messages) -> Result<Drawing, PageError> {
        let automaton = Automaton::parse(self.table.as_deref().unwrap_or(BUILT_IN), words)?;
        let (_, machine) = automaton
            .machines
            .get(self.machine)
            .ok_or(PageError::NotFound)?;
        let title = words.text("web-automaton");
        Ok(automaton_graph::draw(machine, &title, words))
    }

    /// Returns the address of a picture.
    fn link(&self, extension: &str) -> String {
        let table = self.table.as_deref();
        let table = table.map_or_else(String::new, |table| format!("&table={}", encode(table)));
        format!(
            "/automaton/graph.{extension}?machine={}{table}",
            self.machine
        )
    }
}

/// The machines of a table as JSON.
#[derive(Serialize)]
pub struct MachinesView {
    machines: Vec<MachineView>,
    check: json::TableCheck,
}

#[derive(Serialize)]
struct MachineView {
    /// The computer's seat.
    seat: Seat,
    states: usize,
    arcs: usize,
    /// SVG.
    picture: String,
}

/// A table with its machines.
pub struct Automaton {
    text: String,
    table: TransitionTable,
    machines: Vec<(Side, MealyMachine)>,
}

impl Automaton {
    /// Parses a table.
    ///
    /// # Errors
    /// If it is not a table, with a localized reason.
    pub fn parse(text: &str, words: Messages) -> Result<Self, PageError> {
        let table = TransitionTable::parse(text)
            .map_err(|error| PageError::Unusable(messages::table(words, &error)))?;
        let machines = Side::of(&table)
            .into_iter()
            .filter_map(|side| Some((side, MealyMachine::of(&table, side)?)))
            .collect();
        Ok(Self {
            text: text.to_owned(),
            table,
            machines,
        })
    }

    /// Returns the machines as JSON.
    #[must_use]
    pub fn json(&self, words: Messages) -> MachinesView {
        let title = words.text("web-automaton");
        let drawn = |(side, machine): &(Side, MealyMachine)| MachineView {
            seat: side.computer().into(),
            states: machine.states.len(),
            arcs: machine.arcs(),
            picture: automaton_graph::draw(machine, &title, words).svg(),
        };
        let inspection = inspect(&self.table);
        MachinesView {
            machines: self.machines.iter().map(drawn).collect(),
            check: automaton_check::form(String::new(), &self.table, &inspection),
        }
    }

    /// Renders the page.
    ///
    /// # Errors
    /// If the template fails.
    pub fn page(&self, context: &PageContext) -> Result<String, PageError> {
        let words = context.words;
        let title = words.text("web-automaton");
        let pictures = self
            .machines
            .iter()
            .enumerate()
            .map(|(number, (_, machine))| {
                let size = words.with(
                    "web-automaton-size",
                    [
                        ("states", machine.states.len().to_string().into()),
                        ("arcs", machine.arcs().to_string().into()),
                    ],
                );
                let query = GraphQuery {
                    table: (self.text != BUILT_IN).then(|| self.text.clone()),
                    machine: number,
                };
                GraphView {
                    size,
                    picture: automaton_graph::draw(machine, &title, words).inline_svg(),
                    downloads: [("SVG", query.link("svg")), ("PNG", query.link("png"))],
                }
            })
            .collect();
        let page = AutomatonPage {
            layout: Layout::new(context, title, "/automaton"),
            table: self.text.clone(),
            check: automaton_check::sentences(&self.table, &inspect(&self.table), words),
            pictures,
        };
        Ok(page.render()?)
    }
}
