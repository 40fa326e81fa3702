//! The other readings of the documents, and the figures of document 004. The numbers come from an
//! enumeration of all games by another program, written from the documents alone.

mod shell;

use std::path::Path;

use serde_json::Value;

fn papan(words: &[&str]) -> Value {
    let output = shell::run(shell::papan(Path::new("."), words), b"");
    let text = shell::text(&output.stdout);
    let error = shell::text(&output.stderr);
    serde_json::from_str(text).unwrap_or_else(|_| panic!("{words:?}: {text}{error}"))
}

#[test]
fn each_reading_has_the_numbers_of_an_independent_enumeration() {
    for (game, strategy, seat, counts) in [
        (
            "tictactoe",
            "branch-and-bound(infinity=plain)",
            "first",
            [98, 76, 22, 0],
        ),
        (
            "tictactoe",
            "branch-and-bound(infinity=plain)",
            "second",
            [521, 362, 155, 4],
        ),
        (
            "tictactoe",
            "branch-and-bound(ties=any)",
            "first",
            [272, 208, 64, 0],
        ),
        (
            "tictactoe",
            "branch-and-bound(ties=any)",
            "second",
            [1192, 744, 432, 16],
        ),
        (
            "tictactoe:4x4",
            "branch-and-bound(infinity=plain)",
            "second",
            [8_092_200, 893_558, 7_196_975, 1_667],
        ),
        (
            "tictactoe",
            "expert(block-fork=prevent)",
            "first",
            [140, 124, 16, 0],
        ),
        (
            "tictactoe",
            "expert(block-fork=prevent)",
            "second",
            [489, 372, 117, 0],
        ),
        (
            "tictactoe",
            "greedy-points(win=0)",
            "first",
            [226, 186, 31, 9],
        ),
        (
            "tictactoe",
            "greedy-points(win=0)",
            "second",
            [881, 457, 331, 93],
        ),
        (
            "tictactoe",
            "greedy(ties=every-reply)",
            "first",
            [80, 72, 8, 0],
        ),
        (
            "tictactoe",
            "greedy(ties=every-reply)",
            "second",
            [457, 374, 83, 0],
        ),
        (
            "tictactoe:3x3x3",
            "greedy(ties=every-reply)",
            "first",
            [2_481, 2_481, 0, 0],
        ),
        (
            "tictactoe",
            "alphabeta(pseudo-code=as-printed)",
            "first",
            [157, 83, 16, 58],
        ),
        (
            "tictactoe",
            "alphabeta(pseudo-code=as-printed)",
            "second",
            [665, 200, 36, 429],
        ),
    ] {
        let proof = papan(&["prove", game, strategy, "--as", seat, "--json"]);
        let found = ["lines", "wins", "draws", "losses"].map(|field| proof[field].as_u64());
        assert_eq!(found, counts.map(Some), "{strategy} as {seat} at {game}");
    }
}

/// Returns a number of a move.
fn term(decision: &Value, mv: &str, name: &str) -> i64 {
    let candidates = decision["candidates"].as_array().expect("a list");
    let candidate = candidates.iter().find(|entry| entry["move"] == mv);
    let value = &candidate.expect("the move")["terms"][name];
    value.as_i64().expect("a number")
}

#[test]
fn the_figures_of_document_004_have_their_numbers() {
    let at = |place: [&str; 2], strategy: &str| {
        let words = ["explain", "tictactoe", place[0], place[1], "--strategy"];
        papan(&[&words[..], &[strategy, "--json"]].concat())
    };
    let points = |position: &str, cell: &str| {
        let decision = at(["--position", position], "greedy-points");
        term(&decision, cell, "points")
    };
    assert_eq!(points("X-X---O-- O", "2"), 4);
    assert_eq!(points("X---O---- X", "3"), 3);
    assert_eq!(points("XOX----O- X", "5"), 10);
    let steps = |place: [&str; 2], cell: &str| {
        let decision = at(place, "greedy");
        [term(&decision, cell, "p"), term(&decision, cell, "l")]
    };
    assert_eq!(steps(["--position", "----X-O-X O"], "2"), [2, 1]);
    let sixth = at(["--moves", "1 5 9 3 7 4 6"], "greedy");
    assert_eq!(term(&sixth, "8", "l"), 4, "{sixth:#}");
    assert_eq!(steps(["--moves", "5"], "1"), [2, 2]);
    let eighth = at(["--moves", "2 1 9"], "greedy");
    assert_eq!(term(&eighth, "4", "-p+l"), 1);
    assert_eq!(term(&eighth, "7", "-p+l"), 1);
    let ninth = at(["--moves", "7 4 9"], "greedy");
    assert_eq!(eighth["best"], "4", "{eighth:#}");
    assert_eq!(ninth["best"], "5", "{ninth:#}");
    assert_eq!(term(&ninth, "8", "-p+l"), 0);
}

#[test]
fn a_position_on_which_o_began_is_read_and_drawn_as_it_is_typed() {
    let words = [
        "--lang",
        "en",
        "explain",
        "tictactoe",
        "--position",
        "O---X-O-- X",
    ];
    let words = [&words[..], &["--strategy", "minimax", "--ascii"]].concat();
    let output = shell::run(shell::papan(Path::new("."), &words), b"");
    let text = shell::text(&output.stdout);
    assert!(
        text.contains(" O |"),
        "{text}{}",
        shell::text(&output.stderr)
    );
    assert!(text.contains("4 beats"), "{text}");
    // The automaton is o in its table and on the board.
    let words = ["--lang", "en", "explain", "tictactoe", "--moves", "1 5"];
    let words = [&words[..], &["--strategy", "automaton", "--ascii"]].concat();
    let output = shell::run(shell::papan(Path::new("."), &words), b"");
    let text = shell::text(&output.stdout);
    assert!(text.contains(" O |"), "{text}");
}

/// Plain minimax on 3x3: the value for the player to move.
fn value(game: &papan_rules::Grid<u64>, position: &papan_rules::GridPosition<u64>) -> i32 {
    use papan_rules::Game as _;
    if let Some(outcome) = game.outcome(position) {
        return outcome.value_for(game.turn(position));
    }
    let replies = game.legal_moves(position);
    let values = replies.map(|mv| -value(game, &game.after(position, mv)));
    values.max().expect("an unfinished game has a move")
}

#[test]
fn no_board_numbered_by_rows_has_the_values_of_section_iv_of_document_002() {
    use papan_rules::{Game as _, Move, Notation as _};
    let game = papan_rules::tictactoe();
    // Cells 4, 5 and 6 are free: three X and three O are on the others.
    let (mut tried, mut found) = (0, Vec::new());
    for crosses in (0..64_u32).filter(|set| set.count_ones() == 3) {
        let mut letters = (0..6).map(|bit| if crosses >> bit & 1 == 1 { 'X' } else { 'O' });
        let mut row = || letters.by_ref().take(3).collect::<String>();
        let text = format!("{}---{} X", row(), row());
        let Ok(position) = game.parse_position(&text) else {
            continue;
        };
        if game.outcome(&position).is_some() {
            continue;
        }
        tried += 1;
        let values = [3, 4, 5].map(|cell| -value(&game, &game.after(&position, Move::on(cell))));
        // The document's: 4 wins, 5 draws, 6 loses.
        if values == [1, 0, -1] {
            found.push(text);
        }
    }
    assert_eq!(tried, 18);
    assert!(found.is_empty(), "{found:?}");
}
