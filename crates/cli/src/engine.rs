//! `papan engine`: runs papan as an engine over standard input and output, and tests other
//! engines for compliance with their protocol.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, Subcommand};
use papan_catalog::{AnyGame, StrategySpec};
use papan_protocol::compliance::{CheckResult, Compliance, check};
use papan_protocol::limits;
use papan_protocol::{
    EngineCommand, EngineSession, Input, Protocol, gtp, nboard, piskvork, position_line, ugi,
};
use papan_rules::sanitize;
use papan_strategies::{Limits, parse_time};
use papan_view::{Messages, json, messages, score};

use crate::arena_messages;
use crate::exit_code;
use crate::output::{print, stdout};

#[derive(Args, Debug)]
pub(crate) struct EngineArgs {
    #[command(subcommand)]
    command: EngineCommands,
}

#[derive(Debug, Subcommand)]
enum EngineCommands {
    /// Speak the Go Text Protocol (GTP), version 2, with the conventions of Othello programs
    Gtp(ServerArgs),
    /// Speak the Universal Game Interface (UGI)
    Ugi(ServerArgs),
    /// Speak the Piskvork protocol of Gomocup (five in a row)
    Piskvork(ServerArgs),
    /// Speak the protocol of the Othello program NBoard, version 2
    Nboard(ServerArgs),
    /// Answer positions, one per line, with moves: the protocol move:
    Move(ServerArgs),
    /// Test an engine's compliance with its protocol; exit code 1 if it violates it
    Check(CheckArgs),
}

#[derive(Args, Debug)]
struct ServerArgs {
    /// Game [default: othello for GTP and NBoard, tictactoe for UGI and move, tictactoe:15x15:5 for Piskvork]
    #[arg(value_name = "GAME")]
    game: Option<AnyGame>,
    /// Strategy that chooses the moves [default: the strongest for the game]
    #[arg(long, value_name = "STRATEGY")]
    strategy: Option<StrategySpec>,
    /// Seed of all random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Time per move if the protocol sets no limit [default: 1s if no limit is set at all]
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Nodes per move if the protocol sets no limit
    #[arg(long, value_name = "N")]
    nodes: Option<String>,
    /// Search depth if the protocol sets no limit, in plies
    #[arg(long, value_name = "N")]
    depth: Option<String>,
}

#[derive(Args, Debug)]
struct CheckArgs {
    /// Engine: gtp:COMMAND, ugi:COMMAND, piskvork:COMMAND, nboard:COMMAND or move:COMMAND
    #[arg(value_name = "ENGINE")]
    engine: EngineCommand,
    /// Game to test with [default: as for papan's own engines]
    #[arg(value_name = "GAME")]
    game: Option<AnyGame>,
    /// Time limit for each response
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    patience: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: EngineArgs, words: Messages) -> anyhow::Result<ExitCode> {
    match args.command {
        EngineCommands::Gtp(args) => serve(Protocol::Gtp, args, words),
        EngineCommands::Ugi(args) => serve(Protocol::Ugi, args, words),
        EngineCommands::Piskvork(args) => serve(Protocol::Piskvork, args, words),
        EngineCommands::Nboard(args) => serve(Protocol::NBoard, args, words),
        EngineCommands::Move(args) => serve(Protocol::PositionLine, args, words),
        EngineCommands::Check(args) => check_compliance(&args, words),
    }
}

fn default_game(protocol: Protocol) -> AnyGame {
    let name = match protocol {
        Protocol::Gtp | Protocol::NBoard => "othello",
        Protocol::Ugi | Protocol::PositionLine => "tictactoe",
        Protocol::Piskvork => "tictactoe:15x15:5",
    };
    name.parse().expect("the catalog has these games")
}

fn serve(protocol: Protocol, args: ServerArgs, words: Messages) -> anyhow::Result<ExitCode> {
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
            bail!("--{key} {value}: {}", arena_messages::limit(words, &error));
        }
    }
    let game = args.game.unwrap_or_else(|| default_game(protocol));
    if protocol == Protocol::PositionLine {
        let strategy = args
            .strategy
            .unwrap_or_else(|| papan_catalog::advisor(&game));
        let mut seat = match game.seat(&strategy, &limits) {
            Ok(seat) => seat,
            Err(error) => bail!(messages::unplayable(words, &error)),
        };
        let (input, seed) = (std::io::stdin().lock(), args.seed);
        position_line::serve(&game, &mut *seat, limits, seed, input, stdout())?;
        return Ok(ExitCode::SUCCESS);
    }
    let session = EngineSession::new(game, args.strategy, limits, args.seed);
    let session = session.and_then(|mut session| {
        // Gomocup's managers limit the memory of an engine after they started it.
        if protocol != Protocol::Piskvork {
            session.prepare()?;
        }
        Ok(session)
    });
    let mut session = match session {
        Ok(session) => session,
        Err(error) => bail!(messages::unplayable(words, &error)),
    };
    let notation = session.notation();
    let unfit = match protocol {
        Protocol::Piskvork if !piskvork::supports(notation) => Some("engine-piskvork-game"),
        Protocol::NBoard if !nboard::supports(notation) => Some("engine-nboard-game"),
        _ => None,
    };
    if let Some(key) = unfit {
        bail!(words.with(key, [("game", session.game().name().into())]));
    }
    let (input, output) = (Input::stdin(), stdout());
    match protocol {
        Protocol::Gtp => {
            let label = |value| score::short(value, true);
            gtp::serve(&mut session, input, output, label)?;
        }
        Protocol::Ugi => ugi::serve(&mut session, input, output)?,
        Protocol::Piskvork => piskvork::serve(&mut session, input, output)?,
        Protocol::NBoard => nboard::serve(&mut session, input, output)?,
        Protocol::PositionLine => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn check_compliance(args: &CheckArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let game = args
        .game
        .clone()
        .unwrap_or_else(|| default_game(args.engine.protocol));
    let trials = match check(&args.engine, &game, args.patience) {
        Ok(trials) => trials,
        Err(error) => bail!(arena_messages::engine(words, &error.into())),
    };
    let broken = trials
        .iter()
        .any(|trial| trial.compliance == Compliance::Violated);
    let count = |keeping| trials.iter().filter(|t| t.compliance == keeping).count();
    if args.json {
        let form = |trial: &CheckResult| json::Trial {
            tried: trial.expectation.clone(),
            said: trial.sent.clone(),
            did: trial.observed.clone(),
            kept: trial.compliance != Compliance::Violated,
            absent: trial.compliance == Compliance::Unsupported,
        };
        let check = json::EngineCheck {
            engine: args.engine.to_string(),
            trials: trials.iter().map(form).collect(),
        };
        print(&json::page(&check))?;
    } else {
        let mut text = String::new();
        for trial in &trials {
            let sign = match trial.compliance {
                Compliance::Satisfied => "ok  ",
                Compliance::Violated => "FAIL",
                Compliance::Unsupported => "none",
            };
            let what = words.phrase(&sanitize(&trial.expectation));
            let did = words.phrase(&sanitize(&trial.observed));
            text.push_str(&format!("{sign}  {what}: {did}\n"));
            if trial.compliance == Compliance::Violated && !trial.sent.is_empty() {
                let sent = format!("      sent: {}\n", sanitize(&trial.sent));
                text.push_str(&words.phrase(&sent));
            }
        }
        let (kept, absent) = (count(Compliance::Satisfied), count(Compliance::Unsupported));
        let of = trials.len() - absent;
        let sum = format!("{kept} of {of} passed, {absent} optional ones not supported\n");
        text.push_str(&words.phrase(&sum));
        print(&text)?;
    }
    Ok(exit_code::for_answer(!broken))
}
