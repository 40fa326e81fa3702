//! Speed of the version 2 certificate checker, on every file of a folder.
//!
//! ```sh
//! cargo bench -p papan-solve --bench check_speed -- [FOLDER]
//! ```
//!
//! Times are CPU times of the process; small files are skipped.

use papan_rules::Grid;
use papan_solve::{check_claims, read_claims};

const REPETITIONS: u32 = 20;
/// Smallest file that is measured, in bytes.
const MIN_SIZE: usize = 5_000;

/// Returns the CPU seconds used by this process; 0 where the system does not report them.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text
        .split_whitespace()
        .next()
        .and_then(|text| text.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, arguments): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    // `cargo test --all-targets` runs benches without `--bench`.
    if !flags.iter().any(|flag| flag == "--bench") {
        return Ok(());
    }
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/certificates");
    let folder = arguments.first().map_or(default, String::as_str);
    for entry in std::fs::read_dir(folder)? {
        let bytes = std::fs::read(entry?.path())?;
        let Ok(file) = read_claims(&bytes) else {
            continue;
        };
        let Some(size) = file.game.strip_prefix("tictactoe:") else {
            continue;
        };
        if bytes.len() < MIN_SIZE {
            continue;
        }
        let grid = Grid::<u64>::with_size(size.parse()?)?;
        let start = cpu_seconds();
        for _ in 0..REPETITIONS {
            check_claims(&grid, &bytes)?;
        }
        let each = (cpu_seconds() - start) / f64::from(REPETITIONS);
        let speed = bytes.len() as f64 / 1e6 / each;
        println!(
            "{}: {} bytes in {:.1} ms, {speed:.1} MB/s",
            file.game,
            bytes.len(),
            each * 1e3
        );
    }
    Ok(())
}
