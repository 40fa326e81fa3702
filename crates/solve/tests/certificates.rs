//! Version 1 certificates: written ones are accepted, modified ones are rejected.

use papan_rules::{GameInfo, Grid, Othello, Player, Symmetric, tictactoe};
use papan_solve::{
    Certificate, CertificateError, CheckError, StrategyFactory, check, read_claim, replay,
};
use papan_strategies::{Automaton, BranchAndBound, Expert, Greedy, Perfect, Random, Watch};

fn certificate<G: GameInfo + Symmetric>(
    game: &G,
    factory: StrategyFactory<'_, G>,
    player: Player,
) -> Certificate {
    Certificate::new(game, factory, "some-strategy", player, &Watch::default()).unwrap()
}

/// Appends the checksum, so that a modified file has a valid envelope.
fn with_checksum(body: &str) -> Vec<u8> {
    let sum = body.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{body}checksum {sum:016x}\n").into_bytes()
}

fn body(text: &str) -> &str {
    &text[..text.rfind("checksum ").unwrap()]
}

#[test]
fn strategies_that_never_lose_get_valid_certificates() {
    let game = tictactoe();
    let perfect =
        || -> Box<dyn papan_strategies::Strategy<Grid<u64>>> { Box::new(Perfect::default()) };
    for player in Player::BOTH {
        let written = certificate(&game, &perfect, player);
        let claim = check(&game, written.text().as_bytes()).unwrap();
        assert_eq!(
            (claim.player, claim.positions),
            (player, written.positions())
        );
        let written = certificate(&game, &|| Box::new(Expert::default()), player);
        check(&game, written.text().as_bytes()).unwrap();
        // The automaton has memory; its list is closed nevertheless.
        let written = certificate(&game, &|| Box::new(Automaton::default()), player);
        check(&game, written.text().as_bytes()).unwrap();
    }
    let game = Othello::new(4).unwrap();
    let written = certificate(&game, &|| Box::new(Perfect::default()), Player::Second);
    check(&game, written.text().as_bytes()).unwrap();
    let game = Grid::<u64>::new(&[4, 4], 4).unwrap();
    let written = certificate(
        &game,
        &|| Box::new(BranchAndBound::default()),
        Player::First,
    );
    check(&game, written.text().as_bytes()).unwrap();
}

/// Papan wrote a strip as a single number, which means a square today.
#[test]
fn the_game_of_an_old_certificate_may_be_a_strip_named_by_one_number() {
    for (sides, length, today, old) in [
        (&[3][..], 3, "game tictactoe:1x3\n", "game tictactoe:3\n"),
        (&[7], 4, "game tictactoe:1x7:4\n", "game tictactoe:7:4\n"),
    ] {
        let strip = Grid::<u64>::new(sides, length).unwrap();
        let written = certificate(&strip, &|| Box::new(Perfect::default()), Player::Second);
        assert!(written.text().contains(today), "{}", written.text());
        let stored = with_checksum(&body(written.text()).replace(today, old));
        let claim = check(&strip, &stored).unwrap();
        assert_eq!(claim, check(&strip, written.text().as_bytes()).unwrap());
        let [_, size] = [old, today].map(|line| line.trim().split_once(':').unwrap().1);
        assert_eq!(
            read_claim(&stored).unwrap().game,
            format!("tictactoe:{size}")
        );
        // A square of that name has another certificate.
        let square = Grid::<u64>::new(&[3, 3], 3).unwrap();
        assert!(matches!(
            check(&square, &stored),
            Err(CheckError::OtherGame { .. })
        ));
    }
}

#[test]
fn a_symmetric_strategy_is_listed_up_to_symmetry() {
    // No player ever gets all three cells of a row.
    let game = Grid::<u64>::new(&[3], 3).unwrap();
    let written = certificate(&game, &|| Box::new(Random::default()), Player::Second);
    assert_eq!(written.symmetries(), game.symmetries().len());
    let claim = check(&game, written.text().as_bytes()).unwrap();
    assert_eq!((claim.symmetries.len(), claim.positions), (2, 2));
    let first = certificate(
        &game,
        &|| Box::new(BranchAndBound::default()),
        Player::First,
    );
    assert_eq!(first.symmetries(), 1);
}

#[test]
fn a_strategy_that_loses_gets_no_certificate() {
    let made = Certificate::new(
        &tictactoe(),
        &|| Box::new(Greedy::default()),
        "greedy",
        Player::First,
        &Watch::default(),
    );
    assert_eq!(made, Err(CertificateError::CanLose));
}

#[test]
fn every_changed_byte_is_detected() {
    let game = tictactoe();
    let written = certificate(
        &game,
        &|| Box::new(BranchAndBound::default()),
        Player::First,
    );
    let bytes = written.text().as_bytes();
    for at in 0..bytes.len() {
        for flip in [0x01, 0x20, 0x80] {
            let mut changed = bytes.to_vec();
            changed[at] ^= flip;
            assert!(check(&game, &changed).is_err(), "byte {at} ^ {flip:#x}");
        }
        assert!(check(&game, &bytes[..at]).is_err(), "cut at {at}");
    }
    let mut longer = bytes.to_vec();
    longer.push(b'\n');
    assert!(check(&game, &longer).is_err());
}

#[test]
fn a_change_with_a_valid_checksum_is_rejected_if_it_loses() {
    let game = tictactoe();
    let written = certificate(&game, &|| Box::new(Expert::default()), Player::Second);
    let text = body(written.text());
    // The centre is the only answer to a corner; any other loses.
    let row = text.lines().find(|l| l.starts_with("X-------- ")).unwrap();
    let elsewhere = text.replace(row, "X-------- 2");
    let found = check(&game, &with_checksum(&elsewhere)).unwrap_err();
    assert!(matches!(found, CheckError::Missing(_)), "{found}");
    // Not blocking loses at once.
    let row = text.lines().find(|l| l.starts_with("XX--O---- ")).unwrap();
    let careless = text.replace(row, "XX--O---- 9");
    let found = check(&game, &with_checksum(&careless)).unwrap_err();
    assert!(
        matches!(found, CheckError::Loses { .. } | CheckError::Missing(_)),
        "{found}"
    );
    // A move on an occupied cell.
    let illegal = text.replace(row, "XX--O---- 1");
    let found = check(&game, &with_checksum(&illegal)).unwrap_err();
    assert!(matches!(found, CheckError::Line { .. }), "{found}");
    // A missing entry, with the count corrected.
    let count = written.positions();
    let shorter = text.replace(&format!("{row}\n"), "").replace(
        &format!("positions {count}"),
        &format!("positions {}", count - 1),
    );
    let found = check(&game, &with_checksum(&shorter)).unwrap_err();
    assert_eq!(found, CheckError::Missing("XX--O---- O".into()));
}

#[test]
fn a_file_of_another_kind_version_or_game_is_rejected_with_the_reason() {
    let game = tictactoe();
    assert_eq!(
        read_claim(b"-o--------|2|7\n"),
        Err(CheckError::NotACertificate)
    );
    assert_eq!(read_claim(b""), Err(CheckError::NotACertificate));
    assert_eq!(
        read_claim(b"papan certificate 2\n"),
        Err(CheckError::Version(2))
    );
    let written = certificate(&game, &|| Box::new(Expert::default()), Player::First);
    let larger = Grid::<u64>::new(&[4, 4], 4).unwrap();
    let found = check(&larger, written.text().as_bytes()).unwrap_err();
    assert!(matches!(found, CheckError::OtherGame { .. }));
}

#[test]
fn a_list_under_another_name_passes_the_check_but_not_the_replay() {
    let game = tictactoe();
    let perfect =
        || -> Box<dyn papan_strategies::Strategy<Grid<u64>>> { Box::new(Perfect::default()) };
    let expert =
        || -> Box<dyn papan_strategies::Strategy<Grid<u64>>> { Box::new(Expert::default()) };
    let watch = Watch::default();
    let written = Certificate::new(&game, &perfect, "perfect", Player::Second, &watch).unwrap();
    let own = written.text().as_bytes();
    assert_eq!(replay(&game, own, &perfect, &watch), Ok(()));
    let renamed =
        with_checksum(&body(written.text()).replace("strategy perfect", "strategy expert"));
    check(&game, &renamed).unwrap();
    assert_eq!(
        replay(&game, &renamed, &expert, &watch),
        Err(CheckError::OtherMoves("expert".into()))
    );
}
