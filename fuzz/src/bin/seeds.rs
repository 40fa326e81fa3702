//! Writes the seed corpus of every target to a directory, one file per seed, for libFuzzer.

use std::path::PathBuf;

use papan_fuzz::TARGETS;

fn main() -> std::io::Result<()> {
    let folder: PathBuf = (std::env::args_os().nth(1))
        .expect("usage: seeds DIRECTORY")
        .into();
    for target in TARGETS {
        let corpus = folder.join(target.name);
        std::fs::create_dir_all(&corpus)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            std::fs::write(corpus.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
