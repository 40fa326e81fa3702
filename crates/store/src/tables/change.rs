//! Changes and their outcomes.

use crate::{Appended, Digest, Joined, Joining, NewGame, Run, Standing, StoredEvent, StoredStudy};

/// A change to be written.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Create(Box<NewGame>),
    Append {
        game: String,
        event: StoredEvent,
        standing: Standing,
    },
    Join {
        game: String,
        joining: Box<Joining>,
    },
    DeleteGame(String),
    DeleteVisitor(Digest),
    DeleteName(String),
    Expire {
        before: i64,
    },
    KeepStudy(StoredStudy),
    ForgetStudies {
        before: i64,
        most: u32,
    },
    Beat(Run),
}

/// The outcome of a change.
#[derive(Clone, Debug)]
pub(crate) enum Done {
    Kept,
    Appended(Appended),
    Joined(Joined),
    Deleted(bool),
    Games(Vec<String>),
    Forgotten(u64),
}

/// A type that a caller expects as the outcome of a change.
pub(crate) trait FromOutcome: Sized {
    /// Converts the outcome; `None` if the change is of another kind.
    fn of(done: Done) -> Option<Self>;
}

macro_rules! told {
    ($($kind:ty: $done:pat => $what:expr;)*) => {
        $(impl FromOutcome for $kind {
            fn of(done: Done) -> Option<Self> {
                match done {
                    $done => Some($what),
                    _ => None,
                }
            }
        })*
    };
}

told! {
    (): Done::Kept => ();
    Appended: Done::Appended(appended) => appended;
    Joined: Done::Joined(joined) => joined;
    bool: Done::Deleted(deleted) => deleted;
    Vec<String>: Done::Games(games) => games;
    u64: Done::Forgotten(count) => count;
}
