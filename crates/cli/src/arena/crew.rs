//! Tournaments played by workers, through the job queue.

use papan_arena::{Batch, Format, Others, Played, Tournament};
use papan_store::{Key, StoreError, Undertaking};

use crate::posting::Posting;
use crate::queue_line::reproduced_by;
use crate::worker::GAMES;

/// The workers of a queue, as players of this tournament.
pub(crate) struct Crew {
    posting: Posting,
}

impl Crew {
    /// Starts or continues a tournament in a queue; `again` starts from the beginning.
    pub(crate) fn begin(url: &str, tournament: &Tournament, again: bool) -> anyhow::Result<Self> {
        let undertaking = Undertaking {
            name: name(tournament),
            kind: GAMES.into(),
            needs: reproduced_by(),
            body: tournament.to_text(),
        };
        let posting = Posting::begin(url, &undertaking, again)?;
        Ok(Self { posting })
    }

    /// Ends the tournament: waiting batches are withdrawn.
    pub(crate) fn end(&self) -> Result<(), StoreError> {
        self.posting.end()
    }
}

impl Others for Crew {
    fn post(&mut self, batch: &Batch) -> Result<(), String> {
        let posted = self.posting.post(batch.to_string());
        posted.map_err(|error| error.to_string())
    }

    fn ahead(&mut self) -> usize {
        self.posting.ahead()
    }

    fn wait(&mut self) -> Result<Vec<Played>, String> {
        let found = self.posting.results().map_err(|error| error.to_string())?;
        let games = found.iter().map(|result| Played::decode(&result.body));
        let games: Result<Vec<Played>, _> = games.collect();
        games.map_err(|error| format!("the queue holds {error}"))
    }
}

/// Returns the name of the tournament in the queue: equal for the same games by the same programs.
fn name(tournament: &Tournament) -> String {
    let header = tournament.header_with_programs();
    let header = match tournament.format {
        Format::RoundRobin | Format::Gauntlet => header.without("games"),
        Format::Knockout | Format::Swiss { .. } => header,
    };
    let key = Key::of(header.to_string().as_bytes()).to_string();
    format!("tournament {}", &key[..16])
}
