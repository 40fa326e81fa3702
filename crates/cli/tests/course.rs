//! `papan trace`, the trees of `papan explain`, and `papan grade`, as a course uses them.

mod shell;

use std::path::Path;
use std::process::Output;

use serde_json::Value;

/// The working directory of papan: the root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn papan(words: &[&str]) -> Output {
    let mut all = vec!["--lang", "en"];
    all.extend(words);
    shell::run(shell::papan(Path::new(ROOT), &all), b"")
}

fn out(output: &Output) -> &str {
    shell::text(&output.stdout)
}

fn err(output: &Output) -> &str {
    shell::text(&output.stderr)
}

fn steps(strategy: &str, moves: &str) -> Vec<Value> {
    let words = [
        "trace",
        "tictactoe",
        "--moves",
        moves,
        "--strategy",
        strategy,
        "--json",
    ];
    let output = papan(&words);
    assert!(output.status.success(), "{}", err(&output));
    let lines = out(&output).lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_trace_ends_in_the_choice_that_explain_gives() {
    for strategy in [
        "minimax",
        "alphabeta",
        "branch-and-bound",
        "greedy",
        "expert",
        "automaton",
        "mcts(playouts=30,seed=1)",
    ] {
        let moves = if strategy == "automaton" {
            "1 5"
        } else {
            "1 5 9 3"
        };
        let steps = steps(strategy, moves);
        let last = steps.last().unwrap();
        assert_eq!(last["event"], "choose", "{strategy}");
        let words = [
            "explain",
            "tictactoe",
            "--moves",
            moves,
            "--strategy",
            strategy,
            "--json",
        ];
        let explained: Value = serde_json::from_str(out(&papan(&words))).unwrap();
        assert_eq!(last["move"], explained["best"], "{strategy}");
    }
}

#[test]
fn alpha_beta_shows_its_cuts_and_a_long_run_is_cut_short() {
    let steps = steps("alphabeta", "1 5 9 3");
    let cut = steps.iter().find(|step| step["event"] == "cut").unwrap();
    assert!(
        cut["alpha"].as_i64().unwrap() >= cut["beta"].as_i64().unwrap(),
        "{cut}"
    );
    assert!(!cut["left"].as_array().unwrap().is_empty());
    let words = [
        "trace",
        "tictactoe",
        "--strategy",
        "minimax",
        "--shown",
        "9",
        "--limit",
        "50",
    ];
    let text = papan(&words);
    assert!(
        out(&text).contains("The run is longer than 50 steps"),
        "{}",
        out(&text)
    );
    let unknown = papan(&["trace", "tictactoe", "--strategy", "random"]);
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn a_tree_is_printed_as_text_and_as_json_beside_its_picture() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("tree.svg").display().to_string();
    let words = [
        "explain",
        "tictactoe",
        "--moves",
        "1 5 9 3",
        "--strategy",
        "alphabeta",
        "--tree",
        "2",
    ];
    let text = papan(&words);
    assert!(
        out(&text).contains("[-∞, +∞]"),
        "{}{}",
        out(&text),
        err(&text)
    );
    let both = papan(&[&words[..], &["--svg", &svg, "--json"]].concat());
    let tree: Value = serde_json::from_str(out(&both)).expect("JSON and nothing else");
    assert_eq!(tree["children"].as_array().unwrap().len(), 5);
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
}

#[test]
fn a_submission_is_graded_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let junit = folder.path().join("junit.xml").display().to_string();
    let pages = folder.path().join("pages").display().to_string();
    let silent = folder.path().join("silent.py");
    std::fs::write(&silent, "import sys\nfor line in sys.stdin:\n    pass\n").unwrap();
    let silent = silent.display().to_string();
    let words = [
        "grade",
        "examples/assignments/004-greedy.toml",
        "examples/students/strategy.py",
        &silent,
        "no-such-file.py",
        "--json",
        "--junit",
        &junit,
        "--pages",
        &pages,
    ];
    let output = papan(&words);
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let grades: Value = serde_json::from_str(out(&output)).unwrap();
    assert_eq!(grades[0]["points"], 100.0, "{grades}");
    assert_eq!(grades[1]["points"], 0.0, "{grades}");
    assert!(
        grades[1]["tests"][0]["detail"]
            .as_str()
            .unwrap()
            .contains("no answer"),
        "{grades}"
    );
    assert!(grades[2]["failure"].is_string(), "{grades}");
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert_eq!(xml.matches("<testsuite ").count(), 3, "{xml}");
    assert!(xml.contains("<failure message="), "{xml}");
    let page = std::fs::read_to_string(folder.path().join("pages/002-silent.py.html")).unwrap();
    assert!(page.contains("<svg"), "{page}");
}

#[test]
fn every_sample_assignment_is_read() {
    for entry in std::fs::read_dir(Path::new(ROOT).join("examples/assignments")).unwrap() {
        let path = entry.unwrap().path().display().to_string();
        let output = papan(&["grade", &path, "no-such-file.py"]);
        assert_eq!(output.status.code(), Some(1), "{path}: {}", err(&output));
    }
}
