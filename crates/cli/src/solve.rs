//! `papan solve`: the exact value of a position.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use papan_catalog::{AnyLine, SolveError, SolvedPosition};
use papan_othello::Options;
use papan_strategies::{Clock as _, Context, Score, SystemClock, Watch};
use papan_view::json;

use crate::positions::positions;
use crate::progress::{INTERRUPTED, watched};
use crate::solve_grid::{self, GridOptions, Means};
use crate::solve_queue;
use crate::source::Source;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    grid: GridOptions,
    /// Print JSON, one object for each position
    #[arg(long)]
    json: bool,
}

/// How the Othello engine is set up.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineOptions {
    /// Threads that search together
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) threads: usize,
    /// Size of the hash table in MiB
    #[arg(long, default_value_t = Options::SOLVER_HASH_MIB, value_name = "MIB")]
    pub(crate) hash: usize,
}

impl EngineOptions {
    pub(crate) fn options(&self) -> Options {
        Options {
            threads: self.threads,
            hash_mib: self.hash,
        }
    }
}

/// The exit code of work that ended without an answer.
const UNKNOWN: u8 = 3;

pub(crate) fn run(args: &SolveArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let lines = positions(&args.source, appearance.words())?;
    let (game, words) = (&args.source.game, appearance.words());
    if let Some(url) = &args.grid.queue {
        let [line] = &lines[..] else {
            anyhow::bail!("--queue takes one position, not {}", lines.len());
        };
        let certificate = args.grid.certificate.as_deref();
        return solve_queue::solve(url, game, &**line, certificate);
    }
    let watch = Arc::new(Watch::default());
    let solver = game.solver(&lines, &args.engine.options());
    // Where every position of a board can be known, its value needs no proof.
    let too_large = matches!(solver, Err(SolveError::TooMuchLeft { .. }));
    if args.grid.are_given() || too_large {
        let means = Means {
            options: &args.grid,
            hash_mib: args.engine.hash,
            threads: args.engine.threads,
            watch: &watch,
            json: args.json,
            words,
        };
        if let Some(code) = solve_grid::solve_all(game, &lines, &means)? {
            return Ok(code);
        }
    }
    if let Err(error @ SolveError::TooMuchLeft { .. }) = &solver {
        eprintln!("papan: {error}");
        return Ok(ExitCode::from(UNKNOWN));
    }
    let mut solver = solver?;
    for line in &lines {
        let began = SystemClock.now();
        let context = Context::default().watched_by(&watch);
        match watched(&watch, game, words, || solver.solve(&**line, &context)) {
            Ok(solved) => print(&**line, &solved, SystemClock.now() - began, args.json)?,
            Err(_) if watch.stop.is_stopped() => return Ok(ExitCode::from(INTERRUPTED)),
            Err(error) => return Err(error).context(line.position_text()),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print(
    line: &dyn AnyLine,
    solved: &SolvedPosition,
    elapsed: Duration,
    as_json: bool,
) -> anyhow::Result<()> {
    let game = line.game();
    let pv = json::moves(&game, &solved.pv);
    let seconds = elapsed.as_secs_f64();
    let mut out = std::io::stdout().lock();
    if as_json {
        let form = json::Solution {
            game: game.name(),
            position: line.position_text(),
            score: Score::from_final(game.properties().score_unit, solved.score).into(),
            best: pv.first().cloned(),
            pv,
            nodes: solved.nodes,
            seconds,
            established: None,
            replies: None,
            certificate: None,
        };
        write!(out, "{}", json::line(&form))?;
    } else {
        writeln!(out, "position  {}", line.position_text())?;
        let plus = if solved.score > 0 { "+" } else { "" };
        writeln!(out, "score     {plus}{}", solved.score)?;
        writeln!(out, "best      {}", pv.first().map_or("-", String::as_str))?;
        writeln!(out, "line      {}", pv.join(" "))?;
        writeln!(out, "nodes     {}", solved.nodes)?;
        writeln!(out, "seconds   {seconds:.3}")?;
    }
    Ok(())
}
