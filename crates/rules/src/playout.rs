//! Random playouts.

use crate::{Game, SplitMix};

/// Plays random moves until the game is over.
///
/// ```
/// use papan_rules::{Game, SplitMix, play_out, tictactoe};
/// let game = tictactoe();
/// let mut position = game.start();
/// play_out(&game, &mut position, &mut SplitMix::new(1));
/// assert!(game.outcome(&position).is_some());
/// ```
#[inline]
pub fn play_out<G: Game>(game: &G, pos: &mut G::Position, random: &mut SplitMix) {
    // By value, because on small boards a position stays in registers.
    let mut at = pos.clone();
    loop {
        let mut moves = game.legal_moves(&at);
        let count = moves.clone().count();
        if count == 0 {
            break;
        }
        let mv = moves.nth(random.below(count));
        at = game.after(&at, mv.expect("the place is below the count"));
    }
    *pos = at;
}
