//! Numbers in query strings.

use serde::de::{self, Deserialize as _, Deserializer};

/// Deserializes an optional ply from a query string. A number too large for `usize` means
/// the end of the game.
///
/// # Errors
/// If it is no number.
pub fn optional_ply<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ply_may_be_larger_than_any_integer() {
        #[derive(serde::Deserialize)]
        struct At {
            #[serde(default, deserialize_with = "optional_ply")]
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
}
