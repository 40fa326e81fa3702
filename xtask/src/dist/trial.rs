//! What is in the archives of a release is used, as the README says: unpack, run, play.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use super::{TRIAL, version};
use crate::command::{Skipped, command, exists};
use crate::cross::{Cross, WINDOWS, prepare_wine};
use crate::packages;
use crate::platforms::checked;

/// Prints why a trial was not possible; any other error remains one.
pub(super) fn unless_skipped(what: &str, result: anyhow::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.is::<Skipped>() => {
            println!("\n== {what} was not tried: {error:#}");
            Ok(())
        }
        result => result,
    }
}

/// Unpacks an archive, plays, solves and checks with its program.
pub(super) fn archive(cross: &Cross, archive: &Path) -> anyhow::Result<()> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    unless_skipped(&name, play(cross, archive))
}

fn play(cross: &Cross, archive: &Path) -> anyhow::Result<()> {
    prepare(cross)?;
    let folder = tempfile::tempdir()?;
    unpack(archive, folder.path())?;
    let mut trees = fs::read_dir(folder.path())?;
    let tree = trees.next().context("the archive is empty")??.path();
    ensure!(trees.next().is_none(), "the archive has one folder");
    let papan = |words: &[&str]| -> anyhow::Result<String> {
        checked(program(cross, &tree, "papan", words)?)
    };
    let named = papan(&["--version"])?;
    ensure!(named.contains(&version()?), "{named}");
    let players = ["--first", "perfect", "--second", "minimax"];
    let game = papan(&[&["play", "tictactoe", "--plain"][..], &players].concat())?;
    ensure!(game.contains("DRAW!"), "{game}");
    papan(&["solve", "tictactoe:4x4:3", "--certificate", "proof"])?;
    let proof = papan(&["check", "proof"])?;
    ensure!(proof.contains("the first player wins"), "{proof}");
    let words: Vec<&str> = TRIAL.0.split(' ').collect();
    let proof = papan(&words)?;
    ensure!(proof.contains(TRIAL.1), "{proof}");
    papan(&["automaton", "check", "automata/attack.txt"])?;
    println!("\n== {}: unpacked and played", archive.display());
    print!("{named}");
    choice(&tree.join(file_name(cross, FASTER)), || {
        papan(&["--version"])
    })
}

/// The program that the portable one starts where the processor permits.
pub(super) const FASTER: &str = "papan-x86-64-v3";

/// Checks that papan starts the faster build where that is installed, and runs without it.
pub(super) fn choice(
    faster: &Path,
    version: impl Fn() -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    // This program itself is compiled for such a processor (`.cargo/config.toml`).
    if !faster.is_file() || !cfg!(target_feature = "avx2") {
        return Ok(());
    }
    let with = version()?;
    ensure!(with.contains("AVX2+BMI2"), "with {FASTER}: {with}");
    fs::remove_file(faster)?;
    let without = version()?;
    ensure!(without.contains("portable"), "without {FASTER}: {without}");
    println!("== {FASTER} is started where it is installed");
    Ok(())
}

/// Unpacks the archive for managers of Gomocup and plays a whole game with the brain.
pub(super) fn brain(archive: &Path) -> anyhow::Result<()> {
    unless_skipped("the brain", answer(archive))
}

fn answer(archive: &Path) -> anyhow::Result<()> {
    prepare(&WINDOWS)?;
    let folder = tempfile::tempdir()?;
    unpack(archive, folder.path())?;
    let files = fs::read_dir(folder.path())?.count();
    let mut brain = program(&WINDOWS, folder.path(), "pbrain-papan", &[])?;
    let mut process = brain.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = process.stdin.take().context("standard input is piped")?;
    let output = process.stdout.take().context("standard output is piped")?;
    let mut lines = BufReader::new(output).lines();
    let mut ask = |commands: &str| -> anyhow::Result<String> {
        input.write_all(commands.as_bytes())?;
        Ok(lines
            .next()
            .context("the brain ended")??
            .trim_end()
            .to_owned())
    };
    let answer = ask("START 15\r\n")?;
    ensure!(answer == "OK", "pbrain-papan.exe answered {answer:?}");
    let limits = format!("INFO max_memory {BRAIN_MEMORY}\r\nINFO timeout_turn 500\r\n");
    let mut answer = ask(&format!("{limits}TURN 7,7\r\n"))?;
    // Stones that are never in a row: the brain wins.
    let mut opponent: Vec<Stone> = (0..64).map(|i| [i / 8 * 2, i % 8 * 2]).collect();
    let mut others = vec![[7, 7]];
    let mut stones: Vec<Stone> = Vec::new();
    loop {
        let stone = stone(&answer).filter(|stone| !others.contains(stone));
        let stone = stone.filter(|stone| !stones.contains(stone));
        let stone = stone.with_context(|| format!("pbrain-papan.exe answered {answer:?}"))?;
        stones.push(stone);
        if is_five(&stones) {
            break;
        }
        opponent.retain(|other| !stones.contains(other));
        let other = opponent.pop();
        let [x, y] = other.context("pbrain-papan.exe does not win")?;
        others.push([x, y]);
        answer = ask(&format!("TURN {x},{y}\r\n"))?;
    }
    let memory = private_memory(process.id())?;
    ensure!(
        memory <= BRAIN_MEMORY,
        "pbrain-papan.exe uses {memory} bytes of {BRAIN_MEMORY}"
    );
    input.write_all(b"END\r\n")?;
    ensure!(process.wait()?.success(), "pbrain-papan.exe failed");
    ensure!(
        fs::read_dir(folder.path())?.count() == files,
        "pbrain-papan.exe writes files"
    );
    let moves = stones.len();
    println!("\n== {}: unpacked, won in {moves} moves", archive.display());
    println!("== pbrain-papan.exe: {memory} bytes of memory, with those of wine");
    Ok(())
}

/// Column and row.
type Stone = [u8; 2];

/// Returns the stone of an answer `x,y` on the board.
fn stone(answer: &str) -> Option<Stone> {
    let (x, y) = answer.split_once(',')?;
    let stone: Stone = [x.parse().ok()?, y.parse().ok()?];
    stone.iter().all(|number| *number < 15).then_some(stone)
}

/// Returns whether five of these stones are in a row.
fn is_five(stones: &[Stone]) -> bool {
    let has = |x: i16, y: i16| stones.iter().any(|s| s.map(i16::from) == [x, y]);
    stones.iter().any(|stone| {
        let [x, y] = stone.map(i16::from);
        let mut directions = [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter();
        directions.any(|(dx, dy)| (1..5).all(|step| has(x + step * dx, y + step * dy)))
    })
}

/// Memory that managers of Gomocup grant in some leagues, in bytes.
const BRAIN_MEMORY: u64 = 70_000_000;

/// Returns the private memory of a process on Linux, in bytes.
fn private_memory(process: u32) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let number: u64 = number.context("RssAnon is in kB")?.parse()?;
    Ok(number * 1024)
}

fn prepare(cross: &Cross) -> anyhow::Result<()> {
    cross.install_emulator()?;
    if cross.target == WINDOWS.target {
        prepare_wine()?;
    }
    Ok(())
}

/// Returns the command that runs a program of an unpacked archive in its folder.
fn program(cross: &Cross, tree: &Path, name: &str, words: &[&str]) -> anyhow::Result<Command> {
    let program = tree.join(file_name(cross, name)).display().to_string();
    let mut command = cross.command(&program, words)?;
    command.current_dir(tree);
    Ok(command)
}

/// Returns the name of a program's file.
fn file_name(cross: &Cross, program: &str) -> String {
    if cross.target.contains("windows") {
        format!("{program}.exe")
    } else {
        program.to_owned()
    }
}

fn unpack(archive: &Path, folder: &Path) -> anyhow::Result<()> {
    let is_zip = archive.extension().is_some_and(|end| end == "zip");
    if is_zip && !exists("unzip") {
        packages::install(&["unzip"])?;
    }
    let (name, words): (&str, &[&str]) = if is_zip {
        ("unzip", &["-q"])
    } else {
        ("tar", &["-xzf"])
    };
    let mut unpack = command(name, words);
    unpack.arg(archive).current_dir(folder);
    checked(unpack).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_stones_in_a_row_end_the_game() {
        let row: Vec<Stone> = (0..5).map(|i| [i + 2, 9 - i]).collect();
        assert!(is_five(&row) && !is_five(&row[1..]));
        assert_eq!(stone("14,0"), Some([14, 0]));
        assert_eq!(stone("15,0"), None);
        assert_eq!(stone("ERROR 1,2"), None);
    }
}
