//! Events of different games, and different new games, which one statement can add: the
//! way to the database and back costs more than what is done there.

use std::collections::{HashMap, HashSet};

use super::change::{Change, Done};
use crate::{Appended, NewGame, Standing, StoredEvent};

/// A game's address, what happened in it and how it stands then.
pub(crate) type Event<'a> = (&'a str, &'a StoredEvent, &'a Standing);

/// The events of a group whose games nothing else in it is about, with their places.
pub(crate) fn events(group: &[Change]) -> Vec<(usize, Event<'_>)> {
    let events = changes(group).filter_map(|(index, change)| match change {
        Change::Append {
            game,
            event,
            standing,
        } => Some((index, (game.as_str(), event, standing))),
        _ => None,
    });
    events.collect()
}

/// The new games of a group that nothing else in it is about, with their places.
pub(crate) fn new_games(group: &[Change]) -> Vec<(usize, &NewGame)> {
    let games = changes(group).filter_map(|(index, change)| match change {
        Change::Create(game) => Some((index, &**game)),
        _ => None,
    });
    games.collect()
}

/// The changes of a group whose games nothing else in it is about, with their places.
fn changes(group: &[Change]) -> impl Iterator<Item = (usize, &Change)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut many = false;
    for change in group {
        match About::of(change) {
            About::Game(game) => *counts.entry(game).or_default() += 1,
            About::Many => many = true,
            About::None => {}
        }
    }
    let lonely = move |change: &Change| match About::of(change) {
        About::Game(game) => !many && counts[game] == 1,
        About::Many | About::None => false,
    };
    let changes = group.iter().enumerate();
    changes.filter(move |(_, change)| lonely(change))
}

/// Which games a change is about.
enum About<'a> {
    Game(&'a str),
    /// It may be any.
    Many,
    None,
}

impl<'a> About<'a> {
    fn of(change: &'a Change) -> Self {
        match change {
            Change::Create(game) => Self::Game(&game.id),
            Change::Append { game, .. } | Change::Join { game, .. } | Change::DeleteGame(game) => {
                Self::Game(game)
            }
            Change::DeleteVisitor(_) | Change::DeleteName(_) | Change::Expire { .. } => Self::Many,
            Change::KeepStudy(_) | Change::ForgetStudies { .. } | Change::Beat(_) => Self::None,
        }
    }
}

/// What came of the events, by the games that got theirs.
pub(crate) fn done(events: &[(usize, Event<'_>)], added: &HashSet<String>) -> Vec<(usize, Done)> {
    let done = events.iter().map(|(index, (game, ..))| {
        let done = match added.contains(*game) {
            true => Appended::Done,
            false => Appended::Stale,
        };
        (*index, Done::Appended(done))
    });
    done.collect()
}
