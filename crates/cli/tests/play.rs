//! Games through the real binary, piped.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn papan(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args(args)
        .env_remove("LANG")
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("papan starts");
    // A game may end before all of the input is read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().expect("papan ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("papan speaks UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("papan speaks UTF-8")
}

#[track_caller]
fn says(output: &Output, texts: &[&str]) {
    let out = stdout(output);
    let mut rest = out.as_str();
    for text in texts {
        match rest.find(text) {
            Some(at) => rest = &rest[at + text.len()..],
            None => panic!(
                "`{text}` does not come (in this order) in:\n{out}\n{}",
                stderr(output)
            ),
        }
    }
}

#[test]
fn a_person_loses_to_minimax_in_the_words_of_document_002() {
    let game = papan(
        &["play", "tictactoe", "--second", "minimax"],
        "1\n2\n4\n8\n9\n0\n",
    );
    says(
        &game,
        &[
            "Your turn [X]",
            "Computer turn [O]",
            "YOU LOSE!",
            "Winning line:",
            "[NEW GAME?]",
        ],
    );
    assert_eq!(game.status.code(), Some(0));
}

#[test]
fn document_000_is_played_in_its_own_words() {
    // The automaton begins in a corner as `o`; the person's answers lose.
    let args = [
        "--lang",
        "id",
        "play",
        "--first",
        "automaton",
        "--seed",
        "1",
    ];
    let everything = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let input = format!("{everything}{everything}0\n");
    let game = papan(&args, &input);
    says(
        &game,
        &[
            "Giliran komputer [O]",
            "[O]",
            "Giliran Anda [X]",
            "[INPUT] :",
        ],
    );
    let text = stdout(&game);
    assert!(
        text.contains("--[MAAF ANDA KALAH]--") || text.contains("--[SERI]--"),
        "{text}"
    );
    assert!(text.contains("[NEW GAME?] <1. ya, 0. tidak>"), "{text}");
}

#[test]
fn the_questions_lead_to_every_program_of_the_documents() {
    // Branch and bound on a board of one's size: game, board, opponent, mark, seat.
    let game = papan(&[], "1\n4x4\nbranch-and-bound\n1\n1\nquit\n");
    says(
        &game,
        &[
            "[CHOOSE GAME]",
            "[BOARD]",
            "[CHOOSE OPPONENT]",
            "[CHOOSE MARK]",
            "[CHOOSE PLAYER]",
            " 16",
            "[INPUT] :",
            "Goodbye.",
        ],
    );
    // The automaton begins as `o`, as in document 000.
    let game = papan(&["--lang", "id"], "1\n\nautomaton\n1\n2\nkeluar\n");
    says(
        &game,
        &[
            "[PILIH LAWAN]",
            "[PILIH BIDAK]",
            "[PILIH PLAYER]",
            "Giliran komputer [O]",
            "Giliran Anda [X]",
        ],
    );
    // Two people at one Othello board.
    let game = papan(&[], "2\n\n1\nf5\nquit\n");
    says(
        &game,
        &[
            "Black 2, White 2",
            "Black to move [●]",
            "[INPUT] : f5",
            "Black 4, White 1",
            "White to move [○]",
        ],
    );
}

#[test]
fn wrong_answers_are_asked_again_with_the_reason() {
    let input = "\nseven\n0\n10\n5\n5\nhelp\nbantuan\nquit\n";
    let game = papan(&["play", "tictactoe"], input);
    says(
        &game,
        &[
            "Type a move, or help.",
            "seven is not a move. Write a number from 1 to 9, or a square from a1 to c3.",
            "0 is not on the board.",
            "10 is not on the board.",
            "O to move",
            "5 is occupied.",
            "Words that always work",
            "Words that always work",
            "Goodbye.",
        ],
    );
    let game = papan(&["play", "othello"], "a1\npass\n99\nd4\nf5\nquit\n");
    says(
        &game,
        &[
            "A disc on a1 flips nothing. Legal moves: d3 c4 f5 e6",
            "You may pass only when you have no other move.",
            "99 is not on the board.",
            "d4 is occupied.",
            "White to move",
        ],
    );
}

#[test]
fn undo_gives_the_person_the_move_again() {
    let game = papan(
        &["play", "--second", "greedy"],
        "undo\n5\nundo\n1\nbatal\n9\nquit\n",
    );
    says(
        &game,
        &[
            "There is nothing to take back.",
            "Taken back: 1 5",
            "Taken back: 2 1",
            "[INPUT] : 9",
        ],
    );
}

#[test]
fn a_player_without_a_move_passes_and_the_game_goes_on() {
    let args = ["play", "othello:4x4", "--position", "-OXX XXXX XXXX XXXX O"];
    let game = papan(&args, "a1\n0\n");
    says(
        &game,
        &[
            "White has no move and passes",
            "Black to move",
            "Black wins 16 to 0.",
        ],
    );
}

#[test]
fn input_that_ends_early_is_an_error_that_leaves_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let path = file.to_str().unwrap();
    let game = papan(&["play", "othello", "--record", path], "f5\nd6\n");
    assert_eq!(game.status.code(), Some(2));
    assert!(stderr(&game).contains("The input ended before the game did."));
    let record = std::fs::read_to_string(&file).unwrap();
    assert!(
        record.contains("moves: f5d6\nresult: unfinished\n"),
        "{record}"
    );
    // The record is gone on from, to its end at the question for another game.
    let game = papan(&["play", "--load", path], "c3\nquit\n");
    says(&game, &["Black to move", "[INPUT] : c3", "White to move"]);
    assert_eq!(game.status.code(), Some(0));
}

#[test]
fn at_the_question_for_another_game_an_end_means_no() {
    let game = papan(&["play", "--moves", "1 4 2 5", "--second", "random"], "3\n");
    says(&game, &["YOU WIN!", "Winning line: 1 2 3", "[NEW GAME?]"]);
    assert_eq!(game.status.code(), Some(0));
    // A new game keeps the settings.
    let game = papan(&["play", "--moves", "1 4 2 5"], "3\n1\n9\nquit\n");
    says(
        &game,
        &["X wins!", "[NEW GAME?]", "[INPUT] : 9", "Goodbye."],
    );
}

#[test]
fn a_seed_replays_the_game() {
    let play = |seed: &str| {
        let args = [
            "play",
            "othello:6x6",
            "--first",
            "random",
            "--second",
            "random",
            "--seed",
            seed,
        ];
        stdout(&papan(&args, ""))
    };
    assert_eq!(play("7"), play("7"));
    assert_ne!(play("7"), play("8"));
}

#[test]
fn a_clock_that_runs_out_loses_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let mut child = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args([
            "play",
            "--clock",
            "50ms",
            "--record",
            file.to_str().unwrap(),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Nothing is typed, and the input stays open until papan has had enough.
    let input = child.stdin.take();
    let mut text = String::new();
    use std::io::Read as _;
    let mut out = child.stdout.take().unwrap();
    let mut byte = [0; 1];
    while !text.ends_with("[NEW GAME?]") && out.read(&mut byte).unwrap() == 1 {
        text.push(char::from(byte[0]));
    }
    drop(input);
    assert!(text.contains("X is out of time."), "{text}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let record = std::fs::read_to_string(&file).unwrap();
    assert!(record.contains("result: second (time)"), "{record}");
}

#[test]
fn wrong_words_are_named_with_the_nearest_right_one() {
    let error = |args: &[&str], texts: &[&str]| {
        let output = papan(args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        for text in texts {
            assert!(
                stderr(&output).contains(text),
                "{args:?}: {}",
                stderr(&output)
            );
        }
    };
    error(
        &["play", "tictacto"],
        &["tictacto", "did you mean `tictactoe`?"],
    );
    error(&["play", "tictactoe:3y3"], &["3y3", "4x4"]);
    error(&["play", "othello:5x5"], &["4x4, 6x6 or 8x8", "5x5"]);
    error(
        &["play", "--first", "gredy"],
        &["gredy", "column 1", "greedy"],
    );
    error(
        &["play", "--first", "minimax(deep=3)"],
        &["column 9", "depth"],
    );
    error(
        &["play", "tictactoe:5x5", "--first", "minimax"],
        &["would search the whole of 5x5; give depth="],
    );
    error(
        &["play", "tictactoe:4x4", "--first", "expert"],
        &["expert knows 3x3 only"],
    );
    error(
        &["play", "--moves", "5 5"],
        &["--moves", "Move number 2: 5 is occupied"],
    );
    error(
        &["play", "--position", "XX------- O"],
        &["--position", "cannot arise"],
    );
    error(&["play", "--load", "/no/such/file"], &["/no/such/file"]);
    error(&["perft", "tictactoe", "many"], &["many"]);
    error(&["play", "--lang", "fr"], &["fr", "en or id"]);
}

#[test]
fn a_broken_table_names_file_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.txt");
    std::fs::write(&file, "# mine\n-o--------|2|7\n-o-----|3|9\n").unwrap();
    let player = format!("automaton(file={})", file.display());
    let output = papan(&["play", "--first", &player], "");
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(
        text.contains("table.txt: Line 3, column 8: here stands |; expected is a cell: o, x or -."),
        "{text}"
    );
    // A table without an answer gives the game up instead of hanging.
    std::fs::write(&file, "-o--------|2|7\n").unwrap();
    let game = papan(&["play", "--first", &player, "--seed", "1"], "5\n0\n");
    says(
        &game,
        &["has no answer here: the table has no row for", "YOU WIN!"],
    );
}

#[test]
fn a_record_of_another_kind_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("r.txt");
    std::fs::write(&file, "papan record 9\n").unwrap();
    let output = papan(&["play", "--load", file.to_str().unwrap()], "");
    assert!(
        stderr(&output).contains("version 9; this papan reads versions 1 and 2"),
        "{}",
        stderr(&output)
    );
    std::fs::write(
        &file,
        "papan record 1\ngame: tictactoe\nfirst: a\nsecond: b\nmoves: 1 1\nresult: draw\n",
    )
    .unwrap();
    let output = papan(&["play", "--load", file.to_str().unwrap()], "");
    assert!(
        stderr(&output).contains("Line 5, column 10"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_closed_pipe_ends_papan_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args([
            "play",
            "tictactoe:7x7:5",
            "--first",
            "random",
            "--second",
            "random",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn garbage_is_answered_until_it_ends() {
    let garbage: Vec<u8> = (0..200_000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args(["play", "othello"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let _ = input.write_all(&garbage);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(
        matches!(output.status.code(), Some(0 | 2)),
        "{:?}",
        output.status
    );
    assert!(!stderr(&output).contains("panicked"));
}

#[test]
fn ascii_boards_have_no_other_characters() {
    for game in ["tictactoe", "tictactoe:3x3x3", "othello"] {
        let args = [
            "--ascii", "play", game, "--first", "random", "--second", "random", "--seed", "3",
        ];
        assert!(papan(&args, "").stdout.is_ascii(), "{game}");
    }
}

#[test]
fn marks_and_colour_are_as_asked_for() {
    let game = papan(&["play", "--marks", "ox", "--moves", "5"], "quit\n");
    says(&game, &["[O]", "X to move"]);
    let game = papan(&["--color", "always", "play", "--moves", "5"], "quit\n");
    says(&game, &["\u{1b}["]);
    let game = papan(&["play", "--moves", "5"], "quit\n");
    assert!(!stdout(&game).contains('\u{1b}'));
}

#[test]
fn the_list_is_also_json() {
    let list: serde_json::Value =
        serde_json::from_slice(&papan(&["list", "--json"], "").stdout).unwrap();
    let names: Vec<&str> = list["strategies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    for name in [
        "minimax",
        "alphabeta",
        "branch-and-bound",
        "greedy",
        "greedy-points",
        "expert",
        "automaton",
        "random",
        "mcts",
        "perfect",
    ] {
        assert!(names.contains(&name), "{name}");
    }
    let text = stdout(&papan(&["--lang", "id", "list"], ""));
    assert!(text.contains("mencari jawaban di sebuah tabel"), "{text}");
}

#[test]
fn the_menu_answers_wrong_names_in_the_player_s_language() {
    let typed = "tictacto\n1\n99x99\n4x4\nminimx\nkeluar\n";
    let output = papan(&["--lang", "id", "--plain"], typed);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for english in [
        "did you mean",
        "is no game",
        "is no strategy",
        "at most",
        "no player",
    ] {
        assert!(!text.contains(english), "{english}\n{text}");
    }
    assert!(text.contains("Maksud Anda tictactoe?"), "{text}");
    assert!(text.contains("Maksud Anda minimax?"), "{text}");
}

#[test]
fn the_menu_asks_for_x_or_o() {
    // The person takes O and begins; then O and lets the computer begin.
    let game = papan(&["--plain"], "1\n\nminimax\n2\n1\n5\nquit\n");
    says(
        &game,
        &["[CHOOSE MARK]", "Your turn [O]", "Computer turn [X]"],
    );
    let game = papan(&["--plain"], "1\n\nminimax\no\n2\nquit\n");
    says(&game, &["Computer turn [X]", "Your turn [O]"]);
    let game = papan(&["--plain"], "1\n\nminimax\nx\n2\nquit\n");
    says(&game, &["Computer turn [O]", "Your turn [X]"]);
    // Of two people player 1 chooses.
    let game = papan(&["--plain"], "1\n\n1\nO\n5\nquit\n");
    says(&game, &["O to move", "X to move"]);
    // Discs have colours, and nothing to choose.
    let game = papan(&["--plain"], "2\n4x4\nrandom\n1\nquit\n");
    assert!(
        !stdout(&game).contains("[CHOOSE MARK]"),
        "{}",
        stdout(&game)
    );
    says(&game, &["Your turn"]);
}

/// The players that the menu offers on a board, as they are written there.
fn offered(family: &str, size: &str) -> Vec<String> {
    let menu = papan(&["--plain"], &format!("{family}\n{size}\nquit\n"));
    let text = stdout(&menu);
    let list = text.split("[CHOOSE OPPONENT]").nth(1).expect("the list");
    let names = list.lines().filter_map(|line| {
        let (number, rest) = line.trim().split_once(". ")?;
        number.parse::<u32>().ok()?;
        rest.split_whitespace().next().map(str::to_owned)
    });
    names.skip(1).collect()
}

#[test]
fn every_player_that_the_menu_offers_plays_on_that_board() {
    let boards = [
        ("tictactoe", "3x3"),
        ("tictactoe", "4x4"),
        ("tictactoe", "3x3x3"),
        ("tictactoe", "9x9:5"),
        ("othello", "4x4"),
        ("othello", "8x8"),
    ];
    for (family, size) in boards {
        let players = offered(family, size);
        assert!(players.contains(&"mcts".to_owned()), "{players:?}");
        assert!(!players.contains(&"lookup".to_owned()), "{players:?}");
        for (number, _) in players.iter().enumerate() {
            let number = number + 2;
            let input = format!("{family}\n{size}\n{number}\n\n\nquit\nquit\n");
            let game = papan(&["--plain"], &input);
            says(&game, &["[CHOOSE PLAYER]", "Your turn", "Goodbye."]);
        }
    }
    assert!(!offered("tictactoe", "4x4").contains(&"automaton".to_owned()));
    assert!(offered("tictactoe", "4x4").contains(&"minimax(depth=3)".to_owned()));
    assert!(offered("othello", "8x8").contains(&"engine".to_owned()));
    assert!(offered("othello", "6x6").contains(&"engine".to_owned()));
    assert!(offered("othello", "6x6").contains(&"Newcomer".to_owned()));
}

#[test]
fn enter_alone_always_leads_to_a_game() {
    for (family, typed) in [("tictactoe", "\n\n\n\n\n"), ("othello", "othello\n\n\n\n")] {
        let game = papan(&["--plain"], &format!("{typed}quit\n"));
        says(
            &game,
            &["Casual (level 3)", "Your turn", "[INPUT] :", "Goodbye."],
        );
        assert!(game.status.success(), "{family}");
    }
}

#[test]
fn every_question_of_the_menu_leads_back_to_the_one_before() {
    // A list that is not there is refused, and another player can be chosen; so can
    // another board, another game, and none.
    let input = "1\n\nlookup\nlookup(file=nowhere.list)\nminimax\n1\n0\n0\n0\n4x4\nback\n0\n0\n";
    let menu = papan(&["--plain"], input);
    says(
        &menu,
        &[
            "[CHOOSE GAME]",
            "[BOARD]",
            "[CHOOSE OPPONENT]",
            "lookup needs a list",
            "[CHOOSE OPPONENT]",
            "nowhere.list",
            "[CHOOSE OPPONENT]",
            "[CHOOSE MARK]",
            "[CHOOSE PLAYER]",
            "[CHOOSE MARK]",
            "[CHOOSE OPPONENT]",
            "[BOARD]",
            "[CHOOSE OPPONENT]",
            "[BOARD]",
            "[CHOOSE GAME]",
            "Goodbye.",
        ],
    );
    assert_eq!(menu.status.code(), Some(0));
}

#[test]
fn what_goes_wrong_before_a_game_is_told_in_the_player_s_language() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let record = |game: &str, moves: &str| {
        let head = "papan record 1\n";
        format!(
            "{head}game: {game}\nfirst: human\nsecond: human\nmoves: {moves}\nresult: unfinished\n"
        )
    };
    let good = file("good", &record("tictactoe", "5"));
    let other_kind = file("kind", "papan settings 1\n");
    let other_game = file("game", &record("tictacto", "5"));
    let illegal = file("illegal", &record("tictactoe", "5 5"));
    let no_text = directory.path().join("bytes");
    std::fs::write(&no_text, [0xff, 0xfe]).unwrap();
    let table = file("table", "nonsense\n");
    let automaton = format!("automaton(file={table})");
    let lookup = format!("lookup(file={table})");
    let nowhere = directory.path().join("no/such/directory");
    let nowhere = nowhere.to_str().unwrap();
    for args in [
        vec!["--load", nowhere],
        vec!["--load", directory.path().to_str().unwrap()],
        vec!["--load", no_text.to_str().unwrap()],
        vec!["--load", &other_kind],
        vec!["--load", &other_game],
        vec!["--load", &illegal],
        vec!["--load", &good, "othello"],
        vec!["--record", nowhere],
        vec!["--moves", "5 5"],
        vec!["--moves", "zz"],
        vec!["--position", "XX------- X"],
        vec!["--first", &automaton],
        vec!["--first", &lookup],
        vec!["--first", "lookup"],
        vec!["othello", "--first", "expert"],
        vec!["tictactoe:4x4", "--first", "expert"],
        vec!["tictactoe:9x9", "--first", "minimax"],
        vec!["tictactoe:9x9", "--first", "perfect"],
    ] {
        let told = |language: &str| {
            let start = ["--lang", language, "play"];
            let output = papan(&[&start, &args[..]].concat(), "quit\n");
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            stderr(&output)
        };
        let (english, indonesian) = (told("en"), told("id"));
        assert_ne!(english, indonesian, "{args:?}");
        for word in [" the ", " is ", " not ", "expected", "cannot", "(os error"] {
            assert!(!indonesian.contains(word), "{args:?}: {indonesian}");
        }
    }
}
