use papan_othello::*;
fn main() {
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
        let (s, n) = quick_solve(b);
        println!(
            "{} {} {} nodes {:.3} s {:.1} M/s | {}",
            b.empties(),
            s,
            n,
            t.elapsed().as_secs_f64(),
            n as f64 / 1e6 / t.elapsed().as_secs_f64(),
            &line[67..74]
        );
    }
}
