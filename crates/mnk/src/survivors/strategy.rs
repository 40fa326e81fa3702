//! Winning strategies: one strategic move per position, with the sequences that refute replies.
//!
//! A strategy is extracted from the table of a [`SurvivorSearch`] after the proof. It holds each
//! position once up to line-preserving symmetry, so it is a graph, not a tree.

use std::collections::HashMap;

use papan_rules::Bits;

use super::vcf::replays;
use super::{SurvivorSearch, Survivors, VcfLimits, convert, image};
use crate::lines::{Cell, CellSet};

/// The VCF limit while extracting: the tables have changed since the proof, so a VCF found then may
/// need more nodes now.
const EXTRACTION_LIMIT: u64 = 3_000_000;

/// A sequence of fours that refutes replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The replies: one stone on any single one of these cells.
    pub cells: CellSet,
    /// The attacker's cells.
    pub fours: Vec<Cell>,
}

/// The attacker's move in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategicMove {
    /// The attacker's cells: one strategic move, or a VCF that wins at once.
    pub cells: Vec<Cell>,
    /// Refutations of replies; disjoint.
    pub refutations: Vec<Refutation>,
    /// The replies that need a strategic move of their own.
    pub survivors: CellSet,
}

/// A position of a strategy in the orientation in which it was met first.
#[derive(Clone, Debug)]
struct StoredMove {
    symmetry: usize,
    chosen: StrategicMove,
}

/// A winning strategy of the attacker.
#[derive(Debug)]
pub struct WinStrategy {
    moves: HashMap<u64, StoredMove>,
}

impl WinStrategy {
    /// Returns the number of positions up to symmetry.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns whether the strategy has no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns the move of the position that `search` holds.
    #[must_use]
    pub fn find<B: Bits>(&self, search: &SurvivorSearch<B>) -> Option<StrategicMove> {
        let here = search.canonical();
        let stored = self.moves.get(&here.key)?;
        let there = &search.symmetries[stored.symmetry];
        let back = &search.inverses[here.symmetry];
        let cell = |cell: Cell| back[usize::from(there[usize::from(cell)])];
        let set = |set: CellSet| image(image(set, there), back);
        let chosen = &stored.chosen;
        Some(StrategicMove {
            cells: chosen.cells.iter().map(|&c| cell(c)).collect(),
            refutations: chosen
                .refutations
                .iter()
                .map(|refutation| Refutation {
                    cells: set(refutation.cells),
                    fours: refutation.fours.iter().map(|&c| cell(c)).collect(),
                })
                .collect(),
            survivors: set(chosen.survivors),
        })
    }
}

impl<B: Bits> SurvivorSearch<B> {
    /// Extracts the strategy of a proved position; `None` if the position is not proved.
    pub fn strategy(&mut self) -> Option<WinStrategy> {
        let limits = std::mem::replace(
            &mut self.limits,
            VcfLimits {
                attack: EXTRACTION_LIMIT,
                defence: 1,
            },
        );
        let mut strategy = WinStrategy {
            moves: HashMap::new(),
        };
        let complete = self.extract(&mut strategy);
        self.limits = limits;
        complete.then_some(strategy)
    }

    /// Adds the position, with the attacker to move, and everything below it.
    fn extract(&mut self, strategy: &mut WinStrategy) -> bool {
        let here = self.canonical();
        if strategy.moves.contains_key(&here.key) {
            return true;
        }
        let Some(chosen) = self.choose() else {
            return false;
        };
        let stored = StoredMove {
            symmetry: here.symmetry,
            chosen: chosen.clone(),
        };
        strategy.moves.insert(here.key, stored);
        if chosen.survivors.is_empty() {
            return true;
        }
        let cell = usize::from(chosen.cells[0]);
        self.toggle(cell, 0);
        let complete = chosen.survivors.cells().all(|reply| {
            self.toggle(reply, 1);
            let complete = self.extract(strategy);
            self.toggle(reply, 1);
            complete
        });
        self.toggle(cell, 0);
        complete
    }

    /// Chooses the proved move with the fewest survivors.
    fn choose(&mut self) -> Option<StrategicMove> {
        if self.find_vcf(self.attacker, self.defender) {
            return Some(StrategicMove {
                cells: self.vcf.sequence.clone(),
                refutations: Vec::new(),
                survivors: CellSet::EMPTY,
            });
        }
        let mut best: Option<(u32, usize, B)> = None;
        for cell in self.strategic_moves().cells() {
            let key = self.key_with(cell, 0);
            let proved = self
                .table
                .get(&key)
                .is_some_and(|entry| entry.numbers.proof == 0);
            if !proved {
                continue;
            }
            self.toggle(cell, 0);
            let survivors = self.survivors();
            if let Survivors::Replies(replies) = survivors
                && best.is_none_or(|(count, ..)| replies.count() < count)
                && self.all_proved(replies)
            {
                best = Some((replies.count(), cell, replies));
            }
            self.toggle(cell, 0);
        }
        let (_, cell, survivors) = best?;
        self.toggle(cell, 0);
        let refutations = self.refutations(survivors);
        self.toggle(cell, 0);
        Some(StrategicMove {
            cells: vec![cell as Cell],
            refutations: refutations?,
            survivors: convert(survivors),
        })
    }

    fn all_proved(&self, replies: B) -> bool {
        replies.cells().all(|reply| {
            let key = self.key_with(reply, 1);
            self.table
                .get(&key)
                .is_some_and(|entry| entry.numbers.proof == 0)
        })
    }

    /// Returns sequences that refute every reply but the survivors.
    fn refutations(&mut self, survivors: B) -> Option<Vec<Refutation>> {
        let (mine, theirs) = (self.attacker, self.defender);
        let mut left = self.board.all.without(mine | theirs | survivors);
        let fours = self.board.completing(mine, theirs);
        let mut found = Vec::new();
        if !fours.is_empty() {
            // The move is a four: any other reply loses to the completing cell.
            if !survivors.is_empty() {
                return Some(found);
            }
        }
        if fours.is_empty() && self.find_vcf(mine, theirs) {
            let sequence = self.vcf.sequence.clone();
            self.push_refutation(&sequence, mine, theirs, &mut left, None, &mut found);
        }
        while let Some(reply) = left.first() {
            let stone = B::single(reply);
            if !self.find_vcf(mine, theirs | stone) {
                return None;
            }
            let sequence = self.vcf.sequence.clone();
            self.push_refutation(&sequence, mine, theirs, &mut left, Some(stone), &mut found);
        }
        Some(found)
    }

    /// Adds the replies that a sequence refutes wherever in the set the stone is; a reply that it
    /// refutes only when its place is known comes alone.
    fn push_refutation(
        &self,
        sequence: &[Cell],
        mine: B,
        theirs: B,
        left: &mut B,
        known: Option<B>,
        found: &mut Vec<Refutation>,
    ) {
        let hidden = self.hidden_replies(sequence, mine, theirs) & *left;
        let mut push = |cells: B| {
            *left = left.without(cells);
            found.push(Refutation {
                cells: convert(cells),
                fours: sequence.to_vec(),
            });
        };
        if !hidden.is_empty() {
            push(hidden);
        }
        let alone = known.filter(|&stone| !hidden.meets(stone));
        if let Some(stone) = alone {
            debug_assert!(replays(&self.board, sequence, mine, theirs | stone));
            push(stone);
        }
    }

    /// Returns the cells on which a defender's stone of unknown place changes nothing: no cell of the
    /// sequence or of a forced reply, and none with which the defender would threaten to complete a
    /// line.
    fn hidden_replies(&self, sequence: &[Cell], mine: B, theirs: B) -> B {
        let (mut mine, mut theirs) = (mine, theirs);
        let mut hidden = self.board.all.without(mine | theirs);
        let mut pairs = Vec::new();
        for &cell in sequence {
            let stone = B::single(usize::from(cell));
            if mine.meets(stone) || theirs.meets(stone) {
                return B::EMPTY;
            }
            mine = mine | stone;
            hidden = hidden.without(stone);
            if !self.board.completing(theirs, mine).is_empty() {
                return B::EMPTY;
            }
            self.board.pairs(theirs, mine, &mut pairs);
            for pair in &pairs {
                hidden = hidden.without(pair.0);
            }
            let completing = self
                .board
                .completing_through(usize::from(cell), mine, theirs);
            hidden = hidden.without(completing);
            match completing.count() {
                0 => return B::EMPTY,
                1 => theirs = theirs | completing,
                _ => return hidden,
            }
        }
        B::EMPTY
    }
}
