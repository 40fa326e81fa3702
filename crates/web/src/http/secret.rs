//! Secrets: who a client is, which game, which invitation.
//!
//! A client's browser keeps one secret of 192 random bits in a cookie. Whoever
//! shows it holds the seats that were given to it. The store knows digests only: one
//! for every game, which opens the seat, and one for the client, which finds their
//! games and opens nothing.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use papan_store::Digest;
use sha2::{Digest as _, Sha256};

/// 192 bits as 32 characters that need no escaping anywhere.
const BYTES: usize = 24;

/// A secret as text. It is never printed by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// A new one, from the system's randomness.
    #[must_use]
    pub fn random() -> Self {
        Self(random_text::<BYTES>())
    }

    /// Reads a secret; `None` for a text that cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let length = BYTES / 3 * 4;
        let fits = text.len() == length && is_plain(text);
        fits.then(|| Self(text.into()))
    }

    /// The text, for the cookie or the link that carries it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// What is stored in the place of an invitation.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.seat("")
    }

    /// What is stored with the seats that it holds in the games of one salt.
    /// All secrets have one length: no other secret and salt read the same.
    #[must_use]
    pub fn seat(&self, salt: &str) -> Digest {
        let digest = Sha256::new().chain_update(&self.0).chain_update(salt);
        digest.finalize().into()
    }

    /// Who the client is across their games, so that they find these again.
    #[must_use]
    pub fn visitor(&self) -> Digest {
        let digest = Sha256::new().chain_update("papan visitor\0");
        digest.chain_update(&self.0).finalize().into()
    }

    /// A few characters that tell visitors of the same name apart.
    pub(crate) fn tag(&self) -> String {
        encode(&self.visitor()[..3])
    }

    /// The invitation to a game that anybody may join: whoever sees the game in the
    /// lobby can make it.
    pub(crate) fn open_invitation(game: &str) -> Self {
        let digest = Sha256::new().chain_update("papan open invitation\0");
        let digest = digest.chain_update(game).finalize();
        Self(encode(&digest[..BYTES]))
    }

    /// The invitation to a game that this client made. It is computed rather
    /// than drawn, so that the page can show it again although only its digest
    /// is stored.
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

/// The address of a new game: 144 random bits, so that nobody guesses it.
#[must_use]
pub(crate) fn random_game_id() -> String {
    random_text::<18>()
}

/// Whether a text has the form of a game's address.
#[must_use]
pub(crate) fn is_game_id(text: &str) -> bool {
    text.len() == 24 && is_plain(text)
}

fn random_text<const N: usize>() -> String {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has randomness");
    encode(&bytes)
}

/// The lengths used here need no padding.
fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn is_plain(text: &str) -> bool {
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
    fn the_seats_of_two_games_have_nothing_in_common() {
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
