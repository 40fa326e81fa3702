//! `papan arena`: matches and tournaments.

mod crew;
mod live;
mod live_site;
mod plan;

use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Error, bail};
use clap::Args;
use papan_arena::export::Export;
use papan_arena::report::HtmlError;
use papan_arena::results::{DamagedRange, Header, Journal, ResultsError, Tolerance};
use papan_arena::{Report, RunOptions, Scoreboard, Tournament, report, statistics::Acceptance};
use papan_view::Messages;
use papan_view::messages::{file as file_reason, in_file};

use crate::output::{self, status};
use crate::wording::arena as wording;
use crew::Crew;
use live::Live;
use live_site::LiveSite;
use plan::PlanArgs;

const AFTER_HELP: &str = "\
A player is a strategy (papan list), or an engine in another process: gtp:COMMAND,
ugi:COMMAND, piskvork:COMMAND or nboard:COMMAND. Limits of its own follow an @: 'mcts@nodes=5000 time=50ms'.
So do settings of an engine: name=, dir=, env.NAME=, option.NAME=, start=, memory=, cores=,
restart=game, ponder=on; docs/engines.md tells more.
Every finished game is on disk before it counts: broken off, the same command goes on.
The exit code is 1 when most games of a match were forfeits, which say nothing about strength;
with --sprt it is 1 when the difference is elo0 or less, 3 when the test is still open.

  papan arena tictactoe --players 'minimax,greedy,alphabeta(depth=2)' --games 200
  papan arena othello --player gtp:gtp-rhino --player mcts --openings random:20 --time 1s";

#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ArenaArgs {
    #[command(flatten)]
    plan: PlanArgs,
    /// Games at once; without, as many as there are cores, or 1 where time matters
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Let workers play the games, through this database: postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL", conflicts_with = "concurrency")]
    queue: Option<String>,
    /// Where results are kept; without, in papan's data directory
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Forget earlier results of this tournament and play it anew
    #[arg(long)]
    again: bool,
    /// Drop what is unreadable in a damaged results file, keep a copy of it, and play on
    #[arg(long)]
    repair: bool,
    /// Go on although an engine's program is not the one that played the earlier games
    #[arg(long)]
    changed_engines: bool,
    /// Write all games: records:FOLDER, sgf:FILE, ggf:FILE (Othello), psq:FOLDER (five in a row)
    #[arg(long, value_name = "FORM:PATH")]
    export: Vec<Export>,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values, one line per player
    #[arg(long)]
    csv: bool,
    /// Write a report in one HTML file, with every game to be replayed
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Show the tournament in the browser while it is played
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:7273")]
    live: Option<SocketAddr>,
    /// No live table
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &ArenaArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let (tournament, sprt) = args.plan.tournament(words)?;
    // Before the first game, not after the last one.
    let page = args.html.as_deref();
    let mut page = page.map(|path| create(path, words)).transpose()?;
    let path = match &args.results {
        Some(path) => path.clone(),
        None => usual_place(&tournament, words)?,
    };
    for export in &args.export {
        if let Err(error) = export.check(&tournament) {
            bail!("--export {export}: {}", wording::export(words, &error));
        }
    }
    let header = tournament.header_with_programs();
    if args.again && path.exists() {
        forget(&path, &header, words)?;
    }
    let tolerance = Tolerance {
        repair: args.repair,
        changed_engines: args.changed_engines,
    };
    let mut journal = match Journal::open_with(&path, &header, tolerance) {
        Ok(journal) => journal,
        Err(error) => bail!(wording::results(words, &error)),
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
    let site = args
        .live
        .map(|address| open_site(address, &tournament, words));
    let site = site.transpose()?;
    let mut live = Live::new(!args.quiet && std::io::stderr().is_terminal());
    let settings = RunOptions {
        concurrency: args
            .concurrency
            .map_or_else(|| usual_concurrency(&tournament), usize::from),
        sprt,
        observer: &mut |scoreboard| {
            live.show(&tournament, scoreboard);
            if let Some(site) = &site {
                site.show(&tournament, scoreboard);
            }
        },
        live_games: site.as_ref().map(LiveSite::live_games),
    };
    let played = match &args.queue {
        None => papan_arena::run(&tournament, &mut journal, settings),
        Some(url) => {
            let mut crew = Crew::begin(url, &tournament, args.again)?;
            let played = papan_arena::run_by_others(&tournament, &mut journal, settings, &mut crew);
            if played.is_ok() {
                crew.end()?;
            }
            played
        }
    };
    live.clear();
    let scoreboard = match played {
        Ok(scoreboard) => scoreboard,
        Err(error) => {
            if was_empty && journal.is_empty() {
                // Nothing was played: leave nothing behind.
                let _ = std::fs::remove_file(&path);
            }
            bail!(wording::tournament(words, &error));
        }
    };
    if !was_empty && live.games() == 0 {
        let file = path.display().to_string();
        status(words.with("results-complete", [("file", file.into())]));
    }
    let table = Report::of(&tournament, &scoreboard);
    print(args, &table)?;
    if let Some((path, file)) = &mut page {
        let written = report::html(file, &tournament, &scoreboard, &mut journal);
        let written = written.and_then(|()| Ok(file.flush()?));
        written.map_err(|error| match error {
            HtmlError::Io(error) => refused(path, &error, words),
            HtmlError::Results(error) => Error::msg(wording::results(words, &error)),
        })?;
    }
    for export in &args.export {
        if let Err(error) = export.write(&tournament, &scoreboard, &mut journal) {
            bail!("--export {export}: {}", wording::export(words, &error));
        }
    }
    Ok(exit_code(&scoreboard, &table))
}

/// Opens the site of the tournament, and says where it is.
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

/// Removes a results file, if it is this tournament's: only that may be forgotten.
fn forget(path: &Path, header: &Header, words: Messages) -> anyhow::Result<()> {
    let tolerance = Tolerance {
        changed_engines: true,
        ..Tolerance::default()
    };
    match Journal::open_with(path, header, tolerance) {
        // What is damaged need not be read before it is forgotten.
        Ok(_) | Err(ResultsError::Damaged { .. }) => {}
        Err(error) => bail!(wording::results(words, &error)),
    }
    std::fs::remove_file(path).map_err(|error| refused(path, &error, words))
}

fn print(args: &ArenaArgs, table: &Report) -> anyhow::Result<()> {
    let text = if args.json {
        papan_view::json::page(table)
    } else if args.csv {
        report::csv(table)
    } else {
        report::text(table)
    };
    Ok(output::print(&text)?)
}

/// 1 when the answer is no or the games say nothing, 3 when there is no answer yet.
fn exit_code(scoreboard: &Scoreboard, report: &Report) -> ExitCode {
    match scoreboard.test() {
        _ if report.is_mostly_forfeits() => ExitCode::from(1),
        Some((_, _, Acceptance::AcceptElo0)) => ExitCode::from(1),
        Some((_, _, Acceptance::Open)) => ExitCode::from(3),
        _ => ExitCode::SUCCESS,
    }
}

fn create(path: &Path, words: Messages) -> anyhow::Result<(PathBuf, BufWriter<File>)> {
    let file = File::create(path).map_err(|error| refused(path, &error, words))?;
    Ok((path.into(), BufWriter::new(file)))
}

/// What the system says of a file.
fn refused(path: &Path, error: &std::io::Error, words: Messages) -> Error {
    Error::msg(in_file(words, path, file_reason(words, error)))
}

/// Two games at once disturb each other's clocks.
fn usual_concurrency(tournament: &Tournament) -> usize {
    if tournament.is_repeatable() {
        std::thread::available_parallelism().map_or(1, usize::from)
    } else {
        1
    }
}

/// `arena/FINGERPRINT.results` in papan's data directory.
fn usual_place(tournament: &Tournament, words: Messages) -> anyhow::Result<PathBuf> {
    let data =
        papan_catalog::dirs::data_dir().ok_or_else(|| Error::msg(words.text("arena-no-data")))?;
    let folder = data.join("arena");
    std::fs::create_dir_all(&folder).map_err(|error| refused(&folder, &error, words))?;
    let place = |fingerprint: u64| folder.join(format!("{fingerprint:016x}.results"));
    let usual = place(tournament.fingerprint());
    // Where papan 0.1.0 kept it.
    let earlier = place(tournament.header().fingerprint());
    Ok(match !usual.exists() && earlier.exists() {
        true => earlier,
        false => usual,
    })
}
