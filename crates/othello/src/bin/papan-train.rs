//! Trains the weights of the evaluation.
use papan_othello::train::{fit, games::Game, wthor};
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let out = &args[0];
    let ridge: f32 = args[1].parse().unwrap();
    let steps: usize = args[2].parse().unwrap();
    let threads: usize = args[3].parse().unwrap();
    let start = Instant::now();
    let mut games = Vec::new();
    for path in &args[4..] {
        let bytes = std::fs::read(path).unwrap();
        if path.ends_with(".wtb") { games.extend(wthor::read(&bytes)); } else { games.extend(Game::read_all(&bytes)); }
    }
    println!("{} games {:.1}s", games.len(), start.elapsed().as_secs_f32());
    let train = fit::by_stage(games.iter().enumerate().filter(|(i, _)| i % 20 != 0).flat_map(|(_, g)| g.positions()));
    let held = fit::by_stage(games.iter().step_by(20).flat_map(Game::positions));
    println!("positions {} {} {:.1}s", train.iter().map(Vec::len).sum::<usize>(), held.iter().map(Vec::len).sum::<usize>(), start.elapsed().as_secs_f32());
    let values = fit::fit(&train, fit::Settings { ridge, steps, threads });
    println!("fitted {:.1}s", start.elapsed().as_secs_f32());
    let (a, b) = (fit::errors(&values, &train), fit::errors(&values, &held));
    for s in 0..30 { println!("stage {s:2} train {} mae {:.2} rmse {:.2} held {} mae {:.2} rmse {:.2}", train[s].len(), a[s].0, a[s].1, held[s].len(), b[s].0, b[s].1); }
    let file = fit::file(&values);
    println!("file {} bytes", file.len());
    std::fs::write(out, file).unwrap();
}
