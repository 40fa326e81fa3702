//! Checks that the rules are invariant under the symmetries of the board.

use crate::{GameInfo, Move, Player, Symmetric};

pub(super) fn check<G: GameInfo + Symmetric>(game: &G, pos: &G::Position, moves: &[Move]) {
    let text = game.format_position(pos);
    let first = game.symmetries().first().expect("there is the identity");
    assert_eq!(
        game.transform(pos, first),
        *pos,
        "{text}: the identity comes first"
    );
    let canonical = game.pack(&game.canonical(pos).0);
    for symmetry in game.symmetries() {
        let image = game.transform(pos, symmetry);
        let pieces = |cell| game.piece(&image, symmetry.cell(cell)) == game.piece(pos, cell);
        assert!(
            (0..game.cells()).all(pieces),
            "{text}: a symmetry moves the pieces"
        );
        assert_eq!(game.outcome(&image), game.outcome(pos), "{text}");
        assert_eq!(game.turn(&image), game.turn(pos), "{text}");
        assert_eq!(game.is_dead(&image), game.is_dead(pos), "{text}");
        for player in Player::BOTH {
            assert_eq!(
                game.final_score(&image, player),
                game.final_score(pos, player),
                "{text}: symmetric positions have one score"
            );
        }
        let mut images: Vec<Move> = moves.iter().map(|&mv| symmetry.apply(mv)).collect();
        images.sort();
        assert!(
            game.legal_moves(&image).eq(images),
            "{text}: symmetric positions have symmetric moves"
        );
        assert_eq!(
            game.pack(&game.canonical(&image).0),
            canonical,
            "{text}: symmetric positions have one representative"
        );
        assert_eq!(
            game.transform(&image, &symmetry.inverse()),
            *pos,
            "{text}: a symmetry can be undone"
        );
        if let Some(&mv) = moves.first() {
            let (mut played, mut played_image) = (pos.clone(), image.clone());
            game.play_unchecked(&mut played, mv);
            game.play_unchecked(&mut played_image, symmetry.apply(mv));
            assert_eq!(
                game.transform(&played, symmetry),
                played_image,
                "{text}: turning and playing is playing and turning"
            );
        }
    }
}
