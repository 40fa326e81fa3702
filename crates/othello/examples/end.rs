use papan_othello::*;
use papan_strategies::StopToken;
fn main() {
    let threads = std::env::args()
        .nth(1)
        .and_then(|d| d.parse().ok())
        .unwrap_or(1);
    let verbose = std::env::args().nth(2).is_some();
    let mut engine = match std::env::var("WEIGHTS") {
        Ok(p) => Engine::with_weights(
            &Options {
                threads,
                hash_mib: 512,
            },
            std::sync::Arc::new(Weights::read(&std::fs::read(p).unwrap()).unwrap()),
        )
        .unwrap(),
        _ => Engine::new(&Options {
            threads,
            hash_mib: 512,
        })
        .unwrap(),
    };
    let (mut total, t0) = (0, std::time::Instant::now());
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (mut x, mut o) = (0u64, 0u64);
        for (i, c) in line.chars().take(64).enumerate() {
            match c {
                'X' => x |= 1 << i,
                'O' => o |= 1 << i,
                _ => {}
            }
        }
        let b = if line.as_bytes()[65] == b'X' {
            Board { me: x, opp: o }
        } else {
            Board { me: o, opp: x }
        };
        let t = std::time::Instant::now();
        let r = engine.solve(b, &StopToken::default(), |r| {
            if verbose {
                println!(
                    "   {}@{} {:+} {} {:.3}",
                    r.depth,
                    r.percent,
                    r.score,
                    r.nodes,
                    r.elapsed.as_secs_f64()
                )
            }
        });
        total += r.nodes;
        let pv: Vec<String> = r.pv.iter().map(|&s| square_name(s as usize)).collect();
        println!(
            "{} {:+} {} nodes {:.3} s {:.1} M/s | {} | {}",
            b.empties(),
            r.score,
            r.nodes,
            t.elapsed().as_secs_f64(),
            r.nodes as f64 / 1e6 / t.elapsed().as_secs_f64(),
            &line[67..74],
            pv.join(" ")
        );
    }
    println!("total {total} nodes {:.3} s", t0.elapsed().as_secs_f64());
}
