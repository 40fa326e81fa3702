//! Fuzz targets for the lines of engine protocols: GTP, UGI, Piskvork, NBoard and positions.

use papan_catalog::{AnyGame, StrategySpec};
use papan_protocol::{EngineCommand, gtp, nboard, piskvork, position_line, ugi};
use papan_strategies::Limits;

use crate::{Target, text, texts};

/// Parses a line, formats it, and asserts that parsing and formatting that again changes nothing.
macro_rules! round_trip {
    ($parse:path, $line:expr) => {
        if let Some(parsed) = $parse($line) {
            let formatted = parsed.to_string();
            let again = $parse(formatted.trim_end()).map(|again| again.to_string());
            assert_eq!(again, Some(formatted));
        }
    };
}

pub(crate) const GTP: Target = Target {
    name: "gtp",
    seeds: || {
        texts(&[
            "12 play b D3",
            "genmove white # now",
            "=7 F5",
            "? unknown command",
            "=1 a\r\r\nb\0\n",
            "time_settings 300 3 1",
        ])
    },
    run: |bytes| {
        let text = text(bytes);
        round_trip!(gtp::Response::parse, &text);
        text.lines()
            .for_each(|line| round_trip!(gtp::Command::parse, line));
    },
    cases: 10_000,
};

pub(crate) const UGI: Target = Target {
    name: "ugi",
    seeds: || {
        texts(&[
            "position startpos moves f5 d6",
            "go p1time 1000 p2time 900 p1inc 5 p2inc 5",
            "go movetime 50 nodes 10",
            "setoption name Hash value 16",
            "info depth 3 nodes 12 pv f5",
            "bestmove f5",
            "query p1turn",
            "response true",
        ])
    },
    run: |bytes| {
        for line in text(bytes).lines() {
            round_trip!(ugi::Command::parse, line);
            round_trip!(ugi::Reply::parse, line);
        }
    },
    cases: 10_000,
};

pub(crate) const PISKVORK: Target = Target {
    name: "piskvork",
    seeds: || {
        texts(&[
            "START 15",
            "RECTSTART 15,10",
            "TURN 7,8",
            "INFO timeout_turn 1000",
            "INFO rule 4",
            "SWAP2BOARD",
            "7,7 8,8 9,9",
            "SWAP",
            "7,7,1",
            "7,8",
            "MESSAGE hello",
            "name=\"x\", version=\"1\"",
        ])
    },
    run: |bytes| {
        for line in text(bytes).lines() {
            round_trip!(piskvork::Command::parse, line);
            round_trip!(piskvork::Reply::parse, line);
        }
    },
    cases: 10_000,
};

pub(crate) const NBOARD: Target = Target {
    name: "nboard",
    seeds: || {
        texts(&[
            "set game (;GM[Othello]B[f5];)",
            "set depth 12",
            "move F5/1.25/0.3",
            "hint 4",
            "ping 7",
            "=== F5/-0.50/1.2",
            "=== PA",
            "search F5D6C3 1.50 0 12",
            "nodestats 12 0.5",
            "set myname x",
        ])
    },
    run: |bytes| {
        for line in text(bytes).lines() {
            round_trip!(nboard::Command::parse, line);
            round_trip!(nboard::Reply::parse, line);
        }
    },
    cases: 10_000,
};

pub(crate) const POSITION_LINES: Target = Target {
    name: "position_lines",
    seeds: || {
        texts(&[
            "X-O------ X\n--------- X\n",
            "XXXOO---- O\nnonsense\n",
            "move:python3 'my program.py' --x=1",
            "ugi:papan engine ugi; Hash=16; margin=50ms",
        ])
    },
    run: |bytes| {
        let game: AnyGame = "tictactoe".parse().expect("a valid game name");
        let greedy: StrategySpec = "greedy".parse().expect("a valid strategy");
        let limits = Limits::default();
        let mut seat = game
            .seat(&greedy, &limits)
            .expect("greedy plays tic-tac-toe");
        let mut answers = Vec::new();
        let served = position_line::serve(&game, &mut *seat, limits, 1, bytes, &mut answers);
        if served.is_ok() {
            let answers = answers.split(|&byte| byte == b'\n').count() - 1;
            assert!(answers <= bytes.split(|&byte| byte == b'\n').count());
        }
        if let Ok(command) = text(bytes).parse::<EngineCommand>() {
            let again: EngineCommand =
                (command.to_string().parse()).expect("a formatted command is valid");
            assert_eq!(again.to_string(), command.to_string());
        }
    },
    cases: 2000,
};
