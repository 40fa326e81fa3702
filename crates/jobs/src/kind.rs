//! Kinds of jobs: their types, how to run them and how to check their results.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use papan_strategies::Watch;
use serde::{Deserialize, Serialize};

use crate::Digest;

/// A value that travels between machines.
pub trait Payload: Sized {
    /// Returns the value as bytes. Equal values have equal bytes: a job is identified by them.
    fn to_bytes(&self) -> Vec<u8>;
    /// Reads what [`Payload::to_bytes`] wrote.
    ///
    /// # Errors
    /// With a reason, when the bytes are something else.
    fn from_bytes(bytes: &[u8]) -> Result<Self, String>;
}

/// Implements [`Payload`] as JSON for types that serde can read and write.
#[macro_export]
macro_rules! json_payload {
    ($($type:ty),+ $(,)?) => {
        $(impl $crate::Payload for $type {
            fn to_bytes(&self) -> Vec<u8> {
                $crate::serde_json::to_vec(self).expect("plain data becomes JSON")
            }

            fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
                $crate::serde_json::from_slice(bytes).map_err(|error| error.to_string())
            }
        })+
    };
}

/// How urgent a job is. Workers take every waiting [`Class::Page`] job before any
/// [`Class::Bulk`] job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A visitor waits in front of a page.
    Page,
    /// Background work: tournaments, proofs, training data.
    Bulk,
}

impl Class {
    /// The name in subjects.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Bulk => "bulk",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Page, Self::Bulk]
            .into_iter()
            .find(|class| class.name() == name)
    }
}

/// A kind of job: tournament games, proof leaves, self-play, positions to analyse.
///
/// A *group* is one tournament or proof, with the data that its jobs share; a *job* is some seconds
/// of work in it. Each crate implements the kinds that it knows.
pub trait JobKind: 'static {
    /// The name in subjects and lists: lower-case letters and hyphens.
    const NAME: &'static str;
    /// A job that runs longer is stopped and becomes a dead letter ([`JobKind::time_limit`]).
    const TIME_LIMIT: Duration = Duration::from_secs(3600);
    /// The classes that jobs of this kind use.
    const CLASSES: &'static [Class] = &[Class::Bulk];
    /// Whether someone watches single jobs: workers then publish their progress and their end.
    const INTERACTIVE: bool = false;

    /// The data shared by all jobs of a group.
    type Group: Payload + Send + Sync;
    /// One job.
    type Job: Payload + Clone + Send + Sync;
    /// The result of a job.
    type Output: Payload + Send;
    /// State of a thread between jobs of one group, such as running engines.
    type Session;

    /// Returns everything that the results depend on beside group and job: the version of the
    /// code, weights, engine programs with their digests. A worker takes jobs of a group only if
    /// it computes the same list on its own machine.
    fn requirements(group: &Self::Group) -> Vec<String>;

    /// Prepares a thread for jobs of a group.
    ///
    /// # Errors
    /// With a reason, when this machine cannot run jobs of the group.
    fn start(group: &Self::Group) -> Result<Self::Session, String>;

    /// Runs a job. Returns early, with anything, once `watch.stop` is set: the result is then
    /// dropped.
    ///
    /// # Errors
    /// With a reason, when the job can never succeed; it becomes a dead letter.
    fn run(
        session: &mut Self::Session,
        job: &Self::Job,
        watch: &Arc<Watch>,
    ) -> Result<Self::Output, String>;

    /// Checks a result without trusting the worker, as far as that costs much less than the job.
    ///
    /// # Errors
    /// With the reason why the result is false. It is dropped, and the job is submitted again.
    fn verify(group: &Self::Group, job: &Self::Job, output: &Self::Output) -> Result<(), String>;

    /// Whether running a job again gives the same result ([`JobKind::agree`]), so that a sample
    /// can be run again at the coordinator.
    fn is_deterministic(_group: &Self::Group) -> bool {
        false
    }

    /// Whether two results of one job are the same, apart from measured times.
    fn agree(one: &Self::Output, other: &Self::Output) -> bool {
        one.to_bytes() == other.to_bytes()
    }

    /// Returns why a result counts only if the job ends like that again, elsewhere if there is
    /// another worker: it rests on something that only its worker saw, such as a program that
    /// crashed or a clock that ran out.
    fn doubt(_group: &Self::Group, _output: &Self::Output) -> Option<String> {
        None
    }

    /// Returns how long a job of a group may run.
    fn time_limit(_group: &Self::Group) -> Duration {
        Self::TIME_LIMIT
    }

    /// Returns the stop token and progress counter of a job, perhaps with a memory limit.
    fn watch(_job: &Self::Job) -> Watch {
        Watch::default()
    }
}

/// Returns the route of a group: the digest of the kind and of everything that its results depend
/// on. Workers pull by route, so a job never reaches a machine that would compute something else.
pub(crate) fn route_of<K: JobKind>(group: &K::Group) -> Digest {
    route(K::NAME, &K::requirements(group))
}

fn route(kind: &str, requirements: &[String]) -> Digest {
    Digest::of(format!("{kind}\n{}", requirements.join("\n")).as_bytes())
}

/// How long a job has to stop after its time limit, before its worker gives it up.
pub(crate) fn stop_grace(limit: Duration) -> Duration {
    limit.clamp(Duration::from_secs(1), Duration::from_secs(30))
}

/// A kind without its types, for the worker's table.
pub(crate) trait AnyKind: Send + Sync {
    fn requirements(&self, group: &[u8]) -> Result<Vec<String>, String>;
    fn time_limit(&self, group: &[u8]) -> Result<Duration, String>;
    fn watch(&self, job: &[u8]) -> Result<Watch, String>;
    fn start(&self, group: &[u8]) -> Result<Box<dyn AnySession>, String>;
}

/// A session without its types. Stays on one thread.
pub(crate) trait AnySession {
    fn run(&mut self, job: &[u8], watch: &Arc<Watch>) -> Result<Vec<u8>, String>;
}

struct Erased<K>(std::marker::PhantomData<fn() -> K>);

impl<K: JobKind> AnyKind for Erased<K> {
    fn requirements(&self, group: &[u8]) -> Result<Vec<String>, String> {
        Ok(K::requirements(&K::Group::from_bytes(group)?))
    }

    fn time_limit(&self, group: &[u8]) -> Result<Duration, String> {
        Ok(K::time_limit(&K::Group::from_bytes(group)?))
    }

    fn watch(&self, job: &[u8]) -> Result<Watch, String> {
        Ok(K::watch(&K::Job::from_bytes(job)?))
    }

    fn start(&self, group: &[u8]) -> Result<Box<dyn AnySession>, String> {
        let session = K::start(&K::Group::from_bytes(group)?)?;
        Ok(Box::new(ErasedSession::<K>(session)))
    }
}

struct ErasedSession<K: JobKind>(K::Session);

impl<K: JobKind> AnySession for ErasedSession<K> {
    fn run(&mut self, job: &[u8], watch: &Arc<Watch>) -> Result<Vec<u8>, String> {
        let job = K::Job::from_bytes(job)?;
        K::run(&mut self.0, &job, watch).map(|output| output.to_bytes())
    }
}

/// The kinds that a worker runs.
#[derive(Clone, Default)]
pub struct Kinds(BTreeMap<&'static str, Arc<dyn AnyKind>>);

impl Kinds {
    /// Returns an empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a kind.
    #[must_use]
    pub fn with<K: JobKind>(mut self) -> Self {
        let erased = Erased::<K>(std::marker::PhantomData);
        self.0.insert(K::NAME, Arc::new(erased));
        self
    }

    pub(crate) fn find(&self, name: &str) -> Option<Arc<dyn AnyKind>> {
        self.0.get(name).cloned()
    }

    /// Returns the kind of a group, if jobs of the group can be reproduced here.
    ///
    /// # Errors
    /// With the reason why not.
    pub(crate) fn accept(
        &self,
        kind: &str,
        wanted: Digest,
        needs: &[String],
        body: &[u8],
    ) -> Result<Arc<dyn AnyKind>, String> {
        let Some(known) = self.find(kind) else {
            return Err(format!("this version has no jobs of kind `{kind}`"));
        };
        let here = known.requirements(body)?;
        if route(kind, &here) == wanted {
            return Ok(known);
        }
        let missing: Vec<&str> = needs
            .iter()
            .filter(|need| !here.contains(need))
            .map(String::as_str)
            .collect();
        let instead: Vec<&str> = here
            .iter()
            .filter(|have| !needs.contains(have))
            .map(String::as_str)
            .collect();
        Err(format!(
            "it needs {}; this machine has {}",
            missing.join(", "),
            instead.join(", ")
        ))
    }
}
