//! `papan._papan`: the extension module under the Python package `papan`.
//!
//! Games and positions are classes here, because loops over them must be fast. Everything that
//! takes long (proofs, searches, tournaments) is a function that returns JSON, the same as the
//! commands print; `python/papan` turns it into data classes.

mod board;
mod details;
mod errors;
mod files;
mod game;
mod guest;
mod player;
mod position;
mod program;
mod proofs;
mod puzzles;
mod running;
mod tournament;
mod trace;
mod work;

#[pyo3::pymodule]
mod _papan {
    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::files::{load, save, write_file};
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::player::{Player, players, review};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::program::Program;
    #[pymodule_export]
    use crate::proofs::{check, count, prove, solve};
    #[pymodule_export]
    use crate::puzzles::{puzzle_attempt, puzzle_list};
    #[pymodule_export]
    use crate::tournament::{arena, grade};
    #[pymodule_export]
    use crate::trace::{TracedSteps, automaton, trace, tree};

    /// The package is compiled for processors with AVX2; on others it would end the interpreter.
    #[pymodule_init]
    fn check_processor(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        papan_othello::check_cpu().map_err(|error| PyImportError::new_err(error.to_string()))
    }

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
