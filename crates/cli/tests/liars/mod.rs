//! Kinds of jobs as a lying or broken worker, or one of another version, would run them.
#![allow(dead_code, reason = "each test program uses some of them")]

use std::sync::Arc;
use std::time::Duration;

use papan_analysis::engine_cache::EngineCache;
use papan_analysis::job::{Analyses, AnalysisGroup, AnalysisJob, AnalysisOutput};
use papan_analysis::leaf::{LeafGroup, LeafJob, LeafOutput, ProofLeaves};
use papan_arena::{Batch, PlayedBatch, Table, Tournament, TournamentGames};
use papan_catalog::AnyGame;
use papan_jobs::{Class, JobKind};
use papan_rules::{Outcome, Player};
use papan_strategies::Watch;
use papan_train::distributed::{Games, SelfPlay};
use papan_train::plan::{Batch as PlanBatch, Plan};
use serde_json::Value;

/// Plays games and says that the first player won all of them.
pub(crate) struct LyingGames;

impl JobKind for LyingGames {
    const NAME: &'static str = TournamentGames::NAME;
    const TIME_LIMIT: Duration = TournamentGames::TIME_LIMIT;
    type Group = Tournament;
    type Job = Batch;
    type Output = PlayedBatch;
    type Session = Box<dyn Table>;

    fn requirements(group: &Tournament) -> Vec<String> {
        TournamentGames::requirements(group)
    }

    fn start(group: &Tournament) -> Result<Box<dyn Table>, String> {
        TournamentGames::start(group)
    }

    fn run(
        session: &mut Box<dyn Table>,
        job: &Batch,
        watch: &Arc<Watch>,
    ) -> Result<PlayedBatch, String> {
        let mut played = TournamentGames::run(session, job, watch)?;
        for game in &mut played.games {
            let is_won = game.outcome == Outcome::Win(Player::First);
            game.outcome = if is_won {
                Outcome::Draw
            } else {
                Outcome::Win(Player::First)
            };
        }
        Ok(played)
    }

    fn verify(_: &Tournament, _: &Batch, _: &PlayedBatch) -> Result<(), String> {
        Ok(())
    }
}

/// Plays nothing.
pub(crate) struct FailingGames;

impl JobKind for FailingGames {
    const NAME: &'static str = TournamentGames::NAME;
    type Group = Tournament;
    type Job = Batch;
    type Output = PlayedBatch;
    type Session = ();

    fn requirements(group: &Tournament) -> Vec<String> {
        TournamentGames::requirements(group)
    }

    fn start(_: &Tournament) -> Result<(), String> {
        Ok(())
    }

    fn run((): &mut (), _: &Batch, _: &Arc<Watch>) -> Result<PlayedBatch, String> {
        Err("the board fell down".into())
    }

    fn verify(_: &Tournament, _: &Batch, _: &PlayedBatch) -> Result<(), String> {
        Ok(())
    }
}

/// What a worker answers to every request for an analysis.
pub(crate) trait AnalysisLie: 'static {
    fn answer() -> Result<&'static str, String>;
}

/// Says of every strategy that it never loses.
pub(crate) struct NeverLoses;

impl AnalysisLie for NeverLoses {
    fn answer() -> Result<&'static str, String> {
        Ok(
            r#"{"proved":{"never_loses":true,"lines":"7","wins":"4","draws":"3",
            "losses":"0","positions":9,"longest":9,"losing_line":null}}"#,
        )
    }
}

/// Says that the time is up.
pub(crate) struct GivesUp;

impl AnalysisLie for GivesUp {
    fn answer() -> Result<&'static str, String> {
        Ok(r#""given-up""#)
    }
}

/// Says that every analysis failed.
pub(crate) struct Fails;

impl AnalysisLie for Fails {
    fn answer() -> Result<&'static str, String> {
        Err("the disk is full".into())
    }
}

/// Answers without a look at the request.
pub(crate) struct LyingAnalyses<L>(std::marker::PhantomData<L>);

impl<L: AnalysisLie> JobKind for LyingAnalyses<L> {
    const NAME: &'static str = Analyses::NAME;
    const CLASSES: &'static [Class] = Analyses::CLASSES;
    const INTERACTIVE: bool = true;
    type Group = AnalysisGroup;
    type Job = AnalysisJob;
    type Output = AnalysisOutput;
    type Session = ();

    fn requirements(group: &AnalysisGroup) -> Vec<String> {
        Analyses::requirements(group)
    }

    fn start(_: &AnalysisGroup) -> Result<(), String> {
        Ok(())
    }

    fn run((): &mut (), _: &AnalysisJob, _: &Arc<Watch>) -> Result<AnalysisOutput, String> {
        L::answer().map(|text| AnalysisOutput(text.into()))
    }

    fn verify(_: &AnalysisGroup, _: &AnalysisJob, _: &AnalysisOutput) -> Result<(), String> {
        Ok(())
    }
}

/// A worker of another version.
pub(crate) struct NewerGames;

impl JobKind for NewerGames {
    const NAME: &'static str = TournamentGames::NAME;
    type Group = Tournament;
    type Job = Batch;
    type Output = PlayedBatch;
    type Session = Box<dyn Table>;

    fn requirements(_: &Tournament) -> Vec<String> {
        vec!["papan 99.0.0".into()]
    }

    fn start(group: &Tournament) -> Result<Box<dyn Table>, String> {
        TournamentGames::start(group)
    }

    fn run(_: &mut Box<dyn Table>, _: &Batch, _: &Arc<Watch>) -> Result<PlayedBatch, String> {
        Err("jobs of another version do not come here".into())
    }

    fn verify(_: &Tournament, _: &Batch, _: &PlayedBatch) -> Result<(), String> {
        Ok(())
    }
}

/// Answers every leaf with the proof of a win on another board.
pub(crate) struct LyingLeaves;

impl JobKind for LyingLeaves {
    const NAME: &'static str = ProofLeaves::NAME;
    type Group = LeafGroup;
    type Job = LeafJob;
    type Output = LeafOutput;
    type Session = LeafOutput;

    fn requirements(group: &LeafGroup) -> Vec<String> {
        ProofLeaves::requirements(group)
    }

    fn start(group: &LeafGroup) -> Result<LeafOutput, String> {
        let game: AnyGame = "tictactoe:4x4:3".parse().expect("a game");
        let won = LeafGroup {
            game: game.name(),
            ..group.clone()
        };
        let mut session = ProofLeaves::start(&won)?;
        let root = LeafJob(game.line().position_text());
        ProofLeaves::run(&mut session, &root, &Arc::new(Watch::default()))
    }

    fn run(lie: &mut LeafOutput, _: &LeafJob, _: &Arc<Watch>) -> Result<LeafOutput, String> {
        Ok(lie.clone())
    }

    fn verify(_: &LeafGroup, _: &LeafJob, _: &LeafOutput) -> Result<(), String> {
        Ok(())
    }
}

/// A worker of another version.
pub(crate) struct NewerLeaves;

impl JobKind for NewerLeaves {
    const NAME: &'static str = ProofLeaves::NAME;
    type Group = LeafGroup;
    type Job = LeafJob;
    type Output = LeafOutput;
    type Session = ();

    fn requirements(_: &LeafGroup) -> Vec<String> {
        vec!["papan 99.0.0".into()]
    }

    fn start(_: &LeafGroup) -> Result<(), String> {
        Ok(())
    }

    fn run((): &mut (), _: &LeafJob, _: &Arc<Watch>) -> Result<LeafOutput, String> {
        Err("jobs of another version do not come here".into())
    }

    fn verify(_: &LeafGroup, _: &LeafJob, _: &LeafOutput) -> Result<(), String> {
        Ok(())
    }
}

/// Says of every game for training that its last position is a disc worse.
pub(crate) struct LyingSelfPlay;

impl JobKind for LyingSelfPlay {
    const NAME: &'static str = SelfPlay::NAME;
    type Group = Plan;
    type Job = PlanBatch;
    type Output = Games;
    type Session = Plan;

    fn requirements(plan: &Plan) -> Vec<String> {
        SelfPlay::requirements(plan)
    }

    fn start(plan: &Plan) -> Result<Plan, String> {
        SelfPlay::start(plan)
    }

    fn run(plan: &mut Plan, job: &PlanBatch, watch: &Arc<Watch>) -> Result<Games, String> {
        let mut games = SelfPlay::run(plan, job, watch)?;
        let labels = games.0.iter_mut().filter_map(|game| game.labels.last_mut());
        labels.for_each(|label| *label = label.map(|label| label - 1));
        Ok(games)
    }

    fn verify(_: &Plan, _: &PlanBatch, _: &Games) -> Result<(), String> {
        Ok(())
    }
}

/// Says of every position that the player to move loses, or wins if it does not.
pub(crate) struct LyingReviews;

impl JobKind for LyingReviews {
    const NAME: &'static str = Analyses::NAME;
    const CLASSES: &'static [Class] = Analyses::CLASSES;
    const INTERACTIVE: bool = true;
    type Group = AnalysisGroup;
    type Job = AnalysisJob;
    type Output = AnalysisOutput;
    type Session = EngineCache;

    fn requirements(group: &AnalysisGroup) -> Vec<String> {
        Analyses::requirements(group)
    }

    fn start(group: &AnalysisGroup) -> Result<EngineCache, String> {
        Analyses::start(group)
    }

    fn run(
        engines: &mut EngineCache,
        job: &AnalysisJob,
        watch: &Arc<Watch>,
    ) -> Result<AnalysisOutput, String> {
        let truth = Analyses::run(engines, job, watch)?;
        let mut result: Value = serde_json::from_slice(&truth.0).expect("JSON");
        if let Some(value) = result.pointer_mut("/Ok/score/score") {
            let is_won = value.as_f64().is_some_and(|value| value > 0.0);
            *value = if is_won { -1 } else { 1 }.into();
        }
        Ok(AnalysisOutput(result.to_string().into_bytes()))
    }

    fn verify(_: &AnalysisGroup, _: &AnalysisJob, _: &AnalysisOutput) -> Result<(), String> {
        Ok(())
    }
}
