//! Solves the positions of an OBF file, the format of Edax's problem sets.
//!
//! ```text
//! cargo run --release -p papan-othello --example solve_obf -- crates/othello/suite/papan.obf
//! ```
//!
//! A line of the file is a board of 64 characters, the side to move, and optional scores:
//! `X--O… X; G8:+18;`. `papan_files::obf` has a complete parser.

use papan_othello::{Board, Engine, Options};
use papan_strategies::StopToken;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: solve_obf FILE")?;
    let mut engine = Engine::new(&Options {
        threads: 2,
        hash_mib: Options::SOLVER_HASH_MIB,
    })?;
    for (number, line) in (1..).zip(std::fs::read_to_string(path)?.lines()) {
        let is_comment = line.starts_with('#');
        let Some((squares, rest)) = line.split_at_checked(64).filter(|_| !is_comment) else {
            continue;
        };
        let discs = |of: char| {
            let indices = squares.chars().enumerate().filter(|&(_, c)| c == of);
            indices.fold(0, |set, (index, _)| set | 1 << index)
        };
        let (black, white) = (discs('X'), discs('O'));
        let board = if rest.trim_start().starts_with('X') {
            Board::try_new(black, white)?
        } else {
            Board::try_new(white, black)?
        };
        let result = engine.solve(board, &StopToken::default(), |_| {});
        let best = result.best.map_or("pass".into(), |mv| mv.to_string());
        println!(
            "{number}: {best} {:+}, {} nodes",
            result.score, result.nodes
        );
    }
    Ok(())
}
