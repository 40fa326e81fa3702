//! Checks that no command writes control sequences from files, names, arguments or engines to the
//! terminal.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// Control sequences: clear the screen (in two encodings), bell, right-to-left override, window
/// title.
const HOSTILE: &str = "x\u{1b}[2J\u{9b}31m\u{7}\u{202e}\u{2066}\u{1b}]0;papan\u{7}\u{8}\u{7f}";

/// Characters that control a terminal: C0 without line breaks, DEL, C1 and directional marks.
fn obeyed(text: &str) -> Option<char> {
    text.chars().find(|&character| {
        let code = u32::from(character);
        (code < 0x20 && character != '\n')
            || (0x7f..=0x9f).contains(&code)
            || (0x2028..=0x202e).contains(&code)
            || (0x2066..=0x2069).contains(&code)
    })
}

/// Runs papan and checks that its output is clean and contains the printable part of the text.
#[track_caller]
fn is_clean(args: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args(args)
        .env_remove("LANG")
        .env_remove("LC_ALL")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // papan may exit before it has read all input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8(bytes).expect("papan speaks UTF-8"))
        .concat();
    if let Some(character) = obeyed(&text) {
        panic!("{args:?} sends {character:?}: {text:?}");
    }
    assert!(!text.contains("panicked"), "{args:?}: {text}");
    text
}

/// The printable characters of the hostile text must appear: it is echoed, not dropped.
#[track_caller]
fn echoes(args: &[&str], input: &str) {
    let text = is_clean(args, input);
    // clap strips whole escape sequences from arguments.
    assert!(
        text.contains("[2J") || text.contains("31m"),
        "{args:?}: {text}"
    );
}

#[test]
fn arguments_are_echoed_clean() {
    let strategy = format!("lookup(file={HOSTILE})");
    let player = format!("random,{HOSTILE}");
    for args in [
        vec![HOSTILE],
        vec!["--lang", HOSTILE, "list"],
        vec!["play", HOSTILE],
        vec!["play", "--first", HOSTILE],
        vec!["play", "--first", &strategy],
        vec!["play", "--clock", HOSTILE],
        vec!["play", "--load", HOSTILE],
        vec!["play", "--record", "no/such/\u{1b}[2J/directory"],
        vec!["play", "--moves", HOSTILE],
        vec!["play", "--position", HOSTILE],
        vec!["explain", "tictactoe", "--strategy", &strategy],
        vec!["explain", "tictactoe", "--strategy", HOSTILE],
        vec!["prove", "tictactoe", &strategy],
        vec!["check", HOSTILE],
        vec!["solve", "tictactoe", "--position", HOSTILE],
        vec!["count", HOSTILE],
        vec!["perft", HOSTILE],
        vec!["convert", HOSTILE, "--to", "sgf"],
        vec!["games", HOSTILE],
        vec!["bench", "--suite", HOSTILE],
        vec!["automaton", "check", HOSTILE],
        vec!["automaton", "minimize", HOSTILE],
        vec!["arena", "tictactoe", "--players", &player],
        vec![
            "arena",
            "tictactoe",
            "--players",
            "random,random",
            "--openings",
            HOSTILE,
        ],
        vec!["engine", "check", HOSTILE],
        vec!["serve", "--listen", HOSTILE],
        vec!["completions", HOSTILE],
    ] {
        echoes(&args, "");
    }
}

#[test]
fn files_are_quoted_clean() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let record = |game: &str, moves: &str| {
        format!(
            "papan record 1\ngame: {game}\nfirst: human\nsecond: human\nmoves: {moves}\nresult: unfinished\n"
        )
    };
    let load = |name: &str, text: &str| {
        let path = file(name, text);
        is_clean(&["play", "--load", &path], "quit\n");
    };
    load("any", HOSTILE);
    let wrong = file("games", &record(HOSTILE, "5"));
    is_clean(&["games", &wrong], "");
    let named = record("tictactoe", "5").replace("human", HOSTILE);
    let named = file("named", &named);
    is_clean(&["games", &named, "--game", "tictactoe", "--list"], "");
    load("kind", &format!("papan {HOSTILE} 1\n"));
    load("version", &format!("papan record {HOSTILE}\n"));
    load("field", &format!("papan record 1\n{HOSTILE}: x\n"));
    load("game", &record(HOSTILE, "1"));
    load("move", &record("tictactoe", HOSTILE));
    load(
        "players",
        &record("tictactoe", "5").replace("human", HOSTILE),
    );
    let table = file("table", &format!("-{HOSTILE}\n"));
    let strategy = format!("automaton(file={table})");
    is_clean(&["automaton", "check", &table], "");
    is_clean(&["explain", "tictactoe", "--strategy", &strategy], "");
    let strategy = format!("lookup(file={table})");
    is_clean(&["explain", "tictactoe", "--strategy", &strategy], "");
    is_clean(
        &[
            "check",
            &file("certificate", &format!("papan certificate 1\n{HOSTILE}\n")),
        ],
        "",
    );
    is_clean(&["bench", "--suite", &file("suite", HOSTILE)], "");
    let openings = file("openings", HOSTILE);
    is_clean(
        &[
            "arena",
            "tictactoe",
            "--players",
            "random,random",
            "--openings",
            &openings,
        ],
        "",
    );
    // The file name is printed before every finding.
    let named = directory.path().join("x\u{1b}[2J\u{9b}\u{202e}");
    let named = named.to_str().unwrap();
    is_clean(
        &[
            "automaton",
            "compile",
            "--strategy",
            "expert",
            "--as",
            "second",
            "--output",
            named,
        ],
        "",
    );
    echoes(&["automaton", "check", named], "");
    echoes(&["automaton", "check", "--json", named], "");
}

#[test]
fn what_people_type_is_echoed_clean() {
    let typed = format!("{HOSTILE}\n");
    echoes(&["play", "tictactoe"], &typed);
    echoes(
        &["--plain"],
        &format!("{typed}1\n{typed}\n{typed}human\n{typed}"),
    );
    is_clean(
        &["engine", "gtp"],
        &format!("name\nplay {HOSTILE} {HOSTILE}\n{HOSTILE}\nquit\n"),
    );
    echoes(
        &["engine", "ugi"],
        &format!("ugi\nposition {HOSTILE}\n{HOSTILE}\nquit\n"),
    );
}

#[test]
fn engines_are_quoted_clean() {
    let directory = tempfile::tempdir().unwrap();
    let answers = directory.path().join("answers");
    let lines = format!("= {HOSTILE}\n\n").repeat(40);
    std::fs::write(&answers, lines).unwrap();
    let engine = format!("gtp:cat {}", answers.display());
    is_clean(&["engine", "check", &engine, "--patience", "1s"], "");
    is_clean(
        &["engine", "check", &engine, "--patience", "1s", "--json"],
        "",
    );
    let results = directory.path().join("results");
    let named = format!("{engine}@name='{HOSTILE}'");
    for form in ["--quiet", "--json", "--csv"] {
        let text = is_clean(
            &[
                "arena",
                "tictactoe",
                "--games",
                "2",
                "--players",
                "random",
                "--player",
                &named,
                "--results",
                results.to_str().unwrap(),
                form,
            ],
            "",
        );
        assert!(text.contains("[2J"), "{form}: {text}");
    }
}
