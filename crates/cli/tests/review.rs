//! Tests of `papan review` and `papan book`.

mod shell;

use std::path::Path;
use std::process::Output;

use shell::text;

fn papan(folder: &Path, words: &[&str], input: &[u8]) -> Output {
    let mut command = shell::papan(folder, words);
    command.env("PAPAN_DATA_DIR", folder.join("data"));
    shell::run(command, input)
}

#[test]
fn a_review_is_a_table_a_page_and_a_curve() {
    let folder = tempfile::tempdir().unwrap();
    let moves = ["1", "2", "5", "3", "4", "9", "6"];
    let files = ["--html", "review.html", "--svg", "curve.svg"];
    let words = [&["review", "tictactoe"][..], &moves, &files].concat();
    let out = papan(folder.path(), &words, b"");
    assert!(out.status.success(), "{}", text(&out.stderr));
    let rows: Vec<&str> = text(&out.stdout).lines().skip(3).take(2).collect();
    assert_eq!(
        rows[0].split_whitespace().collect::<Vec<_>>(),
        ["1", "X", "1", "=", "="]
    );
    assert!(rows[1].contains("2  O 2        =     -1"), "{}", rows[1]);
    // From a draw to a loss: half of a win.
    assert!(rows[1].contains("50 %  ? turning point  5"), "{}", rows[1]);
    let note = "~ and % are estimates";
    assert!(text(&out.stdout).contains(note), "{}", text(&out.stdout));
    let page = std::fs::read_to_string(folder.path().join("review.html")).unwrap();
    assert_eq!(page.matches("<section id=\"p").count(), moves.len() + 1);
    assert!(page.contains("<section id=\"b2-1\""), "the better line");
    assert!(
        !page.contains("http:") || !page.contains("src="),
        "it needs nothing else"
    );
    for ply in 0..=moves.len() {
        assert!(page.contains(&format!("href=\"#p{ply}\"")), "{ply}");
    }
    let curve = std::fs::read_to_string(folder.path().join("curve.svg")).unwrap();
    assert!(curve.starts_with("<svg") && curve.contains("mistake"));
    let indonesian = [&words[..], &["--lang", "id"]].concat();
    let out = papan(folder.path(), &indonesian, b"");
    assert!(text(&out.stdout).contains("titik balik"));
}

#[test]
fn a_game_of_a_file_is_reviewed_and_another_is_chosen_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.txt"), "5 1\n1 2 5 3\n").unwrap();
    let words = ["review", "tictactoe", "two.txt", "--json", "--game", "2"];
    let out = papan(folder.path(), &words, b"");
    assert!(
        text(&out.stdout).contains(r#""complete":true"#),
        "{}",
        text(&out.stderr)
    );
    assert_eq!(text(&out.stdout).matches(r#""turning_point""#).count(), 4);
    let piped = papan(
        folder.path(),
        &["review", "tictactoe", "-", "--json"],
        b"1 2 5 3\n",
    );
    assert_eq!(text(&piped.stdout).matches(r#""turning_point""#).count(), 4);
    for (words, told) in [
        (
            &["review", "tictactoe", "two.txt", "--game", "3"][..],
            "there is no game 3; it has 2 readable games",
        ),
        (
            &["review", "tictactoe", "three.txt"],
            "three.txt: no such file",
        ),
        (&["review", "tictactoe", "1 1"], "Move 2"),
        (&["review", "othello", "two.txt"], "line 1, column 1"),
    ] {
        let out = papan(folder.path(), words, b"");
        assert_eq!(out.status.code(), Some(2), "{words:?}");
        assert!(
            text(&out.stderr).contains(told),
            "{words:?}: {}",
            text(&out.stderr)
        );
        assert!(out.stdout.is_empty());
    }
}

#[test]
fn a_binary_file_is_reported_by_every_command_that_reads_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    for round in 0..4 {
        let bytes: Vec<u8> = (0..300).map(|_| byte()).collect();
        std::fs::write(folder.path().join("noise"), &bytes).unwrap();
        for words in [
            &["review", "othello", "noise"][..],
            &["review", "othello", "-"],
            &["convert", "noise", "--to", "txt"],
            &["games", "noise"],
            &["games", "-"],
            &["book", "learn", "noise"],
            &["play", "--plain", "--load", "noise"],
            &["bench", "--suite", "noise"],
            &[
                "arena",
                "othello",
                "--players",
                "random,random",
                "--openings",
                "noise",
            ],
            &["solve", "othello"],
            &["automaton", "check", "noise"],
            &["check", "noise"],
        ] {
            let out = papan(folder.path(), words, &bytes);
            let told = String::from_utf8_lossy(&out.stderr).into_owned();
            assert!(
                matches!(out.status.code(), Some(1 | 2)),
                "{round} {words:?}: {told}"
            );
            for rust in [
                "Utf8Error",
                "invalid utf-8",
                "stream did not contain",
                "panicked",
            ] {
                assert!(!told.contains(rust), "{words:?}: {told}");
            }
            assert!(
                !told.trim().is_empty() || !out.stdout.is_empty(),
                "{words:?}"
            );
        }
    }
}

#[test]
fn a_players_games_are_learnt_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let odd = "f5f4e3d6";
    let shown = papan(folder.path(), &["book", "show", odd], b"");
    assert_eq!(shown.status.code(), Some(1), "{}", text(&shown.stdout));
    let learn = ["book", "learn", "-", "--depth", "2", "--plies", "6"];
    let learnt = papan(folder.path(), &learn, b"f5f4e3d6c5c4\n");
    assert!(learnt.status.success(), "{}", text(&learnt.stderr));
    assert!(
        text(&learnt.stderr).contains("added 6 positions from 1 games"),
        "{}",
        text(&learnt.stderr)
    );
    let shown = papan(folder.path(), &["book", "show", odd], b"");
    assert!(shown.status.success());
    assert!(
        text(&shown.stdout).contains("6 of them yours"),
        "{}",
        text(&shown.stdout)
    );
    // A damaged book is reported with its line, and the engine refuses to play.
    std::fs::write(
        folder.path().join("data/othello.book"),
        "papan book 1\nf5: a1+1\n",
    )
    .unwrap();
    let broken = papan(folder.path(), &["book", "show"], b"");
    assert_eq!(broken.status.code(), Some(2));
    assert!(
        text(&broken.stderr).contains("line 2"),
        "{}",
        text(&broken.stderr)
    );
}

#[test]
fn a_book_that_is_made_twice_is_the_same_and_one_that_is_there_grows() {
    let folder = tempfile::tempdir().unwrap();
    let make = |file: &str, positions: &str| {
        let words = [
            "book",
            "make",
            file,
            "--depth",
            "2",
            "--positions",
            positions,
        ];
        let out = papan(folder.path(), &words, b"");
        assert!(out.status.success(), "{}", text(&out.stderr));
        std::fs::read_to_string(folder.path().join(file)).unwrap()
    };
    let whole = make("a.book", "20");
    make("b.book", "7");
    assert_eq!(make("b.book", "20"), whole);
    assert_eq!(whole.lines().count(), 21);
}
