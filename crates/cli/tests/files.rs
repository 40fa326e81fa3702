//! Tests of `papan convert` and `papan games`.

mod shell;

use std::path::Path;
use std::process::Output;

use shell::text;

fn papan(folder: &Path, words: &[&str], input: &[u8]) -> Output {
    shell::run(shell::papan(folder, words), input)
}

#[test]
fn a_transcript_becomes_sgf_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let sgf = papan(
        folder.path(),
        &["convert", "-", "game.sgf"],
        b"f5d6c3d3c4\n",
    );
    assert!(sgf.status.success(), "{}", text(&sgf.stderr));
    let back = papan(folder.path(), &["convert", "game.sgf", "--to", "txt"], b"");
    assert_eq!(text(&back.stdout), "f5d6c3d3c4\n");
}

#[test]
fn valid_games_are_converted_and_invalid_ones_reported_with_their_location() {
    let folder = tempfile::tempdir().unwrap();
    let out = papan(
        folder.path(),
        &["convert", "-", "--to", "ggf"],
        b"f5d6\nf5zz\n",
    );
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(text(&out.stdout).lines().count(), 1);
    assert!(
        text(&out.stderr).contains("standard input: line 2, column 3: "),
        "{}",
        text(&out.stderr)
    );
    assert!(text(&out.stderr).contains("1 of 2 could not be read"));
}

#[test]
fn a_failed_conversion_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["convert", "-", "game.sgf", "--game", "tictactoe:4x4"];
    let out = papan(folder.path(), &words, b"1 2 3\n");
    assert_eq!(out.status.code(), Some(2));
    assert!(
        text(&out.stderr).contains("a sgf file cannot hold a game of tictactoe:4x4; a record can")
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let binary = papan(
        folder.path(),
        &["convert", "-", "--to", "txt"],
        b"\x7fELF\xff\x00",
    );
    assert_eq!(binary.status.code(), Some(2));
    assert!(
        text(&binary.stderr).contains("byte 5 is not text"),
        "{}",
        text(&binary.stderr)
    );
}

#[test]
fn a_collection_is_searched_by_player_year_and_position() {
    let folder = tempfile::tempdir().unwrap();
    let games = "(;GM[2]PB[Ann]PW[Bo]DT[1999-05-01];B[f5];W[d6];B[c3])\n\
                 (;GM[2]PB[Cy]PW[Ann]DT[2004];B[c4];W[e3];B[f6];W[e6])\n\
                 (;GM[2]PB[Cy]PW[Bo]DT[2005];B[f5];W[f6])\n";
    std::fs::write(folder.path().join("all.sgf"), games).unwrap();
    let count = |words: &[&str]| {
        let words = [&["games", "all.sgf", "--json"], words].concat();
        let out = papan(folder.path(), &words, b"");
        let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        (
            json["found"]["games"].as_u64().unwrap(),
            json["replies"].clone(),
        )
    };
    assert_eq!(count(&[]).0, 3);
    assert_eq!(count(&["--player", "ann"]).0, 2);
    assert_eq!(count(&["--year", "2000-2010"]).0, 2);
    // The second game is a rotation of the first.
    let (found, replies) = count(&["--moves", "f5d6"]);
    assert_eq!(found, 2);
    let moves: Vec<&str> = replies
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["move"].as_str().unwrap())
        .collect();
    assert_eq!(moves, ["c3"]);
    let none = papan(
        folder.path(),
        &["games", "all.sgf", "--player", "nobody"],
        b"",
    );
    assert_eq!(none.status.code(), Some(1));
}

/// What is at the path of the output stays what it is.
#[cfg(unix)]
mod outputs {
    use std::fs;
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
    use std::process::Command;

    use super::*;

    const GAME: &[u8] = b"f5d6c3d3c4\n";

    fn convert(folder: &Path, to: &str) {
        let out = papan(folder, &["convert", "-", to, "--to", "txt"], GAME);
        assert!(out.status.success(), "{to}: {}", text(&out.stderr));
    }

    fn succeeds(program: &str, path: &Path, words: &[&str]) -> bool {
        let status = Command::new(program).arg(path).args(words).output();
        status.is_ok_and(|output| output.status.success())
    }

    #[test]
    fn a_device_is_written_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        // A second node of /dev/null, so that a faulty writer replaces that one. Only root may make
        // it, and not every file system opens it.
        let null = folder.path().join("null");
        let is_made = succeeds("mknod", &null, &["c", "1", "3"]);
        if !is_made || fs::write(&null, "").is_err() {
            return;
        }
        convert(folder.path(), "null");
        assert!(fs::metadata(&null).unwrap().file_type().is_char_device());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_is_followed_and_the_mode_of_its_target_kept() {
        let folder = tempfile::tempdir().unwrap();
        let [target, link] = ["target.txt", "link.txt"].map(|name| folder.path().join(name));
        fs::write(&target, "a longer text than the game\n").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("target.txt", &link).unwrap();
        convert(folder.path(), "link.txt");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&target).unwrap(), GAME);
        let mode = fs::metadata(&target).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_fifo_is_written_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        assert!(succeeds("mkfifo", &fifo, &[]));
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::read(fifo).unwrap()
        });
        convert(folder.path(), "fifo");
        assert!(fs::metadata(&fifo).unwrap().file_type().is_fifo());
        assert_eq!(reader.join().unwrap(), GAME);
    }
}
