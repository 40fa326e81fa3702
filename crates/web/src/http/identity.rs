//! One-time links that transfer a client's identity to another device.
//!
//! A link works once, for ten minutes, and only the newest link of a client works. Links are
//! kept in memory and never stored. An address has a few of them, so that a flood from one
//! address evicts no link of another.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::time::Duration;

use papan_store::Digest;
use parking_lot::Mutex;

use crate::http::secret::Secret;
use crate::subnet::subnet;

/// Lifetime of a link.
const LIFETIME: Duration = Duration::from_secs(10 * 60);
/// Maximum number of links per address; a classroom may share one.
const MAX_PER_ADDRESS: usize = 64;
/// Maximum number of links.
const MAX_TOTAL: usize = 10_000;

/// The identity that a link transfers.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    pub(crate) secret: Secret,
    pub(crate) name: Option<String>,
}

#[derive(Clone, Debug)]
struct Link {
    created: Duration,
    address: IpAddr,
    identity: Identity,
}

impl Link {
    fn is_valid(&self, now: Duration) -> bool {
        now < self.created + LIFETIME
    }
}

/// All valid links.
#[derive(Debug, Default)]
pub(crate) struct IdentityLinks(Mutex<Links>);

#[derive(Debug, Default)]
struct Links {
    /// By the digest of the code, so that a lookup leaks nothing about the code by its
    /// timing.
    by_code: HashMap<Digest, Link>,
    /// The newest code of each client.
    by_client: HashMap<Digest, Digest>,
    /// The codes of each address, oldest first.
    by_address: HashMap<IpAddr, VecDeque<Digest>>,
}

impl Links {
    fn remove(&mut self, code: &Digest) -> Option<Link> {
        let link = self.by_code.remove(code)?;
        self.by_client.remove(&link.identity.secret.visitor());
        if let Some(codes) = self.by_address.get_mut(&link.address) {
            codes.retain(|known| known != code);
            if codes.is_empty() {
                self.by_address.remove(&link.address);
            }
        }
        Some(link)
    }

    fn remove_oldest_of(&mut self, address: IpAddr) {
        let codes = self.by_address.get(&address);
        if let Some(code) = codes.and_then(VecDeque::front).copied() {
            self.remove(&code);
        }
    }

    /// Makes a place for a link of an address: the oldest link of the address goes, or the
    /// oldest of the address with the most links.
    fn make_place(&mut self, address: IpAddr) {
        let count = self.by_address.get(&address).map_or(0, VecDeque::len);
        if count >= MAX_PER_ADDRESS {
            self.remove_oldest_of(address);
        } else if self.by_code.len() >= MAX_TOTAL {
            let addresses = self.by_address.iter();
            let largest = addresses.max_by_key(|(_, codes)| codes.len());
            if let Some(address) = largest.map(|(address, _)| *address) {
                self.remove_oldest_of(address);
            }
        }
    }
}

impl IdentityLinks {
    /// Creates a link for a client and revokes its previous one.
    pub(crate) fn create(&self, identity: Identity, address: IpAddr, now: Duration) -> Secret {
        let (code, client, address) =
            (Secret::random(), identity.secret.visitor(), subnet(address));
        let mut links = self.0.lock();
        if let Some(previous) = links.by_client.get(&client).copied() {
            links.remove(&previous);
        }
        links.make_place(address);
        let link = Link {
            created: now,
            address,
            identity,
        };
        links.by_code.insert(code.digest(), link);
        links.by_client.insert(client, code.digest());
        let codes = links.by_address.entry(address).or_default();
        codes.push_back(code.digest());
        code
    }

    /// Drops expired links.
    pub(crate) fn evict_expired(&self, now: Duration) {
        let mut links = self.0.lock();
        let expired = links.by_code.iter().filter(|(_, link)| !link.is_valid(now));
        let expired: Vec<Digest> = expired.map(|(code, _)| *code).collect();
        for code in expired {
            links.remove(&code);
        }
    }

    /// Revokes a client's link.
    pub(crate) fn revoke(&self, secret: &Secret) {
        let mut links = self.0.lock();
        if let Some(code) = links.by_client.get(&secret.visitor()).copied() {
            links.remove(&code);
        }
    }

    /// Returns the identity of a link without consuming it.
    pub(crate) fn peek(&self, code: &Secret, now: Duration) -> Option<Identity> {
        let links = self.0.lock();
        let link = links.by_code.get(&code.digest())?;
        link.is_valid(now).then(|| link.identity.clone())
    }

    /// Consumes a link and returns its identity.
    pub(crate) fn redeem(&self, code: &Secret, now: Duration) -> Option<Identity> {
        let link = self.0.lock().remove(&code.digest())?;
        link.is_valid(now).then_some(link.identity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn a_link_works_once_for_ten_minutes_and_until_it_is_revoked() {
        let (links, ann) = (IdentityLinks::default(), Secret::random());
        let identity = |name: Option<&str>| Identity {
            secret: ann.clone(),
            name: name.map(str::to_owned),
        };
        let now = Duration::from_secs(1);
        let code = links.create(identity(Some("Ann")), HERE, now);
        assert!(links.peek(&code, now).is_some());
        let found = links.redeem(&code, now + LIFETIME / 2).unwrap();
        assert_eq!(
            (found.secret, found.name.as_deref()),
            (ann.clone(), Some("Ann"))
        );
        assert!(links.redeem(&code, now).is_none(), "once");
        let late = links.create(identity(None), HERE, now);
        assert!(links.redeem(&late, now + LIFETIME).is_none(), "ten minutes");
        let old = links.create(identity(None), HERE, now);
        let new = links.create(identity(None), HERE, now);
        assert!(links.redeem(&old, now).is_none(), "only the newest");
        links.revoke(&ann);
        assert!(links.redeem(&new, now).is_none(), "revoked");
    }

    #[test]
    fn a_flood_from_one_address_evicts_only_its_own_links() {
        let (links, now) = (IdentityLinks::default(), Duration::from_secs(1));
        let create = |address: [u8; 4]| {
            let identity = Identity {
                secret: Secret::random(),
                name: None,
            };
            links.create(identity, address.into(), now)
        };
        let ann = create([192, 0, 2, 1]);
        for _ in 0..2 * MAX_TOTAL {
            create([192, 0, 2, 2]);
        }
        assert!(links.peek(&ann, now).is_some());
        assert_eq!(links.0.lock().by_code.len(), 1 + MAX_PER_ADDRESS);
        for fourth in 0..200 {
            for _ in 0..MAX_PER_ADDRESS {
                create([198, 51, 100, fourth]);
            }
        }
        assert!(links.peek(&ann, now).is_some(), "many addresses flood");
        let counts = || {
            let links = links.0.lock();
            let by_address: usize = links.by_address.values().map(VecDeque::len).sum();
            [links.by_code.len(), links.by_client.len(), by_address]
        };
        assert_eq!(counts(), [MAX_TOTAL; 3]);
        links.evict_expired(now + LIFETIME);
        assert_eq!(counts(), [0; 3]);
    }
}
