//! Long work under way, by what it is about. Asking twice is asking once, and
//! nobody has more than a few things under way.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use crate::http::rate_limit::network_of;
use crate::http::rejection::Rejection;

/// What one address may have under way.
const PER_ADDRESS: usize = 4;
/// What everybody together may.
const ALL: usize = 256;

/// Long work under way.
#[derive(Debug)]
pub(crate) struct BackgroundJobs<T>(Mutex<HashMap<String, (IpAddr, Arc<T>)>>);

impl<T> Default for BackgroundJobs<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> BackgroundJobs<T> {
    /// The work on a subject.
    pub(crate) fn find(&self, subject: &str) -> Option<Arc<T>> {
        let works = self.0.lock().expect("no panic inside");
        works.get(subject).map(|(_, work)| Arc::clone(work))
    }

    /// How much each address has under way.
    pub(crate) fn by_address(&self) -> Vec<(IpAddr, usize)> {
        let works = self.0.lock().expect("no panic inside");
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for (client, _) in works.values() {
            *counts.entry(*client).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// Puts work under way, unless somebody else has a moment ago; says which of
    /// the two it was. `elsewhere` is how much the client has under way at other
    /// servers.
    ///
    /// # Errors
    /// When the client has enough under way, or everybody has.
    pub(crate) fn begin(
        &self,
        subject: &str,
        client: IpAddr,
        elsewhere: usize,
        work: T,
    ) -> Result<(Arc<T>, bool), Rejection> {
        let client = network_of(client);
        let mut works = self.0.lock().expect("no panic inside");
        if let Some((_, work)) = works.get(subject) {
            return Ok((Arc::clone(work), false));
        }
        if works.len() >= ALL {
            return Err(Rejection::Busy);
        }
        let own = works.values().filter(|(whose, _)| *whose == client);
        if own.count() + elsewhere >= PER_ADDRESS {
            return Err(Rejection::EnoughUnderWay { most: PER_ADDRESS });
        }
        let work = Arc::new(work);
        works.insert(subject.into(), (client, Arc::clone(&work)));
        Ok((work, true))
    }

    /// Takes work out.
    pub(crate) fn clear(&self, subject: &str) {
        self.0.lock().expect("no panic inside").remove(subject);
    }

    /// Everything under way.
    pub(crate) fn all(&self) -> Vec<Arc<T>> {
        let works = self.0.lock().expect("no panic inside");
        works.values().map(|(_, work)| Arc::clone(work)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_has_a_few_things_under_way_and_others_have_theirs() {
        let works = BackgroundJobs::default();
        let (a, b) = ([127, 0, 0, 1].into(), [127, 0, 0, 2].into());
        for number in 0..PER_ADDRESS {
            assert!(works.begin(&number.to_string(), a, 0, ()).unwrap().1);
        }
        assert!(matches!(
            works.begin("more", a, 0, ()),
            Err(Rejection::EnoughUnderWay { most: PER_ADDRESS })
        ));
        assert!(
            !works.begin("0", a, 0, ()).unwrap().1,
            "it is there already"
        );
        assert!(
            works.begin("more", b, PER_ADDRESS, ()).is_err(),
            "elsewhere counts"
        );
        assert!(works.begin("more", b, 0, ()).unwrap().1);
        assert_eq!(works.by_address().len(), 2);
        works.clear("0");
        assert!(works.find("0").is_none());
        assert!(works.begin("another", a, 0, ()).unwrap().1);
    }
}
