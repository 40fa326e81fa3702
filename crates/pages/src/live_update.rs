//! Live analysis: the evaluation of a position while the search deepens.
//!
//! The search runs in passes of growing length; the hash table makes a pass continue the one before.

use std::collections::HashMap;
use std::time::Duration;

use papan_catalog::AnyLine;
use papan_strategies::Decision;
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, Messages, explain, messages, score};
use serde::Serialize;

use crate::evaluation_bar::bar;
use crate::overlay;

/// Length of the first pass; each of the next ones is twice as long.
const FIRST_PASS: Duration = Duration::from_millis(150);
/// Maximum length of a pass.
const MAX_PASS: Duration = Duration::from_secs(4);
/// Search time of one analysis.
const MAX_TIME: Duration = Duration::from_secs(120);

/// Evaluation of a position after a pass.
#[derive(Serialize)]
pub struct LiveUpdate {
    /// Number of passes so far.
    pass: u32,
    /// The best move, in the game's notation.
    best: String,
    /// Nodes of the last pass.
    nodes: u64,
    /// Best move, score, depth, nodes and speed in one line.
    text: String,
    /// The principal variation.
    line: String,
    /// The evaluation bar, as HTML.
    bar: Option<String>,
    /// Pictures of the cells whose evaluation has changed, by name, as SVG.
    cells: HashMap<String, String>,
    /// Whether the analysis is over.
    done: bool,
}

/// An analysis that deepens.
pub struct LiveAnalysis {
    words: Messages,
    line: Box<dyn AnyLine>,
    pass: u32,
    used: Duration,
    /// The last picture of each cell.
    sent: HashMap<String, String>,
    done: bool,
}

impl LiveAnalysis {
    /// Begins the analysis of a position.
    #[must_use]
    pub fn new(line: Box<dyn AnyLine>, words: Messages) -> Self {
        Self {
            words,
            line,
            pass: 0,
            used: Duration::ZERO,
            sent: HashMap::new(),
            done: false,
        }
    }

    /// Returns the length of the next pass, or `None` if the analysis is over.
    #[must_use]
    pub fn next_pass(&self) -> Option<Duration> {
        let time = FIRST_PASS * (1 << self.pass.min(10));
        (!self.done).then(|| time.min(MAX_PASS))
    }

    /// Records a pass of the length that [`Self::next_pass`] returned. The analysis is over when
    /// everything is proved or the time is used.
    pub fn record(&mut self, decision: &Decision, took: Duration) -> LiveUpdate {
        let time = self.next_pass().unwrap_or_default();
        self.pass += 1;
        self.used += time;
        let scores = decision.candidates.iter().map(|candidate| candidate.score);
        let proved = scores.clone().count() == self.line.legal_moves().len()
            && scores.flatten().all(|score| score.is_proven());
        // A pass that ends long before its time has nothing left to search.
        let exhausted = self.pass > 2 && took < time / 8;
        self.done = proved || exhausted || self.used >= MAX_TIME;
        self.update(decision, took)
    }

    fn update(&mut self, decision: &Decision, took: Duration) -> LiveUpdate {
        let words = self.words;
        let (line, game) = (&*self.line, self.line.game());
        let chosen = decision.chosen();
        let best_score = chosen.and_then(|chosen| chosen.score);
        let depth = chosen.and_then(explain::depth);
        let depth = depth.unwrap_or_else(|| "–".into());
        let per_second = decision.nodes as f64 / took.as_secs_f64().max(1e-3);
        let text = words.with(
            "web-live-text",
            [
                ("move", game.show_move(decision.best).into()),
                (
                    "score",
                    best_score
                        .map_or_else(String::new, |best| score::text(best, words))
                        .into(),
                ),
                ("depth", depth.into()),
                ("nodes", messages::count(decision.nodes).into()),
                ("speed", messages::count(per_second as u64).into()),
            ],
        );
        let options = DrawOptions {
            legal: true,
            names: true,
            overlays: overlay::overlays(words, line, decision),
            ..DrawOptions::default()
        };
        let view = BoardView::of(line);
        let mut cells = HashMap::new();
        for (index, cell) in view.cells.iter().enumerate() {
            if cell.piece.is_some() {
                continue;
            }
            let picture = svg_board::cell(&view, index, &options);
            if self.sent.get(&cell.written) != Some(&picture) {
                self.sent.insert(cell.written.clone(), picture.clone());
                cells.insert(cell.written.clone(), picture);
            }
        }
        LiveUpdate {
            pass: self.pass,
            best: game.format_move(decision.best),
            nodes: decision.nodes,
            text,
            line: chosen.map_or_else(String::new, |chosen| game.show_moves(&chosen.pv)),
            bar: best_score.map(|best| bar(words, &game, line.turn(), best)),
            cells,
            done: self.done,
        }
    }
}
