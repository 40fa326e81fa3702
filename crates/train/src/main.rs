//! `papan-train`: trains the weights of the Othello engine, step by step or all at once.

mod arguments;

use anyhow::{Context as _, Result, bail};
use arguments::{
    Accuracy, All, Cli, Command, Errors, Fit, FitNetwork, Match, Nodes, Offsets, Play, Probcut,
    Suite, read_evaluation, read_games,
};
use clap::Parser as _;
use papan_files::obf;
use papan_othello::Problem;
use papan_othello::eval::EVAL_SCALE;
use papan_othello::eval::network::PLIES;
use papan_othello::eval::weights::{self, Weights};
use papan_othello::{Board, Engine, Evaluation, Options, SearchLimits};
use papan_strategies::StopToken;
use papan_train::game_file::GameFile;
use papan_train::games::Game;
use papan_train::network::{NetworkTrainer, TrainingSettings};
use papan_train::pipeline::Split;
use papan_train::plan::Plan;
use papan_train::regression::{self, Example, RegressionSettings};
use papan_train::selfplay::SelfPlaySettings;
use papan_train::{distributed, evaluate, pipeline, probcut};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::All(args) => train_all(args),
        Command::Play(args) => play_games(&args),
        Command::Fit(args) => fit_weights(&args),
        Command::Network(args) => train_network(&args),
        Command::Errors(args) => print_errors(&args),
        Command::Accuracy(args) => print_accuracy(&args),
        Command::Offsets(args) => fit_offsets(&args),
        Command::Probcut(args) => fit_probcut(&args),
        Command::Nodes(args) => count_nodes(&args),
        Command::Match(args) => play_match(&args),
        Command::Suite(args) => create_suite(&args),
    }
}

fn train_all(all: All) -> Result<()> {
    let training = pipeline::Training {
        threads: all.threads.count(),
        jobs: all.jobs.connect(&all.threads)?,
        folder: all.folder,
        tournament: all.tournament,
        time: Duration::from_secs(60 * all.minutes),
    };
    let weights = training.run(|status| println!("{status}"))?;
    println!("weights: {}", weights.display());
    Ok(())
}

fn play_games(play: &Play) -> Result<()> {
    let settings = SelfPlaySettings {
        depth: play.depth,
        solve: play.solve,
        seed: play.seed,
        threads: play.threads.count(),
    };
    let weights = match &play.weights.weights {
        Some(path) => Some(fs::read(path).with_context(|| path.display().to_string())?),
        None => None,
    };
    let plan = Plan::new(settings, weights.as_deref(), read_games(&play.others)?)?;
    let name = || play.out.display().to_string();
    let file = GameFile::open(&play.out).with_context(name)?;
    let before = file.count();
    let started = Instant::now();
    let numbers = before..play.games.unwrap_or(u64::MAX).max(before);
    let time = match play.games {
        Some(_) => Duration::MAX,
        None => Duration::from_secs(play.seconds),
    };
    if let Some(jobs) = play.jobs.connect(&play.threads)? {
        let options = distributed::DistributedOptions {
            connection: &jobs.connection,
            recheck: jobs.recheck,
            notice: jobs.notice,
            stop: &jobs.stop,
            time,
        };
        let keep = |number, game| file.keep(number, game);
        let played = distributed::play(&plan, numbers.clone(), options, keep)?;
        file.close().with_context(name)?;
        if jobs.stop.is_stopped() {
            eprintln!("interrupted; the same command continues the file");
            std::process::exit(arguments::INTERRUPTED);
        }
        // The games are in the file, so the server may forget them.
        played.end()?;
    } else {
        plan.play(numbers, time, |number, game| file.keep(number, game));
        file.close().with_context(name)?;
    }
    let seconds = started.elapsed().as_secs_f32();
    let played = GameFile::open(&play.out).with_context(name)?.count() - before;
    println!("{played} games in {seconds:.0} s, {before} before");
    Ok(())
}

fn fit_weights(args: &Fit) -> Result<()> {
    let settings = RegressionSettings {
        ridge: args.ridge,
        steps: args.steps,
        threads: args.threads.count(),
    };
    let started = Instant::now();
    let games = args.games.read()?;
    let Split { held_out, training } = pipeline::split(&games);
    let values = regression::fit(&training, settings);
    let seconds = started.elapsed().as_secs_f32();
    println!("{} games fitted in {seconds:.0} s", games.len());
    let probcut = Evaluation::shipped().probcut();
    let evaluation = Evaluation::new(&values, probcut);
    let training_errors = regression::errors(&evaluation, &training);
    let validation_errors = regression::errors(&evaluation, &held_out);
    println!("stage  training  mean error   held out  mean error  root mean square");
    for stage in 0..held_out.len() {
        println!(
            "{stage:5} {:9} {:11.2} {:10} {:11.2} {:17.2}",
            training[stage].len(),
            training_errors[stage].mean_absolute,
            held_out[stage].len(),
            validation_errors[stage].mean_absolute,
            validation_errors[stage].root_mean_square
        );
    }
    args.out.write(&Weights {
        linear: values,
        offsets: [0; PLIES],
        network: None,
        probcut,
    })
}

fn train_network(args: &FitNetwork) -> Result<()> {
    let name = || args.linear.display().to_string();
    let bytes = fs::read(&args.linear).with_context(name)?;
    let mut weights = weights::read(&bytes).with_context(name)?;
    let previous = weights.network.take();
    let linear = Evaluation::from_weights(&weights)?;
    let stride = args.stride.max(1);
    let games: Vec<Game> = args.games.read()?.into_iter().step_by(stride).collect();
    let Split { held_out, training } = pipeline::split(&games);
    let examples: Vec<Example> = training
        .into_iter()
        .flatten()
        .filter(|example| example.board.empties() <= args.max_empties)
        .collect();
    let settings = TrainingSettings {
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        damping: args.damping,
        seed: args.seed,
        threads: args.threads.count(),
    };
    println!("{} games, {} positions", games.len(), examples.len());
    let started = Instant::now();
    let problems = match &args.check {
        None => Vec::new(),
        Some(path) => obf::parse(&read_text(path)?)?,
    };
    let mut trainer = match previous.filter(|_| args.resume) {
        Some(network) => NetworkTrainer::resume(settings, &network),
        None if args.resume => bail!("{}: no network to continue from", name()),
        None => NetworkTrainer::new(settings),
    };
    trainer.train(&linear, &examples, |trainer, epoch, error| {
        let seconds = started.elapsed().as_secs();
        print!("epoch {epoch}: root mean square error {error:.4}, {seconds} s");
        let errors = mean_errors(&linear, trainer, &problems);
        println!(
            "; mean error on {} known positions {:.4}, without the network {:.4}",
            problems.len(),
            errors.with_network,
            errors.patterns
        );
    });
    trainer.write_to(&mut weights);
    let trained = Evaluation::from_weights(&weights)?;
    print_comparison(&linear, &trained, &trainer, &held_out);
    args.out.write(&weights)
}

/// Prints the errors on held-out positions without and with the network, and the error of its
/// quantization.
fn print_comparison(
    linear: &Evaluation,
    trained: &Evaluation,
    trainer: &NetworkTrainer,
    held_out: &[Vec<Example>],
) {
    let without = regression::errors(linear, held_out);
    let with = regression::errors(trained, held_out);
    println!("stage  held out  mean error  with network     ratio");
    for stage in 0..held_out.len() {
        let (without, with) = (without[stage].mean_absolute, with[stage].mean_absolute);
        println!(
            "{stage:5} {:9} {without:11.3} {with:13.3} {:9.4}",
            held_out[stage].len(),
            with / without
        );
    }
    let quantization_error: f32 = held_out
        .iter()
        .flatten()
        .map(|example| {
            let float = linear.estimate(example.board) + trainer.correction(example.board);
            (trained.estimate(example.board) - float).abs()
        })
        .sum();
    let count = held_out.iter().map(Vec::len).sum::<usize>().max(1);
    println!(
        "mean quantization error: {:.4} discs",
        quantization_error / count as f32
    );
}

/// Mean errors in discs.
struct MeanErrors {
    patterns: f32,
    with_network: f32,
}

fn mean_errors(linear: &Evaluation, trainer: &NetworkTrainer, problems: &[Problem]) -> MeanErrors {
    let (mut patterns, mut with_network) = (0.0, 0.0);
    for problem in problems {
        let score = problem.best_score().unwrap_or_default() as f32;
        let estimate = linear.estimate(problem.board);
        patterns += (estimate - score).abs();
        with_network += (estimate + trainer.correction(problem.board) - score).abs();
    }
    let count = problems.len().max(1) as f32;
    MeanErrors {
        patterns: patterns / count,
        with_network: with_network / count,
    }
}

/// Sums of errors, in discs.
#[derive(Clone, Copy, Default)]
struct ErrorSums {
    count: u32,
    absolute: f64,
    squared: f64,
    signed: f64,
}

impl ErrorSums {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.absolute += other.absolute;
        self.squared += other.squared;
        self.signed += other.signed;
    }

    fn print(self, label: &str) {
        let n = f64::from(self.count);
        println!(
            "{label:>5} {:10} {:11.3} {:17.3} {:+7.2}",
            self.count,
            self.absolute / n,
            (self.squared / n).sqrt(),
            self.signed / n
        );
    }
}

fn print_errors(args: &Errors) -> Result<()> {
    let evaluation = args.weights.evaluation()?;
    let mut by_empties = vec![ErrorSums::default(); 61];
    for path in &args.positions {
        let problems = obf::parse(&read_text(path)?).with_context(|| path.display().to_string())?;
        for problem in problems {
            let Some(score) = problem.best_score() else {
                continue;
            };
            let error = f64::from(evaluation.estimate(problem.board)) - f64::from(score);
            by_empties[problem.board.empties() as usize].add(ErrorSums {
                count: 1,
                absolute: error.abs(),
                squared: error * error,
                signed: error,
            });
        }
    }
    println!("empty  positions  mean error  root mean square    bias");
    let mut total = ErrorSums::default();
    for (empties, sums) in by_empties.into_iter().enumerate() {
        if sums.count > 0 {
            sums.print(&empties.to_string());
            total.add(sums);
        }
    }
    total.print("all");
    Ok(())
}

/// Prints every problem as soon as it is solved, because solving takes long and the output can be
/// used as input of the next run.
fn print_accuracy(args: &Accuracy) -> Result<()> {
    let solver = &args.solver;
    let searches = evaluate::search_accuracy(
        &solver.weights.evaluation()?,
        &read_problems(&solver.positions)?,
        args.depth,
        solver.hash,
        solver.threads.count(),
        |problem| println!("{}", problem.format()),
    )?;
    let count = searches.len() as f64;
    let mean = |value: fn(&evaluate::SearchAccuracy) -> i32| {
        searches.iter().map(value).map(f64::from).sum::<f64>() / count
    };
    println!(
        "% depth {}, {count} positions: mean error {:.2} discs, bias {:+.2}, best move in {:.1} %, {:.2} discs lost",
        args.depth,
        mean(|search| search.error.abs()),
        mean(|search| search.error),
        100.0 * mean(|search| i32::from(search.lost == 0)),
        mean(|search| search.lost),
    );
    Ok(())
}

fn fit_offsets(args: &Offsets) -> Result<()> {
    let (mut weights, evaluation) = args.data.weights.weights_and_evaluation()?;
    let games = args.data.games.sample(args.count)?;
    let threads = args.data.threads.count();
    pipeline::add_offsets(&mut weights, &games, &evaluation, threads);
    for (empties, offset) in weights.offsets.iter().enumerate() {
        println!(
            "{empties:2} {:+.2}",
            f64::from(*offset) / f64::from(EVAL_SCALE)
        );
    }
    args.out.write(&weights)
}

fn fit_probcut(args: &Probcut) -> Result<()> {
    let games = args.data.games.sample(args.count)?;
    let (mut weights, evaluation) = args.data.weights.weights_and_evaluation()?;
    let pairs = probcut::pairs(
        &games,
        &evaluation,
        args.deepest,
        args.solve,
        args.data.threads.count(),
    );
    println!(
        "{} pairs of searches in {} positions",
        pairs.len(),
        games.len()
    );
    if let Some(path) = &args.pairs {
        let mut table = csv::Writer::from_path(path)?;
        table.write_record(["empties", "depth", "shallow", "error"])?;
        for pair in &pairs {
            let row = [pair.empties, pair.depth, pair.shallow].map(|n| n.to_string());
            table.write_record(row.iter().chain([&pair.error.to_string()]))?;
        }
        table.flush()?;
    }
    let fit = probcut::fit(&pairs);
    println!(
        "midgame {:?}, mean error of the logarithm {:.3}",
        fit.model.midgame, fit.midgame_error
    );
    println!(
        "endgame {:?}, mean error of the logarithm {:.3}",
        fit.model.endgame, fit.endgame_error
    );
    if let Some(path) = &args.out {
        weights.probcut = fit.model;
        papan_files::write_atomic(path, &weights::write(&weights))?;
    }
    Ok(())
}

fn count_nodes(args: &Nodes) -> Result<()> {
    let problems = read_problems(&args.positions)?;
    let counts = evaluate::nodes_to_solve(
        &args.weights.evaluation()?,
        &problems,
        args.hash,
        args.threads.count(),
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

fn play_match(args: &Match) -> Result<()> {
    let players = [
        &args.weights.evaluation()?,
        &read_evaluation(args.against.as_deref())?,
    ];
    let text = read_text(&args.openings)?;
    let stride = (text.lines().count() / args.pairs.max(1)).max(1);
    let openings: Vec<&str> = text
        .lines()
        .map(str::trim)
        .step_by(stride)
        .take(args.pairs)
        .collect();
    let limit = match args.milliseconds {
        Some(time) => evaluate::MoveLimit::Time(Duration::from_millis(time)),
        None => evaluate::MoveLimit::Nodes(args.nodes),
    };
    let scores = evaluate::play_match(players, &openings, limit, args.threads.count())?;
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

/// Solves every move of endgame positions from played games, two for each number of empty squares.
fn create_suite(args: &Suite) -> Result<()> {
    let games = args.games.read()?;
    let mut engine = Engine::new(&Options::default())?;
    let limits = SearchLimits {
        every_move: true,
        ..SearchLimits::default()
    };
    let mut text = String::from(
        "# Endgame positions from self-play games of papan, with the exact score of every move,\n\
         # solved by papan. Created by `papan-train suite`.\n",
    );
    for at in 0..16 {
        let empties = 8 + at / 2 * 2;
        let is_suitable = |(board, label): &(Board, i8)| {
            board.empties() == empties && label.abs() <= 20 && board.moves().len() >= 4
        };
        let from = at as usize * games.len() / 16;
        let found = games[from..]
            .iter()
            .find_map(|game| game.positions().into_iter().find(is_suitable));
        let Some((board, _)) = found else { continue };
        engine.clear();
        let result = engine.search(board, &limits, &StopToken::default(), |_| {});
        let scores = result.moves.iter().map(|mv| (Some(mv.square), mv.score));
        text += &Problem {
            line: 0,
            board,
            black: at % 2 == 0,
            scores: scores.collect(),
        }
        .format();
        text.push('\n');
    }
    papan_files::write_atomic(&args.out, text.as_bytes())?;
    Ok(())
}

/// Reads the positions of an OBF file; fails if there are none.
fn read_problems(path: &Path) -> Result<Vec<Problem>> {
    let name = || path.display().to_string();
    let problems = obf::parse(&read_text(path)?).with_context(name)?;
    anyhow::ensure!(!problems.is_empty(), "{}: no positions", name());
    Ok(problems)
}

fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}
