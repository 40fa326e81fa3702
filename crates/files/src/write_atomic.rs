//! Atomic file replacement: write a temporary file, sync it, rename it over the old one.
//!
//! A reader sees either the old contents or the new, also after a crash. Only regular files are
//! replaced; devices and pipes are written to, since replacing `/dev/null` by a file breaks the
//! machine.
//!
//! Reference: `rename(2)`; T. Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Path that selects standard output.
const STDOUT: &str = "-";

/// Writes `bytes` to the file at `path`, replacing it atomically.
///
/// - A symbolic link is followed: its target is replaced and the link stays.
/// - An existing file keeps its permissions and its owner. If this process may not give a file to
///   that owner, or the directory does not let the file be replaced, the contents are overwritten in
///   place, which is not atomic.
/// - A device, FIFO or socket is opened and written; to an open file such as `/dev/stdout` the bytes
///   are appended.
/// - `-` writes to standard output; write `./-` for a file of that name.
///
/// # Errors
/// When the directory or the device refuses. A regular file is then unchanged, and no temporary
/// file is left behind.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path == Path::new(STDOUT) {
        papan_os::check_stdout()?;
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return out.flush();
    }
    if is_descriptor(path) {
        return append(path, bytes);
    }
    match fs::metadata(path) {
        Ok(old) if old.is_file() => {
            let path = fs::canonicalize(path)?;
            match replace(&path, bytes, Some(&old)) {
                Err(error) if is_refusal_of_directory(&error) => overwrite_file(&path, bytes),
                replaced => replaced,
            }
        }
        // Opening a directory for writing fails with the proper error.
        Ok(_) => overwrite(path, bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            replace(&follow_dangling(path)?, bytes, None)
        }
        Err(error) => Err(error),
    }
}

/// Checks that [`write_atomic`] would find a file that it may write, or a directory where it may
/// create one, so that a wrong path is reported before the work whose result is to be written. Does
/// not change an existing file.
///
/// # Errors
/// As for [`write_atomic`].
pub fn check_writable(path: &Path) -> io::Result<()> {
    if path == Path::new(STDOUT) {
        return papan_os::check_stdout();
    }
    match fs::metadata(path) {
        // Opening a FIFO would wait for its reader.
        Ok(old) if old.is_file() || old.is_dir() => {
            OpenOptions::new().write(true).open(path).map(drop)
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let path = follow_dangling(path)?;
            tempfile::tempfile_in(directory(&path)).map(drop)
        }
        Err(error) => Err(error),
    }
}

/// Returns whether an error may be that of a directory or mount point which does not let a file be
/// replaced, although the file itself may be writable.
fn is_refusal_of_directory(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(
        error.kind(),
        PermissionDenied | ReadOnlyFilesystem | ResourceBusy
    )
}

/// Returns whether a path names an open file of this process, such as `/dev/stdout`. The file
/// behind it may be regular, but it was opened by the caller, who expects it to be written.
fn is_descriptor(path: &Path) -> bool {
    let names = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    names.iter().any(|name| path.starts_with(name))
}

/// Follows symbolic links to the path that does not exist yet.
fn follow_dangling(path: &Path) -> io::Result<PathBuf> {
    /// As many links as Linux follows.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = directory(&path).join(target);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns the directory that a file is in.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Writes without replacing the file.
fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.write_all(bytes)
}

/// Appends to an open file. Opening `/dev/stdout` would begin at the start of the file, over what is
/// in a log (`>> log`).
fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(bytes)
}

/// Replaces the regular file at `path`, or creates it.
fn replace(path: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<()> {
    let folder = directory(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".papan-");
    if old.is_none()
        && let Some(permissions) = papan_os::file_permissions()
    {
        // As any other new file; the umask applies. Replacements start at 0600 and are opened up
        // when they are complete, so that secrets are never readable by others.
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(old) = old {
        if !papan_os::keep_owner(file.as_file(), old)? {
            return overwrite_file(path, bytes);
        }
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    papan_os::sync_directory(folder);
    Ok(())
}

/// Truncates and rewrites a regular file.
fn overwrite_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).truncate(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
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

    #[cfg(unix)]
    mod unix {
        use std::io::Read as _;
        use std::os::unix::fs::{
            FileTypeExt as _, MetadataExt as _, PermissionsExt as _, chown, symlink,
        };
        use std::process::Command;

        use super::*;

        fn mode(path: &Path) -> u32 {
            fs::metadata(path).unwrap().permissions().mode() & 0o7777
        }

        #[test]
        fn a_symbolic_link_stays_a_link_and_its_target_is_replaced() {
            let folder = tempfile::tempdir().unwrap();
            let [target, link, chain] =
                ["target", "link", "chain"].map(|name| folder.path().join(name));
            fs::create_dir(folder.path().join("deep")).unwrap();
            let deep = folder.path().join("deep/target");
            fs::write(&deep, "old").unwrap();
            symlink("deep/target", &target).unwrap();
            symlink("target", &link).unwrap();
            symlink(&link, &chain).unwrap();
            write_atomic(&chain, b"new").unwrap();
            for path in [&target, &link, &chain] {
                assert!(fs::symlink_metadata(path).unwrap().is_symlink(), "{path:?}");
            }
            assert_eq!(fs::read(&deep).unwrap(), b"new");
            assert!(!fs::symlink_metadata(&deep).unwrap().is_symlink());
        }

        #[test]
        fn the_target_of_a_dangling_link_is_created() {
            let folder = tempfile::tempdir().unwrap();
            let link = folder.path().join("link");
            symlink("target", &link).unwrap();
            write_atomic(&link, b"new").unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read(folder.path().join("target")).unwrap(), b"new");
            let round = folder.path().join("round");
            symlink("round", &round).unwrap();
            assert!(write_atomic(&round, b"x").is_err(), "a link to itself");
        }

        #[test]
        fn permissions_are_kept() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("secret");
            for bits in [0o600, 0o640, 0o666, 0o444] {
                let _ = fs::remove_file(&path);
                fs::write(&path, "old").unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(bits)).unwrap();
                write_atomic(&path, b"new").unwrap();
                assert_eq!(mode(&path), bits, "{bits:o}");
                assert_eq!(fs::read(&path).unwrap(), b"new");
            }
        }

        #[test]
        fn a_new_file_has_the_mode_that_the_umask_leaves() {
            let folder = tempfile::tempdir().unwrap();
            let [plain, atomic] = ["plain", "atomic"].map(|name| folder.path().join(name));
            fs::write(&plain, "x").unwrap();
            write_atomic(&atomic, b"x").unwrap();
            assert_eq!(mode(&atomic), mode(&plain));
        }

        #[test]
        fn the_owner_is_kept() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("theirs");
            fs::write(&path, "old").unwrap();
            // Only root may give a file away.
            if chown(&path, Some(12_345), Some(54_321)).is_err() {
                return;
            }
            write_atomic(&path, b"new").unwrap();
            let about = fs::metadata(&path).unwrap();
            assert_eq!((about.uid(), about.gid()), (12_345, 54_321));
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }

        #[test]
        fn a_fifo_is_written_and_not_replaced() {
            let folder = tempfile::tempdir().unwrap();
            let fifo = folder.path().join("fifo");
            assert!(
                Command::new("mkfifo")
                    .arg(&fifo)
                    .status()
                    .unwrap()
                    .success()
            );
            let reader = std::thread::spawn({
                let fifo = fifo.clone();
                move || {
                    let mut text = String::new();
                    fs::File::open(fifo)
                        .unwrap()
                        .read_to_string(&mut text)
                        .unwrap();
                    text
                }
            });
            write_atomic(&fifo, b"through the pipe").unwrap();
            assert!(fs::metadata(&fifo).unwrap().file_type().is_fifo());
            assert_eq!(reader.join().unwrap(), "through the pipe");
        }

        #[test]
        fn a_descriptor_is_appended_to() {
            use std::os::fd::AsRawFd as _;
            let mut log = tempfile::tempfile().unwrap();
            std::io::Write::write_all(&mut log, b"first\n").unwrap();
            let path = format!("/dev/fd/{}", log.as_raw_fd());
            write_atomic(Path::new(&path), b"second\n").unwrap();
            let mut text = String::new();
            std::io::Seek::rewind(&mut log).unwrap();
            log.read_to_string(&mut text).unwrap();
            assert_eq!(text, "first\nsecond\n");
        }

        #[test]
        fn a_writable_file_in_a_directory_that_is_not_is_overwritten() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file");
            fs::write(&path, "something longer").unwrap();
            let lock = |mode| {
                let mode = fs::Permissions::from_mode(mode);
                fs::set_permissions(folder.path(), mode).unwrap();
            };
            lock(0o555);
            // Root may write everywhere.
            let is_refused = fs::write(folder.path().join("other"), "").is_err();
            let written = write_atomic(&path, b"new");
            lock(0o755);
            written.unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            assert!(!is_refused || check_writable(&folder.path().join("no/file")).is_err());
        }

        #[test]
        fn a_path_is_checked_without_changing_it() {
            let folder = tempfile::tempdir().unwrap();
            let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
            fs::write(&old, "old").unwrap();
            for path in [&old, &new, Path::new("/dev/null"), Path::new("-")] {
                check_writable(path).unwrap();
            }
            assert_eq!(fs::read(&old).unwrap(), b"old");
            assert!(!new.exists());
            assert!(check_writable(folder.path()).is_err());
            assert!(check_writable(&folder.path().join("no/such")).is_err());
        }

        #[test]
        fn a_device_is_written_and_not_replaced() {
            let folder = tempfile::tempdir().unwrap();
            // Through a link, so that a faulty writer replaces the link and not the device.
            let null = folder.path().join("null");
            symlink("/dev/null", &null).unwrap();
            write_atomic(&null, b"nothing").unwrap();
            assert!(fs::symlink_metadata(&null).unwrap().is_symlink());
            let about = fs::metadata(&null).unwrap();
            assert!(about.file_type().is_char_device());
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }
}
