//! What can be changed, and what comes of it.

use crate::{Appended, Digest, Joined, Joining, NewGame, Run, Standing, StoredEvent, StoredStudy};

/// Something to be written.
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

/// What came of a change.
#[derive(Clone, Debug)]
pub(crate) enum Done {
    Kept,
    Appended(Appended),
    Joined(Joined),
    Deleted(bool),
    Games(Vec<String>),
    Forgotten(u64),
}

/// What a caller wants to hear of a change.
pub(crate) trait Told: Sized {
    /// Nothing when the change is of another kind.
    fn of(done: Done) -> Option<Self>;
}

macro_rules! told {
    ($($kind:ty: $done:pat => $what:expr;)*) => {
        $(impl Told for $kind {
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
