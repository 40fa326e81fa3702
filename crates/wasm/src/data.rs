//! Files that are loaded at run time: weights and certificates.

use papan_catalog::{BundledCertificate, InstallError, WeightsFile};
use papan_view::messages;
use wasm_bindgen::prelude::*;

use crate::error::{self, plain};

/// Loads the weights of an engine, the file of `Game.missingWeights`. Players that are seated
/// afterwards use them.
#[wasm_bindgen(js_name = loadWeights)]
pub fn load_weights(file: &[u8]) -> Result<(), JsError> {
    WeightsFile::install(file).map(|_| ()).map_err(plain)
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
