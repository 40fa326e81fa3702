//! Conversations in the Gomocup protocol.

use std::io::Cursor;

use papan_protocol::{Input, piskvork};

use crate::session;

pub(crate) fn piskvork_says(strategy: &str, input: &str) -> String {
    let mut output = Vec::new();
    let input = Input::script(Cursor::new(input.to_owned()));
    let mut session = session("tictactoe:15x15:5", strategy);
    piskvork::serve(&mut session, input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn piskvork_rejects_unsupported_rules() {
    let said = piskvork_says(
        "greedy",
        "START 15\r\nINFO rule 1\r\nBEGIN\r\nSWIM\r\nINFO rule 0\r\nBEGIN\r\n",
    );
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "OK");
    for line in &lines[1..3] {
        assert!(line.starts_with("ERROR rule 1 is not supported"), "{line}");
    }
    assert!(lines[3].starts_with("UNKNOWN"), "{}", lines[3]);
    assert_eq!(lines[4].split(',').count(), 2, "a move");
}

#[test]
fn piskvork_starts_plays_and_takes_back() {
    let said = piskvork_says(
        "greedy",
        "START 15\r\nTURN 7,7\r\nTAKEBACK 0,0\r\nRESTART\r\nBEGIN\r\nBEGIN\r\nSTART 3\r\nSTART 99\r\n\
         RECTSTART 20,10\r\nTURN 19,9\r\nTURN 9,19\r\nBOARD\r\n0,0,2\r\nDONE\r\nBOARD\r\n0,0,1\r\nDONE\r\n\
         INFO rule 4\r\nDONE\r\n5,5,1\r\nSWIM\r\nABOUT\r\nEND\r\nABOUT\r\n",
    );
    let lines: Vec<&str> = said.split("\r\n").collect();
    assert_eq!(lines[0], "OK");
    let cell = |line: &str| -> (usize, usize) {
        let (x, y) = line.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    let answer = cell(lines[1]);
    assert!(answer != (7, 7) && answer.0 < 15 && answer.1 < 15);
    assert_eq!(
        lines[2],
        if answer == (0, 0) {
            "OK"
        } else {
            "ERROR only the last stone can be taken back"
        }
    );
    assert_eq!(lines[3], "OK");
    cell(lines[4]);
    assert_eq!(lines[5], "ERROR the game has already begun");
    assert!(lines[6].starts_with("ERROR unsupported size"));
    assert!(lines[7].starts_with("ERROR unsupported size"));
    assert_eq!(lines[8], "OK");
    let answer = cell(lines[9]);
    assert!(answer.0 < 20 && answer.1 < 10);
    assert_eq!(lines[10], "ERROR not on the board");
    assert_ne!(cell(lines[11]), (0, 0));
    assert_eq!(lines[12], "ERROR it is not the turn of player 1");
    assert_eq!(lines[13], "ERROR the rule cannot change during a game");
    assert_eq!(lines[14], "ERROR DONE without BOARD");
    assert_eq!(lines[15], "ERROR stone without BOARD");
    assert_eq!(lines[16], "UNKNOWN SWIM");
    assert!(lines[17].starts_with("name=\"papan greedy\""));
    assert_eq!(lines.len(), 19, "nothing after END");
}

#[test]
fn piskvork_plays_by_the_rule_that_the_manager_sends() {
    for (rule, order) in [
        (1, "START 15\r\nINFO rule 1"),
        (4, "INFO rule 4\r\nSTART 15"),
    ] {
        let said = piskvork_says(
            "engine(nodes=500)",
            &format!("{order}\r\nBEGIN\r\nTURN 0,0\r\nINFO rule 0\r\nTURN 14,14\r\nEND\r\n"),
        );
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[0], "OK", "rule {rule}");
        for at in [1, 2, 4] {
            assert_eq!(
                lines[at].split(',').count(),
                2,
                "rule {rule}: {}",
                lines[at]
            );
        }
        assert_eq!(lines[3], "ERROR the rule cannot change during a game");
    }
    let said = piskvork_says("engine(nodes=500)", "START 15\r\nINFO rule 16\r\nBEGIN\r\n");
    let refused = said
        .lines()
        .filter(|line| line.starts_with("ERROR rule 16 is not supported"));
    assert_eq!(refused.count(), 2, "{said}");
}

/// The three cases of Gomocup's description of swap2.
#[test]
fn piskvork_opens_and_chooses_by_swap2() {
    let ask = |stones: &str| {
        let said = piskvork_says(
            "engine",
            &format!("START 15\r\nINFO timeout_turn 300\r\nSWAP2BOARD\r\n{stones}DONE\r\nEND\r\n"),
        );
        let answer = said.lines().nth(1).unwrap().to_owned();
        assert_eq!(said.lines().count(), 2, "{said}");
        answer
    };
    let cells = |answer: &str| -> Vec<(usize, usize)> {
        let cell = |word: &str| {
            let (x, y) = word.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        answer.split(' ').map(cell).collect()
    };
    let opened = cells(&ask(""));
    assert_eq!(opened.len(), 3);
    let mut distinct = opened.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 3);
    // Two black stones in the middle and a white one in the corner: Black is better.
    assert_eq!(ask("7,7\r\n0,0\r\n8,8\r\n"), "SWAP");
    // Two black stones in corners and a white one in the middle: White is better, and moves.
    assert_eq!(cells(&ask("0,0\r\n7,7\r\n14,14\r\n")).len(), 1);
    assert_eq!(ask("7,7\r\n0,0\r\n8,8\r\n14,14\r\n9,7\r\n"), "SWAP");
    for wrong in ["7,7\r\n", "7,7\r\n7,7\r\n8,8\r\n", "7,7\r\n99,1\r\n8,8\r\n"] {
        let answer = ask(wrong);
        assert!(answer.starts_with("ERROR SWAP2BOARD takes"), "{answer}");
    }
}

#[test]
fn after_swap2_the_game_continues_with_a_board() {
    let said = piskvork_says(
        "engine",
        "START 15\r\nINFO timeout_turn 200\r\n5,5\r\nSWAP2BOARD\r\n7,7\r\n0,0\r\n8,8\r\nDONE\r\n\
         BOARD\r\n7,7,1\r\n0,0,2\r\n8,8,1\r\n3,3,2\r\nDONE\r\nEND\r\n",
    );
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[1], "ERROR stone without SWAP2BOARD");
    assert_eq!(lines[2], "SWAP");
    assert_eq!(lines[3].split(',').count(), 2, "a move of Black");
}

/// 70 MB was the limit of Gomocup for many years. A limit is kept when the board changes.
#[test]
fn piskvork_keeps_to_the_memory_of_the_manager() {
    let engine_of = |input: &str| {
        let said = piskvork_says("engine", input);
        let about = said.lines().last().unwrap().to_owned();
        about.split('"').nth(1).unwrap().to_owned()
    };
    let limited = "papan engine(hash=36)";
    assert_eq!(engine_of("START 15\r\nABOUT\r\n"), "papan engine");
    let before = "INFO max_memory 70000000\r\nSTART 20\r\nABOUT\r\n";
    assert_eq!(engine_of(before), limited);
    let after = "START 15\r\nINFO max_memory 70000000\r\nINFO rule 4\r\nABOUT\r\n";
    assert_eq!(engine_of(after), limited);
    let none = "START 15\r\nINFO max_memory 0\r\nABOUT\r\n";
    assert_eq!(engine_of(none), "papan engine");
    let tiny = "START 15\r\nINFO max_memory 1\r\nABOUT\r\n";
    assert_eq!(engine_of(tiny), "papan engine(hash=1)");
}
