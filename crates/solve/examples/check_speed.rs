//! How fast certificates are checked: each file of a folder, twenty times.
//!
//! ```sh
//! cargo run --release -p papan-solve --example check_speed -- certificates
//! ```
//!
//! Times are of the processor, so that other programs do not count; small files are left
//! out.

use papan_rules::Grid;
use papan_solve::{check_claims, read_claims};

const TIMES: u32 = 20;
const SMALL: usize = 5_000;

/// Seconds of the processor that this process has used; zero where the system does not tell.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next();
    let nanoseconds = nanoseconds.and_then(|text| text.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or("certificates".into());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let bytes = std::fs::read(&path)?;
        let Ok(file) = read_claims(&bytes) else {
            continue;
        };
        let Some(size) = file.game.strip_prefix("tictactoe:") else {
            continue;
        };
        if bytes.len() < SMALL {
            continue;
        }
        let grid = Grid::<u64>::with_size(size.parse()?)?;
        let began = seconds();
        for _ in 0..TIMES {
            check_claims(&grid, &bytes)?;
        }
        let each = (seconds() - began) / f64::from(TIMES);
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
