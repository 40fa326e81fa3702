//! `papan-train`: makes the weights of the Othello engine, step by step or all at once.

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use papan_othello::obf::{self, Problem};
use papan_othello::{Board, Engine, Evaluation, Options, ProbCut, Task, weights};
use papan_strategies::StopToken;
use papan_train::{fit, games::Game, pipeline, probcut, selfplay, trial, wthor};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Makes the weights of papan's Othello engine.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The whole training, from nothing or from where it was left
    All(All),
    /// Plays games and appends them to a file
    Play(Play),
    /// Fits weights to games
    Fit(Fit),
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
struct All {
    /// Where games and weights are kept; what is there already is not made again
    folder: PathBuf,
    /// Tournament games in the WTHOR format, `.wtb`
    tournament: Vec<PathBuf>,
    /// Minutes of self-play, all rounds together
    #[arg(long, default_value_t = 60)]
    minutes: u64,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Args)]
struct Play {
    /// The file of games; one that is there already is continued
    #[arg(long)]
    out: PathBuf,
    /// How long
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Plies searched for a move
    #[arg(long, default_value_t = 4)]
    depth: u32,
    /// From this many empty squares on, positions are solved
    #[arg(long, default_value_t = 14)]
    solve: u32,
    /// The games are a function of this and their number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    weights: WeightsFile,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Args)]
struct Fit {
    /// The weights file to write
    #[arg(long)]
    out: PathBuf,
    /// How strongly weights are drawn to the common table
    #[arg(long, default_value_t = 30.0)]
    ridge: f32,
    /// Steps of conjugate gradients per stage
    #[arg(long, default_value_t = 20)]
    steps: usize,
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Args)]
struct Probcut {
    /// Where the pairs of searches are written too, as CSV
    #[arg(long)]
    pairs: Option<PathBuf>,
    /// How many games are used, one position of each
    #[arg(long, default_value_t = 2000)]
    count: usize,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 8)]
    deepest: u32,
    /// From this many empty squares on, positions are also solved
    #[arg(long, default_value_t = 16)]
    solve: u32,
    #[command(flatten)]
    weights: WeightsFile,
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Args)]
struct Nodes {
    /// Positions, an `.obf` file
    positions: PathBuf,
    /// The hash table of each search, in MiB
    #[arg(long, default_value_t = 512)]
    hash: usize,
    #[command(flatten)]
    weights: WeightsFile,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Args)]
struct Match {
    /// Openings, one a line
    openings: PathBuf,
    /// The other player's weights; without, those that come with papan
    #[arg(long)]
    against: Option<PathBuf>,
    /// How many openings, each played with both colours
    #[arg(long, default_value_t = 100)]
    pairs: usize,
    /// Nodes a move
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    #[command(flatten)]
    weights: WeightsFile,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Args)]
struct Suite {
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    games: Games,
}

#[derive(Args)]
struct Threads {
    /// How many threads work; without, one per processor
    #[arg(long)]
    threads: Option<usize>,
}

impl Threads {
    fn count(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(all).clamp(1, 1024)
    }
}

#[derive(Args)]
struct WeightsFile {
    /// A weights file; without, the weights that come with papan
    #[arg(long)]
    weights: Option<PathBuf>,
}

impl WeightsFile {
    fn read(&self) -> Result<Arc<Evaluation>> {
        evaluation(self.weights.as_deref())
    }
}

#[derive(Args)]
struct Games {
    /// Games that were played before, or tournament games in the WTHOR format, `.wtb`
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

impl Games {
    fn read(&self) -> Result<Vec<Game>> {
        let mut games = Vec::new();
        for path in &self.games {
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
}

fn evaluation(path: Option<&Path>) -> Result<Arc<Evaluation>> {
    let Some(path) = path else {
        return Ok(Evaluation::shipped());
    };
    let name = || path.display().to_string();
    let bytes = fs::read(path).with_context(name)?;
    Ok(Arc::new(weights::read(&bytes).with_context(name)?))
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::All(all) => whole_training(all),
        Command::Play(play) => play_games(&play),
        Command::Fit(fit) => fit_weights(&fit),
        Command::Probcut(probcut) => fit_probcut(&probcut),
        Command::Nodes(nodes) => count_nodes(&nodes),
        Command::Match(contest) => play_match(&contest),
        Command::Suite(suite) => make_suite(&suite),
    }
}

fn whole_training(all: All) -> Result<()> {
    let training = pipeline::Training {
        threads: all.threads.count(),
        folder: all.folder,
        tournament: all.tournament,
        time: Duration::from_secs(60 * all.minutes),
    };
    let weights = training.run(|step| println!("{step}"))?;
    println!("the weights are in {}", weights.display());
    Ok(())
}

fn play_games(play: &Play) -> Result<()> {
    let settings = selfplay::Settings {
        depth: play.depth,
        solve: play.solve,
        seed: play.seed,
        threads: play.threads.count(),
    };
    let evaluation = play.weights.read()?;
    let done = Game::read_all(&fs::read(&play.out).unwrap_or_default()).len() as u64;
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&play.out)?;
    let written = Mutex::new((file, Ok(())));
    let start = Instant::now();
    let time = Duration::from_secs(play.seconds);
    let played = selfplay::play(settings, &evaluation, done, time, |game| {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        let mut written = written.lock().expect("no thread panics while writing");
        if written.1.is_ok() {
            written.1 = written.0.write_all(&bytes);
        }
    });
    let written = written
        .into_inner()
        .expect("no thread panics while writing");
    written.1.with_context(|| play.out.display().to_string())?;
    let seconds = start.elapsed().as_secs_f32();
    println!("{played} games in {seconds:.0} s, {done} before");
    Ok(())
}

fn fit_weights(arguments: &Fit) -> Result<()> {
    let settings = fit::Settings {
        ridge: arguments.ridge,
        steps: arguments.steps,
        threads: arguments.threads.count(),
    };
    let start = Instant::now();
    let games = arguments.games.read()?;
    let (held, learned) = pipeline::split(&games);
    let values = fit::fit(&learned, settings);
    let seconds = start.elapsed().as_secs_f32();
    println!("{} games fitted in {seconds:.0} s", games.len());
    let probcut = Evaluation::shipped().probcut();
    let evaluation = Evaluation::new(&values, probcut);
    let before = fit::errors(&evaluation, &learned);
    let after = fit::errors(&evaluation, &held);
    println!("stage  learned  mean error   held out  mean error  root mean square");
    for stage in 0..held.len() {
        println!(
            "{stage:5} {:8} {:11.2} {:10} {:11.2} {:17.2}",
            learned[stage].len(),
            before[stage].0,
            held[stage].len(),
            after[stage].0,
            after[stage].1
        );
    }
    fs::write(&arguments.out, weights::write(&values, &probcut))?;
    Ok(())
}

fn fit_probcut(arguments: &Probcut) -> Result<()> {
    let games = arguments.games.read()?;
    let stride = (games.len() / arguments.count.max(1)).max(1);
    let games: Vec<Game> = games
        .into_iter()
        .step_by(stride)
        .take(arguments.count)
        .collect();
    let pairs = probcut::pairs(
        &games,
        &arguments.weights.read()?,
        arguments.deepest,
        arguments.solve,
        arguments.threads.count(),
    );
    println!(
        "{} pairs of searches in {} positions",
        pairs.len(),
        games.len()
    );
    if let Some(path) = &arguments.pairs {
        let mut table = csv::Writer::from_path(path)?;
        table.write_record(["empties", "depth", "shallow", "error"])?;
        for pair in &pairs {
            let row = [pair.empties, pair.depth, pair.shallow].map(|n| n.to_string());
            table.write_record(row.iter().chain([&pair.error.to_string()]))?;
        }
        table.flush()?;
    }
    let (found, errors) = probcut::fit(&pairs);
    let ProbCut { searching, solving } = found;
    println!(
        "searching {searching:?}, mean error of the logarithm {:.3}",
        errors[0]
    );
    println!(
        "solving   {solving:?}, mean error of the logarithm {:.3}",
        errors[1]
    );
    Ok(())
}

fn count_nodes(arguments: &Nodes) -> Result<()> {
    let problems = obf::parse(&text(&arguments.positions)?)?;
    anyhow::ensure!(!problems.is_empty(), "the file holds no position");
    let counts = trial::nodes(
        &arguments.weights.read()?,
        &problems,
        arguments.hash,
        arguments.threads.count(),
    )?;
    for (problem, nodes) in problems.iter().zip(&counts) {
        println!(
            "{:3} {:2} {nodes:12}",
            problem.line,
            problem.board.empties()
        );
    }
    let logarithms: f64 = counts.iter().map(|&nodes| (nodes as f64).ln()).sum();
    println!(
        "total {} nodes, mean logarithm {:.4}",
        counts.iter().sum::<u64>(),
        logarithms / counts.len() as f64
    );
    Ok(())
}

fn play_match(arguments: &Match) -> Result<()> {
    let players = [
        &arguments.weights.read()?,
        &evaluation(arguments.against.as_deref())?,
    ];
    let text = text(&arguments.openings)?;
    let openings: Vec<&str> = text.lines().map(str::trim).collect();
    let stride = (openings.len() / arguments.pairs.max(1)).max(1);
    let openings: Vec<&str> = openings
        .into_iter()
        .step_by(stride)
        .take(arguments.pairs)
        .collect();
    let threads = arguments.threads.count();
    let scores = trial::contest(players, &openings, arguments.nodes, threads)?;
    let count = |sign| scores.iter().filter(|score| score.signum() == sign).count();
    let (wins, draws, losses) = (count(1), count(0), count(-1));
    let games = scores.len() as f64;
    println!(
        "+{wins} ={draws} -{losses}  {:.1} %  {:+.2} discs",
        100.0 * (wins as f64 + 0.5 * draws as f64) / games,
        f64::from(scores.iter().sum::<i32>()) / games
    );
    Ok(())
}

/// Endgames from played games, two of each number of empty squares, every move solved.
fn make_suite(arguments: &Suite) -> Result<()> {
    let games = arguments.games.read()?;
    let mut engine = Engine::new(&Options::default())?;
    let task = Task {
        every_move: true,
        ..Task::default()
    };
    let mut text = String::from(
        "# Endgames from games that papan played against itself; every move with its exact score,\n\
         # solved by papan. Made by `papan-train suite`.\n",
    );
    for at in 0..16 {
        let empties = 8 + at / 2 * 2;
        let wanted = |(board, label): &(Board, i8)| {
            board.empties() == empties && label.abs() <= 20 && board.moves().len() >= 4
        };
        let from = at as usize * games.len() / 16;
        let found = games[from..]
            .iter()
            .find_map(|game| game.positions().into_iter().find(wanted));
        let Some((board, _)) = found else { continue };
        engine.clear();
        let report = engine.search(board, &task, &StopToken::default(), |_| {});
        let scores = report.moves.iter().map(|mv| (Some(mv.square), mv.score));
        text += &Problem {
            line: 0,
            board,
            black: at % 2 == 0,
            scores: scores.collect(),
        }
        .format();
        text.push('\n');
    }
    fs::write(&arguments.out, text)?;
    Ok(())
}

fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
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
