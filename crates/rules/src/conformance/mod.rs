//! Conformance suite: the contract of every game, as one test. A new game calls [`check`] from its
//! tests.
//!
//! Everything a search or a proof relies on is compared with the plain rules: the stated properties
//! at every position visited, the exact packed form over all of them, and the shortcuts of searches
//! with exhaustive play.

mod rules;
mod shortcuts;
mod symmetries;

use std::collections::HashMap;

use crate::{GameInfo, Line, Move, SplitMix, Symmetric};
use shortcuts::PlayedOut;

/// Plays `games` random games and checks the whole contract of [`Game`](crate::Game),
/// [`Symmetric`], [`Notation`](crate::Notation) and [`GameInfo`] on the way.
///
/// # Panics
/// When a promise is broken, naming the promise and the position.
pub fn check<G: GameInfo + Symmetric>(game: &G, games: u64) {
    let mut packed = HashMap::new();
    let mut played_out = PlayedOut::default();
    assert_eq!(
        game.shape().cells(),
        game.cells(),
        "the shape has as many cells as the board"
    );
    for seed in 0..games {
        let mut line = Line::new(game);
        let mut met = Vec::new();
        let mut random = SplitMix::new(seed);
        loop {
            let pos = line.position();
            check_position(game, pos);
            pack_is_exact(game, pos, &mut packed);
            met.push(pos.clone());
            let moves: Vec<Move> = game.legal_moves(pos).collect();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            line.play(game, mv).expect("a generated move is legal");
            assert!(line.ply() <= 4 * game.cells(), "the game does not end");
        }
        let text = line.text(game);
        let read = Line::parse(game, &text).expect("a line is read as it was written");
        assert_eq!(read.position(), line.position(), "{text}");
        // From the end backwards, as long as exhaustive play is feasible.
        for pos in met.iter().rev() {
            if !played_out.check(game, pos) {
                break;
            }
        }
    }
}

/// Checks the contract of a game at one position, as far as it is visible there.
///
/// # Panics
/// When a promise is broken.
pub fn check_position<G: GameInfo + Symmetric>(game: &G, pos: &G::Position) {
    let moves: Vec<Move> = game.legal_moves(pos).collect();
    rules::moves(game, pos, &moves);
    rules::properties(game, pos, &moves);
    rules::ending(game, pos);
    shortcuts::winning_moves(game, pos);
    rules::notation(game, pos, &moves);
    symmetries::check(game, pos, &moves);
}

/// Checks that equal packed forms are equal positions: this one, its images, and its successors,
/// among all positions visited.
fn pack_is_exact<G: GameInfo + Symmetric>(
    game: &G,
    pos: &G::Position,
    packed: &mut HashMap<G::Packed, G::Position>,
) {
    let images = game.symmetries().iter().map(|s| game.transform(pos, s));
    let children = game.legal_moves(pos).map(|mv| game.after(pos, mv));
    for pos in images.chain(children).chain([pos.clone()]) {
        let other = packed.entry(game.pack(&pos)).or_insert_with(|| pos.clone());
        assert_eq!(
            *other, pos,
            "the packed form is exact: different positions have different ones"
        );
    }
}
