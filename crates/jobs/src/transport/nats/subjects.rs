//! NATS subjects: the tree of names that messages are published under.
//!
//! Reference: <https://docs.nats.io/nats-concepts/subjects>

use crate::record::{GroupRecord, JobAddress};
use crate::transport::{Event, Interest, Queue};
use crate::{Class, Digest};

/// Where openings and closings of groups are announced.
pub(super) const GROUPS_CHANGED: &str = "notify.groups";

pub(super) fn job(address: &JobAddress) -> String {
    let JobAddress {
        route,
        class,
        group,
        key,
    } = address;
    format!("jobs.{route}.{}.{group}.{key}", class.name())
}

/// Reads what [`job`] wrote.
pub(super) fn parse_job(subject: &str) -> Option<JobAddress> {
    let tokens: Vec<&str> = subject.split('.').collect();
    let ["jobs", route, class, group, key] = tokens[..] else {
        return None;
    };
    Some(JobAddress {
        route: route.parse().ok()?,
        class: Class::from_name(class)?,
        group: group.to_owned(),
        key: key.parse().ok()?,
    })
}

/// All jobs of a queue.
pub(super) fn queue(queue: Queue) -> String {
    format!("jobs.{}.{}.>", queue.route, queue.class.name())
}

pub(super) fn jobs_of(route: Digest, group: &str) -> String {
    format!("jobs.{route}.*.{group}.>")
}

pub(super) fn jobs_of_any_route(group: &str) -> String {
    format!("jobs.*.*.{group}.>")
}

pub(super) fn job_of_any_class(route: Digest, group: &str, key: Digest) -> String {
    format!("jobs.{route}.*.{group}.{key}")
}

pub(super) fn result(group: &str, key: Digest) -> String {
    format!("results.{group}.{key}")
}

pub(super) fn results_of(group: &str) -> String {
    format!("results.{group}.>")
}

pub(super) fn parse_result(subject: &str) -> Option<(String, Digest)> {
    group_and_key(subject.strip_prefix("results.")?)
}

pub(super) fn dead(group: &str, key: Digest) -> String {
    format!("dead.{group}.{key}")
}

pub(super) fn dead_of(group: &str) -> String {
    format!("dead.{group}.*")
}

pub(super) fn parse_dead(subject: &str) -> Option<(String, Digest)> {
    group_and_key(subject.strip_prefix("dead.")?)
}

fn group_and_key(tokens: &str) -> Option<(String, Digest)> {
    let (group, key) = tokens.split_once('.')?;
    Some((group.to_owned(), key.parse().ok()?))
}

pub(super) fn blob(digest: Digest, chunk: u32) -> String {
    format!("blobs.{digest}.{chunk}")
}

pub(super) fn chunks_of(digest: Digest) -> String {
    format!("blobs.{digest}.*")
}

/// The key of a group in the bucket `GROUPS`.
pub(super) fn group(name: &str) -> String {
    format!("$KV.GROUPS.{name}")
}

/// The key of a worker in the bucket `WORKERS`.
pub(super) fn worker(name: &str) -> String {
    format!("$KV.WORKERS.{}", token(name))
}

pub(super) fn withdrawn(group: &str) -> String {
    format!("notify.withdrawn.{group}")
}

/// Where replies to the requests of a user arrive.
pub(super) fn inbox(user: &str) -> String {
    format!("_INBOX_{}", token(user))
}

/// Turns a text into one token of a subject: anything but letters, digits, hyphens and underscores
/// becomes a hyphen.
pub(super) fn token(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.chars()
        .map(|c| if plain(c) { c } else { '-' })
        .collect()
}

/// The subjects to subscribe to.
pub(super) fn of_interest(interest: &Interest) -> Vec<String> {
    match interest {
        Interest::Worker(name) => vec![
            GROUPS_CHANGED.into(),
            "notify.withdrawn.*".into(),
            format!("notify.distrusted.{}", token(name)),
        ],
        Interest::Group(group) => vec![
            format!("notify.progress.{group}.*"),
            format!("notify.finished.{group}.*"),
        ],
    }
}

/// The subject and payload of an event about a group.
pub(super) fn event(group: &str, event: &Event) -> Option<(String, Vec<u8>)> {
    match event {
        Event::Progress(key, nodes) => Some((
            format!("notify.progress.{group}.{key}"),
            nodes.to_string().into_bytes(),
        )),
        Event::Finished(key) => Some((format!("notify.finished.{group}.{key}"), Vec::new())),
        Event::Distrusted { worker, reason, .. } => Some((
            format!("notify.distrusted.{}", token(worker)),
            serde_json::to_vec(&(worker, group, reason)).expect("texts become JSON"),
        )),
        // Sent where they happen.
        Event::Opened(_) | Event::Closed(_) | Event::Withdrawn(..) | Event::Reconnected => None,
    }
}

/// Reads an event; `None` for anything else.
pub(super) fn parse_event(subject: &str, payload: &[u8]) -> Option<Event> {
    let tokens: Vec<&str> = subject.split('.').collect();
    match tokens[..] {
        ["notify", "groups"] => {
            if let Ok(record) = serde_json::from_slice::<GroupRecord>(payload) {
                return Some(Event::Opened(record));
            }
            serde_json::from_slice(payload).ok().map(Event::Closed)
        }
        ["notify", "withdrawn", group] => {
            let keys = serde_json::from_slice(payload).ok()?;
            Some(Event::Withdrawn(group.to_owned(), keys))
        }
        ["notify", "distrusted", _] => {
            let (worker, group, reason) = serde_json::from_slice(payload).ok()?;
            Some(Event::Distrusted {
                worker,
                group,
                reason,
            })
        }
        ["notify", "progress", _, key] => {
            let nodes = std::str::from_utf8(payload).ok()?.parse().ok()?;
            Some(Event::Progress(key.parse().ok()?, nodes))
        }
        ["notify", "finished", _, key] => Some(Event::Finished(key.parse().ok()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_read_as_they_were_written() {
        let address = JobAddress {
            route: Digest::of(b"route"),
            class: Class::Page,
            group: "games-1234".into(),
            key: Digest::of(b"job"),
        };
        assert_eq!(parse_job(&job(&address)), Some(address.clone()));
        assert_eq!(parse_job("jobs.x.page.g.k"), None);
        let (group, key) = ("games-1234", Digest::of(b"job"));
        let pair = Some((group.to_owned(), key));
        assert_eq!(parse_result(&result(group, key)), pair);
        assert_eq!(parse_dead(&dead(group, key)), pair);
        for sent in [
            Event::Progress(key, 12),
            Event::Finished(key),
            Event::Distrusted {
                worker: "a.b c".into(),
                group: group.into(),
                reason: "because".into(),
            },
        ] {
            let (subject, payload) = event(group, &sent).unwrap();
            assert_eq!(parse_event(&subject, &payload), Some(sent));
        }
        assert_eq!(token("a.b c>*"), "a-b-c--");
    }
}
