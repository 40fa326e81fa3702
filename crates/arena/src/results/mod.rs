//! Storage of a tournament's games.
//!
//! Records are appended, committed together, and replayed in order. [`Journal`] stores them in a
//! file, [`Memory`] in memory. A record counts only after [`Results::commit`].
//!
//! ```
//! use papan_arena::results::{Memory, Results};
//!
//! let mut results = Memory::default();
//! results.append(b"first");
//! results.append(b"second");
//! results.commit()?;
//! let mut seen = Vec::new();
//! results.replay(&mut |record| seen.push(record.to_vec()))?;
//! assert_eq!(seen, [b"first".to_vec(), b"second".to_vec()]);
//! # Ok::<(), papan_arena::results::ResultsError>(())
//! ```

mod frame;
mod header;
mod journal;
mod memory;

pub use frame::DamagedRange;
pub use header::{Header, HeaderError};
pub use journal::{Journal, Tolerance};
pub use memory::Memory;

use std::io;
use std::path::PathBuf;

/// Stores the records of one tournament.
pub trait Results: Send {
    /// Adds a record. It is not durable before the next [`Results::commit`].
    fn append(&mut self, record: &[u8]);

    /// Makes all appended records durable.
    ///
    /// # Errors
    /// When the medium fails; appended records may be lost.
    fn commit(&mut self) -> Result<(), ResultsError>;

    /// Hands over every durable record, oldest first.
    ///
    /// # Errors
    /// When the medium cannot be read.
    fn replay(&mut self, each: &mut dyn FnMut(&[u8])) -> Result<(), ResultsError>;
}

/// Why something cannot be kept or found again.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The operating system refused.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file in question.
        path: PathBuf,
        /// The error of the operating system.
        cause: io::Error,
    },
    /// The file begins as no file of this kind does, or belongs to something else.
    #[error("{}: {cause}", path.display())]
    Header {
        /// The file in question.
        path: PathBuf,
        /// The error in its header.
        cause: HeaderError,
    },
    /// A record is unreadable, and not because the last write was cut short.
    #[error("{}: damaged at byte {offset}: {bytes} bytes are no record; --repair drops them, keeps a copy of the file and plays those games again", path.display())]
    Damaged {
        /// The file in question.
        path: PathBuf,
        /// Where the first unreadable part begins.
        offset: u64,
        /// How many bytes are unreadable.
        bytes: u64,
    },
    /// Somebody else has the file open.
    #[error("{}: in use by another papan", path.display())]
    InUse {
        /// The file in question.
        path: PathBuf,
    },
}
