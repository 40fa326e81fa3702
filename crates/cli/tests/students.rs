//! Programs in other languages as players: `examples/students`, and programs with faults.

mod shell;

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

const STUDENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/students");

fn papan(folder: &Path, words: &[&str]) -> Output {
    let mut all = vec!["--lang", "en"];
    all.extend(words);
    shell::run(shell::papan(folder, &all), b"")
}

fn out(output: &Output) -> &str {
    shell::text(&output.stdout)
}

fn err(output: &Output) -> &str {
    shell::text(&output.stderr)
}

fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Proves a program in both seats of 3x3.
fn proofs(folder: &Path, program: &str) -> Vec<Value> {
    proofs_of(folder, "tictactoe", program)
}

/// Proves a program in both seats.
fn proofs_of(folder: &Path, game: &str, program: &str) -> Vec<Value> {
    let output = papan(folder, &["prove", game, program, "--json"]);
    let proofs: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", out(&output), err(&output)));
    let mut proofs = proofs.as_array().expect("two seats").clone();
    for proof in &mut proofs {
        proof.as_object_mut().unwrap().remove("strategy");
    }
    proofs
}

#[test]
fn the_same_strategy_in_three_languages_has_the_same_proof() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["strategy.py", "strategy.c", "strategy.js"] {
        std::fs::copy(Path::new(STUDENTS).join(name), folder.path().join(name)).unwrap();
    }
    let started = Instant::now();
    let python = proofs(folder.path(), "move:python3 strategy.py");
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(python[0]["verdict"], "never-loses", "{python:?}");
    assert_eq!(python[1]["verdict"], "can-lose", "{python:?}");
    assert_eq!(python[1]["losing_line"].as_array().unwrap().len(), 7);
    if exists("cc") {
        let built = Command::new("cc")
            .args(["-O2", "-Wall", "-Werror", "-o", "strategy", "strategy.c"])
            .current_dir(folder.path())
            .status()
            .unwrap();
        assert!(built.success());
        assert_eq!(proofs(folder.path(), "move:./strategy"), python);
    }
    if exists("node") {
        assert_eq!(proofs(folder.path(), "move:node strategy.js"), python);
    }
}

#[test]
fn a_program_of_papan_has_the_proof_of_its_strategy() {
    let folder = tempfile::tempdir().unwrap();
    let papan_path = env!("CARGO_BIN_EXE_papan");
    for (protocol, game, moves, strategy) in [
        ("move", "tictactoe", "1 5", "branch-and-bound"),
        ("ugi", "tictactoe", "1 5", "branch-and-bound"),
        ("gtp", "tictactoe", "1 5", "branch-and-bound"),
        // Boards of five in a row are too large to be proved.
        ("piskvork", "tictactoe:5x5:5", "7", "greedy"),
        ("nboard", "othello:4x4", "", "perfect"),
    ] {
        let program =
            format!("{protocol}:{papan_path} engine {protocol} {game} --strategy {strategy}");
        if protocol != "piskvork" {
            let own = proofs_of(folder.path(), game, strategy);
            assert_eq!(proofs_of(folder.path(), game, &program), own, "{protocol}");
        }
        let choice = |command: &str, player: &str| {
            let words = [
                command,
                game,
                "--moves",
                moves,
                "--strategy",
                player,
                "--json",
            ];
            let output = papan(folder.path(), &words);
            assert!(output.status.success(), "{protocol}: {}", err(&output));
            let last = out(&output).trim_end().lines().last().unwrap();
            // One object, or one for each step of which the last chooses.
            let json: Value = serde_json::from_str(out(&output))
                .or_else(|_| serde_json::from_str(last))
                .unwrap();
            let mv = json.get("best").or(json.get("move"));
            mv.unwrap_or_else(|| panic!("{json}")).clone()
        };
        let expected = choice("explain", strategy);
        assert_eq!(choice("explain", &program), expected, "{protocol}");
        assert_eq!(choice("trace", &program), expected, "{protocol}");
    }
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

#[test]
fn programs_with_faults_lose_where_they_fail() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    write(
        place,
        "random.py",
        "import random, sys\nfor line in sys.stdin:\n    cells = line.split()[0]\n    print(random.choice([i for i in range(9) if cells[i] == '-']) + 1)\n",
    );
    write(
        place,
        "crash.py",
        "import sys\nfor line in sys.stdin:\n    print(1 if line[0] == '-' else 1 / 0)\n",
    );
    write(
        place,
        "occupied.py",
        "import sys\nfor line in sys.stdin:\n    print(1)\n",
    );
    write(
        place,
        "hang.py",
        "import sys, time\nfor line in sys.stdin:\n    time.sleep(60)\n",
    );
    let prove = |program: &str| {
        let program = format!("move:python3 {program}");
        papan(place, &["prove", "tictactoe", &program, "--as", "second"])
    };
    let random = prove("random.py");
    assert_eq!(random.status.code(), Some(2));
    assert!(
        err(&random).contains("is not a function of the position"),
        "{}",
        err(&random)
    );
    let crash = prove("crash.py");
    assert_eq!(crash.status.code(), Some(1), "{}", err(&crash));
    assert!(err(&crash).contains("ZeroDivisionError"), "{}", err(&crash));
    let occupied = prove("occupied.py");
    assert_eq!(occupied.status.code(), Some(1));
    assert!(
        err(&occupied).contains("it answered with an illegal move (it answers 1)"),
        "{}",
        err(&occupied)
    );
    let started = Instant::now();
    let hang = prove("hang.py@time=300ms");
    assert_eq!(hang.status.code(), Some(1));
    assert!(err(&hang).contains("no answer"), "{}", err(&hang));
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// A program of Gomocup that always plays in the corner.
const CORNER: &str = r#"import sys
for line in sys.stdin:
    word = (line.split() or [""])[0].upper()
    if word in ("START", "RECTSTART", "RESTART"):
        print("OK")
    elif word == "ABOUT":
        print('name="corner", version="1"')
    elif word in ("BEGIN", "TURN", "BOARD"):
        while word == "BOARD" and sys.stdin.readline().strip() != "DONE":
            pass
        print("0,0")
    elif word == "END":
        break
    sys.stdout.flush()
"#;

#[test]
fn a_program_of_gomocup_loses_where_it_answers_illegally() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "corner.py", CORNER);
    let player = "piskvork:python3 corner.py";
    let words = ["prove", "tictactoe:5x5:5", player, "--as", "second"];
    let proof = papan(folder.path(), &words);
    assert_eq!(proof.status.code(), Some(1), "{}", err(&proof));
    let said = "has no reply after 1: it answered with an illegal move (it answers 1)";
    assert!(err(&proof).contains(said), "{}", err(&proof));
}

#[test]
fn a_killed_proof_of_a_program_resumes_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    // Writes every question down, and takes its time.
    let program = std::fs::read_to_string(Path::new(STUDENTS).join("strategy.py")).unwrap();
    let asked = "    cells, me = line.split()\n";
    assert!(program.contains(asked));
    let slow =
        "    import time\n    time.sleep(0.004)\n    open(\"asked.txt\", \"a\").write(line)\n";
    write(
        place,
        "slow.py",
        &program.replace(asked, &format!("{asked}{slow}")),
    );
    let questions = || {
        let text = std::fs::read_to_string(place.join("asked.txt"));
        text.unwrap_or_default().lines().count()
    };
    let prove = |rest: &[&'static str]| -> Vec<&'static str> {
        let words = [
            "prove",
            "tictactoe",
            "move:python3 slow.py",
            "--as",
            "first",
        ];
        [&words[..], rest].concat()
    };
    let whole = papan(place, &prove(&["--certificate", "whole"]));
    assert!(whole.status.success(), "{}", err(&whole));
    let all = questions();
    std::fs::remove_file(place.join("asked.txt")).unwrap();
    for target in [all / 4, all / 2] {
        let mut words = vec!["--lang", "en"];
        words.extend(prove(&["--resume", "answers", "--certificate", "resumed"]));
        let mut killed = shell::papan(place, &words).spawn().unwrap();
        while questions() < target {
            std::thread::sleep(Duration::from_millis(2));
        }
        // SIGKILL: nothing is written on the way out.
        killed.kill().unwrap();
        killed.wait().unwrap();
    }
    assert!(!place.join("resumed").exists());
    let words = prove(&["--resume", "answers", "--certificate", "resumed"]);
    let resumed = papan(place, &words);
    assert_eq!(out(&resumed), out(&whole).replace("whole", "resumed"));
    assert!(
        err(&resumed).contains("answers are known from before"),
        "{}",
        err(&resumed)
    );
    let read = |name: &str| std::fs::read_to_string(place.join(name)).unwrap();
    assert_eq!(read("resumed"), read("whole"));
    // Two processes were asked at most one question each when they were killed.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert!(questions() <= all + 2 * cores, "{} of {all}", questions());
    let known = papan(place, &words);
    assert!(known.status.success() && questions() <= all + 2 * cores);
    // Another version of the program is another program.
    write(place, "slow.py", &(program + "# changed\n"));
    let refused = papan(place, &words);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        err(&refused).contains("has the answers of"),
        "{}",
        err(&refused)
    );
}

#[test]
fn a_certificate_names_the_files_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(
        Path::new(STUDENTS).join("strategy.py"),
        folder.path().join("s.py"),
    )
    .unwrap();
    let arguments = ["prove", "tictactoe", "move:python3 s.py", "--as", "first"];
    let output = papan(
        folder.path(),
        &[&arguments[..], &["--certificate", "c"]].concat(),
    );
    assert!(output.status.success(), "{}", err(&output));
    let text = std::fs::read_to_string(folder.path().join("c")).unwrap();
    assert!(
        text.contains("strategy move:python3 s.py [python3"),
        "{text}"
    );
    assert!(text.contains("s.py sha256 "), "{text}");
    let checked = papan(folder.path(), &["check", "c"]);
    assert!(
        checked.status.success(),
        "{}{}",
        out(&checked),
        err(&checked)
    );
    // A certificate must not be able to run a program.
    let replayed = papan(folder.path(), &["check", "--replay", "c"]);
    assert_eq!(replayed.status.code(), Some(1));
}

#[test]
fn a_program_plays_and_is_explained() {
    let place = Path::new(STUDENTS);
    let explain = [
        "explain",
        "tictactoe",
        "--moves",
        "1 5",
        "--strategy",
        "move:python3 strategy.py",
    ];
    let output = papan(place, &explain);
    assert!(
        out(&output).contains("The program answered 3 after"),
        "{}{}",
        out(&output),
        err(&output)
    );
    // A position that no line of moves leads to, as the first player's third mark in a row.
    let position = [
        "explain",
        "tictactoe",
        "--position",
        "XX-OO---- X",
        "--strategy",
    ];
    let output = papan(
        place,
        &[&position[..], &["move:python3 strategy.py"]].concat(),
    );
    assert!(
        out(&output).contains("answered 3"),
        "{}{}",
        out(&output),
        err(&output)
    );
    let play = [
        "--plain",
        "play",
        "tictactoe",
        "--first",
        "move:python3 strategy.py",
        "--second",
        "minimax",
    ];
    let output = papan(place, &play);
    assert!(output.status.success(), "{}", err(&output));
    let arena = [
        "arena",
        "tictactoe",
        "--players",
        "move:python3 strategy.py,minimax",
        "--games",
        "4",
    ];
    let output = papan(place, &arena);
    assert!(output.status.success(), "{}", err(&output));
}
