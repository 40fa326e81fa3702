//! Selection of changes that one statement can write: events of different games, and new games.
//! Round trips cost more than the work itself.

use std::collections::{HashMap, HashSet};

use super::change::{Change, Done};
use crate::{Appended, NewGame, Standing, StoredEvent};

/// A game's id, an event and the status after it.
pub(crate) type Event<'a> = (&'a str, &'a StoredEvent, &'a Standing);

/// Returns the events of a group whose games occur only once in it, with their indices.
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

/// Returns the new games of a group that occur only once in it, with their indices.
pub(crate) fn new_games(group: &[Change]) -> Vec<(usize, &NewGame)> {
    let games = changes(group).filter_map(|(index, change)| match change {
        Change::Create(game) => Some((index, &**game)),
        _ => None,
    });
    games.collect()
}

/// Returns the changes of a group whose games occur only once in it, with their indices.
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
    let batching = move |change: &Change| match About::of(change) {
        About::Game(game) => !many && counts[game] == 1,
        About::Many | About::None => false,
    };
    let changes = group.iter().enumerate();
    changes.filter(move |(_, change)| batching(change))
}

/// The games that a change concerns.
enum About<'a> {
    Game(&'a str),
    /// Any number of games.
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

/// Returns the outcomes of the events, given the games whose event was added.
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
