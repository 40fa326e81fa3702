//! A strategy's reasons: on the cells of the board, as a table, as JSON.

use papan_catalog::AnyGame;
use papan_strategies::{Candidate, Decision, Score, Value};
use papan_view::svg_board::Overlay;
use papan_view::{Words, explain};
use serde_json::json;

/// One row of the table of reasons.
pub(crate) struct Reason {
    pub(crate) mv: String,
    pub(crate) score: String,
    pub(crate) terms: String,
    pub(crate) pv: String,
    pub(crate) chosen: bool,
}

/// A score in words: "wins in 3", "+0.25".
pub(crate) fn score_text(words: Words, score: Score, pieces_count: bool) -> String {
    match score {
        Score::Proven { value, plies } if !pieces_count => {
            let plies = [("plies", plies.to_string().into())];
            match value.signum() {
                1 => words.with("web-score-win", plies),
                -1 => words.with("web-score-loss", plies),
                _ => words.text("web-score-draw"),
            }
        }
        Score::Proven { value, .. } => format!("{value:+}"),
        Score::AtMost(value) => format!("≤ {value:+}"),
        Score::AtLeast(value) => format!("≥ {value:+}"),
        Score::Estimate(value) => estimate(value, pieces_count),
    }
}

/// An estimate: discs to a tenth at most, chances to a hundredth.
pub(crate) fn estimate(value: f32, pieces_count: bool) -> String {
    match pieces_count {
        _ if value == 0.0 => "0".into(),
        true if value.fract() == 0.0 => format!("{value:+.0}"),
        true => format!("{value:+.1}"),
        false => format!("{value:+.2}"),
    }
}

/// A score in a few characters, for a cell.
fn short_score(score: Score, pieces_count: bool) -> String {
    match score {
        Score::Proven { value: 0, .. } => "0".into(),
        Score::Proven { value, .. } => format!("{value:+}"),
        Score::AtMost(value) => format!("≤{value:+}"),
        Score::AtLeast(value) => format!("≥{value:+}"),
        Score::Estimate(value) => estimate(value, pieces_count),
    }
}

fn value_text(words: Words, value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Infinite { times: 1, plus: 0 } => "∞".into(),
        Value::Infinite { times, plus: 0 } => format!("{times}∞"),
        Value::Infinite { times: 1, plus } => format!("∞{plus:+}"),
        Value::Infinite { times, plus } => format!("{times}∞{plus:+}"),
        Value::Real(real) => format!("{real:.2}"),
        Value::Rule(_) | Value::Text(_) => explain::value_text(value, words),
    }
}

/// What is written over the cells of the moves that were considered.
pub(crate) fn overlays(words: Words, game: &AnyGame, decision: &Decision) -> Vec<Option<Overlay>> {
    let counted = game.properties().counted.is_discs();
    let mut overlays = vec![None; game.cells()];
    for candidate in &decision.candidates {
        if let Some(cell) = candidate.mv.cell() {
            overlays[cell] = Some(Overlay {
                lines: short_lines(words, candidate, counted),
                chosen: candidate.mv == decision.best,
            });
        }
    }
    if let Some(cell) = decision.best.cell() {
        let chosen = overlays[cell].get_or_insert_with(Overlay::default);
        chosen.chosen = true;
        if chosen.lines.is_empty() {
            chosen.lines.push("✓".into());
        }
    }
    overlays
}

fn short_lines(words: Words, candidate: &Candidate, counted: bool) -> Vec<String> {
    if let Some(score) = candidate.score {
        return vec![short_score(score, counted)];
    }
    // A rule is known by its name, a word to a line, and not by its place in the list.
    let rule = candidate.terms.iter().find_map(|term| match term.value {
        Value::Rule(_) => Some(value_text(words, &term.value)),
        _ => None,
    });
    if let Some(rule) = rule {
        return rule.split(' ').map(str::to_owned).collect();
    }
    let decides = candidate.terms.iter().filter(|term| term.decides);
    let mut lines: Vec<String> = decides
        .take(3)
        .map(|term| {
            let name = explain::heading(term.name, words);
            format!("{name} {}", value_text(words, &term.value))
        })
        .collect();
    if lines.is_empty() {
        let shown = candidate.terms.iter().take(2);
        lines.extend(shown.map(|term| value_text(words, &term.value)));
    }
    lines
}

/// The table of reasons, best first where the strategy gives scores.
pub(crate) fn reasons(words: Words, game: &AnyGame, decision: &Decision) -> Vec<Reason> {
    let counted = game.properties().counted.is_discs();
    decision
        .candidates
        .iter()
        .map(|candidate| {
            let terms: Vec<String> = candidate
                .terms
                .iter()
                .filter(|term| term.name != "rule")
                .map(|term| {
                    let name = explain::heading(term.name, words);
                    format!("{name} = {}", value_text(words, &term.value))
                })
                .collect();
            let pv: Vec<String> = candidate
                .pv
                .iter()
                .take(12)
                .map(|mv| game.format_move(*mv))
                .collect();
            Reason {
                mv: game.format_move(candidate.mv),
                score: candidate
                    .score
                    .map_or_else(String::new, |score| score_text(words, score, counted)),
                terms: terms.join(", "),
                pv: pv.join(" "),
                chosen: candidate.mv == decision.best,
            }
        })
        .collect()
}

/// A decision with its reasons, as JSON.
pub(crate) fn decision_json(game: &AnyGame, decision: &Decision) -> serde_json::Value {
    let score = |score: Score| match score {
        Score::Proven { value, plies } => {
            json!({ "kind": "proven", "value": value, "plies": plies })
        }
        Score::AtMost(value) => json!({ "kind": "at-most", "value": value }),
        Score::AtLeast(value) => json!({ "kind": "at-least", "value": value }),
        Score::Estimate(value) => json!({ "kind": "estimate", "value": value }),
    };
    let value = |value: &Value| match value {
        Value::Number(number) => json!(number),
        Value::Infinite { times, plus } => json!({ "infinite": times, "plus": plus }),
        Value::Real(real) => json!(real),
        Value::Rule(rule) => json!(rule),
        Value::Text(text) => json!(text),
    };
    let candidates: Vec<_> = decision
        .candidates
        .iter()
        .map(|candidate| {
            json!({
                "move": game.format_move(candidate.mv),
                "score": candidate.score.map(score),
                "pv": candidate.pv.iter().map(|mv| game.format_move(*mv)).collect::<Vec<_>>(),
                "terms": candidate.terms.iter().map(|term| json!({
                    "name": term.name, "value": value(&term.value), "decides": term.decides,
                })).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "move": game.format_move(decision.best),
        "nodes": decision.nodes,
        "candidates": candidates,
    })
}
