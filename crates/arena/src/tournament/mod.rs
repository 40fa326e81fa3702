//! Tournament plans: pairings, openings and the order of games.
//!
//! The plan is a function of the options only, so the number of a game determines everything about
//! it, and an interrupted tournament continues where it stopped.

pub(crate) mod game_set;
pub(crate) mod json;
pub(crate) mod recorded_games;
pub(crate) mod runner;
pub(crate) mod schedule;
pub(crate) mod scoreboard;
pub(crate) mod standings;

use std::fmt::Write;
use std::time::Duration;

use papan_catalog::AnyGame;
use papan_rules::SwapRule;
use papan_strategies::{Limits, format_time};

use crate::entrant::{Entrant, EntrantKind};
use crate::game::adjudication::Adjudication;
use crate::openings::Opening;
use crate::results::Header;
use papan_protocol::ProtocolNotation;
use papan_protocol::limits;

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Round robin.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Whoever loses a meeting is out.
    Knockout,
    /// Swiss system: players with equal points meet.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
}

impl Format {
    /// Number of meetings in the whole tournament.
    pub(crate) fn meetings(self, players: usize) -> u64 {
        let players = players as u64;
        match self {
            Self::RoundRobin => players * players.saturating_sub(1) / 2,
            Self::Gauntlet | Self::Knockout => players.saturating_sub(1),
            Self::Swiss { rounds } => u64::from(rounds) * (players / 2),
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Knockout => "knockout",
            Self::Swiss { .. } => "swiss",
        }
    }
}

/// A tournament.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The game.
    pub game: AnyGame,
    /// Who takes part.
    pub entrants: Vec<Entrant>,
    /// Who meets whom.
    pub format: Format,
    /// Games per meeting: an even number, because every opening is played twice.
    pub games: u64,
    /// Where games start, in turn; one empty opening for the game's own start.
    pub openings: Vec<Opening>,
    /// The opening rule, under which the players make the openings; `openings` is then one empty
    /// opening.
    pub swap: Option<SwapRule>,
    /// Limits of players without their own.
    pub limits: Limits,
    /// How much later than its time a move may come before the game is lost.
    pub margin: Duration,
    /// How long an engine without a time limit may think before it counts as hung.
    pub patience: Duration,
    /// Seed of all randomness.
    pub seed: u64,
    /// Whether times are measured for the record. Without, two runs write the
    /// same records, byte by byte.
    pub timed: bool,
    /// Conditions for ending games early.
    pub adjudication: Adjudication,
}

/// One game of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its number.
    pub game: u64,
    /// The pairing that it belongs to.
    pub pairing: usize,
    /// Who sits where: the first player, then the second. A swap opening may exchange them; see
    /// [`GameResult::seats`](crate::GameResult::seats).
    pub seats: [usize; 2],
    /// Which opening it starts from.
    pub opening: usize,
}

impl ScheduledGame {
    /// Whether the pairing's first player has the second seat.
    #[must_use]
    pub fn is_return_game(&self) -> bool {
        self.game % 2 == 1
    }

    /// The number of the pair of games that it belongs to.
    #[must_use]
    pub fn pair(&self) -> u64 {
        self.game / 2
    }
}

impl Tournament {
    /// Every pairing that there may be, as two players' numbers.
    #[must_use]
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let players = self.entrants.len();
        let firsts = match self.format {
            Format::Gauntlet => 1.min(players),
            Format::RoundRobin | Format::Knockout | Format::Swiss { .. } => players,
        };
        let rest = |a: usize| (a + 1..players).map(move |b| [a, b]);
        (0..firsts).flat_map(rest).collect()
    }

    /// How many pairs of games there are in all.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.games / 2 * self.format.meetings(self.entrants.len())
    }

    /// The limits that a player has.
    #[must_use]
    pub fn limits_of(&self, player: usize) -> Limits {
        limits::with_defaults(&self.entrants[player].limits, &self.limits)
    }

    /// The players' names, each of them once.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for entrant in &self.entrants {
            let name = entrant.name();
            let mut unique = name.clone();
            let mut number = 1;
            while names.contains(&unique) {
                number += 1;
                unique = format!("{name} #{number}");
            }
            names.push(unique);
        }
        names
    }

    /// Whether every game is the same whenever it is played: no outside engines
    /// and no limits in time.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        (0..self.entrants.len()).all(|player| {
            let limits = self.limits_of(player);
            let inside = matches!(self.entrants[player].kind, EntrantKind::Strategy(_));
            inside && limits.time.is_none() && limits.clock.is_none()
        })
    }

    /// Returns a fingerprint of this tournament that does not depend on the number of games.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let header = self.header();
        match self.format {
            Format::RoundRobin | Format::Gauntlet => header.without("games").fingerprint(),
            Format::Knockout | Format::Swiss { .. } => header.fingerprint(),
        }
    }

    /// [`Tournament::header`] with the programs of all engines, by their digests.
    #[must_use]
    pub fn header_with_programs(&self) -> Header {
        let mut header = self.header();
        let board = ProtocolNotation::of_any(&self.game);
        for (index, entrant) in self.entrants.iter().enumerate() {
            let EntrantKind::Engine(engine) = &entrant.kind else {
                continue;
            };
            if let Some(digest) = engine.digest() {
                header = header.with_program(index + 1, digest);
            }
            if let Some(name) = engine.introduction(&board) {
                header = header.with_name(index + 1, name);
            }
        }
        header
    }

    /// Returns the properties that identify this tournament.
    #[must_use]
    pub fn header(&self) -> Header {
        let mut openings = String::new();
        for opening in &self.openings {
            for &mv in opening {
                let word = self.game.format_move(mv);
                write!(openings, "{word} ").expect("writing to a string never fails");
            }
            openings.push('/');
        }
        // The list may be long; its fingerprint suffices.
        let fingerprint = Header::default().with("openings", &openings).fingerprint();
        let openings = format!("{} ({fingerprint:016x})", self.openings.len());
        let mut header = Header::default()
            .with("game", self.game.name())
            .with("format", self.format.word())
            .with("games", self.games)
            .with("openings", openings)
            .with("limits", limits::format(&self.limits))
            .with("margin", format_time(self.margin))
            .with("patience", format_time(self.patience))
            .with("seed", self.seed)
            .with("timed", self.timed);
        // Options at their defaults are omitted, for compatibility with older files.
        if let Format::Swiss { rounds } = self.format {
            header = header.with("rounds", rounds);
        }
        if let Some(rule) = self.swap {
            header = header.with("opening rule", rule);
        }
        if self.adjudication != Adjudication::default() {
            header = header.with("adjudication", self.adjudication);
        }
        for (index, entrant) in self.entrants.iter().enumerate() {
            header = header.with(&format!("player {}", index + 1), entrant);
        }
        header
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn tournament(game: &str, players: &[&str], games: u64) -> Tournament {
        Tournament {
            game: game.parse().unwrap(),
            entrants: players.iter().map(|p| p.parse().unwrap()).collect(),
            format: Format::RoundRobin,
            games,
            openings: vec![Vec::new()],
            limits: Limits::default(),
            margin: Duration::from_millis(50),
            patience: Duration::from_secs(60),
            seed: 1,
            timed: false,
            swap: None,
            adjudication: Default::default(),
        }
    }

    #[test]
    fn a_round_robin_has_every_pairing_in_both_seats_from_every_opening() {
        let mut plan = tournament("tictactoe", &["random", "greedy", "expert", "minimax"], 8);
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mv = |word| game.parse_move(word).unwrap();
        plan.openings = vec![vec![mv("1")], vec![mv("2")], vec![mv("5")]];
        let pairings = plan.pairings();
        assert_eq!(pairings.len(), 6);
        let schedule = schedule::Schedule::new(&plan);
        let mut met = std::collections::HashMap::new();
        for game in 0..2 * plan.pairs() {
            let planned = schedule.game(game).unwrap();
            *met.entry((planned.seats, planned.opening)).or_insert(0) += 1;
        }
        // Four pairs over three openings: the first one comes round twice.
        for [a, b] in pairings {
            for seats in [[a, b], [b, a]] {
                let counts = [0, 1, 2].map(|opening| met[&(seats, opening)]);
                assert_eq!(counts, [2, 1, 1]);
            }
        }
    }

    #[test]
    fn a_gauntlet_pairs_the_first_player_with_every_other() {
        let mut plan = tournament("tictactoe", &["random", "greedy", "expert"], 2);
        plan.format = Format::Gauntlet;
        assert_eq!(plan.pairings(), [[0, 1], [0, 2]]);
        assert_eq!(plan.pairs(), 2);
    }

    #[test]
    fn every_property_makes_it_another_tournament() {
        let plan = tournament("tictactoe", &["random", "greedy"], 10);
        let same = tournament("tictactoe", &["random", "greedy"], 10);
        assert_eq!(plan.header().fingerprint(), same.header().fingerprint());
        let mut seeded = same.clone();
        seeded.seed = 2;
        let mut limited = same.clone();
        limited.limits.nodes = Some(5);
        let mut opened = same;
        opened.openings = vec![vec![papan_rules::Move::on(4)]];
        for other in [
            tournament("tictactoe:4x4", &["random", "greedy"], 10),
            tournament("tictactoe", &["greedy", "random"], 10),
            seeded,
            limited,
            opened,
        ] {
            assert_ne!(plan.header().fingerprint(), other.header().fingerprint());
            assert!(plan.header().check(&other.header(), false).is_err());
        }
        let longer = tournament("tictactoe", &["random", "greedy"], 12);
        assert_eq!(plan.header().check(&longer.header(), false), Ok(()));
        assert_eq!(plan.fingerprint(), longer.fingerprint());
    }

    #[test]
    fn names_are_made_unique() {
        let plan = tournament("tictactoe", &["random", "greedy", "random"], 2);
        assert_eq!(plan.names(), ["random", "greedy", "random #2"]);
    }
}
