//! Converts the seed corpora from and to the directories of libFuzzer, one file per input.
//!
//! `seeds write DIRECTORY` writes those of all targets to a directory each, `seeds collect TARGET
//! DIRECTORY` makes the inputs in a directory the corpus of a target in the repository.

use std::io;
use std::path::{Path, PathBuf};

use papan_fuzz::{TARGETS, corpus};

const USAGE: &str = "usage: seeds write DIRECTORY | seeds collect TARGET DIRECTORY";

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["write", folder] => write(&PathBuf::from(folder)),
        ["collect", target, folder] => collect(target, Path::new(folder)),
        _ => panic!("{USAGE}"),
    }
}

fn write(folder: &Path) -> io::Result<()> {
    for target in TARGETS {
        let folder = folder.join(target.name);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in target.corpus().iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}

fn collect(target: &str, folder: &Path) -> io::Result<()> {
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        inputs.push(std::fs::read(entry?.path())?);
    }
    corpus::write(target, inputs)
}
