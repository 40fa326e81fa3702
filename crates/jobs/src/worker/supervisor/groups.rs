//! The groups that a worker knows: which of them it can serve.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Accepted, Group, GroupState, RELEASE_DELAY, Supervisor};
use crate::Digest;
use crate::backoff::jitter;
use crate::record::GroupRecord;
use crate::transport::{Completion, Queue};
use crate::worker::{Input, Shared};

impl Supervisor {
    pub(super) fn sync_groups(&mut self) {
        if self.is_syncing {
            return;
        }
        self.is_syncing = true;
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            let groups = loop {
                match shared.transport.groups().await {
                    Ok(groups) => break groups,
                    Err(error) => {
                        shared.options.notice.say(&error.to_string());
                        tokio::time::sleep(jitter(RELEASE_DELAY)).await;
                    }
                }
            };
            let _ = shared.inputs.send(Input::Groups(groups));
        });
    }

    pub(super) fn enter_groups(&mut self, groups: Vec<GroupRecord>) {
        self.is_syncing = false;
        let open: HashSet<String> = groups.iter().map(|record| record.name.clone()).collect();
        let closed: Vec<String> = self
            .groups
            .keys()
            .filter(|name| !open.contains(*name))
            .cloned()
            .collect();
        for name in closed {
            self.close(&name);
        }
        for record in groups {
            self.open(record);
        }
        self.unpark();
        // A group that is still unknown is closed.
        for held in std::mem::take(&mut self.parked) {
            if self.groups.contains_key(&held.delivery.address.group) {
                self.parked.push(held);
            } else {
                self.complete(Arc::new(held.delivery), Completion::Discard);
            }
        }
    }

    pub(super) fn open(&mut self, record: GroupRecord) {
        let known = self.groups.get(&record.name);
        let is_settled = known.is_some_and(|known| {
            let may_change = matches!(
                known.state,
                GroupState::Declined {
                    may_change: true,
                    ..
                }
            );
            known.record.route == record.route && !may_change
        });
        if is_settled {
            return;
        }
        if known.is_none() {
            let group = Group {
                record: record.clone(),
                state: GroupState::Checking,
            };
            self.groups.insert(record.name.clone(), group);
        }
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            let checked = check(&shared, &record).await;
            let _ = shared.inputs.send(Input::Checked(record, checked));
        });
    }

    pub(super) fn enter_checked(
        &mut self,
        record: &GroupRecord,
        checked: Result<Accepted, String>,
    ) {
        let Some(group) = self.groups.get_mut(&record.name) else {
            return;
        };
        match checked {
            Ok(accepted) => {
                group.state = GroupState::Accepted(accepted);
                self.update_queues();
            }
            Err(reason) => self.decline(&record.name, &reason, true),
        }
        self.unpark();
    }

    pub(super) fn close(&mut self, name: &str) {
        if self.groups.remove(name).is_none() {
            return;
        }
        self.stop_jobs(|delivery| delivery.address.group == name);
        for ready in &mut self.ready {
            ready.retain(|held| held.delivery.address.group != name);
        }
        self.update_queues();
    }

    pub(super) fn decline(&mut self, name: &str, new_reason: &str, may_change: bool) {
        let Some(group) = self.groups.get_mut(name) else {
            return;
        };
        let is_new = match &group.state {
            GroupState::Declined { reason, .. } => reason != new_reason,
            _ => true,
        };
        group.state = GroupState::Declined {
            reason: new_reason.to_owned(),
            may_change,
        };
        if is_new {
            self.say(&format!("cannot run jobs of {name}: {new_reason}"));
        }
        self.update_queues();
    }

    /// Pulls from the queues of all groups that can be served.
    pub(super) fn update_queues(&self) {
        let mut queues: Vec<Queue> = Vec::new();
        let mut declined: HashSet<Digest> = HashSet::new();
        for group in self.groups.values() {
            let route = group.record.route;
            match group.state {
                GroupState::Accepted(_) => {
                    let classes = group.record.classes.iter();
                    queues.extend(classes.map(|&class| Queue { class, route }));
                }
                GroupState::Declined { .. } => {
                    declined.insert(route);
                }
                GroupState::Checking => {}
            }
        }
        // Groups with the same needs share a queue: one that cannot run here spoils it.
        queues.retain(|queue| !declined.contains(&queue.route));
        queues.sort_unstable();
        queues.dedup();
        let changed = self.shared.queues.send_if_modified(|current| {
            let is_new = *current != queues;
            *current = queues;
            is_new
        });
        if changed {
            self.shared.cancel.notify_one();
            // Producers count the workers of their route.
            let (shared, record) = (Arc::clone(&self.shared), self.record());
            tokio::spawn(async move {
                // The next report repeats it.
                let _ = shared.transport.announce(&record).await;
            });
        }
    }
}

/// Whether jobs of a group can be reproduced here.
async fn check(shared: &Arc<Shared>, record: &GroupRecord) -> Result<Accepted, String> {
    let body = shared.transport.group_body(record).await;
    let body: Arc<[u8]> = body.map_err(|error| error.to_string())?.into();
    let shared = Arc::clone(shared);
    let record = record.clone();
    // Digests of engine programs are computed from whole files.
    let checked = tokio::task::spawn_blocking(move || {
        let GroupRecord {
            kind, route, needs, ..
        } = &record;
        let kind = shared.kinds.accept(kind, *route, needs, &body)?;
        let limit = kind.time_limit(&body)?;
        Ok(Accepted { kind, body, limit })
    });
    checked
        .await
        .unwrap_or_else(|_| Err("the check of its requirements panicked".into()))
}
