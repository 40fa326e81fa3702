//! `papan check`: verifies a certificate with a checker that shares no code with the prover.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use papan_catalog::{AnyGame, CertificateCheck, CheckedCertificate, RefusedCertificate};
use papan_solve::CheckError;
use papan_view::{Messages, json, messages};

use crate::solve_grid::claims_text;
use crate::terminal_style::Appearance;
use crate::{exit_code, output};

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

pub(crate) fn run(args: &CheckArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let file = args.file.display().to_string();
    let bytes = std::fs::read(&args.file).map_err(|cause| anyhow::anyhow!("{file}: {cause}"))?;
    let check = CertificateCheck {
        game: args.game.as_ref(),
        replay: args.replay,
    };
    let checked = check.run(&bytes);
    if let Err(RefusedCertificate::Check(
        error @ (CheckError::NotACertificate | CheckError::Version(_)),
    )) = &checked
    {
        anyhow::bail!("{file}: {}", messages::check(words, error));
    }
    let text = if args.json {
        let form = json::CertificateCheck::new(file, checked.as_ref(), args.replay);
        json::line(&form)
    } else {
        match &checked {
            Ok(checked) => as_text(checked, args.replay, words),
            Err(error) => {
                let reason = messages::refused(words, error);
                let values = [("file", file.into()), ("reason", reason.into())];
                words.with("check-refused", values) + "\n"
            }
        }
    };
    output::print(&text)?;
    Ok(exit_code::for_answer(checked.is_ok()))
}

fn as_text(checked: &CheckedCertificate, replayed: bool, words: Messages) -> String {
    match checked {
        CheckedCertificate::Values(proved) => {
            let values = [
                ("game", proved.game.clone().into()),
                ("position", proved.position.clone().into()),
            ];
            let about = words.with("check-claims", values);
            format!("{about} {}.\n", claims_text(proved, words))
        }
        CheckedCertificate::Strategy(claim) => {
            let key = if replayed {
                "check-replayed"
            } else {
                "check-believed"
            };
            let seat = words.text(&format!("seat-as-{}", claim.player));
            let values = [
                ("strategy", claim.strategy.clone().into()),
                ("game", claim.game.clone().into()),
                ("seat", seat.into()),
                ("positions", claim.positions.to_string().into()),
            ];
            words.with(key, values) + "\n"
        }
    }
}
