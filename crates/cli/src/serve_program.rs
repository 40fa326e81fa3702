//! Programs that `papan serve` offers as opponents: `--player NAME=PROTOCOL:COMMAND`.
//!
//! Each is tried when the server starts: a program is offered for the games in which it answers the
//! start position with a legal move.

use std::str::FromStr;
use std::sync::Mutex;
use std::time::Duration;

use papan_arena::{Entrant, EntrantError, EntrantKind};
use papan_catalog::{AnyGame, FAMILIES, GameError, StrategySpec};
use papan_protocol::{Program, Protocol};
use papan_strategies::{Context, Limits, SystemClock};
use papan_view::{Messages, messages};
use papan_web::OfferedProgram;

/// Maximum length of a name in characters.
const MAX_NAME: usize = 30;

/// A program under the name that visitors see, `NAME=ugi:COMMAND` or `NAME(GAME,GAME)=ugi:COMMAND`.
#[derive(Clone, Debug)]
pub(crate) struct NamedProgram {
    name: String,
    /// The games that the operator named; empty for all that it can play.
    games: Vec<AnyGame>,
    strategy: StrategySpec,
    from_start_only: bool,
}

/// Why a text is not a named program.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NamedProgramError {
    #[error("expected NAME=PROGRAM, such as 'Rapfi=piskvork:./pbrain-rapfi'")]
    NoName,
    #[error("`{0}` is not a name: up to {MAX_NAME} letters, digits, spaces and . - _")]
    Name(String),
    #[error("{0}")]
    Game(#[from] GameError),
    #[error(transparent)]
    Program(#[from] EntrantError),
    #[error("`{0}` is a strategy of papan, which visitors can choose already")]
    Strategy(String),
}

impl FromStr for NamedProgram {
    type Err = NamedProgramError;

    fn from_str(text: &str) -> Result<Self, NamedProgramError> {
        let (left, program) = text.split_once('=').ok_or(NamedProgramError::NoName)?;
        let left = left.trim();
        let (name, games) = match left.strip_suffix(')').and_then(|left| left.split_once('(')) {
            Some((name, games)) => (name.trim(), games.split(',').map(str::trim).collect()),
            None => (left, Vec::new()),
        };
        let allowed = |letter: char| letter.is_alphanumeric() || " .-_".contains(letter);
        if name.is_empty() || name.chars().count() > MAX_NAME || !name.chars().all(allowed) {
            return Err(NamedProgramError::Name(name.into()));
        }
        let entrant: Entrant = program.parse()?;
        let EntrantKind::Engine(command) = entrant.kind else {
            return Err(NamedProgramError::Strategy(program.trim().into()));
        };
        Ok(Self {
            name: name.into(),
            games: games
                .into_iter()
                .map(str::parse)
                .collect::<Result<_, _>>()?,
            from_start_only: command.protocol != Protocol::PositionLine,
            strategy: Program::new(command, entrant.limits, name.into()).strategy(),
        })
    }
}

impl NamedProgram {
    /// Tries the program and returns it with the games that it plays.
    ///
    /// # Errors
    /// If it plays none, or not one that the operator named.
    pub(crate) fn offer(
        &self,
        move_time: Duration,
        words: Messages,
    ) -> anyhow::Result<OfferedProgram> {
        let examples = || {
            let names = FAMILIES.iter().flat_map(|family| family.examples);
            names.filter_map(|name| name.parse().ok()).collect()
        };
        let tried: Vec<AnyGame> = if self.games.is_empty() {
            examples()
        } else {
            self.games.clone()
        };
        let answers = try_all(&tried, |game| self.try_game(game, move_time, words));
        let (mut games, mut refused) = (Vec::new(), Vec::new());
        for (game, answer) in tried.iter().zip(answers) {
            match answer {
                Ok(()) => games.push(game.name()),
                Err(why) => refused.push((game.name(), why)),
            }
        }
        let program = || ("program", self.name.clone().into());
        if let (false, Some((game, why))) = (self.games.is_empty(), refused.first()) {
            let values = [
                program(),
                ("game", game.clone().into()),
                ("reason", why.clone().into()),
            ];
            anyhow::bail!(words.with("serve-program-cannot", values));
        }
        if games.is_empty() {
            let names: Vec<&str> = refused.iter().map(|(game, _)| game.as_str()).collect();
            let why = refused.first().map_or("", |(_, why)| why);
            let values = [
                program(),
                ("games", names.join(", ").into()),
                ("reason", why.to_owned().into()),
            ];
            anyhow::bail!(words.with("serve-program-broken", values));
        }
        Ok(OfferedProgram {
            name: self.name.clone(),
            strategy: self.strategy.clone(),
            games,
            from_start_only: self.from_start_only,
        })
    }

    /// Asks the program for the first move of a game.
    fn try_game(&self, game: &AnyGame, time: Duration, words: Messages) -> Result<(), String> {
        let limits = Limits {
            time: Some(time),
            ..Limits::default()
        };
        let mut seat = game
            .seat(&self.strategy, &limits)
            .map_err(|error| messages::unplayable(words, &error))?;
        let context = Context::default().limited(limits, &SystemClock);
        seat.choose(&*game.line(), &context)
            .map(|_| ())
            .map_err(|error| messages::no_move(words, &error))
    }
}

/// Maps all games, on as many threads as there are cores.
fn try_all<T: Send>(games: &[AnyGame], work: impl Fn(&AnyGame) -> T + Sync) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = Mutex::new(games.iter().enumerate());
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..cores.min(games.len()) {
            scope.spawn(|| {
                loop {
                    let taken = next.lock().expect("no thread panics with it").next();
                    let Some((index, game)) = taken else { return };
                    let result = work(game);
                    let mut done = done.lock().expect("no thread panics with it");
                    done.push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panics with it");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_a_name_and_perhaps_games() {
        let program: NamedProgram = "Rapfi 0.43(gomoku, tictactoe)=piskvork:./rapfi@time=2s"
            .parse()
            .unwrap();
        assert_eq!(program.name, "Rapfi 0.43");
        let games: Vec<String> = program.games.iter().map(AnyGame::name).collect();
        assert_eq!(games, ["gomoku", "tictactoe"]);
        assert!(program.from_start_only);
        let student: NamedProgram = "Ann=move:python3 a=b.py".parse().unwrap();
        assert!(student.games.is_empty() && !student.from_start_only);
        let error = |text: &str| text.parse::<NamedProgram>().unwrap_err().to_string();
        assert!(error("ugi:engine").contains("expected NAME=PROGRAM"));
        assert!(error("=ugi:engine").contains("is not a name"));
        assert!(error("<b>=ugi:engine").contains("is not a name"));
        assert!(error("A(chess)=ugi:engine").contains("chess"));
        assert!(error("A=minimax").contains("is a strategy of papan"));
        assert!(error("A=ugi:").contains("command"));
    }
}
