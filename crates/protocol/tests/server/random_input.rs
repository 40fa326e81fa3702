//! Random input does not crash a server.

use proptest::prelude::*;

use crate::gtp::gtp_says;
use crate::nboard::nboard_says;
use crate::piskvork::piskvork_says;
use crate::ugi::ugi_says;

/// Words of the protocols, so that random input gets past the first word.
const WORDS: [&str; 53] = [
    "play",
    "genmove",
    "b",
    "w",
    "black",
    "a1",
    "b2",
    "z9",
    "pass",
    "undo",
    "boardsize",
    "3",
    "5",
    "8",
    "clear_board",
    "set_game",
    "othello",
    "tictactoe:4x4",
    "time_left",
    "time_settings",
    "0",
    "-1",
    "papan-level",
    "papan-limits",
    "nodes",
    "99999999999999999999",
    "position",
    "startpos",
    "fen",
    "moves",
    "query",
    "result",
    "setoption",
    "name",
    "value",
    "Game",
    "BOARD",
    "DONE",
    "1,1,2",
    "TURN 3,3",
    "START",
    "nboard",
    "set",
    "game",
    "(;GM[Othello]B[f5];)",
    "(;GM[Othello]BO[",
    "depth",
    "hint",
    "ping",
    "move",
    "F5/0/0",
    "PA",
    "learn",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn no_input_makes_a_server_panic(
        words in proptest::collection::vec(prop_oneof![
            8 => (0..WORDS.len()).prop_map(|i| WORDS[i].to_owned()),
            1 => any::<String>(),
        ], 0..60),
        breaks in proptest::collection::vec(any::<bool>(), 60),
    ) {
        let mut text = String::new();
        for (word, line_break) in words.iter().zip(breaks) {
            text += word;
            text.push(if line_break { '\n' } else { ' ' });
        }
        gtp_says("tictactoe", "random", &text);
        ugi_says("tictactoe", "random", &text);
        piskvork_says("random", &text);
        nboard_says("random", &text);
    }
}
