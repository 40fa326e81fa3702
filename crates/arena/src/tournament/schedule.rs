//! Schedule: pairings and rounds (round robin, gauntlet, knockout, Swiss system).
//!
//! Swiss pairing is a simplified Monrad system: players are sorted by points and paired from
//! the top without rematches. References: fastchess `matchmaking/scheduler`; FIDE Handbook
//! C.04 (Swiss systems).

use super::{Format, ScheduledGame, Tournament};

/// The results that pairings depend on.
pub(super) trait CrossTable {
    /// A player's points.
    fn points(&self, player: usize) -> f64;
    /// The winner of a meeting; the first player after a tie.
    fn winner(&self, first: usize, second: usize) -> usize;
}

/// The rounds drawn so far.
///
/// A round is a function of the plan and of the earlier results, so an interrupted tournament draws
/// the same rounds again.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// All pairings; scores are counted by these.
    pairings: Vec<[usize; 2]>,
    rounds: Vec<Round>,
    /// Pairs of games of each meeting.
    pairs_per_meeting: u64,
    openings: u64,
}

#[derive(Clone, Debug)]
struct Round {
    /// Number of its first pair of games.
    first: u64,
    /// The meetings, as indices of pairings.
    meetings: Vec<usize>,
}

impl Schedule {
    /// Creates the schedule with its first round.
    #[must_use]
    pub fn new(tournament: &Tournament) -> Self {
        let mut schedule = Self {
            pairings: tournament.pairings(),
            rounds: Vec::new(),
            pairs_per_meeting: tournament.games / 2,
            openings: tournament.openings.len().max(1) as u64,
        };
        let first = match tournament.format {
            Format::RoundRobin | Format::Gauntlet => schedule.pairings.clone(),
            Format::Knockout => knockout_round(tournament.entrants.len(), 0, &|a, _| a),
            Format::Swiss { .. } => {
                swiss_round(tournament.entrants.len(), &[], &|_| 0.0, tournament.games)
            }
        };
        schedule.add(&first);
        schedule
    }

    fn add(&mut self, meetings: &[[usize; 2]]) {
        let number = |[a, b]: &[usize; 2]| {
            let sorted = [*a.min(b), *a.max(b)];
            self.pairings.iter().position(|pairing| *pairing == sorted)
        };
        self.rounds.push(Round {
            first: self.pairs(),
            meetings: meetings.iter().filter_map(number).collect(),
        });
    }

    /// Draws the next round after all earlier games; `false` if there is none.
    pub(super) fn draw_next(&mut self, tournament: &Tournament, results: &impl CrossTable) -> bool {
        let players = tournament.entrants.len();
        let done = self.rounds.len();
        let meetings = match tournament.format {
            Format::RoundRobin | Format::Gauntlet => Vec::new(),
            Format::Knockout => {
                // The higher seed advances after a tie.
                knockout_round(players, done, &|a, b| results.winner(a, b))
            }
            Format::Swiss { rounds } if done < rounds as usize => {
                let before: Vec<Vec<[usize; 2]>> = self
                    .rounds
                    .iter()
                    .map(|round| self.meetings_of(round))
                    .collect();
                let points = |player: usize| results.points(player);
                swiss_round(players, &before, &points, tournament.games)
            }
            Format::Swiss { .. } => Vec::new(),
        };
        if !meetings.is_empty() {
            self.add(&meetings);
        }
        !meetings.is_empty()
    }

    fn meetings_of(&self, round: &Round) -> Vec<[usize; 2]> {
        let meetings = round.meetings.iter();
        meetings.map(|&pairing| self.pairings[pairing]).collect()
    }

    /// Returns all pairings.
    #[must_use]
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The first pair of the last round that has been drawn.
    #[cfg(feature = "jobs")]
    pub(crate) fn last_round(&self) -> u64 {
        self.rounds.last().map_or(0, |round| round.first)
    }

    /// Pairs of games in all rounds that have been drawn.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.rounds.last().map_or(0, |round| {
            round.first + round.meetings.len() as u64 * self.pairs_per_meeting
        })
    }

    /// Returns the game with this number; `None` when its round has not been drawn yet. The
    /// meetings of a round take turns, and the second game of a pair exchanges seats.
    #[must_use]
    pub fn game(&self, game: u64) -> Option<ScheduledGame> {
        let pair = game / 2;
        if pair >= self.pairs() {
            return None;
        }
        let after = self.rounds.partition_point(|round| round.first <= pair);
        let number = after.checked_sub(1)?;
        let round = &self.rounds[number];
        let (index, count) = (pair - round.first, round.meetings.len() as u64);
        let pairing = round.meetings[(index % count) as usize];
        let [a, b] = self.pairings[pairing];
        let opening = number as u64 * self.pairs_per_meeting + index / count;
        Some(ScheduledGame {
            game,
            pairing,
            seats: if game.is_multiple_of(2) {
                [a, b]
            } else {
                [b, a]
            },
            opening: (opening % self.openings) as usize,
        })
    }
}

/// Pairs a knockout round: the first seed meets the last, and so on, so that the first two meet in
/// the final if both win. Players without an opponent in the first round advance (bye).
fn knockout_round(
    players: usize,
    round: usize,
    winner: &dyn Fn(usize, usize) -> usize,
) -> Vec<[usize; 2]> {
    let mut slots: Vec<Option<usize>> = seeding(players.next_power_of_two())
        .into_iter()
        .map(|seed| Some(seed).filter(|&seed| seed < players))
        .collect();
    for _ in 0..round {
        slots = slots
            .chunks(2)
            .map(|pair| match *pair {
                [Some(a), Some(b)] => Some(winner(a.min(b), a.max(b))),
                [a, b] => a.or(b),
                _ => pair[0],
            })
            .collect();
    }
    let meetings = slots.chunks_exact(2).filter_map(|pair| match *pair {
        [Some(a), Some(b)] => Some([a, b]),
        _ => None,
    });
    meetings.collect()
}

/// Standard seeding of a bracket: `0 3 1 2` for four players.
fn seeding(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let next = 2 * order.len() - 1;
        order = order.iter().flat_map(|&seed| [seed, next - seed]).collect();
    }
    order
}

/// Steps after which a Swiss round allows that two meet again.
const MAX_STEPS: u32 = 20_000;

/// Pairs a Swiss round: players with equal points meet, and no two meet twice if possible. With an
/// odd number the lowest player without a bye gets one, which counts as a win.
fn swiss_round(
    players: usize,
    before: &[Vec<[usize; 2]>],
    points: &dyn Fn(usize) -> f64,
    games: u64,
) -> Vec<[usize; 2]> {
    let rested = |player: usize| {
        let rests = before
            .iter()
            .filter(|round| !round.iter().flatten().any(|&p| p == player));
        rests.count() as u64
    };
    let score = |player: usize| points(player) + (rested(player) * games) as f64;
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
    if players % 2 == 1 {
        let least = order
            .iter()
            .map(|&player| rested(player))
            .min()
            .unwrap_or(0);
        if let Some(at) = order.iter().rposition(|&player| rested(player) == least) {
            order.remove(at);
        }
    }
    let met = |a: usize, b: usize| {
        let all = before.iter().flatten();
        all.into_iter()
            .any(|pair| pair.contains(&a) && pair.contains(&b))
    };
    let mut steps = 0;
    pair_up(&order, &met, &mut steps).unwrap_or_else(|| {
        let pairs = order.chunks_exact(2);
        pairs.map(|pair| [pair[0], pair[1]]).collect()
    })
}

/// Pairs the first player with the next one it has not met, such that the rest can be paired.
fn pair_up(
    order: &[usize],
    met: &dyn Fn(usize, usize) -> bool,
    steps: &mut u32,
) -> Option<Vec<[usize; 2]>> {
    let Some((&first, rest)) = order.split_first() else {
        return Some(Vec::new());
    };
    for (index, &other) in rest.iter().enumerate() {
        *steps += 1;
        if *steps > MAX_STEPS {
            return None;
        }
        if met(first, other) {
            continue;
        }
        let mut left = rest.to_vec();
        left.remove(index);
        if let Some(mut pairs) = pair_up(&left, met, steps) {
            pairs.insert(0, [first, other]);
            return Some(pairs);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_keeps_the_best_apart_until_the_final() {
        assert_eq!(seeding(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        let best = |a: usize, b: usize| a.min(b);
        assert_eq!(knockout_round(8, 0, &best).len(), 4);
        assert_eq!(knockout_round(8, 1, &best), [[0, 3], [1, 2]]);
        assert_eq!(knockout_round(8, 2, &best), [[0, 1]]);
        assert!(knockout_round(8, 3, &best).is_empty());
    }

    #[test]
    fn a_bracket_has_byes_in_its_first_round() {
        let best = |a: usize, b: usize| a.min(b);
        assert_eq!(knockout_round(5, 0, &best), [[3, 4]]);
        assert_eq!(knockout_round(5, 1, &best), [[0, 3], [1, 2]]);
        let meetings: usize = (0..3)
            .map(|round| knockout_round(5, round, &best).len())
            .sum();
        assert_eq!(meetings as u64, Format::Knockout.meetings(5));
    }

    #[test]
    fn a_swiss_has_no_rematches_and_at_most_one_bye_per_player() {
        for players in [4, 7, 8] {
            let mut rounds: Vec<Vec<[usize; 2]>> = Vec::new();
            // The lower number always wins.
            for _ in 0..3 {
                let points = |player: usize| {
                    let won = rounds
                        .iter()
                        .flatten()
                        .filter(|pair| pair.iter().min() == Some(&player));
                    2.0 * won.count() as f64
                };
                let round = swiss_round(players, &rounds, &points, 2);
                assert_eq!(round.len(), players / 2);
                rounds.push(round);
            }
            let mut met: Vec<[usize; 2]> = rounds.iter().flatten().copied().collect();
            met.iter_mut().for_each(|pair| pair.sort_unstable());
            met.sort_unstable();
            let all = met.len();
            met.dedup();
            assert_eq!(met.len(), all, "{players} players: {met:?}");
            for player in 0..players {
                let played = rounds
                    .iter()
                    .filter(|r| r.iter().flatten().any(|&p| p == player));
                assert!(played.count() >= 2);
            }
        }
    }
}
