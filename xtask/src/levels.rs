//! `cargo xtask levels`: measures the strength of each level of the computer against the level
//! below.

use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::command::release_binary;

/// Boards, each with the opponent of level 0.
const BOARDS: [(&str, &str); 9] = [
    ("tictactoe", "greedy"),
    ("tictactoe:7x7:5", "greedy"),
    ("tictactoe:4x4x4", "greedy"),
    ("tictactoe:15x15:5", "greedy"),
    ("gomoku:standard", "engine(depth=1)"),
    ("renju", "engine(depth=1)"),
    ("gomoku:caro", "engine(depth=1)"),
    ("othello:6x6", "engine(depth=1)"),
    ("othello", "engine(depth=1)"),
];

/// Plays the matches and prints a Markdown table.
pub(crate) fn run(mut args: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let games: u32 = match args.next() {
        Some(games) => games
            .parse()
            .context("usage: cargo xtask levels [GAMES] [BOARD...]")?,
        None => 200,
    };
    let selected: Vec<String> = args.collect();
    let papan = release_binary()?;
    let levels = (1..=10).map(|level| format!(" {level} |"));
    println!("| board | 0 | {}", levels.collect::<String>().trim_start());
    println!("|---|{}", "---|".repeat(11));
    for (board, weakest) in BOARDS {
        if selected.is_empty() || selected.iter().any(|name| name == board) {
            row(&papan, board, weakest, games)?;
        }
    }
    Ok(())
}

fn row(papan: &str, board: &str, weakest: &str, games: u32) -> anyhow::Result<()> {
    print!("| `{board}` |");
    for level in 0..=10 {
        let below = match level {
            0 => weakest.into(),
            _ => format!("computer(level={})", level - 1),
        };
        let player = format!("computer(level={level})");
        let score = score(papan, board, [&player, &below], games)?;
        print!(" {score} |");
        std::io::Write::flush(&mut std::io::stdout())?;
    }
    println!();
    Ok(())
}

/// Plays a match and returns the score of the first player in percent, with its 95 % interval.
fn score(papan: &str, board: &str, players: [&str; 2], games: u32) -> anyhow::Result<String> {
    let folder = tempfile::tempdir()?;
    let [player, opponent] = players;
    let mut arena = Command::new(papan);
    // Without --again, results of other versions of the levels could be reused.
    arena
        .current_dir(&folder)
        .args(["arena", board, "--json", "--again"]);
    arena.args(["--player", player, "--player", opponent]);
    arena.args(["--games", &games.to_string()]);
    // On 3x3 a random opening often decides the game, and the players vary without one.
    if board != "tictactoe" {
        arena.args(["--openings", &format!("random:{}", games / 2)]);
    }
    // On larger grids random playouts do not recognise openings that are already won.
    if board != "tictactoe" && !board.starts_with("othello") {
        arena.args(["--balance", "engine@nodes=3000"]);
    }
    let output = arena.output()?;
    ensure!(
        output.status.success(),
        "{board}, {player}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let report: Value = serde_json::from_slice(&output.stdout)?;
    let row = report["players"]
        .as_array()
        .context("no players in the report")?
        .iter()
        .find(|row| row["player"] == player)
        .context("the player is not in the report")?;
    let count = |seat: &str, result: &str| row[seat][result].as_f64().unwrap_or(0.0);
    let both = |result: &str| count("first", result) + count("second", result);
    let (wins, draws, losses) = (both("wins"), both("draws"), both("losses"));
    let played = wins + draws + losses;
    let mean = (wins + draws / 2.0) / played;
    let squares =
        wins * (1.0 - mean).powi(2) + draws * (0.5 - mean).powi(2) + losses * mean.powi(2);
    let margin = 1.96 * (squares / played).sqrt() / played.sqrt();
    Ok(format!("{:.0} ± {:.0}", 100.0 * mean, 100.0 * margin))
}
