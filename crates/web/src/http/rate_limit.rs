//! Rates per address, and what is open per address. Whoever stays away is forgotten.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An address for counting: of IPv6 the first 64 bits, which is what one
/// network_of or machine is given.
#[must_use]
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(network.into())
        }
    }
}

/// A bucket for each address: it holds ten seconds' worth of requests, and fills
/// again at the rate.
#[derive(Debug)]
pub(crate) struct TokenBuckets {
    per_second: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

/// What an address may still do, as of a moment, and what it did since somebody asked.
#[derive(Debug)]
struct Bucket {
    left: f64,
    last: Duration,
    untold: usize,
}

impl TokenBuckets {
    /// How many seconds' worth of requests may come at once.
    const BURST: f64 = 10.0;

    /// So many a second, in the long run.
    #[must_use]
    pub(crate) fn new(per_second: f64) -> Self {
        Self {
            per_second,
            buckets: Mutex::default(),
        }
    }

    /// Takes one from an address's bucket.
    ///
    /// # Errors
    /// With the time until there is one, when it is empty.
    pub(crate) fn take(&self, address: IpAddr, now: Duration) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().expect("no panic inside");
        let bucket = self.bucket(&mut buckets, address, now);
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            bucket.untold += 1;
            return Ok(());
        }
        Err(Duration::from_secs_f64(
            (1.0 - bucket.left) / self.per_second,
        ))
    }

    /// An address's bucket, filled up to now.
    fn bucket<'a>(
        &self,
        buckets: &'a mut HashMap<IpAddr, Bucket>,
        address: IpAddr,
        now: Duration,
    ) -> &'a mut Bucket {
        let most = self.per_second * Self::BURST;
        let bucket = buckets.entry(network_of(address)).or_insert(Bucket {
            left: most,
            last: now,
            untold: 0,
        });
        let gained = now.saturating_sub(bucket.last).as_secs_f64() * self.per_second;
        bucket.left = (bucket.left + gained).min(most);
        bucket.last = now;
        bucket
    }

    /// Takes what an address has spent elsewhere: its bucket may then owe something,
    /// but no more than it holds.
    pub(crate) fn charge(&self, address: IpAddr, count: usize, now: Duration) {
        let mut buckets = self.buckets.lock().expect("no panic inside");
        let bucket = self.bucket(&mut buckets, address, now);
        let least = -self.per_second * Self::BURST;
        bucket.left = (bucket.left - count as f64).max(least);
    }

    /// What each address has taken since this was last asked.
    pub(crate) fn untold(&self) -> Vec<(IpAddr, usize)> {
        let mut buckets = self.buckets.lock().expect("no panic inside");
        let spent = buckets.iter_mut().filter(|(_, bucket)| bucket.untold > 0);
        let spent = spent.map(|(address, bucket)| (*address, std::mem::take(&mut bucket.untold)));
        spent.collect()
    }

    /// Forgets every address whose bucket is full again.
    pub(crate) fn forget(&self, now: Duration) {
        let full = Duration::from_secs_f64(Self::BURST);
        let mut buckets = self.buckets.lock().expect("no panic inside");
        buckets.retain(|_, bucket| now.saturating_sub(bucket.last) < full);
    }
}

/// Counts what is open, per address and altogether.
#[derive(Clone, Debug, Default)]
pub(crate) struct Permits(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    by_address: HashMap<IpAddr, usize>,
    all: usize,
}

/// One open thing; dropping it makes room.
#[derive(Debug)]
pub(crate) struct Permit {
    open: Permits,
    address: IpAddr,
}

impl Permits {
    /// Takes a permit, unless the address or everybody has too many.
    #[must_use]
    pub(crate) fn acquire(
        &self,
        address: IpAddr,
        per_address: usize,
        all: usize,
    ) -> Option<Permit> {
        let address = network_of(address);
        let mut counts = self.0.lock().expect("no panic inside");
        if counts.all >= all {
            return None;
        }
        let own = counts.by_address.entry(address).or_default();
        if *own >= per_address {
            return None;
        }
        *own += 1;
        counts.all += 1;
        drop(counts);
        Some(Permit {
            open: self.clone(),
            address,
        })
    }

    /// How many are open.
    #[must_use]
    pub(crate) fn count(&self) -> usize {
        self.0.lock().expect("no panic inside").all
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut counts = self.open.0.lock().expect("no panic inside");
        counts.all -= 1;
        if let Some(own) = counts.by_address.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                counts.by_address.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn a_rate_allows_a_burst_then_its_pace_then_forgets() {
        let rate = TokenBuckets::new(2.0);
        let start = Duration::from_secs(1);
        for _ in 0..20 {
            assert!(rate.take(HERE, start).is_ok());
        }
        let wait = rate.take(HERE, start).unwrap_err();
        assert_eq!(wait, Duration::from_millis(500));
        assert!(rate.take(HERE, start + wait).is_ok());
        assert!(rate.take(HERE, start + wait).is_err());
        assert!(rate.take("::1".parse().unwrap(), start).is_ok());
        rate.forget(start + Duration::from_secs(5));
        assert_eq!(rate.buckets.lock().unwrap().len(), 2);
        rate.forget(start + Duration::from_secs(60));
        assert!(rate.buckets.lock().unwrap().is_empty());
    }

    #[test]
    fn permits_are_counted_per_network_and_given_back() {
        let open = Permits::default();
        let a = "2001:db8::1".parse().unwrap();
        let b = "2001:db8::2".parse().unwrap();
        let first = open.acquire(a, 2, 3).unwrap();
        let _second = open.acquire(b, 2, 3).unwrap();
        assert!(open.acquire(a, 2, 3).is_none());
        drop(first);
        let _again = open.acquire(a, 2, 3).unwrap();
        let _third = open.acquire(HERE, 2, 3).unwrap();
        assert!(open.acquire(HERE, 2, 3).is_none());
        assert_eq!(open.count(), 3);
    }
}
