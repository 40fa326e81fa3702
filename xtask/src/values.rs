//! The table of docs/values.md, made again: each board solved, its certificate checked.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, ensure};

/// What stands in the table where we know of no literature.
const UNKNOWN: &str = "–";

/// Boards, what the literature says, and how long papan may take in the tests.
const BOARDS: [(&str, &str, &str); 24] = [
    ("tictactoe", "draw", "quick"),
    ("tictactoe:3x4", "first", "quick"),
    ("tictactoe:4x4:3", "first", "quick"),
    ("tictactoe:3x3x3", "first", "quick"),
    ("tictactoe:4x4", "draw", "quick"),
    ("tictactoe:4x5", "draw", "quick"),
    ("tictactoe:4x6", "draw", "quick"),
    ("tictactoe:4x7", "draw", "minutes"),
    ("tictactoe:4x8", "draw", "minutes"),
    ("tictactoe:4x9", "first", "minutes"),
    ("tictactoe:5x5:4", "draw", "quick"),
    ("tictactoe:5x6:4", "first", "quick"),
    ("tictactoe:6x6:4", "first", "quick"),
    ("tictactoe:5x7:4", "first", "quick"),
    ("tictactoe:5x5", "draw", "quick"),
    ("tictactoe:5x6", "draw", "quick"),
    ("tictactoe:6x6:5", "draw", "quick"),
    ("tictactoe:6x8:5", UNKNOWN, "quick"),
    ("tictactoe:7x7:5", "draw", "minutes"),
    ("tictactoe:7x8:5", UNKNOWN, "minutes"),
    ("tictactoe:8x8:5", "draw", "hours"),
    ("tictactoe:4x4x4", "first", "hours"),
    ("tictactoe:15x15:5", "first", "hours"),
    ("tictactoe:6x7:4", "first", "quick"),
];

/// Solves the boards that fit the time given (`quick`, `minutes` or `hours`), and prints
/// the rows of the page.
pub(crate) fn run(mut words: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let longest = words.next().unwrap_or_else(|| "minutes".into());
    let folder = words.next().unwrap_or_else(|| "target/values".into());
    let order = ["quick", "minutes", "hours"];
    let rank = |how: &str| order.iter().position(|known| *known == how);
    let longest = rank(&longest).context("cargo xtask values [quick|minutes|hours] [FOLDER]")?;
    crate::cargo(&["build", "--release", "--package", "papan"])?;
    std::fs::create_dir_all(&folder)?;
    println!("| board | literature | papan | seconds | certificate, bytes | how |");
    println!("|---|---|---|---|---|---|");
    for (board, literature, how) in BOARDS {
        if rank(how) <= Some(longest) {
            row(board, literature, how, Path::new(&folder))?;
        }
    }
    Ok(())
}

fn row(board: &str, literature: &str, how: &str, folder: &Path) -> anyhow::Result<()> {
    let file = folder.join(format!("{}.certificate", board.replace(':', "-")));
    let papan = || Command::new("target/release/papan");
    let began = Instant::now();
    let solved = papan()
        .args(["solve", board, "--lang", "en", "--certificate"])
        .arg(&file)
        .output()?;
    let seconds = began.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&solved.stdout);
    let value = match said.lines().next() {
        Some("A draw.") => "draw",
        Some("The first player wins.") => "first",
        Some("The second player wins.") => "second",
        _ => "?",
    };
    let checked = papan().arg("check").arg(&file).output()?;
    ensure!(value != "?", "{board}: {said}");
    ensure!(
        checked.status.success(),
        "{board}: the certificate is refused"
    );
    ensure!(
        literature == UNKNOWN || value == literature,
        "{board}: {value}, and the literature says {literature}"
    );
    let bytes = std::fs::metadata(&file)?.len();
    println!("| `{board}` | {literature} | {value} | {seconds:.2} | {bytes} | {how} |");
    Ok(())
}
