//! Checking certificates.

use std::sync::Arc;

use papan_catalog::{AnyGame, Family, GameVisitor};
use papan_solve::{CheckError, ClaimFile, StrategyClaim, read_claim, read_claims};
use papan_view::{json, messages};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error::{self, plain};
use crate::object::to_object;

#[derive(Serialize)]
struct CheckedCertificate {
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    value: Option<i32>,
    claims: Vec<json::CertificateClaim>,
}

/// Checks a certificate with the checker that shares nothing with the prover but the rules. Fails
/// with the reason if its proof does not hold.
#[wasm_bindgen(js_name = checkCertificate, unchecked_return_type = "CheckedCertificate")]
pub fn check_certificate(
    file: &[u8],
    #[wasm_bindgen(unchecked_optional_param_type = "OnCheckProgress")] on_progress: Option<
        js_sys::Function,
    >,
) -> Result<JsValue, JsError> {
    let report = |checked: u64, total: u64| {
        if let Some(callback) = &on_progress {
            // An exception of the page's function does not concern the proof.
            let _ = callback.call2(
                &JsValue::NULL,
                &(checked as f64).into(),
                &(total as f64).into(),
            );
        }
    };
    let checked =
        check(file, &report).map_err(|error| plain(messages::check(error::messages(), &error)))?;
    to_object(&checked)
}

fn check(file: &[u8], report: &dyn Fn(u64, u64)) -> Result<CheckedCertificate, CheckError> {
    match read_claims(file) {
        Ok(stated) => {
            let proved = check_value(file, &stated, report)?;
            Ok(CheckedCertificate {
                value: proved.value(),
                claims: json::CertificateClaim::all(&proved),
                game: proved.game,
                position: Some(proved.position),
            })
        }
        Err(CheckError::NotACertificate) => {
            let claim = read_claim(file)?;
            let game = named_game(&claim.game)?;
            let proved = game.visit(CheckStrategy { file })?;
            report(file.len() as u64, file.len() as u64);
            Ok(CheckedCertificate {
                game: proved.game,
                position: None,
                value: None,
                claims: vec![json::CertificateClaim {
                    player: proved.player.to_string(),
                    result: "never-loses",
                }],
            })
        }
        Err(error) => Err(error),
    }
}

fn check_value(
    file: &[u8],
    stated: &ClaimFile,
    report: &dyn Fn(u64, u64),
) -> Result<ClaimFile, CheckError> {
    let grid = named_game(&stated.game)?
        .as_grid()
        .ok_or(CheckError::Line {
            line: 2,
            expected: "the name of a game of k in a row",
        })?;
    grid.check_claims_with_progress(file, &mut |progress| {
        report(progress.checked, progress.total);
        Ok(())
    })
}

fn named_game(name: &str) -> Result<AnyGame, CheckError> {
    name.parse().map_err(|_| CheckError::Line {
        line: 2,
        expected: "the name of a game",
    })
}

/// Checks a list of moves of a strategy that never loses.
struct CheckStrategy<'a> {
    file: &'a [u8],
}

impl GameVisitor for CheckStrategy<'_> {
    type Output = Result<StrategyClaim, CheckError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        papan_solve::check(&**game, self.file)
    }
}
