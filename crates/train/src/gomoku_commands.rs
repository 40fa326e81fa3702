//! The commands `papan-train gomoku …`.

use crate::arguments::{GomokuFit, GomokuPlay};
use anyhow::{Context as _, Result, ensure};
use papan_files::write_atomic;
use papan_mnk::GomokuWeights;
use papan_rules::{GomokuRule, Player};
use papan_train::gomoku::fit::{self, Fitter};
use papan_train::gomoku::games::GomokuGame;
use papan_train::gomoku::selfplay::GomokuSelfPlay;
use papan_train::thread_pool;
use std::fs;
use std::time::{Duration, Instant};

pub(crate) fn play(args: &GomokuPlay) -> Result<()> {
    args.weights.install()?;
    let name = || args.out.display().to_string();
    let mut file = match fs::read(&args.out) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error).with_context(name),
    };
    let before = GomokuGame::read_all(&file).len() as u64;
    let settings = GomokuSelfPlay {
        rule: args.rule,
        side: args.side,
        nodes: args.nodes,
        seed: args.seed,
        threads: args.threads.count(),
    };
    let time = match args.games {
        Some(_) => Duration::MAX,
        None => Duration::from_secs(args.seconds),
    };
    let started = Instant::now();
    let last = args.games.unwrap_or(u64::MAX).max(before);
    let games = settings.play(before..last, time)?;
    for game in &games {
        game.write(&mut file);
    }
    write_atomic(&args.out, &file).with_context(name)?;
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    println!(
        "{} games with {moves} moves in {:.0} s, {before} games before",
        games.len(),
        started.elapsed().as_secs_f32()
    );
    Ok(())
}

pub(crate) fn fit(args: &GomokuFit) -> Result<()> {
    args.weights.install()?;
    let mut games = Vec::new();
    for path in &args.games {
        let file = fs::read(path).with_context(|| path.display().to_string())?;
        games.extend(GomokuGame::read_all(&file));
    }
    ensure!(!games.is_empty(), "no games in the files");
    let settings = fit::GomokuFit {
        epochs: args.epochs,
        rate: args.rate,
        result: args.result,
        ..fit::GomokuFit::default()
    };
    let mut fitter = Fitter::new(&GomokuWeights::current());
    println!("epoch  loss of results, moves, share of moves ordered first; held out: the same");
    thread_pool(args.threads.count()).install(|| {
        fitter.train(&settings, &games, |epoch, fitted, held_out| {
            println!(
                "{epoch:5}  {:.4} {:.4} {:.3}  {:.4} {:.4} {:.3}",
                fitted.value,
                fitted.order,
                fitted.hits,
                held_out.value,
                held_out.order,
                held_out.hits
            );
        });
    });
    let mut weights = fitter.weights();
    // The decay of the fit pulls weights that no game uses to zero.
    for rule in GomokuRule::ALL {
        if games.iter().all(|game| game.rule != rule) {
            for player in Player::BOTH {
                let table = GomokuWeights::table(rule, player);
                weights.tables[table].clone_from(&GomokuWeights::current().tables[table]);
            }
        }
    }
    if let Some(rule) = args.copy {
        let table = GomokuWeights::table(rule, Player::First);
        weights.tables = vec![weights.tables[table].clone(); GomokuWeights::TABLES];
    }
    write_atomic(&args.out, &weights.write()).with_context(|| args.out.display().to_string())
}
