//! `papan automaton compile`: writes a strategy as an automaton's transition table.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_catalog::{AnyGame, Family, GameVisitor, StrategySpec, Unplayable, strategy_factory};
use papan_rules::{Move, Player};
use papan_solve::ProveError;
use papan_solve::automaton::{CompileError, CompiledTable, compile};
use papan_strategies::Watch;
use papan_view::{Messages, json, messages};

use super::Seat;
use crate::exit_code::INTERRUPTED;
use crate::output::{self, STANDARD, status};
use crate::progress::watched;

#[derive(Args, Debug)]
pub(super) struct CompileArgs {
    /// Game
    #[arg(long, value_name = "GAME", default_value = "tictactoe")]
    game: AnyGame,
    /// Strategy to compile
    #[arg(long, value_name = "STRATEGY")]
    strategy: StrategySpec,
    /// Seat of the strategy
    #[arg(long = "as", value_name = "SEAT")]
    seat: Seat,
    /// File to write the table to; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = STANDARD)]
    output: PathBuf,
}

struct CompileJob<'a> {
    spec: &'a StrategySpec,
    player: Player,
    watch: &'a Watch,
}

impl GameVisitor for CompileJob<'_> {
    type Output = Result<Result<CompiledTable, CompileError>, Unplayable>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let factory = strategy_factory(game, self.spec)?;
        Ok(compile(&**game, &factory, self.player, self.watch))
    }
}

pub(super) fn run(args: &CompileArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let watch = Arc::new(Watch::default());
    let job = CompileJob {
        spec: &args.strategy,
        player: args.seat.player(),
        watch: &watch,
    };
    let result = watched(&watch, &args.game, words, || args.game.visit(job))
        .map_err(|error| anyhow::anyhow!(messages::unplayable(words, &error)))?;
    let compiled = match result {
        Ok(compiled) => compiled,
        Err(CompileError::Prove(ProveError::Stopped)) => {
            status(words.text("stopped"));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Err(error) => {
            let reason = error_text(&error, &args.game, words);
            let strategy = args.strategy.to_string();
            let values = [("strategy", strategy.into()), ("reason", reason.into())];
            anyhow::bail!(words.with("compile-refused", values));
        }
    };
    let mut text = format!(
        "# {} on {} as {}.\n# A row: flag after the reply, the board before the input | input | reply.\n",
        args.strategy,
        args.game.name(),
        args.seat.player(),
    );
    for (_, row) in compiled.table.rows() {
        let _ = writeln!(text, "{row}");
    }
    output::write_file(&args.output, text.as_bytes())?;
    report_compiled(args, &compiled, words);
    Ok(ExitCode::SUCCESS)
}

/// Reports the size of the table and the positions in which the strategy itself would choose
/// another move.
fn report_compiled(args: &CompileArgs, compiled: &CompiledTable, words: Messages) {
    let rows = compiled.table.rows().len().to_string();
    eprintln!("{}", words.with("compile-rows", [("rows", rows.into())]));
    if compiled.differences.is_empty() {
        eprintln!("{}", words.text("compile-same"));
        return;
    }
    let count = compiled.differences.len().to_string();
    eprintln!(
        "{}",
        words.with("compile-differs", [("count", count.into())])
    );
    for difference in &compiled.differences {
        let moves = |moves| moves_text(&args.game, moves);
        let mut line = moves(&difference.line);
        if line.is_empty() {
            line.push('-');
        }
        let values = [
            ("moves", line.into()),
            ("table", moves(&difference.table).into()),
            ("strategy", moves(&difference.strategy).into()),
        ];
        eprintln!("  {}", words.with("compile-difference", values));
    }
}

fn moves_text(game: &AnyGame, moves: &[Move]) -> String {
    json::moves(game, moves).join(" ")
}

fn error_text(error: &CompileError, game: &AnyGame, words: Messages) -> String {
    match error {
        CompileError::Board(game) => words.with("compile-board", [("game", game.clone().into())]),
        CompileError::Random { line, moves } if line.is_empty() => words.with(
            "compile-nondeterministic-opening",
            [("moves", moves_text(game, moves).into())],
        ),
        CompileError::Random { line, moves } => words.with(
            "compile-nondeterministic",
            [
                ("line", moves_text(game, line).into()),
                ("moves", moves_text(game, moves).into()),
            ],
        ),
        CompileError::Remembers { line } => words.with(
            "compile-remembers",
            [("line", moves_text(game, line).into())],
        ),
        CompileError::Prove(error) => error.to_string(),
    }
}
