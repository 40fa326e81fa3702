//! Conversations in UGI.

use std::io::Cursor;

use papan_protocol::{Input, ugi};

use crate::session;

pub(crate) fn ugi_says(game: &str, strategy: &str, input: &str) -> String {
    let mut output = Vec::new();
    let input = Input::script(Cursor::new(input.to_owned()));
    ugi::serve(&mut session(game, strategy), input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn ugi_rejects_go_after_an_invalid_position() {
    let said = ugi_says(
        "tictactoe",
        "minimax",
        "position startpos moves 5 5\ngo nodes 10\nquery p1turn\n\
         position startpos moves 5\nquery p1turn\ngo nodes 10\n",
    );
    let plain = |line: &&str| !line.starts_with("info");
    let lines: Vec<&str> = said.lines().filter(plain).collect();
    assert_eq!(
        lines[..3],
        ["bestmove none", "response none", "response false"]
    );
    assert_eq!(lines[3], "bestmove 1");
}

#[test]
fn ugi_has_an_option_for_the_level() {
    let said = ugi_says(
        "tictactoe",
        "minimax",
        "ugi\nsetoption name Level value 6\nposition fen XX-OO---- X\ngo\n\
         setoption name Level value 11\nugi\nquit\n",
    );
    let has = |text: &str| assert!(said.contains(text), "{text}: {said}");
    has("option name Level type spin default 10 min 0 max 10");
    has("bestmove 3");
    has("`11` is not a level from 0 to 10");
    has("papan 0.2.0 computer(level=6)");
}

#[test]
fn ugi_reports_multipv() {
    for (game, moves) in [("othello", "f5"), ("tictactoe:15x15:5", "h8 h9 g8")] {
        let input = format!(
            "setoption name MultiPV value 3\nsetoption name MultiPV value 0\n\
             position startpos moves {moves}\ngo nodes 5000\n\
             setoption name MultiPV value 1\ngo nodes 5000\n"
        );
        let said = ugi_says(game, "engine", &input);
        assert!(said.contains("`0` is not a number from 1 to 400"), "{said}");
        let told: Vec<Vec<&str>> = said
            .lines()
            .filter(|line| line.starts_with("info multipv"))
            .map(|line| line.split(' ').collect())
            .collect();
        assert_eq!(told.len(), 3, "{said}");
        let words = |at: usize, key: &str| {
            let place = told[at].iter().position(|word| *word == key);
            told[at][place.expect("the line has the word") + 1]
        };
        let best = format!("bestmove {}", words(0, "pv"));
        assert!(said.lines().any(|line| line == best), "{said}");
        // The first line comes from a deeper search, so its score may be lower.
        // A move that a shallower search scored higher has an upper bound.
        let score = |at: usize| match words(at, "score") {
            "upperbound" => words(at, "upperbound"),
            number => number,
        };
        let scores: Vec<f32> = (1..3)
            .map(|at| score(at).parse().expect("a score is a number"))
            .collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    }
}

#[test]
fn ugi_respects_the_node_limit() {
    let said = ugi_says(
        "tictactoe:15x15:5",
        "engine",
        "position startpos moves h8 h9 g8\ngo nodes 20000\n",
    );
    let nodes = said
        .lines()
        .filter_map(|line| line.split_once("nodes ")?.1.split(' ').next())
        .map(|nodes| nodes.parse::<u64>().expect("a number of nodes"))
        .max();
    assert!((10_000..=20_064).contains(&nodes.unwrap()), "{said}");
}

#[test]
fn ugi_sets_positions_and_answers_queries() {
    let said = ugi_says(
        "tictactoe",
        "minimax",
        "isready\nposition startpos moves 5\nquery p1turn\ngo\nposition startpos moves 1 4 2 5 3\n\
         query gameover\nquery result\nposition fen XX-OO---- X\ngo nodes 100000\n\
         position startpos moves 1 1\nsetoption name Strategy value nobody\nquit\nisready\n",
    );
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.starts_with("info nodes"))
        .collect();
    let lines: Vec<&str> = lines
        .into_iter()
        .filter(|line| !line.starts_with("info depth"))
        .collect();
    assert_eq!(
        lines[..6],
        [
            "readyok",
            "response false",
            "bestmove 1",
            "response true",
            "response p1win",
            "bestmove 3"
        ]
    );
    assert!(lines[6].starts_with("info string move `1`"), "{}", lines[6]);
    assert!(
        lines[7].contains("there is no strategy `nobody`"),
        "{}",
        lines[7]
    );
    assert_eq!(lines.len(), 8, "nothing after quit");
}

#[test]
fn ugi_searches_until_stop() {
    let said = ugi_says(
        "tictactoe",
        "greedy",
        "go infinite\nisready\nstop\nquery p1turn\n",
    );
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.starts_with("info"))
        .collect();
    assert_eq!(lines, ["readyok", "bestmove 1", "response true"]);
}

#[test]
fn ugi_ponders_until_ponderhit_or_stop() {
    let plain = |said: &str| -> Vec<String> {
        let lines = said.lines().filter(|line| !line.starts_with("info"));
        lines.map(Into::into).collect()
    };
    let position = "setoption name Ponder value true\nposition startpos moves 5\n";
    for end in ["ponderhit", "stop"] {
        // Takes minutes unless it is stopped.
        let said = ugi_says(
            "tictactoe",
            "mcts(playouts=100000000)",
            &format!("{position}go ponder nodes 100\nisready\n{end}\nquery p1turn\n"),
        );
        let lines = plain(&said);
        assert_eq!(
            (lines.len(), lines[0].as_str()),
            (3, "readyok"),
            "{end}: {said}"
        );
        assert!(lines[1].starts_with("bestmove "), "{end}: {said}");
        assert_eq!(lines[2], "response false");
    }
    // A strategy with a principal variation names the expected reply.
    let expects = |ponder: &str| {
        let go = "position startpos moves f5\ngo nodes 20000\n";
        let option = format!("setoption name Ponder value {ponder}\n");
        let said = ugi_says("othello", "engine(hash=1)", &format!("{option}{go}"));
        plain(&said).pop().unwrap().contains(" ponder ")
    };
    assert!(expects("true") && !expects("false"));
    let said = ugi_says(
        "tictactoe",
        "greedy",
        "ponderhit\nsetoption name Ponder value 1\n",
    );
    assert_eq!(said, "info string `1` is neither true nor false\n");
}
