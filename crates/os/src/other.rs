//! Systems without processes, such as WebAssembly: nothing is shared, so nothing is protected.

/// Files.
pub(crate) mod file {
    use std::fs::{File, Metadata, OpenOptions, Permissions, TryLockError};
    use std::io;
    use std::path::Path;

    /// The identity of a file. All files are alike.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct FileId(());

    impl FileId {
        /// Returns the identity of an open file.
        ///
        /// # Errors
        /// Never.
        pub fn of(_: &File) -> io::Result<Self> {
            Ok(Self(()))
        }

        /// Returns the identity of the file at a path.
        ///
        /// # Errors
        /// Never.
        pub fn at(_: &Path) -> io::Result<Self> {
            Ok(Self(()))
        }
    }

    /// Locks a file.
    ///
    /// # Errors
    /// When the system has no locks.
    pub fn try_lock(file: &File) -> Result<(), TryLockError> {
        file.try_lock()
    }

    /// Does nothing: there are no users.
    pub const fn restrict_to_owner(_: &mut OpenOptions) {}

    /// Does nothing: there are no users.
    ///
    /// # Errors
    /// Never.
    pub const fn make_private(_: &File) -> io::Result<()> {
        Ok(())
    }

    /// Returns `None`: there are no permissions.
    #[must_use]
    pub const fn file_permissions() -> Option<Permissions> {
        None
    }

    /// Does nothing: there are no users.
    ///
    /// # Errors
    /// Never.
    pub const fn keep_owner(_: &File, _: &Metadata) -> io::Result<bool> {
        Ok(true)
    }

    /// Does nothing.
    pub const fn sync_directory(_: &Path) {}
}

/// Standard streams.
pub(crate) mod stdio {
    use std::io;

    /// Succeeds: there is nothing that could be closed.
    ///
    /// # Errors
    /// Never.
    pub const fn check_stdout() -> io::Result<()> {
        Ok(())
    }
}

/// The machine.
pub(crate) mod machine {
    use std::time::Duration;

    /// Returns `None`: unknown.
    #[must_use]
    pub const fn available_memory_mib() -> Option<usize> {
        None
    }

    /// Returns a name that all such machines share.
    #[must_use]
    pub fn host_name() -> String {
        "machine".into()
    }

    /// Does nothing.
    pub const fn lower_thread_priority() {}

    /// Returns `wanted`.
    #[must_use]
    pub const fn raise_open_files(wanted: u64) -> u64 {
        wanted
    }

    /// Returns zero: unknown.
    #[must_use]
    pub const fn user_time() -> Duration {
        Duration::ZERO
    }
}
