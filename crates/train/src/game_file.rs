//! A file of games: several threads or workers bring them, and they are written in the
//! order of their numbers, so that the file is the same whoever played.

use crate::games::Game;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

/// A file that games are appended to.
pub struct GameFile(Mutex<Appending>);

struct Appending {
    file: File,
    next: u64,
    /// Games whose turn has not come.
    waiting: BTreeMap<u64, Game>,
    /// The first thing that went wrong.
    failure: Option<io::Error>,
}

impl GameFile {
    /// Opens a file, or makes it; a game that was cut off at its end is forgotten.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn open(path: &Path) -> io::Result<Self> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        let games = Game::read_all(&bytes);
        let whole: usize = games.iter().map(|game| 1 + 2 * game.moves.len()).sum();
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        if whole < bytes.len() {
            file.set_len(whole as u64)?;
        }
        Ok(Self(Mutex::new(Appending {
            file,
            next: games.len() as u64,
            waiting: BTreeMap::new(),
            failure: None,
        })))
    }

    /// How many games it holds, which is the number of the next one.
    pub fn count(&self) -> u64 {
        self.inside().next
    }

    /// Keeps the game of a number; one that is there already is left out.
    pub fn keep(&self, number: u64, game: Game) {
        let mut inside = self.inside();
        if number < inside.next || inside.failure.is_some() {
            return;
        }
        inside.waiting.insert(number, game);
        let mut bytes = Vec::new();
        while let Some(game) = {
            let next = inside.next;
            inside.waiting.remove(&next)
        } {
            game.write(&mut bytes);
            inside.next += 1;
        }
        if let Err(error) = inside.file.write_all(&bytes) {
            inside.failure = Some(error);
        }
    }

    /// Ends when everything is on the disk.
    ///
    /// # Errors
    /// With the first thing that went wrong.
    pub fn close(self) -> io::Result<()> {
        let inside = self.0.into_inner();
        let inside = inside.expect("no thread panics while writing");
        match inside.failure {
            Some(error) => Err(error),
            None => inside.file.sync_all(),
        }
    }

    fn inside(&self) -> MutexGuard<'_, Appending> {
        self.0.lock().expect("no thread panics while writing")
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
    fn games_are_written_in_the_order_of_their_numbers_after_whole_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut bytes = Vec::new();
        game(0).write(&mut bytes);
        // Somebody was killed in the middle of the second.
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
