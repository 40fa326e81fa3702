//! The command line of `papan-train`.

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use papan_jobs::{Connection, Notice};
use papan_othello::Evaluation;
use papan_othello::eval::weights::{self, Weights};
use papan_strategies::StopToken;
use papan_train::pipeline::Jobs;
use papan_train::{games::Game, wthor};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The exit code after Ctrl-C: 128 + `SIGINT`, as shells report it.
pub(crate) const INTERRUPTED: i32 = 130;

/// Train the weights of papan's engines for Othello and for gomoku.
#[derive(Parser)]
#[command(version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run the whole training, or continue it
    All(All),
    /// Play self-play games and append them to a file
    Play(Play),
    /// Fit the pattern weights to games by ridge regression
    Fit(Fit),
    /// Train the network on the residuals of the pattern weights
    Network(FitNetwork),
    /// Print the errors of an evaluation on positions with known scores
    Errors(Errors),
    /// Print the accuracy of fixed-depth searches and of their moves
    Accuracy(Accuracy),
    /// Calibrate the offsets for each number of empty squares
    Offsets(Offsets),
    /// Fit the multi-ProbCut parameters to pairs of searches
    Probcut(Probcut),
    /// Count the nodes to solve positions
    Nodes(Nodes),
    /// Play a match between two weights files
    Match(Match),
    /// Create a suite of endgame positions from games, with every move solved
    Suite(Suite),
    /// Train the weights for gomoku and renju
    #[command(subcommand)]
    Gomoku(Gomoku),
}

#[derive(Subcommand)]
pub(crate) enum Gomoku {
    /// Play self-play games and append them to a file
    Play(GomokuPlay),
    /// Fit the evaluation and the move ordering to games
    Fit(GomokuFit),
}

#[derive(Args)]
pub(crate) struct GomokuPlay {
    /// File of games; an existing one is continued
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// Rule: freestyle, standard, renju or caro
    #[arg(long, default_value = "freestyle", value_parser = rule)]
    pub(crate) rule: papan_rules::GomokuRule,
    /// Side of the board
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u8).range(5..=20))]
    pub(crate) side: u8,
    /// Nodes per move
    #[arg(long, default_value_t = 1500)]
    pub(crate) nodes: u64,
    /// Seed; seed and number determine a game
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Duration in seconds
    #[arg(long, default_value_t = 60)]
    pub(crate) seconds: u64,
    /// Play until the file has this number of games, regardless of time
    #[arg(long, conflicts_with = "seconds")]
    pub(crate) games: Option<u64>,
    #[command(flatten)]
    pub(crate) weights: GomokuWeightsFile,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct GomokuFit {
    /// Weights file to write
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// Self-play files of any rules
    #[arg(required = true)]
    pub(crate) games: Vec<PathBuf>,
    /// Passes over all games
    #[arg(long, default_value_t = 8)]
    pub(crate) epochs: usize,
    /// Initial learning rate
    #[arg(long, default_value_t = 0.02)]
    pub(crate) rate: f32,
    /// Share of the result in the target; the rest is the score of the search
    #[arg(long, default_value_t = 0.7)]
    pub(crate) result: f32,
    /// Give the table of this rule to all rules, before there are games of the others
    #[arg(long, value_parser = rule)]
    pub(crate) copy: Option<papan_rules::GomokuRule>,
    #[command(flatten)]
    pub(crate) weights: GomokuWeightsFile,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

fn rule(text: &str) -> Result<papan_rules::GomokuRule, String> {
    papan_rules::GomokuRule::parse(text)
        .ok_or_else(|| "expected freestyle, standard, renju or caro".to_owned())
}

#[derive(Args)]
pub(crate) struct All {
    /// Directory of games and weights; existing files are reused
    pub(crate) folder: PathBuf,
    /// Tournament games in the WTHOR format, `.wtb`
    pub(crate) tournament: Vec<PathBuf>,
    /// Minutes of self-play, in all rounds together
    #[arg(long, default_value_t = 60)]
    pub(crate) minutes: u64,
    #[command(flatten)]
    pub(crate) jobs: JobServer,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// Workers that play games.
#[derive(Args)]
pub(crate) struct JobServer {
    /// Let workers (papan worker) play, through this job server, such as nats://127.0.0.1:4222; the
    /// games are the same [env: PAPAN_JOBS, unless --threads is given]
    #[arg(long, alias = "queue", value_name = "URL")]
    jobs: Option<papan_jobs::JobsAddress>,
    /// Play each worker's first games and this part of the others again and compare, such as 10%
    #[arg(long, value_name = "PERCENT", default_value = "1%")]
    recheck: papan_jobs::Fraction,
}

impl JobServer {
    /// Connects to the server that is given, or named by the environment. The stop token is
    /// triggered by Ctrl-C or SIGTERM; a second one exits at once.
    pub(crate) fn connect(&self, threads: &Threads) -> Result<Option<Jobs>> {
        let address = match &self.jobs {
            Some(address) => Some(address.clone()),
            None if threads.threads.is_some() => None,
            None => {
                let text = std::env::var("PAPAN_JOBS").unwrap_or_default();
                let address = (!text.is_empty()).then(|| text.parse());
                address.transpose().context("PAPAN_JOBS")?
            }
        };
        let Some(address) = address else {
            return Ok(None);
        };
        let notice = Notice::new(|line| eprintln!("{line}"));
        let connection = Connection::open(&address, notice.clone())?;
        let stop = StopToken::default();
        let token = stop.clone();
        papan_os::on_stop_request(move |count| {
            if count > 1 {
                std::process::exit(INTERRUPTED);
            }
            token.stop();
            eprintln!("stopping the jobs that run; a second signal exits at once");
        })?;
        Ok(Some(Jobs {
            connection,
            recheck: self.recheck.0,
            notice,
            stop,
        }))
    }
}

#[derive(Args)]
pub(crate) struct Play {
    /// File of games; an existing one is continued
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// Duration in seconds
    #[arg(long, default_value_t = 60)]
    pub(crate) seconds: u64,
    /// Play until the file has this number of games, regardless of time
    #[arg(long, conflicts_with = "seconds")]
    pub(crate) games: Option<u64>,
    #[command(flatten)]
    pub(crate) jobs: JobServer,
    /// Search depth in plies
    #[arg(long, default_value_t = 4)]
    pub(crate) depth: u32,
    /// Solve positions with at most this number of empty squares
    #[arg(long, default_value_t = 14)]
    pub(crate) solve: u32,
    /// Seed; seed and number determine a game
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games to take openings from, `.wtb` or self-play files [default: random openings]
    pub(crate) others: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Fit {
    #[command(flatten)]
    pub(crate) out: OutputFile,
    /// Regularisation parameter
    #[arg(long, default_value_t = 30.0)]
    pub(crate) ridge: f32,
    /// Conjugate gradient iterations per stage
    #[arg(long, default_value_t = 20)]
    pub(crate) steps: usize,
    #[command(flatten)]
    pub(crate) games: Games,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct FitNetwork {
    #[command(flatten)]
    pub(crate) out: OutputFile,
    /// Weights file with the pattern weights
    #[arg(long)]
    pub(crate) linear: PathBuf,
    /// Continue the training of the network in that file
    #[arg(long, alias = "go-on")]
    pub(crate) resume: bool,
    /// Passes over all positions
    #[arg(long, default_value_t = 8)]
    pub(crate) epochs: usize,
    /// Positions per mini-batch
    #[arg(long, default_value_t = 65_536)]
    pub(crate) batch: usize,
    /// Initial learning rate
    #[arg(long, default_value_t = 0.003)]
    pub(crate) rate: f32,
    /// Adam's epsilon for feature rows; larger values slow down rare configurations
    #[arg(long, default_value_t = 0.5)]
    pub(crate) damping: f32,
    /// Seed of the initial parameters and of the shuffling
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Use only every Nth game
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) stride: usize,
    /// Use only positions with at most this number of empty squares
    #[arg(long, alias = "most-empties", default_value_t = 60)]
    pub(crate) max_empties: u32,
    /// OBF file of positions with known scores, to measure the error after every epoch
    #[arg(long)]
    pub(crate) check: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) games: Games,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Errors {
    /// OBF files of positions with known scores
    pub(crate) positions: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
}

#[derive(Args)]
pub(crate) struct Accuracy {
    /// Search depth in plies
    #[arg(long, default_value_t = 15)]
    pub(crate) depth: u32,
    #[command(flatten)]
    pub(crate) solver: Nodes,
}

#[derive(Args)]
pub(crate) struct Offsets {
    #[command(flatten)]
    pub(crate) out: OutputFile,
    /// Number of games to use, one position of each
    #[arg(long, default_value_t = 20_000)]
    pub(crate) count: usize,
    #[command(flatten)]
    pub(crate) data: SearchData,
}

#[derive(Args)]
pub(crate) struct Probcut {
    /// Weights file to write
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Also write the pairs of searches to this CSV file
    #[arg(long)]
    pub(crate) pairs: Option<PathBuf>,
    /// Number of games to use, one position of each
    #[arg(long, default_value_t = 2000)]
    pub(crate) count: usize,
    /// Depth of the deepest search in plies
    #[arg(long, default_value_t = 8)]
    pub(crate) deepest: u32,
    /// Also solve positions with at most this number of empty squares
    #[arg(long, default_value_t = 16)]
    pub(crate) solve: u32,
    #[command(flatten)]
    pub(crate) data: SearchData,
}

#[derive(Args)]
pub(crate) struct Nodes {
    /// OBF file of positions
    pub(crate) positions: PathBuf,
    /// Transposition table of each search in MiB
    #[arg(long, default_value_t = 512)]
    pub(crate) hash: usize,
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Match {
    /// File of openings, one per line
    pub(crate) openings: PathBuf,
    /// Weights file of the opponent [default: the bundled weights]
    #[arg(long)]
    pub(crate) against: Option<PathBuf>,
    /// Number of openings, each played with both colours
    #[arg(long, default_value_t = 100)]
    pub(crate) pairs: usize,
    /// Nodes per move
    #[arg(long, default_value_t = 20_000)]
    pub(crate) nodes: u64,
    /// Milliseconds per move, instead of nodes
    #[arg(long)]
    pub(crate) milliseconds: Option<u64>,
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct Suite {
    /// OBF file to write
    #[arg(long)]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) games: Games,
}

/// Games and the weights that search their positions.
#[derive(Args)]
pub(crate) struct SearchData {
    #[command(flatten)]
    pub(crate) weights: WeightsFile,
    #[command(flatten)]
    pub(crate) games: Games,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Args)]
pub(crate) struct OutputFile {
    /// Weights file to write
    #[arg(long)]
    out: PathBuf,
}

impl OutputFile {
    pub(crate) fn write(&self, weights: &Weights) -> Result<()> {
        let name = || self.out.display().to_string();
        papan_files::write_atomic(&self.out, &weights::write(weights)).with_context(name)
    }
}

#[derive(Args)]
pub(crate) struct Threads {
    /// Number of threads [default: the number of cores]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores).clamp(1, 1024)
    }
}

#[derive(Args)]
pub(crate) struct WeightsFile {
    /// Weights file [default: the bundled weights]
    #[arg(long)]
    pub(crate) weights: Option<PathBuf>,
}

impl WeightsFile {
    pub(crate) fn evaluation(&self) -> Result<Arc<Evaluation>> {
        read_evaluation(self.weights.as_deref())
    }

    pub(crate) fn weights_and_evaluation(&self) -> Result<(Weights, Arc<Evaluation>)> {
        read_weights(self.weights.as_deref())
    }
}

#[derive(Args)]
pub(crate) struct GomokuWeightsFile {
    /// Weights file [default: the bundled weights]
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Start from weights made by hand
    #[arg(long, conflicts_with = "weights")]
    by_hand: bool,
}

impl GomokuWeightsFile {
    /// Makes these weights those of every engine from now on.
    pub(crate) fn install(&self) -> Result<()> {
        if self.by_hand {
            papan_mnk::GomokuWeights::by_hand().install();
        } else if let Some(path) = &self.weights {
            let name = || path.display().to_string();
            let bytes = fs::read(path).with_context(name)?;
            let weights = papan_mnk::GomokuWeights::read(&bytes).with_context(name)?;
            weights.install();
        }
        Ok(())
    }
}

/// Reads a weights file, by default the bundled one.
pub(crate) fn read_evaluation(path: Option<&Path>) -> Result<Arc<Evaluation>> {
    Ok(read_weights(path)?.1)
}

fn read_weights(path: Option<&Path>) -> Result<(Weights, Arc<Evaluation>)> {
    let Some(path) = path else {
        return Ok((Weights::shipped(), Evaluation::shipped()));
    };
    let name = || path.display().to_string();
    let bytes = fs::read(path).with_context(name)?;
    let weights = weights::read(&bytes).with_context(name)?;
    let evaluation = Evaluation::from_weights(&weights).with_context(name)?;
    Ok((weights, Arc::new(evaluation)))
}

#[derive(Args)]
pub(crate) struct Games {
    /// Self-play files, or tournament games in the WTHOR format, `.wtb`
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

impl Games {
    pub(crate) fn read(&self) -> Result<Vec<Game>> {
        read_games(&self.games)
    }

    /// Reads at most `count` games, evenly distributed over the files.
    pub(crate) fn sample(&self, count: usize) -> Result<Vec<Game>> {
        let games = self.read()?;
        let stride = (games.len() / count.max(1)).max(1);
        Ok(games.into_iter().step_by(stride).take(count).collect())
    }
}

/// Reads the games of several files.
pub(crate) fn read_games(paths: &[PathBuf]) -> Result<Vec<Game>> {
    let mut games = Vec::new();
    for path in paths {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let is_wthor = path.extension().is_some_and(|extension| extension == "wtb");
        games.extend(if is_wthor {
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
