//! The state of a job server: groups, workers, dead letters.

use crate::{Connection, DeadLetter, GroupCounts, GroupRecord, JobsError, WorkerRecord};

/// A group and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupStatus {
    /// The group.
    pub record: GroupRecord,
    /// Its jobs.
    pub counts: GroupCounts,
    /// How many of the queued jobs run now.
    pub running: u64,
}

/// The state of a job server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// The open groups.
    pub groups: Vec<GroupStatus>,
    /// The workers alive.
    pub workers: Vec<WorkerRecord>,
    /// The jobs that failed for good.
    pub dead_letters: Vec<DeadLetter>,
}

impl Overview {
    /// Reads the state. Blocks.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn read(connection: &Connection) -> Result<Self, JobsError> {
        let transport = connection.transport();
        connection.block_on(async {
            // On a new server workers cannot announce themselves before it has streams.
            transport.prepare().await?;
            let workers = transport.workers().await?;
            let mut groups = Vec::new();
            for record in transport.groups().await? {
                let counts = transport.counts(&record.name).await?;
                let running = workers.iter().flat_map(|worker| &worker.running);
                let running = running.filter(|job| job.group == record.name).count() as u64;
                groups.push(GroupStatus {
                    running: running.min(counts.queued),
                    record,
                    counts,
                });
            }
            groups.sort_by_key(|group| (group.record.opened, group.record.name.clone()));
            Ok(Self {
                groups,
                workers,
                dead_letters: transport.dead_letters(None).await?,
            })
        })
    }
}

impl Connection {
    /// Queues the jobs of dead letters again. Blocks.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn retry(&self, letters: &[DeadLetter]) -> Result<(), JobsError> {
        let transport = self.transport();
        self.block_on(async {
            for letter in letters {
                let body = letter.body.clone().into();
                transport.submit(&letter.address, body).await?;
                transport.drop_dead_letter(letter).await?;
            }
            Ok(())
        })
    }

    /// Deletes dead letters. Blocks.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn drop_letters(&self, letters: &[DeadLetter]) -> Result<(), JobsError> {
        let transport = self.transport();
        self.block_on(async {
            for letter in letters {
                transport.drop_dead_letter(letter).await?;
            }
            Ok(())
        })
    }

    /// Closes a group with its jobs and results. Blocks.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn close_group(&self, group: &GroupRecord) -> Result<(), JobsError> {
        self.block_on(self.transport().close_group(group))
    }
}
