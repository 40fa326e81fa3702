//! The table of levels: each against the one below, on the boards that people know.

use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::Value;

/// The boards, and whom level 0 loses to.
const BOARDS: [(&str, &str); 6] = [
    ("tictactoe", "greedy"),
    ("tictactoe:7x7:5", "greedy"),
    ("tictactoe:4x4x4", "greedy"),
    ("tictactoe:15x15:5", "greedy"),
    ("othello:6x6", "engine(depth=1)"),
    ("othello", "engine(depth=1)"),
];

/// Plays the matches and prints the table; `[GAMES] [BOARD …]`.
pub(crate) fn run(mut words: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let games = words.next().unwrap_or_else(|| "200".into());
    let games: u32 = games
        .parse()
        .context("cargo xtask levels [GAMES] [BOARD …]")?;
    let wanted: Vec<String> = words.collect();
    crate::cargo(&["build", "--release", "--package", "papan"])?;
    let levels = (1..=10).map(|level| format!(" {level} |"));
    println!("| board | 0 | {}", levels.collect::<String>().trim_start());
    println!("|---|{}", "---|".repeat(11));
    for (board, first) in BOARDS {
        if wanted.is_empty() || wanted.iter().any(|name| name == board) {
            row(board, first, games)?;
        }
    }
    Ok(())
}

fn row(board: &str, first: &str, games: u32) -> anyhow::Result<()> {
    print!("| `{board}` |");
    for level in 0..=10 {
        let below = match level {
            0 => first.into(),
            _ => format!("computer(level={})", level - 1),
        };
        let score = score(board, &format!("computer(level={level})"), &below, games)?;
        print!(" {score} |");
        std::io::Write::flush(&mut std::io::stdout())?;
    }
    println!();
    Ok(())
}

/// What a player scores against another, in percent, with the 95 % interval.
fn score(board: &str, player: &str, other: &str, games: u32) -> anyhow::Result<String> {
    let folder = tempfile::tempdir()?;
    let papan = std::env::current_dir()?.join("target/release/papan");
    let mut arena = Command::new(papan);
    // The levels may have changed since these games were last played.
    arena
        .current_dir(&folder)
        .args(["arena", board, "--json", "--again"]);
    arena.args(["--player", player, "--player", other]);
    arena.args(["--games", &games.to_string()]);
    // On 3x3 an opening would decide too much; the players vary by themselves.
    if board != "tictactoe" {
        arena.args(["--openings", &format!("random:{}", games / 2)]);
    }
    // On larger grids games by chance do not see that an opening is won already.
    if board.starts_with("tictactoe:") {
        arena.args(["--balance", "engine@nodes=3000"]);
    }
    let output = arena.output()?;
    ensure!(
        output.status.success(),
        "{board}, {player}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let told: Value = serde_json::from_slice(&output.stdout)?;
    let players = told["players"].as_array().context("no players")?;
    let row = players.iter().find(|row| row["player"] == player);
    let row = row.context("the player is not in the table")?;
    let count = |seat: &str, what: &str| row[seat][what].as_f64().unwrap_or(0.0);
    let both = |what: &str| count("first", what) + count("second", what);
    let (wins, draws, losses) = (both("wins"), both("draws"), both("losses"));
    let played = wins + draws + losses;
    let mean = (wins + draws / 2.0) / played;
    let spread = wins * (1.0 - mean).powi(2) + draws * (0.5 - mean).powi(2) + losses * mean.powi(2);
    let margin = 1.96 * (spread / played).sqrt() / played.sqrt();
    Ok(format!("{:.0} ± {:.0}", 100.0 * mean, 100.0 * margin))
}
