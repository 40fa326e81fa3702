//! The whole training from nothing, one step after the other, resumable at every step.

use crate::evaluate::{self, MoveLimit};
use crate::fit::{self, Example};
use crate::game_file::GameFile;
use crate::games::Game;
use crate::{network, offsets, probcut, selfplay, wthor};
use papan_files::write_atomic;
use papan_othello::Evaluation;
use papan_othello::eval::EVAL_SCALE;
use papan_othello::eval::network::PLIES;
use papan_othello::eval::weights::{self, Weights};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
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
    /// Whether its games begin as tournament games do, where there are any; else with random
    /// moves.
    pub tournament: bool,
    /// Its share of the time, in parts of [`PARTS`].
    pub part: u64,
}

/// The rounds: each is played with the weights of the one before, deeper and solved earlier. The
/// last one shows what good games look like, which wild ones do not teach.
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

/// The parts of all rounds together.
pub const PARTS: u64 = 22;

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
        let tournament = games.clone();
        tell(&format!("{} tournament games", tournament.len()));
        let mut evaluation = Arc::new(Evaluation::zero());
        let mut last = self.folder.join("0.weights");
        if !games.is_empty() {
            evaluation = self.fitted(&games, &last, &mut tell)?;
        }
        for round in ROUNDS {
            let path = self.folder.join(format!("{}.games", round.name));
            let others = if round.tournament {
                &tournament[..]
            } else {
                &[]
            };
            self.play(round, &evaluation, others, &path, &mut tell)?;
            games.extend(Game::read_all(&fs::read(&path)?));
            last = self.folder.join(format!("{}.weights", round.name));
            evaluation = self.fitted(&games, &last, &mut tell)?;
        }
        let last = self.with_network(&games, &last, &mut tell)?;
        let last = self.with_probcut(&games, &last, &mut tell)?;
        self.play_match(&games, &last, &evaluation, &mut tell)?;
        Ok(last)
    }

    /// Fits a network to what the tables leave over.
    fn with_network(
        &self,
        games: &[Game],
        linear: &Path,
        tell: &mut impl FnMut(&str),
    ) -> io::Result<PathBuf> {
        let path = self.folder.join("network.weights");
        if readable(&path).is_some() {
            return Ok(path);
        }
        let (mut weights, tables) = needed(linear)?;
        let (_, learned) = split(games);
        let learned: Vec<Example> = learned.into_iter().flatten().collect();
        let mut fit = network::Fit::new(network::Settings {
            threads: self.threads,
            ..network::Settings::default()
        });
        fit.learn(&tables, &learned, |_, epoch, error| {
            tell(&format!(
                "network, epoch {epoch}: root mean square {error:.3}"
            ));
        });
        fit.write_to(&mut weights);
        write_atomic(&path, &weights::write(&weights))?;
        Ok(path)
    }

    /// Fits the offsets and multi-ProbCut's constants to searches with the evaluation.
    fn with_probcut(
        &self,
        games: &[Game],
        fitted: &Path,
        tell: &mut impl FnMut(&str),
    ) -> io::Result<PathBuf> {
        const POSITIONS: usize = 4000;
        let path = self.folder.join("othello.weights");
        if readable(&path).is_some() {
            return Ok(path);
        }
        let (mut weights, evaluation) = needed(fitted)?;
        let stride = (games.len() / POSITIONS).max(1);
        let chosen: Vec<Game> = games.iter().step_by(stride).cloned().collect();
        add_offsets(&mut weights, &chosen, &Arc::new(evaluation), self.threads);
        let evaluation = Evaluation::from_weights(&weights).map_err(io::Error::other)?;
        let pairs = probcut::pairs(&chosen, &Arc::new(evaluation), 7, 16, self.threads);
        let (constants, errors) = probcut::fit(&pairs);
        tell(&format!(
            "ProbCut from {} pairs of searches, mean errors of the logarithm {errors:.3?}",
            pairs.len()
        ));
        weights.probcut = constants;
        write_atomic(&path, &weights::write(&weights))?;
        Ok(path)
    }

    /// A match against the tables alone, from the openings of games that were held out.
    fn play_match(
        &self,
        games: &[Game],
        fitted: &Path,
        tables: &Arc<Evaluation>,
        tell: &mut impl FnMut(&str),
    ) -> io::Result<()> {
        let (_, evaluation) = needed(fitted)?;
        let opening = |game: &Game| -> String {
            let moves = game.moves.iter().take(10);
            moves.map(ToString::to_string).collect()
        };
        let openings: Vec<String> = games.iter().step_by(20).map(opening).take(100).collect();
        let openings: Vec<&str> = openings.iter().map(String::as_str).collect();
        let players = [&Arc::new(evaluation), tables];
        let scores = evaluate::contest(players, &openings, MoveLimit::Nodes(20_000), self.threads);
        let scores = scores.map_err(io::Error::other)?;
        let won: f64 = scores.iter().map(|s| f64::from(s.signum() + 1) / 2.0).sum();
        let percent = 100.0 * won / scores.len().max(1) as f64;
        tell(&format!(
            "{percent:.1} % of {} games against the tables alone",
            scores.len()
        ));
        Ok(())
    }

    /// Plays a round, or what is left of it: a file beside the games says how long it went on.
    fn play(
        &self,
        round: Round,
        evaluation: &Arc<Evaluation>,
        others: &[Game],
        path: &Path,
        tell: &mut impl FnMut(&str),
    ) -> io::Result<()> {
        const SLICE: Duration = Duration::from_secs(20);
        let time = round.time(self.time);
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
            let file = GameFile::open(path)?;
            let done = file.count();
            let numbers = done..u64::MAX;
            let keep = |number, game| file.keep(number, game);
            let played = selfplay::play(settings, evaluation, others, numbers, slice, keep);
            file.close()?;
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
        if let Some((_, evaluation)) = readable(path) {
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

/// Adds to the weights' offsets what searches with their evaluation lack in the mean.
pub fn add_offsets(
    weights: &mut Weights,
    games: &[Game],
    evaluation: &Arc<Evaluation>,
    threads: usize,
) {
    let lacking = offsets::fit(games, evaluation, threads);
    for (offset, lacking) in weights.offsets.iter_mut().zip(lacking) {
        *offset = offset.saturating_add((lacking * f64::from(EVAL_SCALE)).round() as i16);
    }
}

/// What a weights file holds, if it is there and whole.
fn readable(path: &Path) -> Option<(Weights, Evaluation)> {
    let weights = weights::read(&fs::read(path).ok()?).ok()?;
    let evaluation = Evaluation::from_weights(&weights).ok()?;
    Some((weights, evaluation))
}

/// What a weights file holds that an earlier step wrote.
fn needed(path: &Path) -> io::Result<(Weights, Evaluation)> {
    let weights = weights::read(&fs::read(path)?).map_err(io::Error::other)?;
    let evaluation = Evaluation::from_weights(&weights).map_err(io::Error::other)?;
    Ok((weights, evaluation))
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
