//! Files: identity, locks, owners.

use std::fs::{File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown};
use std::path::Path;

/// The identity of a file: two paths or handles with the same identity lead to the same file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl From<&Metadata> for FileId {
    fn from(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }
}

impl FileId {
    /// Returns the identity of an open file.
    ///
    /// # Errors
    /// When the system cannot tell.
    pub fn of(file: &File) -> io::Result<Self> {
        Ok((&file.metadata()?).into())
    }

    /// Returns the identity of the file at a path.
    ///
    /// # Errors
    /// When there is none.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok((&std::fs::metadata(path)?).into())
    }
}

/// Locks a file for this process until the file is closed, with a lock (`flock`) that neither
/// hinders reading and writing nor interferes with other kinds of locks.
///
/// # Errors
/// [`TryLockError::WouldBlock`] if another process has the lock.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    file.try_lock()
}

/// Makes a file that is created readable by its owner only.
pub fn restrict_to_owner(options: &mut OpenOptions) {
    options.mode(0o600);
}

/// Takes the access rights of group and others off an existing file.
///
/// # Errors
/// When the file belongs to another user.
pub fn make_private(file: &File) -> io::Result<()> {
    let mode = file.metadata()?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    file.set_permissions(Permissions::from_mode(mode & 0o700))
}

/// Returns the permissions of an ordinary new file, before the umask. `None` where there are no such
/// permissions.
#[must_use]
pub fn file_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o666))
}

/// Gives a new file to the owner of the old one. Returns whether that is allowed.
///
/// # Errors
/// When the owner cannot be read or changed for another reason.
pub fn keep_owner(file: &File, old: &Metadata) -> io::Result<bool> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) == (old.uid(), old.gid()) {
        return Ok(true);
    }
    match fchown(file, Some(old.uid()), Some(old.gid())) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes a rename in this directory durable. Not every file system can sync a directory, and the
/// contents of its files are on the disk either way.
pub fn sync_directory(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
