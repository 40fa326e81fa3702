//! The options that make a tournament what it is.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Error, bail, ensure};
use clap::Args;
use papan_arena::openings::{self, Opening};
use papan_arena::statistics::Sprt;
use papan_arena::{Adjudication, Agreement, Entrant, EntrantKind, Format, Tournament};
use papan_catalog::{AnyGame, split_players};
use papan_protocol::limits;
use papan_strategies::{Limits, parse_time};
use papan_view::messages::files;
use papan_view::{Messages, messages as view_messages};

use crate::output::status;
use crate::wording::arena as wording;

/// Games per pairing when nobody says how many.
const USUAL_GAMES: u64 = 100;
/// Games at most for a test that stops by itself.
const MOST_GAMES_OF_A_TEST: u64 = 100_000;

#[derive(Args, Debug)]
pub(crate) struct PlanArgs {
    /// The game, such as tictactoe, tictactoe:4x4, tictactoe:7x7:5 or othello
    #[arg(value_name = "GAME")]
    game: AnyGame,
    /// Who takes part, separated by commas
    #[arg(long, value_name = "PLAYERS")]
    players: Option<String>,
    /// One more player; commas in it separate nothing
    #[arg(long = "player", value_name = "PLAYER")]
    one_player: Vec<String>,
    /// The first player meets all others, who do not meet one another
    #[arg(long)]
    gauntlet: bool,
    /// Whoever loses a meeting is out; the players are listed best first
    #[arg(long, conflicts_with = "gauntlet")]
    knockout: bool,
    /// So many rounds, in which those with as many points meet
    #[arg(long, value_name = "ROUNDS", conflicts_with_all = ["gauntlet", "knockout"], value_parser = clap::value_parser!(u32).range(1..=1000))]
    swiss: Option<u32>,
    /// Games per meeting, an even number: every opening is played twice, with seats exchanged
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Where games start: a file with one list of moves per line or with games (SGF, GGF, PSQ,
    /// WTHOR, records), gomocup:FILE with Gomocup's offsets, or random:N
    #[arg(long, value_name = "FILE|random:N")]
    openings: Option<String>,
    /// How many plies of each game in a file of games are its opening
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    opening_plies: u32,
    /// Who judges whether random openings are balanced, with limits: engine@nodes=10000; games by
    /// chance without
    #[arg(long, value_name = "STRATEGY")]
    balance: Option<Entrant>,
    /// Time: 100ms for each move, or 60s+0.5s for a clock with an increment
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Nodes for each move
    #[arg(long, value_name = "N")]
    nodes: Option<String>,
    /// Plies to look ahead
    #[arg(long, value_name = "N")]
    depth: Option<String>,
    /// How much later than its time a move may come
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = parse_time)]
    margin: Duration,
    /// How long an engine without a time limit may think before it counts as hung
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    patience: Duration,
    /// End a game as a draw after so many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    draw_after: Option<u32>,
    /// End a game as soon as papan can work its result out within so many nodes
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    exact: Option<u64>,
    /// End a game when both say for so many moves each that one wins by this score
    #[arg(long, value_name = "SCORE,MOVES")]
    agree: Option<Agreement>,
    /// Where every conversation with an engine is written down
    #[arg(long, value_name = "FOLDER")]
    log_dir: Option<PathBuf>,
    /// The seed of every random choice
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Stop when this is answered: elo0=0,elo1=5,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Measure no times, so that two runs can be compared byte by byte
    #[arg(long)]
    no_times: bool,
}

impl PlanArgs {
    /// The tournament that is asked for, and the test that ends it.
    pub(crate) fn tournament(&self, words: Messages) -> anyhow::Result<(Tournament, Option<Sprt>)> {
        let entrants = self.entrants(words)?;
        if self.sprt.is_some() && entrants.len() != 2 {
            let count = entrants.len().to_string();
            bail!(words.with("arena-sprt-two", [("count", count.into())]));
        }
        if self.gauntlet && entrants.len() == 2 {
            bail!(words.text("arena-gauntlet"));
        }
        let usual = match self.sprt {
            Some(_) => MOST_GAMES_OF_A_TEST,
            None => USUAL_GAMES,
        };
        let games = self.games.unwrap_or(usual);
        let about = |key: &str| words.with(key, [("games", games.to_string().into())]);
        ensure!(
            games > 0 && games.is_multiple_of(2),
            about("arena-odd-games")
        );
        let tournament = Tournament {
            openings: self.openings(words)?,
            game: self.game.clone(),
            entrants,
            format: match (self.gauntlet, self.knockout, self.swiss) {
                (true, _, _) => Format::Gauntlet,
                (_, true, _) => Format::Knockout,
                (_, _, Some(rounds)) => Format::Swiss { rounds },
                _ => Format::RoundRobin,
            },
            games,
            limits: self.limits(words)?,
            margin: self.margin,
            patience: self.patience,
            seed: self.seed,
            timed: !self.no_times,
            adjudication: Adjudication {
                draw_after: self.draw_after,
                exact: self.exact,
                agreement: self.agree,
            },
        };
        ensure!(
            games < 1 << 30 && tournament.pairs() < 1 << 39,
            about("arena-many-games")
        );
        Ok((tournament, self.sprt))
    }

    fn entrants(&self, words: Messages) -> anyhow::Result<Vec<Entrant>> {
        let list = self
            .players
            .as_deref()
            .map(split_players)
            .unwrap_or_default();
        let texts = list
            .into_iter()
            .chain(self.one_player.iter().map(String::as_str));
        let entrants = texts.map(str::parse).collect::<Result<Vec<Entrant>, _>>();
        let mut entrants = entrants.map_err(|error| Error::msg(wording::entrant(words, &error)))?;
        for entrant in &mut entrants {
            if let EntrantKind::Engine(engine) = &mut entrant.kind {
                engine.settings.log_dir.clone_from(&self.log_dir);
            }
        }
        if entrants.len() < 2 {
            bail!(words.text(match entrants.len() {
                0 => "arena-no-players",
                _ => "arena-one-player",
            }));
        }
        Ok(entrants)
    }

    fn limits(&self, words: Messages) -> anyhow::Result<Limits> {
        let mut limits = Limits::default();
        let given = [
            ("time", &self.time),
            ("nodes", &self.nodes),
            ("depth", &self.depth),
        ];
        for (key, value) in given {
            if let Some(value) = value {
                let set = limits::set(&mut limits, key, value);
                set.map_err(|error| {
                    let reason = wording::limit(words, &error);
                    Error::msg(format!("--{key} {value}: {reason}"))
                })?;
            }
        }
        Ok(limits)
    }

    fn openings(&self, words: Messages) -> anyhow::Result<Vec<Opening>> {
        let Some(text) = &self.openings else {
            ensure!(self.balance.is_none(), words.text("opening-balance"));
            return Ok(vec![Vec::new()]);
        };
        let openings = match text.split_once(':') {
            Some(("random", count)) => self.random_openings(count, words),
            Some(("gomocup", path)) => std::fs::read_to_string(path)
                .map_err(|error| view_messages::file(words, &error))
                .and_then(|text| {
                    let parsed = openings::parse_gomocup(&self.game, &text);
                    parsed.map_err(|error| wording::opening(words, &error))
                }),
            _ => self.openings_of(text, words),
        };
        openings.map_err(|reason| Error::msg(format!("--openings {text}: {reason}")))
    }

    fn random_openings(&self, count: &str, words: Messages) -> Result<Vec<Opening>, String> {
        let count = count.parse().ok().filter(|n| (1..=1_000_000).contains(n));
        let count: usize = count.ok_or_else(|| words.text("opening-count"))?;
        let openings = match self.balance.as_ref().map(|judge| (judge, &judge.kind)) {
            None => openings::random_any(&self.game, count, self.seed),
            Some((judge, EntrantKind::Strategy(spec))) => {
                openings::random_judged(&self.game, count, self.seed, spec, &judge.limits)
                    .map_err(|error| view_messages::unplayable(words, &error))?
            }
            Some((judge, EntrantKind::Engine(_))) => {
                let judge = judge.to_string();
                return Err(words.with("opening-judge", [("judge", judge.into())]));
            }
        };
        if openings.is_empty() {
            return Err(words.text("opening-no-random"));
        }
        if openings.len() < count {
            let found = openings.len().to_string();
            status(words.with("opening-few", [("found", found.into())]));
        }
        Ok(openings)
    }

    /// A list of moves on every line, or the first moves of the games in any file that
    /// papan reads.
    fn openings_of(&self, path: &str, words: Messages) -> Result<Vec<Opening>, String> {
        use papan_files::Format::{Position, Transcript};
        let bytes = std::fs::read(path).map_err(|error| view_messages::file(words, &error))?;
        let openings = match papan_files::read(&bytes, Some(&self.game)) {
            Ok(file) if !matches!(file.format, Transcript | Position) => {
                if let Some(fault) = file.faults.first() {
                    return Err(files::fault(words, fault));
                }
                let plies = self.opening_plies as usize;
                openings::from_records(&self.game, &file.records, plies)
            }
            _ => {
                let text = String::from_utf8(bytes).map_err(|_| words.text("file-not-text"))?;
                openings::parse_any(&self.game, &text)
            }
        };
        openings.map_err(|error| wording::opening(words, &error))
    }
}
