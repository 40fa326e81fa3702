//! `papan solve`: the exact value of a position.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use indicatif::ProgressBar;
use papan_catalog::{AnyGame, AnyLine, SolveError, Solved, Solver};
use papan_othello::Options;
use papan_strategies::{Listener, Progress, Score, StopToken};
use papan_view::{json, score};

use crate::positions::positions;
use crate::progress::{INTERRUPTED, stop_on_interrupt};
use crate::solve_grid::{self, GridOptions, Means};
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
    #[arg(long, default_value_t = Options::HASH_TO_SOLVE, value_name = "MIB")]
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
    let stop = StopToken::default();
    stop_on_interrupt(&stop);
    let solver = args.source.game.solver(&lines, &args.engine.options());
    // Where every position of a board can be known, its value needs no proof.
    let too_large = matches!(solver, Err(SolveError::TooMuchLeft { .. }));
    if args.grid.are_given() || too_large {
        let means = Means {
            options: &args.grid,
            hash_mib: args.engine.hash,
            threads: args.engine.threads,
            stop: &stop,
            json: args.json,
            words: appearance.words(),
        };
        if let Some(code) = solve_grid::solve_all(&args.source.game, &lines, &means)? {
            return Ok(code);
        }
    }
    if let Err(error @ SolveError::TooMuchLeft { .. }) = &solver {
        eprintln!("papan: {error}");
        return Ok(ExitCode::from(UNKNOWN));
    }
    let mut solver = solver?;
    for line in &lines {
        match solve(&mut solver, &**line, &stop) {
            Ok(solved) => print(&args.source.game, &**line, &solved, args.json)?,
            Err(_) if stop.is_stopped() => return Ok(ExitCode::from(INTERRUPTED)),
            Err(error) => return Err(error).context(line.position_text()),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn solve(solver: &mut Solver, line: &dyn AnyLine, stop: &StopToken) -> anyhow::Result<Solved> {
    // Silent when standard error is not a terminal.
    let spinner = ProgressBar::new_spinner();
    spinner.enable_steady_tick(std::time::Duration::from_millis(100));
    let game = line.game();
    let shown = spinner.clone();
    let listener: Listener = Arc::new(move |progress: &Progress| {
        let score = match progress.score {
            Some(score) => score::short(score, true),
            None => "?".into(),
        };
        let next = progress
            .pv
            .first()
            .map_or(String::new(), |&mv| game.show_move(mv));
        shown.set_message(format!(
            "depth {}  score {score}  {next}  {} nodes",
            progress.depth, progress.nodes
        ));
    });
    let solved = solver.solve(line, stop, &listener);
    spinner.finish_and_clear();
    Ok(solved?)
}

fn print(game: &AnyGame, line: &dyn AnyLine, solved: &Solved, as_json: bool) -> anyhow::Result<()> {
    let pv = json::moves(game, &solved.pv);
    let seconds = solved.elapsed.as_secs_f64();
    let mut out = std::io::stdout().lock();
    if as_json {
        let form = json::Solved {
            game: game.name(),
            position: line.position_text(),
            score: Score::counted(game.properties().counted, solved.score).into(),
            best: pv.first().cloned(),
            pv,
            nodes: solved.nodes,
            seconds,
            established: None,
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
