//! Links that take a client's identity to another device: good once, for ten
//! minutes, and only the newest of each client. They are never on the disk.

use std::sync::Mutex;
use std::time::Duration;

use crate::http::secret::Secret;

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
    made: Duration,
    link: IdentityLink,
}

/// Every link that is good.
#[derive(Debug, Default)]
pub(crate) struct IdentityLinks(Mutex<Vec<Kept>>);

impl IdentityLinks {
    /// A new link for a client; what they had before is no longer good.
    pub(crate) fn make(&self, secret: &Secret, name: Option<String>, made: Duration) -> Secret {
        self.withdraw(secret);
        let code = Secret::random();
        let mut kept = self.0.lock().expect("no panic inside");
        kept.retain(|kept| made < kept.made + GOOD_FOR);
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

    /// Ends a client's link.
    pub(crate) fn withdraw(&self, secret: &Secret) {
        let mut kept = self.0.lock().expect("no panic inside");
        kept.retain(|kept| kept.link.secret != *secret);
    }

    /// What a link gives, without using it up.
    pub(crate) fn look(&self, code: &Secret, now: Duration) -> Option<IdentityLink> {
        let digest = code.digest();
        let kept = self.0.lock().expect("no panic inside");
        let found = kept.iter().find(|kept| kept.code == digest)?;
        (now < found.made + GOOD_FOR).then(|| found.link.clone())
    }

    /// What a link gives; it is used up.
    pub(crate) fn take(&self, code: &Secret, now: Duration) -> Option<IdentityLink> {
        let digest = code.digest();
        let mut kept = self.0.lock().expect("no panic inside");
        let place = kept.iter().position(|kept| kept.code == digest)?;
        let found = kept.remove(place);
        (now < found.made + GOOD_FOR).then_some(found.link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_good_once_for_ten_minutes_and_until_it_is_withdrawn() {
        let (links, ann) = (IdentityLinks::default(), Secret::random());
        let now = Duration::from_secs(1);
        let code = links.make(&ann, Some("Ann".into()), now);
        assert!(links.look(&code, now).is_some());
        let link = links.take(&code, now + GOOD_FOR / 2).unwrap();
        assert_eq!(
            (link.secret, link.name.as_deref()),
            (ann.clone(), Some("Ann"))
        );
        assert!(links.take(&code, now).is_none(), "once");
        let late = links.make(&ann, None, now);
        assert!(links.take(&late, now + GOOD_FOR).is_none(), "ten minutes");
        let (old, new) = (links.make(&ann, None, now), links.make(&ann, None, now));
        assert!(links.take(&old, now).is_none(), "only the newest");
        links.withdraw(&ann);
        assert!(links.take(&new, now).is_none(), "withdrawn");
    }
}
