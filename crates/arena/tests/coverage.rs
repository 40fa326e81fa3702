//! Coverage of the confidence intervals: in simulated tournaments with known ratings, the
//! 95 % intervals contain the true value in 94 to 96 % of the cases.

use papan_arena::statistics::{Acceptance, Encounter, Pentanomial, Ratings, Sprt, expected_score};
use papan_rules::SplitMix;

/// The same tournaments on every machine.
struct Dice(SplitMix);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0.fraction()
    }

    /// Half points of one game with this expected score.
    fn game(&mut self, expected: f64, draws: f64) -> usize {
        // As many draws as both results leave room for.
        let draw = draws * 2.0 * expected.min(1.0 - expected);
        match self.roll() {
            roll if roll < draw => 1,
            roll if roll < draw + expected - draw / 2.0 => 2,
            _ => 0,
        }
    }

    /// Half points of a pair from an opening that favours the first mover by `lean`: the two
    /// games shift in opposite directions, and their mean does not change.
    fn pair(&mut self, expected: f64, lean: f64) -> usize {
        let room = expected.min(1.0 - expected) * lean;
        let bias = if self.roll() < 0.5 { room } else { -room };
        self.game(expected + bias, 0.5) + self.game(expected - bias, 0.5)
    }
}

const TOURNAMENTS: u32 = 10_000;

fn coverage(truth: &[f64], pairs: u32, lean: f64, seed: u64) -> Vec<f64> {
    let mut dice = Dice(SplitMix::new(seed));
    let mean = truth.iter().sum::<f64>() / truth.len() as f64;
    let mut held = vec![0; truth.len()];
    for _ in 0..TOURNAMENTS {
        let mut encounters = Vec::new();
        for a in 0..truth.len() {
            for b in a + 1..truth.len() {
                let expected = expected_score(truth[a] - truth[b]);
                let mut met = Pentanomial::default();
                for _ in 0..pairs {
                    met.add(dice.pair(expected, lean));
                }
                encounters.push(Encounter {
                    players: [a, b],
                    pairs: met,
                });
            }
        }
        let ratings = Ratings::of(truth.len(), &encounters);
        for (player, held) in held.iter_mut().enumerate() {
            let off = ratings.elo(player) - (truth[player] - mean);
            *held += u32::from(off.abs() <= ratings.margin(player));
        }
    }
    held.iter()
        .map(|&n| f64::from(n) / f64::from(TOURNAMENTS))
        .collect()
}

#[test]
fn ratings_hold_the_truth_in_95_of_100_tournaments() {
    for (truth, pairs, lean, seed) in [
        (&[0.0, 0.0][..], 200, 0.0, 1),
        (&[30.0, 0.0], 200, 0.9, 2),
        (&[-120.0, 0.0], 150, 0.5, 3),
        (&[150.0, 40.0, 0.0, -90.0], 60, 0.6, 4),
    ] {
        for (player, held) in coverage(truth, pairs, lean, seed).into_iter().enumerate() {
            assert!(
                (0.94..=0.96).contains(&held),
                "{truth:?}, player {player}: {held}"
            );
        }
    }
}

#[test]
fn a_match_holds_the_truth_in_95_of_100() {
    for (elo, pairs, seed) in [(0.0, 100, 5), (25.0, 400, 6), (-200.0, 300, 7)] {
        let mut dice = Dice(SplitMix::new(seed));
        let mut held = 0;
        for _ in 0..TOURNAMENTS {
            let mut met = Pentanomial::default();
            for _ in 0..pairs {
                met.add(dice.pair(expected_score(elo), 0.6));
            }
            let estimate = met.estimate().unwrap();
            held += u32::from((estimate.low..=estimate.high).contains(&elo));
        }
        let held = f64::from(held) / f64::from(TOURNAMENTS);
        assert!((0.94..=0.96).contains(&held), "{elo}: {held}");
    }
}

#[test]
fn the_sequential_test_errs_no_more_often_than_it_promised() {
    let test: Sprt = "elo0=0,elo1=30,alpha=0.05,beta=0.05".parse().unwrap();
    for (truth, wrong) in [
        (0.0, Acceptance::AcceptElo1),
        (30.0, Acceptance::AcceptElo0),
    ] {
        let mut dice = Dice(SplitMix::new(11));
        let (mut errors, matches) = (0, 1000);
        for _ in 0..matches {
            let mut met = Pentanomial::default();
            let verdict = loop {
                met.add(dice.pair(expected_score(truth), 0.6));
                match test.verdict(&met) {
                    Acceptance::Open => {}
                    verdict => break verdict,
                }
            };
            errors += u32::from(verdict == wrong);
        }
        // 5 % of 1000 is 50, with a standard deviation of 7.
        assert!(errors < 75, "{errors} of {matches} at {truth}");
        assert!(
            errors > 20,
            "{errors} of {matches} at {truth}: the test is not so much surer"
        );
    }
}
