//! Proofs for clients: background jobs in time slices, here or at remote workers.
//!
//! Scheduling is a multilevel feedback queue: every proof first gets a short slice, on a thread
//! that runs nothing else, and begins again with a longer one if that was not enough. So a short
//! proof never waits for a long one; addresses take turns in each level ([`EnginePool`]).
//! Starting again costs at most a fifth of the time limit. Workers run the same slices: the first
//! one as an urgent job, and an address has one at a time in each class ([`AddressTurns`]). That a
//! worker failed, or reached a limit, is not believed: the server then computes itself.
//!
//! The outcome is stored. A proof that a shutdown interrupts starts again when a client asks
//! for it.
//!
//! Reference: <https://en.wikipedia.org/wiki/Multilevel_feedback_queue>

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use papan_pages::proof::ProofStage;
use papan_store::{GameStore, StoredStudy};
use papan_strategies::{Progress, Watch};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::analysis::address_turns::AddressTurns;
use crate::analysis::background::{BackgroundJobs, Started};
use crate::analysis::engine_cache::EngineCache;
use crate::analysis::engine_pool::{EnginePool, PoolLimits, Priority};
use crate::analysis::in_flight::{InFlightJobs, JobKind};
use crate::analysis::job::AnalysisJob;
use crate::analysis::proof_job::{ProofOutcome, ProofRequest};
use crate::analysis::remote::{POLL, Poll, RemoteStatus, RemoteWorkers};
use crate::http::rejection::Rejection;
use crate::settings::Settings;
use crate::shutdown::Shutdown;
use crate::wall_clock::WallClock;

/// A level of the queue.
struct Slice {
    time: Duration,
    /// [`Priority::Move`] comes first and has a thread of its own.
    priority: Priority,
    /// Share of the engine memory, in sixths.
    memory_sixths: usize,
}

impl Slice {
    /// Returns whether a proof with this outcome needs a longer slice.
    fn is_unfinished(&self, outcome: &ProofOutcome) -> bool {
        match outcome {
            ProofOutcome::GivenUp => true,
            ProofOutcome::TooLarge(_) => self.memory_sixths < MAX_MEMORY_SIXTHS,
            _ => false,
        }
    }
}

/// Share of the engine memory that a proof may use, in sixths.
const MAX_MEMORY_SIXTHS: usize = 4;

/// The levels of the queue. The last one is as long as a proof may take.
const SLICES: [Slice; 3] = [
    Slice {
        time: Duration::from_secs(2),
        priority: Priority::Move,
        memory_sixths: 1,
    },
    Slice {
        time: Duration::from_secs(10),
        priority: Priority::Analysis,
        memory_sixths: MAX_MEMORY_SIXTHS,
    },
    Slice {
        time: Duration::from_secs(60),
        priority: Priority::Analysis,
        memory_sixths: MAX_MEMORY_SIXTHS,
    },
];

/// The level without a longer one.
const LAST_SLICE: usize = SLICES.len() - 1;

/// A proof that is queued or runs.
struct PendingProof {
    /// Of the current slice.
    watch: Mutex<Arc<Watch>>,
    started: AtomicBool,
}

impl PendingProof {
    fn watch(&self) -> Arc<Watch> {
        Arc::clone(&self.watch.lock())
    }

    fn stage(&self) -> ProofStage {
        if self.started.load(Ordering::Relaxed) {
            ProofStage::Running(self.watch().progress().nodes)
        } else {
            ProofStage::Waiting
        }
    }
}

/// Returns the key under which a proof is stored.
fn subject(request: &ProofRequest) -> String {
    let ProofRequest {
        game,
        strategy,
        player,
    } = request;
    format!("proof {} {strategy} {player}", game.name())
}

/// Proofs in progress, and the threads that run them.
pub(crate) struct Proofs {
    settings: Arc<Settings>,
    store: Arc<dyn GameStore>,
    clock: Arc<dyn WallClock>,
    remote: Option<Arc<RemoteWorkers>>,
    turns: AddressTurns,
    shutdown: Shutdown,
    jobs: BackgroundJobs<PendingProof>,
    pool: EnginePool,
}

impl Proofs {
    pub(crate) fn new(
        settings: Arc<Settings>,
        store: Arc<dyn GameStore>,
        clock: Arc<dyn WallClock>,
        remote: Option<Arc<RemoteWorkers>>,
        in_flight: Arc<InFlightJobs>,
        shutdown: Shutdown,
    ) -> Self {
        Self {
            jobs: BackgroundJobs::new(JobKind::Proof, in_flight, Arc::clone(&clock)),
            // One thread, and one for first slices: the other cores play.
            pool: EnginePool::new(PoolLimits {
                threads: 1,
                for_moves: 1,
                waiting: 256,
                per_address: 8,
                memory_mib: 0,
            }),
            settings,
            store,
            clock,
            remote,
            turns: AddressTurns::default(),
            shutdown,
        }
    }

    /// Stops all running proofs.
    pub(crate) fn stop(&self) {
        for proof in self.jobs.all() {
            proof.watch().stop.stop();
        }
    }

    /// Returns the state of a proof, and computes nothing.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(crate) async fn known(&self, request: &ProofRequest) -> Result<ProofStage, Rejection> {
        let stage = self.find(&subject(request)).await?;
        Ok(stage.unwrap_or(ProofStage::Waiting))
    }

    async fn find(&self, subject: &str) -> Result<Option<ProofStage>, Rejection> {
        if let Some(proof) = self.jobs.find(subject) {
            return Ok(Some(proof.stage()));
        }
        let stored = self.store.study(subject).await?;
        // An outcome that an older version stored differently is computed again.
        let outcome = stored.and_then(|stored| serde_json::from_str(&stored.body).ok());
        Ok(outcome.map(ProofStage::Done))
    }

    /// Returns the state of a proof, and starts it if needed.
    ///
    /// # Errors
    /// If the client, or all clients together, have too many proofs in flight.
    pub(crate) async fn get(
        self: &Arc<Self>,
        client: IpAddr,
        request: ProofRequest,
    ) -> Result<ProofStage, Rejection> {
        let subject = subject(&request);
        if let Some(stage) = self.find(&subject).await? {
            return Ok(stage);
        }
        let proof = PendingProof {
            watch: Mutex::default(),
            started: AtomicBool::new(false),
        };
        match self.jobs.start(&subject, client, proof)? {
            Started::Existing(proof) => Ok(proof.stage()),
            Started::New(proof) => {
                let stage = proof.stage();
                let proofs = Arc::clone(self);
                tokio::spawn(async move { proofs.run(client, subject, request, proof).await });
                Ok(stage)
            }
        }
    }

    /// Runs a proof and stores its outcome.
    async fn run(
        &self,
        client: IpAddr,
        subject: String,
        request: ProofRequest,
        proof: Arc<PendingProof>,
    ) {
        let outcome = match self.run_remote(client, &request, &proof).await {
            Some(outcome) if outcome.is_checkable() => outcome,
            // A limit that a worker reports cannot be checked.
            Some(_) => {
                self.run_local(client, request, proof, &SLICES[LAST_SLICE..])
                    .await
            }
            None => self.run_local(client, request, proof, &SLICES).await,
        };
        // An interrupted proof is not stored, so that it starts again.
        if !self.shutdown.is_triggered() {
            let study = StoredStudy {
                subject: subject.clone(),
                body: serde_json::to_string(&outcome).expect("outcomes serialize to JSON"),
                at: self.clock.unix_millis(),
            };
            if let Err(error) = self.store.keep_study(study).await {
                tracing::error!(%error, "cannot store a proof");
            }
        }
        self.jobs.finish(&subject);
    }

    /// Leaves a proof to workers. Returns `None` if there are none, or they fail.
    async fn run_remote(
        &self,
        client: IpAddr,
        request: &ProofRequest,
        proof: &PendingProof,
    ) -> Option<ProofOutcome> {
        let remote = self.remote.as_ref()?;
        let mut outcome = ProofOutcome::GivenUp;
        for slice in &SLICES {
            let job = AnalysisJob::proof(request, self.memory_mib(slice), slice.time);
            let turn = self.turns.take(client, job.class()).await;
            outcome = self.run_remote_slice(remote, job, proof).await?;
            drop(turn);
            if !slice.is_unfinished(&outcome) || self.shutdown.is_triggered() {
                break;
            }
        }
        Some(outcome)
    }

    async fn run_remote_slice(
        &self,
        remote: &RemoteWorkers,
        job: AnalysisJob,
        proof: &PendingProof,
    ) -> Option<ProofOutcome> {
        let jobs = [job];
        while !self.shutdown.is_triggered() {
            match remote.poll(&jobs).await {
                Poll::Status(statuses) => match statuses.into_iter().next()? {
                    RemoteStatus::Queued => proof.started.store(false, Ordering::Relaxed),
                    RemoteStatus::Running(nodes) => {
                        proof.started.store(true, Ordering::Relaxed);
                        proof.watch().report(&Progress {
                            nodes,
                            ..Progress::default()
                        });
                    }
                    RemoteStatus::Failed => return None,
                    RemoteStatus::Done(body) => return serde_json::from_slice(&body).ok(),
                },
                Poll::NoWorkers => return None,
            }
            tokio::time::sleep(POLL).await;
        }
        Some(ProofOutcome::GivenUp)
    }

    /// Runs a proof on this server, in one slice after the other until it is done.
    async fn run_local(
        &self,
        client: IpAddr,
        request: ProofRequest,
        proof: Arc<PendingProof>,
        slices: &[Slice],
    ) -> ProofOutcome {
        let mut outcome = ProofOutcome::GivenUp;
        for slice in slices {
            if self.shutdown.is_triggered() {
                break;
            }
            outcome = self.run_slice(client, &request, &proof, slice).await;
            if !slice.is_unfinished(&outcome) {
                break;
            }
        }
        outcome
    }

    async fn run_slice(
        &self,
        client: IpAddr,
        request: &ProofRequest,
        proof: &Arc<PendingProof>,
        slice: &Slice,
    ) -> ProofOutcome {
        let watch = Arc::new(Watch::with_memory_limit(self.memory_mib(slice)));
        *proof.watch.lock() = Arc::clone(&watch);
        proof.started.store(false, Ordering::Relaxed);
        let (start, started) = oneshot::channel();
        let (sender, outcome) = oneshot::channel();
        let job = {
            let (request, proof, watch) = (request.clone(), Arc::clone(proof), Arc::clone(&watch));
            let limit = slice.time;
            move |_: &mut EngineCache| {
                proof.started.store(true, Ordering::Relaxed);
                let _ = start.send(());
                let _ = sender.send(request.run(&watch, limit));
            }
        };
        // The queue is larger than the number of proofs in flight, so a full one is closed.
        if self.pool.submit(client, slice.priority, job).is_err() || started.await.is_err() {
            return ProofOutcome::GivenUp;
        }
        if self.shutdown.is_triggered() {
            watch.stop.stop();
        }
        outcome.await.unwrap_or(ProofOutcome::Failed)
    }

    /// Returns the memory limit of a slice, in MiB.
    fn memory_mib(&self, slice: &Slice) -> usize {
        self.settings.engine_memory * slice.memory_sixths / 6
    }
}
