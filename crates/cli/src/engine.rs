//! `papan engine`: papan as an engine in somebody's program, and the checking of
//! other engines.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, Subcommand};
use papan_catalog::{AnyGame, StrategySpec};
use papan_protocol::compliance::{CheckResult, Compliance, check};
use papan_protocol::limits;
use papan_protocol::{EngineCommand, EngineSession, Input, Protocol, gtp, nboard, piskvork, ugi};
use papan_rules::sanitize;
use papan_strategies::{Limits, parse_time};
use papan_view::{Messages, json, messages, score};

use crate::output::print;
use crate::wording::arena;

#[derive(Args, Debug)]
pub(crate) struct EngineArgs {
    #[command(subcommand)]
    command: EngineCommands,
}

#[derive(Debug, Subcommand)]
enum EngineCommands {
    /// Answer the Go Text Protocol, version 2, as Othello programs speak it
    Gtp(AnswerArgs),
    /// Answer the Universal Game Interface
    Ugi(AnswerArgs),
    /// Answer the protocol of Piskvork and Gomocup: five in a row
    Piskvork(AnswerArgs),
    /// Answer the protocol of the Othello program NBoard, version 2
    Nboard(AnswerArgs),
    /// Does an engine keep to its protocol? Exit code 1 when it does not
    Check(CheckArgs),
}

#[derive(Args, Debug)]
struct AnswerArgs {
    /// The game; without, othello for GTP and NBoard, tictactoe for UGI, tictactoe:15x15:5 for Piskvork
    #[arg(value_name = "GAME")]
    game: Option<AnyGame>,
    /// Who chooses the moves; without, whoever knows most of the game
    #[arg(long, value_name = "STRATEGY")]
    strategy: Option<StrategySpec>,
    /// The seed of every random choice
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Time for each move that comes with no limit; a second without any limit
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Nodes for each move that comes with no limit
    #[arg(long, value_name = "N")]
    nodes: Option<String>,
    /// Plies to look ahead for each move that comes with no limit
    #[arg(long, value_name = "N")]
    depth: Option<String>,
}

#[derive(Args, Debug)]
struct CheckArgs {
    /// The engine: gtp:COMMAND, ugi:COMMAND, piskvork:COMMAND or nboard:COMMAND
    #[arg(value_name = "ENGINE")]
    engine: EngineCommand,
    /// The game to try it with; without, as for papan's own engines
    #[arg(value_name = "GAME")]
    game: Option<AnyGame>,
    /// How long it may take to answer
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    patience: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: EngineArgs, words: Messages) -> anyhow::Result<ExitCode> {
    match args.command {
        EngineCommands::Gtp(args) => answer(Protocol::Gtp, args, words),
        EngineCommands::Ugi(args) => answer(Protocol::Ugi, args, words),
        EngineCommands::Piskvork(args) => answer(Protocol::Piskvork, args, words),
        EngineCommands::Nboard(args) => answer(Protocol::NBoard, args, words),
        EngineCommands::Check(args) => try_out(&args, words),
    }
}

fn usual_game(protocol: Protocol) -> AnyGame {
    let name = match protocol {
        Protocol::Gtp | Protocol::NBoard => "othello",
        Protocol::Ugi => "tictactoe",
        Protocol::Piskvork => "tictactoe:15x15:5",
    };
    name.parse().expect("these games exist")
}

fn answer(protocol: Protocol, args: AnswerArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let mut limits = Limits::default();
    let given = [
        ("time", &args.time),
        ("nodes", &args.nodes),
        ("depth", &args.depth),
    ];
    for (key, value) in given {
        if let Some(value) = value
            && let Err(error) = limits::set(&mut limits, key, value)
        {
            bail!("--{key} {value}: {}", arena::limit(words, &error));
        }
    }
    let game = args.game.unwrap_or_else(|| usual_game(protocol));
    let mut session = match EngineSession::new(game, args.strategy, limits, args.seed) {
        Ok(session) => session,
        Err(error) => bail!(messages::unplayable(words, &error)),
    };
    let board = session.board();
    let unfit = match protocol {
        Protocol::Piskvork if !piskvork::plays(board) => Some("engine-piskvork-game"),
        Protocol::NBoard if !nboard::plays(board) => Some("engine-nboard-game"),
        _ => None,
    };
    if let Some(key) = unfit {
        bail!(words.with(key, [("game", session.game().name().into())]));
    }
    let (input, output) = (Input::stdin(), std::io::stdout());
    match protocol {
        Protocol::Gtp => {
            let label = |value| score::short(value, true);
            gtp::serve(&mut session, input, output, label)?;
        }
        Protocol::Ugi => ugi::serve(&mut session, input, output)?,
        Protocol::Piskvork => piskvork::serve(&mut session, input, output)?,
        Protocol::NBoard => nboard::serve(&mut session, input, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn try_out(args: &CheckArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let game = args.game.clone();
    let game = game.unwrap_or_else(|| usual_game(args.engine.protocol));
    let trials = match check(&args.engine, &game, args.patience) {
        Ok(trials) => trials,
        Err(error) => bail!(arena::engine(words, &error.into())),
    };
    let broken = trials
        .iter()
        .any(|trial| trial.keeping == Compliance::Broken);
    let count = |keeping| trials.iter().filter(|t| t.keeping == keeping).count();
    if args.json {
        let form = |trial: &CheckResult| json::Trial {
            tried: trial.what.clone(),
            said: trial.said.clone(),
            did: trial.did.clone(),
            kept: trial.keeping != Compliance::Broken,
            absent: trial.keeping == Compliance::Absent,
        };
        let check = json::EngineCheck {
            engine: args.engine.to_string(),
            trials: trials.iter().map(form).collect(),
        };
        print(&json::page(&check))?;
    } else {
        let mut text = String::new();
        for trial in &trials {
            let sign = match trial.keeping {
                Compliance::Kept => "ok  ",
                Compliance::Broken => "FAIL",
                Compliance::Absent => "none",
            };
            let (what, did) = (sanitize(&trial.what), sanitize(&trial.did));
            text.push_str(&format!("{sign}  {what}: {did}\n"));
            if trial.keeping == Compliance::Broken && !trial.said.is_empty() {
                text.push_str(&format!("      said to it: {}\n", sanitize(&trial.said)));
            }
        }
        let (kept, absent) = (count(Compliance::Kept), count(Compliance::Absent));
        let of = trials.len() - absent;
        text.push_str(&format!(
            "{kept} of {of} kept, {absent} optional ones not there\n"
        ));
        print(&text)?;
    }
    Ok(ExitCode::from(u8::from(broken)))
}
