//! The explanation of a decision: for each candidate move its threats, its score and its principal
//! variation.

use std::sync::Arc;

use papan_rules::{Bits as _, Move, Player};
use papan_strategies::{Candidate, Score, Term, Value};

use super::alpha_beta::{RootMove, WIN, WIN_THRESHOLD, on};
use super::analysis::Analysis;
use super::strategy::GridEngine;
use crate::five::{Board, MoveClass};
use crate::lines::{Cell, CellSet};
use crate::proof_lookup::ProvedValue;
use crate::state::State;
use crate::win_proof::WinProof;

impl GridEngine {
    pub(super) fn candidates(
        &self,
        state: &mut State,
        side: Player,
        analysis: &Analysis,
    ) -> Vec<Candidate> {
        let mut candidates = Vec::with_capacity(analysis.moves.len());
        let board = self.five.as_ref().map(|five| five.board(state));
        for (at, mv) in analysis.moves.iter().enumerate() {
            let wins = at == 0 && analysis.is_won();
            let sees_win = mv.exact && !mv.capped && mv.score > WIN_THRESHOLD;
            let mut reasons = vec![Term::deciding("wins", i64::from(wins || sees_win))];
            if let Some(ProvedValue::AtLeastDraw { cells, .. }) = analysis.proved {
                let holds = cells.contains(usize::from(mv.cell));
                reasons.push(Term::deciding("holds", i64::from(holds)));
            }
            let value = if mv.capped {
                Value::AtMost(mv.score.into())
            } else {
                Value::Number(if wins { WIN } else { mv.score }.into())
            };
            reasons.push(Term::deciding("value", value));
            reasons.push(Term::shown("depth", i64::from(analysis.depth)));
            let threat = match &board {
                Some(board) => threat_by_rule(board, side, mv.cell),
                None => threat_made(state, side, mv.cell),
            };
            reasons.extend(terms(state, side, mv.cell));
            reasons.extend(threat.map(|threat| Term::shown("threat", Value::Rule(threat))));
            let mut candidate = Candidate::new(mv.as_move(), reasons);
            candidate.score = match analysis.proved {
                Some(proved) => proved_score(proved, at, mv),
                None => searched_score(mv),
            };
            candidate.pv = match &analysis.won {
                None if at == 0 && analysis.winning_line.is_some() => {
                    let plies = mv.line.len() as u32;
                    candidate.score = Some(Score::result(1).in_plies(plies).by_proof());
                    mv.line.iter().map(|&cell| on(cell)).collect()
                }
                Some(proof) if at == 0 => {
                    let plies = max_plies(state, side, proof);
                    candidate.score = Some(Score::result(1).in_plies(plies).by_proof());
                    winning_line(state, side, proof)
                }
                None if wins => self.proved_line(state, side),
                _ if !mv.line.is_empty() => mv.line.iter().map(|&cell| on(cell)).collect(),
                _ => self.principal_variation(state, side, mv.cell),
            };
            candidates.push(candidate);
        }
        candidates
    }

    /// Returns the line of a proved win against the replies that last longest.
    fn proved_line(&self, state: &State, side: Player) -> Vec<Move> {
        let mut state = state.clone();
        let mut line = Vec::new();
        loop {
            let completing = state.completing(side);
            let proved = match self.probe(&state, side) {
                Some(ProvedValue::Win { cell, .. }) => Some(cell),
                _ => None,
            };
            let Some(cell) = completing.or(proved) else {
                break;
            };
            state.put(cell, side);
            line.push(on(cell));
            if completing.is_some() {
                break;
            }
            // A reply that does not block a four loses at once.
            let threats = state.completing_cells(side);
            let replies = match threats.count() {
                1 => threats,
                _ => state.empty(),
            };
            let Some(reply) = self.longest_reply(&mut state, side, replies) else {
                break;
            };
            state.put(reply, side.other());
            line.push(on(reply));
        }
        line
    }

    /// Returns the move after which the opponent's proved win takes the most plies.
    pub(super) fn longest_resistance(&self, state: &mut State, side: Player) -> Option<Cell> {
        let threats = state.completing_cells(side.other());
        let moves = if threats.is_empty() {
            state.empty()
        } else {
            threats
        };
        self.longest_reply(state, side.other(), moves)
    }

    /// Returns the reply after which the proved win takes the most plies.
    fn longest_reply(&self, state: &mut State, side: Player, replies: CellSet) -> Option<Cell> {
        let mut longest = None;
        for reply in replies.cells().map(|cell| cell as Cell) {
            state.put(reply, side.other());
            let plies = match self.probe(state, side) {
                _ if state.completing(side).is_some() => 1,
                Some(ProvedValue::Win { plies, .. }) => plies,
                _ => 0,
            };
            state.remove(reply, side.other());
            if longest.is_none_or(|(most, _)| plies > most) {
                longest = Some((plies, reply));
            }
        }
        longest.map(|(_, reply)| reply)
    }
}

/// Returns the score of a move where the position has a proof. An estimate beside a proved score
/// would compare what does not compare, so the other moves have none, or the bound that the proof
/// gives.
fn proved_score(proved: ProvedValue, at: usize, mv: &RootMove) -> Option<Score> {
    let score = match proved {
        ProvedValue::Win { plies, .. } if at == 0 => Score::result(1).in_plies(plies),
        // A winning move is better than any estimate.
        ProvedValue::Win { .. } => return searched_score(mv),
        ProvedValue::Loss { plies } => Score::result(-1).in_plies(plies),
        ProvedValue::AtLeastDraw { cells, exact } => {
            let holds = cells.contains(usize::from(mv.cell));
            let draw = Score::result(0);
            match (holds, exact) {
                (true, true) => draw,
                (true, false) => draw.or_more(),
                (false, true) => draw.or_less(),
                (false, false) => return None,
            }
        }
    };
    Some(score.by_proof())
}

/// Returns the score of a move by search.
fn searched_score(mv: &RootMove) -> Option<Score> {
    let score = mv.exact.then(|| score_of(mv.score))?;
    Some(if mv.capped { score.or_less() } else { score })
}

/// Converts a search score; wins seen to the end become results.
pub(super) fn score_of(score: i16) -> Score {
    if score > WIN_THRESHOLD {
        return Score::result(1).in_plies((WIN - score).max(1) as u32);
    }
    if score < -WIN_THRESHOLD {
        return Score::result(-1).guessed();
    }
    // Logistic scale: an open three ahead wins about three games of four. In double precision, since the last
    // bit of `exp` depends on the platform's library.
    let chance = 1.0 / (1.0 + (-f64::from(score) / 150.0).exp());
    Score::chance(chance as f32)
}

/// Returns the terms of a move: fours and threes made, and lines of the opponent blocked.
fn terms(state: &mut State, side: Player, cell: Cell) -> Vec<Term> {
    let length = state.length();
    let count = |state: &State, side: Player, lacking: usize| {
        let held = length.checked_sub(lacking);
        held.map_or(0, |held| i64::from(state.line_count(side, held)))
    };
    let before = [1, 2].map(|lacking| count(state, side, lacking));
    let others = [1, 2].map(|lacking| count(state, side.other(), lacking));
    state.put(cell, side);
    let after = [1, 2].map(|lacking| count(state, side, lacking));
    let left = [1, 2].map(|lacking| count(state, side.other(), lacking));
    state.remove(cell, side);
    vec![
        Term::shown("fours", (after[0] - before[0]).max(0)),
        Term::shown("threes", (after[1] - before[1]).max(0)),
        Term::shown("stops", (others[0] - left[0] + others[1] - left[1]).max(0)),
    ]
}

/// Returns the name of the threat that a move makes at five in a row, by the rule.
fn threat_by_rule(board: &Board, side: Player, cell: Cell) -> Option<&'static str> {
    match board.class(side, cell) {
        MoveClass::Five => Some("completes"),
        MoveClass::OpenFour => Some("open-four"),
        MoveClass::Four | MoveClass::FourThree | MoveClass::DoubtfulFour => Some("four"),
        MoveClass::OpenThree | MoveClass::DoubleThree => Some("open-three"),
        MoveClass::Quiet | MoveClass::Forbidden => None,
    }
}

/// Returns the name of the threat that a move makes, if it makes one. Fours and threes are the words of
/// five in a row; on other boards the names do not count pieces.
fn threat_made(state: &mut State, side: Player, cell: Cell) -> Option<&'static str> {
    let two_short = state.length().checked_sub(2)?;
    let [one_way, two_ways, quiet] = match state.length() {
        5 => ["four", "open-four", "open-three"],
        _ => ["threat", "fork", "fork-threat"],
    };
    state.put(cell, side);
    let named = match state.completing_cells(side).count() {
        _ if state.has_won(side) => Some("completes"),
        0 => {
            let lines: Vec<usize> = state.lines_with(side, two_short).collect();
            let gaps: Vec<Cell> = lines.iter().flat_map(|&w| state.gaps(w)).collect();
            let opens = gaps.into_iter().any(|gap| {
                state.put(gap, side);
                let two = state.completing_cells(side).count() > 1;
                state.remove(gap, side);
                two
            });
            opens.then_some(quiet)
        }
        1 => Some(one_way),
        _ => Some(two_ways),
    };
    state.remove(cell, side);
    named
}

/// Returns an upper bound on the plies of a proved win.
fn max_plies(state: &mut State, side: Player, proof: &WinProof) -> u32 {
    let mut played = Vec::new();
    let mut put = |state: &mut State, cell: Cell, player: Player| {
        state.put(cell, player);
        played.push((cell, player));
    };
    let plies = match proof {
        WinProof::Fours { cells, then } => {
            for &cell in cells {
                put(state, cell, side);
                let forced = state.completing(side).filter(|_| !state.has_won(side));
                if let Some(reply) = forced {
                    put(state, reply, side.other());
                }
            }
            let fours = 2 * cells.len() as u32;
            match then {
                Some(then) => fours + max_plies(state, side, then),
                None if state.has_won(side) => fours - 1,
                // The last four leaves two completing cells.
                None => fours + 1,
            }
        }
        WinProof::Move { cell, replies } => {
            put(state, *cell, side);
            let rest = replies.rest.iter().map(|rest| max_plies(state, side, rest));
            let mut most = rest.max().unwrap_or(0);
            for branch in &replies.branches {
                let known = branch.at_once || branch.cells.count() == 1;
                let cells = branch.cells.cells().filter(|_| known);
                let cells: Vec<Cell> = cells.map(|cell| cell as Cell).collect();
                for &cell in &cells {
                    state.put(cell, side.other());
                }
                most = most.max(max_plies(state, side, &branch.proof));
                for &cell in &cells {
                    state.remove(cell, side.other());
                }
            }
            2 + most
        }
    };
    for (cell, player) in played.into_iter().rev() {
        state.remove(cell, player);
    }
    plies
}

/// Returns the line of a win proof against the first named reply at each step.
fn winning_line(state: &mut State, side: Player, proof: &Arc<WinProof>) -> Vec<Move> {
    let mut line: Vec<(Cell, Player)> = Vec::new();
    let mut next = Some(Arc::clone(proof));
    while let Some(proof) = next.take() {
        let Some(cell) = proof.first() else { break };
        state.put(cell, side);
        line.push((cell, side));
        if state.has_won(side) {
            break;
        }
        let named = match &*proof {
            WinProof::Move { replies, .. } => replies.branches.iter().find_map(|b| b.cells.first()),
            WinProof::Fours { .. } => state.completing(side).map(usize::from),
        };
        let reply = named.or(state.empty().first()).map(|cell| cell as Cell);
        state.remove(cell, side);
        let Some(reply) = reply else {
            state.put(cell, side);
            break;
        };
        next = proof.after(state, side, reply);
        state.put(cell, side);
        state.put(reply, side.other());
        line.push((reply, side.other()));
    }
    for &(cell, side) in line.iter().rev() {
        state.remove(cell, side);
    }
    line.into_iter().map(|(cell, _)| on(cell)).collect()
}
