//! Fuzz targets for messages between machines: records of groups and workers, digests,
//! addresses of job servers.

use std::str::FromStr;

use papan_jobs::serde_json::{self, Value};
use papan_jobs::{Digest, GroupRecord, JobsAddress, WorkerRecord};

use crate::{Target, text, texts};

/// A digest in the seeds.
const DIGEST: &str = "9f86d081884c7d659a2feaa0c55ad015";

/// Reads a record, writes it, and asserts that reading that gives the same.
macro_rules! round_trip {
    ($type:ty, $bytes:expr) => {
        if let Ok(record) = serde_json::from_slice::<$type>($bytes) {
            let written = serde_json::to_vec(&record).expect("plain data becomes JSON");
            let again: $type = serde_json::from_slice(&written).expect("a written record is valid");
            assert_eq!(again, record);
        }
    };
}

pub(crate) const RECORDS: Target = Target {
    name: "job_records",
    seeds: || {
        let digest = Digest::of(DIGEST.as_bytes()).to_string();
        let group = serde_json::json!({
            "name": "arena-1",
            "kind": "arena",
            "route": digest,
            "needs": ["papan 0.2.0", "engine x"],
            "classes": ["page", "bulk"],
            "interactive": true,
            "command": "papan arena",
            "opened": 1_700_000_000_u64,
            "body": { "digest": digest, "chunks": 3 },
        });
        let worker = serde_json::json!({
            "name": "a-1",
            "version": "0.2.0",
            "threads": 4,
            "done": 17,
            "started": 1_700_000_000_u64,
            "routes": [digest],
            "running": ["arena-1"],
            "declined": [{ "group": "arena-2", "reason": "no engine x" }],
            "draining": false,
        });
        [group, worker]
            .iter()
            .map(|record: &Value| record.to_string().into_bytes())
            .collect()
    },
    run: |bytes| {
        round_trip!(GroupRecord, bytes);
        round_trip!(WorkerRecord, bytes);
    },
    cases: 10_000,
};

pub(crate) const ADDRESSES: Target = Target {
    name: "job_addresses",
    seeds: || {
        let mut seeds = texts(&[
            "local",
            "nats://127.0.0.1:4222",
            "nats://user:password@[::1]:4222,other.example:4223/prefix",
            "tls://jobs.example?creds=a.creds",
        ]);
        seeds.push(Digest::of(DIGEST.as_bytes()).to_string().into_bytes());
        seeds
    },
    run: |bytes| {
        let text = text(bytes);
        // The text of an address has no password, so it is only written.
        if let Ok(address) = JobsAddress::from_str(&text) {
            let _ = address.to_string();
        }
        if let Ok(digest) = Digest::from_str(&text) {
            assert_eq!(Digest::from_str(&digest.to_string()), Ok(digest));
        }
    },
    cases: 10_000,
};
