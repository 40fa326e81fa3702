//! `papan automaton smallest`: searches for the strategy that never loses with the smallest table.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_catalog::{AnyGame, Family, GameVisitor};
use papan_rules::{Move, Player};
use papan_solve::automaton::{SmallestStrategyError, smallest_strategy};
use papan_strategies::Watch;
use papan_view::{Messages, messages};

use super::Seat;
use crate::exit_code::{INTERRUPTED, NEGATIVE};
use crate::output::{self, STANDARD, status};
use crate::progress::watched;

#[derive(Args, Debug)]
pub(super) struct SmallestArgs {
    /// Game
    #[arg(long, value_name = "GAME", default_value = "tictactoe")]
    game: AnyGame,
    /// Seat of the strategy
    #[arg(long = "as", value_name = "SEAT")]
    seat: Seat,
    /// First move of the first player [default: the one with the smallest table]
    #[arg(long, value_name = "MOVE")]
    opening: Option<String>,
    /// File to write the table to; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = STANDARD)]
    output: PathBuf,
}

struct SmallestJob<'a> {
    player: Player,
    opening: Option<Move>,
    watch: &'a Watch,
}

impl GameVisitor for SmallestJob<'_> {
    type Output = Result<(String, usize, u64), SmallestStrategyError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let found = smallest_strategy(&**game, self.player, self.opening, self.watch)?;
        Ok((found.text(&**game), found.answers.len(), found.tried))
    }
}

pub(super) fn run(args: &SmallestArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let watch = Arc::new(Watch::default());
    let opening = match &args.opening {
        None => None,
        Some(text) => Some(
            args.game
                .parse_move(text)
                .map_err(|error| anyhow::anyhow!(messages::notation(words, &args.game, &error)))?,
        ),
    };
    let job = SmallestJob {
        player: args.seat.player(),
        opening,
        watch: &watch,
    };
    match watched(&watch, &args.game, words, || args.game.visit(job)) {
        Ok((text, positions, tried)) => {
            output::write_file(&args.output, text.as_bytes())?;
            let values = [
                ("positions", positions.to_string().into()),
                ("tried", tried.to_string().into()),
            ];
            eprintln!("{}", words.with("smallest-found", values));
            Ok(ExitCode::SUCCESS)
        }
        Err(SmallestStrategyError::Stopped(_)) => {
            status(words.text("stopped"));
            Ok(ExitCode::from(INTERRUPTED))
        }
        Err(SmallestStrategyError::Lost) => {
            status(words.text("smallest-lost"));
            Ok(ExitCode::from(NEGATIVE))
        }
        Err(error) => anyhow::bail!("{error}"),
    }
}
