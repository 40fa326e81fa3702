//! Counting move paths: the test that every move generator has to pass.

use crate::Game;

/// How many move paths of `depth` plies lead from a position, or of fewer where the
/// game ends: a pass is one ply, and a finished game one path. Counts of Othello are
/// published so.
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
        1 => Some((game.legal_moves(pos).count() as u64).max(1)),
        _ => {
            // Asking at every node near the leaves would cost more than counting.
            if depth > 3 && !go_on() {
                return None;
            }
            let mut paths = 0;
            if game.outcome(pos).is_some() {
                return Some(1);
            }
            for mv in game.legal_moves(pos) {
                let next = game.after(pos, mv);
                paths += perft_with(game, &next, depth - 1, go_on)?;
            }
            Some(paths)
        }
    }
}
