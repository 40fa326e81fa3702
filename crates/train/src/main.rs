//! `papan-train`: makes the weights of the Othello engine, step by step or all at once.

mod arguments;

use anyhow::{Context as _, Result, bail};
use arguments::{
    Accuracy, All, Cli, Command, Errors, Fit, FitNetwork, Match, Nodes, Offsets, Play, Probcut,
    Suite, read_games,
};
use clap::Parser as _;
use papan_files::obf;
use papan_othello::Problem;
use papan_othello::eval::EVAL_SCALE;
use papan_othello::eval::network::PLIES;
use papan_othello::eval::weights::{self, Weights};
use papan_othello::{Board, Engine, Evaluation, Options, ProbCutModel, SearchLimits};
use papan_strategies::StopToken;
use papan_train::game_file::GameFile;
use papan_train::plan::Plan;
use papan_jobs::{Connection, Notice};
use papan_train::{distributed, evaluate, fit, games::Game, network, pipeline, probcut, selfplay};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a weights file holds; without one, what comes with papan.
fn weights_of(path: Option<&Path>) -> Result<(Weights, Arc<Evaluation>)> {
    let Some(path) = path else {
        return Ok((Weights::shipped(), Evaluation::shipped()));
    };
    let name = || path.display().to_string();
    let bytes = fs::read(path).with_context(name)?;
    let weights = weights::read(&bytes).with_context(name)?;
    let evaluation = Evaluation::from_weights(&weights).with_context(name)?;
    Ok((weights, Arc::new(evaluation)))
}

fn evaluation(path: Option<&Path>) -> Result<Arc<Evaluation>> {
    Ok(weights_of(path)?.1)
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::All(all) => whole_training(all),
        Command::Play(play) => play_games(&play),
        Command::Fit(fit) => fit_weights(&fit),
        Command::Network(network) => fit_network(&network),
        Command::Errors(errors) => tell_errors(&errors),
        Command::Accuracy(accuracy) => tell_accuracy(&accuracy),
        Command::Offsets(offsets) => fit_offsets(&offsets),
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
    let weights = play.weights.weights.as_deref();
    let weights = weights.map(|path| fs::read(path).with_context(|| path.display().to_string()));
    let weights = weights.transpose()?;
    let plan = Plan::new(settings, weights.as_deref(), read_games(&play.others)?)?;
    let name = || play.out.display().to_string();
    let file = GameFile::open(&play.out).with_context(name)?;
    let done = file.count();
    let start = Instant::now();
    let numbers = done..play.games.unwrap_or(u64::MAX).max(done);
    if let Some(address) = &play.jobs {
        let notice = Notice::new(|line| eprintln!("{line}"));
        let connection = Connection::open(address, notice.clone())?;
        let keep = |number, game| file.keep(number, game);
        let played = distributed::play(
            &connection,
            &plan,
            numbers.clone(),
            play.recheck.0,
            notice,
            keep,
        )?;
        file.close().with_context(name)?;
        // The games are in the file, so the server may forget them.
        played.end()?;
    } else {
        let time = match play.games {
            Some(_) => Duration::MAX,
            None => Duration::from_secs(play.seconds),
        };
        plan.play(numbers, time, |number, game| file.keep(number, game));
        file.close().with_context(name)?;
    }
    let seconds = start.elapsed().as_secs_f32();
    let played = GameFile::open(&play.out).with_context(name)?.count() - done;
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
    let weights = Weights {
        linear: values,
        offsets: [0; PLIES],
        network: None,
        probcut,
    };
    fs::write(&arguments.out, weights::write(&weights))?;
    Ok(())
}

fn fit_network(arguments: &FitNetwork) -> Result<()> {
    let name = || arguments.linear.display().to_string();
    let bytes = fs::read(&arguments.linear).with_context(name)?;
    let mut weights = weights::read(&bytes).with_context(name)?;
    let before = weights.network.take();
    let linear = Evaluation::from_weights(&weights)?;
    let games = arguments.games.read()?;
    let games: Vec<Game> = games.into_iter().step_by(arguments.stride.max(1)).collect();
    let (held, learned) = pipeline::split(&games);
    let near_enough = |example: &fit::Example| example.board.empties() <= arguments.most_empties;
    let learned = learned.into_iter().flatten().filter(near_enough);
    let learned: Vec<fit::Example> = learned.collect();
    let settings = network::Settings {
        epochs: arguments.epochs,
        batch: arguments.batch,
        rate: arguments.rate,
        damping: arguments.damping,
        seed: arguments.seed,
        threads: arguments.threads.count(),
    };
    println!("{} games, {} positions", games.len(), learned.len());
    let start = Instant::now();
    let known = match &arguments.check {
        None => Vec::new(),
        Some(path) => obf::parse(&text(path)?)?,
    };
    let mut fit = match before.filter(|_| arguments.go_on) {
        Some(before) => network::Fit::after(settings, &before),
        None if arguments.go_on => bail!("{}: it has no network to go on from", name()),
        None => network::Fit::new(settings),
    };
    fit.learn(&linear, &learned, |fit, epoch, error| {
        let seconds = start.elapsed().as_secs();
        print!("epoch {epoch}: root mean square {error:.4}, {seconds} s");
        let (before, after) = mean_errors(&linear, fit, &known);
        println!(
            "; of {} known {before:.4} before, {after:.4} now",
            known.len()
        );
    });
    fit.write_to(&mut weights);
    let both = Evaluation::from_weights(&weights)?;
    let (before, after) = (fit::errors(&linear, &held), fit::errors(&both, &held));
    println!("stage  held out  mean error of the tables, with the network, ratio");
    for stage in 0..held.len() {
        let (a, b) = (before[stage].0, after[stage].0);
        println!(
            "{stage:5} {:9} {a:8.3} {b:8.3} {:8.4}",
            held[stage].len(),
            b / a
        );
    }
    let rounding: f32 = held
        .iter()
        .flatten()
        .map(|example| {
            let float = linear.estimate(example.board) + fit.told(example.board);
            (both.estimate(example.board) - float).abs()
        })
        .sum();
    let count = held.iter().map(Vec::len).sum::<usize>().max(1);
    println!(
        "rounding to integers: {:.4} discs in the mean",
        rounding / count as f32
    );
    fs::write(&arguments.out, weights::write(&weights))?;
    Ok(())
}

/// The mean errors of the tables alone and with the network, in discs.
fn mean_errors(linear: &Evaluation, fit: &network::Fit, known: &[Problem]) -> (f32, f32) {
    let (mut before, mut after) = (0.0, 0.0);
    for problem in known {
        let score = problem.best_score().unwrap_or_default() as f32;
        let told = linear.estimate(problem.board);
        before += (told - score).abs();
        after += (told + fit.told(problem.board) - score).abs();
    }
    let count = known.len().max(1) as f32;
    (before / count, after / count)
}

fn tell_errors(arguments: &Errors) -> Result<()> {
    let evaluation = arguments.weights.read()?;
    let mut by_empties = vec![(0, 0.0, 0.0, 0.0); 61];
    for path in &arguments.positions {
        let problems = obf::parse(&text(path)?).with_context(|| path.display().to_string())?;
        for problem in problems {
            let Some(known) = problem.best_score() else {
                continue;
            };
            let error = f64::from(evaluation.estimate(problem.board)) - f64::from(known);
            let cell = &mut by_empties[problem.board.empties() as usize];
            cell.0 += 1;
            cell.1 += error.abs();
            cell.2 += error * error;
            cell.3 += error;
        }
    }
    println!("empty  positions  mean error  root mean square    bias");
    let row = |name: &str, (count, absolute, squared, sum): (u32, f64, f64, f64)| {
        let n = f64::from(count);
        let root = (squared / n).sqrt();
        println!(
            "{name:>5} {count:10} {:11.3} {root:17.3} {:+7.2}",
            absolute / n,
            sum / n
        );
    };
    let mut all = (0, 0.0, 0.0, 0.0);
    for (empties, cell) in by_empties.into_iter().enumerate().filter(|(_, c)| c.0 > 0) {
        row(&empties.to_string(), cell);
        all = (
            all.0 + cell.0,
            all.1 + cell.1,
            all.2 + cell.2,
            all.3 + cell.3,
        );
    }
    row("all", all);
    Ok(())
}

/// Every position with what is now known of it goes out at once: solving takes long, and what was
/// solved need not be solved again.
fn tell_accuracy(arguments: &Accuracy) -> Result<()> {
    let solving = &arguments.solving;
    let searches = evaluate::searches(
        &solving.weights.read()?,
        &some_positions(&solving.positions)?,
        arguments.depth,
        solving.hash,
        solving.threads.count(),
        |problem| println!("{}", problem.format()),
    )?;
    let count = searches.len() as f64;
    let mean = |of: fn(&evaluate::SearchAccuracy) -> i32| {
        searches.iter().map(of).map(f64::from).sum::<f64>() / count
    };
    println!(
        "% depth {}, {count} positions: mean error {:.2} discs, bias {:+.2}, a best move in {:.1} %, {:.2} discs lost",
        arguments.depth,
        mean(|search| search.error.abs()),
        mean(|search| search.error),
        100.0 * mean(|search| i32::from(search.lost == 0)),
        mean(|search| search.lost),
    );
    Ok(())
}

/// So many of the games, spread evenly.
fn some_of(games: Vec<Game>, count: usize) -> Vec<Game> {
    let stride = (games.len() / count.max(1)).max(1);
    games.into_iter().step_by(stride).take(count).collect()
}

fn fit_offsets(arguments: &Offsets) -> Result<()> {
    let (mut weights, evaluation) = arguments.weights.with_contents()?;
    let games = some_of(arguments.games.read()?, arguments.count);
    let threads = arguments.threads.count();
    pipeline::add_offsets(&mut weights, &games, &evaluation, threads);
    for (empties, offset) in weights.offsets.iter().enumerate() {
        println!(
            "{empties:2} {:+.2}",
            f64::from(*offset) / f64::from(EVAL_SCALE)
        );
    }
    fs::write(&arguments.out, weights::write(&weights))?;
    Ok(())
}

fn fit_probcut(arguments: &Probcut) -> Result<()> {
    let games = some_of(arguments.games.read()?, arguments.count);
    let (mut weights, evaluation) = arguments.weights.with_contents()?;
    let pairs = probcut::pairs(
        &games,
        &evaluation,
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
    let ProbCutModel { midgame, endgame } = found;
    println!(
        "searching {midgame:?}, mean error of the logarithm {:.3}",
        errors[0]
    );
    println!(
        "solving   {endgame:?}, mean error of the logarithm {:.3}",
        errors[1]
    );
    if let Some(path) = &arguments.out {
        weights.probcut = found;
        fs::write(path, weights::write(&weights))?;
    }
    Ok(())
}

fn count_nodes(arguments: &Nodes) -> Result<()> {
    let problems = some_positions(&arguments.positions)?;
    let counts = evaluate::nodes(
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
    let pace = match arguments.milliseconds {
        Some(time) => evaluate::MoveLimit::Time(Duration::from_millis(time)),
        None => evaluate::MoveLimit::Nodes(arguments.nodes),
    };
    let scores = evaluate::contest(players, &openings, pace, threads)?;
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
    let task = SearchLimits {
        every_move: true,
        ..SearchLimits::default()
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

/// The positions of a file that must hold some.
fn some_positions(path: &Path) -> Result<Vec<Problem>> {
    let problems = obf::parse(&text(path)?).with_context(|| path.display().to_string())?;
    anyhow::ensure!(!problems.is_empty(), "the file holds no position");
    Ok(problems)
}

fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}
