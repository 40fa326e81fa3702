//! Files that are loaded at run time: weights and certificates.

use papan_catalog::{BundledCertificate, InstallError};
use papan_othello::Evaluation;
use papan_view::messages;
use wasm_bindgen::prelude::*;

use crate::error::{self, plain};

/// Loads the weights of the Othello engine, the file `othello.weights`.
#[wasm_bindgen(js_name = loadWeights)]
pub fn load_weights(file: &[u8]) -> Result<(), JsError> {
    Evaluation::install(file).map_err(plain)
}

/// Returns whether the weights of the Othello engine are loaded.
#[wasm_bindgen(js_name = hasWeights)]
pub fn has_weights() -> bool {
    Evaluation::current().is_some()
}

/// Checks a certificate of a solved board and makes `engine` and `perfect` play from it. Returns
/// the name of the game.
#[wasm_bindgen(js_name = loadCertificate)]
pub fn load_certificate(file: &[u8]) -> Result<String, JsError> {
    match BundledCertificate::install(file) {
        Ok(certificate) => Ok(certificate.game()),
        Err(InstallError::Invalid(error)) => Err(plain(messages::check(error::messages(), &error))),
        Err(error @ InstallError::OtherBoard { .. }) => Err(plain(error)),
    }
}
