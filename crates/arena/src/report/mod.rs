//! How a tournament stands, as data, and its four forms: text, JSON, CSV, HTML.

mod csv;
mod html;
mod plot;
mod text;

pub use csv::csv;
pub use html::{HtmlError, html};
pub use text::{live, text};

use std::collections::BTreeMap;

use serde::Serialize;

use crate::forfeit::ForfeitKind;
use crate::ledger::Ledger;
use crate::limits;
use crate::pentanomial::Pentanomial;
use crate::sprt::Verdict;
use crate::standings::{PlayerTally, Score, Standings};
use crate::tournament::{Format, Tournament};

/// How a tournament stands. Players are in the order of their ratings.
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
    /// The limits for players who have none of their own.
    pub limits: String,
    /// What all lots depend on.
    pub seed: u64,
    /// Whether a drawn pair was added to every pairing, because somebody won or
    /// lost everything and the likeliest rating would be infinite.
    pub drawn_pair_added: bool,
    /// The players, best first.
    pub players: Vec<PlayerLine>,
    /// For every player, what they scored against every other, both best first.
    pub cross_table: Vec<Vec<Option<CrossCell>>>,
    /// The sequential test, if there is one.
    pub test: Option<TestLine>,
}

/// How one player stands.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerLine {
    /// 1 for the best.
    pub rank: usize,
    /// Who.
    pub player: String,
    /// The rating; the mean of all is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub margin: f64,
    /// The likelihood of being stronger than the next in rank.
    pub superiority: Option<f64>,
    /// Points, a draw for half of one.
    pub points: f64,
    /// Games played.
    pub games: u64,
    /// Results with the first move.
    pub first: ScoreLine,
    /// Results with the second move.
    pub second: ScoreLine,
    /// Mean number of own discs at the end, in games that count them.
    pub discs: Option<f64>,
    /// Mean nodes of a move, where they are known.
    pub nodes: Option<f64>,
    /// Mean time of a move in microseconds, where it was measured.
    pub microseconds: Option<f64>,
    /// Games lost before their end, by reason.
    pub forfeits: BTreeMap<&'static str, u64>,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ScoreLine {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl From<Score> for ScoreLine {
    fn from(score: Score) -> Self {
        Self {
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
        }
    }
}

/// What one player scored against another.
#[derive(Clone, Debug, Serialize)]
pub struct CrossCell {
    /// Results over both seats.
    #[serde(flatten)]
    pub score: ScoreLine,
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

/// A sequential test and what it says.
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
    /// How a tournament stands.
    #[must_use]
    pub fn of(tournament: &Tournament, ledger: &Ledger) -> Self {
        let standings = ledger.standings();
        let ratings = standings.ratings();
        let ranking = standings.ranking(&ratings);
        let names = tournament.names();
        let line = |rank: usize, player: usize| {
            let next = ranking.get(rank + 1);
            PlayerLine {
                rank: rank + 1,
                elo: ratings.elo(player),
                margin: ratings.margin(player),
                superiority: next.map(|&next| ratings.superiority(player, next)),
                ..player_line(names[player].clone(), &standings.players[player])
            }
        };
        let row = |player: usize| {
            let cells = ranking
                .iter()
                .map(|&other| cross_cell(standings, player, other));
            cells.collect()
        };
        Self {
            game: tournament.game.name(),
            format: match tournament.format {
                Format::RoundRobin => "round-robin",
                Format::Gauntlet => "gauntlet",
            },
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
            test: ledger.test().map(|(sprt, llr, verdict)| {
                let (lower, upper) = sprt.bounds();
                TestLine {
                    question: sprt.to_string(),
                    llr,
                    lower,
                    upper,
                    answer: match verdict {
                        Verdict::Open => "open",
                        Verdict::AcceptElo0 => "elo0",
                        Verdict::AcceptElo1 => "elo1",
                    },
                }
            }),
        }
    }

    /// The report as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("a report has string keys only") + "\n"
    }
}

fn player_line(player: String, tally: &PlayerTally) -> PlayerLine {
    let score = tally.score();
    let per = |sum: f64, count: u64| (count > 0 && sum > 0.0).then(|| sum / count as f64);
    let effort = &tally.effort;
    let forfeits = ForfeitKind::ALL.map(|kind| (kind.word(), tally.forfeits[kind as usize]));
    PlayerLine {
        rank: 0,
        player,
        elo: 0.0,
        margin: 0.0,
        superiority: None,
        points: score.points(),
        games: score.games(),
        first: tally.seats[0].into(),
        second: tally.seats[1].into(),
        discs: (tally.counted > 0).then(|| tally.discs as f64 / tally.counted as f64),
        nodes: per(effort.nodes as f64, effort.moves),
        microseconds: per(effort.time.as_secs_f64() * 1e6, effort.moves),
        forfeits: forfeits
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect(),
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
        score: score.into(),
        pairs: pairs.0,
        elo: estimate.and_then(|e| finite(e.elo)),
        low: estimate.and_then(|e| finite(e.low)),
        high: estimate.and_then(|e| finite(e.high)),
        superiority: estimate.map(|e| e.superiority),
    })
}
