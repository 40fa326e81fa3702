//! The assignment file.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use papan_catalog::{AnyGame, GameError, PlayerError, StrategySpec, Unplayable};
use papan_rules::{Move, NotationError, Player, PositionError};
use papan_strategies::{TimeError, parse_time};
use serde::Deserialize;

/// An assignment: the game, the limits and the tests.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The title.
    pub title: String,
    /// The game.
    pub game: AnyGame,
    /// How submissions are run, by the extension of their file; `{file}` is its path and `{out}` that
    /// of the program that was built.
    pub run: BTreeMap<String, String>,
    /// How submissions are built before, by the extension of their file.
    pub build: BTreeMap<String, String>,
    /// Time for a move.
    pub time: Duration,
    /// Memory of a program in MiB.
    pub memory_mib: u64,
    /// Whether programs may use the network.
    pub network: bool,
    /// The tests.
    pub tests: Vec<TestSpec>,
}

/// A test with its points.
#[derive(Clone, Debug)]
pub struct TestSpec {
    /// Its name in reports.
    pub name: String,
    /// The points for passing it.
    pub points: f64,
    /// The test.
    pub kind: TestKind,
}

/// The test.
#[derive(Clone, Debug)]
pub enum TestKind {
    /// The program never loses from a seat.
    Proof(Player),
    /// The program scores enough against a strategy.
    Match(MatchTest),
    /// The program answers a position.
    Position {
        /// The position as text.
        position: String,
        /// The right answers.
        answers: Vec<Move>,
    },
}

/// A match against a strategy, from both seats in turn.
#[derive(Clone, Debug)]
pub struct MatchTest {
    /// The opponent.
    pub opponent: StrategySpec,
    /// Number of games.
    pub games: u32,
    /// The share of the points that is needed, from 0 to 1; a draw is half a point.
    pub need: f64,
    /// Seed of the opponent.
    pub seed: u64,
}

/// Why a text is not an assignment.
#[derive(Debug, thiserror::Error)]
pub enum AssignmentError {
    /// It is not TOML, or has a wrong or missing key.
    #[error("{0}")]
    Syntax(String),
    /// A value is wrong.
    #[error("{place}: {cause}")]
    Value {
        /// The key.
        place: String,
        /// The error and what would be right.
        cause: ValueError,
    },
}

/// What is wrong with a value of an assignment.
#[derive(Debug, thiserror::Error)]
pub enum ValueError {
    /// It names no game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// It is not a time.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// It names no strategy.
    #[error(transparent)]
    Opponent(#[from] PlayerError),
    /// The strategy cannot play the game.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// It is not a position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// It is not a move of this game.
    #[error("{1}")]
    Move(Box<AnyGame>, NotationError),
    /// Another rule, as a sentence in English.
    #[error("{0}")]
    Rule(&'static str),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AssignmentText {
    title: String,
    game: String,
    run: BTreeMap<String, String>,
    #[serde(default)]
    build: BTreeMap<String, String>,
    #[serde(default = "default_time")]
    time: String,
    #[serde(default = "default_memory")]
    memory: u64,
    #[serde(default)]
    network: bool,
    tests: Vec<TestText>,
}

fn default_time() -> String {
    "1s".into()
}

fn default_memory() -> u64 {
    1024
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestText {
    name: Option<String>,
    points: f64,
    prove: Option<String>,
    opponent: Option<String>,
    games: Option<u32>,
    need: Option<f64>,
    seed: Option<u64>,
    position: Option<String>,
    answers: Option<Vec<String>>,
}

/// Maximum number of games of a match.
const MAX_GAMES: u32 = 10_000;

impl Assignment {
    /// Parses an assignment.
    ///
    /// # Errors
    /// When the text is not TOML or a value is wrong, with its place.
    pub fn parse(text: &str) -> Result<Self, AssignmentError> {
        let text: AssignmentText = toml::from_str(text)
            .map_err(|error| AssignmentError::Syntax(error.to_string().trim_end().into()))?;
        let game: AnyGame = parse("game", &text.game)?;
        let time = parse_time(&text.time).map_err(|cause| wrong("time", cause))?;
        let runs = |extension: &String, command: &String| {
            let is_built = text.build.contains_key(extension);
            command.contains("{out}") == is_built && (is_built || command.contains("{file}"))
        };
        if text
            .run
            .iter()
            .any(|(extension, command)| !runs(extension, command))
        {
            return Err(rule(
                "run",
                "every command needs {file}, such as 'move:python3 {file}', or {out} where there is a build command",
            ));
        }
        let builds = |command: &String| command.contains("{file}") && command.contains("{out}");
        if !text.build.values().all(builds) {
            return Err(rule(
                "build",
                "every command needs {file} and {out}, such as 'cc -O2 -o {out} {file}'",
            ));
        }
        if text.memory == 0 {
            return Err(rule("memory", "expected MiB, at least 1"));
        }
        if text.tests.is_empty() {
            return Err(rule("tests", "an assignment has at least one [[tests]]"));
        }
        let tests = (1..)
            .zip(text.tests)
            .map(|(number, test)| test.check(&game, number));
        Ok(Self {
            title: text.title,
            run: text.run,
            build: text.build,
            time,
            memory_mib: text.memory,
            network: text.network,
            tests: tests.collect::<Result<_, _>>()?,
            game,
        })
    }

    /// Returns the command that runs a submission; `built` is the program that was built from it.
    ///
    /// # Errors
    /// When the assignment has no command for its extension.
    pub fn command(&self, submission: &Path, built: &Path) -> Result<String, String> {
        let extension = extension(submission);
        let command = self.run.get(&extension).ok_or_else(|| {
            let known: Vec<&str> = self.run.keys().map(String::as_str).collect();
            format!(
                "the assignment runs files of {}, not of `{extension}`",
                known.join(", ")
            )
        })?;
        filled(command, submission, built)
    }

    /// Returns the command that builds a submission, if there is one.
    ///
    /// # Errors
    /// When there is no such file.
    pub fn build_command(&self, submission: &Path, built: &Path) -> Result<Option<String>, String> {
        let command = self.build.get(&extension(submission));
        command
            .map(|command| filled(command, submission, built))
            .transpose()
    }

    /// Returns the points of all tests.
    #[must_use]
    pub fn points(&self) -> f64 {
        let points = self.tests.iter().map(|test| test.points);
        points.fold(0.0, |sum, points| sum + points)
    }
}

fn extension(submission: &Path) -> String {
    let extension = submission.extension().unwrap_or_default();
    extension.to_string_lossy().into_owned()
}

/// Writes the quoted paths into a command.
fn filled(command: &str, submission: &Path, built: &Path) -> Result<String, String> {
    let path = submission
        .canonicalize()
        .map_err(|cause| match cause.kind() {
            ErrorKind::NotFound => format!("{}: no such file", submission.display()),
            _ => format!("{}: {cause}", submission.display()),
        })?;
    let quoted = |path: &Path| {
        let path = path.to_string_lossy();
        let quote = if path.contains('\'') { '"' } else { '\'' };
        format!("{quote}{path}{quote}")
    };
    let command = command.replace("{file}", &quoted(&path));
    Ok(command.replace("{out}", &quoted(built)))
}

fn wrong(place: &str, cause: impl Into<ValueError>) -> AssignmentError {
    AssignmentError::Value {
        place: place.into(),
        cause: cause.into(),
    }
}

fn rule(place: &str, text: &'static str) -> AssignmentError {
    wrong(place, ValueError::Rule(text))
}

fn parse<T: std::str::FromStr<Err: Into<ValueError>>>(
    place: &str,
    text: &str,
) -> Result<T, AssignmentError> {
    text.parse().map_err(|cause: T::Err| wrong(place, cause))
}

impl TestText {
    fn check(self, game: &AnyGame, number: usize) -> Result<TestSpec, AssignmentError> {
        let place = format!("test {number}");
        let at = |key: &str| format!("{place}, {key}");
        if !self.points.is_finite() || self.points < 0.0 {
            return Err(rule(
                &at("points"),
                "expected a number that is not negative",
            ));
        }
        let (kind, name) = match (&self.prove, &self.opponent, &self.position) {
            (Some(seat), None, None) => {
                let player = match seat.as_str() {
                    "first" => Player::First,
                    "second" => Player::Second,
                    _ => return Err(rule(&at("prove"), "expected first or second")),
                };
                (TestKind::Proof(player), format!("prove {seat}"))
            }
            (None, Some(opponent), None) => {
                let test = MatchTest {
                    opponent: parse(&at("opponent"), opponent)?,
                    games: self.games.unwrap_or(20),
                    need: self.need.unwrap_or(0.5),
                    seed: self.seed.unwrap_or(1),
                };
                game.can_seat(&test.opponent, &papan_strategies::Limits::default())
                    .map_err(|error| wrong(&at("opponent"), error))?;
                if !(0.0..=1.0).contains(&test.need) {
                    return Err(rule(&at("need"), "expected a share from 0 to 1"));
                }
                if !(1..=MAX_GAMES).contains(&test.games) {
                    return Err(rule(&at("games"), "expected 1 to 10000"));
                }
                (TestKind::Match(test), format!("match {opponent}"))
            }
            (None, None, Some(position)) => {
                let line = game
                    .line_from(position)
                    .map_err(|error| wrong(&at("position"), error))?;
                let answers = self.answers.as_deref().unwrap_or_default().iter();
                let answers: Vec<Move> = answers
                    .map(|word| {
                        game.parse_move(word).map_err(|cause| {
                            let cause = ValueError::Move(Box::new(game.clone()), cause);
                            wrong(&at("answers"), cause)
                        })
                    })
                    .collect::<Result<_, _>>()?;
                if answers.is_empty() || answers.iter().any(|mv| line.check_move(*mv).is_err()) {
                    return Err(rule(&at("answers"), "expected legal moves of the position"));
                }
                let position = position.clone();
                let name = format!("position {position}");
                (TestKind::Position { position, answers }, name)
            }
            _ => {
                let text = "a test has one of prove, opponent and position";
                return Err(rule(&place, text));
            }
        };
        Ok(TestSpec {
            name: self.name.unwrap_or(name),
            points: self.points,
            kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "title = 'T'\ngame = 'tictactoe'\nrun = { py = 'move:python3 {file}' }\n";

    #[test]
    fn an_assignment_is_read_with_its_defaults() {
        let tests = "[[tests]]\nprove = 'second'\npoints = 40\n[[tests]]\nopponent = 'random'\npoints = 10\n\
                     [[tests]]\nposition = 'XX-OO---- X'\nanswers = ['3']\npoints = 5\n";
        let assignment = Assignment::parse(&format!("{GOOD}{tests}")).unwrap();
        assert_eq!((assignment.points(), assignment.memory_mib), (55.0, 1024));
        assert!(!assignment.network);
        let names: Vec<&str> = assignment
            .tests
            .iter()
            .map(|test| test.name.as_str())
            .collect();
        assert_eq!(
            names,
            ["prove second", "match random", "position XX-OO---- X"]
        );
        assert!(
            assignment
                .command(Path::new("a.rb"), Path::new("out"))
                .unwrap_err()
                .contains("py")
        );
    }

    #[test]
    fn a_wrong_assignment_is_an_error_with_its_place() {
        let error = |rest: &str| {
            Assignment::parse(&format!("{GOOD}{rest}"))
                .unwrap_err()
                .to_string()
        };
        assert!(error("").contains("tests"));
        assert!(error("[[tests]]\npoints = 1\n").contains("test 1: a test has one of"));
        assert!(
            error("[[tests]]\nprove = 'third'\npoints = 1\n")
                .contains("test 1, prove: expected first")
        );
        assert!(
            error("[[tests]]\nopponent = 'minmax'\npoints = 1\n")
                .contains("did you mean `minimax`")
        );
        assert!(
            error("[[tests]]\nposition = 'XX-OO---- X'\nanswers = ['1']\npoints = 1\n")
                .contains("legal")
        );
        assert!(error("[[tests]]\nprove = 'first'\npoint = 1\n").contains("point"));
        assert!(error("[[tests]]\nprove = 'first'\npoints = -1\n").contains("points"));
        assert!(Assignment::parse("not toml").is_err());
        let build = "[build]\npy = 'cc {file}'\n[[tests]]\nprove = 'first'\npoints = 1\n";
        assert!(error(build).contains("{out}"), "{}", error(build));
    }
}
