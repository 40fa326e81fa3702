//! A strategy's evaluation of every move: on the cells of the board, and as a table.

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::Move;
use papan_strategies::{Candidate, Decision};
use papan_view::explain::{self, ShortReason};
use papan_view::svg_board::Overlay;
use papan_view::{ForcedWin, Messages, score};

/// A row of the table.
pub struct Reason {
    pub(crate) mv: String,
    pub(crate) score: String,
    pub(crate) terms: String,
    pub(crate) pv: String,
    pub(crate) chosen: bool,
}

/// The table with a legend of its terms.
#[derive(Default)]
pub struct Reasons {
    /// Why the chosen move was preferred.
    pub why: String,
    /// One row per move.
    pub rows: Vec<Reason>,
    /// Whether any move has a score.
    pub has_scores: bool,
    /// Whether any move has a principal variation.
    pub has_variations: bool,
    /// A proved win, move by move.
    pub win: Option<String>,
    /// Names and descriptions of the terms.
    pub terms: Vec<(String, String)>,
}

impl Reasons {
    /// Returns itself, to be named in a template.
    #[must_use]
    pub fn shown(&self) -> &Self {
        self
    }
}

/// Returns the text over each cell: the evaluation of each candidate.
#[must_use]
pub fn overlays(words: Messages, line: &dyn AnyLine, decision: &Decision) -> Vec<Option<Overlay>> {
    let best = Some(decision.best);
    candidates(words, &line.game(), &decision.candidates, best)
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
    let rows = rows(words, &game, decision);
    Reasons {
        why: explain::why(&game, decision, words),
        has_scores: rows.iter().any(|row| !row.score.is_empty()),
        has_variations: rows.iter().any(|row| !row.pv.is_empty()),
        win: ForcedWin::of(line, decision).map(|win| win.text(&game, words)),
        terms: term_legend(words, decision),
        rows,
    }
}

/// Returns the terms of a decision that have a description.
fn term_legend(words: Messages, decision: &Decision) -> Vec<(String, String)> {
    let terms = decision
        .candidates
        .iter()
        .flat_map(|candidate| &candidate.terms);
    let mut legend: Vec<(String, String)> = Vec::new();
    for term in terms {
        let name: String = term
            .name
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect();
        let key = format!("web-meaning-{name}");
        let heading = explain::heading(term.name, words);
        if words.has(&key) && legend.iter().all(|(known, _)| *known != heading) {
            legend.push((heading, words.text(&key)));
        }
    }
    legend
}

fn rows(words: Messages, game: &AnyGame, decision: &Decision) -> Vec<Reason> {
    decision
        .candidates
        .iter()
        .map(|candidate| {
            let pv: Vec<String> = candidate
                .pv
                .iter()
                .take(MAX_VARIATION)
                .map(|mv| game.show_move(*mv))
                .collect();
            Reason {
                mv: game.show_move(candidate.mv),
                score: candidate
                    .score
                    .map_or_else(String::new, |score| score::text(score, words)),
                terms: explain::terms(candidate, words, false),
                pv: pv.join(" "),
                chosen: candidate.mv == decision.best,
            }
        })
        .collect()
}
