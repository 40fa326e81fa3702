//! Files that are written whole or not at all.

use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file beside the one that is there, syncs it, and renames it over: whoever looks
/// finds the old content or the new, after a power cut too.
///
/// # Errors
/// When the folder or the disk refuses; the old file is then untouched, and nothing half
/// written is left behind.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".papan-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any other file; the user's mask takes away what it wants.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_cannot_be_written_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.txt");
        write_atomic(&path, b"old").unwrap();
        write_atomic(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let taken = folder.path().join("folder");
        fs::create_dir(&taken).unwrap();
        assert!(write_atomic(&taken, b"a folder is not replaced by a file").is_err());
        assert!(write_atomic(&folder.path().join("no/such"), b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
