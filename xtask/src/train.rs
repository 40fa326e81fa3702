//! `cargo xtask train`: the Othello engine's weights, from nothing.

use anyhow::{Result, bail};

use crate::command::cargo;

const USAGE: &str = "\
cargo xtask train FOLDER [--minutes 60] [--threads N] [WTHOR.wtb…]

Plays games against itself, solves and labels them and fits the tables, three rounds; then
fits the network and ProbCut, and plays a match against the tables alone.
FOLDER keeps everything; started again, the training goes on where it was left.
The result is FOLDER/othello.weights; copy it over crates/othello/weights/othello.weights.";

/// Runs the training with the release build.
pub(crate) fn run(words: impl Iterator<Item = String>) -> Result<()> {
    let words: Vec<String> = words.collect();
    let Some((folder, rest)) = words
        .split_first()
        .filter(|(first, _)| !first.starts_with('-'))
    else {
        bail!("{USAGE}");
    };
    let mut arguments = vec!["run", "--release", "-p", "papan-train", "--", "all", folder];
    for word in rest {
        // `minutes=60` is how it was written first.
        match word.split_once('=') {
            Some(("minutes", number)) => arguments.extend(["--minutes", number]),
            Some(("threads", number)) => arguments.extend(["--threads", number]),
            _ => arguments.push(word),
        }
    }
    cargo(&arguments)
}
