//! What a client sends: JSON from programs, a form from pages.

use std::fmt;

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::header;
use serde::de::{self, Deserialize as _, DeserializeOwned, Deserializer};

use crate::http::rejection::{Malformed, Rejection};

/// A body as it came.
#[derive(Clone, Debug)]
pub(crate) enum ParsedBody {
    /// From a program.
    Json(Bytes),
    /// From a page.
    Form(Vec<(String, String)>),
}

impl ParsedBody {
    /// The body as a value with fields.
    ///
    /// # Errors
    /// When a field is missing or wrong.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Rejection> {
        match self {
            Self::Json(bytes) => {
                let malformed = |error: serde_json::Error| Malformed::Body(error.to_string());
                let value: serde_json::Value = serde_json::from_slice(bytes).map_err(malformed)?;
                // A list would be taken for the fields in their order.
                if !value.is_object() {
                    return Err(Malformed::NotAnObject.into());
                }
                Ok(serde_json::from_value(value).map_err(malformed)?)
            }
            Self::Form(pairs) => {
                // A field left empty is a field not given.
                let given = pairs.iter().filter(|(_, value)| !value.is_empty());
                let text = serde_urlencoded::to_string(given.collect::<Vec<_>>());
                let text = text.map_err(|error| Malformed::Body(error.to_string()))?;
                let read = serde_urlencoded::from_str(&text);
                Ok(read.map_err(|error| Malformed::Body(error.to_string()))?)
            }
        }
    }
}

/// A whole number that may be left out. JSON has one kind of number, so that `5.0`
/// is 5; a form has text only.
pub(crate) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    struct Whole;

    impl<'de> de::Visitor<'de> for Whole {
        type Value = Option<u64>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number, 0 or more")
        }
        fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
            Ok(Some(number))
        }
        fn visit_f64<E: de::Error>(self, number: f64) -> Result<Self::Value, E> {
            match number.fract() == 0.0 && (0.0..=9e15).contains(&number) {
                true => Ok(Some(number as u64)),
                false => Err(E::invalid_value(de::Unexpected::Float(number), &self)),
            }
        }
        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            let number = text.parse();
            number
                .map(Some)
                .map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
        }
        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
    }
    from.deserialize_any(Whole)
}

/// A number of moves in an address, which may be left out. There are never more
/// moves than a number can hold, so that a larger one means all of them.
pub(crate) fn ply<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let text = String::deserialize(from)?;
    match text.as_str() {
        "" => Ok(None),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(Some(digits.parse().unwrap_or(usize::MAX)))
        }
        other => {
            let found = de::Unexpected::Str(other);
            Err(de::Error::invalid_value(found, &"a number of moves"))
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for ParsedBody {
    type Rejection = Rejection;

    async fn from_request(request: Request, _: &S) -> Result<Self, Rejection> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or("");
        let kind = kind
            .split(';')
            .next()
            .unwrap_or("")
            .trim()
            .to_ascii_lowercase();
        // The layer around us limits the length.
        let bytes = to_bytes(request.into_body(), usize::MAX)
            .await
            .map_err(|_| Rejection::TooLarge)?;
        match kind.as_str() {
            "application/json" => Ok(Self::Json(bytes)),
            "application/x-www-form-urlencoded" => serde_urlencoded::from_bytes(&bytes)
                .map(Self::Form)
                .map_err(|error| Malformed::Body(error.to_string()).into()),
            // Nothing to read is a form without fields.
            "" if bytes.is_empty() => Ok(Self::Form(Vec::new())),
            _ => Err(Malformed::Kind.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Numbered {
        #[serde(default, deserialize_with = "whole")]
        version: Option<u64>,
    }

    #[test]
    fn a_number_of_moves_is_as_large_as_it_likes() {
        #[derive(serde::Deserialize)]
        struct At {
            #[serde(default, deserialize_with = "ply")]
            ply: Option<usize>,
        }
        let at = |text: &str| serde_urlencoded::from_str::<At>(text).map(|at| at.ply);
        assert_eq!(at("ply=7").unwrap(), Some(7));
        assert_eq!(
            at("ply=328516961328579766910976").unwrap(),
            Some(usize::MAX)
        );
        assert_eq!(at("ply=").unwrap(), None);
        assert_eq!(at("").unwrap(), None);
        assert!(at("ply=-1").is_err() && at("ply=x").is_err());
    }

    #[test]
    fn a_whole_number_is_read_from_json_and_from_forms() {
        let json = |text: &str| ParsedBody::Json(text.to_owned().into()).read::<Numbered>();
        let form =
            |text: &str| ParsedBody::Form(vec![("version".into(), text.into())]).read::<Numbered>();
        let five = Numbered { version: Some(5) };
        let none = Numbered { version: None };
        assert_eq!(json(r#"{"version":5.0}"#).unwrap(), five);
        assert_eq!(json(r#"{"version":null}"#).unwrap(), none);
        assert_eq!(json("{}").unwrap(), none);
        assert_eq!(form("5").unwrap(), five);
        assert_eq!(form("").unwrap(), none);
        for wrong in [
            r#"{"version":5.5}"#,
            r#"{"version":-1}"#,
            r#"{"version":"x"}"#,
            "[]",
        ] {
            assert!(json(wrong).is_err(), "{wrong}");
        }
        assert!(form("-1").is_err());
    }
}
