//! Exact values of positions, and the benchmark.

use papan_catalog::{AnyGame, AnyLine, GridSolution, SolveError, SolvedPosition};
use papan_files::obf;
use papan_othello::Options;
use papan_othello::bench::{BUNDLED_SUITE, Bench};
use papan_solve::{SearchCheckpoint, ValueLimits};
use papan_strategies::{Clock as _, Context, Score, StopToken};
use papan_view::json;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::clock::PageClock;
use crate::error::plain;
use crate::limits;
use crate::line::Line;
use crate::object::to_object;
use crate::progress::Running;

/// Size of the transposition table, in MiB. The memory of a module never shrinks.
const HASH_MIB: usize = 64;
/// Positions in the tables of the value search: about 64 MiB.
const POSITIONS: usize = 500_000;

/// Finds the exact value of a position, with a certificate where the game has them. Large boards
/// need a limit in time.
#[wasm_bindgen(unchecked_return_type = "Solution")]
pub fn solve(
    line: &Line,
    #[wasm_bindgen(unchecked_optional_param_type = "Limits")] limits: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "OnProgress")] on_progress: Option<
        js_sys::Function,
    >,
) -> Result<JsValue, JsError> {
    let line = &*line.0;
    let game = line.game();
    let running = Running::new(&game, limits::read(limits)?, on_progress);
    if let Some(grid) = game.as_grid() {
        let mut checkpoint = SearchCheckpoint::default();
        let limits = ValueLimits {
            positions: POSITIONS,
            ..ValueLimits::default()
        };
        return match grid.solve(line, &limits, &mut checkpoint, &running.context) {
            Some(solution) => grid_solution(line, solution),
            None => Err(plain(SolveError::GameOver)),
        };
    }
    let solved = solve_by_engine(&game, line, &running.context).map_err(plain)?;
    let score = Score::from_final(game.properties().score_unit, solved.score);
    to_object(&json::Solution::new(
        line,
        Some(score),
        &solved.pv,
        solved.nodes,
    ))
}

fn solve_by_engine(
    game: &AnyGame,
    line: &dyn AnyLine,
    context: &Context,
) -> Result<SolvedPosition, SolveError> {
    let options = Options {
        threads: 1,
        hash_mib: HASH_MIB,
    };
    game.solver(&[line.clone_line()], &options)?
        .solve(line, context)
}

fn grid_solution(line: &dyn AnyLine, found: GridSolution) -> Result<JsValue, JsError> {
    let score = found.value.map(|value| Score::result(value).by_proof());
    let object = to_object(&json::Solution::new(line, score, &found.pv, found.nodes))?;
    if let Some(certificate) = found.certificate {
        let bytes = js_sys::Uint8Array::from(&certificate[..]);
        js_sys::Reflect::set(&object, &"certificate".into(), &bytes)
            .map_err(|_| plain("the solution is no object"))?;
    }
    Ok(object)
}

#[derive(Serialize)]
struct BenchResult {
    nodes: u64,
    signature: String,
    milliseconds: f64,
    mismatches: usize,
}

/// Solves the endgame suite of `papan bench`. Needs `loadWeights`.
#[wasm_bindgen(unchecked_return_type = "Bench")]
pub fn bench() -> Result<JsValue, JsError> {
    let bench = Bench {
        options: Options {
            threads: 1,
            hash_mib: HASH_MIB,
        },
        perft: 0,
        suite: obf::parse(BUNDLED_SUITE).map_err(plain)?,
        every_move: false,
    };
    let started = PageClock.now();
    let report = bench
        .run(&PageClock, &StopToken::default(), |_| {})
        .map_err(plain)?;
    let elapsed = PageClock.now().saturating_sub(started);
    to_object(&BenchResult {
        nodes: report.nodes,
        signature: format!("{:016x}", report.signature.unwrap_or_default()),
        milliseconds: elapsed.as_secs_f64() * 1000.0,
        mismatches: report.mismatches().count(),
    })
}
