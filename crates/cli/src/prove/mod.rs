//! `papan prove`: plays a strategy against every possible opponent.

mod missed_wins;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use papan_catalog::{AnyGame, ProofTask, StrategyProofError, StrategySpec};
use papan_rules::Player;
use papan_solve::{InterviewJournal, Proof, ProveError, Verdict};
use papan_strategies::{Clock as _, SystemClock, Watch, parse_time};
use papan_view::{Messages, json, messages};

use crate::exit_code::{self, INTERRUPTED, NEGATIVE, UNDECIDED};
use crate::output::{self, status};
use crate::player_arg;
use crate::progress::{watched, within};
use crate::terminal_style::Appearance;
use missed_wins::{Query, QueryResult};

#[derive(Args, Debug)]
pub(crate) struct ProveArgs {
    /// Game, such as tictactoe, tictactoe:4x4 or othello:4x4
    #[arg(value_name = "GAME")]
    game: AnyGame,
    /// Strategy to prove, such as branch-and-bound, alphabeta(depth=4) or 'move:python3 student.py'
    #[arg(value_name = "STRATEGY", value_parser = player_arg::strategy)]
    strategy: StrategySpec,
    /// Seat of the strategy
    #[arg(long = "as", value_name = "SEAT", default_value = "both")]
    seat: Seats,
    /// Write a certificate for `papan check`, for one seat; - is standard output
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Continue from the answers of a program in this file, and append new ones to it
    #[arg(long, value_name = "FILE", conflicts_with = "missed_wins")]
    resume: Option<PathBuf>,
    /// Count the positions in which the strategy misses an immediate win instead
    #[arg(long, conflicts_with = "certificate")]
    missed_wins: bool,
    /// Time limit, such as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Seats {
    /// The strategy moves first
    First,
    /// The opponent moves first
    Second,
    /// Both, one after the other
    Both,
}

impl Seats {
    fn players(self) -> &'static [Player] {
        match self {
            Self::First => &[Player::First],
            Self::Second => &[Player::Second],
            Self::Both => &Player::BOTH,
        }
    }
}

pub(crate) fn run(args: &ProveArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    if args.certificate.is_some() && args.seat == Seats::Both {
        anyhow::bail!("{}", words.text("prove-one-seat"));
    }
    if args.missed_wins {
        return count_missed_wins(args, words);
    }
    let journal = journal(args, words)?;
    let mut proofs = Vec::new();
    let started = SystemClock.now();
    for &player in args.seat.players() {
        let watch = Arc::new(Watch::default());
        let task = ProofTask {
            strategy: &args.strategy,
            player,
            certify: args.certificate.is_some(),
            journal: journal.as_ref(),
            watch: &watch,
        };
        let time_left = args
            .time
            .map(|time| time.saturating_sub(SystemClock.now() - started));
        let (proved, timed_out) = within(time_left, &watch.stop, || {
            watched(&watch, &args.game, words, || task.run(&args.game))
        });
        match proved {
            Ok(proved) => {
                if let (Some(path), Some(certificate)) = (&args.certificate, proved.certificate) {
                    output::write_file(path, certificate.text().as_bytes())?;
                }
                proofs.push(proved.proof);
            }
            Err(StrategyProofError::Prove(error)) => {
                if args.json {
                    print_json(args, &proofs, Some((Some(player), &error)))?;
                }
                return report_failure(args, &error, timed_out, words);
            }
            Err(StrategyProofError::Unplayable(error)) => {
                anyhow::bail!("{}", messages::unplayable(words, &error))
            }
            Err(error @ StrategyProofError::Certificate(_)) => return Err(error.into()),
        }
    }
    if args.json {
        print_json(args, &proofs, None)?;
    } else {
        print_text(args, &proofs, words)?;
    }
    let never_loses = |proof: &Proof| proof.verdict() == Verdict::NeverLoses;
    Ok(exit_code::for_answer(proofs.iter().all(never_loses)))
}

fn count_missed_wins(args: &ProveArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let query = Query {
        game: &args.game,
        strategy: &args.strategy,
        player: match args.seat.players() {
            [player] => Some(*player),
            _ => None,
        },
        time: args.time,
    };
    match query.run(args.json, words)? {
        QueryResult::Printed(code) => Ok(code),
        QueryResult::Failed { error, timed_out } => {
            if args.json {
                let form = json::NoProof::new(
                    &args.game,
                    &args.strategy.to_string(),
                    query.player,
                    &error,
                );
                output::print(&json::line(&form))?;
            }
            report_failure(args, &error, timed_out, words)
        }
    }
}

/// Opens the journal of a program's answers.
fn journal(args: &ProveArgs, words: Messages) -> anyhow::Result<Option<InterviewJournal>> {
    let Some(path) = &args.resume else {
        return Ok(None);
    };
    if args.strategy.as_guest().is_none() {
        anyhow::bail!("{}", words.text("prove-resume-programs"));
    }
    let journal = InterviewJournal::open(path, &args.game.name(), &args.strategy.identity())?;
    if !journal.is_empty() {
        let values = [("count", journal.len().to_string().into())];
        status(words.with("prove-resumed", values));
    }
    Ok(Some(journal))
}

/// Reports why there is no proof, as a status or as an error.
fn report_failure(
    args: &ProveArgs,
    error: &ProveError,
    timed_out: bool,
    words: Messages,
) -> anyhow::Result<ExitCode> {
    match error {
        ProveError::Stopped if timed_out => {
            status(words.text("prove-out-of-time"));
            Ok(ExitCode::from(UNDECIDED))
        }
        ProveError::Stopped => {
            status(words.text("stopped"));
            Ok(ExitCode::from(INTERRUPTED))
        }
        error => {
            let strategy = args.strategy.to_string();
            let why = messages::unproved(words, &args.game, &strategy, error);
            let ProveError::NoAnswer { .. } = error else {
                anyhow::bail!(why);
            };
            status(why);
            Ok(ExitCode::from(NEGATIVE))
        }
    }
}

/// Prints the proofs and, if one failed, the reason.
fn print_json(
    args: &ProveArgs,
    proofs: &[Proof],
    failure: Option<(Option<Player>, &ProveError)>,
) -> std::io::Result<()> {
    let strategy = args.strategy.to_string();
    let form = |proof: &Proof| {
        let certificate = certificate_path(args, proof).map(|path| path.display().to_string());
        json::ProofAttempt::Proof(json::Proof::new(&args.game, &strategy, proof, certificate))
    };
    let mut forms: Vec<json::ProofAttempt> = proofs.iter().map(form).collect();
    forms.extend(failure.map(|(player, error)| {
        json::ProofAttempt::NoProof(json::NoProof::new(&args.game, &strategy, player, error))
    }));
    let text = match (&forms[..], args.seat) {
        ([only], Seats::First | Seats::Second) => json::line(only),
        (all, _) => json::array(all),
    };
    output::print_beside(args.certificate.as_deref(), &text)
}

fn print_text(args: &ProveArgs, proofs: &[Proof], words: Messages) -> std::io::Result<()> {
    let mut texts = Vec::new();
    for proof in proofs {
        let mut text = as_text(args, proof, words);
        if let Some(path) = certificate_path(args, proof) {
            let file = path.display().to_string();
            text.push_str(&words.with("prove-certified", [("file", file.into())]));
            text.push('\n');
        }
        texts.push(text);
    }
    output::print_beside(args.certificate.as_deref(), &texts.join("\n"))
}

/// The file that a proof was written to.
fn certificate_path<'a>(args: &'a ProveArgs, proof: &Proof) -> Option<&'a Path> {
    let path = args.certificate.as_deref();
    path.filter(|_| proof.verdict() == Verdict::NeverLoses)
}

fn as_text(args: &ProveArgs, proof: &Proof, words: Messages) -> String {
    let title = words.with(
        &format!("prove-{}", proof.verdict().word()),
        [
            ("strategy", args.strategy.to_string().into()),
            ("game", args.game.name().into()),
            (
                "seat",
                words.text(&format!("seat-as-{}", proof.player)).into(),
            ),
        ],
    );
    let counts = words.with(
        "prove-counts",
        [
            ("lines", proof.lines.to_string().into()),
            ("wins", proof.wins.to_string().into()),
            ("draws", proof.draws.to_string().into()),
            ("losses", proof.losses.to_string().into()),
        ],
    );
    let size = words.with(
        "prove-size",
        [
            ("positions", proof.positions.to_string().into()),
            ("longest", proof.longest.to_string().into()),
        ],
    );
    let mut text = format!("{title}\n{counts}\n{size}\n");
    if let Some(line) = &proof.losing_line {
        let moves = json::moves(&args.game, line);
        let replay = json::replay(&args.game, &moves);
        let lost = words.with(
            "prove-losing-line",
            [("moves", args.game.show_moves(line).into())],
        );
        text.push_str(&format!("{lost}\n  {replay}\n"));
    }
    text
}
