//! Jobs in flight per client address, here and at other servers.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::subnet::subnet;

/// A server that has been silent for this long is considered down, and its jobs are ignored.
const PEER_TIMEOUT: Duration = Duration::from_secs(10);

/// The kind of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum JobKind {
    /// Proofs.
    Proof,
    /// Game reviews.
    Review,
}

type Counts = HashMap<(JobKind, IpAddr), usize>;

/// Counts jobs in flight.
#[derive(Debug, Default)]
pub(crate) struct InFlightJobs {
    local: Mutex<Counts>,
    peers: Mutex<HashMap<String, Peer>>,
}

/// The latest broadcast of another server.
#[derive(Debug, Default)]
struct Peer {
    heard: Duration,
    round: u64,
    counts: Counts,
}

/// A job in flight; dropping it ends the job.
#[derive(Debug)]
pub(crate) struct InFlightGuard {
    jobs: Arc<InFlightJobs>,
    key: (JobKind, IpAddr),
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut local = self.jobs.local.lock();
        if let Some(count) = local.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                local.remove(&self.key);
            }
        }
    }
}

impl InFlightJobs {
    /// Counts a job, unless the client has `limit` of this kind in flight on all servers.
    pub(crate) fn acquire(
        self: &Arc<Self>,
        kind: JobKind,
        address: IpAddr,
        limit: usize,
        now: Duration,
    ) -> Option<InFlightGuard> {
        let key = (kind, subnet(address));
        let elsewhere = self.count_at_peers(key, now);
        let mut local = self.local.lock();
        let count = local.get(&key).copied().unwrap_or(0);
        if count + elsewhere >= limit {
            return None;
        }
        local.insert(key, count + 1);
        drop(local);
        Some(InFlightGuard {
            jobs: Arc::clone(self),
            key,
        })
    }

    fn count_at_peers(&self, key: (JobKind, IpAddr), now: Duration) -> usize {
        let mut peers = self.peers.lock();
        peers.retain(|_, peer| now.saturating_sub(peer.heard) < PEER_TIMEOUT);
        peers
            .values()
            .filter_map(|peer| peer.counts.get(&key))
            .sum()
    }

    /// Returns the number of local jobs of a client.
    pub(crate) fn count(&self, kind: JobKind, address: IpAddr) -> usize {
        let key = (kind, subnet(address));
        self.local.lock().get(&key).copied().unwrap_or(0)
    }

    /// Returns the number of local jobs per address.
    pub(crate) fn by_address(&self, kind: JobKind) -> Vec<(IpAddr, usize)> {
        let local = self.local.lock();
        local
            .iter()
            .filter(|((known, _), _)| *known == kind)
            .map(|((_, address), count)| (*address, *count))
            .collect()
    }

    /// Records a broadcast of another server. A new round drops its earlier counts.
    pub(crate) fn begin_round(&self, server: &str, round: u64, now: Duration) {
        let mut peers = self.peers.lock();
        let peer = peers.entry(server.to_owned()).or_default();
        peer.heard = now;
        if peer.round != round {
            peer.round = round;
            peer.counts.clear();
        }
    }

    /// Records a count in the current round of another server.
    pub(crate) fn set_peer(&self, server: &str, kind: JobKind, address: IpAddr, count: usize) {
        let mut peers = self.peers.lock();
        let peer = peers.entry(server.to_owned()).or_default();
        peer.counts.insert((kind, subnet(address)), count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_at_other_servers_count_until_they_end_or_the_server_is_silent() {
        let jobs = Arc::new(InFlightJobs::default());
        let address = IpAddr::from([192, 0, 2, 1]);
        let now = Duration::from_secs(100);
        let acquire = |now| jobs.acquire(JobKind::Proof, address, 2, now);
        let local = acquire(now).unwrap();
        let report = |round, kind| {
            jobs.begin_round("a", round, now);
            jobs.set_peer("a", kind, address, 1);
        };
        report(1, JobKind::Proof);
        assert!(acquire(now).is_none());
        assert!(acquire(now + PEER_TIMEOUT).is_some(), "it is silent");
        report(1, JobKind::Proof);
        assert!(acquire(now).is_none());
        report(2, JobKind::Review);
        assert!(acquire(now).is_some(), "its next round has no proofs");
        drop(local);
        assert_eq!(jobs.count(JobKind::Proof, address), 0);
    }
}
