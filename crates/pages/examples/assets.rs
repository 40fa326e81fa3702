//! Writes the files that pages link to into a folder: `assets FOLDER`, for the static site.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("usage: assets FOLDER"))?;
    // Files of an earlier build would stay.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for asset in papan_pages::assets::all() {
        fs::write(folder.join(asset.name), &*asset.text)?;
    }
    Ok(())
}
