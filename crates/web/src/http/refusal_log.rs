//! Log throttling: refused requests are logged once per address and minute.
//!
//! A refusal costs less than its log line, so a flood of refused requests would otherwise
//! write gigabytes (CWE-779).

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use parking_lot::Mutex;

use crate::subnet::subnet;

/// Interval between two log lines about one address.
const INTERVAL: Duration = Duration::from_secs(60);
/// Maximum number of addresses per interval; further ones are not logged.
const MAX_ADDRESSES: usize = 1000;

/// The addresses that were logged in the last minute.
#[derive(Debug, Default)]
pub(crate) struct RefusalLog(Mutex<HashMap<IpAddr, Duration>>);

impl RefusalLog {
    /// Returns whether a refusal of this address should be logged now.
    pub(crate) fn allows(&self, address: IpAddr, now: Duration) -> bool {
        let address = subnet(address);
        let mut logged = self.0.lock();
        if logged.len() >= MAX_ADDRESSES {
            logged.retain(|_, last| now < *last + INTERVAL);
        }
        let is_due = match logged.get(&address) {
            Some(last) => now >= *last + INTERVAL,
            None => logged.len() < MAX_ADDRESSES,
        };
        if is_due {
            logged.insert(address, now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_logged_once_a_minute_and_few_addresses_are_kept() {
        let log = RefusalLog::default();
        let address = |number: u32| IpAddr::from(number.to_be_bytes());
        let now = Duration::from_secs(100);
        let logged = (0..10_000).filter(|_| log.allows(address(1), now)).count();
        assert_eq!(logged, 1);
        assert!(!log.allows(address(1), now + INTERVAL / 2));
        assert!(log.allows(address(1), now + INTERVAL));
        let logged = (0..10_000).filter(|&n| log.allows(address(n), now)).count();
        assert_eq!(logged, MAX_ADDRESSES - 1);
        assert_eq!(log.0.lock().len(), MAX_ADDRESSES);
        assert!(
            log.allows(address(5000), now + 3 * INTERVAL),
            "others expired"
        );
    }
}
