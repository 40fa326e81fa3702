use papan_othello::{Options, SmallEngine};
use papan_rules::{Line, Othello};
use papan_strategies::Context;
use std::sync::Arc;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let game = Othello::new(6).unwrap();
    let line = Line::parse(&game, args.get(3).map_or("", |s| s)).unwrap();
    let options = Options {
        threads: args[1].parse().unwrap(),
        hash_mib: args[2].parse().unwrap(),
    };
    let mut engine = SmallEngine::new(&game, &options).unwrap();
    let t = std::time::Instant::now();
    let mut context = Context::default();
    context.listener = Some(Arc::new(move |p: &papan_strategies::Progress| {
        eprintln!(
            "{:6.1}s depth {} nodes {} score {:?}",
            t.elapsed().as_secs_f32(),
            p.depth,
            p.nodes,
            p.score
        );
    }));
    let report = engine.solve(&line, &context);
    println!("{report:?} {:?}", t.elapsed());
}
