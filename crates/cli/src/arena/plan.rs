//! The options that define a tournament.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Error, bail, ensure};
use clap::Args;
use papan_arena::openings::{self, Opening};
use papan_arena::statistics::Sprt;
use papan_arena::{Adjudication, Agreement, Entrant, EntrantKind, Format, Tournament};
use papan_catalog::{AnyGame, split_players};
use papan_protocol::limits;
use papan_rules::SwapRule;
use papan_strategies::{Limits, parse_time};
use papan_view::messages::files;
use papan_view::{Messages, messages};

use crate::arena_messages;
use crate::output::status;

/// Default number of games per pairing.
const DEFAULT_GAMES: u64 = 100;
/// Default limit on the number of games of a sequential test.
const DEFAULT_SPRT_GAMES: u64 = 100_000;

#[derive(Args, Debug)]
pub(crate) struct PlanArgs {
    /// Game, such as tictactoe, tictactoe:4x4, tictactoe:7x7:5 or othello
    #[arg(value_name = "GAME")]
    game: AnyGame,
    /// Players, separated by commas
    #[arg(long, value_name = "PLAYERS")]
    players: Option<String>,
    /// Another player, whose text may contain commas; can be repeated
    #[arg(long = "player", value_name = "PLAYER")]
    one_player: Vec<String>,
    /// Gauntlet: the first player meets all others [default: round robin]
    #[arg(long)]
    gauntlet: bool,
    /// Knockout tournament; list the players by strength, strongest first
    #[arg(long, conflicts_with = "gauntlet")]
    knockout: bool,
    /// Swiss-system tournament with this number of rounds
    #[arg(long, value_name = "ROUNDS", conflicts_with_all = ["gauntlet", "knockout"], value_parser = clap::value_parser!(u32).range(1..=1000))]
    swiss: Option<u32>,
    /// Games per pairing, an even number: every opening is played twice with colours reversed
    /// [default: 100, or 100000 with --sprt]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Openings: a file with one list of moves per line, a game file (SGF, GGF, PSQ, WTHOR,
    /// records), gomocup:FILE with Gomocup's offsets, or random:N
    #[arg(long, value_name = "FILE|random:N")]
    openings: Option<String>,
    /// Opening rule under which the players make the openings: swap or swap2, in games of four or
    /// more in a row
    #[arg(long, value_name = "RULE", conflicts_with = "openings")]
    opening_rule: Option<SwapRule>,
    /// Length of the openings taken from a game file, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    opening_plies: u32,
    /// Strategy that tests whether random openings are balanced, with its limits, such as
    /// engine@nodes=10000 [default: random playouts]
    #[arg(long, value_name = "STRATEGY")]
    balance: Option<Entrant>,
    /// Time control: 100ms per move, or 60s+0.5s for a clock with an increment
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Node limit per move
    #[arg(long, value_name = "N")]
    nodes: Option<String>,
    /// Depth limit, in plies
    #[arg(long, value_name = "N")]
    depth: Option<String>,
    /// Time margin: a move that exceeds its time by less is accepted
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = parse_time)]
    margin: Duration,
    /// Time after which an engine without a time limit counts as hung
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    patience: Duration,
    /// Adjudicate a draw after this number of plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    draw_after: Option<u32>,
    /// Adjudicate a game as soon as papan can solve it within this number of nodes
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    exact: Option<u64>,
    /// Adjudicate a win when both players report at least SCORE for the same side for MOVES moves
    /// each
    #[arg(long, value_name = "SCORE,MOVES")]
    agree: Option<Agreement>,
    /// Directory for the logs of all communication with engines
    #[arg(long, value_name = "FOLDER")]
    log_dir: Option<PathBuf>,
    /// Seed of all random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Stop when this sequential probability ratio test is decided:
    /// elo0=0,elo1=5,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Do not record times, so that the results of two runs are identical
    #[arg(long)]
    no_times: bool,
}

impl PlanArgs {
    /// Returns the tournament and the sequential test that may end it.
    pub(crate) fn tournament(&self, words: Messages) -> anyhow::Result<(Tournament, Option<Sprt>)> {
        let entrants = self.entrants(words)?;
        if self.sprt.is_some() && entrants.len() != 2 {
            let count = entrants.len().to_string();
            bail!(words.with("arena-sprt-two", [("count", count.into())]));
        }
        if self.gauntlet && entrants.len() == 2 {
            bail!(words.text("arena-gauntlet"));
        }
        let default_games = match self.sprt {
            Some(_) => DEFAULT_SPRT_GAMES,
            None => DEFAULT_GAMES,
        };
        let games = self.games.unwrap_or(default_games);
        let about = |key: &str| words.with(key, [("games", games.to_string().into())]);
        ensure!(
            games > 0 && games.is_multiple_of(2),
            about("arena-odd-games")
        );
        if let Some(rule) = self.opening_rule {
            messages::check_swap(words, &self.game, rule).map_err(Error::msg)?;
        }
        let tournament = Tournament {
            openings: self.openings(words)?,
            swap: self.opening_rule,
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
        let mut entrants = list
            .into_iter()
            .chain(self.one_player.iter().map(String::as_str))
            .map(str::parse)
            .collect::<Result<Vec<Entrant>, _>>()
            .map_err(|error| Error::msg(arena_messages::entrant(words, &error)))?;
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
                    let reason = arena_messages::limit(words, &error);
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
                .map_err(|error| messages::file(words, &error))
                .and_then(|text| {
                    let parsed = openings::parse_gomocup(&self.game, &text);
                    parsed.map_err(|error| arena_messages::opening(words, &error))
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
                    .map_err(|error| messages::unplayable(words, &error))?
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

    /// Reads openings from a file with a list of moves on every line, or from a game file.
    fn openings_of(&self, path: &str, words: Messages) -> Result<Vec<Opening>, String> {
        use papan_files::Format::{Position, Transcript};
        let bytes = std::fs::read(path).map_err(|error| messages::file(words, &error))?;
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
        openings.map_err(|error| arena_messages::opening(words, &error))
    }
}
