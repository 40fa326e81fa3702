//! `cargo xtask train`: trains the weights of the Othello engine from scratch.

use anyhow::{Result, bail};

use crate::command::cargo;

const USAGE: &str = "\
Usage: cargo xtask train FOLDER [--minutes 60] [--threads N] [WTHOR.wtb...]

Run three rounds of self-play, labelling by solving, and regression of the pattern weights; then fit
the network and the ProbCut parameters, and play a match against the pattern weights alone.

All intermediate files are in FOLDER. An interrupted training continues when it is run again.
The result is FOLDER/othello.weights; copy it to crates/othello/weights/othello.weights.";

/// Runs the training in the release profile.
pub(crate) fn run(args: impl Iterator<Item = String>) -> Result<()> {
    let args: Vec<String> = args.collect();
    let Some((folder, rest)) = args
        .split_first()
        .filter(|(first, _)| !first.starts_with('-'))
    else {
        bail!("{USAGE}");
    };
    let mut train = vec!["run", "--release", "-p", "papan-train", "--", "all", folder];
    for arg in rest {
        // Earlier versions took `minutes=60` instead of an option.
        match arg.split_once('=') {
            Some(("minutes", number)) => train.extend(["--minutes", number]),
            Some(("threads", number)) => train.extend(["--threads", number]),
            _ => train.push(arg),
        }
    }
    cargo(&train)
}
