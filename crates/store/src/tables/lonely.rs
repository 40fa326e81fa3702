//! Events of different games, which one statement can add: the way to the database and
//! back costs more than what is done there.

use std::collections::{HashMap, HashSet};

use super::change::{Change, Done};
use crate::{Appended, Standing, StoredEvent};

/// A game's address, what happened in it and how it stands then.
pub(crate) type Event<'a> = (&'a str, &'a StoredEvent, &'a Standing);

/// The events of a group whose games nothing else in it is about, with their places.
pub(crate) fn events(group: &[Change]) -> Vec<(usize, Event<'_>)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut many = false;
    for change in group {
        match change {
            Change::Create(game) => *counts.entry(&game.id).or_default() += 1,
            Change::Append { game, .. } | Change::Join { game, .. } | Change::DeleteGame(game) => {
                *counts.entry(game).or_default() += 1;
            }
            Change::DeleteVisitor(_) | Change::DeleteName(_) | Change::Expire { .. } => many = true,
            Change::KeepStudy(_) | Change::ForgetStudies { .. } | Change::Beat(_) => {}
        }
    }
    if many {
        return Vec::new();
    }
    let events = group.iter().enumerate().filter_map(|(index, change)| {
        let Change::Append {
            game,
            event,
            standing,
        } = change
        else {
            return None;
        };
        (counts[game.as_str()] == 1).then_some((index, (game.as_str(), event, standing)))
    });
    events.collect()
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
