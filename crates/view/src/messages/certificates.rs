//! Messages for certificates that are rejected.

use papan_catalog::RefusedCertificate;
use papan_solve::CheckError;

use crate::Messages;

/// Returns why a certificate is refused.
#[must_use]
pub fn refused(messages: Messages, error: &RefusedCertificate) -> String {
    match error {
        RefusedCertificate::Check(error) => check(messages, error),
        RefusedCertificate::NotAGrid => messages.text("check-only-grids"),
    }
}

/// Returns why a certificate is invalid.
#[must_use]
pub fn check(messages: Messages, error: &CheckError) -> String {
    match error {
        CheckError::NotACertificate => messages.text("check-not-a-certificate"),
        CheckError::Version(version) => {
            messages.with("check-version", [("version", version.to_string().into())])
        }
        CheckError::Stopped => messages.text("check-stopped"),
        CheckError::Truncated => messages.text("check-cut"),
        CheckError::ChecksumMismatch => messages.text("check-changed"),
        CheckError::Line { line, expected } => messages.with(
            "check-line",
            [
                ("line", line.to_string().into()),
                ("expected", (*expected).into()),
            ],
        ),
        CheckError::OtherGame { found, wanted } => messages.with(
            "check-other-game",
            [
                ("found", found.clone().into()),
                ("wanted", wanted.clone().into()),
            ],
        ),
        CheckError::OtherMoves(strategy) => {
            messages.with("check-other-moves", [("strategy", strategy.clone().into())])
        }
        CheckError::Missing(position) => {
            messages.with("check-missing", [("position", position.clone().into())])
        }
        CheckError::Loses { line, mv, reply } => messages.with(
            "check-loses",
            [
                ("line", line.to_string().into()),
                ("move", mv.clone().into()),
                ("reply", reply.clone().into()),
            ],
        ),
        CheckError::Proof { at, fault } => messages.with(
            "check-proof",
            [
                ("at", at.to_string().into()),
                (
                    "fault",
                    messages
                        .text(&format!("claim-fault-{}", fault.name()))
                        .into(),
                ),
            ],
        ),
    }
}
