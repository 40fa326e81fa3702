//! Explanation of a strategy's decision: its numbers for every move, and a sentence that says why
//! the chosen move was preferred.

mod picture;

use std::cmp::Ordering;

use papan_catalog::{AnyGame, AnyLine};
use papan_strategies::{Candidate, Decision, Score, Term, Value};

pub use self::picture::picture;
use crate::score;
use crate::text_board::{self, Style};
use crate::{BoardView, ForcedWin, Messages};

/// The row of an automaton that opens the game.
const OPENING: &str = "opening";

/// Compares two moves by the terms that decide. An upper bound counts as the value that it may
/// reach, so that the greater move is the stronger rival.
fn compare(a: &Candidate, b: &Candidate) -> Ordering {
    let upper = |term: &Term| match term.value {
        Value::AtMost(number) => Value::Number(number),
        ref value => value.clone(),
    };
    let deciding = |candidate: &Candidate| -> Vec<Value> {
        let terms = candidate.terms.iter().filter(|term| term.decides);
        terms.map(upper).collect()
    };
    for (a, b) in deciding(a).iter().zip(&deciding(b)) {
        match a.compare(b) {
            Some(Ordering::Equal) | None => {}
            Some(order) => return order,
        }
    }
    Ordering::Equal
}

/// Returns the best of the moves that were not chosen, the first of equals.
#[must_use]
pub fn runner_up(decision: &Decision) -> Option<&Candidate> {
    let others = decision.candidates.iter().filter(|c| c.mv != decision.best);
    others.reduce(|best, c| match compare(c, best) {
        Ordering::Greater => c,
        _ => best,
    })
}

/// Formats the depth of a move's search with the confidence of its selectivity, as in `14@87%`;
/// `None` if the strategy has no depth.
#[must_use]
pub fn depth(candidate: &Candidate) -> Option<String> {
    let number = |name: &str| {
        let term = candidate.terms.iter().find(|term| term.name == name)?;
        match term.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    };
    let depth = number("depth")?;
    Some(
        match number("confidence").filter(|&confidence| confidence < 100) {
            Some(confidence) => format!("{depth}@{confidence}%"),
            None => depth.to_string(),
        },
    )
}

/// Formats one number of a strategy.
#[must_use]
pub fn value_text(value: &Value, messages: Messages, ascii: bool) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::AtMost(number) => format!("{} {number}", if ascii { "<=" } else { "≤" }),
        Value::Infinite { times, plus } => {
            let times = match times {
                1 => String::new(),
                times => times.to_string(),
            };
            let infinity = if ascii { "inf" } else { "∞" };
            match plus {
                0 => format!("{times}{infinity}"),
                plus => format!("{times}{infinity}{plus:+}"),
            }
        }
        // Adding 0 turns -0 into 0.
        Value::Real(real) => format!("{:.2}", (real * 100.0).round() / 100.0 + 0.0),
        Value::Rule(key) => messages.text(&format!("rule-{key}")),
        Value::Text(text) if text == OPENING => messages.text("row-opening"),
        Value::Text(text) => text.clone(),
    }
}

/// A number or rule of a strategy for a move, short enough for a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortReason {
    /// The term, where it is not obvious.
    pub term: Option<&'static str>,
    /// The displayed name of the term.
    pub name: Option<String>,
    /// The value.
    pub value: String,
}

/// Returns the shortest summary of a move: the estimate of a level, its visits, else its score, else
/// its rule, else the numbers by which moves are compared, else any other terms.
#[must_use]
pub fn short(candidate: &Candidate, messages: Messages, ascii: bool) -> Vec<ShortReason> {
    let text = |term: &Term| value_text(&term.value, messages, ascii);
    let plain = |value| ShortReason {
        term: None,
        name: None,
        value,
    };
    let named = |term: &Term| ShortReason {
        term: Some(term.name),
        name: Some(heading(term.name, messages)),
        value: text(term),
    };
    // The score is the engine's, not that of the level, which may prefer another move.
    // The most visited move of a tree search need not have the best mean.
    let decides = |term: &&Term| ["felt", "visits"].contains(&term.name);
    if let Some(term) = candidate.terms.iter().find(decides) {
        return vec![named(term)];
    }
    if let Some(score) = candidate.score {
        return vec![plain(score::short(score, ascii))];
    }
    // A rule is shown by its name, not by its rank.
    let is_rule = |term: &&Term| matches!(term.value, Value::Rule(_));
    if let Some(rule) = candidate.terms.iter().find(is_rule) {
        return vec![plain(text(rule))];
    }
    let deciding = candidate.terms.iter().filter(|term| term.decides);
    let (wins, deciding): (Vec<&Term>, Vec<&Term>) = deciding.partition(|term| term.name == "wins");
    if wins.iter().any(|term| term.value == Value::Number(1)) {
        return vec![plain(heading("wins", messages))];
    }
    let deciding: Vec<ShortReason> = deciding.into_iter().take(3).map(named).collect();
    if !deciding.is_empty() {
        return deciding;
    }
    let shown = candidate.terms.iter().take(2);
    shown.map(|term| plain(text(term))).collect()
}

/// Formats all terms of a move: `cd = 3, ca = 4`.
#[must_use]
pub fn terms(candidate: &Candidate, messages: Messages, ascii: bool) -> String {
    let shown = candidate.terms.iter().filter(|term| term.name != "rule");
    let texts = shown.map(|term| {
        let name = heading(term.name, messages);
        let value = value_text(&term.value, messages, ascii);
        match term.value {
            Value::AtMost(_) => format!("{name} {value}"),
            _ => format!("{name} = {value}"),
        }
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// Returns the displayed name of a term, as in the head of its column.
#[must_use]
pub fn heading(name: &str, messages: Messages) -> String {
    let (minus, plain) = match name.strip_prefix('-') {
        Some(plain) => ("-", plain),
        None => ("", name),
    };
    let key = format!("term-{plain}");
    let is_plain = plain.chars().all(|c| c.is_ascii_lowercase());
    if is_plain && messages.has(&key) {
        format!("{minus}{}", messages.text(&key))
    } else {
        name.to_owned()
    }
}

/// Returns the names of the shown terms in order. A rule is shown by its name, not by its rank.
fn columns(decision: &Decision) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for term in decision.candidates.iter().flat_map(|c| &c.terms) {
        if !names.contains(&term.name) && term.name != "rule" {
            names.push(term.name);
        }
    }
    names
}

/// Returns whether a decision is that of an opening book.
#[must_use]
pub fn is_from_book(decision: &Decision) -> bool {
    let is_book = |term: &Term| term.value == Value::Rule("book");
    decision
        .chosen()
        .is_some_and(|chosen| chosen.terms.iter().any(is_book))
}

/// Returns a sentence that says why the chosen move was preferred to the runner-up.
#[must_use]
pub fn why(line: &dyn AnyLine, decision: &Decision, messages: Messages) -> String {
    let game = line.game();
    let mv = game.show_move(decision.best);
    if is_from_book(decision) {
        return messages.with("why-book", [("move", mv.into())]);
    }
    let (Some(chosen), Some(other)) = (decision.chosen(), runner_up(decision)) else {
        let key = if line.legal_moves().len() == 1 {
            "why-only"
        } else {
            "why-unseen"
        };
        return messages.with(key, [("move", mv.into())]);
    };
    if other.terms.is_empty() && !chosen.terms.is_empty() {
        return messages.with("why-unseen", [("move", mv.into())]);
    }
    let other_move = game.show_move(other.mv);
    let shown = |candidate: &Candidate, name: &str| {
        let term = candidate.terms.iter().find(|term| term.name == name);
        term.map(|term| value_text(&term.value, messages, false))
    };
    let row = chosen.terms.iter().find(|term| term.name == "row");
    if let Some(row) = row {
        if row.value == Value::Text(OPENING.into()) {
            return messages.with("why-opening", [("move", mv.into())]);
        }
        let row = value_text(&row.value, messages, false);
        return messages.with("why-row", [("move", mv.into()), ("row", row.into())]);
    }
    if let Some(time) = shown(chosen, "milliseconds") {
        let values = [("move", mv.into()), ("time", time.into())];
        return messages.with("why-program", values);
    }
    let Some(first) = chosen.terms.iter().find(|term| term.decides) else {
        return messages.with("why-random", [("move", mv.into())]);
    };
    if let (Some(rule), Some(theirs)) = (shown(chosen, "name"), shown(other, "name")) {
        let key = if rule == theirs {
            "why-same-rule"
        } else {
            "why-rule"
        };
        let values = [
            ("move", mv.into()),
            ("rule", rule.into()),
            ("other", other_move.into()),
            ("other-rule", theirs.into()),
        ];
        return messages.with(key, values);
    }
    if first.name == "wins" && first.value == Value::Number(1) {
        let plies = chosen.score.and_then(Score::plies).unwrap_or(1);
        if plies > 1 {
            let values = [("move", mv.into()), ("plies", plies.to_string().into())];
            return messages.with("why-forced", values);
        }
        return messages.with("why-wins", [("move", mv.into())]);
    }
    if let Some(proved) = chosen.score.filter(|score| score.is_by_proof()) {
        let score = score::text(proved, messages);
        return messages.with("why-proved", [("move", mv.into()), ("score", score.into())]);
    }
    let pairs = chosen.terms.iter().zip(&other.terms);
    let deciding = pairs.filter(|(term, _)| term.decides);
    let mut equal: Vec<String> = Vec::new();
    for (mine, theirs) in deciding {
        let name = heading(mine.name, messages);
        if mine.value == theirs.value {
            equal.push(name);
            continue;
        }
        let values = [
            ("move", mv.into()),
            ("other", other_move.into()),
            ("term", name.into()),
            ("value", value_text(&mine.value, messages, false).into()),
            (
                "other-value",
                value_text(&theirs.value, messages, false).into(),
            ),
        ];
        if mine.value.compare(&theirs.value).is_none() {
            // An engine compares moves at a smaller depth than that of its choice.
            let key = match shown(chosen, "depth") {
                Some(_) => "why-deeper",
                None => "why-bound",
            };
            return messages.with(key, values);
        }
        let sentence = messages.with("why-term", values);
        if equal.is_empty() || equal == [heading("wins", messages)] {
            return sentence;
        }
        let equal = messages.with("why-equal-before", [("terms", equal.join(", ").into())]);
        return format!("{sentence} {equal}");
    }
    // The engine reports whole discs, but compares fractions.
    let key = if shown(chosen, "confidence").is_some() {
        "why-equal-search"
    } else if other.mv < decision.best || shown(chosen, "equals").is_some() {
        "why-equal-random"
    } else {
        "why-first"
    };
    messages.with(key, [("move", mv.into()), ("other", other_move.into())])
}

/// Returns a sentence that compares the score of the chosen move with the best of the others; `None`
/// if a book, a seen win, or a strategy without scores chose it.
#[must_use]
pub fn why_by_score(line: &dyn AnyLine, decision: &Decision, messages: Messages) -> Option<String> {
    let chosen = decision.chosen()?;
    let is_win = |term: &Term| term.name == "wins" && term.value == Value::Number(1);
    if is_from_book(decision) || chosen.terms.iter().any(is_win) {
        return None;
    }
    let scored = |candidate: &Candidate| Some((candidate.mv, candidate.score?));
    let (mv, score) = scored(chosen)?;
    let others = decision.candidates.iter().filter(|one| one.mv != mv);
    let others = others.filter_map(scored);
    let (other, other_score) = others.max_by(|a, b| a.1.balance().total_cmp(&b.1.balance()))?;
    let game = line.game();
    let values = [
        ("move", game.show_move(mv).into()),
        ("score", score::text(score, messages).into()),
        ("other", game.show_move(other).into()),
        ("other-score", score::text(other_score, messages).into()),
    ];
    Some(messages.with("why-scores", values))
}

/// Returns the rows of a table of all moves with the strategy's numbers, under a row of headings; the
/// chosen one is marked in the first column.
#[must_use]
pub fn rows(game: &AnyGame, decision: &Decision, messages: Messages) -> Vec<Vec<String>> {
    let names = columns(decision);
    let with_line = decision.candidates.iter().any(|c| c.pv.len() > 1);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut head = vec![String::new(), messages.text("explain-move")];
    head.extend(names.iter().map(|name| heading(name, messages)));
    if with_line {
        head.push(messages.text("explain-line"));
    }
    rows.push(head);
    for candidate in &decision.candidates {
        let mark = if candidate.mv == decision.best {
            "*"
        } else {
            ""
        };
        let mut row = vec![mark.to_owned(), game.show_move(candidate.mv)];
        row.extend(names.iter().map(|name| {
            let term = candidate.terms.iter().find(|term| term.name == *name);
            term.map_or_else(String::new, |term| value_text(&term.value, messages, false))
        }));
        if with_line {
            let line = candidate.pv.iter().map(|&mv| game.show_move(mv));
            row.push(line.collect::<Vec<_>>().join(" "));
        }
        rows.push(row);
    }
    rows
}

/// Formats a table of all moves with the strategy's numbers; the chosen one is marked.
#[must_use]
pub fn table(game: &AnyGame, decision: &Decision, messages: Messages) -> Vec<String> {
    let rows = rows(game, decision, messages);
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(text, &width)| format!("{text}{}", " ".repeat(width - text.chars().count())));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Formats the board with the table beside it and the sentence below.
#[must_use]
pub fn text(line: &dyn AnyLine, decision: &Decision, style: Style, messages: Messages) -> String {
    let game = line.game();
    let board = text_board::draw(&BoardView::of(line), style, messages);
    let board: Vec<&str> = board.lines().collect();
    let table = table(&game, decision, messages);
    let width = board
        .iter()
        .map(|row| text_board::visible_width(row))
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for row in 0..board.len().max(table.len()) {
        let left = board.get(row).copied().unwrap_or("");
        let right = table.get(row).map_or("", String::as_str);
        let gap = " ".repeat(width - text_board::visible_width(left) + 4);
        text.push_str(format!("{left}{gap}{right}").trim_end());
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&why(line, decision, messages));
    text.push('\n');
    // A strategy that scores each move by itself looks at one node per move.
    if decision.nodes > decision.candidates.len() as u64 {
        let nodes = decision.nodes.to_string();
        text.push_str(&messages.with("explain-nodes", [("nodes", nodes.into())]));
        text.push('\n');
    }
    if let Some(win) = ForcedWin::of(line, decision) {
        let board = text_board::draw(&numbered(line, &win), style, messages);
        text.push_str(&format!("{}\n\n{board}", win.text(&game, messages)));
    }
    text
}

/// Returns the board with the moves of a win numbered on their cells.
fn numbered(line: &dyn AnyLine, win: &ForcedWin) -> BoardView {
    let mut view = BoardView::of(line);
    for cell in &mut view.cells {
        (cell.name, cell.legal) = (String::new(), false);
    }
    for (at, cell) in win.cells().enumerate() {
        let cell = &mut view.cells[cell];
        (cell.name, cell.legal) = ((at + 1).to_string(), true);
    }
    view
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use papan_catalog::StrategySpec;
    use papan_strategies::{Context, Limits};

    fn decided(game: &str, strategy: &str, moves: &str) -> (Box<dyn AnyLine>, Decision) {
        let game: AnyGame = game.parse().unwrap();
        let spec: StrategySpec = strategy.parse().unwrap();
        let mut seat = game.seat(&spec, &Limits::default()).unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        let decision = seat.decide(&*line, &Context::default()).unwrap();
        (line, decision)
    }

    fn sentence(strategy: &str, moves: &str) -> String {
        let (line, decision) = decided("tictactoe", strategy, moves);
        why(&*line, &decision, Messages::new(Language::English))
    }

    #[test]
    fn a_move_is_called_the_only_legal_one_only_where_it_is() {
        let said = |game, moves| {
            let (line, decision) = decided(game, "engine(nodes=100)", moves);
            why(&*line, &decision, Messages::new(Language::English))
        };
        // The engine opens without a search, and so with one candidate.
        let first = said("tictactoe:7x7:5", "");
        assert!(first.contains("no other move"), "{first}");
        let last = said("tictactoe:4x4", "1 2 3 5 4 6 8 7 9 10 11 12 14 13 15");
        assert_eq!(last, "16 is the only legal move.");
    }

    #[test]
    fn a_searched_move_is_not_called_random() {
        // All four first moves are symmetric and have the same value.
        let (line, decision) = decided("othello", "engine(depth=4)", "");
        let text = why(&*line, &decision, Messages::new(Language::English));
        assert!(text.contains("the search prefers"), "{text}");
    }

    #[test]
    fn the_sentence_names_what_decided() {
        let is = |strategy: &str, moves: &str, part: &str| {
            let text = sentence(strategy, moves);
            assert!(text.contains(part), "{strategy} after {moves}: {text}");
        };
        is("branch-and-bound", "1", "cd");
        is("branch-and-bound", "1 4 2 5", "wins at once");
        is("engine", "1 4 2 5", "wins at once");
        is("engine", "1 2 5 9", "by force in at most 3 plies");
        is("branch-and-bound", "5", "comes first");
        is("greedy", "1 4 2 5", "-p+l");
        is("expert", "1 5 2", "block");
        is("automaton", "1 2", "-o--------|2|7");
        is("minimax", "1 5 2", "value is 0, against -1");
        is("random", "", "at random");
        is("branch-and-bound(ties=any)", "1 5 9", "chosen at random");
        is(
            "alphabeta(pseudo-code=as-printed)",
            "",
            "looks at no other move",
        );
        is("perfect", "5 1 3 7 4 6 2 8", "only");
    }

    #[test]
    fn a_fork_is_not_called_an_open_four_where_three_in_a_row_win() {
        let (line, decision) = decided("tictactoe", "engine", "1 2 5 9");
        for language in Language::ALL {
            let messages = Messages::new(language);
            let text = text(&*line, &decision, Style::default(), messages);
            assert!(text.contains(&messages.text("rule-fork")), "{text}");
            assert!(!text.contains(&messages.text("rule-four")), "{text}");
        }
    }

    #[test]
    fn alpha_beta_never_calls_unequal_moves_equal() {
        use papan_rules::{Game as _, Line, Notation as _, tictactoe};
        use papan_strategies::{AlphaBeta, Prefer, Strategy as _, Turn};
        use std::collections::HashMap;

        /// What the JSON of `papan explain` says of each move is true: a value, or a bound on it.
        fn check_json(
            line: &dyn AnyLine,
            decision: &Decision,
            value: &mut dyn FnMut(papan_rules::Move) -> Vec<i64>,
        ) {
            let strategy = "alphabeta".parse().unwrap();
            let messages = Messages::new(Language::English);
            let form = crate::json::Explanation::new(line, &strategy, decision, messages);
            let json: serde_json::Value = serde_json::to_value(form).unwrap();
            let game = line.game();
            assert_eq!(json["best"], game.format_move(decision.best));
            assert_eq!(json["why"], why(line, decision, messages));
            let rows = json["candidates"].as_array().unwrap();
            assert_eq!(rows.len(), line.legal_moves().len());
            for row in rows {
                let mv = game.parse_move(row["move"].as_str().unwrap()).unwrap();
                let exact = value(mv)[0];
                let term = &row["terms"]["value"];
                let score = row["score"].as_i64().unwrap();
                match term["at_most"].as_i64() {
                    Some(bound) => {
                        assert!(exact <= bound, "{json}");
                        assert_eq!((score, row["bound"].as_str()), (bound, Some("at-most")));
                    }
                    None => {
                        assert_eq!(term.as_i64(), Some(exact), "{json}");
                        assert_eq!((score, row["bound"].as_str()), (exact, Some("exact")));
                    }
                }
            }
        }

        /// Plain minimax: the value, and the signed plies (sooner wins and later losses are better).
        fn minimax<G: papan_rules::Game>(
            game: &G,
            pos: &G::Position,
            known: &mut HashMap<G::Position, (i64, i64)>,
        ) -> (i64, i64)
        where
            G::Position: std::hash::Hash + Eq + Copy,
        {
            if let Some(outcome) = game.outcome(pos) {
                return (outcome.value_for(game.turn(pos)).into(), 0);
            }
            if let Some(&value) = known.get(pos) {
                return value;
            }
            let replies = game.legal_moves(pos).map(|mv| {
                let (value, plies) = minimax(game, &game.after(pos, mv), known);
                // `plies` grows by one in a loss and falls by one in a win.
                (-value, -plies + value.signum())
            });
            let best = replies.collect::<Vec<_>>().into_iter().max();
            let best = best.expect("an unfinished game has a move");
            known.insert(*pos, best);
            best
        }

        let (game, any) = (tictactoe(), "tictactoe".parse::<AnyGame>().unwrap());
        let messages = Messages::new(Language::English);
        let mut known = HashMap::new();
        minimax(&game, &game.start(), &mut known);
        assert_eq!(known.len(), 4_520);
        let mut bounds = 0;
        for pos in known.clone().keys() {
            for prefer in [Prefer::First, Prefer::Shortest] {
                let line = Line::from_position(*pos);
                let at = any.line_from(&game.format_position(pos)).unwrap();
                let mut alphabeta = AlphaBeta {
                    depth: None,
                    prefer,
                };
                let context = Context::default();
                let turn = Turn::new(&game, &line, &context);
                let decision = alphabeta.decide(turn).unwrap();
                let mut value = |mv| {
                    let (value, plies) = minimax(&game, &game.after(pos, mv), &mut known);
                    let plies = -plies + value.signum();
                    match prefer {
                        Prefer::First => vec![-value],
                        Prefer::Shortest if value == 0 => vec![0],
                        Prefer::Shortest => vec![-value, plies],
                    }
                };
                for candidate in &decision.candidates {
                    for (term, exact) in candidate.terms.iter().zip(value(candidate.mv)) {
                        match term.value {
                            Value::Number(number) => assert_eq!(number, exact),
                            Value::AtMost(number) => assert!(exact <= number),
                            ref other => panic!("{other:?}"),
                        }
                    }
                }
                if prefer == Prefer::First {
                    check_json(&*at, &decision, &mut value);
                }
                let Some(other) = runner_up(&decision) else {
                    continue;
                };
                let why = why(&*at, &decision, messages);
                let (chosen, other) = (value(decision.best), value(other.mv));
                if why.contains("tie in every number") {
                    assert_eq!(chosen, other, "{why}");
                } else if why.contains("cannot be better") {
                    assert!(chosen >= other, "{why}");
                    bounds += 1;
                } else {
                    assert!(chosen > other, "{why}");
                }
            }
        }
        assert!(bounds > 1_000, "{bounds}");
    }

    #[test]
    fn the_bound_of_alpha_beta_is_written_as_a_bound() {
        let (line, decision) = decided("tictactoe", "alphabeta", "1 5 9 3");
        let messages = Messages::new(Language::English);
        let text = text(&*line, &decision, Style::default(), messages);
        assert!(text.contains("8     ≤ 1"), "{text}");
        let why = "8 cannot be better than 7, which was found first (value 1, against ≤ 1).";
        assert!(text.contains(why), "{text}");
        let eight = &decision.candidates[decision.candidates.len() - 1];
        assert_eq!(terms(eight, messages, false), "value ≤ 1");
        assert_eq!(terms(eight, messages, true), "value <= 1");
        assert_eq!(short(eight, messages, false)[0].value, "≤+1");
        let picture = picture(&*line, &decision, "title", Style::default(), messages).svg();
        assert!(picture.contains("value ≤ 1"), "{picture}");
        let json = crate::json::line(&crate::json::Decision::new(&line.game(), &decision));
        assert!(json.contains(r#""value":{"at_most":1}"#), "{json}");
    }

    #[test]
    fn a_forced_win_is_drawn_with_its_moves_numbered_and_threats_are_named() {
        let (line, decision) = decided("tictactoe:15x15:5", "engine", "h8 a1 i8 a15 j8 o1");
        let messages = Messages::new(Language::English);
        let text = text(&*line, &decision, Style::default(), messages);
        assert!(text.contains("open four"), "{text}");
        assert!(text.contains("1. g8 (open four), 2. "), "{text}");
        assert!(text.contains(" (completes a line)."), "{text}");
        let (_, drawn) = text.split_once("move by move").expect("the win is drawn");
        for number in 1..=decision.chosen().expect("chosen").pv.len() {
            assert!(drawn.contains(&format!(" {number} ")), "{number}: {drawn}");
        }
        // All moves are scored at the same depth.
        assert!(decision.candidates.iter().all(|c| c.score.is_some()));
    }

    #[test]
    fn every_strategy_explains_every_position_of_a_game_in_both_languages() {
        for recipe in papan_catalog::STRATEGIES {
            let game: AnyGame = "tictactoe".parse().unwrap();
            let spec: Result<StrategySpec, _> = recipe.name.parse();
            if game.seat(spec.unwrap(), &Limits::default()).is_err() {
                continue; // it plays another game, or needs a file
            }
            // Positions that the automaton can also reach, as either player.
            for moves in ["", "5", "1 5", "5 1 3", "1 5 9 6", "1 2 7 4"] {
                let (line, decision) = decided("tictactoe", recipe.name, moves);
                for language in Language::ALL {
                    let messages = Messages::new(language);
                    let text = text(&*line, &decision, Style::default(), messages);
                    let table = table(&line.game(), &decision, messages);
                    // The engine reports the moves that it searched; the others report all moves.
                    let (told, legal) = (table.len() - 1, line.legal_moves().len());
                    let searches = matches!(recipe.name, "engine" | "computer");
                    let looked_at = searches && (1..=legal).contains(&told);
                    assert!(told == legal || looked_at, "{}\n{text}", recipe.name);
                    let marked = table.iter().filter(|row| row.starts_with('*')).count();
                    assert_eq!(marked, 1, "{}\n{text}", recipe.name);
                    let picture =
                        picture(&*line, &decision, "title", Style::default(), messages).svg();
                    assert!(picture.ends_with("</svg>\n"));
                }
            }
        }
    }

    #[test]
    fn a_move_of_the_opening_book_is_called_one() {
        use papan_strategies::ManualClock;
        let game: AnyGame = "othello".parse().unwrap();
        let limits = Limits {
            time: Some(std::time::Duration::from_secs(1)),
            ..Limits::default()
        };
        let mut seat = game
            .seat("engine".parse::<StrategySpec>().unwrap(), &limits)
            .unwrap();
        let mut line = game.line();
        line.extend("f5").unwrap();
        let clock = ManualClock::default();
        let context = Context::with_seed(1).limited(limits, &clock);
        let decision = seat.decide(&*line, &context).unwrap();
        assert!(is_from_book(&decision));
        for (language, part) in [
            (Language::English, "is from the opening book"),
            (Language::Indonesian, "berasal dari buku pembukaan"),
        ] {
            let messages = Messages::new(language);
            let text = why(&*line, &decision, messages);
            assert!(text.contains(part), "{text}");
        }
    }
}
