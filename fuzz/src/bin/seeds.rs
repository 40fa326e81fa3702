//! Writes the good examples of every target under a folder, as libFuzzer wants them.

use std::path::PathBuf;

use papan_fuzz::TARGETS;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.expect("the first argument is a folder");
    for target in TARGETS {
        let corpus = folder.join(target.name);
        std::fs::create_dir_all(&corpus)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            std::fs::write(corpus.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
