//! Counting move paths: the test that every move generator has to pass.

use crate::Game;

/// How many move paths of exactly `depth` plies lead from a position; a pass is
/// one ply, and a path ends where the game does.
///
/// ```
/// use papan_rules::{Game, Othello, perft};
/// let game = Othello::default();
/// assert_eq!(perft(&game, &game.start(), 4), 244);
/// ```
pub fn perft<G: Game>(game: &G, pos: &G::Position, depth: u32) -> u64 {
    perft_with(game, pos, depth, &mut || true).unwrap_or(0)
}

/// As [`perft`], asking `go_on` now and then; `None` when it said no.
pub fn perft_with<G: Game>(
    game: &G,
    pos: &G::Position,
    depth: u32,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(game.legal_moves(pos).count() as u64),
        _ => {
            // Asking at every node near the leaves would cost more than counting.
            if depth > 3 && !go_on() {
                return None;
            }
            let mut paths = 0;
            for mv in game.legal_moves(pos) {
                let mut next = pos.clone();
                game.play_unchecked(&mut next, mv);
                paths += perft_with(game, &next, depth - 1, go_on)?;
            }
            Some(paths)
        }
    }
}
