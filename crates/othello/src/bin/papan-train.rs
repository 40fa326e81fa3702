//! Trains the weights of the evaluation: `papan-train COMMAND KEY=VALUE… FILE…`.

use papan_othello::obf::{self, Problem};
use papan_othello::train::{fit, games::Game, pipeline, probcut, selfplay, trial, wthor};
use papan_othello::{Board, Engine, Options, Task, Weights};
use papan_strategies::StopToken;
use std::collections::HashMap;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const USAGE: &str = "\
papan-train all folder=FOLDER [minutes=60] [threads=1] [WTHOR.wtb…]
papan-train play out=GAMES seconds=60 [weights=FILE] [depth=4] [solve=14] [seed=1] [threads=1]
papan-train fit out=WEIGHTS [ridge=30] [steps=20] [threads=1] GAMES… WTHOR.wtb…
papan-train nodes [weights=FILE] [hash=512] [threads=1] POSITIONS.obf
papan-train match weights=FILE [against=FILE] [pairs=100] [nodes=20000] [threads=1] OPENINGS
papan-train suite out=SUITE.obf GAMES…
papan-train probcut [weights=FILE] [games=2000] [deepest=8] [solve=16] [threads=1] GAMES…";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// `key=value` settings, and the files.
struct Arguments {
    settings: HashMap<String, String>,
    files: Vec<String>,
}

impl Arguments {
    fn value<T: FromStr>(&self, key: &str, default: T) -> Result<T> {
        match self.settings.get(key) {
            None => Ok(default),
            Some(text) => text
                .parse()
                .map_err(|_| format!("{key}={text} makes no sense").into()),
        }
    }

    /// The weights in the file of that name, or those that come with papan.
    fn weights(&self, key: &str) -> Result<Arc<Weights>> {
        Ok(match self.settings.get(key) {
            Some(path) => Arc::new(Weights::read(&fs::read(path)?)?),
            None => Weights::shipped(),
        })
    }

    /// All games of the files named.
    fn games(&self) -> Result<Vec<Game>> {
        let mut games = Vec::new();
        for path in &self.files {
            let bytes = fs::read(path)?;
            games.extend(if path.ends_with(".wtb") {
                wthor::read(&bytes)
            } else {
                Game::read_all(&bytes)
            });
        }
        Ok(games)
    }

    /// The text of the only file named.
    fn text(&self) -> Result<String> {
        match &self.files[..] {
            [path] => Ok(fs::read_to_string(path)?),
            _ => Err(format!("one file is needed\n{USAGE}").into()),
        }
    }

    fn required(&self, key: &str) -> Result<&str> {
        self.settings
            .get(key)
            .map(String::as_str)
            .ok_or_else(|| format!("{key}=… is missing\n{USAGE}").into())
    }
}

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_default();
    let mut arguments = Arguments {
        settings: HashMap::new(),
        files: Vec::new(),
    };
    for word in words {
        match word.split_once('=') {
            Some((key, value)) => drop(arguments.settings.insert(key.into(), value.into())),
            None => arguments.files.push(word),
        }
    }
    match command.as_str() {
        "all" => all(&arguments),
        "play" => play(&arguments),
        "fit" => fit_weights(&arguments),
        "nodes" => nodes(&arguments),
        "match" => contest(&arguments),
        "suite" => suite(&arguments),
        "probcut" => fit_probcut(&arguments),
        _ => Err(USAGE.into()),
    }
}

/// The whole training, from nothing or from where it was left.
fn all(arguments: &Arguments) -> Result<()> {
    let training = pipeline::Training {
        folder: arguments.required("folder")?.into(),
        tournament: arguments.files.iter().map(Into::into).collect(),
        time: Duration::from_secs(60 * arguments.value("minutes", 60)?),
        threads: arguments.value("threads", 1)?,
    };
    let weights = training.run(|step| println!("{step}"))?;
    println!("the weights are in {}", weights.display());
    Ok(())
}

/// Plays games and appends them to a file; a file that is there already is continued.
fn play(arguments: &Arguments) -> Result<()> {
    let out = arguments.required("out")?;
    let weights = arguments.weights("weights")?;
    let settings = selfplay::Settings {
        depth: arguments.value("depth", 4)?,
        solve: arguments.value("solve", 14)?,
        seed: arguments.value("seed", 1)?,
        threads: arguments.value("threads", 1)?,
    };
    let seconds = arguments.value("seconds", 60)?;
    let done = Game::read_all(&fs::read(out).unwrap_or_default()).len() as u64;
    let file = Mutex::new(OpenOptions::new().create(true).append(true).open(out)?);
    let start = Instant::now();
    let played = selfplay::play(
        settings,
        &weights,
        done,
        Duration::from_secs(seconds),
        |game| {
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            let mut file = file.lock().expect("no thread panics while writing");
            file.write_all(&bytes).expect("the file can be written");
        },
    );
    println!(
        "{played} games in {:.0} s, {} before",
        start.elapsed().as_secs_f32(),
        done
    );
    Ok(())
}

fn fit_weights(arguments: &Arguments) -> Result<()> {
    let out = arguments.required("out")?;
    let settings = fit::Settings {
        ridge: arguments.value("ridge", 30.0)?,
        steps: arguments.value("steps", 20)?,
        threads: arguments.value("threads", 1)?,
    };
    let start = Instant::now();
    let games = arguments.games()?;
    let (held, learned) = pipeline::split(&games);
    let values = fit::fit(&learned, settings);
    println!(
        "{} games fitted in {:.0} s",
        games.len(),
        start.elapsed().as_secs_f32()
    );
    let (before, after) = (fit::errors(&values, &learned), fit::errors(&values, &held));
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
    fs::write(out, fit::file(&values))?;
    Ok(())
}

fn fit_probcut(arguments: &Arguments) -> Result<()> {
    let weights = arguments.weights("weights")?;
    let games = arguments.games()?;
    let wanted = arguments.value("games", 2000)?;
    let stride = (games.len() / wanted).max(1);
    let games: Vec<Game> = games.into_iter().step_by(stride).take(wanted).collect();
    let pairs = probcut::pairs(
        &games,
        &weights,
        arguments.value("deepest", 8)?,
        arguments.value("solve", 16)?,
        arguments.value("threads", 1)?,
    );
    println!(
        "{} pairs of searches in {} positions",
        pairs.len(),
        games.len()
    );
    let solved = |pair: &probcut::Pair| pair.depth == pair.empties;
    let (constants, error) = probcut::describe(pairs.iter().copied().filter(|p| !solved(p)));
    println!("searching {constants:?}, mean error of the logarithm {error:.3}");
    let (constants, error) = probcut::describe(pairs.iter().copied().filter(solved));
    println!("solving   {constants:?}, mean error of the logarithm {error:.3}");
    Ok(())
}

/// How many nodes the positions take to solve.
fn nodes(arguments: &Arguments) -> Result<()> {
    let problems = obf::parse(&arguments.text()?)?;
    let counts = trial::nodes(
        &arguments.weights("weights")?,
        &problems,
        arguments.value("hash", 512)?,
        arguments.value("threads", 1)?,
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

/// A match between two sets of weights.
fn contest(arguments: &Arguments) -> Result<()> {
    let players = [
        &arguments.weights("weights")?,
        &arguments.weights("against")?,
    ];
    let text = arguments.text()?;
    let pairs = arguments.value("pairs", 100)?;
    let openings: Vec<&str> = text.lines().map(str::trim).collect();
    let stride = (openings.len() / pairs).max(1);
    let openings: Vec<&str> = openings.into_iter().step_by(stride).take(pairs).collect();
    let scores = trial::contest(
        players,
        &openings,
        arguments.value("nodes", 20_000)?,
        arguments.value("threads", 1)?,
    )?;
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
fn suite(arguments: &Arguments) -> Result<()> {
    let games = arguments.games()?;
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
            board.empties() == empties && label.abs() <= 20 && board.moves().count_ones() >= 4
        };
        let from = at as usize * games.len() / 16;
        let found = games[from..]
            .iter()
            .find_map(|game| game.positions().into_iter().find(wanted));
        let Some((board, _)) = found else { continue };
        engine.clear();
        let report = engine.search(board, &task, &StopToken::default(), |_| {});
        let scores = report
            .moves
            .iter()
            .map(|mv| (mv.square, mv.score))
            .collect();
        text += &Problem {
            line: 0,
            board,
            black: at % 2 == 0,
            scores,
        }
        .format();
        text.push('\n');
    }
    fs::write(arguments.required("out")?, text)?;
    Ok(())
}
