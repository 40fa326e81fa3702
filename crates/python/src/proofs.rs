//! Proofs, certificates, exact values and counts.

use std::sync::Arc;

use papan_catalog::{AnyGame, Family, GameVisitor, SolveError, StrategySpec};
use papan_othello::Options;
use papan_rules::Player;
use papan_solve::{
    Certificate, CheckError, Proof, ProveError, SearchCheckpoint, StrategyClaim, ValueLimits,
    Verdict, interview, read_claim, read_claims,
};
use papan_strategies::{Context, Limits, Score, Strategy, SystemClock, Watch};
use papan_view::json;
use pyo3::prelude::*;

use crate::board::PlayedLine;
use crate::errors::{runtime_error, value_error};
use crate::game::Game;
use crate::guest::read_strategy;
use crate::player::seconds;
use crate::work;

/// A proof, and the certificate where the strategy never loses.
struct Proved {
    proof: Proof,
    certificate: Option<String>,
    /// The [fingerprint](papan_solve::AnswerTable::fingerprint) of a strategy from outside.
    fingerprint: Option<u64>,
}

struct ProveJob<'a> {
    spec: &'a StrategySpec,
    player: Player,
    certify: bool,
    watch: &'a Watch,
}

enum Failure {
    Prove(ProveError),
    Other(PyErr),
}

impl GameVisitor for ProveJob<'_> {
    type Output = Result<Proved, Failure>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let limits = Limits::default();
        let failed = |error: papan_catalog::Unplayable| Failure::Other(value_error(error));
        game.strategy(self.spec, &limits).map_err(failed)?;
        let instance = || -> Box<dyn Strategy<G>> {
            game.strategy(self.spec, &limits)
                .expect("a strategy that could be created before")
        };
        if self.spec.as_guest().is_none() {
            return self.prove(game, &instance);
        }
        // A strategy from outside is asked in every position first; its answers are proved.
        let table =
            interview(&**game, &instance, self.player, self.watch).map_err(Failure::Prove)?;
        let fingerprint = table.fingerprint();
        let proved = self.prove(game, &move || Box::new(table.clone()))?;
        Ok(Proved {
            fingerprint: Some(fingerprint),
            ..proved
        })
    }
}

impl ProveJob<'_> {
    fn prove<G: Family>(
        &self,
        game: &Arc<G>,
        factory: papan_solve::StrategyFactory<'_, G>,
    ) -> Result<Proved, Failure> {
        let proof = papan_solve::prove(&**game, factory, self.player, self.watch)
            .map_err(Failure::Prove)?;
        let certificate = if self.certify && proof.verdict() == Verdict::NeverLoses {
            let name = self.spec.identity();
            let certificate =
                Certificate::from_proved(&**game, factory, &name, self.player, self.watch)
                    .map_err(|error| Failure::Other(runtime_error(error)))?;
            Some(certificate.text().to_owned())
        } else {
            None
        };
        Ok(Proved {
            proof,
            certificate,
            fingerprint: None,
        })
    }
}

/// Plays a strategy against every opponent; returns the JSON of `papan prove`, the certificate, and
/// a fingerprint of the answers of a strategy from outside.
#[pyfunction]
#[pyo3(signature = (game, strategy, player, *, certify=false, progress=None))]
pub fn prove(
    game: &Game,
    strategy: &Bound<'_, PyAny>,
    player: usize,
    certify: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Option<String>, Option<u64>)> {
    let &player = Player::BOTH
        .get(player)
        .ok_or_else(|| value_error("a player is 0 or 1"))?;
    let read = read_strategy(strategy)?;
    let watch = Arc::new(Watch::default());
    let job = ProveJob {
        spec: &read.spec,
        player,
        certify,
        watch: &watch,
    };
    let is_python = read.is_python;
    let proved = work::run(strategy.py(), &watch, progress, || {
        if !is_python {
            return game.any.visit(job);
        }
        // Python runs one thread at a time; more would only hand the lock around.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        match pool {
            Ok(pool) => pool.install(|| game.any.visit(job)),
            Err(error) => Err(Failure::Other(runtime_error(error))),
        }
    })?;
    let name = read.spec.to_string();
    match proved {
        Ok(proved) => {
            let form = json::Proof::new(&game.any, &name, &proved.proof, None);
            Ok((json::line(&form), proved.certificate, proved.fingerprint))
        }
        Err(Failure::Other(error)) => Err(read.raised.take().unwrap_or(error)),
        Err(Failure::Prove(error)) => {
            if let Some(raised) = read.raised.take() {
                return Err(raised);
            }
            let form = json::NoProof::new(&game.any, &name, Some(player), &error);
            Ok((json::line(&form), None, None))
        }
    }
}

struct CheckJob<'a>(&'a [u8]);

impl GameVisitor for CheckJob<'_> {
    type Output = Result<StrategyClaim, CheckError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        papan_solve::check(&**game, self.0)
    }
}

/// Checks a certificate; returns the JSON of `papan check`.
#[pyfunction]
#[pyo3(signature = (certificate, *, file="-"))]
pub fn check(py: Python<'_>, certificate: &[u8], file: &str) -> PyResult<String> {
    let bytes = certificate.to_vec();
    let file = file.to_owned();
    let watch = Arc::new(Watch::default());
    work::run(py, &watch, None, move || {
        let form = match check_any(&bytes, &file) {
            Ok(form) => form,
            Err(error) => json::CertificateCheck::Refused {
                file,
                reason: error.to_string(),
            },
        };
        json::line(&form)
    })
}

fn check_any(bytes: &[u8], file: &str) -> Result<json::CertificateCheck, CheckError> {
    let no_game = || CheckError::Line {
        line: 2,
        expected: "the name of a game",
    };
    match read_claims(bytes) {
        Ok(stated) => {
            let game: AnyGame = stated.game.parse().map_err(|_| no_game())?;
            let proved = game.as_grid().ok_or_else(no_game)?.check_claims(bytes)?;
            Ok(json::CertificateCheck::Proved {
                file: file.into(),
                claims: json::CertificateClaim::all(&proved),
                game: proved.game,
                position: proved.position,
            })
        }
        Err(CheckError::NotACertificate) => {
            let stated = read_claim(bytes)?;
            let game: AnyGame = stated.game.parse().map_err(|_| no_game())?;
            let claim = game.visit(CheckJob(bytes))?;
            Ok(json::CertificateCheck::NeverLoses {
                file: file.into(),
                game: claim.game.clone(),
                strategy: Some(claim.strategy.clone()),
                seat: claim.player.to_string(),
                positions: claim.positions,
                symmetries: claim.symmetries.len(),
            })
        }
        Err(error) => Err(error),
    }
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
pub fn count(py: Python<'_>, game: &Game, progress: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    let watch = Arc::new(Watch::default());
    let counted = work::run(py, &watch, progress, || game.any.visit(CountJob(&watch)))?;
    let counts = counted.map_err(runtime_error)?;
    Ok(json::line(&json::Census::new(&game.any, &counts)))
}

/// Computes the value of a position; returns the JSON of `papan solve` and a certificate where
/// there is one. `None` if the limits ended the search.
#[pyfunction]
#[pyo3(signature = (board, *, time=None, threads=1, hash_mib=64, progress=None))]
pub fn solve(
    board: &Bound<'_, PyAny>,
    time: Option<f64>,
    threads: usize,
    hash_mib: usize,
    progress: Option<&Bound<'_, PyAny>>,
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
        let pv = json::moves(game, pv);
        json::line(&json::Solution {
            game: game.name(),
            position: line.position_text(),
            score: Score::from_final(unit, score).into(),
            best: pv.first().cloned(),
            pv,
            nodes,
            seconds: 0.0,
            established: None,
            replies: None,
            certificate: None,
        })
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
