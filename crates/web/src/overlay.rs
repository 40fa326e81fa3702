//! A strategy's reasons: on the cells of the board, and as a table.

use papan_catalog::AnyGame;
use papan_strategies::{Candidate, Decision};
use papan_view::explain::{self, ShortReason};
use papan_view::svg_board::Overlay;
use papan_view::{Words, score};

/// One row of the table of reasons.
pub(crate) struct Reason {
    pub(crate) mv: String,
    pub(crate) score: String,
    pub(crate) terms: String,
    pub(crate) pv: String,
    pub(crate) chosen: bool,
}

/// What is written over the cells of the moves that were considered.
pub(crate) fn overlays(words: Words, game: &AnyGame, decision: &Decision) -> Vec<Option<Overlay>> {
    let mut overlays = vec![None; game.cells()];
    for candidate in &decision.candidates {
        if let Some(cell) = candidate.mv.cell() {
            overlays[cell] = Some(Overlay {
                lines: short_lines(words, candidate),
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

fn short_lines(words: Words, candidate: &Candidate) -> Vec<String> {
    let line = |reason: ShortReason| match reason.name {
        Some(name) => vec![format!("{name} {}", reason.value)],
        // A rule's name, a word to a line.
        None => reason.value.split(' ').map(str::to_owned).collect(),
    };
    let reasons = explain::short(candidate, words, false).into_iter();
    reasons.flat_map(line).collect()
}

/// The table of reasons, best first where the strategy gives scores.
pub(crate) fn reasons(words: Words, game: &AnyGame, decision: &Decision) -> Vec<Reason> {
    decision
        .candidates
        .iter()
        .map(|candidate| {
            let pv: Vec<String> = candidate
                .pv
                .iter()
                .take(12)
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
