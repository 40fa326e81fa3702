//! `cargo xtask values`: solves the boards of docs/values.md, and checks the new certificates and those of
//! the repository with papan's checker and the one in Python.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, ensure};

use crate::command::{release_binary, root};

/// Literature value of boards without a known publication.
const UNKNOWN: &str = "–";

/// Boards, their values in the literature, and the order of magnitude of the time to solve them.
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
    ("tictactoe:4x4x4", "first", "minutes"),
    ("tictactoe:15x15:5", "first", "hours"),
    ("tictactoe:6x7:4", "first", "quick"),
];

/// Solves the boards that take at most the given time (`quick`, `minutes` or `hours`) and prints
/// the rows of the page.
pub(crate) fn run(mut args: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let limit = args.next().unwrap_or_else(|| "minutes".into());
    let folder = args.next().unwrap_or_else(|| "target/values".into());
    let rank = |time: &str| {
        let order = ["quick", "minutes", "hours"];
        order.iter().position(|known| *known == time)
    };
    let limit = rank(&limit).context("usage: cargo xtask values [quick|minutes|hours] [FOLDER]")?;
    let papan = release_binary()?;
    for folder in ["data/certificates", "docs/values/h8"] {
        for entry in std::fs::read_dir(root().join(folder))? {
            check(&papan, &entry?.path())?;
        }
    }
    std::fs::create_dir_all(&folder)?;
    println!("| board | literature | papan | seconds | certificate, bytes | how |");
    println!("|---|---|---|---|---|---|");
    for (board, literature, time) in BOARDS {
        if rank(time) <= Some(limit) {
            row(&papan, board, literature, time, Path::new(&folder))?;
        }
    }
    Ok(())
}

fn row(
    papan: &str,
    board: &str,
    literature: &str,
    time: &str,
    folder: &Path,
) -> anyhow::Result<()> {
    let file = folder.join(format!("{}.certificate", board.replace(':', "-")));
    let started = Instant::now();
    let solved = Command::new(papan)
        .args(["solve", board, "--lang", "en", "--certificate"])
        .arg(&file)
        .output()?;
    let seconds = started.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&solved.stdout);
    let value = match text.lines().next() {
        Some("A draw.") => "draw",
        Some("The first player wins.") => "first",
        Some("The second player wins.") => "second",
        _ => "?",
    };
    ensure!(value != "?", "{board}: {text}");
    check(papan, &file)?;
    ensure!(
        literature == UNKNOWN || value == literature,
        "{board}: solved as {value}, but {literature} in the literature"
    );
    let bytes = std::fs::metadata(&file)?.len();
    println!("| `{board}` | {literature} | {value} | {seconds:.2} | {bytes} | {time} |");
    Ok(())
}

/// Checks a certificate with both checkers.
fn check(papan: &str, file: &Path) -> anyhow::Result<()> {
    let script = root().join("scripts/check_certificate.py");
    let papan = Command::new(papan).arg("check").arg(file).output()?;
    let python = Command::new("python3").arg(script).arg(file).output()?;
    for (checker, output) in [("papan", papan), ("python", python)] {
        ensure!(
            output.status.success(),
            "{}: refused by {checker}: {}",
            file.display(),
            String::from_utf8_lossy(&output.stdout)
        );
    }
    Ok(())
}
