//! Tests of the `papan serve` process: no acknowledged move is lost when it is killed under load,
//! and it shuts down gracefully on SIGTERM.
#![cfg(feature = "serve")]

mod machines;

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use machines::{Client, Server};
use serde_json::{Value, json};

/// Acknowledged moves by game.
type Acknowledged = Arc<Mutex<HashMap<String, Vec<String>>>>;

/// Plays games between two players at one screen until the server is gone.
fn play(address: &str, acknowledged: &Acknowledged, stop: &AtomicBool) -> std::io::Result<()> {
    let mut client = Client::connect(address)?;
    while !stop.load(Ordering::Relaxed) {
        let (status, made) = client.ask("POST", "/games", &json!({ "game": "tictactoe:5x5" }))?;
        assert_eq!(status, 201, "{made}");
        let id = made["id"].as_str().unwrap().to_owned();
        let path = format!("/games/{id}/moves");
        for number in 1..=12 {
            // No row, column or diagonal is completed by these moves.
            let mv = number.to_string();
            let (status, answer) = client.ask("POST", &path, &json!({ "move": mv }))?;
            assert_eq!(status, 200, "{answer}");
            acknowledged
                .lock()
                .unwrap()
                .entry(id.clone())
                .or_default()
                .push(mv);
        }
    }
    Ok(())
}

#[test]
fn a_server_killed_under_load_has_every_acknowledged_move_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let acknowledged = Acknowledged::default();
    for round in 1..=3 {
        let server = Server::start(folder.path(), &[]);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    // The connection breaks when the server is killed.
                    let _ = play(&server.address, &acknowledged, &stop);
                });
            }
            let before = acknowledged
                .lock()
                .unwrap()
                .values()
                .map(Vec::len)
                .sum::<usize>();
            loop {
                std::thread::sleep(Duration::from_millis(20));
                let moves = acknowledged
                    .lock()
                    .unwrap()
                    .values()
                    .map(Vec::len)
                    .sum::<usize>();
                if moves - before > 300 * round {
                    break;
                }
            }
            server.signal("-KILL");
            stop.store(true, Ordering::Relaxed);
        });
    }
    let server = Server::start(folder.path(), &[]);
    let mut client = Client::connect(&server.address).unwrap();
    let acknowledged = acknowledged.lock().unwrap();
    assert!(acknowledged.values().map(Vec::len).sum::<usize>() > 1000);
    for (id, moves) in acknowledged.iter() {
        let (status, state) = client
            .ask("GET", &format!("/games/{id}"), &Value::Null)
            .unwrap();
        assert_eq!(status, 200, "game {id} is gone");
        let kept: Vec<&str> = state["moves"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        // One more move may have been stored before the server was killed.
        assert!(kept.len() >= moves.len(), "{id}: {kept:?} after {moves:?}");
        assert!(kept.iter().zip(moves).all(|(a, b)| a == b));
        assert_eq!(state["version"], kept.len());
    }
}

#[test]
fn programs_of_the_operator_play_and_a_crash_ends_one_game_only() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("first_free.py");
    let text = "import sys\nfor line in sys.stdin:\n    cells = line.split()[0]\n    \
                if len(cells) != 9 or cells.count('-') < 6:\n        raise SystemExit(3)\n    \
                print(cells.index('-') + 1, flush=True)\n";
    std::fs::write(&program, text).unwrap();
    let papan = env!("CARGO_BIN_EXE_papan");
    let student = format!("Student=move:python3 {}", program.display());
    let own = format!("Own(tictactoe:4x4)=ugi:{papan} engine ugi --strategy greedy");
    let options = ["--player", &student, "--player", &own];
    let server = Server::start(folder.path(), &options);
    let mut client = Client::connect(&server.address).unwrap();
    let new_game = |client: &mut Client, game: &str, second: &str| {
        let body = json!({ "game": game, "second": second });
        client.ask("POST", "/games", &body).unwrap()
    };
    // Tried with every board, it is offered for the one that it answers.
    let (status, _) = new_game(&mut client, "tictactoe:4x4", "program:Student");
    assert_eq!(status, 422);
    for round in 0..2 {
        let (status, made) = new_game(&mut client, "tictactoe", "program:Student");
        assert_eq!(status, 201, "{made}");
        let path = format!("/games/{}", made["id"].as_str().unwrap());
        let mut state = Value::Null;
        for (mv, moves) in [("5", 2), ("9", 3)] {
            let moved = json!({ "move": mv });
            let (status, answer) = client
                .ask("POST", &format!("{path}/moves"), &moved)
                .unwrap();
            assert_eq!(status, 200, "{answer}");
            loop {
                state = client.ask("GET", &path, &Value::Null).unwrap().1;
                let played = state["moves"].as_array().unwrap().len();
                if played >= moves && (played.is_multiple_of(2) || !state["result"].is_null()) {
                    break;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        // It gives up with six free cells; the server does not, and starts it again.
        assert_eq!(
            state["moves"],
            json!(["5", "1", "9", "2"]),
            "{round}: {state}"
        );
        let moved = json!({ "move": "8" });
        client
            .ask("POST", &format!("{path}/moves"), &moved)
            .unwrap();
        loop {
            state = client.ask("GET", &path, &Value::Null).unwrap().1;
            if !state["result"].is_null() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(state["reason"], "no-answer", "{state}");
    }
    let (status, made) = new_game(&mut client, "tictactoe:4x4", "program:Own");
    assert_eq!(status, 201, "{made}");
}

#[test]
fn a_program_that_does_not_run_is_an_error_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let start = |player: &str| {
        let papan = env!("CARGO_BIN_EXE_papan");
        let mut command = Command::new(papan);
        command.args(["--lang", "en", "serve", "--listen", "127.0.0.1:0", "--data"]);
        command.arg(folder.path()).args(["--player", player]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let error = start("A=move:no-such-program-here");
    assert!(
        error.contains("cannot start `no-such-program-here`"),
        "{error}"
    );
    let error = start("A(othello)=move:echo 99");
    assert!(
        error.contains("--player A: it does not play othello"),
        "{error}"
    );
    let error = start("A=minimax");
    assert!(error.contains("is a strategy of papan"), "{error}");
}

#[test]
fn sigterm_closes_event_streams_and_ends_the_server() {
    let folder = tempfile::tempdir().unwrap();
    // An event stream has no end of its own, so the server must close it.
    let mut server = Server::start(folder.path(), &["--shutdown-deadline", "100000"]);
    let mut client = Client::connect(&server.address).unwrap();
    let (_, made) = client
        .ask("POST", "/games", &json!({ "game": "othello" }))
        .unwrap();
    let path = format!("/games/{}/events", made["id"].as_str().unwrap());
    let mut stream = TcpStream::connect(&server.address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    let mut first = [0; 15];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    server.signal("-TERM");
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    let ended = server.process.wait().unwrap();
    assert!(ended.success());
}

#[test]
fn shutdown_does_not_exceed_its_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &["--shutdown-deadline", "1"]);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let half = "POST /games HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n\
        content-type: application/json\r\ncontent-length: 9\r\n\r\n";
    stream.write_all(half.as_bytes()).unwrap();
    // The server has read the head and waits for the body, which never comes.
    let mut seen = [0; 21];
    stream.read_exact(&mut seen).unwrap();
    assert_eq!(&seen, b"HTTP/1.1 100 Continue");
    server.signal("-TERM");
    assert!(server.process.wait().unwrap().success());
}

#[test]
fn an_incomplete_request_times_out() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(
        folder.path(),
        &["--head-timeout", "1", "--request-timeout", "1"],
    );
    let half_a_body = "POST /games HTTP/1.1\r\nhost: localhost\r\n\
        content-type: application/json\r\ncontent-length: 100\r\n\r\n{\"game\":";
    for half in ["GET / HTTP/1.1\r\nhost: loc", "", half_a_body] {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(half.as_bytes()).unwrap();
        // Returns when the server closes the connection.
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(!rest.starts_with(b"HTTP/1.1 2"), "{half:?}");
    }
}

/// Returns the number of open connections from the server's metrics.
fn connections(address: &str) -> u64 {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = "GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let count = text
        .lines()
        .find_map(|line| line.strip_prefix("papan_connections "));
    count.unwrap_or_else(|| panic!("{text}")).parse().unwrap()
}

#[test]
fn a_client_that_does_not_read_is_disconnected() {
    let folder = tempfile::tempdir().unwrap();
    // The head of the next request is always available, so that only writing can stall.
    let server = Server::start(folder.path(), &["--write-timeout", "1"]);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let timeout = Some(Duration::from_secs(2));
    stream.set_write_timeout(timeout).unwrap();
    let request = "GET / HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\n\r\n".repeat(100);
    // Eventually the server blocks or closes the connection.
    for _ in 0..1000 {
        if stream.write_all(request.as_bytes()).is_err() {
            break;
        }
    }
    while connections(&server.address) > 1 {
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn an_event_stream_that_is_read_stays_connected() {
    let folder = tempfile::tempdir().unwrap();
    let short = [
        "--write-timeout",
        "1",
        "--head-timeout",
        "1",
        "--request-timeout",
        "1",
    ];
    let server = Server::start(folder.path(), &short);
    let mut client = Client::connect(&server.address).unwrap();
    let (_, made) = client
        .ask("POST", "/games", &json!({ "game": "tictactoe" }))
        .unwrap();
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    let stream = TcpStream::connect(&server.address).unwrap();
    write!(
        &stream,
        "GET {game}/events HTTP/1.1\r\nhost: localhost\r\n\r\n"
    )
    .unwrap();
    let mut lines = BufReader::new(stream).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "HTTP/1.1 200 OK");
    // A silent client is disconnected after a second; three of them in a row last longer than any
    // other limit.
    for _ in 0..3 {
        let mut silent = TcpStream::connect(&server.address).unwrap();
        silent.write_all(b"GET / HTTP/1.1\r\nhost: loc").unwrap();
        let _ = silent.read_to_end(&mut Vec::new());
    }
    let cookie = client.cookie;
    let mut client = Client::connect(&server.address).unwrap();
    client.cookie = cookie;
    let moves = format!("{game}/moves");
    client.ask("POST", &moves, &json!({ "move": "5" })).unwrap();
    assert!(lines.any(|line| line.unwrap().contains(r#""move":"5""#)));
}

#[test]
fn metrics_can_have_an_address_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    // A port that was free a moment ago.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let back_door = free.local_addr().unwrap().to_string();
    drop(free);
    let server = Server::start(folder.path(), &["--metrics-listen", &back_door]);
    for (address, path, expected) in [
        (&server.address, "/metrics", 404),
        (&server.address, "/health", 200),
        (&back_door, "/metrics", 200),
        (&back_door, "/health", 200),
        (&back_door, "/", 404),
    ] {
        let mut client = Client::connect(address).unwrap();
        let (status, _) = client.ask("GET", path, &Value::Null).unwrap();
        assert_eq!(status, expected, "{address}{path}");
    }
}

#[test]
fn connections_per_address_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--connections-per-address", "3"]);
    let mut clients: Vec<Client> = (0..4)
        .map(|_| Client::connect(&server.address).unwrap())
        .collect();
    let answers = clients
        .iter_mut()
        .map(|client| client.ask("GET", "/health", &Value::Null));
    let answered = answers.filter(|answer| answer.as_ref().is_ok_and(|(status, _)| *status == 200));
    assert_eq!(answered.count(), 3);
}

/// Without a limit of its own the server would accept connections until it can open no file.
#[test]
fn connections_follow_the_limit_on_open_files() {
    let folder = tempfile::tempdir().unwrap();
    let script = "ulimit -n 200; exec \"$0\" serve --listen 127.0.0.1:0 --log error \
        --connections-per-address 1000 --data \"$1\"";
    let mut process = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_papan")])
        .arg(folder.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let output = process.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut line).unwrap();
    let address = line.split('/').nth(2).unwrap().to_owned();
    let server = Server { process, address };
    let mut first = Client::connect(&server.address).unwrap();
    let new_game = json!({ "game": "tictactoe" });
    assert_eq!(first.ask("POST", "/games", &new_game).unwrap().0, 201);
    let mut held: Vec<Client> = (0..400)
        .filter_map(|_| Client::connect(&server.address).ok())
        .collect();
    let answers = held
        .iter_mut()
        .map(|client| client.ask("GET", "/health", &Value::Null));
    let answered = answers
        .filter(|answer| answer.as_ref().is_ok_and(|(status, _)| *status == 200))
        .count();
    assert_eq!(answered, 200 - 96 - 1, "96 files are for the rest");
    assert_eq!(first.ask("POST", "/games", &new_game).unwrap().0, 201);
}

#[test]
fn invalid_options_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    for (options, sentence) in [
        (["--database", "mysql://x"], "sqlite:FILE"),
        (["--public-url", "play.example"], "https://HOST"),
        (["--changes-per-second", "0"], "greater than 0"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_papan"));
        let output = command
            .arg("serve")
            .arg("--data")
            .arg(folder.path())
            .args(options);
        let output = output.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(sentence), "{error}");
    }
}

#[test]
fn refusals_are_logged_once_per_address_without_colours() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    // Ten pages at once; four of the proofs are accepted.
    let options = ["--pages-per-second", "1"];
    let data = folder.path().join("data");
    let server = Server::start_logging(&data, &options, &log);
    let mut client = Client::connect(&server.address).unwrap();
    let (_, made) = client
        .ask("POST", "/games", &json!({ "game": "tictactoe" }))
        .unwrap();
    let picture = format!("/games/{}/board.png", made["id"].as_str().unwrap());
    let mut refused = 0;
    for seed in 0..20 {
        let strategy = format!("mcts(playouts=1000,seed={seed})");
        let proof = format!("/proof?game=tictactoe:4x4&strategy={strategy}&as=first");
        for path in [&proof, &picture] {
            let status = client.ask("GET", path, &Value::Null).unwrap().0;
            assert!(status < 500, "{path}: {status}");
            refused += usize::from(status == 429);
        }
    }
    assert!(refused >= 20, "{refused} of 40");
    assert!(server.stop());
    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("refused"))
        .collect();
    let [line] = lines[..] else {
        panic!("one line for {refused} refusals: {log}");
    };
    assert!(line.contains("WARN") && line.contains("429"), "{line}");
    assert!(!log.contains("ERROR"), "{log}");
    // A log in a file is text.
    assert!(!log.contains('\u{1b}'), "{log:?}");
}
