//! Rate limiting: a token bucket and a concurrency limit per client address.
//!
//! A request beyond its bucket is answered 429 with `Retry-After` (RFC 6585, section 4).
//! Servers on one database report taken tokens to each other (`game::cluster`), so that a
//! client does not multiply its limits by the number of servers.
//!
//! Reference: <https://en.wikipedia.org/wiki/Token_bucket>

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::settings::Settings;
use crate::subnet::subnet;

/// The limits of one client address.
#[derive(Debug)]
pub(crate) struct RateLimits {
    /// Requests that change state.
    pub(crate) changes: TokenBuckets,
    /// Requests for engine work.
    pub(crate) analysis: TokenBuckets,
    /// Pages that are expensive to render.
    pub(crate) pages: TokenBuckets,
    /// Open connections.
    pub(crate) connections: ConcurrencyLimit,
    /// Open event streams.
    pub(crate) streams: ConcurrencyLimit,
}

impl RateLimits {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            changes: TokenBuckets::new(settings.changes_per_second),
            analysis: TokenBuckets::new(settings.studies_per_second),
            pages: TokenBuckets::new(settings.pages_per_second),
            connections: ConcurrencyLimit::default(),
            streams: ConcurrencyLimit::default(),
        }
    }

    /// Drops the buckets that are full again.
    pub(crate) fn evict_idle(&self, now: Duration) {
        for buckets in [&self.changes, &self.analysis, &self.pages] {
            buckets.evict_idle(now);
        }
    }
}

/// One token bucket per address, with a capacity of ten seconds' worth of tokens.
#[derive(Debug)]
pub(crate) struct TokenBuckets {
    per_second: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

#[derive(Debug)]
struct Bucket {
    tokens: f64,
    refilled: Duration,
    /// Tokens taken since [`TokenBuckets::drain_unreported`].
    unreported: usize,
}

impl TokenBuckets {
    /// Capacity in seconds of refill.
    const BURST_SECONDS: f64 = 10.0;

    /// Creates buckets that refill at `per_second`.
    #[must_use]
    pub(crate) fn new(per_second: f64) -> Self {
        Self {
            per_second,
            buckets: Mutex::default(),
        }
    }

    fn capacity(&self) -> f64 {
        self.per_second * Self::BURST_SECONDS
    }

    /// Takes one token from an address's bucket.
    ///
    /// # Errors
    /// If the bucket is empty, with the time until a token is available.
    pub(crate) fn take(&self, address: IpAddr, now: Duration) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock();
        let bucket = self.refill(&mut buckets, address, now);
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            bucket.unreported += 1;
            return Ok(());
        }
        Err(Duration::from_secs_f64(
            (1.0 - bucket.tokens) / self.per_second,
        ))
    }

    fn refill<'a>(
        &self,
        buckets: &'a mut HashMap<IpAddr, Bucket>,
        address: IpAddr,
        now: Duration,
    ) -> &'a mut Bucket {
        let capacity = self.capacity();
        let bucket = buckets.entry(subnet(address)).or_insert(Bucket {
            tokens: capacity,
            refilled: now,
            unreported: 0,
        });
        let gained = now.saturating_sub(bucket.refilled).as_secs_f64() * self.per_second;
        bucket.tokens = (bucket.tokens + gained).min(capacity);
        bucket.refilled = now;
        bucket
    }

    /// Takes tokens that an address spent at another server. The balance may become
    /// negative, down to one capacity.
    pub(crate) fn charge(&self, address: IpAddr, count: usize, now: Duration) {
        let mut buckets = self.buckets.lock();
        let bucket = self.refill(&mut buckets, address, now);
        bucket.tokens = (bucket.tokens - count as f64).max(-self.capacity());
    }

    /// Returns the tokens that each address took since the previous call.
    pub(crate) fn drain_unreported(&self) -> Vec<(IpAddr, usize)> {
        let mut buckets = self.buckets.lock();
        buckets
            .iter_mut()
            .filter(|(_, bucket)| bucket.unreported > 0)
            .map(|(address, bucket)| (*address, std::mem::take(&mut bucket.unreported)))
            .collect()
    }

    /// Drops the buckets that are full again.
    pub(crate) fn evict_idle(&self, now: Duration) {
        let full = Duration::from_secs_f64(Self::BURST_SECONDS);
        let mut buckets = self.buckets.lock();
        buckets.retain(|_, bucket| now.saturating_sub(bucket.refilled) < full);
    }
}

/// Limits the number of open connections or streams, per address and in total.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConcurrencyLimit(Arc<Mutex<OpenCounts>>);

#[derive(Debug, Default)]
struct OpenCounts {
    by_address: HashMap<IpAddr, usize>,
    total: usize,
}

/// A slot of a [`ConcurrencyLimit`]; released on drop.
#[derive(Debug)]
pub(crate) struct Permit {
    limit: ConcurrencyLimit,
    address: IpAddr,
}

impl ConcurrencyLimit {
    /// Takes a slot, unless `per_address` or `total` slots are taken.
    #[must_use]
    pub(crate) fn acquire(
        &self,
        address: IpAddr,
        per_address: usize,
        total: usize,
    ) -> Option<Permit> {
        let address = subnet(address);
        let mut counts = self.0.lock();
        if counts.total >= total {
            return None;
        }
        let own = counts.by_address.entry(address).or_default();
        if *own >= per_address {
            return None;
        }
        *own += 1;
        counts.total += 1;
        drop(counts);
        Some(Permit {
            limit: self.clone(),
            address,
        })
    }

    /// Returns the number of slots taken.
    #[must_use]
    pub(crate) fn count(&self) -> usize {
        self.0.lock().total
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut counts = self.limit.0.lock();
        counts.total -= 1;
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
    fn a_bucket_allows_a_burst_then_its_rate_and_is_dropped_when_full() {
        let buckets = TokenBuckets::new(2.0);
        let start = Duration::from_secs(1);
        for _ in 0..20 {
            assert!(buckets.take(HERE, start).is_ok());
        }
        let wait = buckets.take(HERE, start).unwrap_err();
        assert_eq!(wait, Duration::from_millis(500));
        assert!(buckets.take(HERE, start + wait).is_ok());
        assert!(buckets.take(HERE, start + wait).is_err());
        assert!(buckets.take("::1".parse().unwrap(), start).is_ok());
        buckets.evict_idle(start + Duration::from_secs(5));
        assert_eq!(buckets.buckets.lock().len(), 2);
        buckets.evict_idle(start + Duration::from_secs(60));
        assert!(buckets.buckets.lock().is_empty());
    }

    #[test]
    fn permits_are_counted_per_network_and_released_on_drop() {
        let open = ConcurrencyLimit::default();
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
