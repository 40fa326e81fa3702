//! Proofs, certificates, exact values and counts.

use std::sync::Arc;

use papan_catalog::{
    CertificateCheck, Family, GameVisitor, ProofTask, SolveError, StrategyProofError,
};
use papan_othello::Options;
use papan_rules::Player;
use papan_solve::{SearchCheckpoint, ValueLimits};
use papan_strategies::{Context, Limits, Score, SystemClock, Watch};
use papan_view::{json, messages};
use pyo3::prelude::*;

use crate::board::PlayedLine;
use crate::errors::{runtime_error, value_error};
use crate::game::Game;
use crate::guest::read_strategy;
use crate::player::{language, seconds};
use crate::work;

/// The JSON of a proof, the certificate, a fingerprint of the answers of a strategy from outside, and
/// why there is no proof, as a sentence.
type Proved = (String, Option<Vec<u8>>, Option<u64>, Option<String>);

/// Plays a strategy against every opponent.
#[pyfunction]
#[pyo3(signature = (game, strategy, player, *, certify=false, lang="en", progress=None))]
pub(crate) fn prove(
    game: &Game,
    strategy: &Bound<'_, PyAny>,
    player: usize,
    certify: bool,
    lang: &str,
    progress: Option<bool>,
) -> PyResult<Proved> {
    let words = language(lang)?;
    let &player = Player::BOTH
        .get(player)
        .ok_or_else(|| value_error("a player is 0 or 1"))?;
    let read = read_strategy(strategy)?;
    read.check_copied()?;
    let watch = Arc::new(Watch::default());
    let task = ProofTask {
        strategy: &read.spec,
        player,
        certify,
        journal: None,
        watch: &watch,
    };
    let is_python = read.is_python;
    let proved = work::run(strategy.py(), &watch, progress, || {
        // Python runs one thread at a time; more would only hand the lock around.
        let pool = work::pool(if is_python { 1 } else { 0 }, &watch.stop)?;
        Ok(pool.install(|| task.run(&game.any)))
    })?;
    let proved = proved.map_err(|error: PyErr| read.raised.take().unwrap_or(error))?;
    if proved.is_err()
        && let Some(raised) = read.raised.take()
    {
        return Err(raised);
    }
    let name = read.spec.to_string();
    match proved {
        Ok(proved) => {
            let form = json::Proof::new(&game.any, &name, &proved.proof, None);
            let certificate = proved.certificate.map(|found| found.text().into());
            Ok((json::line(&form), certificate, proved.fingerprint, None))
        }
        Err(StrategyProofError::Prove(error)) => {
            let form = json::NoProof::new(&game.any, &name, Some(player), &error);
            let why = messages::unproved(words, &game.any, &name, &error);
            Ok((json::line(&form), None, None, Some(why)))
        }
        Err(error @ StrategyProofError::Unplayable(_)) => Err(value_error(error)),
        Err(error @ StrategyProofError::Certificate(_)) => Err(runtime_error(error)),
    }
}

/// Checks a certificate; returns the JSON of `papan check`.
#[pyfunction]
#[pyo3(signature = (certificate, *, file="-", progress=None))]
pub(crate) fn check(
    py: Python<'_>,
    certificate: &[u8],
    file: &str,
    progress: Option<bool>,
) -> PyResult<String> {
    let bytes = certificate.to_vec();
    let file = file.to_owned();
    let watch = Arc::new(Watch::default());
    let own = Arc::clone(&watch);
    work::run(py, &watch, progress, move || {
        let checked = CertificateCheck::default().run_watched(&bytes, &own);
        // Python's callers know whose certificate they check.
        json::line(&json::CertificateCheck::new(file, checked.as_ref(), true))
    })
}

struct CountJob<'a>(&'a Watch);

impl GameVisitor for CountJob<'_> {
    type Output = Result<papan_solve::GameCounts, papan_solve::CountError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        papan_solve::count(&**game, self.0)
    }
}

/// Counts positions and games; returns the JSON of `papan count`.
#[pyfunction]
#[pyo3(signature = (game, *, progress=None))]
pub(crate) fn count(py: Python<'_>, game: &Game, progress: Option<bool>) -> PyResult<String> {
    let watch = Arc::new(Watch::default());
    let counted = work::run(py, &watch, progress, || game.any.visit(CountJob(&watch)))?;
    let counts = counted.map_err(runtime_error)?;
    Ok(json::line(&json::Census::new(&game.any, &counts)))
}

/// Computes the value of a position; returns the JSON of `papan solve` and a certificate where
/// there is one. `None` if the limits ended the search.
#[pyfunction]
#[pyo3(signature = (board, *, time=None, threads=1, hash_mib=64, progress=None))]
pub(crate) fn solve(
    board: &Bound<'_, PyAny>,
    time: Option<f64>,
    threads: usize,
    hash_mib: usize,
    progress: Option<bool>,
) -> PyResult<Option<(String, Option<Vec<u8>>)>> {
    let played = PlayedLine::read(board)?;
    let watch = Arc::new(Watch::default());
    let limits = Limits {
        time: seconds(time)?,
        ..Limits::default()
    };
    let context = Context::default()
        .watched_by(&watch)
        .limited(limits, &SystemClock);
    let options = Options { threads, hash_mib };
    work::run(board.py(), &watch, progress, || {
        solve_line(&played, &options, &context)
    })?
}

/// The JSON of a solution and its certificate.
type Solved = Option<(String, Option<Vec<u8>>)>;

fn solve_line(played: &PlayedLine, options: &Options, context: &Context) -> PyResult<Solved> {
    let game = &played.game;
    let line = played.line(game)?;
    let unit = game.properties().score_unit;
    let lines = [line.clone_line()];
    let solution = |score, pv: &[papan_rules::Move], nodes| {
        let score = Score::from_final(unit, score);
        json::line(&json::Solution::new(&*line, Some(score), pv, nodes))
    };
    match game.solver(&lines, options) {
        Ok(mut solver) => match solver.solve(&*line, context) {
            Ok(solved) => Ok(Some((
                solution(solved.score, &solved.pv, solved.nodes),
                None,
            ))),
            Err(SolveError::GameOver) => Err(value_error(SolveError::GameOver)),
            Err(_) if context.is_over() => Ok(None),
            Err(error) => Err(runtime_error(error)),
        },
        Err(error @ SolveError::TooMuchLeft { .. }) => {
            let grid = game.as_grid().ok_or_else(|| value_error(&error))?;
            let limits = ValueLimits {
                threads: options.threads.max(1),
                ..ValueLimits::default()
            };
            let mut checkpoint = SearchCheckpoint::default();
            let solved = grid
                .solve(&*line, &limits, &mut checkpoint, context)
                .ok_or_else(|| value_error(SolveError::GameOver))?;
            Ok(solved.value.map(|value| {
                (
                    solution(value, &solved.pv, solved.nodes),
                    solved.certificate,
                )
            }))
        }
        Err(error) => Err(runtime_error(error)),
    }
}
