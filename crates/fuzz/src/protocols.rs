//! Lines of the engine protocols, as they come from programs that papan did not write.

use papan_arena::protocol::{gtp, piskvork, ugi};

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
