//! The rules of gomoku compared with a naive referee on random games.
//!
//! The referee is written from the texts of the rules alone: lines of the board are strings, and fours
//! and threes are sets of points. `PAPAN_REFEREE_GAMES=10000 cargo test --release -p papan-rules --test
//! gomoku_referee` plays more games than the test suite; `scripts/compare_gomoku_rules.py` compares
//! whole games with an independent program.

use std::collections::BTreeSet;

use papan_rules::{
    Bits as _, Game as _, Gomoku, GomokuRule, Move, Outcome, Player, SplitMix, Wide,
};

type Point = (i32, i32);

const DIRECTIONS: [Point; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Rows of characters: `x` is Black, `o` is White, `.` is empty.
#[derive(Clone)]
struct Referee {
    rule: GomokuRule,
    rows: Vec<Vec<char>>,
}

impl Referee {
    fn new(side: usize, rule: GomokuRule) -> Self {
        let rows = vec![vec!['.'; side]; side];
        Self { rule, rows }
    }

    /// The character at a point; `#` outside of the board.
    fn at(&self, (row, column): Point) -> char {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        let cell = row.and_then(|row| row.get(usize::try_from(column).ok()?));
        cell.copied().unwrap_or('#')
    }

    fn with(&self, (row, column): Point, stone: char) -> Self {
        let mut after = self.clone();
        after.rows[row as usize][column as usize] = stone;
        after
    }

    fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let side = self.rows.len() as i32;
        (0..side).flat_map(move |row| (0..side).map(move |column| (row, column)))
    }

    /// The unbroken row of a colour through a point, and what is at both ends of it.
    fn row_through(&self, point: Point, (down, right): Point) -> (BTreeSet<Point>, [char; 2]) {
        let stone = self.at(point);
        let mut row = BTreeSet::from([point]);
        let ends = [-1, 1].map(|sign| {
            let (mut r, mut c) = point;
            loop {
                (r, c) = (r + sign * down, c + sign * right);
                if self.at((r, c)) != stone {
                    return self.at((r, c));
                }
                row.insert((r, c));
            }
        });
        (row, ends)
    }

    /// Whether the unbroken rows through the last stone win.
    fn wins(&self, last: Point) -> bool {
        let stone = self.at(last);
        DIRECTIONS.iter().any(|&direction| {
            let (row, ends) = self.row_through(last, direction);
            match (self.rule, stone) {
                (GomokuRule::Standard, _) | (GomokuRule::Renju, 'x') => row.len() == 5,
                (GomokuRule::Freestyle | GomokuRule::Renju, _) => row.len() >= 5,
                (GomokuRule::Caro, _) => {
                    let enemy = if stone == 'x' { 'o' } else { 'x' };
                    row.len() > 5 || row.len() == 5 && ends != [enemy; 2]
                }
            }
        })
    }

    fn makes_five(&self, point: Point, direction: Point) -> bool {
        if self.at(point) != '.' {
            return false;
        }
        let after = self.with(point, 'x');
        after.row_through(point, direction).0.len() == 5
    }

    /// The fours in a direction that a black stone belongs to: sets of four stones to which one more
    /// makes exactly five.
    fn fours(&self, point: Point, direction: Point) -> BTreeSet<BTreeSet<Point>> {
        let (down, right) = direction;
        let windows = (-4..=0).map(|first| {
            (first..first + 5)
                .map(|n| (point.0 + n * down, point.1 + n * right))
                .collect::<BTreeSet<Point>>()
        });
        let mut fours = BTreeSet::new();
        for window in windows {
            let stones: BTreeSet<Point> = window
                .iter()
                .copied()
                .filter(|&p| self.at(p) == 'x')
                .collect();
            let gap = window.difference(&stones).next();
            if stones.len() == 4 && gap.is_some_and(|&gap| self.makes_five(gap, direction)) {
                fours.insert(stones);
            }
        }
        fours
    }

    /// The threes in a direction that a black stone belongs to: sets of three stones to which Black can
    /// add one to attain a straight four, where he may play and makes no five.
    fn threes(&self, point: Point, direction: Point) -> BTreeSet<BTreeSet<Point>> {
        let (down, right) = direction;
        let mut threes = BTreeSet::new();
        for first in -3..=0 {
            let four: BTreeSet<Point> = (first..first + 4)
                .map(|n| (point.0 + n * down, point.1 + n * right))
                .collect();
            let gaps: Vec<Point> = four
                .iter()
                .copied()
                .filter(|&p| self.at(p) != 'x')
                .collect();
            let [gap] = gaps[..] else { continue };
            if self.at(gap) != '.' {
                continue;
            }
            let after = self.with(gap, 'x');
            let is_straight = [first - 1, first + 4]
                .iter()
                .all(|&n| after.makes_five((point.0 + n * down, point.1 + n * right), direction));
            if is_straight && !after.wins(gap) && self.is_allowed(gap) {
                threes.insert(four.into_iter().filter(|&p| p != gap).collect());
            }
        }
        threes
    }

    /// Whether Black may play on an empty point at renju.
    fn is_allowed(&self, point: Point) -> bool {
        let after = self.with(point, 'x');
        if after.wins(point) {
            return true;
        }
        let overline = DIRECTIONS
            .iter()
            .any(|&d| after.row_through(point, d).0.len() > 5);
        let fours: usize = DIRECTIONS
            .iter()
            .map(|&d| after.fours(point, d).len())
            .sum();
        if overline || fours >= 2 {
            return false;
        }
        let threes: usize = DIRECTIONS
            .iter()
            .map(|&d| after.threes(point, d).len())
            .sum();
        threes < 2
    }

    /// The points where a player may play.
    fn allowed(&self, stone: char) -> Vec<Point> {
        let empty = self.points().filter(|&point| self.at(point) == '.');
        let checks = self.rule == GomokuRule::Renju && stone == 'x';
        empty
            .filter(|&point| !checks || self.is_allowed(point))
            .collect()
    }
}

/// Plays a random game with most stones near others, and compares every position.
fn compare(rule: GomokuRule, seed: u64) -> Option<Outcome> {
    let mut random = SplitMix::new(seed);
    let side = 6 + random.below(if rule == GomokuRule::Renju { 10 } else { 15 });
    let game = Gomoku::new(side, rule).expect("a board");
    let mut referee = Referee::new(side, rule);
    let mut position = game.start();
    loop {
        let stone = if game.turn(&position) == Player::First {
            'x'
        } else {
            'o'
        };
        let allowed = referee.allowed(stone);
        let cell = |&(row, column): &Point| row as usize * side + column as usize;
        let naive = allowed
            .iter()
            .fold(Wide::EMPTY, |set, p| set | Wide::single(cell(p)));
        let legal = game.legal_moves(&position);
        let legal = legal.fold(Wide::EMPTY, |set, mv| {
            set | Wide::single(mv.cell().expect("no passes"))
        });
        assert_eq!(legal, naive, "{rule:?} seed {seed}: {:?}", referee.rows);
        if allowed.is_empty() {
            assert_eq!(game.outcome(&position), Some(Outcome::Draw));
            return Some(Outcome::Draw);
        }
        let is_near = |&(row, column): &Point| {
            let around = (-1..=1).flat_map(|r| (-1..=1).map(move |c| (row + r, column + c)));
            around
                .into_iter()
                .any(|point| matches!(referee.at(point), 'x' | 'o'))
        };
        let near: Vec<Point> = allowed.iter().copied().filter(is_near).collect();
        let choice = if near.is_empty() || random.below(8) == 0 {
            &allowed
        } else {
            &near
        };
        let point = choice[random.below(choice.len())];
        game.play(&mut position, Move::on(cell(&point)))
            .expect("legal");
        referee = referee.with(point, stone);
        let mover = if stone == 'x' {
            Player::First
        } else {
            Player::Second
        };
        let won = referee.wins(point).then_some(Outcome::Win(mover));
        let outcome = game.outcome(&position);
        if won.is_some() || outcome.is_some_and(|outcome| outcome != Outcome::Draw) {
            assert_eq!(outcome, won, "{rule:?} seed {seed}: {:?}", referee.rows);
            return outcome;
        }
    }
}

#[test]
fn random_games_have_the_verdicts_of_a_naive_referee() {
    let games = std::env::var("PAPAN_REFEREE_GAMES").ok();
    let games = games.map_or(60, |games| games.parse().expect("a number of games"));
    for rule in GomokuRule::ALL {
        let outcomes: Vec<_> = (0..games).map(|seed| compare(rule, seed)).collect();
        for winner in Player::BOTH {
            let won = |outcome: &&Option<Outcome>| **outcome == Some(Outcome::Win(winner));
            assert!(
                outcomes.iter().filter(won).count() > 0,
                "{rule:?}: {winner} never won"
            );
        }
    }
}
