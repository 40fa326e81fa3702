//! A league: a round robin of the submissions of an assignment.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::assignment::Assignment;
use super::submission::{Submission, file_name};
use crate::{Format, Tournament, openings};

/// A league. Programs that were built for it are deleted with it.
pub struct League {
    /// The tournament.
    pub tournament: Tournament,
    /// Submissions that cannot play, each with the reason.
    pub refused: Vec<Refused>,
    _submissions: Vec<Submission>,
}

/// A submission that cannot play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The submission, by the name of its file.
    pub submission: String,
    /// The reason.
    pub why: String,
}

/// Time by which a move may be late: programs of students have no clock of their own.
const MARGIN: Duration = Duration::from_millis(500);

impl League {
    /// Prepares a league with an even number of games per pairing, each two from a random opening
    /// with seats exchanged: programs without chance would repeat one game otherwise.
    #[must_use]
    pub fn new(assignment: &Assignment, submissions: &[PathBuf], games: u64, seed: u64) -> Self {
        let mut ready = Vec::new();
        let mut refused = Vec::new();
        for path in submissions {
            match Submission::prepare(assignment, path) {
                Ok(submission) => ready.push(submission),
                Err(why) => refused.push(Refused {
                    submission: file_name(path),
                    why,
                }),
            }
        }
        let mut openings = vec![Vec::new()];
        let others = (games / 2).saturating_sub(1).min(1_000) as usize;
        openings.extend(openings::random_any(&assignment.game, others, seed));
        let tournament = Tournament {
            game: assignment.game.clone(),
            entrants: ready.iter().map(Submission::entrant).collect(),
            format: Format::RoundRobin,
            games,
            openings,
            limits: papan_strategies::Limits::default(),
            margin: MARGIN,
            patience: assignment.time + Duration::from_secs(10),
            seed,
            timed: true,
            swap: None,
            adjudication: crate::Adjudication::default(),
        };
        Self {
            tournament,
            refused,
            _submissions: ready,
        }
    }
}

/// Returns the submissions in files and folders: of a folder, those that the assignment can run, by
/// name.
///
/// # Errors
/// When a folder cannot be read.
pub fn submissions_in(assignment: &Assignment, paths: &[PathBuf]) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
        let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        files.retain(|file| file.is_file() && is_run(assignment, file));
        files.sort();
        found.extend(files);
    }
    Ok(found)
}

fn is_run(assignment: &Assignment, file: &Path) -> bool {
    let extension = file.extension().unwrap_or_default();
    assignment.run.contains_key(&*extension.to_string_lossy())
}
