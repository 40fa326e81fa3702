//! The smallest machine that behaves the same.
//!
//! A game ends, so a machine has no way back to an earlier state, and what a state
//! does can be written down from the end: the reply to each input, and what the
//! state after it does. Two states that do the same are one. There is no smaller
//! machine: any two states that are left differ for some sequence of inputs.

use std::collections::HashMap;

use papan_strategies::automaton::turned;

use super::mealy::{End, MealyMachine, Target};

/// The smallest machine that behaves the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalMachine {
    /// The answers of each state, the first state before all inputs.
    pub states: Vec<Vec<MinimalArc>>,
    /// Which state of the machine each state of the original became.
    pub merged: Vec<usize>,
    /// The ways a game can end.
    pub ends: Vec<End>,
}

/// The answer to one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinimalArc {
    /// The person's cell, counted from 0.
    pub input: usize,
    /// The computer's.
    pub reply: Option<usize>,
    /// Where it leads.
    pub target: MinimalTarget,
}

/// Where an answer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MinimalTarget {
    /// To a state, entered after so many quarter turns: from there on inputs are
    /// turned so before they are looked up, and replies are turned back.
    State {
        /// The state.
        state: usize,
        /// Clockwise quarter turns; 0 unless rotation was asked for.
        turns: u32,
    },
    /// To the end.
    End(End),
    /// Nowhere.
    Stuck,
}

impl MinimalMachine {
    /// How many answers there are.
    #[must_use]
    pub fn arcs(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// How many states there are, the ends counted as one each.
    #[must_use]
    pub fn count(&self) -> usize {
        self.states.len() + self.ends.len()
    }
}

/// What a state does, by input: everything after it included, by number.
type Behaviour = Vec<(usize, Option<usize>, Next)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    Behaviour(usize),
    End(End),
    Stuck,
}

/// Behaviours, each once.
#[derive(Default)]
struct Behaviours {
    all: Vec<Behaviour>,
    numbers: HashMap<Behaviour, usize>,
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

    /// The behaviour on the turned board.
    fn rotate(&mut self, number: usize, turns: u32) -> usize {
        if turns.is_multiple_of(4) {
            return number;
        }
        if let Some(&known) = self.rotated.get(&(number, turns)) {
            return known;
        }
        let mut image: Behaviour = Vec::new();
        for (input, reply, next) in self.all[number].clone() {
            let next = match next {
                Next::Behaviour(below) => Next::Behaviour(self.rotate(below, turns)),
                end => end,
            };
            let reply = reply.map(|cell| turned(cell, turns));
            image.push((turned(input, turns), reply, next));
        }
        image.sort_unstable();
        let image = self.number(image);
        self.rotated.insert((number, turns), image);
        image
    }

    /// The number that stands for a behaviour and all its rotations, and the turns
    /// that lead to it.
    fn representative(&mut self, number: usize) -> (usize, u32) {
        let images = (0..4).map(|turns| (self.rotate(number, turns), turns));
        images.min().expect("there are four turns")
    }
}

impl MealyMachine {
    /// How many states there are, the ends counted as one each, as in the document.
    #[must_use]
    pub fn count(&self) -> usize {
        self.states.len() + self.ends().len()
    }

    /// The smallest machine that behaves the same; with `rotation`, states that do
    /// the same on a turned board are one, too.
    #[must_use]
    pub fn minimize(&self, rotation: bool) -> MinimalMachine {
        let mut behaviours = Behaviours::default();
        let mut numbers = vec![0; self.states.len()];
        // Later states have more pieces: what follows is known before it is used.
        for (place, state) in self.states.iter().enumerate().rev() {
            let arcs = state.arcs.iter().map(|arc| {
                let next = match arc.target {
                    Target::State(next) => Next::Behaviour(numbers[next]),
                    Target::End(end) => Next::End(end),
                    Target::Stuck => Next::Stuck,
                };
                (arc.input, arc.reply, next)
            });
            numbers[place] = behaviours.number(arcs.collect());
        }
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut kept = Vec::new();
        let mut merged = Vec::new();
        for &number in &numbers {
            let (kind, _) = representative(&mut behaviours, number, rotation);
            let place = *places.entry(kind).or_insert_with(|| {
                kept.push(number);
                kept.len() - 1
            });
            merged.push(place);
        }
        let states = kept.iter().map(|&number| {
            let arcs = behaviours.all[number].clone();
            let arc = |(input, reply, next)| MinimalArc {
                input,
                reply,
                target: target(&mut behaviours, next, &kept, &places, rotation),
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

fn representative(behaviours: &mut Behaviours, number: usize, rotation: bool) -> (usize, u32) {
    if rotation {
        behaviours.representative(number)
    } else {
        (number, 0)
    }
}

fn target(
    behaviours: &mut Behaviours,
    next: Next,
    kept: &[usize],
    places: &HashMap<usize, usize>,
    rotation: bool,
) -> MinimalTarget {
    let number = match next {
        Next::Behaviour(number) => number,
        Next::End(end) => return MinimalTarget::End(end),
        Next::Stuck => return MinimalTarget::Stuck,
    };
    let (kind, _) = representative(behaviours, number, rotation);
    let state = places[&kind];
    let turns = (0..4).find(|&turns| behaviours.rotate(number, turns) == kept[state]);
    MinimalTarget::State {
        state,
        turns: turns.expect("states that were merged are rotations of each other"),
    }
}
