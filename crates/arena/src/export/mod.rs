//! The games of a tournament in files that other programs read.

mod ggf;
mod psq;
mod sgf;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use papan_catalog::AnyGame;
use papan_rules::RecordResult;

use crate::finished::Finished;
use crate::played_games::PlayedGames;
use crate::results::{Results, ResultsError};
use crate::scoreboard::Scoreboard;
use crate::tournament::Tournament;
use crate::wire_board::WireBoard;

/// A form of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// papan's records, a file for each game.
    Records,
    /// The Smart Game Format, all games in one file.
    Sgf,
    /// The Generic Game Format of Othello, all games in one file.
    Ggf,
    /// Piskvork's own, a file for each game of five in a row.
    Psq,
}

impl ExportKind {
    const ALL: [Self; 4] = [Self::Records, Self::Sgf, Self::Ggf, Self::Psq];

    const fn word(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Sgf => "sgf",
            Self::Ggf => "ggf",
            Self::Psq => "psq",
        }
    }

    /// Whether games of this kind can be written so.
    fn takes(self, game: &AnyGame) -> Result<(), &'static str> {
        let flat = game.shape().sides().len() == 2;
        let length = WireBoard::of_any(game).winning_length();
        match self {
            Self::Records => Ok(()),
            Self::Sgf if flat => Ok(()),
            Self::Sgf => Err("SGF is for flat boards"),
            Self::Ggf if length.is_none() => Ok(()),
            Self::Ggf => Err("GGF is for Othello"),
            Self::Psq if flat && length == Some(5) => Ok(()),
            Self::Psq => Err("PSQ is for five in a row on flat boards"),
        }
    }
}

/// Where games are written, and in which form: `sgf:games.sgf`, `psq:folder`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The form.
    pub kind: ExportKind,
    /// A file, or a folder where every game has its own.
    pub path: PathBuf,
}

/// A text that is no export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no export; write records:FOLDER, sgf:FILE, ggf:FILE or psq:FOLDER")]
pub struct NotAnExport(String);

/// Why games cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The game does not fit the form.
    #[error("{0}")]
    Game(&'static str),
    /// A file refuses.
    #[error("{}: {cause}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The results cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
}

impl FromStr for Export {
    type Err = NotAnExport;

    fn from_str(text: &str) -> Result<Self, NotAnExport> {
        let wrong = || NotAnExport(text.into());
        let (word, path) = text.split_once(':').ok_or_else(wrong)?;
        let mut kinds = ExportKind::ALL.into_iter();
        let kind = kinds.find(|kind| kind.word() == word).ok_or_else(wrong)?;
        if path.is_empty() {
            return Err(wrong());
        }
        Ok(Self {
            kind,
            path: path.into(),
        })
    }
}

impl fmt::Display for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.word(), self.path.display())
    }
}

impl Export {
    /// Whether games of this tournament can be written so, before the first is played.
    ///
    /// # Errors
    /// When they cannot, or the folder is not there.
    pub fn check(&self, tournament: &Tournament) -> Result<(), ExportError> {
        let takes = self.kind.takes(&tournament.game);
        takes.map_err(ExportError::Game)?;
        let made = match self.kind {
            ExportKind::Records | ExportKind::Psq => fs::create_dir_all(&self.path),
            ExportKind::Sgf | ExportKind::Ggf => fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(&self.path)
                .map(drop),
        };
        made.map_err(|cause| self.io(&self.path, cause))
    }

    fn io(&self, path: &Path, cause: io::Error) -> ExportError {
        ExportError::Io {
            path: path.into(),
            cause,
        }
    }

    /// Writes every counted game.
    ///
    /// # Errors
    /// When the results cannot be read or a file cannot be written.
    pub fn write(
        &self,
        tournament: &Tournament,
        scoreboard: &Scoreboard,
        results: &mut dyn Results,
    ) -> Result<(), ExportError> {
        let names = tournament.names();
        let game = &tournament.game;
        let counts_lines = WireBoard::of_any(game).winning_length().is_some();
        let mut all = String::new();
        for (planned, finished) in PlayedGames::read(scoreboard, results)?.iter() {
            let players = planned.seats.map(|player| names[player].clone());
            let played = Played {
                game,
                players,
                finished: &finished,
                counts_lines,
            };
            let number = finished.game + 1;
            match self.kind {
                ExportKind::Sgf => all += &sgf::text(&played),
                ExportKind::Ggf => all += &ggf::text(&played),
                ExportKind::Psq => self.write_one(number, "psq", &psq::text(&played))?,
                ExportKind::Records => self.write_one(number, "papan", &played.record())?,
            }
        }
        match self.kind {
            ExportKind::Sgf | ExportKind::Ggf => {
                fs::write(&self.path, all).map_err(|cause| self.io(&self.path, cause))
            }
            ExportKind::Records | ExportKind::Psq => Ok(()),
        }
    }

    fn write_one(&self, number: u64, ending: &str, text: &str) -> Result<(), ExportError> {
        let path = self.path.join(format!("{number:06}.{ending}"));
        fs::write(&path, text).map_err(|cause| self.io(&path, cause))
    }
}

/// A game to be written.
struct Played<'a> {
    game: &'a AnyGame,
    players: [String; 2],
    finished: &'a Finished,
    /// Whether so many in a row win.
    counts_lines: bool,
}

impl Played<'_> {
    fn record(&self) -> String {
        let mut line = self.game.line();
        for &mv in &self.finished.moves {
            if line.play(mv).is_err() {
                break;
            }
        }
        let mut record = line.record(self.players.clone());
        record.result = RecordResult::Finished(self.finished.outcome);
        record.reason = self.finished.reason();
        record.to_string()
    }

    /// What is known of the move of this ply, for people.
    fn comment(&self, ply: usize) -> Option<String> {
        let note = self.finished.note(ply)?;
        let score = note.score.map(|score| format!("score {score}, "));
        let seconds = note.micros as f64 / 1e6;
        Some(format!("{}{seconds:.3} s", score.unwrap_or_default()))
    }
}
