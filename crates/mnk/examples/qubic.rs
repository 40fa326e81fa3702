use papan_mnk::*;
use papan_rules::{Bits, Grid, Wide};
fn run<B: Bits>(sides: &[usize], k: usize, moves: &[usize]) {
    let grid = Grid::<Wide>::new(sides, k).unwrap();
    let lines = Lines::new(&grid);
    let mut s = SurvivorSearch::<B>::new(&lines, VcfLimits::default(), Box::new(|| false));
    let (mut a, mut d) = (B::EMPTY, B::EMPTY);
    for (i, &m) in moves.iter().enumerate() {
        if i % 2 == 0 {
            a = a | B::single(m)
        } else {
            d = d | B::single(m)
        }
    }
    s.set_position(a, d);
    s.limit_expansions(200_000);
    println!("{sides:?} {k} {}", s.prove());
    println!("{:?} nodes {}", s, s.nodes());
    let st = s.strategy();
    println!("{:?}", st.map(|s| s.len()));
}
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let sides: Vec<usize> = a[0].split('x').map(|x| x.parse().unwrap()).collect();
    let k = a[1].parse().unwrap();
    let moves: Vec<usize> = a[2..].iter().map(|x| x.parse().unwrap()).collect();
    let cells: usize = sides.iter().product();
    if cells <= 64 {
        run::<u64>(&sides, k, &moves)
    } else {
        run::<Wide>(&sides, k, &moves)
    }
}
