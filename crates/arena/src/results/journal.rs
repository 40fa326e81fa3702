//! Journal: an append-only results file.
//!
//! After the [`Header`] and an empty line, records follow: length and checksum, four bytes each,
//! little-endian, then the record. A torn write leaves an incomplete last record, which is
//! truncated at the next opening; it was never counted, because only synced records are. Any other
//! unreadable part is damage: it is reported, and dropped only on request.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::frame::{self, DamagedRange, FRAME, Survey};
use super::{Header, Results, ResultsError};

/// No more than this is ever written between two synchronisations.
const MAX_UNSYNCED_BYTES: usize = 4 << 20;
/// Headers end well before this.
const MAX_HEADER_LEN: u64 = 1 << 20;

/// Options for opening a journal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tolerance {
    /// Drop unreadable parts, keep a copy of the file, and continue with the rest.
    pub repair: bool,
    /// Continue although an engine's program has changed.
    pub changed_engines: bool,
}

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
    dropped: Vec<DamagedRange>,
}

impl Journal {
    /// Opens or creates the results of a tournament. A torn tail is truncated.
    ///
    /// # Errors
    /// When the file belongs to another tournament, is damaged, in use, or inaccessible.
    pub fn open(path: &Path, header: &Header) -> Result<Self, ResultsError> {
        Self::open_with(path, header, Tolerance::default())
    }

    /// [`Journal::open`], overlooking something.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn open_with(
        path: &Path,
        header: &Header,
        tolerance: Tolerance,
    ) -> Result<Self, ResultsError> {
        let io = |cause| ResultsError::Io {
            path: path.into(),
            cause,
        };
        let mut file = open_locked(path)?;
        let text = format!("{header}\n");
        // A file that was cut short within its own header holds no record yet.
        let mut beginning = Vec::new();
        let reader = (&mut file).take(text.len() as u64);
        BufReader::new(reader)
            .read_to_end(&mut beginning)
            .map_err(io)?;
        let start = if beginning.len() < text.len() && text.as_bytes().starts_with(&beginning) {
            file.set_len(0).map_err(io)?;
            file.seek(SeekFrom::Start(0)).map_err(io)?;
            file.write_all(text.as_bytes()).map_err(io)?;
            file.sync_all().map_err(io)?;
            sync_folder(path);
            text.len() as u64
        } else {
            file.seek(SeekFrom::Start(0)).map_err(io)?;
            check_header(path, &mut file, header, tolerance)?
        };
        let mut journal = Self {
            path: path.into(),
            file,
            start,
            end: start,
            waiting: Vec::new(),
            cut: 0,
            dropped: Vec::new(),
        };
        journal.make_sound(tolerance.repair)?;
        Ok(journal)
    }

    /// Returns the ranges dropped by a repair.
    #[must_use]
    pub fn dropped(&self) -> &[DamagedRange] {
        &self.dropped
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

    /// Cuts a torn tail off; anything else that is unreadable is refused, or dropped.
    fn make_sound(&mut self, repair: bool) -> Result<(), ResultsError> {
        let length = self.file.metadata().map_err(|e| self.io(e))?.len();
        self.end = length;
        let sound = self.read(&mut |_| {})?;
        if sound < length {
            let survey = self.survey(sound, length)?;
            let mut damage = survey.damage;
            if survey.tail > 0 && !survey.tail_is_torn {
                damage.push(DamagedRange {
                    offset: survey.end,
                    bytes: survey.tail,
                });
            }
            match damage.first() {
                Some(first) if !repair => {
                    return Err(ResultsError::Damaged {
                        path: self.path.clone(),
                        offset: first.offset,
                        bytes: damage.iter().map(|part| part.bytes).sum(),
                    });
                }
                Some(_) => return self.rewrite_without(&damage),
                None => {}
            }
            self.file.set_len(survey.end).map_err(|e| self.io(e))?;
            self.file.sync_all().map_err(|e| self.io(e))?;
            self.cut = survey.tail;
        }
        self.end = sound;
        let end = self.file.seek(SeekFrom::Start(sound));
        end.map_err(|e| self.io(e)).map(drop)
    }

    /// Looks for readable records behind the first unreadable one.
    fn survey(&mut self, from: u64, length: u64) -> Result<Survey, ResultsError> {
        let mut rest = Vec::new();
        let read = self.file.seek(SeekFrom::Start(from)).and_then(|_| {
            let mut rest_of_file = (&self.file).take(length - from);
            rest_of_file.read_to_end(&mut rest)
        });
        read.map_err(|e| self.io(e))?;
        Ok(Survey::of(&rest, from))
    }

    /// Writes the valid records to a new file; the old one is kept as `….damaged`.
    fn rewrite_without(&mut self, damage: &[DamagedRange]) -> Result<(), ResultsError> {
        let mut kept = self.path.clone().into_os_string();
        kept.push(".damaged");
        let rewrite = || -> std::io::Result<()> {
            let bytes = std::fs::read(&self.path)?;
            let mut valid = Vec::with_capacity(bytes.len());
            let mut at = 0;
            for part in damage {
                valid.extend_from_slice(&bytes[at..part.offset as usize]);
                at = (part.offset + part.bytes) as usize;
            }
            valid.extend_from_slice(&bytes[at..]);
            std::fs::copy(&self.path, &kept)?;
            papan_files::write_atomic(&self.path, &valid)
        };
        rewrite().map_err(|e| self.io(e))?;
        self.file = open_locked(&self.path)?;
        self.dropped = damage.to_vec();
        self.make_sound(false)
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
                if !frame::read(&mut reader, &mut record)? {
                    return Ok(at);
                }
                each(&record);
                at += (FRAME + record.len()) as u64;
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
        frame::write(record, &mut self.waiting);
    }

    fn commit(&mut self) -> Result<(), ResultsError> {
        let waiting = std::mem::take(&mut self.waiting);
        for part in waiting.chunks(MAX_UNSYNCED_BYTES) {
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

fn open_locked(path: &Path) -> Result<File, ResultsError> {
    let io = |cause| ResultsError::Io {
        path: path.into(),
        cause,
    };
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path).map_err(io)?;
    papan_os::try_lock(&file).map_err(|error| match error {
        TryLockError::WouldBlock => ResultsError::InUse { path: path.into() },
        TryLockError::Error(cause) => io(cause),
    })?;
    Ok(file)
}

/// Checks the header and returns where it ends.
fn check_header(
    path: &Path,
    file: &mut File,
    wanted: &Header,
    tolerance: Tolerance,
) -> Result<u64, ResultsError> {
    let mut text = Vec::new();
    let mut reader = BufReader::new(file.take(MAX_HEADER_LEN));
    let length = loop {
        let before = text.len();
        let read = reader.read_until(b'\n', &mut text);
        read.map_err(|cause| ResultsError::Io {
            path: path.into(),
            cause,
        })?;
        if matches!(&text[before..], b"\n" | b"") {
            let length = text.len();
            text.truncate(before);
            break length;
        }
    };
    let text = String::from_utf8_lossy(&text);
    Header::parse(&text)
        .and_then(|there| there.check(wanted, tolerance.changed_engines))
        .map_err(|cause| ResultsError::Header {
            path: path.into(),
            cause,
        })?;
    Ok(length as u64)
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
