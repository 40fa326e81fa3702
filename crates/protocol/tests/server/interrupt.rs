//! `stop`, `quit` and the end of the input act at once, whatever was sent before them.
//!
//! Every search here would take a minute or more.

use std::cell::Cell;
use std::io::{BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use papan_protocol::{EngineSession, Input, Protocol, gtp, nboard, piskvork, ugi};
use papan_strategies::Limits;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// The bound is 100 ms; the rest is for a machine that is busy with other tests.
const PROMPT: Duration = Duration::from_secs(5);

/// A server in a thread of its own.
struct Server {
    input: Option<PipeWriter>,
    output: Output,
    ended: Receiver<()>,
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Server {
    fn start(protocol: Protocol) -> Self {
        let game = match protocol {
            Protocol::Gtp | Protocol::NBoard | Protocol::PositionLine => "othello",
            Protocol::Ugi => "tictactoe:5x5:5",
            Protocol::Piskvork => "tictactoe:15x15:5",
        };
        let session = session(game, "mcts(playouts=100000000)").unwrap();
        Self::start_with(protocol, session)
    }

    fn start_with(protocol: Protocol, session: EngineSession) -> Self {
        let (reader, writer) = pipe().unwrap();
        let output = Output::default();
        let (sender, ended) = channel();
        let copy = output.clone();
        std::thread::spawn(move || {
            let input = Input::interactive(BufReader::new(reader));
            serve(protocol, session, input, copy);
            let _ = sender.send(());
        });
        Self {
            input: Some(writer),
            output,
            ended,
        }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn text(&self) -> String {
        String::from_utf8(self.output.0.lock().unwrap().clone()).unwrap()
    }

    /// Closes the input, or sends a command that does the same. Returns how long the session lasts
    /// then.
    fn assert_ends(mut self, quit: Option<&str>) -> Duration {
        let start = Instant::now();
        match quit {
            Some(quit) => self.send(quit),
            None => drop(self.input.take()),
        }
        let ended = self.ended.recv_timeout(PROMPT);
        assert_eq!(ended, Ok(()), "{}", self.text());
        start.elapsed()
    }

    /// Waits until the output contains a text, and returns how long that takes.
    fn assert_answers(&self, text: &str) -> Duration {
        let start = Instant::now();
        while !self.text().contains(text) {
            assert!(start.elapsed() < PROMPT, "{}", self.text());
            std::thread::sleep(Duration::from_millis(1));
        }
        start.elapsed()
    }
}

/// Returns a session that searches for a minute, if the strategy can play the game.
fn session(game: &str, strategy: &str) -> Option<EngineSession> {
    let limits = Limits {
        time: Some(Duration::from_secs(60)),
        ..Limits::default()
    };
    let strategy = strategy.parse().ok()?;
    EngineSession::new(game.parse().unwrap(), Some(strategy), limits, 1).ok()
}

fn serve(protocol: Protocol, mut session: EngineSession, input: Input, output: Output) {
    match protocol {
        Protocol::Gtp => gtp::serve(&mut session, input, output, |_| String::new()),
        Protocol::Ugi => ugi::serve(&mut session, input, output),
        Protocol::Piskvork => piskvork::serve(&mut session, input, output),
        Protocol::NBoard => nboard::serve(&mut session, input, output),
        Protocol::PositionLine => Ok(()),
    }
    .unwrap();
}

fn lines(protocol: Protocol) -> &'static [&'static str] {
    match protocol {
        Protocol::Gtp => &[
            "genmove b",
            "genmove w",
            "reg_genmove b",
            "papan-evaluation",
            "time_left b 600 0",
            "name",
            "clear_board",
            "undo",
            "",
        ],
        Protocol::Ugi => &[
            "go movetime 60000",
            "go infinite",
            "go ponder",
            "go ponder p1time 60000 p2time 60000",
            "go p1time 600000 p2time 600000",
            "ponderhit",
            "ugi",
            "isready",
            "position startpos moves 1 2",
            "query gameover",
            "setoption name Ponder value true",
            "setoption name MultiPV value 2",
            "uginewgame",
            "nonsense",
        ],
        Protocol::Piskvork => &[
            "START 15",
            "RESTART",
            "BEGIN",
            "TURN 7,7",
            "TURN 3,4",
            "INFO timeout_turn 60000",
            "INFO time_left 600000",
            "ABOUT",
            "BOARD",
            "1,1,2",
            "DONE",
        ],
        Protocol::NBoard => &[
            "nboard 2",
            "set depth 60",
            "go",
            "hint 2",
            "analyze",
            "move F5",
            "learn",
            "set contempt 0",
        ],
        Protocol::PositionLine => &[],
    }
}

/// The protocols that papan speaks as an engine with commands.
const SERVERS: [Protocol; 4] = [
    Protocol::Gtp,
    Protocol::Ugi,
    Protocol::Piskvork,
    Protocol::NBoard,
];

fn quit(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Piskvork => "END",
        _ => "quit",
    }
}

/// A protocol, and lines of it with the milliseconds to wait after each.
fn conversation() -> impl Strategy<Value = (Protocol, Vec<(&'static str, u64)>)> {
    (0..SERVERS.len()).prop_flat_map(|index| {
        let protocol = SERVERS[index];
        let pause = prop_oneof![3 => Just(0), 1 => 1..30_u64];
        let line = (proptest::sample::select(lines(protocol)), pause);
        (Just(protocol), proptest::collection::vec(line, 0..12))
    })
}

fn send_all(server: &mut Server, conversation: &[(&str, u64)]) {
    for &(line, pause) in conversation {
        server.send(line);
        std::thread::sleep(Duration::from_millis(pause));
    }
}

/// Runs 60 random cases, which return how long the server took, and prints the slowest.
fn assert_prompt<S: Strategy>(cases: S, run: impl Fn(S::Value) -> Duration) {
    let slowest = Cell::new(Duration::ZERO);
    let mut runner = TestRunner::new(ProptestConfig {
        max_shrink_iters: 20,
        ..ProptestConfig::with_cases(60)
    });
    let result = runner.run(&cases, |case| {
        slowest.set(slowest.get().max(run(case)));
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    println!("slowest of 60: {} ms", slowest.get().as_millis());
}

#[test]
fn quit_and_the_end_of_the_input_end_a_session() {
    let cases = (conversation(), any::<bool>());
    assert_prompt(cases, |((protocol, conversation), by_command)| {
        let mut server = Server::start(protocol);
        send_all(&mut server, &conversation);
        server.assert_ends(by_command.then(|| quit(protocol)))
    });
}

#[test]
fn stop_ends_every_search_before_it() {
    let line = (proptest::sample::select(lines(Protocol::Ugi)), 0..10_u64);
    assert_prompt(proptest::collection::vec(line, 1..8), |conversation| {
        let mut server = Server::start(Protocol::Ugi);
        send_all(&mut server, &conversation);
        server.send("stop");
        server.send("setoption name End value 1");
        let took = server.assert_answers("`End`");
        let searches = conversation
            .iter()
            .filter(|(line, _)| line.starts_with("go"))
            .count();
        assert_eq!(server.text().matches("bestmove").count(), searches);
        server.assert_ends(None);
        took
    });
}

#[test]
fn two_queued_ponder_searches_end_with_quit() {
    let mut server = Server::start(Protocol::Ugi);
    server.send("go ponder\ngo ponder");
    server.assert_ends(Some("quit"));
}

#[test]
fn quit_behind_another_command_ends_a_search() {
    for line in [
        "ugi",
        "position startpos",
        "query gameover",
        "setoption name Level value 3",
    ] {
        let mut server = Server::start(Protocol::Ugi);
        server.send("go movetime 60000");
        std::thread::sleep(Duration::from_millis(20));
        server.send(line);
        server.assert_ends(Some("quit"));
    }
}

/// For each protocol, the games of its engines and lines that begin a search.
const SEARCHES: [(Protocol, &[&str], &str); 4] = [
    (Protocol::Gtp, &["othello", "othello:6x6"], "genmove b"),
    (
        Protocol::Ugi,
        &[
            "othello",
            "gomoku",
            "renju",
            "tictactoe:15x15:5",
            "tictactoe:4x4x4",
            "tictactoe:5x5:4",
            "tictactoe:4x4",
        ],
        "go infinite",
    ),
    (
        Protocol::Piskvork,
        &["tictactoe:15x15:5", "gomoku"],
        "START 15\nINFO timeout_turn 60000\nBEGIN",
    ),
    (Protocol::NBoard, &["othello"], "set depth 60\ngo"),
];

#[test]
fn every_strategy_is_interrupted_in_every_protocol() {
    let mut slowest = (Duration::ZERO, String::new());
    let mut searched = 0;
    for (protocol, games, lines) in SEARCHES {
        for game in games {
            for strategy in papan_catalog::STRATEGIES {
                let Some(session) = session(game, strategy.name) else {
                    continue;
                };
                let name = format!("{} at {game} with {protocol:?}", strategy.name);
                let mut server = Server::start_with(protocol, session);
                server.send(lines);
                std::thread::sleep(Duration::from_millis(50));
                searched += usize::from(!server.text().contains("bestmove"));
                let mut took = Duration::ZERO;
                if protocol == Protocol::Ugi {
                    server.send("stop");
                    took = server.assert_answers("bestmove");
                }
                took = took.max(server.assert_ends(None));
                slowest = slowest.max((took, name));
            }
        }
    }
    assert!(searched > 50, "only {searched} searches were interrupted");
    println!(
        "slowest of {searched}: {} ms, {}",
        slowest.0.as_millis(),
        slowest.1
    );
}
