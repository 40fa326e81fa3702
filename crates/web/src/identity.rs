//! Links that take a visitor's identity to another device: good once, for ten
//! minutes, and only the newest of each visitor. They are never on the disk.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::secret::Secret;

/// How long a link is good.
const GOOD_FOR: Duration = Duration::from_secs(10 * 60);
/// Links that are kept for everybody together; the oldest go first.
const MOST: usize = 10_000;

/// What a link gives.
#[derive(Clone, Debug)]
pub(crate) struct IdentityLink {
    pub(crate) secret: Secret,
    pub(crate) name: Option<String>,
}

#[derive(Debug)]
struct Kept {
    /// A digest, so that comparing takes no time that tells something.
    code: papan_store::Digest,
    made: Instant,
    link: IdentityLink,
}

/// Every link that is good.
#[derive(Debug, Default)]
pub(crate) struct Identities(Mutex<Vec<Kept>>);

impl Identities {
    /// A new link for a visitor; what they had before is no longer good.
    pub(crate) fn make(&self, secret: &Secret, name: Option<String>) -> Secret {
        self.make_at(secret, name, Instant::now())
    }

    fn make_at(&self, secret: &Secret, name: Option<String>, made: Instant) -> Secret {
        self.withdraw(secret);
        let code = Secret::random();
        let mut kept = self.0.lock().expect("no panic inside");
        kept.retain(|kept| made.duration_since(kept.made) < GOOD_FOR);
        if kept.len() == MOST {
            kept.remove(0);
        }
        kept.push(Kept {
            code: code.digest(),
            made,
            link: IdentityLink {
                secret: secret.clone(),
                name,
            },
        });
        code
    }

    /// Ends a visitor's link.
    pub(crate) fn withdraw(&self, secret: &Secret) {
        let mut kept = self.0.lock().expect("no panic inside");
        kept.retain(|kept| kept.link.secret != *secret);
    }

    /// What a link gives, without using it up.
    pub(crate) fn look(&self, code: &Secret) -> Option<IdentityLink> {
        let digest = code.digest();
        let kept = self.0.lock().expect("no panic inside");
        let found = kept.iter().find(|kept| kept.code == digest)?;
        (found.made.elapsed() < GOOD_FOR).then(|| found.link.clone())
    }

    /// What a link gives; it is used up.
    pub(crate) fn take(&self, code: &Secret) -> Option<IdentityLink> {
        self.take_at(code, Instant::now())
    }

    fn take_at(&self, code: &Secret, now: Instant) -> Option<IdentityLink> {
        let digest = code.digest();
        let mut kept = self.0.lock().expect("no panic inside");
        let place = kept.iter().position(|kept| kept.code == digest)?;
        let found = kept.remove(place);
        (now.duration_since(found.made) < GOOD_FOR).then_some(found.link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_good_once_for_ten_minutes_and_until_it_is_withdrawn() {
        let (links, ann) = (Identities::default(), Secret::random());
        let now = Instant::now();
        let code = links.make_at(&ann, Some("Ann".into()), now);
        assert!(links.look(&code).is_some());
        let link = links.take_at(&code, now + GOOD_FOR / 2).unwrap();
        assert_eq!(
            (link.secret, link.name.as_deref()),
            (ann.clone(), Some("Ann"))
        );
        assert!(links.take_at(&code, now).is_none(), "once");
        let late = links.make_at(&ann, None, now);
        assert!(
            links.take_at(&late, now + GOOD_FOR).is_none(),
            "ten minutes"
        );
        let (old, new) = (links.make(&ann, None), links.make(&ann, None));
        assert!(links.take(&old).is_none(), "only the newest");
        links.withdraw(&ann);
        assert!(links.take(&new).is_none(), "withdrawn");
    }
}
