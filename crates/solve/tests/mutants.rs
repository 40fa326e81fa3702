//! Mutated certificates with valid checksums: papan's checker and the one in Python agree on each,
//! and no false claim passes.

use std::path::{Path, PathBuf};
use std::process::Command;

use papan_rules::{Grid, Line};
use papan_solve::{
    SearchCheckpoint, ValueLimits, check_claims, grid_value, read_claims, write_claims,
};
use papan_strategies::Context;

fn grid(sides: &[usize], length: usize) -> Grid<u64> {
    Grid::new(sides, length).expect("a board")
}

/// The certificate of the position after some moves.
fn certificate(grid: &Grid<u64>, moves: &str) -> Vec<u8> {
    let line = Line::parse(grid, moves).expect("a line of play");
    let limits = ValueLimits::default();
    let found = grid_value(
        grid,
        line.position(),
        &limits,
        &mut SearchCheckpoint::default(),
        &Context::default(),
    );
    assert!(found.value.is_some(), "{moves}");
    write_claims(grid, line.position(), &found.claims)
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The header of a certificate, without its last line, and its proof.
fn parts(bytes: &[u8]) -> (String, Vec<u8>) {
    let body = &bytes[..bytes.len() - 26];
    let at = body
        .windows(7)
        .position(|w| w == b"\nproof ")
        .expect("a proof")
        + 1;
    let header = String::from_utf8(body[..at].to_vec()).expect("text");
    let start = at + body[at..].iter().position(|&b| b == b'\n').expect("a line") + 1;
    let proof = miniz_oxide::inflate::decompress_to_vec(&body[start..]).expect("deflate");
    (header, proof)
}

/// A certificate with a valid envelope.
fn forged(header: &str, proof: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{header}proof {}\n", proof.len()).into_bytes();
    bytes.extend(miniz_oxide::deflate::compress_to_vec(proof, 6));
    let sum = fnv(&bytes);
    bytes.extend(format!("checksum {sum:016x}\n").into_bytes());
    bytes
}

fn random(seed: &mut u64) -> usize {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 20) as usize
}

/// A mutation of a proof: a byte changed, deleted or inserted, or a piece moved.
fn mutated(proof: &[u8], seed: &mut u64) -> Vec<u8> {
    let mut mutant = proof.to_vec();
    if mutant.is_empty() {
        return vec![random(seed) as u8];
    }
    let at = random(seed) % mutant.len();
    match random(seed) % 8 {
        0..=3 => mutant[at] = mutant[at].wrapping_add(1 + (random(seed) % 6) as u8),
        4 => mutant[at] ^= 1 << (random(seed) % 8),
        5 => drop(mutant.remove(at)),
        6 => mutant.insert(at, (random(seed) % 64) as u8),
        _ => {
            let to = random(seed) % mutant.len();
            mutant.swap(at, to);
        }
    }
    mutant
}

/// The certificates to mutate.
fn originals() -> Vec<(Grid<u64>, Vec<u8>)> {
    [
        (&[3, 3][..], 3, "1"),
        (&[3, 3], 3, ""),
        (&[3, 4], 3, ""),
        (&[4, 4], 4, "1 2"),
        (&[4, 5], 4, ""),
        (&[4, 4], 3, "1 6 3"),
        (&[5, 6], 4, ""),
        (&[5, 5], 4, "13 1 7"),
        (&[6, 6], 5, ""),
        (&[4, 4, 4], 4, "1 28 64 22 16 2"),
        (&[4, 4, 4], 4, "1 2 64 3 61"),
    ]
    .into_iter()
    .map(|(sides, length, moves)| {
        let grid = grid(sides, length);
        let bytes = certificate(&grid, moves);
        (grid, bytes)
    })
    .collect()
}

fn python_checker() -> Option<PathBuf> {
    let there = Command::new("python3").arg("--version").output();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    there
        .ok()
        .map(|_| root.join("scripts/check_certificate.py"))
}

#[test]
fn both_checkers_agree_on_thousands_of_mutants() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut seed = 0x0dd_b0a7;
    let mut verdicts = Vec::new();
    let mut paths = Vec::new();
    for (at, (grid, original)) in originals().into_iter().enumerate() {
        let (header, proof) = parts(&original);
        // The checker in Python is slow on larger boards.
        let mutants = if original.starts_with(b"papan certificate 3") {
            60
        } else {
            300
        };
        for number in 0..mutants {
            let bytes = if number == 0 {
                original.clone()
            } else {
                forged(&header, &mutated(&proof, &mut seed))
            };
            let believed = check_claims(&grid, &bytes);
            assert!(number > 0 || believed.is_ok(), "{believed:?}");
            let path = folder.path().join(format!("{at}-{number}"));
            std::fs::write(&path, &bytes).expect("a file");
            verdicts.push(believed);
            paths.push(path);
        }
    }
    let believed = verdicts.iter().filter(|v| v.is_ok()).count();
    assert!(believed < verdicts.len() / 2, "{believed} believed");
    let Some(script) = python_checker() else {
        return;
    };
    let output = Command::new("python3").arg(script).args(&paths).output();
    let output = output.expect("python runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines.len(),
        paths.len(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for ((line, verdict), path) in lines.iter().zip(&verdicts).zip(&paths) {
        let refused = line.contains(": refused: ");
        assert_eq!(
            refused,
            verdict.is_err(),
            "{}: {line}: {verdict:?}",
            path.display()
        );
    }
}

/// A header with another claim about the same board.
fn with_claim(game: &str, position: &str, claim: &str) -> String {
    let version = if claim.ends_with("sequences") { 3 } else { 2 };
    format!("papan certificate {version}\ngame {game}\nposition {position}\nclaims 1\n{claim}\n")
}

#[test]
fn false_claims_are_rejected_with_any_proof() {
    // Tic-tac-toe is a draw; after 1 and 2 the second player is lost.
    let board = grid(&[3, 3], 3);
    let lies = [
        with_claim("tictactoe", "--------- X", "first wins"),
        with_claim("tictactoe", "--------- X", "second wins"),
        with_claim("tictactoe", "--------- X", "first wins-by-sequences"),
        with_claim("tictactoe", "XO------- X", "second wins-by-sequences"),
        with_claim("tictactoe", "XO------- X", "second draws"),
        with_claim("tictactoe", "XO------- X", "second draws-countering"),
        with_claim("tictactoe", "X-------- O", "second draws-moving-first"),
        with_claim("tictactoe", "--------- X", "second draws-moving-first"),
    ];
    let proofs: Vec<Vec<u8>> = originals()
        .iter()
        .map(|(_, bytes)| parts(bytes).1)
        .collect();
    let mut seed = 0x11e5;
    for lie in &lies {
        for round in 0..4_000 {
            let proof = match round {
                0 => Vec::new(),
                1..500 => mutated(&proofs[random(&mut seed) % 4], &mut seed),
                _ => (0..1 + random(&mut seed) % 12)
                    .map(|_| (random(&mut seed) % 14) as u8)
                    .collect(),
            };
            let checked = check_claims(&board, &forged(lie, &proof));
            assert!(checked.is_err(), "{lie}: {proof:?}");
        }
    }
}

/// The reason why a forged proof is rejected.
fn refusal(board: &Grid<u64>, header: &str, proof: &[u8]) -> String {
    let checked = check_claims(board, &forged(header, proof));
    checked.expect_err("a forgery").to_string()
}

#[test]
fn each_kind_of_forgery_is_rejected_for_its_own_reason() {
    let board = grid(&[3, 4], 3);
    let start = with_claim("tictactoe:3x4", "------------ X", "first wins");
    let fits = |proof: &[u8], reason: &str| {
        let found = refusal(&board, &start, proof);
        assert!(found.contains(reason), "{proof:?}: {found}");
    };
    // The centre, without an answer to any reply.
    fits(&[1, 5, 0], "without an answer");
    // Two moves on one cell.
    fits(&[1, 5, 1, 2, 5, 5], "not certainly empty");
    // A four without a completing cell.
    fits(&[2, 5], "forces none");
    // A named reply that is also covered by the rest.
    fits(&[1, 5, 1 + 4, 2, 0, 2, 5], "not certainly empty");
    // A missing node, and a missing symmetry.
    fits(&[0, 0, 0], "out of range");
    // Symmetry after a move that breaks it.
    fits(&[1, 0, 2], "without an answer");
    // By sequences: a move on an occupied cell, a reply without a node, a reference to no node, a
    // permutation that breaks a line, and one that is none.
    let sequences = with_claim("tictactoe:3x4", "------------ X", "first wins-by-sequences");
    let by_sequences = |proof: &[u8], reason: &str| {
        let found = refusal(&board, &sequences, proof);
        assert!(found.contains(reason), "{proof:?}: {found}");
    };
    by_sequences(&[0, 6, 0, 6], "not certainly empty");
    by_sequences(&[0, 6, 0], "ends in the middle");
    by_sequences(&[0, 0, 0, 0], "out of range");
    by_sequences(
        &[1, 1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        "map lines to lines",
    );
    by_sequences(&[1; 13], "map lines to lines");
    // The version says whether there is such a claim.
    let older = sequences.replace("certificate 3", "certificate 2");
    assert!(refusal(&board, &older, &[]).contains("version 3"));
    let newer = start.replace("certificate 2", "certificate 3");
    assert!(refusal(&board, &newer, &[]).contains("version 3"));
    // Trailing bytes.
    let (header, mut proof) = parts(&certificate(&board, ""));
    proof.push(0);
    assert!(refusal(&board, &header, &proof).contains("follows the end"));
    // Overlapping pairs, and pairs that stop no line.
    let small = grid(&[3, 3], 3);
    let draws = with_claim("tictactoe", "--------- X", "second draws");
    assert!(refusal(&small, &draws, &[4, 0, 1, 1, 2]).contains("not certainly empty"));
    assert!(refusal(&small, &draws, &[2]).contains("weigh too much"));
}

#[test]
fn every_changed_byte_of_a_file_is_detected() {
    let board = grid(&[3, 4], 3);
    let bytes = certificate(&board, "");
    assert!(check_claims(&board, &bytes).is_ok());
    for at in 0..bytes.len() {
        for change in [1, 0x20, 0x80] {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            assert!(check_claims(&board, &changed).is_err(), "byte {at}");
        }
        assert!(read_claims(&bytes[..at]).is_err(), "cut at {at}");
    }
    let other = grid(&[4, 3], 3);
    assert!(check_claims(&other, &bytes).is_err());
}

/// The Python checker's line for a file.
fn python_verdict(bytes: &[u8]) -> Option<String> {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), bytes).expect("a written file");
    let output = Command::new("python3")
        // 256 MiB of address space: less than the decompressed bomb.
        .args(["-c", "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28)); sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"])
        .arg(python_checker()?)
        .arg(file.path())
        .output()
        .expect("python runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("Traceback"), "{errors}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_header_has_one_spelling_for_both_checkers() {
    let board = grid(&[3, 3], 3);
    let (header, proof) = parts(&certificate(&board, "5"));
    let accepted = forged(&header, &proof);
    assert!(check_claims(&board, &accepted).is_ok(), "{header}");
    assert!(python_verdict(&accepted).is_none_or(|line| !line.contains("refused")));
    let other_spellings = [
        ("game tictactoe\n", "game tictactoe:3x3\n"),
        ("game tictactoe\n", "game tictactoe:3x3:3\n"),
        ("game tictactoe\n", "game tictactoe:-3x-3\n"),
        ("game tictactoe\n", "game tictactoe:03x3\n"),
        ("X----", "x----"),
        ("X----", "X---."),
        (" O\n", " o\n"),
        (" O\n", "  O\n"),
        ("claims ", "claims +"),
        ("claims ", "claims 0"),
        ("claims ", "claims \u{661}"),
    ];
    for (from, to) in other_spellings {
        let header = header.replacen(from, to, 1);
        let bytes = forged(&header, &proof);
        assert!(check_claims(&board, &bytes).is_err(), "{header}");
        assert!(
            python_verdict(&bytes).is_none_or(|line| line.contains("refused")),
            "{header}"
        );
    }
    for to in ["proof +", "proof 0", "proof -", "proof  "] {
        let bytes = replace_in_header(&accepted, "proof ", to);
        assert!(check_claims(&board, &bytes).is_err(), "{to}");
        assert!(
            python_verdict(&bytes).is_none_or(|line| line.contains("refused")),
            "{to}"
        );
    }
}

/// Replaces text before the proof and corrects the checksum.
fn replace_in_header(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = bytes
        .windows(from.len())
        .position(|window| window == from.as_bytes())
        .expect("the header has it");
    let mut changed = bytes[..at].to_vec();
    changed.extend_from_slice(to.as_bytes());
    changed.extend_from_slice(&bytes[at + from.len()..bytes.len() - 26]);
    let line = format!("checksum {:016x}\n", fnv(&changed));
    changed.extend_from_slice(line.as_bytes());
    changed
}

#[test]
fn a_decompression_bomb_is_refused_in_little_memory() {
    let header = with_claim(
        "tictactoe:20x20:5",
        &format!("{} X", "-".repeat(400)),
        "second draws",
    );
    // 256 MiB that begin as a node with replies to every cell, each of which is referred to.
    let mut proof = vec![1, 255, 1];
    proof.resize(1 << 28, 0);
    let bytes = forged(&header, &proof);
    assert!(bytes.len() < 1 << 19, "{} bytes", bytes.len());
    assert!(
        check_claims(
            &Grid::<papan_rules::Wide>::new(&[20, 20], 5).expect("a board"),
            &bytes
        )
        .is_err()
    );
    assert!(python_verdict(&bytes).is_none_or(|line| line.contains("refused")));
}

#[test]
fn many_permutations_are_refused_in_little_memory() {
    let header = with_claim(
        "tictactoe:4x4x4x4",
        &format!("{} X", "-".repeat(256)),
        "first wins-by-sequences",
    );
    // The identity a thousand times, and no more.
    let mut proof = vec![0xe8, 0x07];
    for _ in 0..1_000 {
        for cell in 0..256_u32 {
            if cell < 128 {
                proof.push(cell as u8);
            } else {
                proof.extend([cell as u8 | 0x80, 1]);
            }
        }
    }
    let bytes = forged(&header, &proof);
    assert!(bytes.len() < 4_000, "{} bytes", bytes.len());
    let board = Grid::<papan_rules::Wide>::new(&[4, 4, 4, 4], 4).expect("a board");
    let refused = check_claims(&board, &bytes).expect_err("the proof is cut short");
    assert!(refused.to_string().contains("ends"), "{refused}");
    assert!(python_verdict(&bytes).is_none_or(|line| line.contains("refused")));
}
