//! `papan trace`: the run of a strategy step by step, with its pseudo-code.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_catalog::{AnyLine, Family, GameVisitor, StrategySpec, TypedLine};
use papan_solve::{Algorithm, Trace, TraceOptions, trace_playouts, trace_scores, trace_search};
use papan_strategies::{Context, Limits, Strategy, Turn};
use papan_view::{json, messages, trace};

use crate::output;
use crate::source::Source;
use crate::terminal_style::Appearance;
use papan_view::Marks;

#[derive(Args, Debug)]
pub(crate) struct TraceArgs {
    #[command(flatten)]
    source: Source,
    /// Strategy: minimax, alphabeta, mcts(playouts=20), or one that scores its moves
    #[arg(long, value_name = "STRATEGY")]
    strategy: StrategySpec,
    /// Plies of the search tree that are shown; the rest is one step
    #[arg(long, value_name = "PLIES", default_value_t = 3)]
    shown: u32,
    /// Maximum number of steps
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    limit: u32,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Playouts that are traced without a number of them.
const DEFAULT_PLAYOUTS: u64 = 20;
/// Maximum number of traced playouts: each is run with all before it.
const MAX_PLAYOUTS: u64 = 500;

pub(crate) fn run(args: &TraceArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let line = args.source.line(words)?;
    if line.outcome().is_some() {
        anyhow::bail!(words.text("explain-over"));
    }
    let algorithm = match args.strategy.info().name {
        "minimax" => Algorithm::Minimax,
        "alphabeta" => Algorithm::AlphaBeta,
        "mcts" => Algorithm::Mcts,
        "automaton" | "branch-and-bound" | "greedy" | "greedy-points" | "expert" | "lookup" => {
            Algorithm::Scoring
        }
        name => anyhow::bail!(words.with("trace-which", [("strategy", name.into())])),
    };
    let game = &args.source.game;
    // Reports the catalog's error, for instance that a large board needs a depth.
    game.can_seat(&args.strategy, &Limits::default())
        .map_err(|error| anyhow::anyhow!(messages::unplayable(words, &error)))?;
    let traced = game.visit(TraceJob {
        args,
        algorithm,
        line: &*line,
    })?;
    if args.json {
        output::print(&json_lines(&*line, &traced)?)?;
    } else {
        let ascii = appearance.style(Marks::XO).ascii;
        output::print(&trace::text(game, algorithm, &traced, words, ascii))?;
    }
    Ok(ExitCode::SUCCESS)
}

struct TraceJob<'a> {
    args: &'a TraceArgs,
    algorithm: Algorithm,
    line: &'a dyn AnyLine,
}

impl GameVisitor for TraceJob<'_> {
    type Output = anyhow::Result<Trace>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let spec = &self.args.strategy;
        let line = TypedLine::of(game, self.line).expect("the game of this line is visited");
        let context = Context::with_seed(self.args.seed);
        let turn = Turn::new(&**game, line, &context);
        let limits = Limits::default();
        match self.algorithm {
            Algorithm::Minimax | Algorithm::AlphaBeta => {
                let options = TraceOptions {
                    depth: spec.arguments().number("depth").map(|depth| depth as u32),
                    shown: self.args.shown,
                    steps: self.args.limit as usize,
                };
                let prunes = self.algorithm == Algorithm::AlphaBeta;
                Ok(trace_search(&**game, line.position(), prunes, &options))
            }
            Algorithm::Scoring => {
                let mut strategy = game.strategy(spec, &limits)?;
                Ok(trace_scores(&mut *strategy, turn)?)
            }
            Algorithm::Mcts => {
                let playouts = spec.arguments().number("playouts");
                let playouts = playouts.unwrap_or(DEFAULT_PLAYOUTS).min(MAX_PLAYOUTS);
                let seed = spec.arguments().number("seed").unwrap_or(self.args.seed);
                let mut with_playouts = |playouts: u32| -> Box<dyn Strategy<G>> {
                    Box::new(papan_strategies::Mcts {
                        playouts: Some(playouts),
                        seed: Some(seed),
                    })
                };
                Ok(trace_playouts(&mut with_playouts, turn, playouts as u32)?)
            }
        }
    }
}

/// Formats the steps as JSON lines, each with its position.
fn json_lines(line: &dyn AnyLine, traced: &Trace) -> anyhow::Result<String> {
    let game = line.game();
    let mut text = String::new();
    for (number, step) in (1..).zip(&traced.steps) {
        let mut there = line.clone_line();
        for &mv in &step.path {
            there.play(mv)?;
        }
        let form = json::Step::new(&game, number, step, there.position_text());
        text += &json::line(&form);
    }
    Ok(text)
}
