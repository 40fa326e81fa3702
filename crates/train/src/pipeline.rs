//! The training pipeline: rounds of self-play and regression, then network, offsets and ProbCut.
//!
//! Every step writes a file and is skipped if the file exists, so that an interrupted training
//! continues where it was stopped.

use crate::distributed::{self, DistributedOptions};
use crate::evaluate::{self, MoveLimit};
use crate::game_file::GameFile;
use crate::games::Game;
use crate::network::{NetworkTrainer, TrainingSettings};
use crate::plan::Plan;
use crate::regression::{self, Example, RegressionSettings, StageError};
use crate::selfplay::{self, SelfPlaySettings};
use crate::{offsets, probcut, wthor};
use papan_files::write_atomic;
use papan_jobs::{Connection, Notice};
use papan_othello::Evaluation;
use papan_othello::eval::EVAL_SCALE;
use papan_othello::eval::network::PLIES;
use papan_othello::eval::weights::{self, Weights};
use papan_strategies::StopToken;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A round of self-play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// Name of its files.
    pub name: char,
    /// Search depth in plies.
    pub depth: u32,
    /// Solve positions with at most this number of empty squares.
    pub solve: u32,
    /// Whether games begin like tournament games, if there are any, instead of with random moves.
    pub tournament: bool,
    /// Share of the time, in units of 1 / [`PARTS`].
    pub part: u64,
}

/// The rounds. Each is played with the weights of the previous one, at a higher depth and solved
/// earlier. The last round has realistic openings, which random moves do not produce.
pub const ROUNDS: [Round; 4] = [
    Round {
        name: 'a',
        depth: 4,
        solve: 14,
        tournament: false,
        part: 1,
    },
    Round {
        name: 'b',
        depth: 5,
        solve: 16,
        tournament: false,
        part: 3,
    },
    Round {
        name: 'c',
        depth: 6,
        solve: 18,
        tournament: false,
        part: 7,
    },
    Round {
        name: 'd',
        depth: 5,
        solve: 16,
        tournament: true,
        part: 11,
    },
];

/// Sum of the shares of all rounds.
pub const PARTS: u64 = 22;

impl Round {
    /// Returns the time for this round in whole seconds, the resolution of the file that records
    /// the time spent; otherwise a finished round would continue when the training is resumed.
    fn time(&self, all: Duration) -> Duration {
        Duration::from_secs((all.as_secs() * self.part / PARTS).max(1))
    }
}

/// Settings of the whole training.
#[derive(Clone)]
pub struct Training {
    /// Directory of all games and weights.
    pub folder: PathBuf,
    /// WTHOR files.
    pub tournament: Vec<PathBuf>,
    /// Time for all rounds of self-play.
    pub time: Duration,
    /// Number of threads.
    pub threads: usize,
    /// Workers that play the games; none plays them here.
    pub jobs: Option<Jobs>,
}

/// How workers play the games of a training.
#[derive(Clone)]
pub struct Jobs {
    /// The server that jobs go through.
    pub connection: Connection,
    /// The fraction of batches that are played again here.
    pub recheck: f64,
    /// Where messages for the user go.
    pub notice: Notice,
    /// Ends the training: jobs are withdrawn.
    pub stop: StopToken,
}

impl Jobs {
    fn play(
        &self,
        settings: SelfPlaySettings,
        source: &PlaySource<'_>,
        numbers: Range<u64>,
        time: Duration,
        keep: impl Fn(u64, Game),
    ) -> io::Result<()> {
        let plan = Plan::new(settings, Some(source.weights_file), source.others.to_vec());
        let plan = plan.map_err(io::Error::other)?;
        let options = DistributedOptions {
            connection: &self.connection,
            recheck: self.recheck,
            notice: self.notice.clone(),
            stop: &self.stop,
            time,
        };
        distributed::play(&plan, numbers, options, keep).map_err(io::Error::other)?;
        if self.stop.is_stopped() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        Ok(())
    }
}

/// What the games of a round are played with.
struct PlaySource<'a> {
    evaluation: &'a Arc<Evaluation>,
    /// The same as a file, for workers.
    weights_file: &'a [u8],
    /// Games to begin like.
    others: &'a [Game],
}

impl Training {
    /// Runs all steps that are not done yet and returns the path of the final weights. Calls
    /// `status` with a message for each step.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn run(&self, mut status: impl FnMut(&str)) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.folder)?;
        let mut games = Vec::new();
        for path in &self.tournament {
            games.extend(wthor::read(&fs::read(path)?));
        }
        let tournament = games.clone();
        status(&format!("{} tournament games", tournament.len()));
        let mut evaluation = Arc::new(Evaluation::zero());
        let mut weights_file = weights::write(&Weights::zero());
        let mut last = self.folder.join("0.weights");
        if !games.is_empty() {
            evaluation = self.fit_patterns(&games, &last, &mut status)?;
            weights_file = fs::read(&last)?;
        }
        for round in ROUNDS {
            let path = self.folder.join(format!("{}.games", round.name));
            let others = if round.tournament {
                &tournament[..]
            } else {
                &[]
            };
            let source = PlaySource {
                evaluation: &evaluation,
                weights_file: &weights_file,
                others,
            };
            self.play_round(round, &source, &path, &mut status)?;
            games.extend(Game::read_all(&fs::read(&path)?));
            last = self.folder.join(format!("{}.weights", round.name));
            evaluation = self.fit_patterns(&games, &last, &mut status)?;
            weights_file = fs::read(&last)?;
        }
        let with_network = self.train_network(&games, &last, &mut status)?;
        let complete = self.fit_probcut(&games, &with_network, &mut status)?;
        self.play_match(&games, &complete, &evaluation, &mut status)?;
        Ok(complete)
    }

    /// Trains the network on the residuals of the pattern weights.
    fn train_network(
        &self,
        games: &[Game],
        patterns: &Path,
        status: &mut impl FnMut(&str),
    ) -> io::Result<PathBuf> {
        let path = self.folder.join("network.weights");
        if read_if_valid(&path).is_some() {
            return Ok(path);
        }
        let (mut weights, linear) = read_weights(patterns)?;
        let training = split(games).training;
        let examples: Vec<Example> = training.into_iter().flatten().collect();
        let mut trainer = NetworkTrainer::new(TrainingSettings {
            threads: self.threads,
            ..TrainingSettings::default()
        });
        trainer.train(&linear, &examples, |_, epoch, error| {
            status(&format!(
                "network, epoch {epoch}: root mean square error {error:.3}"
            ));
        });
        trainer.write_to(&mut weights);
        write_atomic(&path, &weights::write(&weights))?;
        Ok(path)
    }

    /// Fits the offsets and the multi-ProbCut parameters.
    fn fit_probcut(
        &self,
        games: &[Game],
        with_network: &Path,
        status: &mut impl FnMut(&str),
    ) -> io::Result<PathBuf> {
        const POSITIONS: usize = 4000;
        let path = self.folder.join("othello.weights");
        if read_if_valid(&path).is_some() {
            return Ok(path);
        }
        let (mut weights, evaluation) = read_weights(with_network)?;
        let stride = (games.len() / POSITIONS).max(1);
        let sample: Vec<Game> = games.iter().step_by(stride).cloned().collect();
        add_offsets(&mut weights, &sample, &Arc::new(evaluation), self.threads);
        let calibrated = Evaluation::from_weights(&weights).map_err(io::Error::other)?;
        let pairs = probcut::pairs(&sample, &Arc::new(calibrated), 7, 16, self.threads);
        let fit = probcut::fit(&pairs);
        status(&format!(
            "ProbCut: {} pairs of searches, mean error of the logarithm {:.3} (midgame), {:.3} (endgame)",
            pairs.len(),
            fit.midgame_error,
            fit.endgame_error
        ));
        weights.probcut = fit.model;
        write_atomic(&path, &weights::write(&weights))?;
        Ok(path)
    }

    /// Plays a match against the pattern weights alone, from the openings of held-out games.
    fn play_match(
        &self,
        games: &[Game],
        weights: &Path,
        patterns: &Arc<Evaluation>,
        status: &mut impl FnMut(&str),
    ) -> io::Result<()> {
        let (_, evaluation) = read_weights(weights)?;
        let opening = |game: &Game| -> String {
            let moves = game.moves.iter().take(10);
            moves.map(ToString::to_string).collect()
        };
        let openings: Vec<String> = games.iter().step_by(20).map(opening).take(100).collect();
        let opening_texts: Vec<&str> = openings.iter().map(String::as_str).collect();
        let players = [&Arc::new(evaluation), patterns];
        let limit = MoveLimit::Nodes(20_000);
        let scores = evaluate::play_match(players, &opening_texts, limit, self.threads)
            .map_err(io::Error::other)?;
        let points: f64 = scores.iter().map(|s| f64::from(s.signum() + 1) / 2.0).sum();
        let percent = 100.0 * points / scores.len().max(1) as f64;
        status(&format!(
            "match against the pattern weights alone: {percent:.1} % of {} games",
            scores.len()
        ));
        Ok(())
    }

    /// Plays a round, or the rest of it. A file beside the games records the time spent.
    fn play_round(
        &self,
        round: Round,
        source: &PlaySource<'_>,
        path: &Path,
        status: &mut impl FnMut(&str),
    ) -> io::Result<()> {
        const SLICE: Duration = Duration::from_secs(20);
        // Games of workers that are under way at the end of a slice are lost.
        const WORKERS_SLICE: Duration = Duration::from_secs(300);
        let time = round.time(self.time);
        let clock = path.with_extension("seconds");
        let mut spent = Duration::from_secs(
            fs::read_to_string(&clock)
                .ok()
                .and_then(|text| text.trim().parse().ok())
                .unwrap_or(0),
        );
        let settings = SelfPlaySettings {
            depth: round.depth,
            solve: round.solve,
            seed: round.name as u64,
            threads: self.threads,
        };
        while spent < time {
            // A slice that is interrupted is not counted.
            let slice = if self.jobs.is_some() {
                WORKERS_SLICE
            } else {
                SLICE
            };
            let slice = slice.min(time - spent);
            let file = GameFile::open(path)?;
            let before = file.count();
            let numbers = before..u64::MAX;
            let keep = |number, game| file.keep(number, game);
            let PlaySource {
                evaluation, others, ..
            } = *source;
            match &self.jobs {
                None => {
                    selfplay::play(settings, evaluation, others, numbers, slice, keep);
                }
                Some(jobs) => jobs.play(settings, source, numbers, slice, keep)?,
            }
            let played = file.count() - before;
            file.close()?;
            spent += slice.max(Duration::from_secs(1));
            papan_files::write_atomic(&clock, format!("{}\n", spent.as_secs()).as_bytes())?;
            status(&format!(
                "round {}: {} games, {} of {} s",
                round.name,
                before + played,
                spent.as_secs(),
                time.as_secs()
            ));
        }
        Ok(())
    }

    fn fit_patterns(
        &self,
        games: &[Game],
        path: &Path,
        status: &mut impl FnMut(&str),
    ) -> io::Result<Arc<Evaluation>> {
        if let Some((_, evaluation)) = read_if_valid(path) {
            return Ok(Arc::new(evaluation));
        }
        let Split { held_out, training } = split(games);
        let settings = RegressionSettings {
            ridge: 30.0,
            steps: 20,
            threads: self.threads,
        };
        let values = regression::fit(&training, settings);
        let probcut = Evaluation::shipped().probcut();
        let evaluation = Evaluation::new(&values, probcut);
        let errors = regression::errors(&evaluation, &held_out);
        for (stage, (error, examples)) in errors.into_iter().zip(&held_out).enumerate() {
            let StageError {
                mean_absolute,
                root_mean_square,
            } = error;
            status(&format!(
                "stage {stage}: {} held-out positions, mean error {mean_absolute:.2}, root mean square error {root_mean_square:.2}",
                examples.len()
            ));
        }
        let file = weights::write(&Weights {
            linear: values,
            offsets: [0; PLIES],
            network: None,
            probcut,
        });
        write_atomic(path, &file)?;
        Ok(Arc::new(evaluation))
    }
}

/// Calibrates the offsets of weights ([`offsets`]).
pub fn add_offsets(
    weights: &mut Weights,
    games: &[Game],
    evaluation: &Arc<Evaluation>,
    threads: usize,
) {
    let corrections = offsets::fit(games, evaluation, threads);
    for (offset, correction) in weights.offsets.iter_mut().zip(corrections) {
        *offset = offset.saturating_add((correction * f64::from(EVAL_SCALE)).round() as i16);
    }
}

/// Reads a weights file, if it exists and is valid.
fn read_if_valid(path: &Path) -> Option<(Weights, Evaluation)> {
    read_weights(path).ok()
}

/// Reads a weights file.
fn read_weights(path: &Path) -> io::Result<(Weights, Evaluation)> {
    let weights = weights::read(&fs::read(path)?).map_err(io::Error::other)?;
    let evaluation = Evaluation::from_weights(&weights).map_err(io::Error::other)?;
    Ok((weights, evaluation))
}

/// Positions by stage, split into validation and training data.
pub struct Split {
    /// The positions of every twentieth game, for validation.
    pub held_out: Vec<Vec<Example>>,
    /// All others.
    pub training: Vec<Vec<Example>>,
}

/// Splits the positions of games. All positions of a game are in the same part.
pub fn split(games: &[Game]) -> Split {
    let select = |is_held_out: bool| {
        let selected = games
            .iter()
            .enumerate()
            .filter(move |(at, _)| (at % 20 == 0) == is_held_out);
        regression::by_stage(selected.flat_map(|(_, game)| game.positions()))
    };
    Split {
        held_out: select(true),
        training: select(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_gets_whole_seconds_and_at_least_one() {
        let times = |seconds| ROUNDS.map(|round| round.time(Duration::from_secs(seconds)));
        assert_eq!(times(0), [1, 1, 1, 1].map(Duration::from_secs));
        assert_eq!(times(60), [2, 8, 19, 30].map(Duration::from_secs));
    }
}
