//! Tests of `papan play` with piped input.

mod dialogue;
mod shell;

use std::io::Write as _;
use std::process::{Command, Stdio};

use dialogue::{papan, says, stderr, stdout};

#[test]
fn a_person_loses_to_minimax_in_the_words_of_document_002() {
    let game = papan(
        &["play", "tictactoe", "--second", "minimax"],
        "1\n2\n4\n8\n9\n0\n",
    );
    says(
        &game,
        &[
            "Your turn (X)",
            "Computer's turn (O)",
            "YOU LOSE!",
            "Winning line:",
            "Play again?",
        ],
    );
    assert_eq!(game.status.code(), Some(0));
}

#[test]
fn document_000_is_played_in_its_own_words() {
    // The automaton plays O and opens in a corner; the replies lose.
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
            "Giliran komputer (O)",
            "[O]",
            "Giliran Anda (X)",
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
fn the_screens_of_the_documents_are_drawn_on_request() {
    let args = [
        "--lang",
        "id",
        "play",
        "--first",
        "automaton",
        "--seed",
        "4",
        "--screen",
        "document",
    ];
    let game = papan(&args, "2\n4\n3\n0\n");
    let board = "| o | x | x |\n|---|---|---|\n| x | o | - |\n|---|---|---|\n| o | - | o |\n";
    let text = stdout(&game);
    assert!(text.contains(board), "{text}");
    says(&game, &["!o = CPU  x = PLAYER!", "--[MAAF ANDA KALAH]--"]);
    assert!(text.contains("O melangkah ke 9"), "{text}");
    let game = papan(
        &["play", "othello", "--screen", "document"],
        "34\n11\nquit\n",
    );
    says(
        &game,
        &[
            "  1 2 3 4 5 6 7 8",
            "4 . . . W B",
            "Legal moves: 34 43 56 65",
        ],
    );
}

#[test]
fn moves_are_listed_in_the_notation_that_was_typed() {
    let game = papan(&["play", "othello"], "34\n11\nmoves\na1\nquit\n");
    says(
        &game,
        &[
            "Legal moves: d3 c4 f5 e6",
            "Legal moves: 33 35 53",
            "11 flips no discs. Legal moves: 33 35 53",
            "Moves: 34",
            "a1 flips no discs. Legal moves: c3 e3 c5",
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
            "seven is not a move. Enter a number from 1 to 9, or a square from a1 to c3.",
            "0 is not on the board.",
            "10 is not on the board.",
            "O to move",
            "5 is occupied.",
            "Commands:",
            "Commands:",
            "Goodbye.",
        ],
    );
    let game = papan(&["play", "othello"], "a1\npass\n99\nd4\nf5\nquit\n");
    says(
        &game,
        &[
            "a1 flips no discs. Legal moves: d3 c4 f5 e6",
            "You may pass only when you have no legal move.",
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
            "There is no move to undo.",
            "Undone: 1 5",
            "Undone: 2 1",
            "Your move: 9",
        ],
    );
}

#[test]
fn a_player_without_a_move_passes_and_the_game_continues() {
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
    assert!(stderr(&game).contains("Input ended before the game was over."));
    let record = std::fs::read_to_string(&file).unwrap();
    assert!(
        record.contains("moves: f5d6\nresult: unfinished\n"),
        "{record}"
    );
    // The record is continued to the end of the game.
    let game = papan(&["play", "--load", path], "c3\nquit\n");
    says(&game, &["Black to move", "Your move: c3", "White to move"]);
    assert_eq!(game.status.code(), Some(0));
}

#[test]
fn at_the_question_for_another_game_an_end_means_no() {
    let game = papan(&["play", "--moves", "1 4 2 5", "--second", "random"], "3\n");
    says(&game, &["YOU WIN!", "Winning line: 1 2 3", "Play again?"]);
    assert_eq!(game.status.code(), Some(0));
    // A new game keeps the settings.
    let game = papan(&["play", "--moves", "1 4 2 5"], "3\n1\n9\nquit\n");
    says(
        &game,
        &["X wins!", "Play again?", "Your move: 9", "Goodbye."],
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
    // The input stays open without any line until the clock runs out.
    let input = child.stdin.take();
    let mut text = String::new();
    use std::io::Read as _;
    let mut out = child.stdout.take().unwrap();
    let mut byte = [0; 1];
    while !text.ends_with("Play again?") && out.read(&mut byte).unwrap() == 1 {
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
        &["would search all of 5x5; set depth="],
    );
    error(
        &["play", "tictactoe:4x4", "--first", "expert"],
        &["expert plays 3x3 only"],
    );
    error(
        &["play", "--moves", "5 5"],
        &["--moves", "Move 2: 5 is occupied"],
    );
    error(
        &["play", "--position", "XX------- O"],
        &["--position", "is impossible"],
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
        text.contains("table.txt: Line 3, column 8: found |; expected a cell: o, x or -."),
        "{text}"
    );
    // A strategy without a move loses the game instead of hanging.
    std::fs::write(&file, "-o--------|2|7\n").unwrap();
    let game = papan(&["play", "--first", &player, "--seed", "1"], "5\n0\n");
    says(
        &game,
        &["has no reply here: the table has no row for", "YOU WIN!"],
    );
}

#[test]
fn a_record_of_another_kind_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("r.txt");
    std::fs::write(&file, "papan record 9\n").unwrap();
    let output = papan(&["play", "--load", file.to_str().unwrap()], "");
    assert!(
        stderr(&output).contains("version 9 record; this papan reads versions 1 to 3"),
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
fn a_broken_pipe_ends_papan_silently_with_the_code_of_sigpipe() {
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
    assert_eq!(output.status.code(), Some(141));
}

#[test]
fn a_standard_output_that_cannot_be_written_is_an_error() {
    let papan = env!("CARGO_BIN_EXE_papan");
    for arguments in ["list", "list --json", "perft tictactoe 2", "--help", "man"] {
        for (redirection, message) in [
            (">&-", "Bad file descriptor"),
            (">/dev/full", "No space left on device"),
        ] {
            let output = Command::new("sh")
                .args(["-c", &format!("{papan} {arguments} {redirection}")])
                .output()
                .unwrap();
            let error = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
            assert!(error.contains(message), "{arguments}: {error}");
        }
    }
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
    assert!(text.contains("mencari balasan di sebuah tabel"), "{text}");
}

#[test]
fn a_swap_opening_is_played_line_by_line_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.papan");
    let path = record.to_str().unwrap();
    let opened = |players: [&str; 2], input: &str| {
        let args = [
            "play",
            "gomoku",
            "--opening-rule",
            "swap2",
            "--seed",
            "1",
            "--record",
            path,
            "--first",
            players[0],
            "--second",
            players[1],
        ];
        let game = papan(&args, input);
        (game, std::fs::read_to_string(&record).unwrap())
    };
    // The person opens for both, takes White after two more stones, and takes that back.
    let input = "h8\ni9\nwhite\nk10\nred\ntwo\nf7\ng7\nblack\nundo\nwhite\nh9\nquit\n";
    let (game, text) = opened(["human", "human"], input);
    says(
        &game,
        &[
            "Opening: place a stone for Black; stones left: 3.",
            "Opening: place a stone for White; stones left: 2.",
            "or two to place two more stones:",
            "Opening: place a stone for White; stones left: 2.",
            "Choose your colour, black or white:",
            "Black: human. White: human.",
        ],
    );
    assert!(
        text.contains("opening: swap2 two white\nmoves: h8 i9 k10 f7 g7 h9\n"),
        "{text}"
    );
    // A person who takes Black changes places with the computer, who moves next.
    let (_, text) = opened(["random", "human"], "black\nquit\n");
    assert!(
        text.contains("first: human\nsecond: random\nopening: swap2 black\n"),
        "{text}"
    );
    let moves = text
        .lines()
        .find_map(|line| line.strip_prefix("moves: "))
        .unwrap();
    assert_eq!(moves.split(' ').count(), 4, "{text}");
    // The game continues from its record.
    let more = papan(&["play", "--load", path], "quit\n");
    says(&more, &["Your turn"]);
    let refused = papan(&["play", "othello", "--opening-rule", "swap"], "");
    assert!(
        stderr(&refused).contains("othello has no opening rule swap"),
        "{}",
        stderr(&refused)
    );
}
