//! A strategy's evaluation of every move: on the cells of the board, and as a table.

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::Move;
use papan_strategies::{Candidate, Decision, Value};
use papan_view::explain::{self, ShortReason};
use papan_view::svg_board::Overlay;
use papan_view::{ForcedWin, Messages, score};

/// A row of the table.
pub struct Reason {
    pub(crate) mv: String,
    pub(crate) score: String,
    /// Values in the order of the columns.
    pub(crate) values: Vec<String>,
    pub(crate) pv: String,
    pub(crate) chosen: bool,
}

/// The table with a legend of its columns.
#[derive(Default)]
pub struct Reasons {
    /// Why the chosen move was preferred.
    pub why: String,
    /// One row per move, the best first.
    pub rows: Vec<Reason>,
    /// Names of the strategy's numbers.
    pub columns: Vec<String>,
    /// Whether any move has a score.
    pub has_scores: bool,
    /// Whether any move has a principal variation.
    pub has_variations: bool,
    /// A proved win, move by move.
    pub win: Option<String>,
    /// Names and descriptions of the columns.
    pub terms: Vec<(String, String)>,
    /// Text that unfolds the rows after the first ones.
    pub more: String,
}

impl Reasons {
    /// Returns itself, to be named in a template.
    #[must_use]
    pub fn shown(&self) -> &Self {
        self
    }

    /// Returns the rows that are shown at once, and those that are unfolded.
    pub(crate) fn parts(&self) -> (&[Reason], &[Reason]) {
        self.rows.split_at(self.rows.len().min(MAX_ROWS))
    }
}

/// Rows that are shown at once.
const MAX_ROWS: usize = 10;

/// Returns the text over each cell: the evaluation of each candidate.
#[must_use]
pub fn overlays(words: Messages, line: &dyn AnyLine, decision: &Decision) -> Vec<Option<Overlay>> {
    let best = Some(decision.best);
    candidates(words, &line.game(), &decision.candidates, best)
}

/// Returns the text over each cell: the score of each candidate, or what a strategy without scores
/// says of it.
pub(crate) fn scores(
    words: Messages,
    line: &dyn AnyLine,
    decision: &Decision,
) -> Vec<Option<Overlay>> {
    let mut decision = decision.clone();
    for candidate in &mut decision.candidates {
        if candidate.score.is_some() {
            candidate.terms.clear();
        }
    }
    overlays(words, line, &decision)
}

/// Returns the text over the cells of these candidates.
pub(crate) fn candidates<'a>(
    words: Messages,
    game: &AnyGame,
    candidates: impl IntoIterator<Item = &'a Candidate>,
    best: Option<Move>,
) -> Vec<Option<Overlay>> {
    let mut overlays = vec![None; game.cells()];
    let small = game.cells() > MAX_LABELLED_CELLS;
    for candidate in candidates {
        if let Some(cell) = candidate.mv.cell() {
            overlays[cell] = Some(Overlay {
                lines: short_lines(words, candidate, small),
                chosen: Some(candidate.mv) == best,
            });
        }
    }
    if let Some(cell) = best.and_then(Move::cell) {
        let chosen = overlays[cell].get_or_insert_with(Overlay::default);
        chosen.chosen = true;
        if chosen.lines.is_empty() {
            chosen.lines.push("✓".into());
        }
    }
    overlays
}

/// On larger boards a cell has room for one number without its name.
const MAX_LABELLED_CELLS: usize = 100;
/// Moves of a principal variation that are shown.
const MAX_VARIATION: usize = 12;

fn short_lines(words: Messages, candidate: &Candidate, small: bool) -> Vec<String> {
    let line = |reason: ShortReason| match reason.name {
        Some(_) if small => vec![reason.value],
        Some(name) => vec![format!("{name} {}", reason.value)],
        // The name of a rule, one word per line.
        None => reason.value.split(' ').map(str::to_owned).collect(),
    };
    let reasons = explain::short(candidate, words, false).into_iter();
    let lines = reasons.take(if small { 1 } else { usize::MAX });
    lines.flat_map(line).collect()
}

/// Returns the table, best move first if the strategy gives scores.
#[must_use]
pub fn reasons(words: Messages, line: &dyn AnyLine, decision: &Decision) -> Reasons {
    let game = line.game();
    let columns = columns(words, decision);
    let rows = rows(words, &game, decision, &columns);
    let count = rows.len().to_string();
    Reasons {
        why: explain::why(line, decision, words),
        has_scores: rows.iter().any(|row| !row.score.is_empty()),
        has_variations: rows.iter().any(|row| !row.pv.is_empty()),
        win: ForcedWin::of(line, decision).map(|win| win.text(&game, words)),
        terms: term_legend(words, &columns),
        columns: columns.iter().map(|name| heading(words, name)).collect(),
        more: words.with("web-all-moves", [("count", count.into())]),
        rows,
    }
}

/// Returns the terms that people can understand: those with a description. The confidence is part of the
/// depth, and a score is not repeated.
fn columns(words: Messages, decision: &Decision) -> Vec<&'static str> {
    let scored = decision.candidates.iter().any(|c| c.score.is_some());
    let mut names: Vec<&'static str> = Vec::new();
    let candidates = decision.candidates.iter();
    for term in candidates.flat_map(|candidate| &candidate.terms) {
        let is_part = term.name == "confidence" || scored && term.name == "discs";
        let is_rule = matches!(term.value, Value::Rule(_) | Value::Text(_));
        let is_known = words.has(&meaning(term.name)) || is_rule;
        if is_known && !is_part && term.name != "rule" && !names.contains(&term.name) {
            names.push(term.name);
        }
    }
    names
}

/// Returns the key of a term's description.
fn meaning(name: &str) -> String {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("web-meaning-{name}")
}

/// Returns the heading of a column.
fn heading(words: Messages, name: &str) -> String {
    explain::heading(name, words)
}

/// Returns the columns that have a description.
fn term_legend(words: Messages, columns: &[&'static str]) -> Vec<(String, String)> {
    let described = columns.iter().filter(|name| words.has(&meaning(name)));
    described
        .map(|name| (heading(words, name), words.text(&meaning(name))))
        .collect()
}

fn rows(
    words: Messages,
    game: &AnyGame,
    decision: &Decision,
    columns: &[&'static str],
) -> Vec<Reason> {
    // A move that was only scored has nothing to explain.
    let has_terms = decision.candidates.iter().any(|one| !one.terms.is_empty());
    let mut candidates: Vec<&Candidate> = decision.candidates.iter().collect();
    candidates.retain(|candidate| !has_terms || !candidate.terms.is_empty());
    let balance = |candidate: &Candidate| candidate.score.map_or(f32::MIN, |s| s.balance());
    candidates.sort_by(|a, b| {
        let is_best = |candidate: &Candidate| candidate.mv == decision.best;
        let by_choice = is_best(b).cmp(&is_best(a));
        by_choice.then(balance(b).total_cmp(&balance(a)))
    });
    let value = |candidate: &Candidate, name: &str| {
        if name == "depth" {
            return explain::depth(candidate).unwrap_or_default();
        }
        let term = candidate.terms.iter().find(|term| term.name == name);
        term.map_or_else(String::new, |term| {
            explain::value_text(&term.value, words, false)
        })
    };
    let row = |candidate: &Candidate| {
        // The first move is that of the row.
        let rest = candidate.pv.iter().skip_while(|mv| **mv == candidate.mv);
        let pv: Vec<String> = rest
            .take(MAX_VARIATION)
            .map(|mv| game.show_move(*mv))
            .collect();
        Reason {
            mv: game.show_move(candidate.mv),
            score: candidate
                .score
                .map_or_else(String::new, |score| score::text(score, words)),
            values: columns.iter().map(|name| value(candidate, name)).collect(),
            pv: pv.join(" "),
            chosen: candidate.mv == decision.best,
        }
    };
    candidates.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_strategies::{Context, Limits};
    use papan_view::Language;

    fn table(game: &str, moves: &str, strategy: &str) -> Reasons {
        let game: AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        let strategy: papan_catalog::StrategySpec = strategy.parse().unwrap();
        let mut seat = game.seat(&strategy, &Limits::default()).unwrap();
        let context = Context::default().with_nodes(20_000);
        let decision = seat.decide(&*line, &context).unwrap();
        reasons(Messages::new(Language::English), &*line, &decision)
    }

    #[test]
    fn a_table_has_columns_with_names_and_no_assignments() {
        let othello = table("othello", "f5d6c3d3c4", "engine(book=off)");
        assert_eq!(othello.columns, ["depth"]);
        assert!(othello.has_scores && othello.rows[0].chosen);
        assert!(othello.rows[0].values[0].starts_with(|c: char| c.is_ascii_digit()));
        let greedy = table("tictactoe", "5 1", "greedy");
        assert_eq!(greedy.columns, ["-p+l", "p", "l"]);
        assert_eq!(greedy.terms.len(), 3);
        let rows = othello.rows.iter().chain(&greedy.rows);
        for value in rows.flat_map(|row| &row.values) {
            assert!(!value.contains('='), "{value}");
        }
    }

    #[test]
    fn a_line_does_not_repeat_the_move_of_its_row() {
        let othello = table("othello", "f5d6c3d3c4", "engine(book=off)");
        let row = othello.rows.iter().find(|row| !row.pv.is_empty()).unwrap();
        assert!(!row.pv.starts_with(&row.mv), "{} {}", row.mv, row.pv);
    }

    #[test]
    fn ten_rows_are_shown_and_the_rest_is_unfolded() {
        let gomoku = table("gomoku", "h8 i9", "engine");
        let (shown, folded) = gomoku.parts();
        assert_eq!(shown.len(), MAX_ROWS.min(gomoku.rows.len()));
        assert_eq!(shown.len() + folded.len(), gomoku.rows.len());
    }
}
