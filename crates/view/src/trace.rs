//! A traced run as text: the pseudo-code, and a line for each step.

use papan_catalog::AnyGame;
use papan_catalog::trace::TracedRun;
use papan_solve::{Algorithm, Listing, TraceEvent, TraceStep, Window};
use papan_strategies::{Bound, Candidate, Value};

use crate::{Messages, explain};

/// A line of the pseudo-code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine {
    /// Its number, which steps refer to.
    pub number: u8,
    /// Its text; a dot for each level of indentation.
    pub text: String,
}

impl CodeLine {
    /// Returns the text without its indentation.
    #[must_use]
    pub fn statement(&self) -> &str {
        self.text.trim_start_matches(['.', ' '])
    }

    /// Returns the number of levels by which it is indented.
    #[must_use]
    pub fn level(&self) -> usize {
        let indent = &self.text[..self.text.len() - self.statement().len()];
        indent.matches('.').count()
    }
}

/// Returns the pseudo-code of an algorithm.
#[must_use]
pub fn pseudo_code(algorithm: Algorithm, messages: Messages) -> Vec<CodeLine> {
    let (name, lines): (&str, Vec<u8>) = match algorithm {
        Algorithm::Minimax => ("search", vec![1, 2, 3, 4, 5, 6, 9, 10]),
        Algorithm::AlphaBeta => ("search", (1..=10).collect()),
        Algorithm::Scoring(listing) => (listing_key(listing), (1..=listing.lines()).collect()),
        Algorithm::Mcts => ("mcts", (1..=6).collect()),
        Algorithm::Program => ("program", (1..=4).collect()),
    };
    let line = |number: u8| CodeLine {
        number,
        text: messages.text(&format!("trace-{name}-{number}")),
    };
    lines.into_iter().map(line).collect()
}

const fn listing_key(listing: Listing) -> &'static str {
    match listing {
        Listing::BranchAndBound => "bound",
        Listing::Greedy => "greedy",
        Listing::GreedyPoints => "points",
        Listing::Expert => "expert",
        Listing::Automaton => "automaton",
        Listing::Lookup => "lookup",
    }
}

/// Returns the six components of an algorithm by which its document describes it, if it does: of
/// minimax in document 002, of greedy algorithms in document 004.
#[must_use]
pub fn components(algorithm: Algorithm, messages: Messages) -> Vec<String> {
    let name = match algorithm {
        Algorithm::Minimax | Algorithm::AlphaBeta => "search",
        Algorithm::Scoring(Listing::Greedy | Listing::GreedyPoints) => "greedy",
        _ => return Vec::new(),
    };
    let component = |number| messages.text(&format!("trace-component-{name}-{number}"));
    (1..=6).map(component).collect()
}

/// A named number of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its name.
    pub name: String,
    /// Its value as text.
    pub value: String,
}

/// Returns the state of the search at a step: side to move, depth, alpha and beta, the value or bound
/// found, the moves cut and the reason.
#[must_use]
pub fn facts(game: &AnyGame, step: &TraceStep, messages: Messages, ascii: bool) -> Vec<Fact> {
    let fact = |key: &str, value: String| Fact {
        name: messages.text(key),
        value,
    };
    let mut facts = vec![fact(
        "trace-fact-path",
        if step.path.is_empty() {
            messages.text("tree-root")
        } else {
            game.show_moves(&step.path)
        },
    )];
    if let Some(window) = step.window {
        let ends = window_ends(window, ascii);
        facts.push(fact("trace-fact-alpha", ends.alpha));
        facts.push(fact("trace-fact-beta", ends.beta));
    }
    if let Some(depth) = step.depth {
        facts.push(fact("trace-fact-depth", depth.to_string()));
    }
    // The document's program compares the first eleven characters after the flag with `Cstate`.
    if let TraceEvent::Score { candidate, .. } = &step.event
        && let Some(row) = candidate.terms.iter().find(|term| term.name == "row")
        && let Value::Text(row) = &row.value
        && row.contains('|')
    {
        let characters = row.chars();
        facts.push(fact(
            "trace-fact-cstate",
            characters.skip(1).take(11).collect(),
        ));
    }
    let found = match &step.event {
        TraceEvent::Leaf { value } => Some((*value, Bound::Exact)),
        TraceEvent::Collapsed { value, bound, .. }
        | TraceEvent::Better { value, bound, .. }
        | TraceEvent::NotBetter { value, bound, .. }
        | TraceEvent::Return { value, bound } => Some((*value, *bound)),
        _ => None,
    };
    if let Some((value, bound)) = found {
        facts.push(fact("trace-fact-value", number(value, bound, ascii)));
    }
    if let TraceEvent::Cut { left } = &step.event {
        facts.push(fact("trace-fact-cut", game.show_moves(left)));
        let ends = step.window.map(|window| window_ends(window, ascii));
        if let Some(WindowEnds { alpha, beta }) = ends {
            let values = [("alpha", alpha.into()), ("beta", beta.into())];
            facts.push(fact(
                "trace-fact-why",
                messages.with("trace-why-cut", values),
            ));
        }
    }
    facts
}

/// Formats a whole run.
#[must_use]
pub fn text(run: &TracedRun, messages: Messages, ascii: bool) -> String {
    let game = run.line.game();
    let mut text = String::new();
    for CodeLine { number, text: code } in pseudo_code(run.algorithm, messages) {
        text += &format!("{number:>3}  {code}\n");
    }
    for component in components(run.algorithm, messages) {
        text += &format!("     - {component}\n");
    }
    text.push('\n');
    for (number, step) in (1..).zip(&run.trace.steps) {
        text += &format!("{number:>5}  {}\n", line(&game, step, messages, ascii));
    }
    if run.trace.is_cut_short {
        let steps = run.trace.steps.len().to_string();
        text += &messages.with("trace-cut-short", [("steps", steps.into())]);
        text.push('\n');
    }
    text
}

/// Formats a step: the line of the pseudo-code, the path, what happens, and the window.
#[must_use]
pub fn line(game: &AnyGame, step: &TraceStep, messages: Messages, ascii: bool) -> String {
    let path = if step.path.is_empty() {
        messages.text("tree-root")
    } else {
        game.show_moves(&step.path)
    };
    let indent = "  ".repeat(step.path.len());
    let window = step.window.map_or_else(String::new, |window| {
        format!("  {}", window_text(window, ascii))
    });
    format!(
        "{:>2}  {indent}{path}: {}{window}",
        step.code,
        event(game, step, messages, ascii)
    )
}

/// Formats what happens in a step.
#[must_use]
pub fn event(game: &AnyGame, step: &TraceStep, messages: Messages, ascii: bool) -> String {
    let show = |mv| game.show_move(mv);
    let terms = |candidate: &Candidate| explain::terms(candidate, messages, ascii);
    match &step.event {
        TraceEvent::Enter if step.window.is_none() && step.path.is_empty() => {
            messages.text("trace-begin")
        }
        TraceEvent::Enter if step.maximising => messages.text("trace-enter-max"),
        TraceEvent::Enter => messages.text("trace-enter-min"),
        TraceEvent::Leaf { value } => messages.with(
            "trace-leaf",
            [("value", number(*value, Bound::Exact, ascii).into())],
        ),
        TraceEvent::Collapsed {
            value,
            bound,
            nodes,
        } => messages.with(
            "trace-collapsed",
            [
                ("value", number(*value, *bound, ascii).into()),
                ("nodes", nodes.to_string().into()),
            ],
        ),
        TraceEvent::Better { mv, value, bound } => messages.with(
            "trace-better",
            [
                ("move", show(*mv).into()),
                ("value", number(*value, *bound, ascii).into()),
            ],
        ),
        TraceEvent::NotBetter {
            mv,
            value,
            bound,
            best,
        } => messages.with(
            "trace-not-better",
            [
                ("move", show(*mv).into()),
                ("value", number(*value, *bound, ascii).into()),
                ("best", number(*best, Bound::Exact, ascii).into()),
            ],
        ),
        TraceEvent::Cut { left } => {
            messages.with("trace-cut", [("moves", game.show_moves(left).into())])
        }
        TraceEvent::Return { value, bound } => messages.with(
            "trace-return",
            [("value", number(*value, *bound, ascii).into())],
        ),
        TraceEvent::Score { candidate, best } => {
            let mark = if *best { " *" } else { "" };
            format!("{}: {}{mark}", show(candidate.mv), terms(candidate))
        }
        TraceEvent::Playout {
            number,
            mv,
            candidates,
        } => {
            let of_move = candidates.iter().find(|candidate| candidate.mv == *mv);
            messages.with(
                "trace-playout",
                [
                    ("number", number.to_string().into()),
                    ("move", show(*mv).into()),
                    ("terms", of_move.map_or_else(String::new, terms).into()),
                ],
            )
        }
        TraceEvent::Choose { mv } => messages.with("trace-choose", [("move", show(*mv).into())]),
    }
}

/// Formats a value with its bound: `+1`, `0`, `≤ 0`.
#[must_use]
pub fn number(value: i32, bound: Bound, ascii: bool) -> String {
    let sign = match (bound, ascii) {
        (Bound::AtMost, false) => "≤ ",
        (Bound::AtMost, true) => "<= ",
        (Bound::AtLeast, false) => "≥ ",
        (Bound::AtLeast, true) => ">= ",
        (Bound::Exact | Bound::Estimate, _) => "",
    };
    match value {
        0 => format!("{sign}0"),
        _ => format!("{sign}{value:+}"),
    }
}

/// The ends of a window as text.
struct WindowEnds {
    alpha: String,
    beta: String,
}

fn window_ends(window: Window, ascii: bool) -> WindowEnds {
    let infinity = if ascii { "inf" } else { "∞" };
    let end = |value: Option<i32>, sign: &str| match value {
        None => format!("{sign}{infinity}"),
        Some(value) => number(value, Bound::Exact, ascii),
    };
    WindowEnds {
        alpha: end(window.alpha(), "-"),
        beta: end(window.beta(), "+"),
    }
}

/// Formats a window: `[-∞, +1]`.
#[must_use]
pub fn window_text(window: Window, ascii: bool) -> String {
    let WindowEnds { alpha, beta } = window_ends(window, ascii);
    format!("[{alpha}, {beta}]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use papan_catalog::AnyGame;
    use papan_catalog::trace::{TraceRequest, trace};

    fn run(moves: &str, strategy: &str) -> TracedRun {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        let request = TraceRequest {
            strategy: strategy.parse().unwrap(),
            shown: 1,
            steps: 1000,
            nodes: u64::MAX,
            playouts: 5,
            seed: 0,
        };
        trace(&*line, &request).unwrap()
    }

    #[test]
    fn each_step_names_a_line_of_the_listing_of_its_strategy() {
        let strategies = [
            "minimax",
            "alphabeta",
            "branch-and-bound",
            "greedy",
            "greedy-points",
            "expert",
            "automaton",
            "mcts",
        ];
        let mut listings = std::collections::HashSet::new();
        for language in Language::ALL {
            let messages = Messages::new(language);
            for strategy in strategies {
                let run = run("9 6", strategy);
                let code = pseudo_code(run.algorithm, messages);
                for step in &run.trace.steps {
                    assert!(
                        code.iter().any(|line| line.number == step.code),
                        "{strategy}"
                    );
                }
                let texts: Vec<String> = code.into_iter().map(|line| line.text).collect();
                listings.insert(texts);
                let described = matches!(
                    strategy,
                    "minimax" | "alphabeta" | "greedy" | "greedy-points"
                );
                let named = components(run.algorithm, messages);
                assert_eq!(named.len(), if described { 6 } else { 0 }, "{strategy}");
                let text = text(&run, messages, false);
                assert!(named.iter().all(|component| text.contains(component)));
            }
        }
        assert_eq!(listings.len(), 2 * strategies.len());
    }

    #[test]
    fn the_key_of_the_automaton_is_named() {
        let run = run("9 6", "automaton");
        let messages = Messages::new(Language::English);
        let game = run.line.game();
        let facts = run.trace.steps.iter();
        let facts: Vec<Fact> = facts
            .flat_map(|step| facts_of(&game, step, messages))
            .filter(|fact| fact.name == "Cstate")
            .collect();
        assert_eq!(facts.len(), 1);
        assert_eq!(facts[0].value, "o--------|4");
    }

    fn facts_of(game: &AnyGame, step: &TraceStep, messages: Messages) -> Vec<Fact> {
        facts(game, step, messages, false)
    }
}
