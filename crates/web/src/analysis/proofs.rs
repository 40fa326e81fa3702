//! Proofs made for visitors: a strategy against every possible opponent. One is
//! made at a time, or as many as there are workers; visitors take turns, and each is
//! given up after a while. What
//! came of it is stored; one that the server's end interrupted begins again when
//! somebody comes back to it.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use papan_catalog::{AnyGame, Family, GameVisitor, StrategySpec};
use papan_rules::{Game, Move, Player};
use papan_solve::{Proof, ProveError, Verdict};
use papan_store::{JobStanding, StoreError, StoredStudy};
use papan_strategies::{Decision, Limits, NoMove, Progress, Strategy, Turn, Watch};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::analysis::background::BackgroundJobs;
use crate::analysis::engine_cache::EngineCache;
use crate::analysis::engine_pool::{EnginePool, PoolLimits, Priority};
use crate::analysis::job::{AnalysisJob, prove};
use crate::analysis::remote::{LOOK, RemoteWorkers};
use crate::analysis::strategy_failure::StrategyFailure;
use crate::game::cluster::Kind;
use crate::http::rate_limit::network_of;
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// Proofs take a minute and come after the positions of reviews, which take a second.
const LATER: usize = 100_000;
/// The largest board: beyond it a proof is for a machine of one's own.
pub(crate) const MOST_CELLS: usize = 16;

/// What shall be proved.
#[derive(Clone, Debug)]
pub(crate) struct ProofRequest {
    pub(crate) game: AnyGame,
    pub(crate) strategy: StrategySpec,
    pub(crate) player: Player,
}

/// How a proof ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProofOutcome {
    Proved(ProofSummary),
    /// It took too long.
    GivenUp,
    /// The strategy has no answer after these moves.
    NoAnswer(Vec<String>, StrategyFailure),
    /// More positions than this would have to be held at once.
    TooLarge(usize),
    /// There are more lines of play than can be counted.
    TooManyLines,
    /// The strategy chooses at random by a seed that it was not given.
    Nondeterministic,
    /// Something broke.
    Failed,
}

/// A proof in the form in which it is kept. Counts may be beyond what a JSON
/// number holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ProofSummary {
    pub(crate) never_loses: bool,
    pub(crate) lines: String,
    pub(crate) wins: String,
    pub(crate) draws: String,
    pub(crate) losses: String,
    pub(crate) positions: u64,
    pub(crate) longest: usize,
    pub(crate) losing_line: Option<Vec<String>>,
}

impl ProofSummary {
    fn of(game: &AnyGame, proof: &Proof) -> Self {
        let losing_line = proof.losing_line.as_deref();
        Self {
            never_loses: proof.verdict() == Verdict::NeverLoses,
            lines: proof.lines.to_string(),
            wins: proof.wins.to_string(),
            draws: proof.draws.to_string(),
            losses: proof.losses.to_string(),
            positions: proof.positions,
            longest: proof.longest,
            losing_line: losing_line.map(|moves| texts(game, moves)),
        }
    }
}

fn texts(game: &AnyGame, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|mv| game.format_move(*mv)).collect()
}

/// How far a proof is.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// Others come first.
    Waiting,
    /// So many positions have been looked into.
    Running(u64),
    Ended(ProofOutcome),
}

impl Stage {
    /// The moves of the game that beats the strategy, or after which it has no answer.
    pub(crate) fn losing_moves(&self) -> &[String] {
        match self {
            Self::Ended(ProofOutcome::Proved(finding)) => {
                finding.losing_line.as_deref().unwrap_or(&[])
            }
            Self::Ended(ProofOutcome::NoAnswer(moves, _)) => moves,
            _ => &[],
        }
    }
}

/// A proof that waits or is being made.
#[derive(Debug)]
struct UnderWay {
    watch: Watch,
    begun: AtomicBool,
}

impl UnderWay {
    fn within(mebibytes: usize) -> Self {
        Self {
            watch: Watch::with_memory_limit(mebibytes),
            begun: AtomicBool::new(false),
        }
    }
}

impl UnderWay {
    fn stage(&self) -> Stage {
        match self.begun.load(Ordering::Relaxed) {
            false => Stage::Waiting,
            true => Stage::Running(self.watch.progress().nodes),
        }
    }
}

/// Proofs under way, and the thread that makes them.
pub(crate) struct Proofs {
    under_way: BackgroundJobs<UnderWay>,
    prover: EnginePool,
}

impl Default for Proofs {
    fn default() -> Self {
        Self {
            under_way: BackgroundJobs::default(),
            // One thread and no other: the rest is for people who play.
            prover: EnginePool::new(PoolLimits {
                threads: 1,
                for_moves: 0,
                waiting: 256,
                per_address: 8,
                memory: 0,
            }),
        }
    }
}

impl Proofs {
    /// How many each address has under way.
    pub(crate) fn by_address(&self) -> Vec<(IpAddr, usize)> {
        self.under_way.by_address()
    }

    /// Ends what is being made.
    pub(crate) fn stop(&self) {
        for study in self.under_way.all() {
            study.watch.stop.stop();
        }
    }
}

impl AppState {
    /// How far a proof is; it begins if there is none.
    ///
    /// # Errors
    /// When the client, or everybody, has enough under way.
    pub(crate) async fn proof(
        self: &Arc<Self>,
        client: IpAddr,
        thesis: ProofRequest,
    ) -> Result<Stage, Rejection> {
        let (game, strategy, player) = (thesis.game.name(), &thesis.strategy, thesis.player);
        let subject = format!("proof {game} {strategy} {player}");
        if let Some(study) = self.proofs.under_way.find(&subject) {
            return Ok(study.stage());
        }
        let kept = self.store.study(&subject).await?;
        // What an older papan wrote otherwise is made anew.
        if let Some(ended) = kept.and_then(|kept| serde_json::from_str(&kept.body).ok()) {
            return Ok(Stage::Ended(ended));
        }
        let elsewhere = self.elsewhere.count(Kind::Proofs, client, self.now());
        let new = UnderWay::within(self.proof_memory());
        let under_way = &self.proofs.under_way;
        let (study, new) = under_way.begin(&subject, client, elsewhere, new)?;
        if new {
            let app = Arc::clone(self);
            tokio::spawn(make(app, client, subject, thesis, Arc::clone(&study)));
        }
        Ok(study.stage())
    }
}

impl AppState {
    /// What workers make of a proof; nothing when there are none, or none any more.
    async fn proof_by_workers(
        &self,
        client: IpAddr,
        thesis: &ProofRequest,
        study: &UnderWay,
    ) -> Option<ProofOutcome> {
        let workers = self.workers.as_ref()?;
        // Visitors take turns: whoever has many under way waits longer.
        let own = self.proofs.by_address().into_iter();
        let own = own.filter(|(whose, _)| *whose == network_of(client));
        let rank = LATER + own.map(|(_, count)| count).sum::<usize>();
        let jobs = [RemoteWorkers::job(
            &AnalysisJob::proof(thesis, self.proof_memory()),
            rank,
        )];
        while !self.is_stopping() {
            match workers.look(&jobs).await {
                Ok(standings) => match standings?.into_iter().next()? {
                    JobStanding::Waiting => study.begun.store(false, Ordering::Relaxed),
                    JobStanding::Running(nodes) => {
                        study.begun.store(true, Ordering::Relaxed);
                        study.watch.report(&Progress {
                            nodes,
                            ..Progress::default()
                        });
                    }
                    JobStanding::Failed(_) => return Some(ProofOutcome::Failed),
                    JobStanding::Done(body) => {
                        return Some(serde_json::from_slice(&body).unwrap_or(ProofOutcome::Failed));
                    }
                },
                // It will be back; until then nothing can be stored either.
                Err(StoreError::Away { .. }) => {}
                Err(error) => {
                    tracing::error!(%error, "the queue failed");
                    return None;
                }
            }
            tokio::time::sleep(LOOK).await;
        }
        Some(ProofOutcome::GivenUp)
    }

    /// Makes a proof in the one thread for them.
    async fn proof_here(
        &self,
        client: IpAddr,
        thesis: ProofRequest,
        study: Arc<UnderWay>,
    ) -> ProofOutcome {
        let (answer, answered) = oneshot::channel();
        let work = move |_: &mut EngineCache| {
            study.begun.store(true, Ordering::Relaxed);
            let _ = answer.send(prove(&thesis, &study.watch));
        };
        match self
            .proofs
            .prover
            .submit(client, Priority::AnalysisJob, work)
        {
            Ok(()) => answered.await.unwrap_or(ProofOutcome::Failed),
            // No more is under way than the prover takes: the server is ending.
            Err(_) => ProofOutcome::GivenUp,
        }
    }

    /// The one proof that is being made takes less than all that think together, in MiB.
    fn proof_memory(&self) -> usize {
        self.settings.engine_memory * 2 / 3
    }
}

/// Makes a proof when it is its turn, and stores what came of it.
async fn make(
    app: Arc<AppState>,
    client: IpAddr,
    subject: String,
    thesis: ProofRequest,
    study: Arc<UnderWay>,
) {
    let ended = match app.proof_by_workers(client, &thesis, &study).await {
        Some(ended) => ended,
        None => app.proof_here(client, thesis, study).await,
    };
    // What the end of the server interrupted is not given up: it begins again.
    if !app.is_stopping() {
        let study = StoredStudy {
            subject: subject.clone(),
            body: serde_json::to_string(&ended).expect("plain data becomes JSON"),
            at: app.date(),
        };
        if let Err(error) = app.store.keep_study(study).await {
            tracing::error!(%error, "the store failed");
        }
    }
    app.proofs.under_way.clear(&subject);
}

/// Proves a thesis until it is told to stop.
pub(crate) fn ended(thesis: &ProofRequest, watch: &Watch) -> ProofOutcome {
    let job = ProofJob { thesis, watch };
    // One thread: the others are for people who play.
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(|| thesis.game.visit(job)),
        Err(error) => {
            tracing::error!(%error, "no thread for a proof");
            ProofOutcome::Failed
        }
    }
}

struct ProofJob<'a> {
    thesis: &'a ProofRequest,
    watch: &'a Watch,
}

impl GameVisitor for ProofJob<'_> {
    type Output = ProofOutcome;

    fn visit<G: Family>(self, game: &Arc<G>) -> ProofOutcome {
        let ProofRequest {
            game: any,
            strategy,
            player,
        } = self.thesis;
        let limits = Limits::default();
        let factory = || match game.strategy(strategy, &limits) {
            Ok(strategy) => strategy,
            Err(error) => Box::new(Absent(error.to_string())),
        };
        match papan_solve::prove(&**game, &factory, *player, self.watch) {
            Ok(proof) => ProofOutcome::Proved(ProofSummary::of(any, &proof)),
            Err(ProveError::Stopped) => ProofOutcome::GivenUp,
            Err(ProveError::TooLarge { positions, .. }) => ProofOutcome::TooLarge(positions),
            Err(ProveError::TooManyLines) => ProofOutcome::TooManyLines,
            Err(ProveError::Random) => ProofOutcome::Nondeterministic,
            Err(ProveError::NoAnswer { line, fault }) => {
                ProofOutcome::NoAnswer(texts(any, &line), fault.into())
            }
        }
    }
}

/// Stands for a strategy that could be built a moment ago and cannot any more.
struct Absent(String);

impl<G: Game> Strategy<G> for Absent {
    fn choices(&mut self, _: Turn<'_, G>, _: &mut Vec<Move>) -> Result<u64, NoMove> {
        Err(NoMove::Failed(self.0.clone()))
    }

    fn decide(&mut self, _: Turn<'_, G>) -> Result<Decision, NoMove> {
        Err(NoMove::Failed(self.0.clone()))
    }
}
