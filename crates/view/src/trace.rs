//! A traced run as text: the pseudo-code, and a line for each step.

use papan_catalog::trace::TracedRun;
use papan_catalog::{AnyGame, Arguments, StrategySpec};
use papan_solve::{Algorithm, Listing, TraceEvent, TraceStep, Window};
use papan_strategies::{Bound, Candidate, GreedyPoints, Value};

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

/// Returns the pseudo-code that a strategy runs: its arguments change some lines.
#[must_use]
pub fn pseudo_code(
    algorithm: Algorithm,
    strategy: &StrategySpec,
    messages: Messages,
) -> Vec<CodeLine> {
    let (name, mut lines): (&str, Vec<u8>) = match algorithm {
        Algorithm::Minimax => ("search", vec![1, 2, 3, 4, 5, 6, 9, 10]),
        Algorithm::AlphaBeta => ("search", (1..=10).collect()),
        Algorithm::AlphaBetaAsPrinted => ("printed", (1..=15).collect()),
        Algorithm::Scoring(listing) => (listing_key(listing), (1..=listing.lines()).collect()),
        Algorithm::Mcts => ("mcts", (1..=6).collect()),
        Algorithm::Program => ("program", (1..=4).collect()),
    };
    let arguments = strategy.arguments();
    let ties = arguments.word("ties");
    if algorithm == Algorithm::Scoring(Listing::Greedy) && matches!(ties, None | Some("first")) {
        lines.retain(|number| *number != GREEDY_TIES);
    }
    let points = arguments.number("win");
    let win = points.unwrap_or(GreedyPoints::WIN.into()).to_string();
    let line = |number: u8| {
        let reading = reading(algorithm, number, arguments);
        // The others are those of alpha-beta, which has a window as well.
        let is_own = algorithm == Algorithm::Minimax && matches!(number, 1 | 5);
        let name = if is_own { "minimax" } else { name };
        let key = format!("trace-{name}-{number}{reading}");
        let text = messages.with(&key, [("win", win.clone().into())]);
        CodeLine { number, text }
    };
    lines.into_iter().map(line).collect()
}

/// The line of greedy's pseudo-code that breaks ties.
const GREEDY_TIES: u8 = 7;

/// Returns the end of the key of a line that depends on the reading of the document.
fn reading(algorithm: Algorithm, line: u8, arguments: &Arguments) -> &'static str {
    let is = |name: &str, word: &str| arguments.word(name) == Some(word);
    match (algorithm, line) {
        (Algorithm::Minimax | Algorithm::AlphaBeta, 2) if is("prefer", "shortest") => "-shortest",
        (Algorithm::Scoring(listing), line) => match (listing, line) {
            (Listing::BranchAndBound, 4) if is("infinity", "plain") => "-plain",
            (Listing::BranchAndBound, 8) if is("ties", "any") => "-any",
            (Listing::Greedy, 6) if is("formula", "as-printed") => "-printed",
            (Listing::Greedy, GREEDY_TIES) if is("ties", "every-reply") => "-every",
            (Listing::Expert, 5) if is("block-fork", "prevent") => "-prevent",
            _ => "",
        },
        _ => "",
    }
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
pub fn components(
    algorithm: Algorithm,
    strategy: &StrategySpec,
    messages: Messages,
) -> Vec<String> {
    let shortest = strategy.arguments().word("prefer") == Some("shortest");
    let name = match algorithm {
        Algorithm::Minimax | Algorithm::AlphaBeta => "search",
        Algorithm::Scoring(Listing::Greedy | Listing::GreedyPoints) => "greedy",
        _ => return Vec::new(),
    };
    let component = |number| {
        let utility = if shortest && number == 6 {
            "-shortest"
        } else {
            ""
        };
        messages.text(&format!("trace-component-{name}-{number}{utility}"))
    };
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

/// Returns the state of the run at a step: depth, alpha and beta, the value or bound found, the moves
/// cut and the reason; the key of the automaton; the queue of branch and bound.
#[must_use]
pub fn facts(run: &TracedRun, at: usize, messages: Messages, ascii: bool) -> Vec<Fact> {
    let (game, step) = (run.line.game(), run.step(at));
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
    if has_depth(run.algorithm) {
        facts.push(fact("trace-fact-depth", depth(step)));
    }
    if let Some(window) = step.window {
        let ends = window_ends(window, ascii);
        facts.push(fact("trace-fact-alpha", ends.alpha));
        facts.push(fact("trace-fact-beta", ends.beta));
    }
    if let TraceEvent::Key { key } | TraceEvent::Compare { key, .. } | TraceEvent::NoReply { key } =
        &step.event
    {
        facts.push(fact("trace-fact-cstate", key.clone()));
    }
    if let TraceEvent::Compare { row, .. } = &step.event {
        facts.push(fact("trace-fact-row", row.clone()));
    }
    let queue = live_nodes(run, at);
    if !queue.is_empty() {
        facts.push(fact("trace-fact-queue", queue));
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
    let cut = match &step.event {
        TraceEvent::Cut { left } => Some((left, "trace-why-cut")),
        TraceEvent::Abandon { left } if step.maximising => Some((left, "trace-why-printed-max")),
        TraceEvent::Abandon { left } => Some((left, "trace-why-printed-min")),
        _ => None,
    };
    if let (Some((left, why)), Some(window)) = (cut, step.window) {
        facts.push(fact("trace-fact-cut", game.show_moves(left)));
        let WindowEnds { alpha, beta } = window_ends(window, ascii);
        let values = [("alpha", alpha.into()), ("beta", beta.into())];
        facts.push(fact("trace-fact-why", messages.with(why, values)));
    }
    facts
}

/// Formats a whole run.
#[must_use]
pub fn text(run: &TracedRun, messages: Messages, ascii: bool) -> String {
    let mut text = String::new();
    for CodeLine { number, text: code } in pseudo_code(run.algorithm, &run.strategy, messages) {
        text += &format!("{number:>3}  {code}\n");
    }
    for component in components(run.algorithm, &run.strategy, messages) {
        text += &format!("     - {component}\n");
    }
    text.push('\n');
    let columns = Columns::of(run.algorithm, messages);
    text += &columns.head();
    for at in 0..run.trace.steps.len() {
        text += &columns.row(run, at, messages, ascii);
    }
    if run.trace.is_cut_short {
        let steps = run.trace.steps.len().to_string();
        text += &messages.with("trace-cut-short", [("steps", steps.into())]);
        text.push('\n');
    }
    text
}

/// Returns whether steps of an algorithm are at different depths.
fn has_depth(algorithm: Algorithm) -> bool {
    algorithm.is_search() || algorithm == Algorithm::Mcts
}

/// Formats the depth of a step below the root, and the limit if there is one: `2/6`.
fn depth(step: &TraceStep) -> String {
    let depth = step.path.len();
    match step.depth {
        None => depth.to_string(),
        Some(left) => format!("{depth}/{}", depth + left as usize),
    }
}

/// Returns the queue of live nodes of branch and bound at a step, the best first.
fn live_nodes(run: &TracedRun, at: usize) -> String {
    if run.algorithm != Algorithm::Scoring(Listing::BranchAndBound) {
        return String::new();
    }
    let moves: Vec<_> = run.queue(at).into_iter().map(|node| node.mv).collect();
    run.line.game().show_moves(&moves)
}

/// The columns before the text of a step: its number, the line of the pseudo-code, the depth.
struct Columns {
    heads: Vec<String>,
}

impl Columns {
    /// Minimum width.
    const WIDTH: usize = 5;

    fn of(algorithm: Algorithm, messages: Messages) -> Self {
        let depth = has_depth(algorithm).then_some("trace-head-depth");
        let keys = ["trace-head-step", "trace-head-line"].into_iter();
        let heads = keys.chain(depth).map(|key| messages.text(key));
        Self {
            heads: heads.collect(),
        }
    }

    fn aligned(&self, cells: &[String]) -> String {
        let cells = cells.iter().zip(&self.heads).map(|(cell, head)| {
            let width = head.chars().count().max(Self::WIDTH);
            format!("{cell:>width$}")
        });
        cells.collect::<Vec<_>>().join(" ")
    }

    fn head(&self) -> String {
        self.aligned(&self.heads) + "\n"
    }

    /// Formats a step: the columns, the path, what happens, the window or the queue.
    fn row(&self, run: &TracedRun, at: usize, messages: Messages, ascii: bool) -> String {
        let (game, step) = (run.line.game(), run.step(at));
        let cells = [(at + 1).to_string(), step.code.to_string(), depth(step)];
        let path = if step.path.is_empty() {
            messages.text("tree-root")
        } else {
            game.show_moves(&step.path)
        };
        let indent = "  ".repeat(step.path.len());
        let mut text = format!("  {indent}{path}: {}", event(&game, step, messages, ascii));
        if let Some(window) = step.window {
            text += &format!("  {}", window_text(window, ascii));
        }
        let queue = live_nodes(run, at);
        if !queue.is_empty() {
            text += &format!(
                "  {}",
                messages.with("trace-queue", [("moves", queue.into())])
            );
        }
        format!("{}{text}\n", self.aligned(&cells))
    }
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
        TraceEvent::Abandon { left } => {
            messages.with("trace-abandon", [("moves", game.show_moves(left).into())])
        }
        TraceEvent::Return { value, bound } => messages.with(
            "trace-return",
            [("value", number(*value, *bound, ascii).into())],
        ),
        TraceEvent::Score { candidate, best } => {
            let mark = if *best { " *" } else { "" };
            format!("{}: {}{mark}", show(candidate.mv), terms(candidate))
        }
        TraceEvent::Key { key } => messages.with("trace-key", [("key", key.clone().into())]),
        TraceEvent::Compare {
            state,
            row,
            rows,
            difference,
            ..
        } => {
            let name = state
                .as_ref()
                .map_or_else(String::new, |name| format!("{name} "));
            let (key, character) = match (difference, rows) {
                (None, _) => ("trace-compare-equal", 0),
                (Some(character), 1) => ("trace-compare-row", *character),
                (Some(character), _) => ("trace-compare-state", *character),
            };
            messages.with(
                key,
                [
                    ("row", format!("{name}{row}").into()),
                    ("rows", rows.to_string().into()),
                    ("character", character.to_string().into()),
                ],
            )
        }
        TraceEvent::NoReply { key } => {
            messages.with("trace-no-reply", [("key", key.clone().into())])
        }
        TraceEvent::Select { number } => {
            messages.with("trace-select", [("number", number.to_string().into())])
        }
        TraceEvent::Expand { moves, mv } => messages.with(
            "trace-expand",
            [
                ("count", moves.to_string().into()),
                ("move", show(*mv).into()),
            ],
        ),
        TraceEvent::Simulate { moves, value } => messages.with(
            if moves.is_empty() {
                "trace-simulate-over"
            } else {
                "trace-simulate"
            },
            [
                ("moves", game.show_moves(moves).into()),
                ("value", number(*value, Bound::Exact, ascii).into()),
            ],
        ),
        TraceEvent::Playout {
            number,
            mv,
            candidates,
            ..
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
            "alphabeta(pseudo-code=as-printed)",
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
                let code = pseudo_code(run.algorithm, &run.strategy, messages);
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
                let named = components(run.algorithm, &run.strategy, messages);
                assert_eq!(named.len(), if described { 6 } else { 0 }, "{strategy}");
                let text = text(&run, messages, false);
                assert!(named.iter().all(|component| text.contains(component)));
            }
        }
        assert_eq!(listings.len(), 2 * strategies.len());
    }

    fn text_of(moves: &str, strategy: &str) -> String {
        text(
            &run(moves, strategy),
            Messages::new(Language::English),
            false,
        )
    }

    #[test]
    fn the_scan_of_the_automaton_has_its_key_rows_and_states() {
        let automaton = run("9 6", "automaton");
        let messages = Messages::new(Language::English);
        let steps = 0..automaton.trace.steps.len();
        let facts = steps.flat_map(|at| facts(&automaton, at, messages, false));
        let keys: Vec<Fact> = facts.filter(|fact| fact.name == "Cstate").collect();
        assert_eq!(keys.len(), 5);
        assert!(keys.iter().all(|key| key.value == "o--------|4"));
        let text = text_of("9 6", "automaton");
        assert!(
            text.contains("-o--------|3|9 differs in character 11"),
            "{text}"
        );
        assert!(text.contains("-o--------|4|3 is equal"), "{text}");
        // The document's own table, with its numbers of states.
        let file = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../data/automata/document-000-as-printed.txt"
        );
        let text = text_of("1 3 9 7", &format!("automaton(file={file})"));
        assert!(text.contains("Q1 -o--------|2|7: 8 rows differ"), "{text}");
        assert!(text.contains("Q3 -o-x-----o|5|7 differs"), "{text}");
        assert!(text.contains("Q3 wo-x-----o|7|5 is equal"), "{text}");
    }

    #[test]
    fn a_table_without_a_row_is_compared_to_its_end() {
        let file = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../data/automata/document-000-as-printed.txt"
        );
        let strategy = format!("automaton(file={file})");
        let run = run("1 5 9 6 4 3", &strategy);
        let last = run.step(run.trace.steps.len() - 1);
        assert!(!run.trace.is_cut_short && run.trace.choice().is_none());
        assert_eq!(last.code, 5);
        let compared: usize = run
            .trace
            .steps
            .iter()
            .map(|step| match &step.event {
                TraceEvent::Compare {
                    rows, difference, ..
                } => {
                    assert!(difference.is_some());
                    *rows
                }
                _ => 0,
            })
            .sum();
        let text = std::fs::read_to_string(file).unwrap();
        let table = papan_strategies::TransitionTable::parse(&text).unwrap();
        assert_eq!(compared, table.rows().len());
        let text = text_of("1 5 9 6 4 3", &strategy);
        let TraceEvent::NoReply { key } = &last.event else {
            panic!("{:?}", last.event)
        };
        assert!(
            text.contains(&format!("no row is equal to {key}")),
            "{text}"
        );
        let messages = Messages::new(Language::English);
        let facts = facts(&run, run.trace.steps.len() - 1, messages, false);
        assert!(facts.iter().any(|f| f.name == "Cstate" && f.value == *key));
    }

    #[test]
    fn minimax_has_no_window_and_the_printed_code_says_why_it_leaves_moves() {
        let minimax = text_of("1 5 9 3 7 4", "minimax");
        assert!(
            minimax.contains("function search(position, depth):"),
            "{minimax}"
        );
        assert!(
            !minimax.contains("alpha") && !minimax.contains("beta"),
            "{minimax}"
        );
        let run = run("1 5 9 3", "alphabeta(pseudo-code=as-printed)");
        let at = run.trace.next_cut(0).unwrap();
        let messages = Messages::new(Language::English);
        let facts = facts(&run, at, messages, false);
        let value = |name: &str| facts.iter().find(|f| f.name == name).unwrap().value.clone();
        assert!(
            value("because").starts_with("beta +∞ > alpha "),
            "{facts:?}"
        );
        assert_eq!(value("cut off"), "4 6 7 8");
        let text = text_of("1 5 9 3", "alphabeta(pseudo-code=as-printed)");
        assert!(
            text.contains("as printed: 4 6 7 8 are not searched"),
            "{text}"
        );
    }

    #[test]
    fn the_pseudo_code_is_that_of_the_reading_that_runs() {
        for (strategy, code) in [
            ("greedy", "if -p+l is larger"),
            ("greedy(formula=as-printed)", "if p+l is larger"),
            ("greedy(ties=reply)", "compare the best replies"),
            (
                "branch-and-bound(infinity=plain)",
                "infinity if there is a block",
            ),
            ("branch-and-bound(ties=any)", "any cell"),
            ("greedy-points(win=7)", "+ 7 for each line"),
            ("minimax(prefer=shortest)", "1000 - n"),
            ("alphabeta(prefer=shortest)", "1000 - n, 0 or n - 1000"),
        ] {
            let text = text_of("1 5 9 3", strategy);
            assert!(text.contains(code), "{strategy}: {text}");
            let default = strategy.split('(').next().unwrap();
            if default != strategy {
                assert!(!text_of("1 5 9 3", default).contains(code), "{strategy}");
            }
        }
    }

    #[test]
    fn depth_queue_and_phases_are_shown() {
        let text = text_of("1 5 9 3", "alphabeta(depth=4)");
        assert!(text.contains("step  line depth\n"), "{text}");
        assert!(
            text.contains("    1     1   0/4  position: MAX to move"),
            "{text}"
        );
        assert!(text.contains("   1/4    2: MIN to move"), "{text}");
        let text = text_of("1 5 9", "branch-and-bound");
        assert!(text.contains("queue: 3 7 2 4"), "{text}");
        let text = text_of("1 5 9 3 7 4", "mcts(playouts=5)");
        for phase in [
            "selection",
            "expansion: adds",
            "simulation:",
            "playout 5 through",
        ] {
            assert!(text.contains(phase), "{phase}: {text}");
        }
    }
}
