//! Game files of other programs: parsing and formatting.
//!
//! The format is detected by content, not by name. Every format becomes papan's own records. From a
//! damaged file the valid games are read, with a [`ParseError`] and its place for each of the
//! others.
//!
//! ```
//! use papan_files::{Format, read, write};
//!
//! let file = read(b"f5d6c3d3c4\nf5f6e6f4\n", None)?;
//! assert_eq!((file.format, file.records.len()), (Format::Transcript, 2));
//! let sgf = write(&file.records, Format::Sgf)?;
//! assert_eq!(read(sgf.as_bytes(), None)?.records, file.records);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collection;
mod error;
mod format;
mod ggf;
pub mod obf;
mod position_search;
mod psq;
mod replay;
mod sgf;
mod sgf_tree;
mod sgf_writing;
mod transcript;
mod write_atomic;
pub mod wthor;

pub use collection::{Collection, Parsed, games, read, write, write_each};
pub use error::{Expected, FileError, ParseError, ParseErrorKind, Unwritable};
pub use format::{Format, NoFormat};
pub use position_search::PositionSearch;
pub use write_atomic::{check_writable, write_atomic};
