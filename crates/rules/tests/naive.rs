//! The optimised rules compared with naive implementations.

use papan_rules::{Bits, Game, Grid, Line, Move, Othello, Outcome, Player, Wide};
use proptest::prelude::*;

/// Tic-tac-toe by walking from every cell in every direction, with signed coordinates and nothing
/// precomputed.
fn naive_winner(sides: &[usize], k: usize, cells: &[Option<Player>]) -> Option<Player> {
    let at = |coordinates: &[i64]| -> Option<Player> {
        let mut cell = 0;
        for (&c, &side) in coordinates.iter().zip(sides) {
            if c < 0 || c >= side as i64 {
                return None;
            }
            cell = cell * side + c as usize;
        }
        cells[cell]
    };
    let d = sides.len() as u32;
    for (cell, piece) in cells.iter().enumerate() {
        let mut rest = cell;
        let mut from = vec![0_i64; sides.len()];
        for (i, &side) in sides.iter().enumerate().rev() {
            from[i] = (rest % side) as i64;
            rest /= side;
        }
        let Some(player) = *piece else { continue };
        for code in 0..3_usize.pow(d) {
            let step: Vec<i64> = (0..d)
                .map(|i| (code / 3_usize.pow(i) % 3) as i64 - 1)
                .collect();
            if step.iter().all(|&s| s == 0) {
                continue;
            }
            let run = (0..k as i64).all(|n| {
                let to: Vec<i64> = from.iter().zip(&step).map(|(&f, &s)| f + n * s).collect();
                at(&to) == Some(player)
            });
            if run {
                return Some(player);
            }
        }
    }
    None
}

fn plays_like_the_naive_grid<B: Bits>(sides: &[usize], k: usize, lots: &[u16]) {
    let game = Grid::<B>::new(sides, k).unwrap();
    let mut cells = vec![None; game.cells()];
    let mut line = Line::new(&game);
    for &lot in lots {
        let moves: Vec<Move> = game.legal_moves(line.position()).collect();
        if moves.is_empty() {
            break;
        }
        let mv = moves[usize::from(lot) % moves.len()];
        cells[mv.cell().unwrap()] = Some(game.turn(line.position()));
        line.push(&game, mv);
        let naive = match naive_winner(sides, k, &cells) {
            Some(player) => Some(Outcome::Win(player)),
            None if cells.iter().all(Option::is_some) => Some(Outcome::Draw),
            None => None,
        };
        assert_eq!(
            game.outcome(line.position()),
            naive,
            "{sides:?}:{k} {}",
            line.text(&game)
        );
    }
}

/// Othello as in document 001: an array with a border, eight directions.
struct NaiveOthello {
    side: i32,
    board: Vec<char>,
    player: char,
}

impl NaiveOthello {
    const DIRECTIONS: [(i32, i32); 8] = [
        (-1, -1),
        (-1, 0),
        (-1, 1),
        (0, -1),
        (0, 1),
        (1, -1),
        (1, 0),
        (1, 1),
    ];

    fn new(side: i32) -> Self {
        let mut game = Self {
            side,
            board: vec!['.'; (side * side) as usize],
            player: 'B',
        };
        let (low, high) = (side / 2, side / 2 + 1);
        for (row, column, disc) in [
            (low, low, 'W'),
            (high, high, 'W'),
            (low, high, 'B'),
            (high, low, 'B'),
        ] {
            game.set(row, column, disc);
        }
        game
    }

    fn at(&self, row: i32, column: i32) -> char {
        let inside = (1..=self.side).contains(&row) && (1..=self.side).contains(&column);
        if inside {
            self.board[((row - 1) * self.side + column - 1) as usize]
        } else {
            '#'
        }
    }

    fn set(&mut self, row: i32, column: i32, disc: char) {
        self.board[((row - 1) * self.side + column - 1) as usize] = disc;
    }

    fn flips(&self, row: i32, column: i32, player: char) -> Vec<(i32, i32)> {
        let opponent = if player == 'B' { 'W' } else { 'B' };
        let mut all = Vec::new();
        if self.at(row, column) != '.' {
            return all;
        }
        for (dr, dc) in Self::DIRECTIONS {
            let mut run = Vec::new();
            let (mut r, mut c) = (row + dr, column + dc);
            while self.at(r, c) == opponent {
                run.push((r, c));
                (r, c) = (r + dr, c + dc);
            }
            if self.at(r, c) == player {
                all.extend(run);
            }
        }
        all
    }

    fn moves(&self, player: char) -> Vec<usize> {
        let side = self.side;
        (0..side * side)
            .filter(|cell| {
                !self
                    .flips(cell / side + 1, cell % side + 1, player)
                    .is_empty()
            })
            .map(|cell| cell as usize)
            .collect()
    }

    fn play(&mut self, cell: Option<usize>) {
        if let Some(cell) = cell {
            let (row, column) = (cell as i32 / self.side + 1, cell as i32 % self.side + 1);
            for (r, c) in self.flips(row, column, self.player) {
                self.set(r, c, self.player);
            }
            self.set(row, column, self.player);
        }
        self.player = if self.player == 'B' { 'W' } else { 'B' };
    }
}

fn plays_like_the_naive_othello(side: usize, lots: &[u16]) {
    let game = Othello::new(side).unwrap();
    let mut naive = NaiveOthello::new(side as i32);
    let mut line = Line::new(&game);
    for &lot in lots {
        let pos = line.position();
        for (cell, &disc) in naive.board.iter().enumerate() {
            let piece = match game.piece(pos, cell) {
                Some(Player::First) => 'B',
                Some(Player::Second) => 'W',
                None => '.',
            };
            assert_eq!(piece, disc, "{}", line.text(&game));
        }
        let opponent = if naive.player == 'B' { 'W' } else { 'B' };
        let mut expected: Vec<Move> = naive
            .moves(naive.player)
            .into_iter()
            .map(Move::on)
            .collect();
        if expected.is_empty() && !naive.moves(opponent).is_empty() {
            expected.push(Move::PASS);
        }
        let moves: Vec<Move> = game.legal_moves(pos).collect();
        assert_eq!(moves, expected, "{}", line.text(&game));
        let Some(&mv) = moves.get(usize::from(lot) % moves.len().max(1)) else {
            let count = |disc| naive.board.iter().filter(|&&d| d == disc).count();
            let naive_outcome = match count('B').cmp(&count('W')) {
                std::cmp::Ordering::Greater => Outcome::Win(Player::First),
                std::cmp::Ordering::Less => Outcome::Win(Player::Second),
                std::cmp::Ordering::Equal => Outcome::Draw,
            };
            assert_eq!(game.outcome(pos), Some(naive_outcome));
            return;
        };
        line.push(&game, mv);
        naive.play(mv.cell());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn grids(
        sides in proptest::collection::vec(1_usize..5, 1..=4),
        k in 1_usize..5,
        lots in proptest::collection::vec(any::<u16>(), 80),
    ) {
        let k = k.min(*sides.iter().max().unwrap());
        if sides.iter().product::<usize>() <= 64 {
            plays_like_the_naive_grid::<u64>(&sides, k, &lots);
        }
        plays_like_the_naive_grid::<Wide>(&sides, k, &lots);
    }

    #[test]
    fn othello(side in proptest::sample::select(&[4_usize, 6, 8][..]), lots in proptest::collection::vec(any::<u16>(), 80)) {
        plays_like_the_naive_othello(side, &lots);
    }
}
