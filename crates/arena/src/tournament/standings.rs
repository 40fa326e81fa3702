//! Standings: sums over all counted games.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use papan_rules::Player;
use serde::Serialize;

use super::Tournament;
use super::schedule::{CrossTable, Schedule};
use crate::game::game_result::{Cost, GameResult};
use crate::statistics::{Encounter, Pentanomial, Ratings};
use papan_protocol::ForfeitKind;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ResultCount {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl ResultCount {
    /// How many games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points, a draw for half of one.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// As the other player sees it.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            losses: self.wins,
            ..self
        }
    }

    fn count(&mut self, value: i32) {
        match value {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

/// The games of one pairing, as its first player saw them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairingTally {
    /// By the seat of the pairing's first player.
    pub seats: [ResultCount; 2],
    /// By pairs.
    pub pairs: Pentanomial,
    /// Forfeited games, without resignations.
    pub forfeits: u64,
}

impl PairingTally {
    /// Returns whether more than half of the games were forfeits, so that the score says nothing
    /// about strength.
    #[must_use]
    pub fn is_mostly_forfeits(&self) -> bool {
        2 * self.forfeits > self.score().games()
    }

    /// Over both seats.
    #[must_use]
    pub fn score(&self) -> ResultCount {
        self.seats[0].plus(self.seats[1])
    }
}

/// The games of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerTally {
    /// By seat.
    pub seats: [ResultCount; 2],
    /// Cost of the moves.
    pub cost: Cost,
    /// Games lost before their end, by [`ForfeitKind`].
    pub forfeits: [u64; ForfeitKind::ALL.len()],
    /// Own discs over all counted games.
    pub discs: u64,
    /// The games in which discs were counted.
    pub counted: u64,
}

impl PlayerTally {
    /// Over both seats.
    #[must_use]
    pub fn score(&self) -> ResultCount {
        self.seats[0].plus(self.seats[1])
    }

    /// Games lost before their end, without having resigned.
    #[must_use]
    pub fn forfeited(&self) -> u64 {
        let resigned = self.forfeits[ForfeitKind::Resigned as usize];
        self.forfeits.iter().sum::<u64>() - resigned
    }
}

/// Ratings of the players with enough regular games.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerRatings {
    ratings: Ratings,
    /// Index of each player among the rated ones.
    places: Vec<Option<usize>>,
}

impl PlayerRatings {
    /// A player's rating.
    #[must_use]
    pub fn elo(&self, player: usize) -> Option<f64> {
        self.places[player].map(|place| self.ratings.elo(place))
    }

    /// Half the width of its 95 % interval.
    #[must_use]
    pub fn margin(&self, player: usize) -> Option<f64> {
        self.places[player].map(|place| self.ratings.margin(place))
    }

    /// The likelihood that one player is stronger than another.
    #[must_use]
    pub fn superiority(&self, player: usize, other: usize) -> Option<f64> {
        let (player, other) = (self.places[player]?, self.places[other]?);
        Some(self.ratings.superiority(player, other))
    }

    /// Whether a drawn pair was added to every pairing; see [`Ratings::is_widened`].
    #[must_use]
    pub fn is_widened(&self) -> bool {
        self.ratings.is_widened()
    }
}

/// Different games are counted up to here; beyond, there are simply many.
const MAX_DISTINCT: usize = 2_000_000;

/// Sums over all counted games.
#[derive(Clone, Debug)]
pub struct Standings {
    schedule: Schedule,
    /// Each pairing's games.
    pub tallies: Vec<PairingTally>,
    /// Each player's games.
    pub players: Vec<PlayerTally>,
    /// How many games are counted.
    pub games: u64,
    /// The half points that first games of pairs brought, while the second is out.
    halves: HashMap<u64, usize>,
    distinct: HashSet<u64>,
}

impl Standings {
    /// Before the first game.
    #[must_use]
    pub fn new(tournament: &Tournament) -> Self {
        let schedule = Schedule::new(tournament);
        Self {
            tallies: vec![PairingTally::default(); schedule.pairings().len()],
            players: vec![PlayerTally::default(); tournament.entrants.len()],
            schedule,
            games: 0,
            halves: HashMap::new(),
            distinct: HashSet::new(),
        }
    }

    /// Who meets whom.
    #[must_use]
    pub fn pairings(&self) -> &[[usize; 2]] {
        self.schedule.pairings()
    }

    /// Who meets whom, as far as it is known.
    #[must_use]
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Draws the next round after all earlier games are counted; `false` if there is none or not
    /// yet.
    pub(crate) fn draw_next_round(&mut self, tournament: &Tournament) -> bool {
        if self.games < 2 * self.schedule.pairs() {
            return false;
        }
        let mut schedule = self.schedule.clone();
        let drawn = schedule.draw_next(tournament, self);
        self.schedule = schedule;
        drawn
    }

    /// Counts a game of a round that has been drawn.
    pub fn count(&mut self, finished: &GameResult) {
        let Some(planned) = self.schedule.game(finished.game) else {
            return;
        };
        self.games += 1;
        let seats = finished.seats(&planned);
        for player in Player::BOTH {
            let seat = player.index();
            let tally = &mut self.players[seats[seat]];
            let value = finished.outcome.value_for(player);
            tally.seats[seat].count(value);
            tally.cost.add(&finished.costs[seat]);
            if let Some(discs) = finished.discs {
                tally.discs += u64::from(discs[seat]);
                tally.counted += 1;
            }
            if let Some(forfeit) = &finished.forfeit
                && value < 0
            {
                tally.forfeits[forfeit.kind as usize] += 1;
            }
        }
        let exchanged = seats != planned.seats;
        let seat = usize::from(planned.is_return_game() != exchanged);
        let value = finished.outcome.value_for(Player::BOTH[seat]);
        let tally = &mut self.tallies[planned.pairing];
        tally.seats[seat].count(value);
        let failed = finished.forfeit.as_ref();
        tally.forfeits += u64::from(failed.is_some_and(|f| f.kind != ForfeitKind::Resigned));
        let half_points = (value + 1).unsigned_abs() as usize;
        match self.halves.remove(&planned.pair()) {
            Some(before) => tally.pairs.add(before + half_points),
            None => drop(self.halves.insert(planned.pair(), half_points)),
        }
        if self.distinct.len() < MAX_DISTINCT {
            let mut hasher = DefaultHasher::new();
            (seats, &finished.moves).hash(&mut hasher);
            self.distinct.insert(hasher.finish());
        }
    }

    /// How many different games there were; `None` when there are too many to know.
    #[must_use]
    pub fn distinct(&self) -> Option<usize> {
        Some(self.distinct.len()).filter(|&count| count < MAX_DISTINCT)
    }

    /// Computes the ratings from all complete pairs of games of pairings that are not mostly
    /// forfeits.
    #[must_use]
    pub fn ratings(&self) -> PlayerRatings {
        let met = std::iter::zip(self.schedule.pairings(), &self.tallies);
        let sound: Vec<_> = met
            .filter(|(_, tally)| !tally.is_mostly_forfeits())
            .collect();
        let mut places = vec![None; self.players.len()];
        let mut rated = 0;
        for (player, place) in places.iter_mut().enumerate() {
            if self.schedule.pairings().is_empty()
                || sound.iter().any(|(pairing, _)| pairing.contains(&player))
            {
                *place = Some(rated);
                rated += 1;
            }
        }
        let encounters: Vec<Encounter> = sound
            .into_iter()
            .filter_map(|(&[a, b], tally)| {
                let players = [places[a]?, places[b]?];
                let pairs = tally.pairs;
                Some(Encounter { players, pairs })
            })
            .collect();
        PlayerRatings {
            ratings: Ratings::of(rated, &encounters),
            places,
        }
    }

    /// The players' numbers, best first: by rating, then by points, then as listed;
    /// those without a rating last.
    #[must_use]
    pub fn ranking(&self, ratings: &PlayerRatings) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        let rating = |player: usize| ratings.elo(player).unwrap_or(f64::NEG_INFINITY);
        order.sort_by(|&a, &b| {
            let points = |player: usize| self.players[player].score().points();
            let by_rating = rating(b).total_cmp(&rating(a));
            by_rating.then(points(b).total_cmp(&points(a)))
        });
        order
    }

    /// Returns the score of one player against another; `None` if they do not meet.
    #[must_use]
    pub fn between(&self, player: usize, other: usize) -> Option<ResultCount> {
        let met = std::iter::zip(self.schedule.pairings(), &self.tallies);
        for (&pairing, tally) in met {
            if pairing == [player, other] {
                return Some(tally.score());
            }
            if pairing == [other, player] {
                return Some(tally.score().reversed());
            }
        }
        None
    }
}

impl CrossTable for Standings {
    fn points(&self, player: usize) -> f64 {
        self.players[player].score().points()
    }

    fn winner(&self, first: usize, second: usize) -> usize {
        match self.between(first, second) {
            Some(score) if score.losses > score.wins => second,
            _ => first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::tests::tournament;
    use papan_rules::{Move, Outcome};

    fn finished(game: u64, outcome: Outcome) -> GameResult {
        GameResult {
            game,
            outcome,
            forfeit: None,
            discs: None,
            adjudicated: None,
            opening: None,
            costs: [Cost::default(); 2],
            notes: Vec::new(),
            moves: vec![Move::on(game as usize % 3)],
        }
    }

    #[test]
    fn the_order_in_which_games_end_does_not_matter() {
        let plan = tournament("tictactoe", &["random", "greedy", "expert"], 20);
        let outcomes = [
            Outcome::Draw,
            Outcome::Win(Player::First),
            Outcome::Win(Player::Second),
        ];
        let games: Vec<GameResult> = (0..60)
            .map(|n| finished(n, outcomes[(n * n % 7 % 3) as usize]))
            .collect();
        let mut forwards = Standings::new(&plan);
        games.iter().for_each(|game| forwards.count(game));
        let mut backwards = Standings::new(&plan);
        games.iter().rev().for_each(|game| backwards.count(game));
        assert_eq!(forwards.tallies, backwards.tallies);
        assert_eq!(forwards.players, backwards.players);
        assert_eq!(forwards.ratings(), backwards.ratings());
        assert_eq!(forwards.distinct(), backwards.distinct());
        let pairs: u64 = forwards.tallies.iter().map(|t| t.pairs.pairs()).sum();
        assert_eq!(pairs, 30);
        assert!(forwards.halves.is_empty());
    }

    #[test]
    fn seats_and_pairs_are_counted_separately() {
        let plan = tournament("tictactoe", &["random", "greedy"], 4);
        let mut standings = Standings::new(&plan);
        // The first player of the board wins both games of pair 0: one point each.
        standings.count(&finished(0, Outcome::Win(Player::First)));
        standings.count(&finished(1, Outcome::Win(Player::First)));
        // Then greedy wins from both seats.
        standings.count(&finished(2, Outcome::Win(Player::Second)));
        standings.count(&finished(3, Outcome::Win(Player::First)));
        assert_eq!(standings.tallies[0].pairs, Pentanomial([1, 0, 1, 0, 0]));
        let greedy = standings.players[1];
        assert_eq!((greedy.seats[0].wins, greedy.seats[1].wins), (2, 1));
        assert_eq!(greedy.seats[1].losses, 1);
        assert_eq!(standings.between(1, 0).unwrap().points(), 3.0);
    }
}
