//! A thread that runs jobs, and the sessions that it keeps between them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use bytes::Bytes;
use papan_strategies::Watch;
use tokio::sync::mpsc::UnboundedSender;

use super::Input;
use crate::kind::{AnyKind, AnySession};

/// Sessions that a thread keeps: a tournament and the analyses of a server can alternate.
const MAX_SESSIONS: usize = 2;

/// A job for a thread.
pub(super) struct Assignment {
    pub(super) job: u64,
    pub(super) group: String,
    pub(super) kind: Arc<dyn AnyKind>,
    pub(super) group_body: Arc<[u8]>,
    pub(super) body: Bytes,
    pub(super) watch: Arc<Watch>,
}

/// How a job ended.
pub(super) struct Ended {
    pub(super) result: Result<Vec<u8>, Failure>,
    pub(super) time: Duration,
}

/// Why a job has no result.
pub(super) enum Failure {
    /// The job is impossible or its code panicked.
    Job(String),
    /// This machine cannot run jobs of the group.
    Group(String),
}

/// Starts a thread. It ends when its assignments do.
pub(super) fn start(
    name: &str,
    stack_bytes: usize,
    inputs: UnboundedSender<Input>,
) -> std::io::Result<Sender<Assignment>> {
    let (assignments, received) = channel();
    std::thread::Builder::new()
        .name(format!("job {name}"))
        .stack_size(stack_bytes)
        .spawn(move || run(&received, &inputs))?;
    Ok(assignments)
}

struct Kept {
    group: String,
    session: Box<dyn AnySession>,
}

fn run(received: &Receiver<Assignment>, inputs: &UnboundedSender<Input>) {
    let mut sessions: Vec<Kept> = Vec::new();
    while let Ok(assignment) = received.recv() {
        let start = Instant::now();
        let work = AssertUnwindSafe(|| perform(&mut sessions, &assignment));
        let result = catch_unwind(work).unwrap_or_else(|panic| {
            // The session may be in any state.
            sessions.retain(|kept| kept.group != assignment.group);
            Err(Failure::Job(panic_message(&*panic)))
        });
        let ended = Ended {
            result,
            time: start.elapsed(),
        };
        let job = assignment.job;
        if inputs.send(Input::Ended { job, ended }).is_err() {
            return;
        }
    }
}

fn perform(sessions: &mut Vec<Kept>, assignment: &Assignment) -> Result<Vec<u8>, Failure> {
    let found = sessions
        .iter()
        .position(|kept| kept.group == assignment.group);
    match found {
        Some(place) => {
            let kept = sessions.remove(place);
            sessions.push(kept);
        }
        None => {
            if sessions.len() >= MAX_SESSIONS {
                sessions.remove(0);
            }
            let session = assignment.kind.start(&assignment.group_body);
            sessions.push(Kept {
                group: assignment.group.clone(),
                session: session.map_err(Failure::Group)?,
            });
        }
    }
    let kept = sessions.last_mut().expect("one was pushed");
    let result = kept.session.run(&assignment.body, &assignment.watch);
    result.map_err(Failure::Job)
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied());
    format!("the job panicked: {}", text.unwrap_or("no message"))
}
