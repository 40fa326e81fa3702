//! The whole training from nothing, one step after the other, resumable at every step.

use crate::fit::{self, Example};
use crate::games::Game;
use crate::{selfplay, wthor};
use papan_files::write_whole;
use papan_othello::{Evaluation, weights};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One round of self-play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// Its letter, which names its files.
    pub name: char,
    /// Plies searched for a move.
    pub depth: u32,
    /// From this many empty squares on, positions are solved.
    pub solve: u32,
    /// Its share of the time, in parts of [`PARTS`].
    pub part: u64,
}

/// The rounds: each is played with the weights of the one before, deeper and solved earlier.
pub const ROUNDS: [Round; 3] = [
    Round {
        name: 'a',
        depth: 4,
        solve: 14,
        part: 1,
    },
    Round {
        name: 'b',
        depth: 5,
        solve: 16,
        part: 3,
    },
    Round {
        name: 'c',
        depth: 6,
        solve: 18,
        part: 7,
    },
];

/// The parts of all rounds together.
pub const PARTS: u64 = 11;

impl Round {
    /// Its share of the time, in whole seconds as the clock beside the games counts them: a
    /// round that was finished once is not played on when the training is resumed.
    fn time(&self, all: Duration) -> Duration {
        Duration::from_secs((all.as_secs() * self.part / PARTS).max(1))
    }
}

/// How the training is run.
#[derive(Clone, Debug)]
pub struct Training {
    /// Where games and weights are kept; what is there already is not made again.
    pub folder: PathBuf,
    /// WTHOR files, as many as you have.
    pub tournament: Vec<PathBuf>,
    /// Time for self-play, all rounds together.
    pub time: Duration,
    /// Threads to use.
    pub threads: usize,
}

impl Training {
    /// Runs whatever is not done yet and returns the path of the last weights. `tell` hears of
    /// each step.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn run(&self, mut tell: impl FnMut(&str)) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.folder)?;
        let mut games = Vec::new();
        for path in &self.tournament {
            games.extend(wthor::read(&fs::read(path)?));
        }
        tell(&format!("{} tournament games", games.len()));
        let mut evaluation = Arc::new(Evaluation::blank());
        let mut last = self.folder.join("0.weights");
        if !games.is_empty() {
            evaluation = self.fitted(&games, &last, &mut tell)?;
        }
        for round in ROUNDS {
            let path = self.folder.join(format!("{}.games", round.name));
            let time = round.time(self.time);
            self.play(round, &evaluation, &path, time, &mut tell)?;
            games.extend(Game::read_all(&fs::read(&path)?));
            last = self.folder.join(format!("{}.weights", round.name));
            evaluation = self.fitted(&games, &last, &mut tell)?;
        }
        Ok(last)
    }

    /// Plays a round, or what is left of it: a file beside the games says how long it went on.
    fn play(
        &self,
        round: Round,
        evaluation: &Arc<Evaluation>,
        path: &Path,
        time: Duration,
        tell: &mut impl FnMut(&str),
    ) -> io::Result<()> {
        const SLICE: Duration = Duration::from_secs(20);
        let clock = path.with_extension("seconds");
        let mut spent = Duration::from_secs(
            fs::read_to_string(&clock)
                .ok()
                .and_then(|text| text.trim().parse().ok())
                .unwrap_or(0),
        );
        let settings = selfplay::Settings {
            depth: round.depth,
            solve: round.solve,
            seed: round.name as u64,
            threads: self.threads,
        };
        while spent < time {
            let slice = SLICE.min(time - spent);
            let done = whole_games(path)?;
            let file = Mutex::new(OpenOptions::new().create(true).append(true).open(path)?);
            let played = selfplay::play(settings, evaluation, done, slice, |game| {
                let mut bytes = Vec::new();
                game.write(&mut bytes);
                let mut file = file.lock().expect("no thread panics while writing");
                // A full disk shows at the next reading: the file ends early.
                let _ = file.write_all(&bytes);
            });
            spent += slice.max(Duration::from_secs(1));
            fs::write(&clock, format!("{}\n", spent.as_secs()))?;
            tell(&format!(
                "round {}: {} games, {} of {} s",
                round.name,
                done + played,
                spent.as_secs(),
                time.as_secs()
            ));
        }
        Ok(())
    }

    fn fitted(
        &self,
        games: &[Game],
        path: &Path,
        tell: &mut impl FnMut(&str),
    ) -> io::Result<Arc<Evaluation>> {
        if let Some(evaluation) = fs::read(path)
            .ok()
            .and_then(|file| weights::read(&file).ok())
        {
            return Ok(Arc::new(evaluation));
        }
        let (held, learned) = split(games);
        let settings = fit::Settings {
            ridge: 30.0,
            steps: 20,
            threads: self.threads,
        };
        let values = fit::fit(&learned, settings);
        let probcut = Evaluation::shipped().probcut();
        let evaluation = Evaluation::new(&values, probcut);
        for (stage, (mean, root)) in fit::errors(&evaluation, &held).into_iter().enumerate() {
            tell(&format!(
                "stage {stage}: {} positions held out, mean error {mean:.2}, root mean square {root:.2}",
                held[stage].len()
            ));
        }
        let file = weights::write(&values, &probcut);
        // A half-written file would pass for a finished step.
        write_whole(path, &file)?;
        Ok(Arc::new(evaluation))
    }
}

/// Positions by stage: those of every twentieth game, held out whole, and the others.
pub fn split(games: &[Game]) -> (Vec<Vec<Example>>, Vec<Vec<Example>>) {
    let pick = |wanted: bool| {
        let chosen = games
            .iter()
            .enumerate()
            .filter(move |(at, _)| (at % 20 == 0) == wanted);
        fit::by_stage(chosen.flat_map(|(_, game)| game.positions()))
    };
    (pick(true), pick(false))
}

/// How many whole games the file holds; a game cut off at its end is removed.
fn whole_games(path: &Path) -> io::Result<u64> {
    let Ok(bytes) = fs::read(path) else {
        return Ok(0);
    };
    let games = Game::read_all(&bytes);
    let len: usize = games.iter().map(|game| 1 + 2 * game.moves.len()).sum();
    if len < bytes.len() {
        OpenOptions::new()
            .write(true)
            .open(path)?
            .set_len(len as u64)?;
    }
    Ok(games.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_gets_whole_seconds_and_at_least_one() {
        let times = |seconds| ROUNDS.map(|round| round.time(Duration::from_secs(seconds)));
        assert_eq!(times(0), [1, 1, 1].map(Duration::from_secs));
        assert_eq!(times(60), [5, 16, 38].map(Duration::from_secs));
    }

    #[test]
    fn a_game_cut_off_is_removed_before_more_are_appended() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("x.games");
        let game = Game {
            moves: ["f5", "d6"]
                .map(|name| name.parse().expect("a square"))
                .to_vec(),
            labels: vec![None, Some(-4)],
        };
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        let whole = bytes.len();
        game.write(&mut bytes);
        fs::write(&path, &bytes[..whole + 2]).expect("a file can be written");
        assert_eq!(whole_games(&path).expect("the file can be read"), 1);
        let kept = fs::read(&path).expect("the file can be read");
        assert_eq!(Game::read_all(&kept), [game]);
    }
}
