//! `papan automaton compile`: a strategy as a table.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_catalog::{AnyGame, Family, GameVisitor, StrategySpec, Unplayable};
use papan_rules::Player;
use papan_solve::ProveError;
use papan_solve::automaton::{CompileError, CompiledTable, compile};
use papan_strategies::Watch;
use papan_view::{Messages, messages};

use super::{Seat, deliver};
use crate::output::status;
use crate::progress::{INTERRUPTED, watched};
use crate::prove::{factory, moves_text};

#[derive(Args, Debug)]
pub(super) struct CompileArgs {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "tictactoe")]
    game: AnyGame,
    /// The strategy
    #[arg(long, value_name = "STRATEGY")]
    strategy: StrategySpec,
    /// The strategy's seat
    #[arg(long = "as", value_name = "SEAT")]
    seat: Seat,
    /// Where to write the table; without, to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

struct CompileJob<'a> {
    spec: &'a StrategySpec,
    player: Player,
    watch: &'a Watch,
}

impl GameVisitor for CompileJob<'_> {
    type Output = Result<Result<CompiledTable, CompileError>, Unplayable>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let factory = factory(game, self.spec)?;
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
    let made = watched(&watch, &args.game, words, || args.game.visit(job));
    let made = made.map_err(|error| anyhow::anyhow!(messages::unplayable(words, &error)))?;
    let compiled = match made {
        Ok(compiled) => compiled,
        Err(CompileError::Prove(ProveError::Stopped)) => {
            status(words.text("stopped"));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Err(error) => {
            let reason = refusal(&error, &args.game, words);
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
    deliver(args.output.as_deref(), &text)?;
    report_compiled(args, &compiled, words);
    Ok(ExitCode::SUCCESS)
}

/// Says on standard error what was written and where the strategy itself would
/// answer otherwise.
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
        let line = moves_text(&args.game, &difference.line);
        let values = [
            (
                "moves",
                if line.is_empty() {
                    "-".into()
                } else {
                    line.into()
                },
            ),
            ("table", moves_text(&args.game, &difference.table).into()),
            (
                "strategy",
                moves_text(&args.game, &difference.strategy).into(),
            ),
        ];
        eprintln!("  {}", words.with("compile-difference", values));
    }
}

fn refusal(error: &CompileError, game: &AnyGame, words: Messages) -> String {
    match error {
        CompileError::Board(game) => words.with("compile-board", [("game", game.clone().into())]),
        CompileError::Random { line, moves } => words.with(
            "compile-draws-lots",
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
