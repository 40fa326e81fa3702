//! The principal variation of solved positions, read from the proofs.

use std::sync::Arc;

use papan_mnk::{DrawNodeKind, DrawProof, ReplyProofs, State, WinProof};
use papan_rules::{Bits as _, Player};

use crate::ClaimProof;

/// Returns a line of best play, as far as the proofs determine it.
pub(super) fn best_line(state: &mut State, mover: Player, claims: &[ClaimProof]) -> Vec<u16> {
    for claim in claims {
        match claim {
            ClaimProof::WinsToMove(_, proof) => {
                return winning_line(state, mover, Arc::clone(proof));
            }
            ClaimProof::WinsWaiting(player, replies) => {
                let any = state.empty().first().map(|cell| cell as u16);
                let Some(cell) = hardest_reply(replies).or(any) else {
                    return Vec::new();
                };
                let mut line = vec![cell];
                if let Some(proof) = replies.against(cell) {
                    state.put(cell, mover);
                    line.extend(winning_line(state, *player, proof));
                    state.remove(cell, mover);
                }
                return line;
            }
            ClaimProof::WinsBySequences(_, proof) => return proof.principal_variation(),
            ClaimProof::Draws(..) | ClaimProof::MovesFirst(_) => {}
        }
    }
    drawing_line(mover, claims)
}

/// Returns the reply with the largest refutation.
fn hardest_reply(replies: &ReplyProofs) -> Option<u16> {
    let branches = replies.branches.iter();
    let hardest = branches.max_by_key(|branch| branch.proof.size())?;
    hardest.cells.first().map(|cell| cell as u16)
}

/// Returns the attacker's moves against the replies with the largest refutation.
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
            state.remove(cell, side);
        }
    }
    line
}

fn longest_reply(state: &mut State, attacker: Player, proof: &WinProof, cell: u16) -> Option<u16> {
    state.put(cell, attacker);
    let won = state.has_won(attacker);
    let completing = state.completing(attacker);
    let any = state.empty().first().map(|cell| cell as u16);
    state.remove(cell, attacker);
    if won {
        return None;
    }
    match proof {
        WinProof::Fours { .. } => completing,
        WinProof::Move { replies, .. } => hardest_reply(replies).or(any),
    }
}

/// Returns the mover's first move and the opponent's reply to it, as far as the draw proofs contain
/// them.
fn drawing_line(mover: Player, claims: &[ClaimProof]) -> Vec<u16> {
    let proof_of = |wanted: Player| {
        claims.iter().find_map(|claim| match claim {
            ClaimProof::Draws(player, proof) if *player == wanted => Some(proof),
            _ => None,
        })
    };
    let Some(cell) = proof_of(mover).and_then(|proof| proof.first) else {
        return Vec::new();
    };
    let reply = proof_of(mover.other()).and_then(|proof| root_reply(proof, cell));
    std::iter::once(cell).chain(reply).collect()
}

/// Returns the reply of a draw proof to the attacker's first move.
fn root_reply(proof: &DrawProof, cell: u16) -> Option<u16> {
    let root = proof.root.filter(|root| root.symmetry == 0)?;
    match &proof.nodes[root.node].kind {
        DrawNodeKind::Replies(replies) => {
            let found = replies.iter().find(|reply| reply.cell == cell);
            found.map(|reply| reply.reply)
        }
        DrawNodeKind::Pairs(_) => None,
    }
}
