//! Fuzz targets for messages between machines: records of groups and workers, digests,
//! addresses of job servers, jobs and results.

use std::str::FromStr;
use std::sync::Arc;

use papan_analysis::job::{Analyses, AnalysisGroup, AnalysisJob, AnalysisOutput};
use papan_analysis::leaf::{LeafGroup, LeafJob, LeafOutput, ProofLeaves};
use papan_analysis::leaf_journal::{LeafJournalFile, encode, head};
use papan_arena::{Batch, PlayedBatch, Tournament, TournamentGames};
use papan_jobs::serde_json::{self, Value};
use papan_jobs::{Digest, GroupRecord, JobKind, JobsAddress, Payload, WorkerRecord};

use papan_rules::Player;
use papan_strategies::Watch;

use crate::{Target, text, texts};

/// A digest in the seeds.
const DIGEST: &str = "9f86d081884c7d659a2feaa0c55ad015";

/// Game and position of the journals.
const JOURNAL: (&str, &str) = ("tictactoe", "X-------- O");

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

/// A tournament of which the batch of [`GAMES`] is one.
const TOURNAMENT: &str = r#"{"game":"tictactoe","players":["greedy","random"],"limits":"","margin_ns":0,"patience_ns":0,"seed":1,"timed":false,"draw_after":null,"exact":null,"agreement":null,"openings":[""]}"#;
/// Its first two games.
const BATCH: &str = "0 0 0 1 0\n1 0 1 0 0\n";

pub(crate) const GAMES: Target = Target {
    name: "job_games",
    seeds: || {
        let games = [0_u8, 3, 5, 9, 40, 4, 7, 30, 9, 5, 1, 9, 2, 3, 7, 4, 6, 8];
        let played: Vec<u8> = [0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 18]
            .into_iter()
            .chain(games)
            .collect();
        let mut seeds = texts(&[TOURNAMENT, BATCH]);
        seeds.push(played);
        seeds
    },
    run: |bytes| {
        if let Ok(tournament) = Tournament::from_bytes(bytes) {
            let again = Tournament::from_bytes(&tournament.to_bytes());
            assert!(again.is_ok(), "a written tournament is valid");
        }
        if let Ok(batch) = Batch::from_bytes(bytes) {
            assert_eq!(Batch::from_bytes(&batch.to_bytes()), Ok(batch));
        }
        if let Ok(played) = PlayedBatch::from_bytes(bytes) {
            let tournament = Tournament::from_text(TOURNAMENT).expect("a valid tournament");
            let batch = BATCH.parse().expect("a valid batch");
            let _ = TournamentGames::verify(&tournament, &batch, &played);
        }
    },
    cases: 3000,
};

pub(crate) const ANALYSES: Target = Target {
    name: "job_analyses",
    seeds: || {
        let job = serde_json::json!({
            "position": {
                "game": "tictactoe",
                "start": null,
                "moves": ["5", "1"],
                "strategy": "engine",
                "milliseconds": 100,
                "near-end": true,
            },
        });
        let error = serde_json::json!({ "Err": "no-move" });
        vec![job.to_string().into(), error.to_string().into()]
    },
    run: |bytes| {
        let text = text(bytes);
        if let Ok(job) = AnalysisJob::read(&text) {
            let again = AnalysisJob::read(&job.to_json()).map(|again| again.to_json());
            assert_eq!(again, Ok(job.to_json()));
        }
        let job = AnalysisJob::Position {
            game: "tictactoe".into(),
            start: None,
            moves: vec!["5".into(), "1".into()],
            strategy: "engine".into(),
            milliseconds: 1,
            near_end: true,
        };
        let _ = Analyses::verify(&AnalysisGroup {}, &job, &AnalysisOutput(bytes.to_vec()));
    },
    cases: 3000,
};

pub(crate) const LEAVES: Target = Target {
    name: "job_leaves",
    seeds: || {
        let group = LeafGroup {
            game: "tictactoe:4x4:3".into(),
            root: "---------------- X".into(),
            attacker: Player::First.into(),
            rounds: 1,
            wins_only: false,
        };
        let job = LeafJob(group.root.clone());
        let watch = Arc::new(Watch::default());
        let solved = ProofLeaves::start(&group)
            .and_then(|mut session| ProofLeaves::run(&mut session, &job, &watch))
            .expect("the first player wins");
        vec![group.to_bytes(), solved.0]
    },
    run: |bytes| {
        let _ = LeafGroup::from_bytes(bytes);
        let group = LeafGroup {
            game: "tictactoe:4x4:3".into(),
            root: "---------------- X".into(),
            attacker: Player::First.into(),
            rounds: 1,
            wins_only: false,
        };
        let job = LeafJob(group.root.clone());
        // A proof with impossible moves is refused by catching the panic of its writer; libFuzzer's
        // hook would abort before.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let verified = ProofLeaves::verify(&group, &job, &LeafOutput(bytes.to_vec()));
        std::panic::set_hook(hook);
        drop(verified);
    },
    cases: 3000,
};

pub(crate) const LEAF_JOURNALS: Target = Target {
    name: "leaf_journals",
    seeds: || {
        let records = [("X-------- O", &[0][..]), ("root", &b"a certificate"[..])];
        let records = records.map(|(job, result)| encode(&(job.into(), result.into())));
        let (game, position) = JOURNAL;
        let open = [head(game, position, None), records.concat()].concat();
        let cut = open[..open.len() - 1].to_vec();
        let concluded = [head(game, position, Some(7)), records[1].clone()].concat();
        vec![open, cut, concluded]
    },
    run: |bytes| {
        let (game, position) = JOURNAL;
        let Ok(file) = LeafJournalFile::parse(bytes, game, position) else {
            return;
        };
        let kept = &bytes[..file.length];
        assert_eq!(
            LeafJournalFile::parse(kept, game, position).as_ref(),
            Ok(&file)
        );
        let records: Vec<u8> = file.records.iter().flat_map(encode).collect();
        let written = [head(game, position, file.replaced), records].concat();
        let read = LeafJournalFile::parse(&written, game, position).expect("it was written");
        assert_eq!((read.replaced, read.records), (file.replaced, file.records));
        assert_eq!(read.length, written.len());
    },
    cases: 3000,
};
