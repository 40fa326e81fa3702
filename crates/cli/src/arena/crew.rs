//! A tournament that workers play, through a queue.

use std::time::{Duration, Instant};

use papan_arena::results::Header;
use papan_arena::{Batch, Format, Others, Played, Tournament};
use papan_store::{Bell, Key, NewJob, Queue, StoreError, Undertaking};
use papan_strategies::StopToken;
use tokio::runtime::Runtime;

use crate::output::tell;
use crate::queue_line::{QueueLine, reproduced_by};
use crate::worker::GAMES;

/// Between two looks for results, where no bell rings.
const LOOK: Duration = Duration::from_secs(1);
/// Between two looks at who works and what failed.
const ROUND: Duration = Duration::from_secs(2);
/// Batches for each thread of each worker: one that it plays, and some that wait.
const EACH: usize = 3;
/// Results that are read at once.
const MOST: u32 = 256;

/// The workers of a queue, as far as they play this tournament.
pub(crate) struct Crew {
    line: QueueLine,
    undertaking: String,
    /// The last result that was read.
    after: i64,
    bell: Option<Bell>,
    /// How many threads work, and when that was seen.
    threads: (usize, Option<Instant>),
    failures: u64,
    runtime: Runtime,
}

impl Crew {
    /// Begins a tournament in a queue, or goes on with it; `again` from the beginning.
    pub(crate) fn begin(url: &str, tournament: &Tournament, again: bool) -> anyhow::Result<Self> {
        let runtime = Runtime::new()?;
        // Ctrl-C ends the program here: whatever is under way goes on without it.
        let line = QueueLine::open(url, runtime.handle(), &StopToken::default())?;
        let undertaking = Undertaking {
            name: name(tournament),
            kind: GAMES.into(),
            needs: reproduced_by(),
            body: tournament.to_text(),
        };
        let name = &undertaking.name;
        if again {
            line.ask(async |queue: Queue| queue.forget(name).await)?;
        }
        line.ask(async |queue: Queue| queue.begin(&undertaking).await)?;
        // What nobody has begun is handed out anew, in batches of today.
        line.ask(async |queue: Queue| queue.withdraw(name).await)?;
        Ok(Self {
            line,
            runtime,
            undertaking: undertaking.name,
            after: 0,
            bell: None,
            threads: (1, None),
            failures: 0,
        })
    }

    /// Ends the tournament: batches that nobody has begun are not played any more.
    pub(crate) fn end(&self) -> Result<(), StoreError> {
        let name = &self.undertaking;
        self.line.ask(async |queue: Queue| queue.stop(name).await)
    }

    /// Looks who works, and says what failed.
    fn look_round(&mut self) -> Result<(), StoreError> {
        if self.threads.1.is_some_and(|seen| seen.elapsed() < ROUND) {
            return Ok(());
        }
        let name = &self.undertaking;
        let threads = self.line.ask(async |queue: Queue| queue.threads().await)?;
        let failures = self
            .line
            .ask(async |queue: Queue| queue.failures(name).await)?;
        if failures > self.failures {
            tell(format_args!(
                "{failures} batches failed; `papan jobs` tells why, and --retry tries them again"
            ));
        }
        self.failures = failures;
        self.threads = (threads as usize, Some(Instant::now()));
        Ok(())
    }

    fn results(&mut self) -> Result<Vec<Played>, String> {
        let (name, after) = (&self.undertaking, self.after);
        let found = self
            .line
            .ask(async |queue: Queue| queue.results(name, after, MOST).await);
        let found = found.map_err(|error| error.to_string())?;
        let mut played = Vec::with_capacity(found.len());
        for result in found {
            self.after = result.number;
            let games = Played::decode(&result.body);
            played.push(games.map_err(|error| format!("the queue holds {error}"))?);
        }
        Ok(played)
    }

    fn wait_for_the_bell(&mut self) {
        if self.bell.is_none() {
            self.bell = self.runtime.block_on(self.line.queue.hear_results()).ok();
        }
        let Some(bell) = &mut self.bell else {
            return self.line.wait(LOOK, std::future::pending());
        };
        let mut rang = true;
        self.line.wait(LOOK, async { rang = bell.ring().await });
        if !rang {
            self.bell = None;
        }
    }
}

impl Others for Crew {
    fn post(&mut self, batch: &Batch) -> Result<(), String> {
        let name = &self.undertaking;
        let job = [NewJob {
            body: batch.to_string(),
            priority: 0,
        }];
        let posted = self
            .line
            .ask(async |queue: Queue| queue.post(name, &job).await);
        posted.map(|_| ()).map_err(|error| error.to_string())
    }

    fn ahead(&mut self) -> usize {
        // Whoever cannot be asked now is asked a moment later.
        let _ = self.look_round();
        (self.threads.0 * EACH).max(8)
    }

    fn wait(&mut self) -> Result<Vec<Played>, String> {
        let played = self.results()?;
        if !played.is_empty() {
            return Ok(played);
        }
        self.wait_for_the_bell();
        self.results()
    }
}

/// What the tournament is called in the queue: the same for the same games by the
/// same programs.
fn name(tournament: &Tournament) -> String {
    let header: Header = tournament.header_with_programs();
    let header = match tournament.format {
        Format::RoundRobin | Format::Gauntlet => header.without("games"),
        Format::Knockout | Format::Swiss { .. } => header,
    };
    let key = Key::of(header.to_string().as_bytes()).to_string();
    format!("tournament {}", &key[..16])
}
