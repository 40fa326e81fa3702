//! Jobs of the kind "games": batches of a tournament.

use papan_arena::{Batch, Batches, Played, Tournament, play_batches};
use papan_store::{Finish, Undertaking};

use super::slot::Slot;

/// Name of the job kind.
pub(crate) const KIND: &str = "games";

/// Plays batches of one tournament until there are none.
///
/// # Errors
/// When it cannot be played here.
pub(super) fn play(slot: &mut Slot<'_>, undertaking: &Undertaking) -> Result<(), String> {
    let tournament = Tournament::from_text(&undertaking.body);
    let tournament = tournament.map_err(|error| error.to_string())?;
    let mut batches = Claims {
        slot,
        undertaking: &undertaking.name,
    };
    play_batches(&tournament, &mut batches).map_err(|error| error.to_string())
}

struct Claims<'a, 'b> {
    slot: &'a mut Slot<'b>,
    undertaking: &'a str,
}

impl Batches for Claims<'_, '_> {
    fn next(&mut self) -> Option<Batch> {
        loop {
            match self.slot.next_of(self.undertaking)?.body.parse() {
                Ok(batch) => return Some(batch),
                Err(error) => {
                    let why = format!("{error}");
                    self.slot.finish(&Finish::Failed(why));
                }
            }
        }
    }

    fn take(&mut self, played: Result<Played, String>) {
        self.slot.finish(&match played {
            Ok(played) => Finish::Done(played.encode()),
            Err(why) => Finish::Failed(why),
        });
    }
}
