//! `papan prove`: a strategy against every possible opponent.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use papan_catalog::{AnyGame, Family, GameVisitor, StrategySpec};
use papan_rules::{Move, Player};
use papan_solve::{Certificate, Proof, ProveError, Verdict, prove};
use papan_strategies::{Clock as _, Limits, Strategy, SystemClock, Turn, Watch, parse_time};
use papan_view::{Messages, json, messages};

use crate::missed_wins::Question;
use crate::output::{print, status};
use crate::progress::{watched, within};
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct ProveArgs {
    /// The game, such as tictactoe, tictactoe:4x4 or othello:4x4
    #[arg(value_name = "GAME")]
    game: AnyGame,
    /// The strategy, such as branch-and-bound or alphabeta(depth=4)
    #[arg(value_name = "STRATEGY")]
    strategy: StrategySpec,
    /// The strategy's seat
    #[arg(long = "as", value_name = "SEAT", default_value = "both")]
    seat: Seats,
    /// Write the proof to a file that `papan check` verifies; for one seat
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Instead, count the positions in which it lets an immediate win pass
    #[arg(long, conflicts_with = "certificate")]
    missed_wins: bool,
    /// Stop after this time, such as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The exit code of a question that time did not suffice for.
const OUT_OF_TIME: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Seats {
    /// The strategy begins
    First,
    /// The opponent begins
    Second,
    /// One after the other
    Both,
}

impl Seats {
    pub(crate) fn players(self) -> &'static [Player] {
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
        return missed(args, words);
    }
    let mut proofs = Vec::new();
    let began = SystemClock.now();
    for &player in args.seat.players() {
        let watch = Arc::new(Watch::default());
        let job = ProveJob {
            spec: &args.strategy,
            player,
            certificate: args.certificate.as_deref(),
            watch: &watch,
        };
        let left = args
            .time
            .map(|time| time.saturating_sub(SystemClock.now() - began));
        let (proved, late) = within(left, &watch.stop, || {
            watched(&watch, &args.game, words, || args.game.visit(job))
        });
        match proved {
            Ok(proof) => proofs.push(proof),
            Err(Failure::Prove(error)) => {
                if args.json {
                    print_json(args, &proofs, Some((Some(player), &error)))?;
                }
                return no_proof(args, &error, late, words);
            }
            Err(Failure::Unplayable(error)) => {
                anyhow::bail!("{}", messages::unplayable(words, &error))
            }
            Err(Failure::Certificate(error)) => return Err(error),
        }
    }
    match args.json {
        true => print_json(args, &proofs, None)?,
        false => print_text(args, &proofs, words)?,
    }
    let holds = |proof: &Proof| proof.verdict() == Verdict::NeverLoses;
    Ok(ExitCode::from(u8::from(!proofs.iter().all(holds))))
}

fn missed(args: &ProveArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let question = Question {
        game: &args.game,
        strategy: &args.strategy,
        player: match args.seat.players() {
            [player] => Some(*player),
            _ => None,
        },
        time: args.time,
    };
    match question.answer(args.json, words)? {
        (Ok(code), _) => Ok(code),
        (Err(error), late) => {
            if args.json {
                let form = json::NoProof::new(
                    &args.game,
                    &args.strategy.to_string(),
                    question.player,
                    &error,
                );
                print(&json::line(&form))?;
            }
            no_proof(args, &error, late, words)
        }
    }
}

/// Why there is no proof.
enum Failure {
    Prove(ProveError),
    Unplayable(papan_catalog::Unplayable),
    Certificate(anyhow::Error),
}

struct ProveJob<'a> {
    spec: &'a StrategySpec,
    player: Player,
    certificate: Option<&'a Path>,
    watch: &'a Watch,
}

impl GameVisitor for ProveJob<'_> {
    type Output = Result<Proof, Failure>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let factory = factory(game, self.spec).map_err(Failure::Unplayable)?;
        let proof = prove(&**game, &factory, self.player, self.watch).map_err(Failure::Prove)?;
        if let (Some(path), Verdict::NeverLoses) = (self.certificate, proof.verdict()) {
            let name = self.spec.to_string();
            Certificate::of_proved(&**game, &factory, &name, self.player, self.watch)
                .map_err(anyhow::Error::from)
                .and_then(|certificate| {
                    papan_files::write_atomic(path, certificate.text().as_bytes())
                        .map_err(|cause| anyhow::anyhow!("{}: {cause}", path.display()))
                })
                .map_err(Failure::Certificate)?;
        }
        Ok(proof)
    }
}

/// Makes instances of a strategy, once it is known that it plays this game.
pub(crate) fn factory<G: Family>(
    game: &Arc<G>,
    spec: &StrategySpec,
) -> Result<impl Fn() -> Box<dyn Strategy<G>> + Sync, papan_catalog::Unplayable> {
    let limits = Limits::default();
    game.strategy(spec, &limits)?;
    let (game, spec) = (Arc::clone(game), spec.clone());
    Ok(move || {
        game.strategy(&spec, &limits)
            .unwrap_or_else(|error| Box::new(Vanished(error.to_string())))
    })
}

/// A strategy whose file was there a moment ago.
struct Vanished(String);

impl<G: papan_rules::Game> Strategy<G> for Vanished {
    fn choices(
        &mut self,
        _: Turn<'_, G>,
        _: &mut Vec<Move>,
    ) -> Result<u64, papan_strategies::NoMove> {
        Err(papan_strategies::NoMove::Failed(self.0.clone()))
    }
    fn decide(
        &mut self,
        _: Turn<'_, G>,
    ) -> Result<papan_strategies::Decision, papan_strategies::NoMove> {
        Err(papan_strategies::NoMove::Failed(self.0.clone()))
    }
}

fn no_proof(
    args: &ProveArgs,
    error: &ProveError,
    late: bool,
    words: Messages,
) -> anyhow::Result<ExitCode> {
    match error {
        ProveError::Stopped if late => {
            status(words.text("prove-out-of-time"));
            Ok(ExitCode::from(OUT_OF_TIME))
        }
        ProveError::Stopped => {
            status(words.text("stopped"));
            Ok(ExitCode::from(crate::progress::INTERRUPTED))
        }
        ProveError::TooLarge { positions, mib } => {
            let values = [
                ("game", args.game.name().into()),
                ("most", positions.to_string().into()),
            ];
            let limit = words.with("prove-memory", [("mib", mib.to_string().into())]);
            anyhow::bail!("{} {limit}", words.with("prove-too-large", values))
        }
        ProveError::TooManyLines => {
            let values = [("game", args.game.name().into())];
            anyhow::bail!(words.with("prove-too-many-lines", values))
        }
        ProveError::Random => {
            let values = [("strategy", args.strategy.to_string().into())];
            anyhow::bail!(words.with("prove-draws-lots", values))
        }
        ProveError::NoAnswer { line, fault } => {
            let text = words.with(
                "prove-no-answer",
                [
                    ("strategy", args.strategy.to_string().into()),
                    ("moves", moves_text(&args.game, line).into()),
                    ("reason", messages::no_answer(words, fault).into()),
                ],
            );
            status(text);
            Ok(ExitCode::from(1))
        }
    }
}

/// Moves as they are typed.
pub(crate) fn moves_text(game: &AnyGame, moves: &[Move]) -> String {
    let words: Vec<String> = moves.iter().map(|&mv| game.format_move(mv)).collect();
    words.join(" ")
}

/// Prints what was proved and, where the last question got no answer, why.
fn print_json(
    args: &ProveArgs,
    proofs: &[Proof],
    unanswered: Option<(Option<Player>, &ProveError)>,
) -> std::io::Result<()> {
    let strategy = args.strategy.to_string();
    let form = |proof: &Proof| {
        let certificate = certified(args, proof).map(|path| path.display().to_string());
        json::ProofAttempt::Proof(json::Proof::new(&args.game, &strategy, proof, certificate))
    };
    let mut forms: Vec<json::ProofAttempt> = proofs.iter().map(form).collect();
    forms.extend(unanswered.map(|(player, error)| {
        json::ProofAttempt::NoProof(json::NoProof::new(&args.game, &strategy, player, error))
    }));
    print(&match (&forms[..], args.seat) {
        ([only], Seats::First | Seats::Second) => json::line(only),
        (all, _) => json::array(all),
    })
}

fn print_text(args: &ProveArgs, proofs: &[Proof], words: Messages) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for (place, proof) in proofs.iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        write!(out, "{}", as_text(args, proof, words))?;
        if let Some(path) = certified(args, proof) {
            let file = path.display().to_string();
            writeln!(
                out,
                "{}",
                words.with("prove-certified", [("file", file.into())])
            )?;
        }
    }
    Ok(())
}

/// The file that a proof was written to.
fn certified<'a>(args: &'a ProveArgs, proof: &Proof) -> Option<&'a Path> {
    let file = args.certificate.as_deref();
    file.filter(|_| proof.verdict() == Verdict::NeverLoses)
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
