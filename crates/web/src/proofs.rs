//! Proofs made for visitors: a strategy against every possible opponent. One is
//! made at a time, on one thread, and is given up after a while; whoever asks for
//! the same again finds it where it is.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use papan_catalog::{AnyGame, Family, Job, StrategySpec};
use papan_rules::{Game, Line, Move, Player};
use papan_solve::{Pace, Proof, ProveError, Watch, prove};
use papan_strategies::{Context, Decision, Limits, NoMove, Strategy};

/// Proofs that are kept; the oldest goes first.
const KEPT: usize = 128;
/// After this long a proof is given up.
const PATIENCE: Duration = Duration::from_secs(60);
/// The largest board: beyond it a proof is for a machine of one's own.
pub(crate) const MOST_CELLS: usize = 16;

/// How a proof ended.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    Proved(Proof),
    /// It took too long.
    GivenUp,
    /// The strategy has no answer after these moves.
    NoAnswer(Vec<Move>, String),
    Failed(String),
}

/// A proof that is being made, or done.
#[derive(Debug, Default)]
pub(crate) struct ProofStudy {
    watch: Watch,
    ended: Mutex<Option<Ended>>,
}

impl ProofStudy {
    pub(crate) fn ended(&self) -> Option<Ended> {
        self.ended.lock().expect("no panic inside").clone()
    }

    pub(crate) fn pace(&self) -> Pace {
        self.watch.pace()
    }
}

/// Proofs by what they are about.
#[derive(Debug, Default)]
pub struct Proofs(Mutex<VecDeque<(String, Arc<ProofStudy>)>>);

impl Proofs {
    /// The proof about a strategy; it begins if there is none. `None` when another
    /// one is being made.
    pub(crate) fn proof(
        &self,
        game: &AnyGame,
        strategy: &StrategySpec,
        player: Player,
    ) -> Option<Arc<ProofStudy>> {
        let name = format!("{} {strategy} {player}", game.name());
        let mut kept = self.0.lock().expect("no panic inside");
        if let Some((_, study)) = kept.iter().find(|(known, _)| *known == name) {
            return Some(Arc::clone(study));
        }
        if kept.iter().any(|(_, study)| study.ended().is_none()) {
            return None;
        }
        if kept.len() == KEPT {
            kept.pop_front();
        }
        let study = Arc::new(ProofStudy::default());
        kept.push_back((name, Arc::clone(&study)));
        drop(kept);
        let stop = study.watch.stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            stop.stop();
        });
        let (game, strategy, made) = (game.clone(), strategy.clone(), Arc::clone(&study));
        tokio::task::spawn_blocking(move || make(&game, &strategy, player, &made));
        Some(study)
    }

    /// Ends what is being made.
    pub(crate) fn stop(&self) {
        for (_, study) in self.0.lock().expect("no panic inside").iter() {
            study.watch.stop.stop();
        }
    }
}

fn make(game: &AnyGame, strategy: &StrategySpec, player: Player, study: &ProofStudy) {
    let job = ProofJob {
        strategy,
        player,
        watch: &study.watch,
    };
    // One thread: the others are for people who play.
    let ended = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(|| game.run(job)),
        Err(error) => Ended::Failed(error.to_string()),
    };
    *study.ended.lock().expect("no panic inside") = Some(ended);
}

struct ProofJob<'a> {
    strategy: &'a StrategySpec,
    player: Player,
    watch: &'a Watch,
}

impl Job for ProofJob<'_> {
    type Output = Ended;

    fn run<G: Family>(self, game: &Arc<G>) -> Ended {
        let limits = Limits::default();
        if let Err(error) = game.strategy(self.strategy, &limits) {
            return Ended::Failed(error.to_string());
        }
        let factory = || match game.strategy(self.strategy, &limits) {
            Ok(strategy) => strategy,
            Err(error) => Box::new(Absent(error.to_string())),
        };
        match prove(&**game, &factory, self.player, self.watch) {
            Ok(proof) => Ended::Proved(proof),
            Err(ProveError::Stopped) => Ended::GivenUp,
            Err(error @ ProveError::TooLarge(_)) => Ended::Failed(error.to_string()),
            Err(ProveError::NoAnswer { line, fault }) => Ended::NoAnswer(line, fault.to_string()),
        }
    }
}

/// Stands for a strategy that could be built a moment ago and cannot any more.
struct Absent(String);

impl<G: Game> Strategy<G> for Absent {
    fn choices(
        &mut self,
        _: &G,
        _: &Line<G>,
        _: &Context,
        _: &mut Vec<Move>,
    ) -> Result<u64, NoMove> {
        Err(NoMove::Failed(self.0.clone()))
    }

    fn decide(&mut self, _: &G, _: &Line<G>, _: &Context) -> Result<Decision, NoMove> {
        Err(NoMove::Failed(self.0.clone()))
    }
}
