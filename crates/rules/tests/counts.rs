//! Published counts, from the files in `data/`.

use std::collections::HashSet;

use papan_rules::{
    Game, Grid, GridPosition, Othello, Outcome, Player, Symmetric, perft, tictactoe,
};

/// Returns the lines of a data file, without comments.
fn data(text: &'static str) -> impl Iterator<Item = (&'static str, Vec<u64>)> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let (name, numbers) = line.split_once(' ').expect("a name and numbers");
            let numbers = numbers.split(' ').map(|n| n.parse().expect("a number"));
            (name, numbers.collect())
        })
}

fn check_perft<G: Game>(game: &G, expected: &[u64]) {
    for (depth, &paths) in (1..).zip(expected) {
        assert_eq!(perft(game, &game.start(), depth), paths, "depth {depth}");
    }
}

#[test]
fn move_paths_are_as_published() {
    for (name, expected) in data(include_str!("data/perft.txt")) {
        match name {
            "othello" => check_perft(&Othello::default(), &expected),
            "tictactoe" => check_perft(&tictactoe(), &expected),
            other => panic!("no game {other}"),
        }
    }
}

/// Walks the whole tree.
fn walk(game: &Grid<u64>, pos: &GridPosition<u64>, nodes: &mut u64, games: &mut u64) {
    *nodes += 1;
    *games += u64::from(game.outcome(pos).is_some());
    for mv in game.legal_moves(pos) {
        let next = game.after(pos, mv);
        walk(game, &next, nodes, games);
    }
}

#[test]
fn the_tree_of_3x3_is_as_published() {
    let game = tictactoe();
    let (mut nodes, mut games) = (0, 0);
    walk(&game, &game.start(), &mut nodes, &mut games);
    let mut seen = HashSet::new();
    let mut open = vec![game.start()];
    while let Some(pos) = open.pop() {
        if seen.insert(pos) {
            open.extend(game.legal_moves(&pos).map(|mv| game.after(&pos, mv)));
        }
    }
    let canonical: HashSet<_> = seen.iter().map(|pos| game.canonical(pos).0).collect();
    let endings = |wanted: Option<Outcome>| {
        let ended = canonical.iter().filter_map(|pos| game.outcome(pos));
        ended.filter(|o| wanted.is_none_or(|w| w == *o)).count() as u64
    };
    for (name, expected) in data(include_str!("data/tictactoe.txt")) {
        let found = match name {
            "nodes" => nodes,
            "games" => games,
            "positions" => seen.len() as u64,
            "positions-up-to-symmetry" => canonical.len() as u64,
            "endings-up-to-symmetry" => endings(None),
            "first-wins-up-to-symmetry" => endings(Some(Outcome::Win(Player::First))),
            "second-wins-up-to-symmetry" => endings(Some(Outcome::Win(Player::Second))),
            "draws-up-to-symmetry" => endings(Some(Outcome::Draw)),
            other => panic!("nothing is counted as {other}"),
        };
        assert_eq!([found], expected[..], "{name}");
    }
}
