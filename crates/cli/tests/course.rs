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
fn frames_are_written_for_every_step() {
    let folder = tempfile::tempdir().unwrap();
    let run = steps("alphabeta", "1 5 9 3 7 4");
    for (option, extension, start) in [
        (None, "svg", "<svg"),
        (Some("--png"), "png", "\u{89}PNG"),
        (Some("--tikz"), "tex", "% tictactoe"),
    ] {
        let frames = folder.path().join(extension).display().to_string();
        let mut words = vec!["trace", "tictactoe", "--moves", "1 5 9 3 7 4"];
        words.extend(["--strategy", "alphabeta", "--frames", &frames]);
        words.extend(option);
        let output = papan(&words);
        assert!(output.status.success(), "{}", err(&output));
        assert!(out(&output).contains(&format!("Wrote {} frames", run.len())));
        let mut files: Vec<_> = std::fs::read_dir(&frames)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        assert_eq!(files.len(), run.len());
        assert!(files[0].ends_with(format!("step-001.{extension}")));
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            let head: String = bytes[..start.chars().count()]
                .iter()
                .map(|byte| char::from(*byte))
                .collect();
            assert_eq!(head, start, "{}", file.display());
        }
    }
}

#[test]
fn pictures_and_tables_are_exported_with_the_names_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (png, tikz) = (file("tree.png"), file("tree.tex"));
    let source = ["--moves", "1 5 9 3", "--strategy", "alphabeta"];
    let mut words = vec!["explain", "tictactoe", "--tree", "2"];
    words.extend(source);
    words.extend(["--png", &png, "--tikz", &tikz]);
    let output = papan(&words);
    assert!(output.status.success(), "{}", err(&output));
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let text = std::fs::read_to_string(&tikz).unwrap();
    assert!(
        text.contains("$\\le$") && text.ends_with("\\end{tikzpicture}\n"),
        "{text}"
    );
    let mut words = vec!["explain", "tictactoe", "--csv"];
    words.extend(source);
    let table = papan(&words);
    let rows: Vec<&str> = out(&table).lines().collect();
    assert_eq!(rows.len(), 6, "{rows:?}");
    assert!(rows[0].starts_with("chosen,move,value"), "{}", rows[0]);
    assert!(rows[4].starts_with("*,7,1"), "{rows:?}");
    // Squares have letters on a larger board, as on the page.
    let words = [
        "explain",
        "tictactoe:15x15:5",
        "--moves",
        "113",
        "--strategy",
        "greedy",
        "--csv",
    ];
    let table = papan(&words);
    let rows: Vec<&str> = out(&table).lines().collect();
    assert_eq!(rows.len(), 225, "{rows:?}");
    assert!(rows[0].starts_with("chosen,move,"), "{}", rows[0]);
    let cells = rows[1..].iter().map(|row| row.split(',').nth(1).unwrap());
    let is_square = |cell: &str| {
        let (column, row) = cell.split_at(1);
        "abcdefghijklmno".contains(column) && row.parse().is_ok_and(|row: u32| row <= 15)
    };
    assert_eq!(
        cells.filter(|cell| is_square(cell)).count(),
        224,
        "{rows:?}"
    );
    assert_eq!(rows.iter().filter(|row| row.starts_with("*,")).count(), 1);
    let counts = papan(&["count", "tictactoe", "--csv"]);
    assert!(
        out(&counts).contains("positions,5478,765"),
        "{}",
        out(&counts)
    );
    let graph = file("graph.png");
    let words = [
        "automaton",
        "draw",
        "data/automata/defence.txt",
        "--png",
        &graph,
    ];
    let output = papan(&words);
    assert!(output.status.success(), "{}", err(&output));
    assert!(std::fs::read(&graph).unwrap().starts_with(b"\x89PNG"));
    let alone = papan(&[
        "trace",
        "tictactoe",
        "--strategy",
        "alphabeta",
        "--interactive",
    ]);
    assert_eq!(alone.status.code(), Some(2));
    assert!(err(&alone).contains("needs a terminal"), "{}", err(&alone));
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

/// Every sample assignment can be passed, with all points.
#[test]
fn a_right_submission_has_all_points_of_each_sample_assignment() {
    let papan_folder = Path::new(env!("CARGO_BIN_EXE_papan")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(papan_folder.to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // The first assignment takes tables, which are text files.
    let table = folder.path().join("table.txt").display().to_string();
    std::fs::copy(Path::new(ROOT).join("data/automata/attack.txt"), &table).unwrap();
    for (assignment, submission) in [
        ("000-automaton", table.as_str()),
        ("001-othello", "examples/students/othello.py"),
        ("002-minimax", "crates/cli/tests/submissions/minimax.py"),
        (
            "003-branch-and-bound",
            "crates/cli/tests/submissions/branch_and_bound.py",
        ),
        ("004-greedy", "examples/students/strategy.py"),
    ] {
        let assignment = format!("examples/assignments/{assignment}.toml");
        let words = ["--lang", "en", "grade", &assignment, submission];
        let mut command = shell::papan(Path::new(ROOT), &words);
        command.env("PATH", &path);
        let output = shell::run(command, b"");
        let text = out(&output);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{assignment}: {text}{}",
            err(&output)
        );
    }
    // And not by any program.
    let first = folder.path().join("first.py");
    let loop_over =
        "import sys\nfor line in sys.stdin:\n    print(line.index('-') + 1, flush=True)\n";
    std::fs::write(&first, loop_over).unwrap();
    let first = first.display().to_string();
    for assignment in [
        "001-othello",
        "002-minimax",
        "003-branch-and-bound",
        "004-greedy",
    ] {
        let assignment = format!("examples/assignments/{assignment}.toml");
        let output = papan(&["grade", &assignment, &first]);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{assignment}: {}",
            out(&output)
        );
    }
}

/// A small class: good submissions get all points on a loaded machine, faulty ones do not, and none
/// takes the others' time.
#[test]
fn a_class_is_graded_fairly_and_a_c_submission_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let students = Path::new(ROOT).join("examples/students");
    let mut words = vec!["grade".to_owned()];
    words.push("examples/assignments/004-greedy.toml".into());
    let mut add = |name: &str| words.push(place.join(name).display().to_string());
    for name in ["good1.py", "good2.py", "good3.py"] {
        std::fs::copy(students.join("strategy.py"), place.join(name)).unwrap();
        add(name);
    }
    let loops = "import sys\nfor line in sys.stdin:\n    ";
    for (name, body) in [
        ("hang.py", "__import__('time').sleep(60)\n"),
        ("crash.py", "print(1 / 0, flush=True)\n"),
        ("occupied.py", "print(1, flush=True)\n"),
    ] {
        std::fs::write(place.join(name), format!("{loops}{body}")).unwrap();
        add(name);
    }
    std::fs::write(place.join("wrong.c"), "int main(void) { return x; }\n").unwrap();
    std::fs::copy(students.join("strategy.c"), place.join("good.c")).unwrap();
    let has_compiler = std::process::Command::new("cc").arg("--version").output();
    if has_compiler.is_ok() {
        add("wrong.c");
        add("good.c");
    }
    words.extend(["--json".into(), "--jobs".into(), "4".into()]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = papan(&words);
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let grades: Value = serde_json::from_str(out(&output)).unwrap();
    for grade in grades.as_array().unwrap() {
        let name = grade["submission"].as_str().unwrap();
        let is_good = name.starts_with("good");
        assert_eq!(grade["points"] == 100.0, is_good, "{grade:#}");
        if name == "wrong.c" {
            let failure = grade["failure"].as_str().unwrap();
            assert!(failure.contains("wrong.c:1"), "{failure}");
        }
    }
}

#[test]
fn a_league_rates_the_submissions_of_a_folder_and_shows_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let students = Path::new(ROOT).join("examples/students");
    std::fs::copy(students.join("strategy.py"), place.join("good.py")).unwrap();
    let first = "import sys\nfor line in sys.stdin:\n    print(line.index('-') + 1, flush=True)\n";
    std::fs::write(place.join("first.py"), first).unwrap();
    std::fs::write(place.join("notes.txt"), "not a submission\n").unwrap();
    let page = place.join("league.html").display().to_string();
    let words = [
        "league",
        "examples/assignments/004-greedy.toml",
        &place.display().to_string(),
        "--games",
        "6",
        "--json",
        "--html",
        &page,
    ];
    let output = papan(&words);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    let table: Value = serde_json::from_str(out(&output)).unwrap();
    assert_eq!(table["games"], 6, "{table:#}");
    assert_eq!(table["players"][0]["player"], "good.py", "{table:#}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("first.py") && html.contains("replay"),
        "{html}"
    );
    let alone = papan(&[
        "league",
        "examples/assignments/004-greedy.toml",
        "examples/students/strategy.py",
    ]);
    assert_eq!(alone.status.code(), Some(2));
}
