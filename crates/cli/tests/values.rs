//! Tests of `papan solve` and `papan check` on k-in-a-row boards.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn papan(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papan"));
    command.args(["--lang", "en"]).args(arguments);
    command
        .env_remove("PAPAN_LANG")
        .output()
        .expect("papan runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The quick rows of docs/values.md: board, value and message.
fn rows() -> Vec<(String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/values.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let name = cells
            .get(1)?
            .strip_prefix("`tictactoe")?
            .strip_suffix('`')?;
        let quick = cells.get(6)?.contains("quick");
        quick.then(|| (format!("tictactoe{name}"), cells[3].to_owned()))
    };
    page.lines().filter_map(row).collect()
}

#[test]
fn the_quick_rows_of_the_page_are_made_again_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = rows();
    assert!(rows.len() >= 8, "{rows:?}");
    for (game, value) in rows {
        let file = folder.path().join("certificate");
        let file = file.to_str().expect("a path");
        let solved = papan(&["solve", &game, "--certificate", file]);
        let expected = match value.as_str() {
            "draw" => "A draw.",
            "first" => "The first player wins.",
            other => panic!("{game}: {other}"),
        };
        assert!(
            text(&solved).starts_with(expected),
            "{game}: {}",
            text(&solved)
        );
        let checked = papan(&["check", file]);
        assert!(checked.status.success(), "{game}: {}", text(&checked));
        assert!(text(&checked).starts_with(&game), "{}", text(&checked));
    }
}

#[test]
fn a_board_with_lines_along_one_axis_is_solved() {
    let solved = papan(&["solve", "tictactoe:4x5:5", "--time", "60s"]);
    assert!(text(&solved).starts_with("A draw."), "{}", text(&solved));
}

#[test]
fn freestyle_gomoku_is_solved_as_a_grid_in_its_own_notation() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("certificate");
    let file = file.to_str().expect("a path");
    let moves = ["--moves", "h8 a1 i8 a2 j8 a3 k8", "--certificate", file];
    let solved = papan(&[&["solve", "gomoku"][..], &moves[..]].concat());
    assert!(text(&solved).starts_with("The first player wins."));
    for game in ["gomoku", "tictactoe:15x15:5"] {
        let checked = papan(&["check", file, "--game", game]);
        assert!(checked.status.success(), "{}", text(&checked));
        assert!(text(&checked).starts_with("tictactoe:15x15:5"));
    }
    let renju = papan(&[&["solve", "renju"][..], &moves[..]].concat());
    assert_eq!(renju.status.code(), Some(3));
}

#[test]
fn the_replies_in_a_position_are_proved_and_the_search_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a path");
    let game = ["solve", "tictactoe:4x4:3", "--moves", "6"];
    let study = [&game[..], &["--replies", path, "--jobs", "local:2"]].concat();
    // Nothing is proved within no time.
    let stopped = papan(&[&study[..], &["--time", "0s"]].concat());
    assert_eq!(stopped.status.code(), Some(3), "{}", text(&stopped));
    let proved = papan(&study);
    assert_eq!(proved.status.code(), Some(0), "{}", text(&proved));
    assert!(text(&proved).ends_with("\n9 of 9 replies lose, proved.\n"));
    let file = |name: &str| folder.path().join(name);
    for number in 1..=16 {
        let certificate = file(&format!("{number}.certificate"));
        if certificate.exists() {
            let checked = papan(&["check", certificate.to_str().expect("a path")]);
            assert!(text(&checked).contains("the first player wins"));
        }
    }
    assert_eq!(text(&papan(&study)), text(&proved), "everything is known");
    // A proof of another reply is not taken for this one.
    std::fs::copy(file("1.certificate"), file("2.certificate")).expect("copied");
    let refused = papan(&study);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("2.certificate"));
    std::fs::remove_file(file("2.certificate")).expect("removed");
    assert_eq!(papan(&study).status.code(), Some(0));
}

#[test]
fn an_undecided_value_is_reported_and_resumed_from_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("search");
    let file = file.to_str().expect("a path");
    for _ in 0..2 {
        let stopped = papan(&[
            "solve",
            "tictactoe:4x4x4",
            "--time",
            "50ms",
            "--resume",
            file,
        ]);
        assert_eq!(stopped.status.code(), Some(3), "{}", text(&stopped));
        assert!(text(&stopped).contains("the first player draws or better"));
    }
    let other = papan(&["solve", "tictactoe:7x7:5", "--resume", file]);
    assert_eq!(other.status.code(), Some(2));
    let json = papan(&["solve", "tictactoe:4x4x4", "--time", "10ms", "--json"]);
    assert!(text(&json).contains(r#""score":null,"unit":null,"bound":"unknown""#));
}

#[test]
fn a_tampered_certificate_is_refused_with_exit_code_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("certificate");
    let path = file.to_str().expect("a path");
    assert!(
        papan(&["solve", "tictactoe:3x4", "--certificate", path])
            .status
            .success()
    );
    assert!(papan(&["check", path, "--json"]).status.success());
    let mut bytes = std::fs::read(&file).expect("the file");
    let middle = bytes.len() - 30;
    bytes[middle] ^= 1;
    std::fs::write(&file, &bytes).expect("written");
    let refused = papan(&["check", path]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused).contains("rejected"), "{}", text(&refused));
    let other = papan(&["check", path, "--game", "othello"]);
    assert_eq!(other.status.code(), Some(1));
}

#[test]
fn the_proved_replies_to_h8_have_certificates() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/values");
    let page = std::fs::read_to_string(folder.join("15x15.md")).expect("the page");
    let rows = page.lines().filter(|row| row.contains("| loses |"));
    let names: Vec<&str> = rows
        .map(|row| row.split(' ').nth(1).expect("a reply"))
        .collect();
    assert!(!names.is_empty());
    for name in names {
        let file = folder.join(format!("h8/{name}.certificate"));
        let checked = papan(&["check", file.to_str().expect("a path"), "--game", "gomoku"]);
        let text = text(&checked);
        assert!(text.starts_with("tictactoe:15x15:5"), "{name}: {text}");
        assert!(
            text.ends_with("X: the first player wins.\n"),
            "{name}: {text}"
        );
    }
}

#[test]
fn the_certificates_that_come_with_papan_are_believed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/certificates");
    let files = std::fs::read_dir(folder).expect("the folder");
    let files = files.map(|entry| entry.expect("an entry").path());
    let files: Vec<_> = files
        .filter(|f| f.extension().is_some_and(|e| e == "certificate"))
        .collect();
    assert!(files.len() >= 15, "{files:?}");
    for file in &files {
        let checked = papan(&["check", file.to_str().expect("a path")]);
        assert!(
            checked.status.success(),
            "{}: {}",
            file.display(),
            text(&checked)
        );
    }
    // `cargo xtask values` checks the others, for which Python takes up to half a minute.
    let is_small = |file: &&PathBuf| std::fs::metadata(file).is_ok_and(|file| file.len() < 50_000);
    let small: Vec<_> = files.iter().filter(is_small).collect();
    assert!(small.len() >= 15, "{small:?}");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/check_certificate.py");
    let checked = Command::new("python3").arg(script).args(small).output();
    let checked = checked.expect("python3 is installed");
    assert!(checked.status.success(), "{}", text(&checked));
}
