//! An append-only file of games, written in the order of their numbers.
//!
//! Threads and workers finish games in any order; sorting them makes the file reproducible.

use crate::games::Game;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file that games are appended to.
pub struct GameFile(Mutex<Writer>);

struct Writer {
    file: File,
    /// Number of the next game.
    next: u64,
    /// Games that arrived before an earlier one.
    pending: BTreeMap<u64, Game>,
    /// The first error.
    failure: Option<io::Error>,
}

impl GameFile {
    /// Opens or creates a file, and removes a truncated game at its end.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path) -> io::Result<Self> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        let games = Game::read_all(&bytes);
        let valid: usize = games.iter().map(|game| 1 + 2 * game.moves.len()).sum();
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        if valid < bytes.len() {
            file.set_len(valid as u64)?;
        }
        Ok(Self(Mutex::new(Writer {
            file,
            next: games.len() as u64,
            pending: BTreeMap::new(),
            failure: None,
        })))
    }

    /// Returns the number of games in the file, which is also the number of the next one.
    pub fn count(&self) -> u64 {
        self.lock().next
    }

    /// Appends a game once all earlier ones are in the file. Ignores a game that is already there.
    pub fn keep(&self, number: u64, game: Game) {
        let mut writer = self.lock();
        if number < writer.next || writer.failure.is_some() {
            return;
        }
        writer.pending.insert(number, game);
        let mut bytes = Vec::new();
        let mut next = writer.next;
        while let Some(game) = writer.pending.remove(&next) {
            game.write(&mut bytes);
            next += 1;
        }
        writer.next = next;
        if let Err(error) = writer.file.write_all(&bytes) {
            writer.failure = Some(error);
        }
    }

    /// Syncs and closes the file.
    ///
    /// # Errors
    /// The first error that occurred.
    pub fn close(self) -> io::Result<()> {
        let writer = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        match writer.failure {
            Some(error) => Err(error),
            None => writer.file.sync_all(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Writer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_othello::Square;

    fn game(number: usize) -> Game {
        Game {
            moves: vec![Square::new(number).unwrap()],
            labels: vec![None],
        }
    }

    #[test]
    fn games_are_written_in_the_order_of_their_numbers_after_a_truncated_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut bytes = Vec::new();
        game(0).write(&mut bytes);
        // A process was killed while it wrote the second game.
        fs::write(&path, [&bytes[..], &[60, 1, 2]].concat()).unwrap();
        let file = GameFile::open(&path).unwrap();
        assert_eq!(file.count(), 1);
        for number in [3, 0, 2, 1, 2] {
            file.keep(number, game(number as usize));
        }
        assert_eq!(file.count(), 4);
        file.close().unwrap();
        let games = Game::read_all(&fs::read(&path).unwrap());
        assert_eq!(games, [0, 1, 2, 3].map(game));
    }
}
