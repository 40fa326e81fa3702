//! One suite of promises that every game keeps. A new game calls
//! [`check`] from its tests.

use std::collections::HashSet;

use crate::{Described, Line, Move, Symmetric};

/// Plays `games` games by lot and checks every promise of [`Game`] on the way.
///
/// # Panics
/// When a promise is broken, saying which and where.
pub fn check<G: Described + Symmetric>(game: &G, games: u64) {
    for seed in 0..games {
        let mut line = Line::new(game);
        let mut lot = seed;
        loop {
            check_position(game, line.position());
            let moves: Vec<Move> = game.legal_moves(line.position()).collect();
            if moves.is_empty() {
                break;
            }
            lot = lot
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mv = moves[(lot >> 33) as usize % moves.len()];
            line.play(game, mv).expect("a generated move is legal");
            assert!(line.ply() <= 4 * game.cells(), "the game does not end");
        }
        let text = line.text(game);
        let read = Line::parse(game, &text).expect("a line is read as it was written");
        assert_eq!(read.position(), line.position(), "{text}");
    }
}

/// Checks the promises of [`Game`] at one position.
///
/// # Panics
/// When one is broken.
pub fn check_position<G: Described + Symmetric>(game: &G, pos: &G::Position) {
    let text = game.format_position(pos);
    let moves: Vec<Move> = game.legal_moves(pos).collect();
    assert_eq!(
        moves.is_empty(),
        game.outcome(pos).is_some(),
        "{text}: moves exactly while the game goes on"
    );
    assert_eq!(moves.len(), game.legal_moves(pos).count(), "{text}");
    assert!(moves.is_sorted(), "{text}: moves come first to last");
    let legal: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(legal.len(), moves.len(), "{text}: no move twice");
    for mv in (0..game.cells()).map(Move::on).chain([Move::PASS]) {
        assert_eq!(
            game.is_legal(pos, mv),
            legal.contains(&mv),
            "{text}: {mv:?}"
        );
        let mut next = pos.clone();
        assert_eq!(game.play(&mut next, mv).is_ok(), legal.contains(&mv));
        if legal.contains(&mv) {
            let written = game.format_move(mv);
            assert_eq!(game.parse_move(&written), Ok(mv), "{written}");
        } else {
            assert_eq!(next, *pos, "{text}: an illegal move changes nothing");
        }
    }
    assert!(
        !game.is_legal(pos, Move::on(game.cells())),
        "{text}: off the board"
    );
    let read = game.parse_position(&text);
    assert_eq!(read.as_ref(), Ok(pos), "{text}");
    check_symmetries(game, pos, &moves);
}

fn check_symmetries<G: Described + Symmetric>(game: &G, pos: &G::Position, moves: &[Move]) {
    let canonical = game.pack(&game.canonical(pos).0);
    for symmetry in game.symmetries() {
        let image = game.transform(pos, symmetry);
        assert_eq!(game.outcome(&image), game.outcome(pos));
        assert_eq!(game.turn(&image), game.turn(pos));
        assert_eq!(game.is_dead(&image), game.is_dead(pos));
        let mut images: Vec<Move> = moves.iter().map(|&mv| symmetry.apply(mv)).collect();
        images.sort();
        assert!(
            game.legal_moves(&image).eq(images),
            "symmetric positions have symmetric moves"
        );
        assert_eq!(game.pack(&game.canonical(&image).0), canonical);
        assert_eq!(game.transform(&image, &symmetry.inverse()), *pos);
        if let Some(&mv) = moves.first() {
            let (mut played, mut played_image) = (pos.clone(), image.clone());
            game.play_unchecked(&mut played, mv);
            game.play_unchecked(&mut played_image, symmetry.apply(mv));
            assert_eq!(game.transform(&played, symmetry), played_image);
        }
    }
}
