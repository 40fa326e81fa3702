//! Live analysis: the evaluation of a position while the search deepens.
//!
//! The search runs in passes of growing length; the hash table makes a pass continue the one before.

use std::collections::HashMap;
use std::time::Duration;

use papan_catalog::{AnyGame, AnyLine, other_moves};
use papan_rules::Move;
use papan_strategies::{Candidate, Decision, Score};
use papan_view::svg_board::{DrawOptions, Overlay};
use papan_view::{BoardView, ForcedWin, Messages, explain, messages, score, threats};
use serde::Serialize;

use crate::board_grid::CellContent;
use crate::evaluation_bar::bar;
use crate::overlay;

/// Length of the first pass; each of the next ones is twice as long.
const FIRST_PASS: Duration = Duration::from_millis(150);
/// Maximum length of a pass.
const MAX_PASS: Duration = Duration::from_secs(4);
/// Evaluation of a position after a pass.
#[derive(Serialize)]
pub struct LiveUpdate {
    /// Number of passes so far.
    pass: u32,
    /// The best move, in the game's notation.
    best: String,
    /// Nodes of all passes.
    nodes: u64,
    /// Best move, score, depth, nodes and speed in one line.
    text: String,
    /// The best lines, best first.
    lines: Vec<LiveLine>,
    /// A forced win, move by move with its threats.
    win: Option<String>,
    /// The evaluation bar, as HTML.
    bar: Option<String>,
    /// The content of the cells whose evaluation has changed, by name.
    cells: HashMap<String, CellContent>,
    /// Whether the analysis is over.
    done: bool,
}

/// A line of play with its score.
#[derive(Serialize)]
struct LiveLine {
    /// Score of its first move.
    score: String,
    /// Its moves as they are shown.
    moves: Vec<String>,
    /// Its moves as they are written in URLs.
    written: Vec<String>,
}

/// Number of lines.
const MAX_LINES: usize = 3;
/// Longest line.
const MAX_LINE_MOVES: usize = 16;

/// An analysis that deepens.
pub struct LiveAnalysis {
    words: Messages,
    line: Box<dyn AnyLine>,
    pass: u32,
    /// Search time and nodes of all passes.
    used: Duration,
    nodes: u64,
    /// Time after which it ends; without it only the visitor, or a proof of every move, ends it.
    limit: Option<Duration>,
    /// Scores of moves that the strategy does not compare.
    others: Vec<(Move, Score)>,
    /// The last content of each cell.
    sent: HashMap<String, CellContent>,
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
            nodes: 0,
            limit: None,
            others: Vec::new(),
            sent: HashMap::new(),
            done: false,
        }
    }

    /// Ends the analysis after this much search time.
    #[must_use]
    pub fn limited(mut self, time: Duration) -> Self {
        self.limit = Some(time);
        self
    }

    /// Returns the length of the next pass, or `None` if the analysis is over.
    #[must_use]
    pub fn next_pass(&self) -> Option<Duration> {
        let time = FIRST_PASS * (1 << self.pass.min(10));
        (!self.done).then(|| time.min(MAX_PASS))
    }

    /// Returns the moves that have no score after this decision; none at first, because the first
    /// update should not wait for them.
    #[must_use]
    pub fn unscored(&self, decision: &Decision) -> Vec<Move> {
        if self.pass == 0 {
            return Vec::new();
        }
        let mut moves = other_moves::unscored(&*self.line, decision);
        moves.retain(|mv| self.others.iter().all(|(other, _)| other != mv));
        moves
    }

    /// Adds scores of moves that [`Self::unscored`] returned.
    pub fn add_scores(&mut self, scores: Vec<(Move, Score)>) {
        self.others.extend(scores);
    }

    /// Records a pass of the length that [`Self::next_pass`] returned. The analysis is over when
    /// everything is proved or its time is used.
    pub fn record(&mut self, decision: &Decision, took: Duration) -> LiveUpdate {
        let time = self.next_pass().unwrap_or_default();
        self.pass += 1;
        self.used += took;
        self.nodes += decision.nodes;
        let scores = decision.candidates.iter().map(|candidate| candidate.score);
        let proved = scores.clone().count() == self.line.legal_moves().len()
            && scores.flatten().all(|score| score.is_proven());
        // A pass that ends long before its time has nothing left to search.
        let exhausted = self.pass > 2 && took < time / 8;
        let used_up = self.limit.filter(|limit| self.used >= *limit);
        self.done = proved || exhausted || used_up.is_some();
        let mut update = self.update(decision);
        if let Some(limit) = used_up {
            let minutes = ("minutes", (limit.as_secs() / 60).to_string().into());
            update.text += " · ";
            update.text += &self.words.with("web-live-limit", [minutes]);
        }
        update
    }

    fn update(&mut self, decision: &Decision) -> LiveUpdate {
        let words = self.words;
        let (line, game) = (&*self.line, self.line.game());
        let chosen = decision.chosen();
        let best_score = chosen.and_then(|chosen| chosen.score);
        let depth = chosen.and_then(explain::depth);
        // A strategy that solves the position has no depth.
        let key = match depth {
            Some(_) => "web-live-text",
            None => "web-live-text-solved",
        };
        let depth = depth.unwrap_or_default();
        let per_second = self.nodes as f64 / self.used.as_secs_f64().max(1e-3);
        let text = words.with(
            key,
            [
                ("move", game.show_move(decision.best).into()),
                (
                    "score",
                    best_score
                        .map_or_else(String::new, |best| score::text(best, words))
                        .into(),
                ),
                ("depth", depth.into()),
                ("nodes", messages::count(self.nodes).into()),
                ("speed", messages::count(per_second as u64).into()),
            ],
        );
        let mut every_move = decision.clone();
        other_moves::add_scores(&mut every_move, self.others.iter().copied());
        let mut overlays = overlay::overlays(words, line, &every_move);
        let win = ForcedWin::of(line, decision);
        // A forced win is numbered on the board.
        for (at, cell) in win.iter().flat_map(ForcedWin::cells).enumerate() {
            overlays[cell] = Some(Overlay {
                lines: vec![(at + 1).to_string()],
                chosen: at % 2 == 0,
            });
        }
        let options = DrawOptions {
            legal: true,
            names: true,
            overlays,
            move_numbers: true,
            threats: threats::of(line),
            ..DrawOptions::default()
        };
        let view = BoardView::of(line);
        let mut cells = HashMap::new();
        for (index, cell) in view.cells.iter().enumerate() {
            if cell.piece.is_some() {
                continue;
            }
            let content = CellContent::new(&view, &options, words, index);
            if self.sent.get(&cell.written) != Some(&content) {
                self.sent.insert(cell.written.clone(), content.clone());
                cells.insert(cell.written.clone(), content);
            }
        }
        LiveUpdate {
            pass: self.pass,
            best: game.format_move(decision.best),
            nodes: self.nodes,
            text,
            lines: lines(words, &game, decision),
            win: win.map(|win| win.text(&game, words)),
            bar: best_score.map(|best| bar(words, &game, line.turn(), best)),
            cells,
            done: self.done,
        }
    }
}

/// Returns the chosen line and the best of the others.
fn lines(words: Messages, game: &AnyGame, decision: &Decision) -> Vec<LiveLine> {
    let mut others: Vec<&Candidate> = decision.candidates.iter().collect();
    let balance = |candidate: &Candidate| candidate.score.map_or(f32::MIN, |s| s.balance());
    others.sort_by(|a, b| {
        let chosen = |candidate: &Candidate| candidate.mv == decision.best;
        let by_choice = chosen(b).cmp(&chosen(a));
        by_choice.then(balance(b).total_cmp(&balance(a)))
    });
    let line = |candidate: &Candidate| {
        let mut moves = candidate.pv.clone();
        if moves.first() != Some(&candidate.mv) {
            moves = vec![candidate.mv];
        }
        moves.truncate(MAX_LINE_MOVES);
        LiveLine {
            score: candidate
                .score
                .map_or_else(String::new, |found| score::text(found, words)),
            moves: moves.iter().map(|mv| game.show_move(*mv)).collect(),
            written: moves.iter().map(|mv| game.format_move(*mv)).collect(),
        }
    };
    others.into_iter().take(MAX_LINES).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_strategies::Context;
    use papan_view::Language;

    fn analysed(game: &str, moves: &str) -> LiveUpdate {
        let game: AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        let strategy = papan_catalog::advisor(&game);
        let mut seat = game
            .seat(&strategy, &papan_strategies::Limits::default())
            .unwrap();
        let context = Context::default().with_nodes(20_000);
        let decision = seat.decide(&*line, &context).unwrap();
        let words = Messages::new(Language::English);
        LiveAnalysis::new(line, words).record(&decision, Duration::from_millis(100))
    }

    /// A decision about gomoku after h8 that compares four moves.
    fn decided() -> (Box<dyn AnyLine>, Decision) {
        let game: AnyGame = "gomoku".parse().unwrap();
        let mut line = game.line();
        line.extend("h8").unwrap();
        let mv = |text: &str| game.parse_move(text).unwrap();
        let chances = [("g8", 0.4), ("i9", 0.55), ("a1", 0.3), ("h9", 0.5)];
        let candidates = chances.map(|(text, chance)| Candidate {
            score: Some(Score::chance(chance)),
            pv: vec![mv(text), mv("j10")],
            ..Candidate::new(mv(text), Vec::new())
        });
        let decision = Decision {
            best: mv("i9"),
            candidates: candidates.to_vec(),
            nodes: 1000,
        };
        (line, decision)
    }

    #[test]
    fn the_first_line_is_the_choice_and_others_follow_by_score() {
        let (line, decision) = decided();
        let mut analysis = LiveAnalysis::new(line, Messages::new(Language::English));
        let update = analysis.record(&decision, Duration::from_millis(100));
        let written: Vec<String> = update
            .lines
            .iter()
            .map(|one| one.written.join(" "))
            .collect();
        assert_eq!(written, ["i9 j10", "h9 j10", "g8 j10"]);
        assert_eq!(update.best, "i9");
    }

    #[test]
    fn every_move_has_a_score_and_none_is_better_than_the_choice() {
        let (line, decision) = decided();
        let legal = line.legal_moves().len();
        let mut analysis = LiveAnalysis::new(line, Messages::new(Language::English));
        assert!(
            analysis.unscored(&decision).is_empty(),
            "the first update waits for nothing"
        );
        analysis.record(&decision, Duration::from_millis(100));
        let others = analysis.unscored(&decision);
        assert_eq!(others.len(), legal - decision.candidates.len());
        analysis.add_scores(others.iter().map(|&mv| (mv, Score::chance(0.9))).collect());
        assert!(analysis.unscored(&decision).is_empty());
        let update = analysis.record(&decision, Duration::from_millis(100));
        let numbered = |cell: &&CellContent| cell.picture.contains(r#"class="number""#);
        assert_eq!(analysis.sent.values().filter(numbered).count(), legal);
        assert!(
            !update
                .cells
                .values()
                .any(|cell| cell.picture.contains("90"))
        );
    }

    #[test]
    fn the_end_of_its_time_is_said() {
        let game: AnyGame = "othello".parse().unwrap();
        let line = game.line();
        let mut seat = game
            .seat(
                papan_catalog::advisor(&game),
                &papan_strategies::Limits::default(),
            )
            .unwrap();
        let decision = seat
            .decide(&*line, &Context::default().with_nodes(2000))
            .unwrap();
        let words = Messages::new(Language::English);
        let mut analysis = LiveAnalysis::new(line, words).limited(Duration::from_secs(600));
        let update = analysis.record(&decision, Duration::from_secs(599));
        assert!(
            !update.done && !update.text.contains("minutes"),
            "{}",
            update.text
        );
        let update = analysis.record(&decision, Duration::from_secs(1));
        assert!(
            update.done && update.text.contains("after 10 minutes"),
            "{}",
            update.text
        );
    }

    #[test]
    fn a_forced_win_is_said_to_be_proved_and_numbered_on_the_board() {
        let update = analysed("tictactoe:5x6:4", "9 20 23 16 10 11");
        let win = update.win.expect("a forced win");
        assert!(win.contains("1."), "{win}");
        assert!(update.text.contains("proved"), "{}", update.text);
        let numbered = update
            .cells
            .values()
            .filter(|cell| cell.picture.contains(">2<"));
        assert!(numbered.clone().count() > 0);
        assert!(numbered.clone().all(|cell| cell.label.ends_with(", 2")));
    }
}
