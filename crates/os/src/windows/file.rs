//! Files: identity and locks.

use std::fs::{File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::windows::io::AsRawHandle as _;
use std::path::Path;

use windows_sys::Win32::Foundation::ERROR_LOCK_VIOLATION;
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, GetFileInformationByHandle, LOCKFILE_EXCLUSIVE_LOCK,
    LOCKFILE_FAIL_IMMEDIATELY, LockFileEx,
};
use windows_sys::Win32::System::IO::OVERLAPPED;

/// The identity of a file: two paths or handles with the same identity lead to the same file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    volume: u32,
    index: u64,
}

impl FileId {
    /// Returns the identity of an open file.
    ///
    /// # Errors
    /// When the system cannot tell.
    pub fn of(file: &File) -> io::Result<Self> {
        let mut information = BY_HANDLE_FILE_INFORMATION::default();
        // SAFETY: the handle is open as long as `file` is borrowed; the call fills the struct.
        let done =
            unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut information) };
        if done == 0 {
            return Err(io::Error::last_os_error());
        }
        let high = u64::from(information.nFileIndexHigh);
        Ok(Self {
            volume: information.dwVolumeSerialNumber,
            index: high << 32 | u64::from(information.nFileIndexLow),
        })
    }

    /// Returns the identity of the file at a path.
    ///
    /// # Errors
    /// When there is none.
    pub fn at(path: &Path) -> io::Result<Self> {
        Self::of(&File::open(path)?)
    }
}

/// Offset of the locked byte. Locks of Windows are mandatory, so one of the contents would keep other
/// handles from reading them; a byte beyond the end hinders nothing.
const LOCKED_BYTE: u64 = 1 << 62;

/// Locks a file for this process until the file is closed, with a lock that neither hinders reading
/// and writing nor interferes with other kinds of locks.
///
/// # Errors
/// [`TryLockError::WouldBlock`] if another process has the lock.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    let mut place = OVERLAPPED::default();
    place.Anonymous.Anonymous.Offset = LOCKED_BYTE as u32;
    place.Anonymous.Anonymous.OffsetHigh = (LOCKED_BYTE >> 32) as u32;
    let flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    // SAFETY: the handle is open as long as `file` is borrowed; it is synchronous, so `place` is not
    // used after the call.
    let locked = unsafe { LockFileEx(file.as_raw_handle(), flags, 0, 1, 0, &raw mut place) };
    if locked != 0 {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    if error.raw_os_error() == Some(ERROR_LOCK_VIOLATION.cast_signed()) {
        Err(TryLockError::WouldBlock)
    } else {
        Err(TryLockError::Error(error))
    }
}

/// Does nothing: a new file has the access rights of its directory, and those of users are private.
pub const fn restrict_to_owner(_: &mut OpenOptions) {}

/// Does nothing: a file has the access rights of its directory, and those of users are private.
///
/// # Errors
/// Never.
pub const fn make_private(_: &File) -> io::Result<()> {
    Ok(())
}

/// Returns `None`: files have the access rights of their directory.
#[must_use]
pub const fn file_permissions() -> Option<Permissions> {
    None
}

/// Returns `true`: files have the access rights of their directory.
///
/// # Errors
/// Never.
pub const fn keep_owner(_: &File, _: &Metadata) -> io::Result<bool> {
    Ok(true)
}

/// Does nothing: NTFS journals renames.
pub const fn sync_directory(_: &Path) {}
