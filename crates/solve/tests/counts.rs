//! Counts of games, compared with published numbers and with plain enumeration.

use std::collections::HashSet;

use papan_rules::{
    Game, Grid, IllegalMove, Line, Move, Othello, Outcome, Player, Properties, ScoreUnit, Shape,
    Symmetric, Symmetry, tictactoe,
};
use papan_solve::{CountError, count, missed_wins};
use papan_strategies::{Context, Minimax, Prefer, Strategy, Turn, Watch};

#[test]
fn the_counts_of_tic_tac_toe_are_as_published() {
    let census = count(&tictactoe(), &Watch::default()).unwrap();
    assert_eq!(census.positions, 5478);
    assert_eq!(census.positions_up_to_symmetry, 765);
    assert_eq!(census.games.total(), 255_168);
    assert_eq!(census.games.first, 131_184);
    assert_eq!(census.games.second, 77_904);
    assert_eq!(census.games.draws, 46_080);
    assert_eq!(census.games_up_to_symmetry.total(), 26_830);
    assert_eq!(census.endings.total(), 958);
    let endings = census.endings_up_to_symmetry;
    assert_eq!(endings.total(), 138);
    assert_eq!((endings.first, endings.second, endings.draws), (91, 44, 3));
    assert_eq!(census.longest, 9);
}

/// Enumerates every game.
fn walk<G: Symmetric>(
    game: &G,
    pos: &G::Position,
    games: &mut u128,
    seen: &mut HashSet<G::Packed>,
) {
    seen.insert(game.pack(pos));
    *games += u128::from(game.outcome(pos).is_some());
    for mv in game.legal_moves(pos) {
        let next = game.after(pos, mv);
        walk(game, &next, games, seen);
    }
}

fn is_as_walked<G: Symmetric>(game: &G) {
    let (mut games, mut seen) = (0, HashSet::new());
    walk(game, &game.start(), &mut games, &mut seen);
    let census = count(game, &Watch::default()).unwrap();
    assert_eq!(census.games.total(), games);
    assert_eq!(census.positions, seen.len() as u64);
}

#[test]
fn counting_and_enumeration_agree() {
    is_as_walked(&tictactoe());
    is_as_walked(&Grid::<u64>::new(&[2, 4], 3).unwrap());
    is_as_walked(&Grid::<u64>::new(&[7], 3).unwrap());
    is_as_walked(&Othello::new(4).unwrap());
}

/// Players take turns removing one of several distinct pebbles: few positions, and more games than
/// can be counted.
struct Pebbles {
    pebbles: usize,
    symmetries: Vec<Symmetry>,
}

impl Game for Pebbles {
    type Position = usize;
    type Moves = std::iter::Map<std::ops::Range<usize>, fn(usize) -> Move>;

    fn cells(&self) -> usize {
        self.pebbles
    }
    fn properties(&self) -> Properties {
        Properties {
            fills_up: false,
            passes: false,
            score_unit: ScoreUnit::Result,
        }
    }
    fn start(&self) -> usize {
        self.pebbles
    }
    fn turn(&self, left: &usize) -> Player {
        Player::BOTH[(self.pebbles - left) % 2]
    }
    fn legal_moves(&self, left: &usize) -> Self::Moves {
        (0..*left).map(Move::on)
    }
    fn play_unchecked(&self, left: &mut usize, _: Move) {
        *left -= 1;
    }
    fn outcome(&self, left: &usize) -> Option<Outcome> {
        (*left == 0).then_some(Outcome::Draw)
    }
    fn check_move(&self, left: &usize, mv: Move) -> Result<(), IllegalMove> {
        let there = mv.cell().is_some_and(|pebble| pebble < *left);
        if there {
            Ok(())
        } else {
            Err(IllegalMove::OffBoard)
        }
    }
    fn piece(&self, _: &usize, _: usize) -> Option<Player> {
        None
    }
}

impl Symmetric for Pebbles {
    type Packed = usize;

    fn pack(&self, left: &usize) -> usize {
        *left
    }
    fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }
    fn transform(&self, left: &usize, _: &Symmetry) -> usize {
        *left
    }
}

#[test]
fn more_games_than_128_bits_can_count_are_refused() {
    let counted = |pebbles: usize| {
        let identity = Shape::new(&[pebbles]).symmetries().swap_remove(0);
        let game = Pebbles {
            pebbles,
            symmetries: vec![identity],
        };
        count(&game, &Watch::default()).map(|census| census.games.draws)
    };
    assert_eq!(counted(34), Ok((1..=34_u128).product()));
    assert_eq!(counted(35), Err(CountError::TooMany));
}

#[test]
fn a_count_can_be_stopped() {
    let watch = Watch::default();
    watch.stop.stop();
    assert_eq!(count(&tictactoe(), &watch), Err(CountError::Stopped));
}

#[test]
fn minimax_misses_392_of_2358_wins_and_the_shortest_win_none() {
    let game = tictactoe();
    let with = |prefer: Prefer| {
        let minimax = move || -> Box<dyn Strategy<Grid<u64>>> {
            Box::new(Minimax {
                prefer,
                ..Minimax::default()
            })
        };
        missed_wins(&game, &minimax, None, &Watch::default()).unwrap()
    };
    let found = with(Prefer::First);
    assert_eq!((found.winnable, found.missed), (2358, 392));
    // One move wins here, and minimax plays another.
    let mut line = Line::new(&game);
    for mv in found.first.unwrap() {
        line.play(&game, mv).unwrap();
    }
    let mover = game.turn(line.position());
    let played = Minimax::default()
        .decide(Turn::new(&game, &line, &Context::default()))
        .unwrap();
    let outcome = |mv| {
        let next = game.after(line.position(), mv);
        game.outcome(&next)
    };
    assert_ne!(outcome(played.best), Some(Outcome::Win(mover)));
    assert!(
        game.legal_moves(line.position())
            .any(|mv| outcome(mv) == Some(Outcome::Win(mover)))
    );
    let shortest = with(Prefer::Shortest);
    assert_eq!((shortest.winnable, shortest.missed), (2358, 0));
}
