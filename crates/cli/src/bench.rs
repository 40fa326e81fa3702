//! `papan bench`: measures speed and checks results against known values.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use papan_catalog::{AnyGame, StrategySpec};
use papan_files::obf;
use papan_othello::bench::{BUNDLED_SUITE, Bench, BenchReport, ProblemResult};
use papan_othello::{Problem, code_path};
use papan_strategies::{Context, Limits, Score, StepKind, SystemClock, Watch};
use papan_view::{Messages, json};

use crate::output::print;
use crate::progress::watched;
use crate::solve::EngineOptions;
use crate::terminal_style::Appearance;
use crate::{exit_code, game_file};

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Benchmark to run [default: all]
    #[arg(value_enum)]
    what: Option<Benchmark>,
    /// File of endgame positions with known scores, in OBF [default: a built-in suite]
    #[arg(long, value_name = "FILE.obf")]
    suite: Option<PathBuf>,
    /// Solve every move of each position, not only the best one
    #[arg(long)]
    every_move: bool,
    /// Perft depth, 0 for no perft
    #[arg(long, default_value_t = 9, value_name = "N")]
    perft: u32,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Benchmark {
    /// Othello perft and endgame solving
    Othello,
    /// Strategies on tic-tac-toe boards
    Strategies,
}

pub(crate) fn run(args: &BenchArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let mut bench = json::Bench {
        code: code_path().name(),
        strategies: None,
        othello: None,
    };
    let mut text = String::new();
    let mut is_correct = true;
    let _ = writeln!(text, "code path: {}", code_path().name());
    if args.what != Some(Benchmark::Othello) {
        let strategies = strategies()?;
        for run in &strategies {
            let _ = writeln!(
                text,
                "{:<32} {:>9} nodes  {:>9.3} ms",
                run.strategy,
                run.nodes,
                run.seconds * 1e3
            );
        }
        bench.strategies = Some(strategies);
    }
    if args.what != Some(Benchmark::Strategies) {
        let report = othello(args, appearance.words())?;
        is_correct = report.mismatches().next().is_none()
            && report
                .perft
                .as_ref()
                .is_none_or(|perft| perft.expected.is_none_or(|e| e == perft.lines));
        text.push_str(&othello_text(&report));
        bench.othello = Some(othello_form(&report));
    }
    text = if args.json {
        json::page(&bench)
    } else {
        appearance.words().phrase(&text)
    };
    print(&text)?;
    Ok(exit_code::for_answer(is_correct))
}

/// Lets strategies choose a first move. Node counts are deterministic.
fn strategies() -> anyhow::Result<Vec<json::StrategyBench>> {
    let runs = [
        ("tictactoe", "minimax"),
        ("tictactoe", "alphabeta"),
        ("tictactoe:4x4", "perfect"),
        ("tictactoe:3x3x3", "perfect"),
        ("tictactoe:4x4", "alphabeta(depth=6)"),
        ("tictactoe:15x15:5", "mcts(seed=1)"),
    ];
    let mut results = Vec::new();
    for (game_name, player) in runs {
        let game: AnyGame = game_name.parse()?;
        let spec: StrategySpec = player.parse()?;
        let mut seat = game.seat(&spec, &Limits::default())?;
        let started = Instant::now();
        let (_, nodes) = seat.choose(&*game.line(), &Context::default())?;
        let seconds = started.elapsed().as_secs_f64();
        results.push(json::StrategyBench {
            strategy: format!("{game_name} {player}"),
            nodes,
            seconds,
        });
    }
    Ok(results)
}

/// Returns the built-in endgame positions.
fn own_suite() -> Vec<Problem> {
    obf::parse(BUNDLED_SUITE).expect("the built-in suite is valid OBF")
}

fn othello(args: &BenchArgs, words: Messages) -> anyhow::Result<BenchReport> {
    let suite = match &args.suite {
        None => own_suite(),
        Some(path) => {
            let name = || path.display().to_string();
            let text = game_file::text(&name(), words)?;
            let suite = obf::parse(&text).with_context(name)?;
            anyhow::ensure!(
                !suite.is_empty(),
                "{}: no positions; expected one per line: 64 squares and the side to move",
                name()
            );
            suite
        }
    };
    let bench = Bench {
        options: args.engine.options(),
        perft: args.perft,
        suite,
        every_move: args.every_move,
    };
    let game: AnyGame = "othello".parse()?;
    let watch = Arc::new(Watch::default());
    watch.begin_step(0, StepKind::Problems, bench.suite.len() as u64);
    let report = watched(&watch, &game, words, || {
        let on_solved = |problem: &ProblemResult| watch.advance(1, problem.nodes);
        bench.run(&SystemClock, &watch.stop, on_solved)
    });
    Ok(report?)
}

fn othello_text(report: &BenchReport) -> String {
    let mut text = String::new();
    if let Some(perft) = &report.perft {
        let verdict = match perft.expected {
            Some(expected) if expected != perft.lines => format!("WRONG, expected {expected}"),
            Some(_) => "correct".into(),
            None => "no published value".into(),
        };
        let _ = writeln!(
            text,
            "othello perft {}: {} ({verdict})  user {:.3} s",
            perft.depth,
            perft.lines,
            perft.timing.user.as_secs_f64()
        );
    }
    let _ = writeln!(
        text,
        "line  empties  score  best  {:>14}    user s    wall s",
        "nodes"
    );
    for problem in &report.problems {
        let best = problem
            .best
            .map_or_else(|| "--".into(), |square| square.to_string());
        let _ = writeln!(
            text,
            "{:>4}  {:>7}  {:>+5}  {best:>4}  {:>14}  {:>8.3}  {:>8.3}",
            problem.line,
            problem.empties,
            problem.score,
            problem.nodes,
            problem.timing.user.as_secs_f64(),
            problem.timing.wall.as_secs_f64()
        );
    }
    let _ = writeln!(
        text,
        "total: {} nodes  user {:.3} s  wall {:.3} s  {:.1} million nodes per second",
        report.nodes,
        report.timing.user.as_secs_f64(),
        report.timing.wall.as_secs_f64(),
        report.nodes_per_second() / 1e6
    );
    for wrong in report.mismatches() {
        let scored = wrong
            .square
            .map_or_else(|| "position".into(), |square| format!("move {square}"));
        let _ = writeln!(
            text,
            "MISMATCH line {}: score of {scored} is {:+}, expected {:+}",
            wrong.line, wrong.found, wrong.known
        );
    }
    if let Some(signature) = report.signature {
        let _ = writeln!(text, "signature: {signature:016x}");
    }
    text
}

fn othello_form(report: &BenchReport) -> json::EndgameBench {
    let problem = |problem: &ProblemResult| json::BenchProblem {
        line: problem.line,
        empties: problem.empties,
        score: Score::discs(problem.score).into(),
        best: problem.best.map(|square| square.to_string()),
        nodes: problem.nodes,
        user_seconds: problem.timing.user.as_secs_f64(),
        wall_seconds: problem.timing.wall.as_secs_f64(),
    };
    let mismatches = report.mismatches().map(|wrong| json::Mismatch {
        line: wrong.line,
        mv: wrong.square.map(|square| square.to_string()),
        found: wrong.found,
        known: wrong.known,
    });
    json::EndgameBench {
        perft: report.perft.as_ref().map(|perft| json::PerftBench {
            depth: perft.depth,
            lines: perft.lines,
            expected: perft.expected,
            user_seconds: perft.timing.user.as_secs_f64(),
        }),
        problems: report.problems.iter().map(problem).collect(),
        mismatches: mismatches.collect(),
        nodes: report.nodes,
        user_seconds: report.timing.user.as_secs_f64(),
        wall_seconds: report.timing.wall.as_secs_f64(),
        nodes_per_second: report.nodes_per_second(),
        signature: report
            .signature
            .map(|signature| format!("{signature:016x}")),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use papan_othello::Options;
    use papan_strategies::{ManualClock, StopToken};

    use super::*;

    /// How far each reading of the clock advances it.
    const TICK: Duration = Duration::from_millis(1);

    #[test]
    fn the_built_in_suite_is_solved_without_mismatch_and_with_a_deterministic_signature() {
        let mut suite = own_suite();
        suite.sort_by_key(|problem| problem.board.empties());
        suite.truncate(4);
        let bench = Bench {
            options: Options {
                threads: 1,
                hash_mib: 16,
            },
            perft: 6,
            suite,
            every_move: false,
        };
        let first = bench
            .run(&ManualClock::stepping(TICK), &StopToken::default(), |_| {})
            .expect("16 MiB can be allocated");
        assert_eq!(first.mismatches().count(), 0);
        let perft = first.perft.as_ref().expect("perft was requested");
        assert_eq!(Some(perft.lines), perft.expected);
        // Each measurement reads the clock once before and once after.
        assert_eq!((perft.timing.wall, first.timing.wall), (TICK, 4 * TICK));
        let second = bench
            .run(&ManualClock::stepping(TICK), &StopToken::default(), |_| {})
            .expect("16 MiB can be allocated");
        assert_eq!(first.signature, second.signature);
        assert!(first.signature.is_some());
    }

    #[test]
    fn a_wrong_known_score_is_reported() {
        let mut suite = own_suite();
        suite.sort_by_key(|problem| problem.board.empties());
        suite.truncate(1);
        suite[0].scores[0].1 += 2;
        let options = Options {
            threads: 1,
            hash_mib: 16,
        };
        let bench = Bench {
            options,
            perft: 0,
            suite,
            every_move: true,
        };
        let report = bench
            .run(&ManualClock::stepping(TICK), &StopToken::default(), |_| {})
            .expect("16 MiB can be allocated");
        assert!(report.mismatches().count() > 0);
    }
}
