//! A line of play in which both do their best, as far as proofs tell it.

use std::sync::Arc;

use papan_mnk::{DrawNodeKind, DrawProof, State, WinProof};
use papan_rules::{Bits as _, Player};

use crate::ClaimProof;

/// What the proofs say about best play.
pub(super) fn best_line(state: &mut State, mover: Player, reasons: &[ClaimProof]) -> Vec<u16> {
    for reason in reasons {
        match reason {
            ClaimProof::WinsToMove(_, proof) => {
                return winning_line(state, mover, Arc::clone(proof));
            }
            ClaimProof::WinsWaiting(player, answers) => {
                let replies = answers.branches.iter();
                let hardest = replies.max_by_key(|branch| branch.proof.size());
                let cell = hardest.and_then(|branch| branch.cells.first());
                let cell = cell.or(state.empty().first());
                let Some(cell) = cell.map(|cell| cell as u16) else {
                    return Vec::new();
                };
                let mut line = vec![cell];
                if let Some(proof) = answers.to(cell) {
                    state.put(cell, mover);
                    line.extend(winning_line(state, *player, proof));
                    state.take(cell, mover);
                }
                return line;
            }
            _ => {}
        }
    }
    let holds = reasons.iter().filter_map(|reason| match reason {
        ClaimProof::Draws(player, hold) => Some((*player, hold)),
        _ => None,
    });
    drawing_line(mover, &holds.collect::<Vec<_>>())
}

/// The attacker's moves, and the replies that need the longest answer.
fn winning_line(state: &mut State, attacker: Player, proof: Arc<WinProof>) -> Vec<u16> {
    let mut line: Vec<u16> = Vec::new();
    let mut next = Some(proof);
    while let Some(proof) = next.take() {
        let Some(cell) = proof.first() else { break };
        let reply = longest_reply(state, attacker, &proof, cell);
        line.push(cell);
        let Some(reply) = reply else { break };
        next = proof.after(state, attacker, reply);
        line.push(reply);
        state.put(cell, attacker);
        state.put(reply, attacker.other());
    }
    for (at, &cell) in line.iter().enumerate() {
        let side = if at % 2 == 0 {
            attacker
        } else {
            attacker.other()
        };
        if state.owner(cell) == Some(side) {
            state.take(cell, side);
        }
    }
    line
}

fn longest_reply(state: &mut State, attacker: Player, proof: &WinProof, cell: u16) -> Option<u16> {
    state.put(cell, attacker);
    let won = state.has_won(attacker);
    let completing = state.completing(attacker);
    let any = state.empty().first().map(|cell| cell as u16);
    state.take(cell, attacker);
    if won {
        return None;
    }
    match proof {
        WinProof::Fours { .. } => completing,
        WinProof::Move { answers, .. } => {
            let branches = answers.branches.iter();
            let hardest = branches.max_by_key(|branch| branch.proof.size());
            let cell = hardest.and_then(|branch| branch.cells.first());
            cell.map(|cell| cell as u16).or(any)
        }
    }
}

/// The mover's first move, and the other's reply to it, as far as their proofs have them.
fn drawing_line(mover: Player, holds: &[(Player, &DrawProof)]) -> Vec<u16> {
    let of = |player| {
        holds
            .iter()
            .find(|(p, _)| *p == player)
            .map(|(_, hold)| hold)
    };
    let first = of(mover).and_then(|hold| hold.first);
    let replies = of(mover.other()).and_then(|hold| {
        let root = hold.root.filter(|root| root.symmetry == 0)?;
        match &hold.nodes[root.node].kind {
            DrawNodeKind::Replies(replies) => Some(replies),
            DrawNodeKind::Pairs(_) => None,
        }
    });
    let reply = |cell: u16| {
        let found = replies?.iter().find(|reply| reply.cell == cell);
        found.map(|reply| reply.reply)
    };
    match first {
        Some(cell) => std::iter::once(cell).chain(reply(cell)).collect(),
        None => Vec::new(),
    }
}
