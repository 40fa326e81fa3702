//! Tests of `papan arena` with engines in other processes, for which papan itself is used.

mod shell;
mod tournament;

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use papan_arena::GameResult;

use tournament::{output, papan, text};

#[test]
fn a_strategy_plays_the_same_games_through_every_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_papan");
    let moves = |game: &str, player: &str, name: &str| -> Vec<GameResult> {
        let results = folder.path().join(name);
        let done = output(&[
            "arena",
            game,
            "--player",
            player,
            "--player",
            "random(seed=3)",
            "--games",
            "12",
            "--openings",
            "random:3",
            "--no-times",
            "--results",
            results.to_str().unwrap(),
        ]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        let bytes = fs::read(&results).unwrap();
        let mut at = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
        let mut games = Vec::new();
        while at < bytes.len() {
            let length = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
            let mut game = GameResult::decode(&bytes[at + 8..at + 8 + length]).unwrap();
            // Not every protocol reports nodes.
            game.costs.iter_mut().for_each(|cost| cost.nodes = 0);
            games.push(game);
            at += 8 + length;
        }
        games.sort_by_key(|game| game.game);
        games
    };
    for (game, strategy, protocols) in [
        ("tictactoe:3x3x3", "greedy", &["gtp", "ugi"][..]),
        (
            "tictactoe:7x6:5",
            "branch-and-bound",
            &["gtp", "ugi", "piskvork"],
        ),
        (
            "othello:6x6",
            "alphabeta(depth=2)",
            &["gtp", "ugi", "nboard"],
        ),
    ] {
        let inside = moves(game, strategy, &format!("{game}-inside"));
        assert_eq!(inside.len(), 12);
        for protocol in protocols {
            let player =
                format!("{protocol}:{program} engine {protocol} {game} --strategy {strategy}");
            let outside = moves(game, &player, &format!("{game}-{protocol}"));
            assert_eq!(outside, inside, "{game} by {protocol}");
        }
    }
}

#[test]
fn engine_check_lists_all_trials() {
    let good = format!(
        "gtp:{} engine gtp --strategy random",
        env!("CARGO_BIN_EXE_papan")
    );
    let done = output(&["engine", "check", &good]);
    assert!(done.status.success(), "{}", text(&done.stdout));
    assert!(text(&done.stdout).contains("ok    a whole game of othello with the second move"));
    let bad = output(&["engine", "check", "ugi:cat", "--patience", "20ms"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(text(&bad.stdout).contains("FAIL  `isready` is answered by `readyok`: no answer"));
    let none = output(&["engine", "check", "gtp:./no-engine"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("cannot start “./no-engine”"));
}

/// A zombie counts as ended.
fn is_running(process: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after_name = state.rsplit(')').next().unwrap_or("");
    !after_name.is_empty() && !after_name.trim_start().starts_with('Z')
}

#[test]
fn engines_end_when_papan_ends_or_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("engine.sh");
    // Ignores all signals and input once it has to move, and so does its child process.
    let text = "#!/bin/sh\ntrap '' HUP TERM INT PIPE\nwhile read -r id command rest; do\n\
                case $command in\n\
                list_commands) printf '=%s genmove\\n\\n' \"$id\" ;;\n\
                genmove) echo $$ > pid; sleep 1000 & echo $! > child; wait ;;\n\
                *) printf '=%s\\n\\n' \"$id\" ;;\nesac\ndone\nsleep 1000\n";
    fs::write(&script, text).unwrap();
    let player = format!(
        "gtp:sh {}@dir={}",
        script.display(),
        folder.path().display()
    );
    let results = folder.path().join("r");
    let mut papan = papan(&[
        "arena",
        "tictactoe",
        "--player",
        &player,
        "--player",
        "random",
        "--results",
        results.to_str().unwrap(),
    ])
    .stdout(Stdio::null())
    .stderr(Stdio::null())
    .spawn()
    .unwrap();
    let said = |name: &str| loop {
        let text = fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        if text.ends_with('\n') {
            return text.trim().to_owned();
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let processes = [said("pid"), said("child")];
    assert!(processes.iter().all(|process| is_running(process)));
    // After SIGKILL, papan itself cannot clean up.
    papan.kill().unwrap();
    papan.wait().unwrap();
    let begun = std::time::Instant::now();
    while processes.iter().any(|process| is_running(process)) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "they are still there"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Three engines: one that expects passes to be skipped, one that calls them `0000` and one that
/// calls them `pass`. The first two exit when they receive a move they do not know.
#[test]
fn passes_are_sent_to_an_engine_in_its_own_notation() {
    let program = env!("CARGO_BIN_EXE_papan");
    let implied = " option.Passes=implied";
    for (ends_at, refuses, says, option) in [
        (r"pass\|0000", "nothing", "pass", implied),
        ("pass", "nothing", "0000", ""),
        ("nothing", "0000", "pass", ""),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("engine.sh");
        let filters = format!(
            "sed -u -e '/^position.* \\({ends_at}\\)/q' \
             -e 's/^position.* {refuses}.*/position fen nonsense/' | tee -a heard | \
             '{program}' engine ugi othello:4x4 --strategy random | \
             sed -u 's/bestmove pass/bestmove {says}/'\n"
        );
        fs::write(&script, filters).unwrap();
        let player = format!(
            "ugi:sh {}@dir={}{option}",
            script.display(),
            folder.path().display()
        );
        let results = folder.path().join("r");
        let done = output(&[
            "arena",
            "othello:4x4",
            "--player",
            &player,
            "--player",
            "random",
            "--games",
            "20",
            "--results",
            results.to_str().unwrap(),
            "--json",
        ]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        let report: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(report["forfeits"], serde_json::json!({}), "{says}{option}");
        let heard = fs::read_to_string(folder.path().join("heard")).unwrap();
        assert!(heard.contains("query p1turn"), "there were passes");
    }
}

#[test]
fn papan_plays_swap2_with_itself_through_the_gomocup_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let (results, games) = (
        folder.path().join("results"),
        folder.path().join("games.sgf"),
    );
    let program = env!("CARGO_BIN_EXE_papan");
    let export = format!("sgf:{}", games.display());
    let done = output(&[
        "arena",
        "gomoku:standard",
        "--player",
        &format!("piskvork:{program} engine piskvork"),
        "--player",
        "engine",
        "--games",
        "2",
        "--opening-rule",
        "swap2",
        "--time",
        "100ms",
        "--margin",
        "10s",
        "--draw-after",
        "20",
        "--export",
        &export,
        "--results",
        results.to_str().unwrap(),
    ]);
    let (said, complaints) = (text(&done.stdout), text(&done.stderr));
    assert!(done.status.success(), "{said}{complaints}");
    let games = fs::read_to_string(&games).unwrap();
    assert_eq!(games.matches("ON[swap2 ").count(), 2, "{games}");
    assert!(!said.contains("forfeit"), "{said}");
}
