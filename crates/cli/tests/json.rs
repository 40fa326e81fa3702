//! Validates the output of `--json` against `docs/json.schema.json`.

use std::process::Command;

use jsonschema::Validator;
use serde_json::{Value, json};

/// Runs a command; its standard output must be JSON and nothing else.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("papan runs");
    String::from_utf8(output.stdout).expect("JSON is UTF-8")
}

fn schema() -> Value {
    let text = include_str!("../../../docs/json.schema.json");
    serde_json::from_str(text).expect("the schema is JSON")
}

fn validator(command: &str) -> Validator {
    let mut schema = schema();
    assert!(schema["$defs"][command].is_object(), "{command}");
    schema["$ref"] = json!(format!("#/$defs/{}", command));
    jsonschema::validator_for(&schema).expect("the schema is one")
}

/// Validates the output of a command against the schema and returns it.
fn holds(command: &str, arguments: &[&str]) -> Value {
    let text = printed(arguments);
    let value: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{text}"));
    keeps(command, arguments, &value);
    value
}

fn keeps(command: &str, arguments: &[&str], value: &Value) {
    let validator = validator(command);
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{arguments:?}\n{}", errors.join("\n"));
}

#[test]
fn the_output_of_every_command_matches_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("proof.txt").display().to_string();
    let broken = folder.path().join("broken.txt");
    holds("list", &["list", "--json"]);
    holds("prove", &["prove", "tictactoe", "greedy", "--json"]);
    let missed = ["prove", "tictactoe", "minimax", "--missed-wins", "--json"];
    let missed = holds("missed-wins", &missed);
    assert_eq!(
        (&missed["missed"], &missed["winnable"]),
        (&json!(392), &json!(2358))
    );
    let census = holds("census", &["count", "tictactoe", "--json"]);
    let endings = &census["endings"]["up_to_symmetry"];
    assert_eq!(
        *endings,
        json!({ "total": 138, "first": 91, "second": 44, "draws": 3 })
    );
    let games = [
        "games",
        "docs/examples/game.sgf",
        "--moves",
        "f5",
        "--list",
        "--json",
    ];
    assert_eq!(holds("games", &games)["found"]["games"], 1);
    let review = ["review", "tictactoe", "1 2 5 3 4 9 6", "--json"];
    let review = holds("review", &review);
    assert_eq!(review["moves"][1]["turning_point"], true);
    let review = [
        "review",
        "othello",
        "f5d6c3d3c4",
        "--time",
        "100ms",
        "--json",
    ];
    assert_eq!(holds("review", &review)["opening"], "Tiger");
    let book = holds("book-show", &["book", "show", "f5", "--json"]);
    assert_eq!(book["moves"].as_array().map(Vec::len), Some(3));
    holds("book-show", &["book", "show", "f5f4d3", "--json"]);
    let listed = holds(
        "puzzles-list",
        &["puzzles", "list", "--theme", "fork", "--json"],
    );
    let id = listed[0]["id"].as_str().expect("a puzzle");
    holds("puzzles-show", &["puzzles", "show", id, "--json"]);
    let certify = ["prove", "tictactoe", "expert", "--as", "second"];
    let certify = [&certify[..], &["--certificate", &certificate, "--json"]].concat();
    let proof = holds("prove", &certify);
    assert_eq!(proof["certificate"], json!(certificate));
    let believed = holds("check", &["check", &certificate, "--json"]);
    assert_eq!(believed["verdict"], "never-loses");
    let bytes = std::fs::read(&certificate).unwrap();
    std::fs::write(&broken, &bytes[..bytes.len() / 2]).unwrap();
    let refused = holds("check", &["check", broken.to_str().unwrap(), "--json"]);
    assert_eq!(refused["verdict"], "refused");
    for table in [
        "data/automata/attack.txt",
        "data/automata/document-000-as-printed.txt",
    ] {
        holds("automaton-check", &["automaton", "check", table, "--json"]);
    }
    for more in [&[][..], &["--rotation"]] {
        let minimize = [
            "automaton",
            "minimize",
            "data/automata/attack.txt",
            "--json",
        ];
        holds("automaton-minimize", &[&minimize[..], more].concat());
    }
    let position = "--OOXX---OOOOXO-OOXOOOOOOOXOOOOXOOOOXXOXOOOOOXOOOOXXXXX-OOOOOOO- X";
    let solve = ["solve", "othello", "--position", position, "--json"];
    let solved = holds("solve", &solve);
    assert_eq!(solved["score"], -14);
    assert_eq!(
        (&solved["unit"], &solved["bound"]),
        (&json!("discs"), &json!("exact"))
    );
    holds("solve", &["solve", "tictactoe", "--moves", "1 5", "--json"]);
    let suite = folder.path().join("one.obf");
    // The wrong score makes the report contain a mismatch.
    std::fs::write(&suite, format!("{position}; G1:-12;\n")).unwrap();
    let bench = [
        "bench",
        "--perft",
        "3",
        "--json",
        "--suite",
        suite.to_str().unwrap(),
    ];
    let bench = holds("bench", &bench);
    assert_eq!(bench["othello"]["mismatches"][0]["known"], -12);
    let arena = [
        "arena",
        "tictactoe",
        "--players",
        "greedy,random",
        "--games",
        "4",
    ];
    holds("arena", &[&arena[..], &["--json"]].concat());
    let engine = format!("ugi:{} engine ugi", env!("CARGO_BIN_EXE_papan"));
    holds("engine-check", &["engine", "check", &engine, "--json"]);
}

#[test]
fn every_strategy_is_explained_in_the_same_form() {
    let list = holds("list", &["list", "--json"]);
    let mut units = std::collections::BTreeSet::new();
    for strategy in list["strategies"].as_array().unwrap() {
        let needs_a_file = strategy["parameters"].as_array().is_some_and(|all| {
            all.iter()
                .any(|p| p["takes"] == "file" && p["default"] == "")
        });
        if needs_a_file {
            continue;
        }
        let name = strategy["name"].as_str().unwrap();
        for (game, moves) in [("tictactoe", "1 5 9"), ("othello:4x4", "")] {
            let explain = ["explain", game, "--moves", moves, "--strategy", name];
            let text = printed(&[&explain[..], &["--json"]].concat());
            if text.is_empty() {
                continue; // it plays another game
            }
            let value: Value = serde_json::from_str(&text).unwrap();
            keeps("explain", &explain, &value);
            assert!(value["best"].is_string(), "{name}");
            for candidate in value["candidates"].as_array().unwrap() {
                units.insert(candidate["unit"].to_string());
            }
        }
    }
    let all = ["\"chance\"", "\"discs\"", "\"result\"", "null"];
    assert_eq!(units.iter().collect::<Vec<_>>(), all);
}

#[test]
fn a_proof_in_json_says_all_that_its_text_says() {
    let prove = ["prove", "tictactoe", "branch-and-bound", "--as", "second"];
    let value = holds("prove", &[&prove[..], &["--json"]].concat());
    let text = printed(&prove);
    for key in ["lines", "wins", "draws", "losses", "positions", "longest"] {
        let number = value[key].to_string();
        assert!(text.contains(&number), "{key} {number}\n{text}");
    }
    assert!(text.contains(value["replay"].as_str().unwrap()), "{text}");
    let moves = ["1", "5", "9", "3", "7", "4", "8"];
    assert_eq!(value["losing_line"], json!(moves));
}

#[test]
fn the_page_names_every_command_of_the_schema() {
    let page = include_str!("../../../docs/json.md");
    let schema = schema();
    let shared = [
        "version", "move", "moves", "player", "count", "seconds", "unit", "bound",
    ];
    let parts = [
        "scored",
        "term",
        "proof",
        "machine-size",
        "results",
        "claims",
        "found-games",
        "reviewed-move",
    ];
    // These definitions have no command of the same name; the page names them separately.
    for form in ["missed-wins", "census", "no-proof"] {
        assert!(page.contains(&format!("(`{form}`)")), "{form}");
    }
    let of_counts = [
        "missed-wins",
        "no-proof",
        "census",
        "by-result",
        "by-result-and-symmetry",
    ];
    for name in schema["$defs"].as_object().unwrap().keys() {
        let command = !shared.contains(&name.as_str())
            && !parts.contains(&name.as_str())
            && !of_counts.contains(&name.as_str());
        if command {
            assert!(
                page.contains(&format!("papan {}", name.replace('-', " "))),
                "{name}"
            );
        }
    }
}

#[test]
fn a_failed_proof_is_reported_in_json() {
    // A table with only one entry.
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("short.list");
    std::fs::write(&list, "papan lookup 1\ngame tictactoe\n--------- 5\n").unwrap();
    let lookup = format!("lookup(file={})", list.display());
    let asked = ["prove", "tictactoe", &lookup, "--as", "first", "--json"];
    let told = holds("prove", &asked);
    assert_eq!(told["verdict"], "unknown");
    assert_eq!(told["reason"], "no-answer");
    assert_eq!(told["line"][0], "5");
    // For both seats, the array also contains the proof that succeeded.
    let told = holds("prove", &["prove", "tictactoe", &lookup, "--json"]);
    assert_eq!(told[0]["reason"], "no-answer");
    let drawn = [
        "prove",
        "tictactoe",
        "mcts(playouts=10)",
        "--as",
        "second",
        "--json",
    ];
    let told = holds("prove", &drawn);
    assert_eq!(
        (&told["reason"], &told["as"]),
        (&json!("nondeterministic"), &json!("second"))
    );
}
