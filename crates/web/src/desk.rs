//! Long work under way, by what it is about. Asking twice is asking once, and
//! nobody has more than a few things on the desk.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use crate::rate::household;
use crate::refusal::Refusal;

/// What one address may have under way.
const PER_ADDRESS: usize = 4;
/// What everybody together may.
const ALL: usize = 256;

/// Long work under way.
#[derive(Debug)]
pub(crate) struct Desk<T>(Mutex<HashMap<String, (IpAddr, Arc<T>)>>);

impl<T> Default for Desk<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Desk<T> {
    /// The work on a subject.
    pub(crate) fn find(&self, subject: &str) -> Option<Arc<T>> {
        let desk = self.0.lock().expect("no panic inside");
        desk.get(subject).map(|(_, work)| Arc::clone(work))
    }

    /// Puts work on the desk, unless somebody else has a moment ago; says which of
    /// the two it was.
    ///
    /// # Errors
    /// When the visitor has enough under way, or everybody has.
    pub(crate) fn begin(
        &self,
        subject: &str,
        visitor: IpAddr,
        work: T,
    ) -> Result<(Arc<T>, bool), Refusal> {
        let visitor = household(visitor);
        let mut desk = self.0.lock().expect("no panic inside");
        if let Some((_, work)) = desk.get(subject) {
            return Ok((Arc::clone(work), false));
        }
        if desk.len() >= ALL {
            return Err(Refusal::Busy);
        }
        let own = desk.values().filter(|(whose, _)| *whose == visitor);
        if own.count() >= PER_ADDRESS {
            return Err(Refusal::EnoughUnderWay { most: PER_ADDRESS });
        }
        let work = Arc::new(work);
        desk.insert(subject.into(), (visitor, Arc::clone(&work)));
        Ok((work, true))
    }

    /// Takes work off the desk.
    pub(crate) fn clear(&self, subject: &str) {
        self.0.lock().expect("no panic inside").remove(subject);
    }

    /// Everything on the desk.
    pub(crate) fn all(&self) -> Vec<Arc<T>> {
        let desk = self.0.lock().expect("no panic inside");
        desk.values().map(|(_, work)| Arc::clone(work)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_has_a_few_things_on_the_desk_and_others_have_theirs() {
        let desk = Desk::default();
        let (a, b) = ([127, 0, 0, 1].into(), [127, 0, 0, 2].into());
        for number in 0..PER_ADDRESS {
            assert!(desk.begin(&number.to_string(), a, ()).unwrap().1);
        }
        assert!(matches!(
            desk.begin("more", a, ()),
            Err(Refusal::EnoughUnderWay { most: PER_ADDRESS })
        ));
        assert!(!desk.begin("0", a, ()).unwrap().1, "it is there already");
        assert!(desk.begin("more", b, ()).unwrap().1);
        desk.clear("0");
        assert!(desk.find("0").is_none());
        assert!(desk.begin("another", a, ()).unwrap().1);
    }
}
