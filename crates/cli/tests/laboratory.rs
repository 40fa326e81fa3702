//! Tests of `explain`, `prove`, `check`, `solve`, `count` and `automaton`.

mod shell;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The working directory of papan: the root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn papan(arguments: &[&str]) -> Output {
    piped(arguments, "")
}

/// Runs papan with standard input.
fn piped(arguments: &[&str], text: &str) -> Output {
    let command = shell::papan(Path::new(ROOT), arguments);
    shell::run(command, text.as_bytes())
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("papan exits by itself")
}

fn out(output: &Output) -> String {
    shell::text(&output.stdout).to_owned()
}

fn err(output: &Output) -> String {
    shell::text(&output.stderr).to_owned()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&out(&papan(arguments))).expect("JSON and nothing else")
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

#[test]
fn a_proof_that_times_out_exits_with_3() {
    // Counting all games of 6x6 Othello is infeasible.
    for more in [&[][..], &["--missed-wins"]] {
        let mut arguments = vec!["--lang", "en", "prove", "othello:6x6", "alphabeta(depth=2)"];
        arguments.extend(["--as", "second", "--time", "100ms"]);
        arguments.extend(more);
        let late = papan(&arguments);
        assert_eq!(code(&late), 3, "{}", err(&late));
        assert!(
            err(&late).contains("The time limit was reached"),
            "{}",
            err(&late)
        );
    }
}

#[test]
fn a_proof_in_json_has_exactly_the_promised_fields() {
    let proof = json(&[
        "prove",
        "tictactoe",
        "branch-and-bound",
        "--as",
        "second",
        "--json",
    ]);
    let mut fields: Vec<&String> = proof.as_object().unwrap().keys().collect();
    fields.sort();
    let promised = "as certificate draws game lines longest losing_line losses papan positions replay strategy verdict wins";
    assert_eq!(fields, promised.split(' ').collect::<Vec<_>>());
    assert_eq!(proof["lines"], 521);
    assert_eq!(
        proof["losing_line"],
        serde_json::json!(["1", "5", "9", "3", "7", "4", "8"])
    );
    let both = json(&["prove", "tictactoe", "expert", "--as", "both", "--json"]);
    assert_eq!(both.as_array().unwrap().len(), 2);
    assert_eq!(both[0]["losing_line"], Value::Null);
}

#[test]
fn the_exit_code_is_the_answer() {
    assert_eq!(code(&papan(&["prove", "tictactoe", "expert"])), 0);
    assert_eq!(code(&papan(&["prove", "tictactoe", "greedy"])), 1);
    assert_eq!(code(&papan(&["prove", "tictactoe", "greedi"])), 2);
    assert_eq!(
        code(&papan(&["automaton", "check", "data/automata/attack.txt"])),
        0
    );
    let printed = "data/automata/document-000-as-printed.txt";
    assert_eq!(code(&papan(&["automaton", "check", printed])), 1);
    assert_eq!(code(&papan(&["automaton", "check", "README.md"])), 2);
    assert_eq!(code(&papan(&["check", "README.md"])), 2);
    assert_eq!(code(&papan(&["check", "no-such-file"])), 2);
}

#[test]
fn the_losing_line_is_replayed_by_play() {
    let lost = papan(&["play", "tictactoe", "--moves", "1 5 9 3 7 4 8"]);
    assert_eq!(code(&lost), 0, "{}", err(&lost));
    assert!(out(&lost).contains("wins"), "{}", out(&lost));
}

#[test]
fn a_certificate_is_valid_until_a_byte_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "proof.txt");
    let certify = [
        "prove",
        "tictactoe",
        "expert",
        "--as",
        "second",
        "--certificate",
        &file,
    ];
    assert_eq!(code(&papan(&certify)), 0);
    let checked = papan(&["check", &file]);
    assert!(out(&checked).starts_with("The listed moves"));
    assert!(out(&checked).contains("never lose ("));
    assert_eq!(code(&checked), 0);
    let replayed = papan(&["check", &file, "--replay"]);
    assert!(out(&replayed).starts_with("expert as "));
    assert!(out(&replayed).contains("never loses ("));
    assert_eq!(code(&replayed), 0);
    let other = papan(&["check", &file, "--game", "tictactoe:4x4"]);
    assert!(out(&other).contains("is for tictactoe, not for tictactoe:4x4"));
    assert_eq!(code(&other), 1);
    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    assert_eq!(code(&papan(&["check", &file])), 1);
    std::fs::write(&file, &bytes[..at]).unwrap();
    assert!(out(&papan(&["check", &file])).contains("the file is truncated"));
}

#[test]
fn a_strategy_that_loses_leaves_no_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "proof.txt");
    let certify = [
        "prove",
        "tictactoe",
        "greedy",
        "--as",
        "first",
        "--certificate",
        &file,
    ];
    assert_eq!(code(&papan(&certify)), 1);
    assert!(!Path::new(&file).exists());
    let both = ["prove", "tictactoe", "expert", "--certificate", &file];
    assert!(err(&papan(&both)).contains("covers one player"));
}

#[cfg(unix)]
/// Returns whether a process handles SIGINT.
#[cfg(target_os = "linux")]
fn catches_interrupts(id: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
    caught >> 1 & 1 == 1
}

/// Sends SIGINT to a program once it has installed its handler.
#[cfg(target_os = "linux")]
fn interrupt(running: &std::process::Child) {
    let id = running.id().to_string();
    while !catches_interrupts(&id) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_solve_reports_the_bounds_found() {
    let running = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args(["--lang", "en", "solve", "tictactoe:4x4x4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    interrupt(&running);
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8(output.stdout).unwrap();
    let (verdict, rest) = told.split_once('\n').unwrap();
    assert_eq!(verdict, "Not decided within these limits.");
    assert!(rest.starts_with("Proved: the first player draws or better."));
}

/// Returns all values of a JSON object as text, except the tags of enums.
fn leaves(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            let said = fields.iter().filter(|(name, _)| *name != "kind");
            said.for_each(|(_, value)| leaves(value, found));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| leaves(item, found)),
        serde_json::Value::String(text) => found.push(text.clone()),
        serde_json::Value::Null => {}
        other => found.push(other.to_string()),
    }
}

#[test]
fn the_text_of_an_automaton_s_check_says_all_that_its_json_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "table.txt");
    // An occupied cell as input and as reply, a wrong flag, a repeated row, a contradicting row,
    // and missing inputs.
    let rows = [
        "-o--------|2|7",
        "-o--------|2|7",
        "-o--------|2|8",
        "-o--------|1|9",
        "-o--------|3|1",
        "wo--------|4|5",
        "-ooxx-----|9|8",
        "-xxo------|5|7",
    ];
    std::fs::write(&file, rows.join("\n")).unwrap();
    let json = papan(&["automaton", "check", &file, "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let text = papan(&["automaton", "check", &file]);
    let text = String::from_utf8(text.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let findings = json["findings"].as_array().unwrap();
    let mut kinds: Vec<&str> = findings.iter().filter_map(|f| f["kind"].as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert!(kinds.len() >= 5, "{kinds:?}");
    assert_eq!(lines.len(), findings.len() + 2);
    for (finding, line) in findings.iter().zip(&lines) {
        let mut values = Vec::new();
        leaves(finding, &mut values);
        for value in values {
            assert!(
                line.contains(&value),
                "{value} of {finding} is not in: {line}"
            );
        }
    }
    let [.., summary, verdict] = &lines[..] else {
        panic!("{text}");
    };
    assert!(summary.contains(&json["rows"].to_string()), "{summary}");
    assert!(summary.contains(&findings.len().to_string()), "{summary}");
    let said = match json["verdict"].as_str().unwrap() {
        "can-lose" => "can lose",
        _ => "never loses",
    };
    assert!(verdict.contains(said), "{verdict}");
}

// /proc/PID/status shows the handled signals.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_proof_leaves_nothing_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "proof.txt");
    let running = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args([
            "prove",
            "tictactoe:5x5",
            "branch-and-bound",
            "--as",
            "first",
            "--json",
        ])
        .args(["--certificate", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    interrupt(&running);
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&told["verdict"], &told["reason"]),
        (&"unknown".into(), &"stopped".into())
    );
}

#[test]
fn an_explanation_shows_the_board_the_numbers_and_the_reason() {
    let text = out(&papan(&[
        "explain",
        "tictactoe",
        "--moves",
        "1 5 2",
        "--strategy",
        "branch-and-bound",
    ]));
    assert!(text.contains("cd") && text.contains("∞+"), "{text}");
    assert!(text.contains("3 beats"), "{text}");
    let indonesian = out(&papan(&[
        "--lang",
        "id",
        "explain",
        "tictactoe",
        "--moves",
        "1 5 2",
        "--strategy",
        "expert",
    ]));
    assert!(indonesian.contains("blokir"), "{indonesian}");
    let told = json(&["explain", "tictactoe", "--strategy", "minimax", "--json"]);
    assert_eq!(told["nodes"], 549_946);
    assert_eq!(told["candidates"].as_array().unwrap().len(), 9);
}

#[test]
fn pictures_are_written_as_svg() {
    let folder = tempfile::tempdir().unwrap();
    let (board, bounded, tree, graph) = (
        path(&folder, "board.svg"),
        path(&folder, "bounded.svg"),
        path(&folder, "tree.svg"),
        path(&folder, "graph.svg"),
    );
    let moves = ["explain", "tictactoe", "--moves", "1 5 9 3", "--strategy"];
    let with = |more: &[&str]| papan(&[&moves[..], more].concat());
    assert_eq!(code(&with(&["greedy", "--svg", &board])), 0);
    let branches = ["branch-and-bound", "--tree", "3", "--svg", &bounded];
    assert_eq!(code(&with(&branches)), 0);
    assert_eq!(
        code(&with(&["alphabeta", "--tree", "3", "--svg", &tree])),
        0
    );
    let draw = [
        "automaton",
        "draw",
        "data/automata/attack.txt",
        "--svg",
        &graph,
    ];
    assert_eq!(code(&papan(&draw)), 0);
    for file in [&board, &bounded, &tree, &graph] {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    }
    assert!(
        std::fs::read_to_string(&tree)
            .unwrap()
            .contains("class=\"cut\"")
    );
    let wrong = with(&["greedy", "--tree", "3", "--svg", &tree]);
    assert_eq!(code(&wrong), 2);
}

#[test]
fn a_compiled_strategy_plays_like_the_original() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "table.txt");
    let compile = [
        "automaton",
        "compile",
        "--strategy",
        "expert",
        "--as",
        "second",
        "-o",
        &file,
    ];
    assert_eq!(code(&papan(&compile)), 0);
    assert_eq!(code(&papan(&["automaton", "check", &file])), 0);
    let player = format!("automaton(file={file})");
    assert_eq!(
        code(&papan(&["prove", "tictactoe", &player, "--as", "second"])),
        0
    );
    let refused = papan(&[
        "automaton",
        "compile",
        "--strategy",
        "random",
        "--as",
        "first",
    ]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("a row has one reply"));
}

#[test]
fn an_unreachable_position_is_rejected() {
    let wrong = papan(&[
        "explain",
        "tictactoe",
        "--position",
        "XXX------ O",
        "--strategy",
        "greedy",
    ]);
    assert_eq!(code(&wrong), 2);
    assert!(err(&wrong).contains("XXX"), "{}", err(&wrong));
    let over = papan(&[
        "explain",
        "tictactoe",
        "--moves",
        "1 4 2 5 3",
        "--strategy",
        "greedy",
    ]);
    assert_eq!(code(&over), 2);
    let cut = tempfile::tempdir().unwrap();
    let file = path(&cut, "cut.txt");
    std::fs::write(&file, "-o--------|2|7\n-o-----").unwrap();
    let told = papan(&["automaton", "check", &file]);
    assert!(err(&told).contains("Line 2, column 8"), "{}", err(&told));
}

#[test]
fn solve_reads_positions_from_a_pipe_on_every_board() {
    // X wins at cell 3; then the game is a draw.
    let text = "XX-OO---- X # one\n\nXOXXOOOX- X\n";
    let output = piped(&["solve", "tictactoe"], text);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let scores: Vec<String> = out(&output)
        .lines()
        .filter_map(|line| line.strip_prefix("score"))
        .map(|score| score.trim().to_owned())
        .collect();
    assert_eq!(scores, ["+1", "0"]);
    let output = piped(&["solve", "tictactoe"], "---------\nXX- X\n");
    assert_eq!(code(&output), 2);
    assert!(
        err(&output).contains("standard input: line"),
        "{}",
        err(&output)
    );
}

#[test]
fn empty_input_is_an_error_only_if_the_start_position_cannot_be_solved() {
    let output = piped(&["solve", "othello"], "");
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("standard input is empty"));
    let output = piped(&["solve", "othello:4x4"], "");
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(out(&output).contains("-10"), "{}", out(&output));
}

#[test]
fn a_position_on_which_o_began_keeps_its_marks_everywhere() {
    let position = "O---X-O-- X";
    let explained = json(&[
        "explain",
        "tictactoe",
        "--position",
        position,
        "--strategy",
        "greedy",
        "--json",
    ]);
    assert_eq!(explained["position"], position);
    let traced = papan(&[
        "trace",
        "tictactoe",
        "--position",
        position,
        "--strategy",
        "greedy",
        "--json",
    ]);
    assert!(out(&traced).contains(position), "{}", out(&traced));
    let solved = piped(&["solve", "tictactoe", "--json"], position);
    assert_eq!(code(&solved), 0, "{}", err(&solved));
    assert!(out(&solved).contains(position), "{}", out(&solved));
    let played = piped(
        &[
            "play",
            "tictactoe",
            "--plain",
            "--ascii",
            "--position",
            position,
        ],
        "",
    );
    assert!(out(&played).contains(" O | 2 | 3"), "{}", out(&played));
    assert!(out(&played).contains("X to move"), "{}", out(&played));
}

#[test]
fn wrong_flags_are_marked_in_a_minimised_table() {
    let table = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../data/automata/document-000-as-printed.txt"
    );
    let small = papan(&["automaton", "minimize", table]);
    let marked = out(&small)
        .lines()
        .filter(|line| line.contains('!'))
        .count();
    assert_eq!(marked, 2, "{}", out(&small));
    let small = json(&["automaton", "minimize", table, "--json"]);
    let transitions = small["transitions"].as_array().unwrap();
    let wrong = transitions.iter().filter(|arc| arc["wrong_flag"] == true);
    assert_eq!(wrong.count(), 2);
}

#[test]
fn a_strategy_that_opens_at_random_is_refused_with_a_whole_sentence() {
    let refused = papan(&[
        "automaton",
        "compile",
        "--strategy",
        "random",
        "--as",
        "first",
    ]);
    assert_eq!(code(&refused), 2);
    let said = err(&refused);
    assert!(
        said.contains("on the empty board it may play any of 1 2 3"),
        "{said}"
    );
    assert!(!said.contains("  "), "{said}");
}
