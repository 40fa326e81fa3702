//! Does an engine keep to its protocol? What is tried, and what it does.

mod conversations;
mod talk;

use std::time::{Duration, Instant};

use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_strategies::Limits;

use crate::entrant::{Entrant, EntrantKind};
use crate::finished::Finished;
use crate::process::{LineProcess, ProcessFault, StartError};
use crate::protocol::{EngineCommand, Protocol};
use crate::results::{Memory, Results as _};
use crate::run::{Settings, run};
use crate::tournament::{Format, Tournament};
use talk::Talk;

/// How an engine keeps to a rule of its protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// As it should be.
    Kept,
    /// Not as it should be.
    Broken,
    /// It does not do this, and does not have to.
    Absent,
}

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// What was tried, and what the engine should do.
    pub what: String,
    /// What was said to it.
    pub said: String,
    /// What it did.
    pub did: String,
    /// Whether that is how it should be.
    pub keeping: Keeping,
}

/// Tries an engine. `patience` is how long any answer may take.
///
/// # Errors
/// When it does not start at all.
pub fn check(
    command: &EngineCommand,
    game: &AnyGame,
    patience: Duration,
) -> Result<Vec<Trial>, StartError> {
    let mut talk = Talk::begin(command, patience)?;
    match command.protocol {
        Protocol::Gtp => conversations::gtp(&mut talk),
        Protocol::Ugi => conversations::ugi(&mut talk),
        Protocol::Piskvork => conversations::piskvork(&mut talk, game),
        Protocol::NBoard => conversations::nboard(&mut talk),
    }
    let (process, mut trials) = talk.end();
    trials.push(leaves(process, command.protocol, patience));
    trials.extend(whole_games(command, game, patience));
    Ok(trials)
}

/// Whether it leaves when it is told to.
fn leaves(mut process: LineProcess, protocol: Protocol, patience: Duration) -> Trial {
    let goodbye = protocol.goodbye();
    let deadline = Instant::now() + patience;
    let sent = process.send(goodbye, deadline);
    let did = loop {
        match sent.clone().and_then(|()| process.line(deadline)) {
            Ok(_) => {}
            Err(fault) => break fault,
        }
    };
    Trial {
        what: format!("`{}` makes it leave", goodbye.trim()),
        said: goodbye.trim().into(),
        keeping: match did {
            ProcessFault::Ended { .. } => Keeping::Kept,
            _ => Keeping::Broken,
        },
        did: did.to_string(),
    }
}

/// What an engine is given for a move of a whole game.
const A_MOVE: Duration = Duration::from_millis(100);

/// Plays a game from each seat against `random`, by papan's rules.
fn whole_games(command: &EngineCommand, game: &AnyGame, patience: Duration) -> Vec<Trial> {
    let mut command = command.clone();
    command.settings.start.get_or_insert(patience);
    let entrant = Entrant {
        kind: EntrantKind::Engine(command),
        limits: Limits::default(),
    };
    let random: Entrant = "random".parse().expect("there is a strategy of that name");
    let tournament = Tournament {
        game: game.clone(),
        entrants: vec![entrant, random],
        format: Format::RoundRobin,
        games: 2,
        openings: vec![Vec::new()],
        // Some protocols have no game without a limit; nobody is judged by this one.
        limits: Limits {
            time: Some(A_MOVE),
            ..Limits::default()
        },
        margin: patience,
        patience,
        seed: 1,
        timed: true,
        adjudication: Default::default(),
    };
    let mut store = Memory::default();
    let settings = Settings {
        concurrency: 1,
        sprt: None,
        observer: &mut |_| {},
        onlookers: None,
    };
    let what = |seat: &str| format!("a whole game of {} with the {seat} move", game.name());
    if let Err(error) = run(&tournament, &mut store, settings) {
        return vec![Trial {
            what: what("first"),
            said: String::new(),
            did: error.to_string(),
            keeping: Keeping::Broken,
        }];
    }
    let mut trials = Vec::new();
    let replayed = store.replay(&mut |record| {
        let Ok(finished) = Finished::decode(record) else {
            return;
        };
        let seat = Player::BOTH[(finished.game % 2) as usize];
        let failed = finished.forfeit.is_some() && finished.outcome.value_for(seat) < 0;
        let slowest = finished.costs[seat.index()];
        trials.push(Trial {
            what: what(if finished.game == 0 {
                "first"
            } else {
                "second"
            }),
            did: match finished.forfeit {
                Some(forfeit) if failed => forfeit.to_string(),
                _ => {
                    let time = slowest.time.as_secs_f64() * 1000.0 / slowest.moves.max(1) as f64;
                    format!("{} legal moves, {time:.1} ms each", slowest.moves)
                }
            },
            said: String::new(),
            keeping: match failed {
                true => Keeping::Broken,
                false => Keeping::Kept,
            },
        });
    });
    replayed.expect("memory can be read");
    trials
}
