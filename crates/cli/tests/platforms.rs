//! Scenarios that must work on every platform. `cargo xtask test --platforms` also runs them under
//! wine and under an emulator of ARM, so they use no program but papan.

mod machines;
mod shell;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use shell::text;

fn run(folder: &Path, words: &[&str], input: &str) -> Output {
    shell::run(shell::papan(folder, words), input.as_bytes())
}

/// Runs papan and returns its standard output.
fn output(folder: &Path, words: &[&str]) -> String {
    let done = run(folder, words, "");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{words:?}: {} {errors}", done.status);
    text(&done.stdout).to_owned()
}

fn json(folder: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&output(folder, words)).unwrap()
}

/// Returns papan as a word of an engine's command.
fn program() -> String {
    format!("'{}'", env!("CARGO_BIN_EXE_papan"))
}

#[test]
fn a_game_is_played_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["play", "tictactoe", "--plain", "--second", "perfect"];
    let words = [&words[..], &["--seed", "1", "--color", "never"]].concat();
    // Lines as a console of Windows ends them. The last two answers are not legal.
    let done = run(folder.path(), &words, "5\r\nx\r\n5\r\nquit\r\n");
    let shown = text(&done.stdout);
    assert!(done.status.success(), "{done:?}");
    assert!(shown.contains("5 is occupied"), "{shown}");
    assert!(shown.ends_with("Goodbye.\n"), "{shown}");
    let words = ["play", "othello:4x4", "--plain", "--color", "never"];
    let players = ["--first", "alphabeta(depth=3)", "--second", "perfect"];
    let shown = output(folder.path(), &[&words[..], &players].concat());
    assert!(shown.contains("wins"), "{shown}");
}

#[test]
fn positions_are_solved_and_certificates_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let solve = [
        "solve",
        "tictactoe:4x4:3",
        "--json",
        "--certificate",
        "a.certificate",
    ];
    // The second run replaces the file.
    for _ in 0..2 {
        let solved = json(folder.path(), &solve);
        assert_eq!(solved["score"], 1);
        let checked = output(folder.path(), &["check", "a.certificate"]);
        assert!(checked.contains("the first player wins"), "{checked}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let bytes = fs::read(folder.path().join("a.certificate")).unwrap();
    fs::write(
        folder.path().join("b.certificate"),
        &bytes[..bytes.len() / 2],
    )
    .unwrap();
    assert!(
        !run(folder.path(), &["check", "b.certificate"], "")
            .status
            .success()
    );
    let solved = json(folder.path(), &["solve", "othello:4x4", "--json"]);
    assert_eq!(
        solved["score"], -10,
        "Othello on 4x4: the second player wins by 3-11, and the empty squares"
    );
}

#[test]
fn strategies_are_proved() {
    let folder = tempfile::tempdir().unwrap();
    let prove = |strategy: &str| {
        let words = ["prove", "tictactoe", strategy, "--as", "second", "--json"];
        let done = run(folder.path(), &words, "");
        let proof: Value = serde_json::from_slice(&done.stdout).unwrap();
        (done.status.code(), proof)
    };
    let (code, proof) = prove("minimax");
    assert_eq!(code, Some(0), "{proof}");
    let (code, proof) = prove("branch-and-bound");
    assert_eq!(code, Some(1), "{proof}");
}

#[test]
fn an_engine_that_hangs_is_killed_and_another_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let game = "tictactoe:4x5:4";
    // It would take years to answer.
    let endless = "'alphabeta(depth=20)'";
    let hung = format!("move:{} engine move {game} --strategy {endless}", program());
    let sound = format!(
        "ugi:{} engine ugi {game} --strategy greedy@start=60s",
        program()
    );
    let words = [
        "arena", game, "--player", &hung, "--player", &sound, "--player", "random",
    ];
    let limits = [
        "--games",
        "2",
        "--patience",
        "5s",
        "--quiet",
        "--json",
        "--results",
        "r",
    ];
    // Forfeits are an answer with exit code 1.
    let done = run(folder.path(), &[&words[..], &limits].concat(), "");
    let errors = String::from_utf8_lossy(&done.stderr);
    let table: Value = serde_json::from_slice(&done.stdout).expect(&errors);
    assert_eq!(table["games"], 6);
    assert_eq!(table["forfeits"], json!({ "hang": 4 }));
}

#[test]
fn a_brain_of_gomocup_plays_a_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("brain");
    fs::create_dir(&own).unwrap();
    let name = format!("pbrain-papan{}", std::env::consts::EXE_SUFFIX);
    let brain = own.join(name);
    // A link is enough, where there are links.
    if fs::hard_link(env!("CARGO_BIN_EXE_papan"), &brain).is_err() {
        fs::copy(env!("CARGO_BIN_EXE_papan"), &brain).unwrap();
    }
    let brain = format!("piskvork:'{}'@dir='{}'", brain.display(), own.display());
    let words = ["arena", "gomoku", "--player", &brain, "--player", "random"];
    let limits = [
        "--games",
        "2",
        "--time",
        "300ms",
        "--margin",
        "10s",
        "--quiet",
        "--json",
        "--results",
        "r",
    ];
    let table = json(folder.path(), &[&words[..], &limits].concat());
    assert_eq!(table["forfeits"], json!({}), "{table}");
    assert_eq!(table["players"][0]["points"], 2.0, "{table}");
    let player = table["players"][0]["player"].as_str().unwrap();
    assert!(player.contains("pbrain-papan"), "{player}");
    let files: Vec<_> = fs::read_dir(&own).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
}

/// Gomocup allows 70 MB in some of its leagues. The peak is that of the kernel's own records.
#[cfg(target_os = "linux")]
#[test]
fn a_brain_of_gomocup_stays_within_its_memory() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let brain = folder.path().join("pbrain-papan");
    fs::hard_link(env!("CARGO_BIN_EXE_papan"), &brain)
        .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_papan"), &brain).map(|_| ()))
        .unwrap();
    let mut process = std::process::Command::new(&brain)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut ask = |command: &str| {
        write!(input, "{command}\r\n").unwrap();
        lines.next().unwrap().unwrap()
    };
    assert_eq!(ask("START 15"), "OK");
    // Managers limit the memory when the game has started.
    let limits = "INFO max_memory 70000000\r\nINFO timeout_turn 1000\r\n";
    let mv = ask(&format!("{limits}TURN 7,7"));
    assert!(mv.contains(','), "{mv}");
    assert_eq!(ask("START 20"), "OK");
    let mv = ask("TURN 9,9");
    assert!(mv.contains(','), "{mv}");
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    let peak: u64 = peak.parse().unwrap();
    drop(input);
    assert!(process.wait().unwrap().success());
    // That much shows that the hash table was there.
    assert!((30_000..70_000).contains(&peak), "{peak} kB");
}

#[cfg(feature = "serve")]
#[test]
fn a_server_keeps_its_games_and_ends_in_order() {
    use machines::{Client, Server};
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut client = Client::connect(&server.address).unwrap();
    let wanted = json!({ "game": "tictactoe" });
    let (status, made) = client.ask("POST", "/games", &wanted).unwrap();
    assert_eq!(status, 201, "{made}");
    let path = format!("/games/{}", made["id"].as_str().unwrap());
    for mv in ["1", "2", "5", "3", "9"] {
        let moves = format!("{path}/moves");
        let (status, answer) = client.ask("POST", &moves, &json!({ "move": mv })).unwrap();
        assert_eq!(status, 200, "{answer}");
    }
    // Two servers would each keep games that the other changes.
    let data = folder.path().to_str().unwrap();
    let second = ["serve", "--listen", "127.0.0.1:0", "--data", data];
    let refused = run(folder.path(), &second, "");
    assert!(!refused.status.success());
    let why = String::from_utf8_lossy(&refused.stderr);
    assert!(why.contains("in use"), "{why}");
    assert!(server.stop(), "the server ends in order");
    let server = Server::start(folder.path(), &[]);
    let mut client = Client::connect(&server.address).unwrap();
    let (status, kept) = client.ask("GET", &path, &Value::Null).unwrap();
    assert_eq!(status, 200);
    assert_eq!(kept["moves"], json!(["1", "2", "5", "3", "9"]));
}
