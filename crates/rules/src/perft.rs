//! Perft: counts move paths, the standard test of a move generator.
//!
//! Reference: <https://www.chessprogramming.org/Perft>

use crate::Game;

/// Counts the move paths of `depth` plies from a position, or fewer where the game ends: a pass is
/// one ply, and a finished game one path, as in published counts for Othello.
///
/// ```
/// use papan_rules::{Game, Othello, perft};
/// let game = Othello::default();
/// assert_eq!(perft(&game, &game.start(), 4), 244);
/// ```
pub fn perft<G: Game>(game: &G, pos: &G::Position, depth: u32) -> u64 {
    perft_with(game, pos, depth, &mut || true).unwrap_or(0)
}

/// As [`perft`], but calls `go_on` regularly; `None` when it returned false.
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
