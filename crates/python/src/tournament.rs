//! Tournaments and grading in the process.

use std::sync::Arc;
use std::time::Duration;

use papan_arena::grading::{Assignment, Grade, GradeJson, grade_test};
use papan_arena::results::Memory;
use papan_arena::{Entrant, EntrantKind, Format, Report, RunOptions, Tournament};
use papan_strategies::{Limits, StepKind, Watch};
use papan_view::json;
use pyo3::prelude::*;

use crate::errors::{runtime_error, value_error};
use crate::game::Game;
use crate::guest::{Raised, read_strategy};
use crate::player::{language, seconds};
use crate::work;

/// Plays a tournament; returns the JSON report of `papan arena`.
#[pyfunction]
#[pyo3(signature = (game, players, *, games=100, format="round-robin", time=None, nodes=None, depth=None, seed=0, concurrency=1, progress=None))]
// PyO3 extracts a list by value, and keyword arguments are many.
#[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
pub(crate) fn arena(
    py: Python<'_>,
    game: &Game,
    players: Vec<Bound<'_, PyAny>>,
    games: u64,
    format: &str,
    time: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    seed: u64,
    concurrency: usize,
    progress: Option<bool>,
) -> PyResult<String> {
    let mut entrants = Vec::new();
    let mut raised: Vec<Raised> = Vec::new();
    for player in &players {
        match player.extract::<&str>() {
            Ok(text) => entrants.push(text.parse::<Entrant>().map_err(value_error)?),
            Err(_) => {
                let read = read_strategy(player)?;
                raised.push(read.raised);
                entrants.push(Entrant {
                    kind: EntrantKind::Strategy(read.spec),
                    limits: Limits::default(),
                });
            }
        }
    }
    let tournament = Tournament {
        game: game.any.clone(),
        entrants,
        format: match format {
            "round-robin" => Format::RoundRobin,
            "gauntlet" => Format::Gauntlet,
            _ => return Err(value_error("format is \"round-robin\" or \"gauntlet\"")),
        },
        games,
        openings: vec![Vec::new()],
        limits: Limits {
            time: seconds(time)?,
            nodes,
            depth,
            ..Limits::default()
        },
        margin: Duration::ZERO,
        patience: Duration::from_secs(60),
        seed,
        timed: false,
        swap: None,
        adjudication: Default::default(),
    };
    let watch = Arc::new(Watch::default());
    watch.begin_step(0, StepKind::Games, tournament.pairs() * 2);
    let mut counted = 0;
    let raised_first = || raised.iter().any(Raised::is_some);
    let played = work::run(py, &watch, progress, || {
        let options = RunOptions {
            concurrency: concurrency.max(1),
            sprt: None,
            observer: &mut |scoreboard| {
                let games = scoreboard.standings().games;
                watch.advance(games - counted, 0);
                counted = games;
                if raised_first() {
                    watch.stop.stop();
                }
            },
            live_games: None,
            stop: watch.stop.clone(),
        };
        papan_arena::run(&tournament, &mut Memory::default(), options)
    })?;
    if let Some(error) = raised.iter().find_map(Raised::take) {
        return Err(error);
    }
    let scoreboard = played.map_err(runtime_error)?;
    Ok(json::line(&Report::of(&tournament, &scoreboard)))
}

/// The JSON of `papan grade`, and the exception that the strategy raised in each test.
type Graded = (String, Vec<Option<PyErr>>);

/// Grades a strategy by an assignment.
#[pyfunction]
#[pyo3(signature = (assignment, name, strategy, *, lang="en", progress=None))]
pub(crate) fn grade(
    assignment: &str,
    name: &str,
    strategy: &Bound<'_, PyAny>,
    lang: &str,
    progress: Option<bool>,
) -> PyResult<Graded> {
    let words = language(lang)?;
    let assignment = Assignment::parse(assignment).map_err(value_error)?;
    let read = read_strategy(strategy)?;
    read.check_copied()?;
    let watch = Arc::new(Watch::default());
    // Python runs one thread at a time.
    let pool = work::pool(1, &watch.stop)?;
    let (tests, raised) = work::run(strategy.py(), &watch, progress, || {
        let tests = assignment.tests.iter();
        pool.install(|| {
            tests
                .take_while(|_| watch.check_stop().is_ok())
                .map(|test| {
                    let result = grade_test(&assignment, &read.spec, test, &watch);
                    (result, read.raised.take())
                })
                .unzip()
        })
    })?;
    let grade = Grade {
        submission: name.into(),
        tests,
        failure: None,
    };
    let form = GradeJson::new(&assignment, &grade, words);
    Ok((json::line(&form), raised))
}
