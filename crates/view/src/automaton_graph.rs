//! State diagrams of Mealy machines, as SVG and as DOT (the Graphviz language).
//!
//! States are small boards, arranged from left to right by the number of inputs so far.
//!
//! Reference: <https://graphviz.org/doc/info/lang.html>

use std::collections::BTreeMap;
use std::fmt::Write as _;

use papan_rules::{Pieces, Player};
use papan_solve::automaton::{Arc, End, MealyMachine, Side, Target};
use papan_strategies::automaton::{Board, Square};

use crate::drawing::{Drawing, SmallBoard, text_width};
use crate::{Marks, Messages};

/// Side of a cell, and the margins of a board.
const CELL: f64 = 14.0;
const BOARD: f64 = 3.0 * CELL;
const COLUMN: f64 = 230.0;
const ROW: f64 = 74.0;
const MARGIN: f64 = 24.0;

/// Position of a state in the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Coordinates {
    column: usize,
    y: f64,
}

/// The final results that a state leads to, with their inputs and replies.
type Ends = BTreeMap<End, Vec<Arc>>;

fn ends(machine: &MealyMachine, state: usize) -> Ends {
    let mut ends = Ends::new();
    for arc in &machine.states[state].arcs {
        if let Target::End(end) = arc.target {
            ends.entry(end).or_default().push(*arc);
        }
    }
    ends
}

/// Returns the successors of a state, each once, in the order of the inputs.
fn children(machine: &MealyMachine, state: usize) -> Vec<(usize, Vec<Arc>)> {
    let mut found: Vec<(usize, Vec<Arc>)> = Vec::new();
    for arc in &machine.states[state].arcs {
        if let Target::State(next) = arc.target {
            match found.iter_mut().find(|(state, _)| *state == next) {
                Some((_, arcs)) => arcs.push(*arc),
                None => found.push((next, vec![*arc])),
            }
        }
    }
    found
}

/// Computes the position of each state: beside its first successor. Each final result takes a row.
fn coordinates(machine: &MealyMachine) -> (Vec<Coordinates>, BTreeMap<(usize, End), f64>) {
    struct Layout<'a> {
        machine: &'a MealyMachine,
        coordinates: Vec<Option<Coordinates>>,
        ends: BTreeMap<(usize, End), f64>,
        next: f64,
    }
    impl Layout<'_> {
        fn put(&mut self, state: usize, column: usize) -> f64 {
            if let Some(place) = self.coordinates[state] {
                return place.y;
            }
            // Set before its children are placed, so that a second path to this state is only an edge.
            self.coordinates[state] = Some(Coordinates { column, y: 0.0 });
            let mut rows = Vec::new();
            for end in ends(self.machine, state).into_keys() {
                self.ends.insert((state, end), self.next);
                rows.push(self.next);
                self.next += ROW;
            }
            for (child, _) in children(self.machine, state) {
                if self.coordinates[child].is_none() {
                    rows.push(self.put(child, column + 1));
                }
            }
            if rows.is_empty() {
                rows.push(self.next);
                self.next += ROW;
            }
            // The start state is at the top, where a reader looks first.
            let y = rows[0];
            self.coordinates[state] = Some(Coordinates { column, y });
            y
        }
    }
    let mut layout = Layout {
        machine,
        coordinates: vec![None; machine.states.len()],
        ends: BTreeMap::new(),
        next: MARGIN + ROW / 2.0,
    };
    layout.put(0, 0);
    let coordinates = layout.coordinates.into_iter();
    let coordinates =
        coordinates.map(|place| place.expect("every state is reached from the first"));
    (coordinates.collect(), layout.ends)
}

/// Formats the label of an edge: each input with its reply, and `!` where the flag is not true.
fn label(arcs: &[Arc]) -> String {
    let text = arcs.iter().map(|arc| {
        let reply = arc.reply.map_or("-".into(), |cell| (cell + 1).to_string());
        let mark = if arc.is_flag_wrong { "!" } else { "" };
        format!("{}/{reply}{mark}", arc.input + 1)
    });
    text.collect::<Vec<_>>().join(" ")
}

fn cells(board: &Board, computer: Player) -> Vec<Option<Player>> {
    let player = |square: &Square| match square {
        Square::Empty => None,
        Square::Computer => Some(computer),
        Square::Person => Some(computer.other()),
    };
    board.iter().map(player).collect()
}

/// Draws a machine.
#[must_use]
pub fn draw(machine: &MealyMachine, title: &str, messages: Messages) -> Drawing {
    let (coordinates, end_rows) = coordinates(machine);
    let mut svg = Drawing::new(title);
    let left = |column: usize| MARGIN + column as f64 * COLUMN;
    svg.text_from(MARGIN, MARGIN, 15.0, "strong", title);
    svg.text_from(
        MARGIN,
        MARGIN + 18.0,
        11.0,
        "note",
        &messages.text("graph-legend"),
    );
    let down = 40.0;
    let arcs = machine.states.iter().flat_map(|state| &state.arcs);
    if arcs.into_iter().any(|arc| arc.is_flag_wrong) {
        let note = messages.text("graph-untrue-flags");
        svg.text_from(MARGIN, MARGIN + 31.0, 11.0, "note", &note);
    }
    // The start state has an arrow that comes from nowhere, as in textbooks.
    let start = (left(coordinates[0].column), coordinates[0].y + down);
    svg.curve((start.0 - 20.0, start.1), start, "edge");
    for side in [-4.0, 4.0] {
        svg.curve((start.0 - 6.0, start.1 + side), start, "edge");
    }
    let mut incoming = vec![0_u8; coordinates.len()];
    for (state, place) in coordinates.iter().enumerate() {
        let from = (left(place.column) + BOARD, place.y + down);
        for (child, arcs) in children(machine, state) {
            let to = (left(coordinates[child].column), coordinates[child].y + down);
            svg.curve(from, to, "edge");
            let label = label(&arcs);
            // The label of a second edge goes above the first.
            let above = 5.0 + 12.0 * f64::from(incoming[child]);
            incoming[child] += 1;
            let x = to.0 - 6.0 - text_width(&label, 10.0);
            svg.text_from(x, to.1 - above, 10.0, "", &label);
        }
        for (end, arcs) in ends(machine, state) {
            let to = (
                left(place.column) + BOARD + 64.0,
                end_rows[&(state, end)] + down,
            );
            svg.curve(from, to, "edge");
            let name = messages.text(&format!("graph-{}", end_word(end)));
            let width = text_width(&name, 11.0) + 14.0;
            // Final states have a double border, as in textbooks.
            svg.rect(to.0, to.1 - 11.0, width, 22.0, "frame");
            svg.rect(to.0 + 3.0, to.1 - 8.0, width - 6.0, 16.0, "frame");
            svg.text(to.0 + width / 2.0, to.1 + 4.0, 11.0, "", &name);
            let parts = arcs.chunks(4);
            let middle = (parts.len() as f64 - 1.0) / 2.0;
            for (row, part) in parts.enumerate() {
                let y = to.1 + 4.0 + 11.0 * (row as f64 - middle);
                svg.text_from(to.0 + width + 6.0, y, 10.0, "note", &label(part));
            }
        }
    }
    let computer = machine.side.computer();
    // The computer is o, as in the document, whether it moves first or second.
    let marks = match machine.side {
        Side::Attack => Marks::OX,
        Side::Defence => Marks::XO,
    };
    for (state, place) in coordinates.iter().enumerate() {
        let cells = cells(&machine.states[state].board, computer);
        let board = SmallBoard {
            sides: &[3, 3],
            cells: &cells,
            pieces: Pieces::Marks,
            marks,
            last: None,
        };
        let at = (left(place.column), place.y + down - BOARD / 2.0);
        board.draw(&mut svg, at, CELL, "");
        let name = machine.name(state);
        svg.text(
            at.0 + BOARD / 2.0,
            at.1 + BOARD + 11.0,
            10.0,
            "strong",
            &name,
        );
    }
    svg
}

fn end_word(end: End) -> &'static str {
    match end {
        End::Won => "win",
        End::Draw => "draw",
        End::Lost => "loss",
    }
}

/// Formats a machine as DOT.
#[must_use]
pub fn dot(machine: &MealyMachine) -> String {
    let mut text =
        String::from("digraph automaton {\n  rankdir=LR;\n  node [fontname=\"monospace\"];\n");
    for end in machine.ends() {
        let word = end_word(end);
        let _ = writeln!(text, "  {word} [shape=doublecircle];");
    }
    for (state, place) in machine.states.iter().enumerate() {
        let letters = place.board.map(|square| match square {
            Square::Empty => '-',
            Square::Computer => 'o',
            Square::Person => 'x',
        });
        let rows: Vec<String> = letters.chunks(3).map(|row| row.iter().collect()).collect();
        let board = rows.join("\\n");
        let number = state + 1;
        let _ = writeln!(
            text,
            "  q{number} [shape=box, label=\"{}\\n{board}\"];",
            machine.name(state)
        );
    }
    text.push_str("  start [shape=point];\n  start -> q1;\n");
    for (state, place) in machine.states.iter().enumerate() {
        for arc in &place.arcs {
            let target = match arc.target {
                Target::State(next) => format!("q{}", next + 1),
                Target::End(end) => end_word(end).into(),
                Target::Stuck => continue,
            };
            let from = state + 1;
            let label = label(&[*arc]);
            let _ = writeln!(text, "  q{from} -> {target} [label=\"{label}\"];");
        }
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use papan_strategies::TransitionTable;
    use papan_strategies::automaton::{ATTACK, DEFENCE};

    fn machine(text: &str, side: Side) -> MealyMachine {
        MealyMachine::of(&TransitionTable::parse(text).unwrap(), side).unwrap()
    }

    #[test]
    fn every_state_and_every_answer_is_drawn_once() {
        let machine = machine(ATTACK, Side::Attack);
        let svg = draw(&machine, "attack", Messages::new(Language::English)).svg();
        for state in 1..=machine.states.len() {
            assert_eq!(svg.matches(&format!(">Q{state}<")).count(), 1);
        }
        let answers: usize = svg
            .lines()
            .filter_map(|line| line.split('>').nth(1)?.strip_suffix("</text"))
            .flat_map(|text| text.split(' '))
            .filter(|word| word.len() == 3 && word.as_bytes()[1] == b'/')
            .count();
        assert_eq!(answers, machine.arcs());
        let dot = dot(&machine);
        // The arrow of the start state is no answer.
        assert_eq!(dot.matches(" -> ").count(), machine.arcs() + 1);
        assert!(dot.contains("start -> q1;"), "{dot}");
    }

    #[test]
    fn the_document_s_own_table_keeps_its_names_and_its_mistakes() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../data/automata/document-000-as-printed.txt"
        );
        let machine = machine(&std::fs::read_to_string(path).unwrap(), Side::Attack);
        let svg = draw(&machine, "as printed", Messages::new(Language::English)).svg();
        for name in ["Q1", "Q13", "Q11=Q14", "Q15", "Q17=Q20", "Q26"] {
            assert!(svg.contains(&format!(">{name}<")), "{name}: {svg}");
        }
        // The flags of Q3|2 and Q16|7 are not true.
        assert!(svg.contains("2/5!") && svg.contains("7/3!"), "{svg}");
        assert!(
            !draw(
                &self::machine(ATTACK, Side::Attack),
                "",
                Messages::default()
            )
            .svg()
            .contains('!')
        );
    }

    #[test]
    fn the_picture_begins_with_the_first_state() {
        for (text, side) in [(ATTACK, Side::Attack), (DEFENCE, Side::Defence)] {
            let (coordinates, _) = coordinates(&machine(text, side));
            let highest = coordinates.iter().map(|place| place.y).reduce(f64::min);
            assert_eq!(Some(coordinates[0].y), highest, "{side:?}");
            assert_eq!(coordinates[0].column, 0);
        }
    }

    #[test]
    fn no_two_states_are_drawn_over_each_other() {
        for (text, side) in [(ATTACK, Side::Attack), (DEFENCE, Side::Defence)] {
            let machine = machine(text, side);
            let (mut coordinates, _) = coordinates(&machine);
            coordinates.sort_by(|a, b| a.column.cmp(&b.column).then(a.y.total_cmp(&b.y)));
            for pair in coordinates.windows(2) {
                let apart = pair[1].y - pair[0].y;
                assert!(
                    pair[0].column != pair[1].column || apart >= BOARD,
                    "{pair:?}"
                );
            }
        }
    }
}
