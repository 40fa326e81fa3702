//! Report of a tournament as data, with four formats: text, JSON, CSV, HTML.

mod csv;
mod games;
mod html;
mod plot;
mod text;

pub use csv::csv;
pub use html::{HtmlError, html};
pub use plot::plot;
pub use text::{live, signed, text};

use std::collections::BTreeMap;

use serde::Serialize;

use crate::statistics::{Acceptance, Pentanomial};
use crate::tournament::Tournament;
use crate::tournament::scoreboard::Scoreboard;
use crate::tournament::standings::{PlayerTally, ResultCount, Standings};
use papan_protocol::ForfeitKind;
use papan_protocol::limits;

/// Standings of a tournament. Players are sorted by rating.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The game's name.
    pub game: String,
    /// `round-robin` or `gauntlet`.
    pub format: &'static str,
    /// Games that have been played and counted.
    pub games: u64,
    /// Games that were planned.
    pub planned: u64,
    /// How many of them differ from one another, where it is known.
    pub different_games: Option<usize>,
    /// How many openings there are.
    pub openings: usize,
    /// Limits of players without their own.
    pub limits: String,
    /// Seed of all randomness.
    pub seed: u64,
    /// Whether a drawn pair was added to every pairing, because a player won or lost everything and
    /// the maximum-likelihood rating would be infinite.
    pub drawn_pair_added: bool,
    /// Games lost before their end, by reason, over all players.
    pub forfeits: BTreeMap<&'static str, u64>,
    /// Warnings about the interpretation of the numbers.
    pub warnings: Vec<String>,
    /// Conditions of the tournament, as name and value.
    pub conditions: Vec<(String, String)>,
    /// The players, best first.
    pub players: Vec<PlayerLine>,
    /// Scores of every player against every other, sorted by rating.
    pub cross_table: Vec<Vec<Option<CrossCell>>>,
    /// The sequential test, if there is one.
    pub test: Option<TestLine>,
}

/// Standings of one player.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerLine {
    /// 1 for the best.
    pub rank: usize,
    /// Who.
    pub player: String,
    /// The rating, with the mean of all players at 0. `null` if more than half of the games were
    /// forfeits.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval.
    pub margin: Option<f64>,
    /// The likelihood of being stronger than the next in rank.
    pub superiority: Option<f64>,
    /// Points, a draw for half of one.
    pub points: f64,
    /// Games played.
    pub games: u64,
    /// Results with the first move.
    pub first: ResultCount,
    /// Results with the second move.
    pub second: ResultCount,
    /// Mean number of own discs at the end, in games that count them.
    pub discs: Option<f64>,
    /// Mean nodes of a move, where they are known.
    pub nodes: Option<f64>,
    /// Mean time of a move in microseconds, where it was measured.
    pub microseconds: Option<f64>,
    /// Games lost before their end, by reason.
    pub forfeits: BTreeMap<&'static str, u64>,
}

/// Score of one player against another.
#[derive(Clone, Debug, Serialize)]
pub struct CrossCell {
    /// Results over both seats.
    #[serde(flatten)]
    pub score: ResultCount,
    /// How often a pair of games brought 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// The Elo difference between the two alone; `null` when infinite.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval; `null` when infinite.
    pub low: Option<f64>,
    /// The upper end of its 95 % interval; `null` when infinite.
    pub high: Option<f64>,
    /// The likelihood of being stronger than the other.
    pub superiority: Option<f64>,
}

/// A sequential test and its state.
#[derive(Clone, Debug, Serialize)]
pub struct TestLine {
    /// The question.
    pub question: String,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Where `elo0` is accepted.
    pub lower: f64,
    /// Where `elo1` is accepted.
    pub upper: f64,
    /// `open`, `elo0` or `elo1`.
    pub answer: &'static str,
}

impl Report {
    /// Computes the report.
    #[must_use]
    pub fn of(tournament: &Tournament, scoreboard: &Scoreboard) -> Self {
        let standings = scoreboard.standings();
        let ratings = standings.ratings();
        let ranking = standings.ranking(&ratings);
        let names = tournament.names();
        let line = |rank: usize, player: usize| {
            let next = ranking.get(rank + 1);
            PlayerLine {
                rank: rank + 1,
                elo: ratings.elo(player),
                margin: ratings.margin(player),
                superiority: next.and_then(|&next| ratings.superiority(player, next)),
                ..player_line(names[player].clone(), &standings.players[player])
            }
        };
        let row = |player: usize| {
            let cells = ranking
                .iter()
                .map(|&other| cross_cell(standings, player, other));
            cells.collect()
        };
        let mut forfeits = BTreeMap::new();
        for (kind, count) in standings.players.iter().flat_map(forfeits_of) {
            *forfeits.entry(kind).or_insert(0) += count;
        }
        Self {
            forfeits,
            warnings: warnings(tournament, standings, ratings.is_widened()),
            conditions: conditions(tournament),
            game: tournament.game.name(),
            format: tournament.format.word(),
            games: standings.games,
            planned: tournament.pairs() * 2,
            different_games: standings.distinct(),
            openings: tournament.openings.len(),
            limits: limits::format(&tournament.limits),
            seed: tournament.seed,
            drawn_pair_added: ratings.is_widened(),
            players: ranking
                .iter()
                .enumerate()
                .map(|(r, &p)| line(r, p))
                .collect(),
            cross_table: ranking.iter().map(|&player| row(player)).collect(),
            test: scoreboard.test().map(|(sprt, llr, verdict)| {
                let (lower, upper) = sprt.bounds();
                TestLine {
                    question: sprt.to_string(),
                    llr,
                    lower,
                    upper,
                    answer: match verdict {
                        Acceptance::Open => "open",
                        Acceptance::AcceptElo0 => "elo0",
                        Acceptance::AcceptElo1 => "elo1",
                    },
                }
            }),
        }
    }

    /// Whether some pairing's games were mostly forfeits, so that it has no rating.
    #[must_use]
    pub fn is_mostly_forfeits(&self) -> bool {
        self.players.iter().any(|player| player.elo.is_none())
    }

    /// The cross table's rows with their players.
    fn cross_rows(&self) -> impl Iterator<Item = (&PlayerLine, &Vec<Option<CrossCell>>)> {
        std::iter::zip(&self.players, &self.cross_table)
    }
}

fn forfeits_of(tally: &PlayerTally) -> impl Iterator<Item = (&'static str, u64)> {
    let all = ForfeitKind::ALL.map(|kind| (kind.word(), tally.forfeits[kind as usize]));
    all.into_iter().filter(|(_, count)| *count > 0)
}

/// Forfeits for people: `3 crash, 1 time`.
fn forfeit_list(forfeits: &BTreeMap<&'static str, u64>) -> String {
    let list = forfeits
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"));
    list.collect::<Vec<_>>().join(", ")
}

fn warnings(tournament: &Tournament, standings: &Standings, widened: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    if standings.games == 0 {
        return warnings;
    }
    let names = tournament.names();
    for (&[a, b], tally) in std::iter::zip(standings.pairings(), &standings.tallies) {
        if tally.is_mostly_forfeits() {
            warnings.push(format!(
                "{} of the {} games between {} and {} were forfeits: they say nothing about strength and count for no rating.",
                tally.forfeits,
                tally.score().games(),
                names[a],
                names[b]
            ));
        }
    }
    for (name, player) in std::iter::zip(&names, &standings.players) {
        if player.forfeited() > 0 {
            let lost = forfeits_of(player).collect();
            warnings.push(format!("{name} forfeited games: {}.", forfeit_list(&lost)));
        }
    }
    if widened {
        warnings.push(
            "Somebody won or lost everything: one drawn pair was added to every pairing, because the likeliest rating would be infinite.".into(),
        );
    }
    if let Some(different) = standings.distinct()
        && (different as u64) < standings.games
    {
        warnings.push(format!(
            "{different} of the {} games are different. Repeated games tell nothing new, and the intervals do not know that.",
            standings.games
        ));
    }
    warnings
}

fn conditions(tournament: &Tournament) -> Vec<(String, String)> {
    let header = tournament.header();
    let fields = header.fields().iter().cloned();
    fields.filter(|(_, value)| !value.is_empty()).collect()
}

fn player_line(player: String, tally: &PlayerTally) -> PlayerLine {
    let score = tally.score();
    let per = |sum: f64, count: u64| (count > 0 && sum > 0.0).then(|| sum / count as f64);
    let cost = &tally.cost;
    PlayerLine {
        rank: 0,
        player,
        elo: None,
        margin: None,
        superiority: None,
        points: score.points(),
        games: score.games(),
        first: tally.seats[0],
        second: tally.seats[1],
        discs: (tally.counted > 0).then(|| tally.discs as f64 / tally.counted as f64),
        nodes: per(cost.nodes as f64, cost.moves),
        microseconds: per(cost.time.as_secs_f64() * 1e6, cost.moves),
        forfeits: forfeits_of(tally).collect(),
    }
}

fn cross_cell(standings: &Standings, player: usize, other: usize) -> Option<CrossCell> {
    let score = standings.between(player, other)?;
    let index = |pairing: [usize; 2]| standings.pairings().iter().position(|p| *p == pairing);
    let pairs = match (index([player, other]), index([other, player])) {
        (Some(pairing), _) => standings.tallies[pairing].pairs,
        (_, Some(pairing)) => standings.tallies[pairing].pairs.reversed(),
        _ => Pentanomial::default(),
    };
    let estimate = pairs.estimate();
    let finite = |number: f64| Some(number).filter(|n| n.is_finite());
    Some(CrossCell {
        score,
        pairs: pairs.0,
        elo: estimate.and_then(|e| finite(e.elo)),
        low: estimate.and_then(|e| finite(e.low)),
        high: estimate.and_then(|e| finite(e.high)),
        superiority: estimate.map(|e| e.superiority),
    })
}
