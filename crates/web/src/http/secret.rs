//! Capability secrets: client identities, game ids, invitations.
//!
//! A browser keeps one 192-bit secret in a signed cookie; presenting it proves ownership of the
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

/// Characters of a tag, of five bits each.
const TAG_LENGTH: usize = 12;
/// A random secret has fewer different characters than this once in 10^12 times.
const MIN_DIFFERENT_CHARACTERS: usize = 12;

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

    /// Parses a secret; returns `None` for text of the wrong length or alphabet, or with fewer
    /// different characters than random text has.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let length = BYTES / 3 * 4;
        let fits = text.len() == length && is_url_safe(text) && is_varied(text);
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

    /// Returns a tag that distinguishes clients of the same name: 60 bits of their digest in
    /// Crockford's base 32, so that finding a secret with the tag of another client takes 2^60
    /// attempts.
    pub(crate) fn tag(&self) -> String {
        const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let visitor = self.visitor();
        let bits = visitor
            .iter()
            .take(8)
            .fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        let mut tag = String::new();
        for index in 0..TAG_LENGTH {
            if index > 0 && index % 4 == 0 {
                tag.push('-');
            }
            let digit = bits >> (5 * index) & 31;
            tag.push(char::from(ALPHABET[digit as usize]));
        }
        tag
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

fn is_varied(text: &str) -> bool {
    let different: std::collections::HashSet<u8> = text.bytes().collect();
    different.len() >= MIN_DIFFERENT_CHARACTERS
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
    fn a_typed_secret_is_not_an_identity() {
        for weak in [
            "a".repeat(32),
            "0123456789".repeat(4)[..32].into(),
            "ab-_".repeat(8),
        ] {
            assert_eq!(Secret::parse(&weak), None, "{weak}");
        }
        assert!((0..10_000).all(|_| Secret::parse(Secret::random().text()).is_some()));
    }

    #[test]
    fn a_tag_has_60_bits() {
        let tags: std::collections::HashSet<String> =
            (0..10_000).map(|_| Secret::random().tag()).collect();
        assert_eq!(
            tags.len(),
            10_000,
            "24 bits would collide 3 times on average"
        );
        assert!(
            tags.iter()
                .all(|tag| tag.len() == 14 && tag.split('-').count() == 3)
        );
        // Every digit takes every value, so that no bit is constant.
        for index in (0..14).filter(|index| index % 5 != 4) {
            let digits: std::collections::HashSet<u8> =
                tags.iter().map(|tag| tag.as_bytes()[index]).collect();
            assert_eq!(digits.len(), 32, "digit {index}");
        }
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
