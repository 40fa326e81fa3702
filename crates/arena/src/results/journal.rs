//! Results in a file that is only ever written at its end.
//!
//! After the [`Header`] and an empty line, records follow one another: the length
//! of the record and the checksum of the record, four bytes each, little-endian,
//! then the record. A write that was cut short leaves a tail that fails its
//! checksum; opening the file cuts the tail off. Nothing in it can have been
//! counted, because only what was synchronised is.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc32fast::hash as crc32;

use super::{Header, Results, ResultsError};

/// Bytes before a record: its length and its checksum.
const FRAME: usize = 8;
/// A record is small; a length beyond this is damage.
const LONGEST: usize = 1 << 20;
/// No more than this is ever written between two synchronisations, so that an
/// unreadable record with more behind it is no torn write.
const MOST_UNSYNCED: usize = 4 << 20;
/// Headers end well before this.
const LONGEST_HEADER: u64 = 1 << 20;

/// Results in a file.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Where the records begin.
    start: u64,
    /// Where the durable ones end.
    end: u64,
    waiting: Vec<u8>,
    cut: u64,
}

impl Journal {
    /// Opens the results of an undertaking, or begins them. A torn tail is cut off.
    ///
    /// # Errors
    /// When the file holds something else, is damaged, in use, or out of reach.
    pub fn open(path: &Path, header: &Header) -> Result<Self, ResultsError> {
        let io = |cause| ResultsError::Io {
            path: path.into(),
            cause,
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(io)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => ResultsError::InUse { path: path.into() },
            TryLockError::Error(cause) => io(cause),
        })?;
        let text = format!("{header}\n");
        // A file that was cut short within its own header holds no record yet.
        let mut beginning = Vec::new();
        let reader = (&mut file).take(text.len() as u64);
        BufReader::new(reader)
            .read_to_end(&mut beginning)
            .map_err(io)?;
        if beginning.len() < text.len() && text.as_bytes().starts_with(&beginning) {
            file.set_len(0).map_err(io)?;
            file.seek(SeekFrom::Start(0)).map_err(io)?;
            file.write_all(text.as_bytes()).map_err(io)?;
            file.sync_all().map_err(io)?;
            sync_folder(path);
        } else {
            file.seek(SeekFrom::Start(0)).map_err(io)?;
            check_header(path, &mut file, header)?;
        }
        let start = text.len() as u64;
        let mut journal = Self {
            path: path.into(),
            file,
            start,
            end: start,
            waiting: Vec::new(),
            cut: 0,
        };
        journal.cut_torn_tail()?;
        Ok(journal)
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it holds no record yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// How many bytes of a torn write were cut off when the file was opened.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    fn io(&self, cause: std::io::Error) -> ResultsError {
        ResultsError::Io {
            path: self.path.clone(),
            cause,
        }
    }

    fn cut_torn_tail(&mut self) -> Result<(), ResultsError> {
        let length = self.file.metadata().map_err(|e| self.io(e))?.len();
        self.end = length;
        let sound = self.read(&mut |_| {})?;
        let behind = length - sound;
        if behind > MOST_UNSYNCED as u64 {
            return Err(ResultsError::Damaged {
                path: self.path.clone(),
                offset: sound,
                behind,
            });
        }
        if behind > 0 {
            self.file.set_len(sound).map_err(|e| self.io(e))?;
            self.file.sync_all().map_err(|e| self.io(e))?;
        }
        self.end = sound;
        self.cut = behind;
        let end = self.file.seek(SeekFrom::Start(sound));
        end.map_err(|e| self.io(e)).map(drop)
    }

    /// Hands over every sound record and returns where the last one ends.
    fn read(&mut self, each: &mut dyn FnMut(&[u8])) -> Result<u64, ResultsError> {
        let (start, end) = (self.start, self.end);
        let mut read = || -> std::io::Result<u64> {
            self.file.seek(SeekFrom::Start(start))?;
            let mut reader = BufReader::with_capacity(1 << 16, (&self.file).take(end - start));
            let mut record = Vec::new();
            let mut at = start;
            loop {
                let mut frame = [0; FRAME];
                if !filled(&mut reader, &mut frame)? {
                    return Ok(at);
                }
                let word =
                    |i: usize| u32::from_le_bytes(frame[i..i + 4].try_into().expect("4 bytes"));
                let (length, checksum) = (word(0) as usize, word(4));
                // A record is never empty, so that a hole of zeros is no record.
                if length == 0 || length > LONGEST {
                    return Ok(at);
                }
                record.resize(length, 0);
                if !filled(&mut reader, &mut record)? || crc32(&record) != checksum {
                    return Ok(at);
                }
                each(&record);
                at += (FRAME + length) as u64;
            }
        };
        read().map_err(|cause| ResultsError::Io {
            path: self.path.clone(),
            cause,
        })
    }
}

impl Results for Journal {
    /// # Panics
    /// When the record is empty or longer than a mebibyte.
    fn append(&mut self, record: &[u8]) {
        assert!(
            !record.is_empty() && record.len() <= LONGEST,
            "a record has 1 to {LONGEST} bytes"
        );
        let length = record.len() as u32;
        self.waiting.extend_from_slice(&length.to_le_bytes());
        self.waiting.extend_from_slice(&crc32(record).to_le_bytes());
        self.waiting.extend_from_slice(record);
    }

    fn commit(&mut self) -> Result<(), ResultsError> {
        let waiting = std::mem::take(&mut self.waiting);
        for part in waiting.chunks(MOST_UNSYNCED) {
            self.file.write_all(part).map_err(|e| self.io(e))?;
            self.file.sync_data().map_err(|e| self.io(e))?;
            self.end += part.len() as u64;
        }
        self.waiting = waiting;
        self.waiting.clear();
        Ok(())
    }

    fn replay(&mut self, each: &mut dyn FnMut(&[u8])) -> Result<(), ResultsError> {
        self.read(each)?;
        let end = self.file.seek(SeekFrom::Start(self.end));
        end.map_err(|e| self.io(e)).map(drop)
    }
}

/// Fills the buffer; `false` when the file ends before it is full.
fn filled(reader: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn check_header(path: &Path, file: &mut File, wanted: &Header) -> Result<(), ResultsError> {
    let mut text = Vec::new();
    let mut reader = BufReader::new(file.take(LONGEST_HEADER));
    loop {
        let before = text.len();
        let read = reader.read_until(b'\n', &mut text);
        read.map_err(|cause| ResultsError::Io {
            path: path.into(),
            cause,
        })?;
        if matches!(&text[before..], b"\n" | b"") {
            text.truncate(before);
            break;
        }
    }
    let text = String::from_utf8_lossy(&text);
    Header::parse(&text)
        .and_then(|there| there.check(wanted))
        .map_err(|cause| ResultsError::Header {
            path: path.into(),
            cause,
        })
}

/// A new file's name is durable only when its folder is; where folders cannot be
/// synchronised there is nothing more to do.
fn sync_folder(path: &Path) {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}
