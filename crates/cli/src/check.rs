//! `papan check`: verifies a certificate with a checker that shares no code with the prover.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_catalog::{AnyGame, Family, GameVisitor, StrategySpec};
use papan_solve::{CheckError, ClaimFile, StrategyClaim, check, read_claim, read_claims, replay};
use papan_strategies::Watch;
use papan_view::json::{self, CertificateCheck};
use papan_view::{Messages, messages};

use crate::exit_code::NEGATIVE;
use crate::output;
use crate::solve_grid::claims_text;
use crate::strategy_factory::factory;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Certificate written by `papan prove` or `papan solve`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Reject a certificate for any other game
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,
    /// Also run the strategy that the certificate names and compare its moves
    #[arg(long)]
    replay: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

struct CheckJob<'a> {
    bytes: &'a [u8],
    replay: bool,
}

impl GameVisitor for CheckJob<'_> {
    type Output = Result<StrategyClaim, CheckError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let claim = check(&**game, self.bytes)?;
        if self.replay {
            let other = |_| CheckError::OtherMoves(claim.strategy.clone());
            let spec: StrategySpec = claim.strategy.parse().map_err(|_| other(()))?;
            let factory = factory(game, &spec).map_err(|_| other(()))?;
            replay(&**game, self.bytes, &factory, &Watch::default())?;
        }
        Ok(claim)
    }
}

pub(crate) fn run(args: &CheckArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let file = args.file.display();
    let bytes = std::fs::read(&args.file).map_err(|cause| anyhow::anyhow!("{file}: {cause}"))?;
    match read_claims(&bytes) {
        Ok(stated) => return check_value(args, Some(&stated), &bytes, words),
        Err(CheckError::NotACertificate) => {}
        Err(_) => return check_value(args, None, &bytes, words),
    }
    let checked = read_claim(&bytes).and_then(|claim| {
        let game = match &args.game {
            Some(game) => game.clone(),
            None => claim.game.parse().map_err(|_| CheckError::Line {
                line: 2,
                expected: "the name of a game",
            })?,
        };
        game.visit(CheckJob {
            bytes: &bytes,
            replay: args.replay,
        })
    });
    match checked {
        Ok(claim) => {
            print(args, &claim, words)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error @ (CheckError::NotACertificate | CheckError::Version(_))) => {
            anyhow::bail!("{file}: {}", messages::check(words, &error))
        }
        Err(error) => {
            if args.json {
                let refused = CertificateCheck::Refused {
                    file: file.to_string(),
                    reason: error.to_string(),
                };
                output::print(&json::line(&refused))?;
            } else {
                let refused = words.with(
                    "check-refused",
                    [
                        ("file", file.to_string().into()),
                        ("reason", messages::check(words, &error).into()),
                    ],
                );
                output::print(&format!("{refused}\n"))?;
            }
            Ok(ExitCode::from(NEGATIVE))
        }
    }
}

/// Checks a certificate for the value of a position.
fn check_value(
    args: &CheckArgs,
    stated: Option<&ClaimFile>,
    bytes: &[u8],
    words: Messages,
) -> anyhow::Result<ExitCode> {
    let file = args.file.display().to_string();
    let checked = match (&args.game, stated) {
        (Some(game), _) => game.as_grid().map(|grid| grid.check_claims(bytes)),
        (None, Some(stated)) => {
            let game: Option<AnyGame> = stated.game.parse().ok();
            let grid = game.and_then(|game| game.as_grid());
            grid.map(|grid| grid.check_claims(bytes))
        }
        (None, None) => read_claims(bytes).err().map(Err),
    };
    let refusal = match checked {
        Some(Ok(proved)) => {
            let text = if args.json {
                let form = CertificateCheck::Proved {
                    file,
                    claims: json::CertificateClaim::all(&proved),
                    game: proved.game,
                    position: proved.position,
                };
                json::line(&form)
            } else {
                let values = [
                    ("game", proved.game.clone().into()),
                    ("position", proved.position.clone().into()),
                ];
                let about = words.with("check-claims", values);
                format!("{about} {}.\n", claims_text(&proved, words))
            };
            output::print(&text)?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(Err(error)) => (error.to_string(), messages::check(words, &error)),
        None => {
            let text = words.text("check-only-grids");
            (text.clone(), text)
        }
    };
    let (reason, localized) = refusal;
    let text = if args.json {
        json::line(&CertificateCheck::Refused { file, reason })
    } else {
        let values = [("file", file.into()), ("reason", localized.into())];
        words.with("check-refused", values) + "\n"
    };
    output::print(&text)?;
    Ok(ExitCode::from(NEGATIVE))
}

fn print(args: &CheckArgs, claim: &StrategyClaim, words: Messages) -> std::io::Result<()> {
    if args.json {
        return output::print(&json::line(&CertificateCheck::NeverLoses {
            file: args.file.display().to_string(),
            game: claim.game.clone(),
            strategy: args.replay.then(|| claim.strategy.clone()),
            seat: claim.player.to_string(),
            positions: claim.positions,
            symmetries: claim.symmetries.len(),
        }));
    }
    let key = if args.replay {
        "check-replayed"
    } else {
        "check-believed"
    };
    let text = words.with(
        key,
        [
            ("strategy", claim.strategy.clone().into()),
            ("game", claim.game.clone().into()),
            (
                "seat",
                words.text(&format!("seat-as-{}", claim.player)).into(),
            ),
            ("positions", claim.positions.to_string().into()),
        ],
    );
    output::print(&format!("{text}\n"))
}
