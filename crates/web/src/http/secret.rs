//! Capability secrets: client identities, game ids, invitations.
//!
//! A browser keeps one 192-bit secret in a cookie; presenting it proves ownership of the
//! seats that it took (a bearer token, as in RFC 6750). The database stores only SHA-256
//! digests: one salted per game, which proves a seat, and one per client, which finds a
//! client's games but proves nothing.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use papan_store::Digest;
use sha2::{Digest as _, Sha256};

/// 192 bits, which are 32 characters of URL-safe base64 without padding.
const BYTES: usize = 24;

/// A secret as text. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// Generates a secret from the operating system's randomness.
    #[must_use]
    pub fn random() -> Self {
        Self(random_text::<BYTES>())
    }

    /// Parses a secret; returns `None` for text of the wrong length or alphabet.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let length = BYTES / 3 * 4;
        let fits = text.len() == length && is_url_safe(text);
        fits.then(|| Self(text.into()))
    }

    /// Returns the text, for a cookie or a link.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the digest that is stored for an invitation.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.seat("")
    }

    /// Returns the digest that is stored for a seat in games with this salt.
    ///
    /// Secrets have a fixed length, so secret and salt need no separator.
    #[must_use]
    pub fn seat(&self, salt: &str) -> Digest {
        let digest = Sha256::new().chain_update(&self.0).chain_update(salt);
        digest.finalize().into()
    }

    /// Returns the digest that identifies a client across games.
    #[must_use]
    pub fn visitor(&self) -> Digest {
        let digest = Sha256::new().chain_update("papan visitor\0");
        digest.chain_update(&self.0).finalize().into()
    }

    /// Returns a short tag that distinguishes clients of the same name.
    pub(crate) fn tag(&self) -> String {
        encode(&self.visitor()[..3])
    }

    /// Returns the invitation to a public game. It is derived from the game id alone, so
    /// every visitor of the lobby can compute it.
    pub(crate) fn open_invitation(game: &str) -> Self {
        let digest = Sha256::new().chain_update("papan open invitation\0");
        let digest = digest.chain_update(game).finalize();
        Self(encode(&digest[..BYTES]))
    }

    /// Returns the invitation to a game of this client. It is derived, not random, so the
    /// page can show it again although only its digest is stored.
    #[must_use]
    pub fn invitation(&self, game: &str) -> Self {
        let digest = Sha256::new()
            .chain_update("papan invitation\0")
            .chain_update(&self.0)
            .chain_update("\0")
            .chain_update(game)
            .finalize();
        Self(encode(&digest[..BYTES]))
    }
}

/// Generates a game id: 144 random bits, unguessable.
#[must_use]
pub(crate) fn random_game_id() -> String {
    random_text::<18>()
}

/// Returns whether a text has the form of a game id.
#[must_use]
pub(crate) fn is_game_id(text: &str) -> bool {
    text.len() == 24 && is_url_safe(text)
}

fn random_text<const N: usize>() -> String {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system provides randomness");
    encode(&bytes)
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn is_url_safe(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_192_bits_and_is_read_as_it_is_written() {
        let (a, b) = (Secret::random(), Secret::random());
        assert_ne!(a, b);
        assert_eq!(a.text().len(), 32);
        assert_eq!(Secret::parse(a.text()), Some(a.clone()));
        assert_eq!(Secret::parse("short"), None);
        assert_eq!(format!("{a:?}"), "Secret(…)");
        assert_eq!(encode(b"\xfb\xff\xfeabc"), "-__-YWJj");
    }

    #[test]
    fn seat_digests_differ_between_games() {
        let (a, b) = (Secret::random(), Secret::random());
        assert_eq!(a.seat("g"), a.seat("g"));
        assert_ne!(a.seat("g"), a.seat("h"));
        assert_ne!(a.seat("g"), b.seat("g"));
    }

    #[test]
    fn an_invitation_belongs_to_one_visitor_and_one_game() {
        let (a, b) = (Secret::random(), Secret::random());
        assert_eq!(a.invitation("g"), a.invitation("g"));
        assert_ne!(a.invitation("g"), a.invitation("h"));
        assert_ne!(a.invitation("g"), b.invitation("g"));
        assert!(Secret::parse(a.invitation("g").text()).is_some());
    }
}
