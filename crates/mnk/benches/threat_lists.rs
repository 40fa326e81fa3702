//! Threat search on two lists of 15x15 positions: node counts and CPU time.
//!
//! ```sh
//! cargo bench -p papan-mnk --bench threat_lists -- stones [VCF_NODES] [NODES] [SEED]
//! cargo bench -p papan-mnk --bench threat_lists -- openings [SECONDS] [COUNT] [ORDER] [VCF] [ORDER2] [ORDER3]
//! cargo bench -p papan-mnk --bench threat_lists -- survivors [SECONDS] [COUNT]
//! ```
//!
//! `stones` searches 100 positions of 14 random stones within five cells of the centre, without a
//! four, at order 2. `openings` tries to prove positions after four moves: First in the centre and
//! within two cells of it, Second at least four cells away; ORDER is the highest order (3), the other numbers are
//! the nodes of the first searches. `survivors` tries the same with the survivor search. Times are CPU times of the process.

use std::sync::Arc;

use papan_mnk::{
    Cell, Lines, MAX_ORDER, NodeBudget, State, SurvivorSearch, ThreatSearch, VcfLimits,
};
use papan_rules::{Grid, GridError, Player, Wide};

const SIDE: i64 = 15;
const CENTRE: i64 = SIDE / 2;

/// Returns the CPU seconds used by this process; 0 where the system does not report them.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text
        .split_whitespace()
        .next()
        .and_then(|n| n.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// Linear congruential generator, so that the lists are the same in every run.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, limit: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 33) as i64) % limit
    }

    /// Returns an empty cell whose distance from the centre is in a range.
    fn empty_cell(&mut self, state: &State, min: i64, max: i64) -> Cell {
        loop {
            let (row, column) = (self.below(SIDE), self.below(SIDE));
            let distance = (row - CENTRE).abs().max((column - CENTRE).abs());
            let cell = (row * SIDE + column) as Cell;
            if (min..=max).contains(&distance) && state.owner(cell).is_none() {
                return cell;
            }
        }
    }
}

fn random_stones(empty: &State, random: &mut Lcg) -> State {
    loop {
        let mut state = empty.clone();
        for at in 0..14 {
            let cell = random.empty_cell(&state, 0, 5);
            state.put(cell, Player::BOTH[at % 2]);
        }
        let is_forced = |side| state.has_won(side) || state.completing(side).is_some();
        if !Player::BOTH.into_iter().any(is_forced) {
            return state;
        }
    }
}

fn opening(empty: &State, random: &mut Lcg) -> State {
    let mut state = empty.clone();
    state.put((CENTRE * SIDE + CENTRE) as Cell, Player::First);
    for (side, min, max) in [
        (Player::Second, 4, CENTRE),
        (Player::First, 1, 2),
        (Player::Second, 4, CENTRE),
    ] {
        let cell = random.empty_cell(&state, min, max);
        state.put(cell, side);
    }
    state
}

fn stones(empty: &State, budget: NodeBudget, seed: u64) {
    let mut random = Lcg(seed);
    let (mut wins, mut longest, mut nodes) = (0_u32, 0.0_f64, 0);
    let (mut winning, start) = (0.0, cpu_seconds());
    for _ in 0..100 {
        let mut state = random_stones(empty, &mut random);
        let mut search = ThreatSearch::new(budget, Box::new(|| false));
        let before = cpu_seconds();
        let is_win = search.win(&mut state, Player::First, 2).is_some();
        let elapsed = cpu_seconds() - before;
        longest = longest.max(elapsed);
        if is_win {
            wins += 1;
            winning += elapsed;
        }
        nodes += search.nodes();
    }
    let mean = (cpu_seconds() - start) / 100.0;
    println!(
        "100 positions of 14 stones: {wins} wins, mean {:.2} ms; all: mean {:.2} ms, max {:.1} ms, \
         {nodes} nodes",
        winning / f64::from(wins.max(1)) * 1e3,
        mean * 1e3,
        longest * 1e3
    );
}

/// Returns a test whether the CPU seconds since its creation exceed a limit.
fn time_limit(max_seconds: u64) -> impl FnMut() -> bool + Send {
    let (start, mut polls) = (cpu_seconds(), 0_u32);
    move || {
        // A system call takes longer than a node.
        polls += 1;
        polls.is_multiple_of(512) && cpu_seconds() - start > max_seconds as f64
    }
}

fn survivors(empty: &State, max_seconds: u64, count: usize) {
    let mut random = Lcg(4);
    let mut proved = 0;
    for number in 1..=count {
        let state = opening(empty, &mut random);
        let start = cpu_seconds();
        let halt = move || cpu_seconds() - start > max_seconds as f64;
        let limits = VcfLimits::default();
        let mut search = SurvivorSearch::<Wide>::new(empty.lines(), limits, Box::new(halt));
        search.set_position(state.stones(Player::First), state.stones(Player::Second));
        let is_proved = search.prove(true);
        proved += u32::from(is_proved);
        println!(
            "{number:2}: {:6.2} s, {} expansions, {is_proved}",
            cpu_seconds() - start,
            search.expansions()
        );
    }
    println!("{proved} of {count} proved by the survivor search within {max_seconds} s each");
}

fn openings(empty: &State, max_seconds: u64, count: usize, max_order: usize, initial: NodeBudget) {
    let mut random = Lcg(4);
    let mut proved = 0;
    for number in 1..=count {
        let mut state = opening(empty, &mut random);
        let start = cpu_seconds();
        let mut budget = initial;
        let mut search = ThreatSearch::new(budget, Box::new(time_limit(max_seconds)));
        let proof = loop {
            let found =
                (2..=max_order).find_map(|order| search.win(&mut state, Player::First, order));
            if found.is_some() || search.is_halted() {
                break found;
            }
            budget = budget.increased();
            search.set_budget(budget);
        };
        proved += u32::from(proof.is_some());
        let size = proof.map_or(0, |proof| proof.size());
        let elapsed = cpu_seconds() - start;
        println!(
            "{number:2}: {elapsed:6.2} s, {} nodes, proof size {size}",
            search.nodes()
        );
    }
    println!("{proved} of {count} proved within {max_seconds} s each");
}

fn main() -> Result<(), GridError> {
    let (flags, arguments): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    // `cargo test --all-targets` runs benches without `--bench`.
    if !flags.iter().any(|flag| flag == "--bench") {
        return Ok(());
    }
    let grid = Grid::<Wide>::new(&[SIDE as usize, SIDE as usize], 5)?;
    let empty = State::new(Arc::new(Lines::new(&grid)));
    let number = |at: usize, default: u64| {
        let given = arguments.get(at).and_then(|text| text.parse().ok());
        given.unwrap_or(default)
    };
    let list = arguments.first().map_or("", String::as_str);
    if list == "survivors" {
        survivors(&empty, number(1, 30), number(2, 50) as usize);
    } else if list == "openings" {
        let NodeBudget { vcf, orders } = NodeBudget::INITIAL;
        let initial = NodeBudget {
            vcf: number(4, vcf),
            orders: [number(5, orders[0]), number(6, orders[1]), orders[2]],
        };
        let order = number(3, 3).clamp(2, MAX_ORDER as u64) as usize;
        openings(
            &empty,
            number(1, 30),
            number(2, 50) as usize,
            order,
            initial,
        );
    } else {
        let budget = NodeBudget {
            vcf: number(1, 3_000),
            orders: [number(2, 2_000), 100, 100],
        };
        stones(&empty, budget, number(3, 14));
    }
    Ok(())
}
