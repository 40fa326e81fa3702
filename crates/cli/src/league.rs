//! `papan league`: a round robin of submissions, with ratings and a page with every game.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use papan_arena::grading::{League, submissions_in};
use papan_arena::results::Memory;
use papan_arena::{Report, RunOptions, report};
use papan_strategies::StopToken;
use papan_view::{json, messages};

use crate::output::{self, status};
use crate::terminal_style::Appearance;
use crate::{arena_messages, exit_code, grade};

#[derive(Args, Debug)]
pub(crate) struct LeagueArgs {
    /// Assignment, a TOML file
    #[arg(value_name = "ASSIGNMENT")]
    assignment: PathBuf,
    /// Submissions, files or folders
    #[arg(value_name = "SUBMISSION", required = true)]
    submissions: Vec<PathBuf>,
    /// Games per pairing, an even number
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..=10_000))]
    games: u64,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of concurrent games [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write an HTML report with all games; - is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn run(args: &LeagueArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let assignment = grade::assignment(&args.assignment, words)?;
    if !args.games.is_multiple_of(2) {
        let games = args.games.to_string();
        bail!(words.with("arena-odd-games", [("games", games.into())]));
    }
    let submissions = submissions_in(&assignment, &args.submissions)
        .map_err(|cause| anyhow::anyhow!(messages::file(words, &cause)))?;
    let league = League::new(&assignment, &submissions, args.games, args.seed);
    for refused in &league.refused {
        let why = words.phrase(&refused.why);
        status(format_args!("{}: {why}", refused.submission));
    }
    let tournament = &league.tournament;
    if tournament.entrants.len() < 2 {
        bail!(words.text("league-two"));
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut results = Memory::default();
    let options = RunOptions {
        concurrency: args.concurrency.map_or(cores, usize::from),
        sprt: None,
        observer: &mut |_| {},
        live_games: None,
        stop: StopToken::default(),
    };
    let scoreboard = match papan_arena::run(tournament, &mut results, options) {
        Ok(scoreboard) => scoreboard,
        Err(error) => bail!(arena_messages::tournament(words, &error)),
    };
    if let Some(path) = &args.html {
        let mut page = Vec::new();
        report::html(&mut page, tournament, &scoreboard, &mut results)?;
        output::write_file(path, &page)?;
    }
    let table = Report::of(tournament, &scoreboard);
    let text = if args.json {
        json::page(&table)
    } else {
        report::text(&table, words)
    };
    output::print_beside(args.html.as_deref(), &text)?;
    Ok(exit_code::for_answer(league.refused.is_empty()))
}
