//! Why the attacker wins, written down from a finished search over all moves.

use std::sync::Arc;

use papan_rules::Bits;
use rustc_hash::FxHashMap;

use crate::duel::{Defence, Duel, Sight};
use crate::proof::{Answers, Branch, Proof};
use crate::windows::{Cell, CellSet};
use crate::zone::zone;

/// Nodes that may be searched again for one missing answer.
const MORE: u64 = 2_000_000;

/// Proofs of positions that have been met already.
type Known = FxHashMap<u64, Arc<Proof>>;

impl Duel {
    /// Why the attacker, who is to move, wins, once [`Duel::run`] has said so in its
    /// stronger form; `None` when something cannot be found again within the limits.
    pub fn loss(&mut self) -> Option<Arc<Proof>> {
        (self.counter && self.to_move == self.attacker)
            .then(|| self.winning_move(&mut Known::default()))
            .flatten()
    }

    /// The same where the defender is to move.
    pub fn loss_of_mover(&mut self) -> Option<Answers> {
        let waits = self.counter && self.to_move != self.attacker;
        if !waits || self.state.completing(self.attacker.other()).is_some() {
            return None;
        }
        self.winning_answers(&mut Known::default())
    }

    fn winning_move(&mut self, known: &mut Known) -> Option<Arc<Proof>> {
        if let Some(proof) = known.get(&self.state.hash()) {
            return Some(Arc::clone(proof));
        }
        let attacker = self.attacker;
        let moves = match self.look(attacker, 0) {
            Sight::Lost(proof) => return Some(Arc::new(proof)),
            Sight::Moves(moves, _) => moves,
            _ => return None,
        };
        for again in [false, true] {
            if again {
                self.run_here(attacker, MORE);
            }
            // Any cell will do: a twin of a move may be the one that was looked at.
            let others = self.state.empty().cells().map(|cell| cell as Cell);
            for cell in moves.iter().copied().chain(others) {
                if self.known_of(self.key_after(cell, attacker)) == Defence::Loses
                    && let Some(proof) = self.played(cell, known)
                {
                    return Some(proof);
                }
            }
        }
        moves.into_iter().find_map(|cell| {
            self.put(cell, attacker);
            let verdict = self.run_here(attacker.other(), MORE / 100);
            self.take(cell, attacker);
            let loses = verdict == Defence::Loses;
            loses.then(|| self.played(cell, known)).flatten()
        })
    }

    /// The proof that begins with a move.
    fn played(&mut self, cell: Cell, known: &mut Known) -> Option<Arc<Proof>> {
        self.put(cell, self.attacker);
        let proof = self.after_move(cell, known);
        self.take(cell, self.attacker);
        let proof = Arc::new(proof?);
        known.insert(self.state.hash(), Arc::clone(&proof));
        Some(proof)
    }

    fn after_move(&mut self, cell: Cell, known: &mut Known) -> Option<Proof> {
        let completing = self.state.completing_cells(self.attacker);
        match completing.count() {
            0 => {
                let answers = self.winning_answers(known)?;
                Some(Proof::Move { cell, answers })
            }
            1 => {
                let reply = completing.first()? as Cell;
                let then = self.against(reply, known)?;
                Some(Proof::four(cell, &then))
            }
            _ => Some(Proof::Fours {
                cells: vec![cell],
                then: None,
            }),
        }
    }

    /// The defender has just replied on a cell.
    fn against(&mut self, reply: Cell, known: &mut Known) -> Option<Arc<Proof>> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        self.put(reply, defender);
        if self.known(attacker) != Defence::Loses {
            self.run_here(attacker, MORE);
        }
        let proof = self.winning_move(known);
        self.take(reply, defender);
        proof
    }

    fn winning_answers(&mut self, known: &mut Known) -> Option<Answers> {
        let mut answers = Answers::default();
        let (first, mut open) = match self.look(self.attacker.other(), 0) {
            Sight::Lost(proof) => {
                answers.rest = Some(Arc::new(proof));
                return None;
            }
            Sight::Moves(moves, Some(pass)) => {
                answers.rest = Some(Arc::new(pass));
                let zone = moves.iter().fold(CellSet::EMPTY, with);
                (moves, zone)
            }
            Sight::Moves(moves, None) => (moves, self.state.empty()),
            _ => return None,
        };
        let others: Vec<Cell> = open.cells().map(|cell| cell as Cell).collect();
        for reply in first.into_iter().chain(others) {
            if !open.contains(usize::from(reply)) {
                continue;
            }
            let proof = self.against(reply, known)?;
            let own = with(CellSet::EMPTY, &reply);
            let zone = zone(&mut self.state, self.attacker, &proof);
            // Where the proof needs the stone of the reply, it answers nothing else.
            let zone = zone.filter(|zone| !zone.contains(usize::from(reply)));
            let cells = zone.map_or(own, |zone| open.without(zone) | own);
            open = open.without(cells);
            answers.branches.push(Branch {
                cells,
                at_once: false,
                proof,
            });
        }
        Some(answers)
    }
}

fn with(set: CellSet, cell: &Cell) -> CellSet {
    set | CellSet::single(usize::from(*cell))
}
