//! Minimisation of an automaton by merging states with the same behaviour.
//!
//! A game ends, so the automaton is acyclic, and the behaviour of a state (the reply to each input
//! and the behaviour after it) can be computed from the end backwards and hashed. States with equal
//! behaviour are merged. The result is the minimal automaton in the sense of Moore and Hopcroft:
//! any two remaining states differ for some input sequence.
//!
//! Reference: J. E. Hopcroft, *An n log n Algorithm for Minimizing States in a Finite Automaton*,
//! 1971. For acyclic automata one pass suffices (D. Revuz, *Minimisation of Acyclic Deterministic
//! Automata in Linear Time*, 1992).

use std::collections::{HashMap, HashSet};

use papan_strategies::automaton::turned;

use super::mealy::{End, MealyMachine, Target};

/// A minimal automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalMachine {
    /// Transitions of each state; the first is the initial state.
    pub states: Vec<Vec<MinimalArc>>,
    /// The state that each original state was merged into.
    pub merged: Vec<usize>,
    /// The reachable results.
    pub ends: Vec<End>,
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinimalArc {
    /// The person's cell, counted from 0.
    pub input: usize,
    /// The computer's reply.
    pub reply: Option<usize>,
    /// The target.
    pub target: MinimalTarget,
    /// Whether the flag of a row behind it is not true.
    pub is_flag_wrong: bool,
}

/// The target of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MinimalTarget {
    /// A state on a rotated board: from there on, inputs are rotated before the lookup and replies
    /// are rotated back.
    State {
        /// The state.
        state: usize,
        /// Clockwise quarter turns; 0 unless states are merged up to rotation.
        turns: u32,
    },
    /// The end of the game.
    End(End),
    /// No target.
    Stuck,
}

impl MinimalMachine {
    /// Returns the number of transitions.
    #[must_use]
    pub fn arcs(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Returns the number of states, counting each result as one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.states.len() + self.ends.len()
    }
}

/// The behaviour of a state: its transitions, with the behaviour after each by number.
type Behaviour = Vec<Transition>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Transition {
    input: usize,
    reply: Option<usize>,
    next: Next,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    Behaviour(usize),
    End(End),
    Stuck,
}

/// Interned behaviours.
#[derive(Default)]
struct Behaviours {
    all: Vec<Behaviour>,
    numbers: HashMap<Behaviour, usize>,
    /// Images under rotations, by number and quarter turns.
    rotated: HashMap<(usize, u32), usize>,
}

impl Behaviours {
    fn number(&mut self, behaviour: Behaviour) -> usize {
        let all = &mut self.all;
        *self
            .numbers
            .entry(behaviour)
            .or_insert_with_key(|behaviour| {
                all.push(behaviour.clone());
                all.len() - 1
            })
    }

    /// Returns the behaviour on a rotated board.
    fn rotate(&mut self, number: usize, turns: u32) -> usize {
        if turns.is_multiple_of(4) {
            return number;
        }
        if let Some(&known) = self.rotated.get(&(number, turns)) {
            return known;
        }
        let mut transitions: Behaviour = Vec::new();
        for Transition { input, reply, next } in self.all[number].clone() {
            transitions.push(Transition {
                input: turned(input, turns),
                reply: reply.map(|cell| turned(cell, turns)),
                next: match next {
                    Next::Behaviour(below) => Next::Behaviour(self.rotate(below, turns)),
                    end => end,
                },
            });
        }
        transitions.sort_unstable();
        let image = self.number(transitions);
        self.rotated.insert((number, turns), image);
        image
    }

    /// Returns the number that represents a behaviour, with `rotation` up to rotations.
    fn representative(&mut self, number: usize, rotation: bool) -> usize {
        let turns = if rotation { 4 } else { 1 };
        let images = (0..turns).map(|turns| self.rotate(number, turns));
        images.min().expect("there is at least the identity")
    }
}

impl MealyMachine {
    /// Returns the number of states, counting each result as one, as document 000 does.
    #[must_use]
    pub fn count(&self) -> usize {
        self.states.len() + self.ends().len()
    }

    /// Returns the minimal automaton. With `rotation`, states that differ by a rotation of the board
    /// are merged as well.
    #[must_use]
    pub fn minimize(&self, rotation: bool) -> MinimalMachine {
        let mut behaviours = Behaviours::default();
        let mut numbers = vec![0; self.states.len()];
        // States are in breadth-first order, so successors come first in reverse.
        for (index, state) in self.states.iter().enumerate().rev() {
            let arcs = state.arcs.iter().map(|arc| {
                let next = match arc.target {
                    Target::State(next) => Next::Behaviour(numbers[next]),
                    Target::End(end) => Next::End(end),
                    Target::Stuck => Next::Stuck,
                };
                Transition {
                    input: arc.input,
                    reply: arc.reply,
                    next,
                }
            });
            numbers[index] = behaviours.number(arcs.collect());
        }
        let mut indices: HashMap<usize, usize> = HashMap::new();
        let mut representatives = Vec::new();
        let mut merged = Vec::new();
        for &number in &numbers {
            let kind = behaviours.representative(number, rotation);
            let index = *indices.entry(kind).or_insert_with(|| {
                representatives.push(number);
                representatives.len() - 1
            });
            merged.push(index);
        }
        let states = representatives.iter().map(|&number| {
            let arcs = behaviours.all[number].clone();
            // The flags are no part of the behaviour: states that differ only in them are merged.
            let alike = self.states.iter().zip(&numbers);
            let alike = alike.filter(|(_, other)| **other == number);
            let wrong: HashSet<usize> = alike
                .flat_map(|(state, _)| &state.arcs)
                .filter(|arc| arc.is_flag_wrong)
                .map(|arc| arc.input)
                .collect();
            let arc = |Transition { input, reply, next }| MinimalArc {
                input,
                reply,
                is_flag_wrong: wrong.contains(&input),
                target: target(&mut behaviours, next, &representatives, &indices, rotation),
            };
            arcs.into_iter().map(arc).collect()
        });
        MinimalMachine {
            states: states.collect(),
            merged,
            ends: self.ends(),
        }
    }
}

fn target(
    behaviours: &mut Behaviours,
    next: Next,
    representatives: &[usize],
    indices: &HashMap<usize, usize>,
    rotation: bool,
) -> MinimalTarget {
    let number = match next {
        Next::Behaviour(number) => number,
        Next::End(end) => return MinimalTarget::End(end),
        Next::Stuck => return MinimalTarget::Stuck,
    };
    let kind = behaviours.representative(number, rotation);
    let state = indices[&kind];
    let turns = (0..4).find(|&turns| behaviours.rotate(number, turns) == representatives[state]);
    MinimalTarget::State {
        state,
        turns: turns.expect("states that were merged are rotations of each other"),
    }
}
