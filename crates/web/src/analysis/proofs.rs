//! Proofs for clients: background jobs, one at a time or one per remote worker.
//!
//! The outcome is stored. A proof that a shutdown interrupts starts again when a client asks
//! for it.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use papan_store::{GameStore, StoredStudy};
use papan_strategies::{Progress, Watch};
use tokio::sync::oneshot;

use crate::analysis::background::{BackgroundJobs, Started};
use crate::analysis::engine_cache::EngineCache;
use crate::analysis::engine_pool::{EnginePool, PoolLimits, Priority};
use crate::analysis::in_flight::{InFlightJobs, JobKind};
use crate::analysis::job::AnalysisJob;
use crate::analysis::proof_job::{ProofOutcome, ProofRequest};
use crate::analysis::remote::{POLL, Poll, RemoteJob, RemoteStatus, RemoteWorkers};
use crate::http::rejection::Rejection;
use crate::settings::Settings;
use crate::shutdown::Shutdown;
use crate::wall_clock::WallClock;

/// Rank of a proof, which takes a minute, behind all positions of reviews, which take a
/// second.
const PROOF_RANK: usize = 100_000;
/// Largest board in cells; larger proofs are for `papan prove`.
pub(crate) const MAX_CELLS: usize = 16;

/// The state of a proof.
#[derive(Clone, Debug)]
pub(crate) enum ProofStage {
    /// It is queued.
    Waiting,
    /// It runs, with the number of positions searched.
    Running(u64),
    /// It is done.
    Done(ProofOutcome),
}

impl ProofStage {
    /// Returns whether it is done.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self, Self::Done(_))
    }

    /// Returns the moves of the game that the strategy loses, or after which it has no answer.
    pub(crate) fn losing_moves(&self) -> &[String] {
        match self {
            Self::Done(ProofOutcome::Proved(summary)) => {
                summary.losing_line.as_deref().unwrap_or(&[])
            }
            Self::Done(ProofOutcome::NoAnswer(moves, _)) => moves,
            _ => &[],
        }
    }
}

/// A proof that is queued or runs.
struct PendingProof {
    watch: Watch,
    started: AtomicBool,
}

impl PendingProof {
    fn stage(&self) -> ProofStage {
        if self.started.load(Ordering::Relaxed) {
            ProofStage::Running(self.watch.progress().nodes)
        } else {
            ProofStage::Waiting
        }
    }
}

/// Proofs in progress, and the thread that runs them.
pub(crate) struct Proofs {
    settings: Arc<Settings>,
    store: Arc<dyn GameStore>,
    clock: Arc<dyn WallClock>,
    remote: Option<Arc<RemoteWorkers>>,
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
            // One thread: the other cores play.
            pool: EnginePool::new(PoolLimits {
                threads: 1,
                for_moves: 0,
                waiting: 256,
                per_address: 8,
                memory_mib: 0,
            }),
            settings,
            store,
            clock,
            remote,
            shutdown,
        }
    }

    /// Stops all running proofs.
    pub(crate) fn stop(&self) {
        for proof in self.jobs.all() {
            proof.watch.stop.stop();
        }
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
        let subject = format!(
            "proof {} {} {}",
            request.game.name(),
            request.strategy,
            request.player
        );
        if let Some(proof) = self.jobs.find(&subject) {
            return Ok(proof.stage());
        }
        let stored = self.store.study(&subject).await?;
        // An outcome that an older version stored differently is computed again.
        if let Some(outcome) = stored.and_then(|stored| serde_json::from_str(&stored.body).ok()) {
            return Ok(ProofStage::Done(outcome));
        }
        let proof = PendingProof {
            watch: Watch::with_memory_limit(self.memory_mib()),
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
            Some(outcome) => outcome,
            None => self.run_local(client, request, proof).await,
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

    /// Leaves a proof to workers. Returns `None` if there are none.
    async fn run_remote(
        &self,
        client: IpAddr,
        request: &ProofRequest,
        proof: &PendingProof,
    ) -> Option<ProofOutcome> {
        let remote = self.remote.as_ref()?;
        let job = AnalysisJob::proof(request, self.memory_mib());
        // Clients with more proofs in flight wait longer.
        let jobs = [RemoteJob::new(&job, PROOF_RANK + self.jobs.count(client))];
        while !self.shutdown.is_triggered() {
            match remote.poll(&jobs).await {
                Poll::Status(statuses) => match statuses.into_iter().next()? {
                    RemoteStatus::Queued => proof.started.store(false, Ordering::Relaxed),
                    RemoteStatus::Running(nodes) => {
                        proof.started.store(true, Ordering::Relaxed);
                        proof.watch.report(&Progress {
                            nodes,
                            ..Progress::default()
                        });
                    }
                    RemoteStatus::Failed => return Some(ProofOutcome::Failed),
                    RemoteStatus::Done(body) => {
                        let outcome = serde_json::from_slice(&body);
                        return Some(outcome.unwrap_or(ProofOutcome::Failed));
                    }
                },
                // The outcome could not be stored either.
                Poll::Unavailable => {}
                Poll::NoWorkers => return None,
            }
            tokio::time::sleep(POLL).await;
        }
        Some(ProofOutcome::GivenUp)
    }

    /// Runs a proof on this server.
    async fn run_local(
        &self,
        client: IpAddr,
        request: ProofRequest,
        proof: Arc<PendingProof>,
    ) -> ProofOutcome {
        let (sender, outcome) = oneshot::channel();
        let job = move |_: &mut EngineCache| {
            proof.started.store(true, Ordering::Relaxed);
            let _ = sender.send(request.run(&proof.watch));
        };
        match self.pool.submit(client, Priority::Analysis, job) {
            Ok(()) => outcome.await.unwrap_or(ProofOutcome::Failed),
            // The queue is larger than the number of proofs in flight, so it is closed.
            Err(_) => ProofOutcome::GivenUp,
        }
    }

    /// Returns the memory limit of a proof, in MiB.
    fn memory_mib(&self) -> usize {
        self.settings.engine_memory * 2 / 3
    }
}
