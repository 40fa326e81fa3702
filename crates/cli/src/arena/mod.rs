//! `papan arena`: matches and tournaments.

mod live;
#[cfg_attr(not(feature = "serve"), path = "no_live_site.rs")]
mod live_site;
mod plan;

use std::io::IsTerminal as _;
#[cfg(feature = "serve")]
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Error, bail};
use clap::Args;
use papan_arena::export::Export;
use papan_arena::report::HtmlError;
use papan_arena::results::{DamagedRange, Header, Journal, ResultsError, Tolerance};
use papan_arena::{
    DistributedOptions, Report, RunOptions, Scoreboard, Tournament, report, statistics::Acceptance,
};
use papan_jobs::Fraction;
use papan_strategies::StopToken;
use papan_view::Messages;
use papan_view::messages::{file as file_reason, in_file};

use crate::arena_messages;
use crate::exit_code::{INTERRUPTED, NEGATIVE, UNDECIDED};
use crate::job_server::{self, JobServer, command_line, notice};
use crate::output::{self, status};
use live::LiveTable;
use live_site::LiveSite;
use plan::PlanArgs;

const AFTER_HELP: &str = "\
A player is a strategy (see papan list), or an engine in another process: gtp:COMMAND, ugi:COMMAND,
piskvork:COMMAND or nboard:COMMAND. Its own limits follow an @: 'mcts@nodes=5000 time=50ms'. So do
the settings of an engine: name=, dir=, env.NAME=, option.NAME=, start=, memory=, cores=,
restart=game, ponder=on; see docs/engines.md.

Finished games are written to disk at once. An interrupted tournament continues when the same
command is run again.

Exit status: 1 if most games were forfeits, which say nothing about strength, or if --sprt accepts
elo0; 3 if --sprt is undecided.

Examples:
  papan arena tictactoe --players 'minimax,greedy,alphabeta(depth=2)' --games 200
  papan arena othello --player gtp:gtp-rhino --player mcts --openings random:20 --time 1s";

#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ArenaArgs {
    #[command(flatten)]
    plan: PlanArgs,
    /// Number of concurrent games [default: the number of cores, or 1 with time limits]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Let workers (papan worker) play the games, through this job server: nats://HOST:PORT
    /// [env: PAPAN_JOBS, unless --concurrency is given]
    #[arg(
        long,
        alias = "queue",
        value_name = "URL",
        conflicts_with = "concurrency"
    )]
    jobs: Option<String>,
    /// Play each worker's first games and this part of the others again and compare, where players are
    /// deterministic
    #[arg(long, value_name = "PERCENT", default_value = "1%")]
    recheck: Fraction,
    /// Results file [default: in papan's data directory, named after the settings]
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Delete earlier results of this tournament and start over
    #[arg(long)]
    again: bool,
    /// Drop unreadable parts of a damaged results file, after making a copy of it
    #[arg(long)]
    repair: bool,
    /// Continue even if an engine's executable has changed since the earlier games
    #[arg(long)]
    changed_engines: bool,
    /// Write all games: records:FOLDER, sgf:FILE, ggf:FILE (Othello), psq:FOLDER (five in a row)
    #[arg(long, value_name = "FORMAT:PATH")]
    export: Vec<Export>,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values, one line per player
    #[arg(long)]
    csv: bool,
    /// Write an HTML report with all games; - is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Show the running tournament on a web page at this address
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:7273")]
    live: Option<SocketAddr>,
    /// Do not show the live table
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &ArenaArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let (tournament, sprt) = args.plan.tournament(words)?;
    let server = match args.concurrency {
        Some(_) => None,
        None => job_server::address(args.jobs.as_deref()),
    };
    let server = server.as_deref().map(JobServer::open).transpose()?;
    // Opened first, so that a bad path is reported before the games and not after them.
    let html = args.html.as_deref();
    if let Some(path) = html {
        papan_files::check_writable(path).map_err(|error| file_error(path, &error, words))?;
    }
    let path = match &args.results {
        Some(path) => path.clone(),
        None => default_results_path(&tournament, words)?,
    };
    for export in &args.export {
        if let Err(error) = export.check(&tournament) {
            bail!(
                "--export {export}: {}",
                arena_messages::export(words, &error)
            );
        }
    }
    let header = tournament.header_with_programs();
    if args.again && path.exists() {
        delete_results(&path, &header, words)?;
    }
    let tolerance = Tolerance {
        repair: args.repair,
        changed_engines: args.changed_engines,
    };
    let mut journal = match Journal::open_with(&path, &header, tolerance) {
        Ok(journal) => journal,
        Err(error) => bail!(arena_messages::results(words, &error)),
    };
    for DamagedRange { offset, bytes } in journal.dropped() {
        let values = [
            ("bytes", bytes.to_string().into()),
            ("offset", offset.to_string().into()),
            ("file", path.display().to_string().into()),
        ];
        status(in_file(words, &path, words.with("results-dropped", values)));
    }
    let was_empty = journal.is_empty();
    #[cfg(feature = "serve")]
    let site = args
        .live
        .map(|address| open_site(address, &tournament, words))
        .transpose()?;
    #[cfg(not(feature = "serve"))]
    let site: Option<LiveSite> = None;
    // Without a job server Ctrl-C ends the process: finished games are on disk.
    let stop = server
        .as_ref()
        .map_or_else(StopToken::default, |server| server.stop.clone());
    let mut live = LiveTable::new(!args.quiet && std::io::stderr().is_terminal(), words);
    let options = RunOptions {
        concurrency: args
            .concurrency
            .map_or_else(|| default_concurrency(&tournament), usize::from),
        sprt,
        observer: &mut |scoreboard| {
            live.update(&tournament, scoreboard);
            if let Some(site) = &site {
                site.update(&tournament, scoreboard);
            }
        },
        live_games: site.as_ref().map(LiveSite::live_games),
        stop: stop.clone(),
    };
    let played = match &server {
        None => papan_arena::run(&tournament, &mut journal, options),
        Some(server) => {
            let distributed = DistributedOptions {
                connection: &server.connection,
                command: &command_line(),
                notice: notice(),
                recheck: args.recheck.0,
                restart: args.again,
            };
            papan_arena::run_distributed(&tournament, &mut journal, options, distributed)
        }
    };
    live.clear();
    let scoreboard = match played {
        Ok(scoreboard) => scoreboard,
        Err(error) => {
            if was_empty && journal.is_empty() {
                // No game was played, so the new file is not needed.
                let _ = std::fs::remove_file(&path);
            }
            bail!(arena_messages::tournament(words, &error));
        }
    };
    if stop.is_stopped() {
        let file = path.display().to_string();
        status(words.with("tournament-interrupted", [("file", file.into())]));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if !was_empty && live.updates() == 0 {
        let file = path.display().to_string();
        status(words.with("results-complete", [("file", file.into())]));
    }
    let table = Report::of(&tournament, &scoreboard);
    print(args, &table, words)?;
    if let Some(path) = html {
        let mut page = Vec::new();
        report::html(&mut page, &tournament, &scoreboard, &mut journal)
            .and_then(|()| Ok(papan_files::write_atomic(path, &page)?))
            .map_err(|error| match error {
                HtmlError::Io(error) => file_error(path, &error, words),
                HtmlError::Results(error) => Error::msg(arena_messages::results(words, &error)),
            })?;
    }
    for export in &args.export {
        if let Err(error) = export.write(&tournament, &scoreboard, &mut journal) {
            bail!(
                "--export {export}: {}",
                arena_messages::export(words, &error)
            );
        }
    }
    Ok(exit_code(&scoreboard, &table))
}

/// Starts the web page of the tournament and prints its address.
#[cfg(feature = "serve")]
fn open_site(
    address: SocketAddr,
    tournament: &Tournament,
    words: Messages,
) -> anyhow::Result<LiveSite> {
    let site = LiveSite::open(address, tournament, words).map_err(|error| {
        let reason = file_reason(words, &error);
        Error::msg(format!("--live {address}: {reason}"))
    })?;
    let address = format!("http://{}/", site.address);
    status(words.with("tournament-at", [("address", address.into())]));
    Ok(site)
}

/// Deletes a results file, but only one that belongs to this tournament.
fn delete_results(path: &Path, header: &Header, words: Messages) -> anyhow::Result<()> {
    let tolerance = Tolerance {
        changed_engines: true,
        ..Tolerance::default()
    };
    match Journal::open_with(path, header, tolerance) {
        Ok(_) | Err(ResultsError::Damaged { .. }) => {}
        Err(error) => bail!(arena_messages::results(words, &error)),
    }
    std::fs::remove_file(path).map_err(|error| file_error(path, &error, words))
}

fn print(args: &ArenaArgs, table: &Report, words: Messages) -> anyhow::Result<()> {
    let text = if args.json {
        papan_view::json::page(table)
    } else if args.csv {
        report::csv(table)
    } else {
        report::text(table, words)
    };
    let exports = args.export.iter().map(|export| export.path.as_path());
    let mut files = args.html.as_deref().into_iter().chain(exports);
    Ok(output::print_beside(
        files.find(|path| output::is_standard(path)),
        &text,
    )?)
}

/// Negative if the games are worthless or the test accepts elo0, undecided if the test is.
fn exit_code(scoreboard: &Scoreboard, report: &Report) -> ExitCode {
    match scoreboard.test() {
        _ if report.is_mostly_forfeits() => ExitCode::from(NEGATIVE),
        Some((_, _, Acceptance::AcceptElo0)) => ExitCode::from(NEGATIVE),
        Some((_, _, Acceptance::Open)) => ExitCode::from(UNDECIDED),
        _ => ExitCode::SUCCESS,
    }
}

/// Returns the localized error of a file operation.
fn file_error(path: &Path, error: &std::io::Error, words: Messages) -> Error {
    Error::msg(in_file(words, path, file_reason(words, error)))
}

/// One game per core, but only one if there are clocks, which concurrent games would disturb.
fn default_concurrency(tournament: &Tournament) -> usize {
    if tournament.is_repeatable() {
        std::thread::available_parallelism().map_or(1, usize::from)
    } else {
        1
    }
}

/// Returns `arena/FINGERPRINT.results` in papan's data directory.
fn default_results_path(tournament: &Tournament, words: Messages) -> anyhow::Result<PathBuf> {
    let data =
        papan_catalog::dirs::data_dir().ok_or_else(|| Error::msg(words.text("arena-no-data")))?;
    let folder = data.join("arena");
    std::fs::create_dir_all(&folder).map_err(|error| file_error(&folder, &error, words))?;
    let path = |fingerprint: u64| folder.join(format!("{fingerprint:016x}.results"));
    let current = path(tournament.fingerprint());
    // papan 0.1.0 computed the fingerprint differently.
    let legacy = path(tournament.header().fingerprint());
    if !current.exists() && legacy.exists() {
        return Ok(legacy);
    }
    Ok(current)
}
