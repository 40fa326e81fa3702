//! Errors as JavaScript errors, in the language of the page.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Display;

use papan_view::{FluentArgs, Language, Messages};
use wasm_bindgen::prelude::*;

use crate::object::from_object;

thread_local! {
    static LANGUAGE: Cell<Language> = const { Cell::new(Language::English) };
}

/// Sets the language of errors and explanations: `en` or `id`.
#[wasm_bindgen(js_name = setLanguage)]
pub fn set_language(
    #[wasm_bindgen(unchecked_param_type = "LanguageCode")] code: &str,
) -> Result<(), JsError> {
    LANGUAGE.set(code.parse::<Language>().map_err(plain)?);
    Ok(())
}

/// Returns a message of papan's catalog of messages in the language of `setLanguage`.
#[wasm_bindgen]
pub fn message(
    key: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "Record<string, string>")] values: &JsValue,
) -> Result<String, JsError> {
    let values: BTreeMap<String, String> = from_object(values, "values")?;
    let messages = messages();
    if !messages.has(key) {
        return Err(plain(format!("there is no message {key}")));
    }
    let mut args = FluentArgs::new();
    for (name, value) in values {
        args.set(name, value);
    }
    Ok(messages.with_args(key, &args))
}

/// Returns the messages of the page's language.
pub(crate) fn messages() -> Messages {
    Messages::new(LANGUAGE.get())
}

/// Converts an error that has no translation.
pub(crate) fn plain(error: impl Display) -> JsError {
    JsError::new(&error.to_string())
}
