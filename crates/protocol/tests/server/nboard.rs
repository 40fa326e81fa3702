//! Conversations in the NBoard protocol.

use std::io::Cursor;

use papan_protocol::{Input, nboard};

use crate::session;

pub(crate) fn nboard_says(strategy: &str, input: &str) -> String {
    run(strategy, Input::script(Cursor::new(input.to_owned())))
}

/// Sends all commands at once, so that they arrive during a search.
fn nboard_says_at_once(strategy: &str, input: &str) -> String {
    run(strategy, Input::interactive(Cursor::new(input.to_owned())))
}

fn run(strategy: &str, input: Input) -> String {
    let mut output = Vec::new();
    nboard::serve(&mut session("othello", strategy), input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn nboard_plays_a_game() {
    let said = nboard_says(
        "minimax(depth=1)",
        "nboard 2\nset depth 3\nset contempt 10\nset game (;GM[Othello]PB[a]PW[b]TY[8]\
         BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
         B[f5//1.5]W[f6/0.5];)\nping 1\ngo\nping 2\nmove E6/1.00/0.5\nmove A1\nmove QQ\nping 3\n\
         go\nwhat is this\nlearn\nhint 2\nquit\nping 4\n",
    );
    let version = env!("CARGO_PKG_VERSION");
    assert!(said.starts_with(&format!("set myname papan {version}\npong 1\n")));
    // After f5 f6 Black has e6 and f7 among others; after f5 f6 e6 it is White's turn.
    let chosen: Vec<&str> = said.lines().filter(|l| l.starts_with("=== ")).collect();
    let word = |line: &str| line[4..].split('/').next().unwrap().to_owned();
    let game: papan_catalog::AnyGame = "othello".parse().unwrap();
    for (line, moves) in chosen.iter().zip(["f5 f6", "f5 f6 e6"]) {
        let mut there = game.line();
        there.extend(moves).unwrap();
        assert!(there.extend(&word(line)).is_ok(), "{line} after {moves}");
    }
    assert_eq!(chosen.len(), 2, "{said}");
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(place("=== ") < place("pong 2") && place("pong 2") < place("pong 3"));
    assert!(place("`a1`") < place("pong 3") && place("`QQ` is not a move") < place("pong 3"));
    assert!(place("pong 3") < place("learned") && place("learned") < place("search "));
    assert!(!said.contains("pong 4"));
}

#[test]
fn nboard_analyzes_every_position_of_a_game() {
    let said = nboard_says(
        "minimax(depth=1)",
        "nboard 2\nset depth 2\nset game (;GM[Othello]PB[a]PW[b]TY[8]\
         BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
         B[f5]W[d6]B[c3];)\nping 1\nanalyze\nmove D3\ngo\n",
    );
    let analysed = |said: &str| -> Vec<String> {
        let lines = said.lines();
        let lines = lines.filter_map(|line| line.strip_prefix("analysis "));
        lines.map(Into::into).collect()
    };
    let plies: Vec<String> = analysed(&said);
    let plies: Vec<&str> = plies
        .iter()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(plies, ["3", "2", "1", "0"], "{said}");
    // `analyze` restores the position, in which White can play d3.
    assert!(!said.contains("`d3`") && said.contains("=== "), "{said}");
    // The last move of the game flips everything.
    for (mover, other, colour, sign) in [('*', 'O', 'B', ""), ('O', '*', 'W', "-")] {
        let full = mover.to_string().repeat(8);
        let first = format!("-{other}{}", &full[..6]);
        let rows = format!("{first} {}", vec![full; 7].join(" "));
        let said = nboard_says(
            "minimax(depth=1)",
            &format!(
                "set game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 {rows} {mover}]{colour}[a1];)\nanalyze\n"
            ),
        );
        let expected = [format!("1 {sign}64.00"), format!("0 {sign}64.00")];
        assert_eq!(analysed(&said), expected, "{said}");
    }
    let stopped = nboard_says_at_once("mcts(playouts=100000000)", "analyze\nping 7\n");
    assert!(
        analysed(&stopped).is_empty() && stopped.ends_with("pong 7\n"),
        "{stopped}"
    );
}

#[test]
fn nboard_stops_a_search_at_ping_and_rejects_other_games() {
    // Takes minutes unless it is stopped.
    let said = nboard_says_at_once(
        "mcts(playouts=100000000)",
        "set depth 60\nset game (;GM[4]SZ[15];B[hh])\nhint 3\nping 1\nset game (;GM[Othello]\nping 2\n",
    );
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(place("unsupported game tictactoe:15x15:5") < place("status thinking"));
    assert!(place("status thinking") < place("pong 1"));
    assert!(said.matches("cannot read the game").count() == 2, "{said}");
}
