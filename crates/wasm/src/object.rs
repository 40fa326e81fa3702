//! Plain JavaScript objects from and to serde types, through JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use crate::error::plain;

/// Converts a value to a plain object.
pub(crate) fn to_object(value: &impl Serialize) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value).map_err(plain)?;
    js_sys::JSON::parse(&text).map_err(|_| plain("an object is no JSON"))
}

/// Reads a plain object; `undefined` and `null` give the default.
pub(crate) fn from_object<T: DeserializeOwned + Default>(
    object: &JsValue,
    name: &str,
) -> Result<T, JsError> {
    if object.is_undefined() || object.is_null() {
        return Ok(T::default());
    }
    let text = js_sys::JSON::stringify(object)
        .map_err(|_| plain(format!("{name} must be a plain object")))?;
    serde_json::from_str(&String::from(text)).map_err(|error| plain(format!("{name}: {error}")))
}
