//! Checks that error messages are localized (Indonesian).

use std::process::Command;

/// Returns the error message for invalid input in a language.
fn error_message(folder: &std::path::Path, language: &str, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_papan"))
        .current_dir(folder)
        .args(["--lang", language])
        .args(args)
        .env("PAPAN_DATA_DIR", folder)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let code = output.status.code();
    assert!(matches!(code, Some(1 | 2)), "{args:?}: {code:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn errors_of_convert_games_and_arena_are_localized() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("empty", "");
    write("good.txt", "f5d6c3\n");
    write("bad.txt", "f5d6\nf5a1\n");
    write("bad.obf", &format!("{} Z;\n", "-".repeat(64)));
    write("bad.sgf", "(;GM[2];W[f5])");
    write("over.txt", "1 4 2 5 3\n");
    write("bad.psq", "Piskvorky 15x15, 1\n99,1,0\n");
    write("other.results", "something else\n");
    let arena = |more: &[&'static str]| [&["arena", "tictactoe"], more].concat();
    let two = ["--players", "random,greedy"];
    let plays = |more: &[&'static str]| arena(&[&two, more].concat());
    for args in [
        vec!["convert", "nowhere.txt", "x.sgf"],
        vec!["convert", "empty", "x.sgf"],
        vec!["convert", "good.txt", "x.nothing"],
        vec!["convert", "good.txt"],
        vec!["convert", "good.txt", "no/such/x.sgf"],
        vec!["convert", "good.txt", "x.psq"],
        vec!["convert", "bad.txt", "x.sgf"],
        vec!["convert", "bad.obf", "x.sgf"],
        vec!["convert", "bad.sgf", "x.txt"],
        vec!["convert", "bad.psq", "x.txt"],
        vec!["games", "nowhere.wtb"],
        vec!["games", "bad.sgf"],
        vec!["games", "good.txt", "--moves", "a1"],
        vec!["games", "good.txt", "--position", "XX"],
        vec!["play", "--load", "bad.sgf"],
        arena(&[]),
        arena(&["--players", "random"]),
        arena(&["--players", "random,nobody"]),
        arena(&["--players", "random,greedy@time=0s"]),
        arena(&["--players", "random,gtp:x@cores=many"]),
        arena(&["--players", "random,lookup"]),
        arena(&["--player", "random", "--player", "gtp:./no-such-engine"]),
        plays(&["--games", "3"]),
        plays(&["--gauntlet"]),
        plays(&["--time", "soon"]),
        plays(&["--nodes", "many"]),
        plays(&["--openings", "nowhere"]),
        plays(&["--openings", "random:none"]),
        plays(&["--openings", "over.txt"]),
        plays(&["--openings", "good.txt"]),
        plays(&["--balance", "greedy"]),
        plays(&["--results", "other.results"]),
        plays(&["--html", "no/such/page.html"]),
        plays(&["--export", "psq:games"]),
        vec!["engine", "gtp", "--nodes", "many"],
        vec!["engine", "piskvork", "othello"],
        vec!["engine", "check", "gtp:./no-such-engine"],
    ] {
        let [english, indonesian] =
            ["en", "id"].map(|lang| error_message(folder.path(), lang, &args));
        assert_ne!(english, indonesian, "{args:?}");
        let said = format!(" {} ", indonesian.replace(['\n', ':', ';', ','], " "));
        for word in [
            " the ",
            " is ",
            " are ",
            " not ",
            " no ",
            " a ",
            " of ",
            " could ",
            " write ",
            " there ",
            " expected ",
            "(os error",
        ] {
            assert!(!said.contains(word), "{args:?}: {indonesian}");
        }
    }
}
