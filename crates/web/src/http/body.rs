//! Request bodies: JSON from API clients, `application/x-www-form-urlencoded` from pages.

use std::fmt;

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::header;
use serde::de::{self, DeserializeOwned, Deserializer};

use crate::http::rejection::{Malformed, Rejection};

/// A request body whose media type is known.
#[derive(Clone, Debug)]
pub(crate) enum ParsedBody {
    /// JSON, not yet deserialized.
    Json(Bytes),
    /// Form fields in their order.
    Form(Vec<(String, String)>),
}

impl ParsedBody {
    /// Deserializes the body.
    ///
    /// # Errors
    /// If a field is missing or has the wrong type.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Rejection> {
        match self {
            Self::Json(bytes) => {
                let malformed = |error: serde_json::Error| Malformed::Body(error.to_string());
                let value: serde_json::Value = serde_json::from_slice(bytes).map_err(malformed)?;
                // serde would accept an array as the fields in their order.
                if !value.is_object() {
                    return Err(Malformed::NotAnObject.into());
                }
                Ok(serde_json::from_value(value).map_err(malformed)?)
            }
            Self::Form(pairs) => {
                // Browsers send empty fields; they count as absent.
                let given: Vec<_> = pairs
                    .iter()
                    .filter(|(_, value)| !value.is_empty())
                    .collect();
                let text = serde_urlencoded::to_string(given)
                    .map_err(|error| Malformed::Body(error.to_string()))?;
                Ok(serde_urlencoded::from_str(&text)
                    .map_err(|error| Malformed::Body(error.to_string()))?)
            }
        }
    }
}

/// Deserializes an optional unsigned integer. JSON has only one number type, so `5.0` is
/// accepted as 5; in a form the number is text.
pub(crate) fn optional_u64<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    struct OptionalU64;

    impl<'de> de::Visitor<'de> for OptionalU64 {
        type Value = Option<u64>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an unsigned integer")
        }
        fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
            Ok(Some(number))
        }
        fn visit_f64<E: de::Error>(self, number: f64) -> Result<Self::Value, E> {
            if number.fract() == 0.0 && (0.0..=9e15).contains(&number) {
                Ok(Some(number as u64))
            } else {
                Err(E::invalid_value(de::Unexpected::Float(number), &self))
            }
        }
        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            text.parse()
                .map(Some)
                .map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
        }
        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
    }
    from.deserialize_any(OptionalU64)
}

impl<S: Send + Sync> FromRequest<S> for ParsedBody {
    type Rejection = Rejection;

    async fn from_request(request: Request, _: &S) -> Result<Self, Rejection> {
        let content_type = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or("");
        let essence = content_type.split(';').next().unwrap_or("");
        let media_type = essence.trim().to_ascii_lowercase();
        // `RequestBodyLimitLayer` bounds the length.
        let bytes = to_bytes(request.into_body(), usize::MAX)
            .await
            .map_err(|_| Rejection::TooLarge)?;
        match media_type.as_str() {
            "application/json" => Ok(Self::Json(bytes)),
            "application/x-www-form-urlencoded" => serde_urlencoded::from_bytes(&bytes)
                .map(Self::Form)
                .map_err(|error| Malformed::Body(error.to_string()).into()),
            // An empty body is a form without fields.
            "" if bytes.is_empty() => Ok(Self::Form(Vec::new())),
            _ => Err(Malformed::MediaType.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Numbered {
        #[serde(default, deserialize_with = "optional_u64")]
        version: Option<u64>,
    }

    #[test]
    fn an_integer_is_read_from_json_and_from_forms() {
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
