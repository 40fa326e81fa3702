//! One-time links that transfer a client's identity to another device.
//!
//! A link works once, for ten minutes, and only the newest link of a client works. Links are
//! kept in memory and never stored.

use std::time::Duration;

use papan_store::Digest;
use quick_cache::sync::Cache;

use crate::http::secret::Secret;

/// Lifetime of a link.
const LIFETIME: Duration = Duration::from_secs(10 * 60);
/// Maximum number of links.
const CAPACITY: usize = 10_000;

/// The identity that a link transfers.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    pub(crate) secret: Secret,
    pub(crate) name: Option<String>,
}

#[derive(Clone, Debug)]
struct Link {
    created: Duration,
    identity: Identity,
}

impl Link {
    fn is_valid(&self, now: Duration) -> bool {
        now < self.created + LIFETIME
    }
}

/// All valid links.
#[derive(Debug)]
pub(crate) struct IdentityLinks {
    /// By the digest of the code, so that a lookup leaks nothing about the code by its
    /// timing.
    links: Cache<Digest, Link>,
    /// The newest code of each client.
    codes: Cache<Digest, Digest>,
}

impl Default for IdentityLinks {
    fn default() -> Self {
        Self {
            links: Cache::new(CAPACITY),
            codes: Cache::new(CAPACITY),
        }
    }
}

impl IdentityLinks {
    /// Creates a link for a client and revokes its previous one.
    pub(crate) fn create(&self, identity: Identity, now: Duration) -> Secret {
        self.revoke(&identity.secret);
        let code = Secret::random();
        let client = identity.secret.visitor();
        let link = Link {
            created: now,
            identity,
        };
        self.links.insert(code.digest(), link);
        self.codes.insert(client, code.digest());
        code
    }

    /// Revokes a client's link.
    pub(crate) fn revoke(&self, secret: &Secret) {
        if let Some((_, code)) = self.codes.remove(&secret.visitor()) {
            self.links.remove(&code);
        }
    }

    /// Returns the identity of a link without consuming it.
    pub(crate) fn peek(&self, code: &Secret, now: Duration) -> Option<Identity> {
        let link = self.links.get(&code.digest())?;
        link.is_valid(now).then_some(link.identity)
    }

    /// Consumes a link and returns its identity.
    pub(crate) fn redeem(&self, code: &Secret, now: Duration) -> Option<Identity> {
        let (_, link) = self.links.remove(&code.digest())?;
        self.codes.remove(&link.identity.secret.visitor());
        link.is_valid(now).then_some(link.identity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_works_once_for_ten_minutes_and_until_it_is_revoked() {
        let (links, ann) = (IdentityLinks::default(), Secret::random());
        let identity = |name: Option<&str>| Identity {
            secret: ann.clone(),
            name: name.map(str::to_owned),
        };
        let now = Duration::from_secs(1);
        let code = links.create(identity(Some("Ann")), now);
        assert!(links.peek(&code, now).is_some());
        let found = links.redeem(&code, now + LIFETIME / 2).unwrap();
        assert_eq!(
            (found.secret, found.name.as_deref()),
            (ann.clone(), Some("Ann"))
        );
        assert!(links.redeem(&code, now).is_none(), "once");
        let late = links.create(identity(None), now);
        assert!(links.redeem(&late, now + LIFETIME).is_none(), "ten minutes");
        let old = links.create(identity(None), now);
        let new = links.create(identity(None), now);
        assert!(links.redeem(&old, now).is_none(), "only the newest");
        links.revoke(&ann);
        assert!(links.redeem(&new, now).is_none(), "revoked");
    }
}
