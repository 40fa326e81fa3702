//! Lines of the engine protocols, as they come from programs that papan did not write.

use papan_protocol::{gtp, nboard, piskvork, ugi};

use crate::{Target, text, texts};

/// What is read and written again is in its own form: reading that changes nothing.
macro_rules! again {
    ($read:path, $line:expr) => {
        if let Some(found) = $read($line) {
            let written = found.to_string();
            let again = $read(written.trim_end()).map(|again| again.to_string());
            assert_eq!(again, Some(written));
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
    read: |bytes| {
        let text = text(bytes);
        again!(gtp::Response::parse, &text);
        text.lines()
            .for_each(|line| again!(gtp::Command::parse, line));
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
    read: |bytes| {
        for line in text(bytes).lines() {
            again!(ugi::Command::parse, line);
            again!(ugi::Reply::parse, line);
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
            "7,7,1",
            "7,8",
            "MESSAGE hello",
            "name=\"x\", version=\"1\"",
        ])
    },
    read: |bytes| {
        for line in text(bytes).lines() {
            again!(piskvork::Command::parse, line);
            again!(piskvork::Reply::parse, line);
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
    read: |bytes| {
        for line in text(bytes).lines() {
            again!(nboard::Command::parse, line);
            again!(nboard::Reply::parse, line);
        }
    },
    cases: 10_000,
};
