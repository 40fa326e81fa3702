//! Tests of the HTML report and the live page of `papan arena`.

mod shell;
mod tournament;

use std::fs;
use std::process::Stdio;

use tournament::{output, papan, text};

#[test]
fn the_html_report_holds_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    let results = folder.path().join("r");
    let done = output(&[
        "arena",
        "othello:4x4",
        "--players",
        "random,perfect",
        "--games",
        "10",
        "--html",
        page.to_str().unwrap(),
        "--results",
        results.to_str().unwrap(),
    ]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let html = fs::read_to_string(&page).unwrap();
    let games = html
        .split("const games = `")
        .nth(1)
        .unwrap()
        .split('`')
        .next()
        .unwrap();
    assert_eq!(games.lines().count(), 10);
    assert!(html.contains("<svg") && html.contains("Cross table"));
    for outside in ["http://", "https://", "src=", "href=", "@import"] {
        assert!(
            !html.contains(outside),
            "one file needs nothing from elsewhere: {outside}"
        );
    }
}

#[test]
fn a_running_tournament_is_shown_in_the_browser() {
    use std::io::{BufRead as _, Read as _, Write as _};
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("r");
    let mut child = papan(&[
        "arena",
        "othello",
        "--players",
        "mcts(playouts=3000),random",
        "--games",
        "10000",
        "--concurrency",
        "2",
        "--live",
        "127.0.0.1:0",
        "--results",
        results.to_str().unwrap(),
    ])
    .stdout(Stdio::null())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    let mut line = String::new();
    let mut errors = std::io::BufReader::new(child.stderr.take().unwrap());
    errors.read_line(&mut line).unwrap();
    let address = line
        .split("http://")
        .nth(1)
        .unwrap_or_else(|| panic!("{line}"));
    let address = address.trim().trim_end_matches('/').to_owned();
    let ask = |path: &str| {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n").unwrap();
        let mut page = String::new();
        stream.read_to_string(&mut page).unwrap();
        page
    };
    // The table is empty at first; boards appear when games have started.
    let page = loop {
        let page = ask("/");
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");
        if page.contains("<figure><svg") {
            break page;
        }
    };
    child.kill().unwrap();
    child.wait().unwrap();
    for part in [
        "mcts(playouts=3000)",
        "of 10000 games played",
        "<th scope=\"row\">random",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}
