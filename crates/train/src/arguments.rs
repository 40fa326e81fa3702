//! What `papan-train` can be asked.

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use papan_othello::Evaluation;
use papan_othello::eval::weights::Weights;
use papan_train::{games::Game, wthor};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use crate::{evaluation, weights_of};

/// Makes the weights of papan's Othello engine.
#[derive(Parser)]
#[command(version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// The whole training, from nothing or from where it was left
    All(All),
    /// Plays games and appends them to a file
    Play(Play),
    /// Fits weights to games
    Fit(Fit),
    /// Fits a network to what the tables of a weights file leave over
    Network(FitNetwork),
    /// The mean errors of an evaluation on positions whose scores are known
    Errors(Errors),
    /// How right searches of a fixed depth are, and how often their move is a best one
    Accuracy(Accuracy),
    /// Fits what is added for each number of empty squares, so that searches are right in the mean
    Offsets(Offsets),
    /// Fits multi-ProbCut's constants to searches and writes weights with them
    Probcut(Probcut),
    /// How many nodes positions take to solve
    Nodes(Nodes),
    /// A match between two sets of weights
    Match(Match),
    /// Makes a suite of endgames from games, every move solved
    Suite(Suite),
}

#[derive(Args)]
pub(crate) struct All {
    /// Where games and weights are kept; what is there already is not made again
    pub(crate) folder: PathBuf,
    /// Tournament games in the WTHOR format, `.wtb`
    pub(crate) tournament: Vec<PathBuf>,
    /// Minutes of self-play, all rounds together
    #[arg(long, default_value_t = 60)]
    pub(crate) minutes: u64,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Play {
    /// The file of games; one that is there already is continued
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// How long
    #[arg(long, default_value_t = 60)]
    pub(crate) seconds: u64,
    /// Until the file holds so many games, however long it takes
    #[arg(long, conflicts_with = "seconds")]
    pub(crate) games: Option<u64>,
    /// Let workers (papan worker) play, through this job server, such as nats://127.0.0.1:4222; the
    /// file is the same
    #[arg(
        long,
        alias = "queue",
        env = "PAPAN_JOBS",
        hide_env_values = true,
        value_name = "URL",
        requires = "games",
        conflicts_with = "threads"
    )]
    pub(crate) jobs: Option<papan_jobs::JobsAddress>,
    /// Play this part of the workers' games again and compare, such as 1%
    #[arg(long, value_name = "PERCENT", default_value = "0%", requires = "jobs")]
    pub(crate) recheck: papan_jobs::Fraction,
    /// Plies searched for a move
    #[arg(long, default_value_t = 4)]
    pub(crate) depth: u32,
    /// From this many empty squares on, positions are solved
    #[arg(long, default_value_t = 14)]
    pub(crate) solve: u32,
    /// The games are a function of this and their number
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games of others to begin with, each left on the way, `.wtb` or games that were played
    /// before; without, games begin with random moves
    pub(crate) others: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Fit {
    /// The weights file to write
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// How strongly weights are drawn to the common table
    #[arg(long, default_value_t = 30.0)]
    pub(crate) ridge: f32,
    /// Steps of conjugate gradients per stage
    #[arg(long, default_value_t = 20)]
    pub(crate) steps: usize,
    #[command(flatten)]
    pub(crate) games: Games,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct FitNetwork {
    /// The weights file to write
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// The weights file whose tables are kept
    #[arg(long)]
    pub(crate) linear: PathBuf,
    /// Go on from the network of that file, instead of from nothing
    #[arg(long)]
    pub(crate) go_on: bool,
    /// How often every position is seen
    #[arg(long, default_value_t = 8)]
    pub(crate) epochs: usize,
    /// Positions between two steps
    #[arg(long, default_value_t = 65_536)]
    pub(crate) batch: usize,
    /// The length of the first steps
    #[arg(long, default_value_t = 0.003)]
    pub(crate) rate: f32,
    /// How little rare configurations are believed
    #[arg(long, default_value_t = 0.5)]
    pub(crate) damping: f32,
    /// What order and first numbers depend on
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Only every so manieth game is used
    #[arg(long, default_value_t = 1)]
    pub(crate) stride: usize,
    /// Only positions with at most so many empty squares are used
    #[arg(long, default_value_t = 60)]
    pub(crate) most_empties: u32,
    /// Positions with known scores, whose mean error is told after every epoch
    #[arg(long)]
    pub(crate) check: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) games: Games,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Errors {
    /// Positions with known scores, `.obf` files
    pub(crate) positions: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
}

#[derive(Args)]
pub(crate) struct Accuracy {
    /// Plies searched
    #[arg(long, default_value_t = 15)]
    pub(crate) depth: u32,
    #[command(flatten)]
    pub(crate) solving: Nodes,
}

#[derive(Args)]
pub(crate) struct Offsets {
    /// The weights file to write: the one that was read, with other offsets
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// How many games are used, one position of each
    #[arg(long, default_value_t = 20_000)]
    pub(crate) count: usize,
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
    #[command(flatten)]
    pub(crate) games: Games,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Probcut {
    /// The weights file to write: the one that was read, with the new constants
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Where the pairs of searches are written too, as CSV
    #[arg(long)]
    pub(crate) pairs: Option<PathBuf>,
    /// How many games are used, one position of each
    #[arg(long, default_value_t = 2000)]
    pub(crate) count: usize,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 8)]
    pub(crate) deepest: u32,
    /// From this many empty squares on, positions are also solved
    #[arg(long, default_value_t = 16)]
    pub(crate) solve: u32,
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
    #[command(flatten)]
    pub(crate) games: Games,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Nodes {
    /// Positions, an `.obf` file
    pub(crate) positions: PathBuf,
    /// The hash table of each search, in MiB
    #[arg(long, default_value_t = 512)]
    pub(crate) hash: usize,
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Match {
    /// Openings, one a line
    pub(crate) openings: PathBuf,
    /// The other player's weights; without, those that come with papan
    #[arg(long)]
    pub(crate) against: Option<PathBuf>,
    /// How many openings, each played with both colours
    #[arg(long, default_value_t = 100)]
    pub(crate) pairs: usize,
    /// Nodes a move
    #[arg(long, default_value_t = 20_000)]
    pub(crate) nodes: u64,
    /// Milliseconds a move, instead of nodes
    #[arg(long)]
    pub(crate) milliseconds: Option<u64>,
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Suite {
    /// The file to write
    #[arg(long)]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) games: Games,
}

#[derive(Args)]
pub(crate) struct Threads {
    /// How many threads work; without, one per processor
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(all).clamp(1, 1024)
    }
}

#[derive(Args)]
pub(crate) struct WeightsFile {
    /// A weights file; without, the weights that come with papan
    #[arg(long)]
    pub(crate) weights: Option<PathBuf>,
}

impl WeightsFile {
    pub(crate) fn read(&self) -> Result<Arc<Evaluation>> {
        evaluation(self.weights.as_deref())
    }

    pub(crate) fn with_contents(&self) -> Result<(Weights, Arc<Evaluation>)> {
        weights_of(self.weights.as_deref())
    }
}

#[derive(Args)]
pub(crate) struct Games {
    /// Games that were played before, or tournament games in the WTHOR format, `.wtb`
    #[arg(required = true)]
    pub(crate) games: Vec<PathBuf>,
}

impl Games {
    pub(crate) fn read(&self) -> Result<Vec<Game>> {
        read_games(&self.games)
    }
}

/// The games of all these files.
pub(crate) fn read_games(paths: &[PathBuf]) -> Result<Vec<Game>> {
    let mut games = Vec::new();
    for path in paths {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let tournament = path.extension().is_some_and(|end| end == "wtb");
        games.extend(if tournament {
            wthor::read(&bytes)
        } else {
            Game::read_all(&bytes)
        });
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
