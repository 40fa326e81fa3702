//! Message authentication of cookies: a secret in a cookie is an identity only if a server of this
//! database issued it.
//!
//! The cookie holds the secret and a truncated MAC of it. All servers of a database share the key,
//! which the first one generates. Who copies it can issue identities, and learns no existing one.
//! API clients send secrets of their own as bearer tokens, which no other site can plant.
//!
//! Earlier versions did not sign cookies. In a database that they used, an unsigned secret is an
//! identity if the database knows its visitor, as long as such cookies live; the answer sets the
//! signed one.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use papan_store::{GameStore, StoreError, StoredStudy};
use sha2::{Digest as _, Sha256};

use crate::http::secret::Secret;

/// Where the key is stored: with the data of visitors, which no limit on their number deletes.
const SUBJECT: &str = "visitor identity-key";
/// Lease of the server that generates the key, and its duration in seconds.
const LEASE: (&str, u32) = ("identity-key", 10);
/// Pause before the key of another server is read.
const RETRY: Duration = Duration::from_millis(50);
/// 96 bits of the MAC, which are 16 characters of base64.
const TAG_BYTES: usize = 12;
/// Lifetime of an unsigned cookie, in milliseconds: a year.
const UNSIGNED_LIFETIME: i64 = 365 * 24 * 3600 * 1000;

/// The key of a database. `Debug` does not print it.
#[derive(Clone)]
pub struct IdentityKey {
    key: [u8; 32],
    accepts_unsigned: bool,
}

impl std::fmt::Debug for IdentityKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("IdentityKey(…)")
    }
}

impl IdentityKey {
    /// Generates a key from the operating system's randomness.
    pub(crate) fn random() -> Self {
        let mut key = [0; 32];
        getrandom::fill(&mut key).expect("the operating system provides randomness");
        Self {
            key,
            accepts_unsigned: false,
        }
    }

    /// Reads the key of a database, or generates it if there is none. `is_used` says whether a
    /// server without a key used it before; `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// If the database cannot be read or written.
    pub(crate) async fn open(
        store: &dyn GameStore,
        is_used: bool,
        now: i64,
    ) -> Result<Self, StoreError> {
        loop {
            if let Some(key) = Self::stored(store, now).await? {
                return Ok(key);
            }
            let (lease, seconds) = LEASE;
            if !store.lease(lease, seconds).await? {
                tokio::time::sleep(RETRY).await;
                continue;
            }
            // Another server may have stored one before it ended its lease.
            if Self::stored(store, now).await?.is_none() {
                let unsigned_until = if is_used { now + UNSIGNED_LIFETIME } else { 0 };
                let key = URL_SAFE_NO_PAD.encode(Self::random().key);
                let study = StoredStudy {
                    subject: SUBJECT.into(),
                    body: format!("{key} {unsigned_until}"),
                    // It never expires.
                    at: i64::MAX,
                };
                store.keep_study(study).await?;
            }
            store.end_lease(lease).await?;
        }
    }

    async fn stored(store: &dyn GameStore, now: i64) -> Result<Option<Self>, StoreError> {
        let stored = store.study(SUBJECT).await?;
        // A damaged key is replaced.
        let read = |stored: StoredStudy| {
            let (key, unsigned_until) = stored.body.split_once(' ')?;
            let key = URL_SAFE_NO_PAD.decode(key).ok()?;
            Some(Self {
                key: key.try_into().ok()?,
                accepts_unsigned: now < unsigned_until.parse().ok()?,
            })
        };
        Ok(stored.and_then(read))
    }

    /// Returns the value of the cookie of a secret.
    pub(crate) fn sign(&self, secret: &Secret) -> String {
        format!("{}.{}", secret.text(), self.tag(secret))
    }

    /// Returns the secret in a cookie, if this key signed it.
    pub(crate) fn verify(&self, cookie: &str) -> Option<Secret> {
        let (text, tag) = cookie.split_once('.')?;
        let secret = Secret::parse(text)?;
        let expected = self.tag(&secret);
        // In a time that does not depend on the first difference.
        let differences = tag.bytes().zip(expected.bytes());
        let differences = differences.fold(0, |all, (a, b)| all | (a ^ b));
        (tag.len() == expected.len() && differences == 0).then_some(secret)
    }

    /// Returns the secret in a cookie that an earlier version set, if such cookies are still alive.
    /// Anyone can invent it: it is an identity only if the database knows its visitor.
    pub(crate) fn unsigned(&self, cookie: &str) -> Option<Secret> {
        self.accepts_unsigned.then(|| Secret::parse(cookie))?
    }

    /// Key and secret have fixed lengths, so that a plain hash of both is a MAC.
    fn tag(&self, secret: &Secret) -> String {
        let digest = Sha256::new()
            .chain_update(self.key)
            .chain_update("papan identity\0")
            .chain_update(secret.text())
            .finalize();
        URL_SAFE_NO_PAD.encode(&digest[..TAG_BYTES])
    }
}

#[cfg(test)]
mod tests {
    use papan_store::SqliteGames;

    use super::*;

    #[test]
    fn only_what_the_key_signed_is_an_identity() {
        let (key, other, secret) = (
            IdentityKey::random(),
            IdentityKey::random(),
            Secret::random(),
        );
        let cookie = key.sign(&secret);
        assert_eq!(key.verify(&cookie), Some(secret.clone()));
        assert_eq!(other.verify(&cookie), None, "another server");
        assert_eq!(key.verify(secret.text()), None, "no tag");
        let tag = cookie.split_once('.').unwrap().1;
        assert_eq!(tag.len(), 16);
        let invented = Secret::random();
        assert_eq!(key.verify(&format!("{}.{tag}", invented.text())), None);
        assert_eq!(key.verify(&format!("{}.", secret.text())), None);
        assert_eq!(key.verify(&cookie[..cookie.len() - 1]), None);
        assert_eq!(key.verify(&format!("{cookie}A")), None);
    }

    #[tokio::test]
    async fn a_database_has_one_key_that_does_not_expire() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let store = SqliteGames::open(&path).await.unwrap();
        let open = || IdentityKey::open(&store, false, 0);
        let one = open().await.unwrap();
        assert_eq!(one.key, open().await.unwrap().key);
        store.forget_studies(i64::MAX, 0).await.unwrap();
        assert_eq!(one.key, open().await.unwrap().key);
    }

    #[tokio::test]
    async fn unsigned_cookies_of_earlier_versions_are_read_as_long_as_they_live() {
        let secret = Secret::random();
        for is_used in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games.sqlite");
            let store = SqliteGames::open(&path).await.unwrap();
            for (now, is_alive) in [
                (5, true),
                (UNSIGNED_LIFETIME, true),
                (UNSIGNED_LIFETIME + 5, false),
            ] {
                let key = IdentityKey::open(&store, is_used, now).await.unwrap();
                let is_read = key.unsigned(secret.text()).is_some();
                assert_eq!(is_read, is_used && is_alive, "{is_used} {now}");
                assert_eq!(key.unsigned(&key.sign(&secret)), None);
                assert_eq!(
                    key.verify(secret.text()),
                    None,
                    "its visitor may be unknown"
                );
            }
        }
    }
}
