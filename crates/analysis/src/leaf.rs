//! Job-level proof-number search with leaves solved by workers.
//!
//! A leaf carries its proof, which the certificate checker verifies before it enters the tree: a
//! false result is dropped and its leaf is searched again. A worker that leaves a leaf open without
//! need makes the tree larger and the value no less certain.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use papan_catalog::{AnyGame, AnyGrid, AnyLine};
use papan_jobs::{Connection, JobKind, JobsError, Notice, Payload, Producer};
use papan_solve::{ClaimFile, JobLevelSearch, LeafError, LeafQuery, TreeSize};
use papan_strategies::{StopToken, Watch};
use serde::{Deserialize, Serialize};

use crate::side::Side;

/// How long to wait for results before the tree is looked at again.
const RESULT_WAIT: Duration = Duration::from_millis(500);

/// The query that all leaves of a proof share.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeafGroup {
    /// Name of the game.
    pub game: String,
    /// The position of the query; leaves of different queries do not mix.
    pub root: String,
    /// The player whose win is searched for.
    pub attacker: Side,
    /// Effort per leaf, in rounds of iterative widening.
    pub rounds: u32,
    /// Whether leaves are not searched for draws.
    #[serde(default)]
    pub wins_only: bool,
}

papan_jobs::json_payload!(LeafGroup);

/// The position of a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafJob(pub String);

impl Payload for LeafJob {
    fn to_bytes(&self) -> Vec<u8> {
        self.0.clone().into_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        Ok(Self(text.to_owned()))
    }
}

/// The encoded result of a leaf, with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafOutput(pub Vec<u8>);

impl Payload for LeafOutput {
    fn to_bytes(&self) -> Vec<u8> {
        self.0.clone()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        Ok(Self(bytes.to_vec()))
    }
}

/// Leaves of job-level proof-number search as jobs.
pub struct ProofLeaves;

/// A grid and the query about it.
pub struct LeafSession {
    grid: AnyGrid,
    query: LeafQuery,
}

fn session(group: &LeafGroup) -> Result<LeafSession, String> {
    let game: AnyGame = group.game.parse().map_err(|error| format!("{error}"))?;
    Ok(LeafSession {
        grid: game.as_grid().ok_or("the game is not k in a row")?,
        query: LeafQuery {
            attacker: group.attacker.into(),
            rounds: group.rounds,
            wins_only: group.wins_only,
        },
    })
}

impl JobKind for ProofLeaves {
    const NAME: &'static str = "leaves";
    type Group = LeafGroup;
    type Job = LeafJob;
    type Output = LeafOutput;
    type Session = LeafSession;

    fn requirements(_: &LeafGroup) -> Vec<String> {
        // The Othello weights do not matter for k in a row.
        vec![format!("papan {}", papan_jobs::code_version())]
    }

    fn start(group: &LeafGroup) -> Result<LeafSession, String> {
        session(group)
    }

    fn run(
        session: &mut LeafSession,
        job: &LeafJob,
        watch: &Arc<Watch>,
    ) -> Result<LeafOutput, String> {
        let LeafSession { grid, query } = session;
        let solved = grid.solve_leaf(&job.0, *query, &watch.stop);
        solved.map(LeafOutput).map_err(|error| error.to_string())
    }

    fn verify(group: &LeafGroup, job: &LeafJob, output: &LeafOutput) -> Result<(), String> {
        let session = session(group)?;
        let attacker = session.query.attacker;
        let checked = session.grid.check_leaf(&job.0, attacker, &output.0);
        checked.map_err(|error| error.to_string())
    }
}

/// A proved value with its certificate, which has been checked.
pub struct JobLevelProof {
    /// Whether the player to move wins; otherwise the opponent at least draws.
    pub wins: bool,
    /// The certificate.
    pub certificate: Vec<u8>,
    /// What it states.
    pub claims: ClaimFile,
    /// The size of the tree.
    pub size: TreeSize,
    /// The result of the query as that of a leaf, if the player to move wins.
    pub result: Option<LeafRecord>,
}

/// A job and its result, as bytes.
pub type LeafRecord = (String, Vec<u8>);

/// What is known before a job-level search begins.
#[derive(Default)]
pub struct EarlierResults {
    /// Results of its leaves, in the order in which they arrived.
    pub leaves: Vec<LeafRecord>,
    /// Results of similar queries.
    pub similar: Vec<LeafRecord>,
}

/// A job-level search that runs.
pub trait JobLevelObserver {
    /// Is given all new results of leaves.
    ///
    /// # Errors
    /// If they cannot be kept; the search ends.
    fn results(&mut self, records: &[LeafRecord]) -> io::Result<()>;
    /// Is called regularly; [`ControlFlow::Break`] ends the search.
    fn progress(&mut self, size: &TreeSize) -> ControlFlow<()>;
}

/// Why a job-level search has no result.
#[derive(Debug, thiserror::Error)]
pub enum JobLevelError {
    /// The game is over, or not k in a row.
    #[error("--jobs requires an unfinished k-in-a-row game")]
    Unsupported,
    /// It was stopped.
    #[error("stopped")]
    Stopped,
    /// The job server refused a request.
    #[error(transparent)]
    Jobs(#[from] JobsError),
    /// The tree does not prove its value. Each leaf was checked, so this is a bug.
    #[error("the certificate is invalid: {0}")]
    Invalid(String),
    /// An earlier result is damaged.
    #[error("an earlier result cannot be used: {0}")]
    Earlier(#[from] LeafError),
    /// A result could not be kept.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// How workers prove a value.
pub struct JobLevelOptions<'a> {
    /// The server that jobs go through.
    pub connection: &'a Connection,
    /// The command, for lists of groups.
    pub command: &'a str,
    /// Effort per leaf, in rounds of iterative widening.
    pub rounds: u32,
    /// Whether leaves are not searched for draws.
    pub wins_only: bool,
    /// Searches that share the workers.
    pub at_once: usize,
    /// Where messages for the user go.
    pub notice: Notice,
    /// Ends the search: jobs are withdrawn, results stay on the server.
    pub stop: &'a StopToken,
}

/// Proves either that the player to move wins or that the opponent at least draws. The results on
/// the server determine the tree with the earlier ones, so an interrupted proof continues when it is
/// started again. `None` if the observer ends the search.
///
/// # Errors
/// When the game is not supported, an earlier result is damaged, a new one cannot be kept, or the job
/// server refuses a request.
pub fn prove_by_jobs(
    game: &AnyGame,
    line: &dyn AnyLine,
    options: JobLevelOptions<'_>,
    earlier: &EarlierResults,
    observer: &mut dyn JobLevelObserver,
) -> Result<Option<JobLevelProof>, JobLevelError> {
    let grid = game.as_grid().ok_or(JobLevelError::Unsupported)?;
    let search = grid.job_level_search(line);
    let mut search = search.ok_or(JobLevelError::Unsupported)?;
    search.learn(&earlier.similar)?;
    for (job, result) in &earlier.leaves {
        search.add_result(job, result)?;
    }
    // The server may still have them.
    let known: HashSet<&str> = earlier.leaves.iter().map(|(job, _)| job.as_str()).collect();
    let group = LeafGroup {
        game: game.name(),
        root: line.position_text(),
        attacker: line.turn().into(),
        rounds: options.rounds,
        wins_only: options.wins_only,
    };
    let mut producer =
        Producer::<ProofLeaves>::begin(options.connection, group, options.command, options.notice)?;
    while search.verdict().is_none() {
        if options.stop.is_stopped() {
            producer.withdraw_all()?;
            return Err(JobLevelError::Stopped);
        }
        if observer.progress(&search.size()).is_break() {
            producer.end()?;
            return Ok(None);
        }
        submit_leaves(&mut producer, &mut *search, options.at_once)?;
        let finished = producer.results(RESULT_WAIT)?.into_iter();
        let records = finished.map(|finished| (finished.job.0, finished.output.0));
        let records: Vec<LeafRecord> = records
            .filter(|(job, _)| !known.contains(job.as_str()))
            .collect();
        if !records.is_empty() {
            observer.results(&records)?;
        }
        for record in records {
            let added = search.add_result(&record.0, &record.1);
            added.expect("a verified result can be read");
        }
        withdraw_solved(&mut producer, &mut *search)?;
    }
    let wins = search.verdict() == Some(true);
    let invalid = |reason: String| JobLevelError::Invalid(reason);
    let certificate = search.certificate();
    let certificate = certificate.ok_or_else(|| invalid("it is incomplete".into()))?;
    let checked = grid.check_claims(&certificate);
    let claims = checked.map_err(|error| invalid(error.to_string()))?;
    producer.end()?;
    let result = search.root_result();
    Ok(Some(JobLevelProof {
        wins,
        certificate,
        claims,
        size: search.size(),
        result: result.map(|result| (search.root_job(), result)),
    }))
}

/// Keeps all workers busy with the most proving leaves.
fn submit_leaves(
    producer: &mut Producer<ProofLeaves>,
    search: &mut dyn JobLevelSearch,
    at_once: usize,
) -> Result<(), JobsError> {
    let target = producer.target_in_flight().div_ceil(at_once);
    let free = target.saturating_sub(producer.in_flight());
    let mut jobs = Vec::new();
    while jobs.len() < free
        && let Some(position) = search.next_job()
    {
        jobs.push(LeafJob(position));
    }
    producer.submit(&jobs)
}

/// Stops leaves that were solved by other proofs meanwhile.
fn withdraw_solved(
    producer: &mut Producer<ProofLeaves>,
    search: &mut dyn JobLevelSearch,
) -> Result<(), JobsError> {
    let solved = search.take_solved_jobs();
    if solved.is_empty() {
        return Ok(());
    }
    let jobs: Vec<LeafJob> = solved.into_iter().map(LeafJob).collect();
    producer.withdraw(&jobs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_jobs::{Kinds, Worker, WorkerOptions};

    struct NoObserver;

    impl JobLevelObserver for NoObserver {
        fn results(&mut self, _: &[LeafRecord]) -> io::Result<()> {
            Ok(())
        }

        fn progress(&mut self, _: &TreeSize) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    fn proof(connection: &Connection, game: &str) -> JobLevelProof {
        let game: AnyGame = game.parse().unwrap();
        let options = JobLevelOptions {
            connection,
            command: "a test",
            rounds: 1,
            wins_only: false,
            at_once: 1,
            notice: Notice::none(),
            stop: &StopToken::default(),
        };
        let earlier = EarlierResults::default();
        let proof = prove_by_jobs(&game, &*game.line(), options, &earlier, &mut NoObserver);
        proof
            .unwrap()
            .expect("the observer does not end the search")
    }

    #[test]
    fn leaves_that_others_make_superfluous_are_withdrawn_while_the_search_runs() {
        let connection = Connection::local().unwrap();
        let game: AnyGame = "tictactoe".parse().unwrap();
        let group = LeafGroup {
            game: game.name(),
            root: game.line().position_text(),
            attacker: Side::First,
            rounds: 0,
            wins_only: false,
        };
        let mut session = ProofLeaves::start(&group).unwrap();
        let watch = Arc::new(Watch::default());
        let mut search = game
            .as_grid()
            .unwrap()
            .job_level_search(&*game.line())
            .unwrap();
        // Without a worker jobs leave the queue by withdrawal alone.
        let mut producer =
            Producer::<ProofLeaves>::begin(&connection, group, "a test", Notice::none()).unwrap();
        let mut withdrawn = 0;
        let mut waiting = Vec::new();
        while search.verdict().is_none() {
            while waiting.len() < 5
                && let Some(position) = search.next_job()
            {
                let job = LeafJob(position);
                producer.submit(std::slice::from_ref(&job)).unwrap();
                waiting.push(job);
            }
            // One that was withdrawn is of no use, and does no harm.
            let job = waiting.pop().expect("an open leaf");
            let output = ProofLeaves::run(&mut session, &job, &watch).unwrap();
            search.add_result(&job.0, &output.0).unwrap();
            producer.withdraw(&[job]).unwrap();
            let before = producer.in_flight();
            withdraw_solved(&mut producer, &mut *search).unwrap();
            if search.verdict().is_none() {
                withdrawn += before - producer.in_flight();
            }
        }
        assert_eq!(producer.in_flight(), 0, "the root is solved");
        assert!(withdrawn > 0);
    }

    #[test]
    fn workers_prove_wins_and_draws_and_lies_do_not_verify() {
        let connection = Connection::local().unwrap();
        let kinds = Kinds::new().with::<ProofLeaves>();
        let options = WorkerOptions::named("one").threads(2);
        let _worker = Worker::start(&connection, kinds, options).unwrap();
        assert!(proof(&connection, "tictactoe:4x4:3").wins);
        assert!(!proof(&connection, "tictactoe").wins);
        let group = LeafGroup {
            game: "tictactoe:4x4:3".into(),
            root: String::new(),
            attacker: Side::First,
            rounds: 1,
            wins_only: false,
        };
        let game: AnyGame = group.game.parse().unwrap();
        let job = LeafJob(game.line().position_text());
        let mut session = ProofLeaves::start(&group).unwrap();
        let watch = Arc::new(Watch::default());
        let output = ProofLeaves::run(&mut session, &job, &watch).unwrap();
        assert_eq!(ProofLeaves::verify(&group, &job, &output), Ok(()));
        // The same proof of another position, or of another player, proves nothing.
        let mut moved = game.line();
        moved.play(papan_rules::Move::on(0)).unwrap();
        let elsewhere = LeafJob(moved.position_text());
        assert!(ProofLeaves::verify(&group, &elsewhere, &output).is_err());
        let other = LeafGroup {
            attacker: Side::Second,
            ..group.clone()
        };
        assert!(ProofLeaves::verify(&other, &job, &output).is_err());
        assert!(ProofLeaves::verify(&group, &job, &LeafOutput(vec![9])).is_err());
    }
}
