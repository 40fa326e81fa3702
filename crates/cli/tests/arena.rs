//! Tests of `papan arena` with the real program, including kills and restarts.

mod shell;
mod tournament;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use papan_arena::GameResult;

use tournament::{output, papan, text};

/// A seeded tournament with node limits and without times, so that its results are reproducible.
const REPEATABLE: [&str; 13] = [
    "arena",
    "tictactoe:4x4",
    "--players",
    "random,greedy,alphabeta@nodes=300,mcts(playouts=60)@nodes=2000,branch-and-bound",
    "--openings",
    "random:8",
    "--games",
    "40",
    "--no-times",
    "--concurrency",
    "2",
    "--seed",
    "9",
];

fn with_results<'a>(results: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = REPEATABLE.to_vec();
    arguments.extend(["--results", results.to_str().unwrap()]);
    arguments.extend(more);
    arguments
}

/// Counts the games in a results file, independently of papan's reader.
fn games(results: &Path) -> (Vec<u64>, usize) {
    let bytes = fs::read(results).unwrap_or_default();
    let Some(header) = bytes.windows(2).position(|pair| pair == b"\n\n") else {
        return (Vec::new(), 0);
    };
    let mut at = header + 2;
    let mut games = Vec::new();
    while let Some(frame) = bytes.get(at..at + 8) {
        let length = u32::from_le_bytes(frame[..4].try_into().unwrap()) as usize;
        let Some(record) = bytes.get(at + 8..at + 8 + length) else {
            break;
        };
        let Ok(finished) = GameResult::decode(record) else {
            break;
        };
        games.push(finished.game);
        at += 8 + length;
    }
    (games, at)
}

/// Starts the tournament and kills it when its file has reached a size. Returns whether it was
/// killed before it ended.
fn kill_at(results: &Path, bytes: u64) -> bool {
    let mut child: Child = papan(&with_results(results, &["--json"]))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    loop {
        let length = fs::metadata(results).map_or(0, |file| file.len());
        if length >= bytes {
            // SIGKILL cannot be handled by the program.
            child.kill().unwrap();
            return !child.wait().unwrap().success();
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn a_killed_tournament_continues_and_ends_with_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.results");
    let undisturbed = output(&with_results(&whole, &["--json"]));
    assert!(
        undisturbed.status.success(),
        "{}",
        text(&undisturbed.stderr)
    );
    assert!(undisturbed.stderr.is_empty(), "silent without a terminal");
    let planned = 10 * 40;
    let (all, size) = games(&whole);
    assert_eq!(all.len(), planned);

    let results = folder.path().join("killed.results");
    let mut kills = 0;
    let mut before = BTreeSet::new();
    for step in 0..24 {
        let moment = (size as u64) * step / 24;
        kills += u32::from(kill_at(&results, moment));
        let (found, end) = games(&results);
        let now: BTreeSet<u64> = found.iter().copied().collect();
        assert_eq!(now.len(), found.len(), "a game is there twice");
        assert!(now.is_superset(&before), "a game was lost");
        before = now;
        if step % 3 == 2 && end > 0 {
            // Simulates a torn write: the beginning of a record, or zeros.
            let mut bytes = fs::read(&results).unwrap();
            bytes.truncate(end);
            bytes.extend([25, 0, 0, 0, 1, 2, 3, 4, 5, 6].iter().take(step as usize));
            fs::write(&results, bytes).unwrap();
        }
    }
    assert!(kills >= 6, "only {kills} kills came before the end");
    let resumed = output(&with_results(&results, &["--json"]));
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    assert_eq!(text(&resumed.stdout), text(&undisturbed.stdout));
    let (found, _) = games(&results);
    let once: BTreeSet<u64> = found.iter().copied().collect();
    assert_eq!((found.len(), once.len()), (planned, planned));

    // All report formats contain the same table.
    for form in [&["--csv"][..], &[]] {
        let mine = output(&with_results(&results, form));
        let theirs = output(&with_results(&whole, form));
        assert!(mine.status.success(), "{}", text(&mine.stderr));
        assert_eq!(text(&mine.stdout), text(&theirs.stdout));
    }
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = |name: &str, concurrency: &str| -> Vec<String> {
        let results = folder.path().join(name);
        let fixed =
            "arena tictactoe --players greedy,random --no-times --json --sprt elo0=0,elo1=100";
        let mut list: Vec<String> = fixed.split(' ').map(String::from).collect();
        list.extend(["--concurrency".into(), concurrency.into()]);
        list.extend(["--results".into(), results.display().to_string()]);
        list
    };
    let say = |list: &[String]| output(&list.iter().map(String::as_str).collect::<Vec<_>>());
    let one = say(&arguments("one", "1"));
    let two = say(&arguments("two", "2"));
    assert!(one.status.success(), "{}", text(&one.stderr));
    assert_eq!(text(&one.stdout), text(&two.stdout));
    assert!(text(&one.stdout).contains("\"answer\": \"elo1\""));
    // The second run reads the results from disk.
    assert_eq!(text(&say(&arguments("two", "2")).stdout), text(&one.stdout));
    let mut reversed = arguments("three", "2");
    reversed[3] = "random,greedy".into();
    let no = say(&reversed);
    assert_eq!(no.status.code(), Some(1), "the answer is no");
    assert!(text(&no.stdout).contains("\"answer\": \"elo0\""));
}

fn refuse(arguments: &[&str], words: &str) {
    let folder = tempfile::tempdir().unwrap();
    let output = papan(arguments)
        .env("PAPAN_DATA_DIR", folder.path())
        .output()
        .unwrap();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(error.contains(words), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let kept = fs::read_dir(folder.path().join("arena")).map_or(0, Iterator::count);
    assert_eq!(kept, 0, "{arguments:?} leaves a file behind");
}

#[test]
fn invalid_input_is_reported_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| -> PathBuf {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let illegal = file("illegal.txt", "5 1\n5 5\n");
    let over = file("over.txt", "1 4 2 5 3\n");
    let base = ["arena", "tictactoe", "--players", "greedy,random"];
    let with = |more: &[&'static str]| -> Vec<&'static str> { [&base[..], more].concat() };
    refuse(
        &["arena", "chess", "--players", "greedy,random"],
        "there is no game `chess`",
    );
    refuse(
        &["arena", "tictactoe", "--players", "greedy,minmax"],
        "Did you mean minimax?",
    );
    refuse(
        &["arena", "tictactoe", "--players", "greedy"],
        "only one player given",
    );
    refuse(&["arena", "tictactoe"], "no players given");
    refuse(
        &["arena", "tictactoe", "--players", "greedy,human"],
        "A strategy is needed",
    );
    refuse(
        &["arena", "othello", "--players", "greedy,random"],
        "greedy does not play othello",
    );
    refuse(
        &["arena", "tictactoe:4x4x4", "--players", "minimax,random"],
        "player “minimax”: minimax without a depth",
    );
    refuse(
        &[
            "arena",
            "tictactoe",
            "--player",
            "greedy",
            "--player",
            "gtp:./no-engine",
        ],
        "cannot start “./no-engine”",
    );
    refuse(
        &[
            "arena",
            "tictactoe",
            "--player",
            "greedy",
            "--player",
            "ugi:true",
        ],
        "“true” does not get ready",
    );
    refuse(
        &with(&["--openings", "no-such-file"]),
        "--openings no-such-file",
    );
    refuse(&with(&["--openings", "random:0"]), "random:0");
    refuse(&with(&["--games", "3"]), "--games 3");
    refuse(&with(&["--games", "0"]), "--games 0");
    refuse(&with(&["--time", "soon"]), "“soon” is not a time");
    refuse(&with(&["--nodes", "0"]), "--nodes 0");
    refuse(&with(&["--gauntlet"]), "--gauntlet needs three players");
    refuse(&with(&["--json", "--csv"]), "cannot be used with");
    refuse(
        &with(&["--sprt", "elo0=5,elo1=0"]),
        "elo0 has to be below elo1",
    );
    refuse(&with(&["--concurrency", "0"]), "0 is not in 1..=1024");
    refuse(
        &with(&["--html", "/no/such/folder/report.html"]),
        "/no/such/folder/report.html",
    );
    refuse(
        &[
            "arena",
            "tictactoe",
            "--players",
            "greedy,random,expert",
            "--sprt",
            "elo1=5",
        ],
        "--sprt compares two players, not 3",
    );
    for (path, words) in [
        (&illegal, "opening in line 2, “5 5”: 5 is occupied"),
        (&over, "the game is over after these moves"),
    ] {
        let openings = ["--openings", path.to_str().unwrap()];
        let arguments: Vec<&str> = base.iter().chain(&openings).copied().collect();
        refuse(&arguments, words);
    }
}

#[test]
fn a_results_file_of_another_tournament_is_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("r").display().to_string();
    let play = |players: &str, more: &[&str]| {
        let fixed = ["arena", "tictactoe", "--players", players, "--games", "10"];
        let named = ["--results", &results];
        output(&[&fixed[..], &named[..], more].concat())
    };
    assert!(play("greedy,random", &[]).status.success());
    let before = fs::read(&results).unwrap();
    for (players, more, words) in [
        (
            "random,greedy",
            &[][..],
            "player 1 is “greedy” there and “random” here",
        ),
        (
            "greedy,random",
            &["--seed", "2"],
            "seed is “1” there and “2” here",
        ),
        ("random,greedy", &["--again"], "player 1 is"),
    ] {
        let refused = play(players, more);
        assert_eq!(refused.status.code(), Some(2));
        let error = text(&refused.stderr);
        assert!(error.contains(&results) && error.contains(words), "{error}");
        assert_eq!(fs::read(&results).unwrap(), before);
    }
    fs::write(
        &results,
        "papan record 1\nsomething else, and long enough to be no torn header at all\n",
    )
    .unwrap();
    let refused = play("greedy,random", &[]);
    assert!(text(&refused.stderr).contains("not a results file"));
}

#[test]
fn mostly_forfeits_exit_with_1_and_an_undecided_test_exits_with_3() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("engine.sh");
    let text_of = "while read -r id command rest; do case $command in\n\
                   list_commands) printf '=%s genmove\\n\\n' \"$id\" ;;\n\
                   genmove) printf '=%s z9\\n\\n' \"$id\" ;;\n\
                   *) printf '=%s\\n\\n' \"$id\" ;;\nesac; done\n";
    fs::write(&script, text_of).unwrap();
    let player = format!("gtp:sh {}@name=Bad", script.display());
    let data = folder.path().to_str().unwrap();
    let lost = papan(&[
        "arena",
        "tictactoe",
        "--player",
        &player,
        "--player",
        "random",
        "--games",
        "4",
    ])
    .env("PAPAN_DATA_DIR", data)
    .output()
    .unwrap();
    assert_eq!(lost.status.code(), Some(1));
    let table = text(&lost.stdout);
    assert!(
        table.contains("4 of the 4 games between Bad and random were forfeits"),
        "{table}"
    );
    assert!(table.contains("4 illegal"), "{table}");
    let open = papan(&[
        "arena",
        "tictactoe",
        "--players",
        "random,random",
        "--games",
        "4",
    ])
    .args(["--sprt", "elo0=0,elo1=5"])
    .env("PAPAN_DATA_DIR", data)
    .output()
    .unwrap();
    assert_eq!(open.status.code(), Some(3), "{}", text(&open.stderr));
}

#[test]
fn an_engine_that_has_changed_and_a_flipped_byte_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("r");
    let wrapper = folder.path().join("engine.sh");
    let program = env!("CARGO_BIN_EXE_papan");
    let script = format!("exec '{program}' engine gtp tictactoe --strategy greedy\n");
    fs::write(&wrapper, &script).unwrap();
    let player = format!("gtp:sh {}@name=Wrapped", wrapper.display());
    let logs = folder.path().join("logs");
    let play = |games: &str, more: &[&str]| {
        let fixed = [
            "arena",
            "tictactoe",
            "--player",
            &player,
            "--player",
            "random",
        ];
        let named = ["--results", results.to_str().unwrap(), "--games", games];
        output(&[&fixed[..], &named[..], more].concat())
    };
    let first = play("4", &["--log-dir", logs.to_str().unwrap()]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert!(text(&first.stdout).contains("Wrapped"));
    let log = fs::read_to_string(logs.join("Wrapped.1.log")).unwrap();
    assert!(
        log.contains(" > ") && log.contains("genmove black"),
        "{log}"
    );
    fs::write(&wrapper, format!("# another version\n{script}")).unwrap();
    let refused = play("8", &[]);
    assert_eq!(refused.status.code(), Some(2));
    let why = text(&refused.stderr);
    assert!(why.contains("the program of player 1 has changed"), "{why}");
    let told = play("8", &["--changed-engines"]);
    assert!(told.status.success(), "{}", text(&told.stderr));
    assert_eq!(
        games(&results).0.len(),
        8,
        "more games, the first ones kept"
    );

    let mut bytes = fs::read(&results).unwrap();
    let middle = bytes.len() - 40;
    bytes[middle] ^= 4;
    fs::write(&results, &bytes).unwrap();
    let refused = play("8", &["--changed-engines"]);
    assert_eq!(refused.status.code(), Some(2));
    let why = text(&refused.stderr);
    assert!(
        why.contains("damaged at byte") && why.contains("--repair"),
        "{why}"
    );
    assert_eq!(fs::read(&results).unwrap(), bytes);
    let repaired = play("8", &["--changed-engines", "--repair"]);
    assert!(repaired.status.success(), "{}", text(&repaired.stderr));
    assert!(text(&repaired.stderr).contains("dropped"));
    assert_eq!(
        games(&results).0.len(),
        8,
        "the game that was lost is played again"
    );
}
