//! `papan worker`: executes jobs of a queue.

mod batches;
mod leaves;
mod self_play;
mod slot;
mod studies;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Args;
use papan_strategies::{StopToken, Watch};
use tokio::sync::Notify;

use crate::output::status;
use crate::queue_line::{QueueLine, reproduced_by};
pub(crate) use batches::KIND as GAMES;
pub(crate) use leaves::{KIND as LEAVES, Thesis, split as split_leaf};
use slot::Slot;

/// Lease of a job without a heartbeat, in seconds.
const LEASE: u32 = 15;
/// Interval of heartbeats.
const BEAT: Duration = Duration::from_secs(3);
/// Polling interval without a notification.
const LOOK: Duration = Duration::from_secs(1);

const AFTER_HELP: &str = "\
Start as many as there are machines, and end them at any time: what one leaves is another's.
A worker refuses what it cannot reproduce (another papan, an engine that it does not have);
`papan jobs` tells who refused what.

  papan worker --database postgres://papan@db.example/papan";

#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct WorkerArgs {
    /// The database, `postgres://USER@HOST/NAME`
    #[arg(
        long,
        value_name = "URL",
        env = "PAPAN_DATABASE",
        hide_env_values = true
    )]
    database: String,
    /// Number of concurrent jobs [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Name of this worker [default: machine and process]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Exit after this many seconds without work
    #[arg(long, value_name = "S")]
    idle: Option<u64>,
}

/// State shared by the threads of a worker.
pub(crate) struct Worker {
    name: String,
    version: String,
    line: QueueLine,
    stop: StopToken,
    /// Notified of new jobs.
    bell: Notify,
    /// The running jobs and their progress.
    running: Mutex<BTreeMap<i64, Arc<Watch>>>,
    done: AtomicU64,
    /// When the worker was last busy.
    busy: Mutex<Instant>,
    idle: Option<Duration>,
}

impl Worker {
    fn is_over(&self) -> bool {
        let silent = self.busy.lock().expect("no panic inside").elapsed();
        let nothing = self.running.lock().expect("no panic inside").is_empty();
        self.stop.is_stopped() || nothing && self.idle.is_some_and(|idle| silent >= idle)
    }
}

pub(crate) fn run(args: &WorkerArgs) -> anyhow::Result<ExitCode> {
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    let name = args.name.clone().unwrap_or_else(usual_name);
    ensure!(!name.trim().is_empty(), "--name takes a name");
    let stop = StopToken::default();
    let runtime = tokio::runtime::Runtime::new()?;
    let line = QueueLine::open(&args.database, runtime.handle(), &stop)?;
    let worker = Arc::new(Worker {
        name,
        version: reproduced_by(),
        line,
        stop,
        bell: Notify::new(),
        running: Mutex::default(),
        done: AtomicU64::new(0),
        busy: Mutex::new(Instant::now()),
        idle: args.idle.map(Duration::from_secs),
    });
    status(format_args!(
        "worker {} ({}, {threads} at once) waits for jobs of {}",
        worker.name,
        worker.version,
        worker.line.queue.name()
    ));
    runtime.spawn(end_when_told(worker.stop.clone()));
    runtime.spawn(beat(Arc::clone(&worker), threads));
    runtime.spawn(listen(Arc::clone(&worker)));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let worker = &worker;
            // Searches recurse deeply.
            let thread = std::thread::Builder::new().stack_size(16 << 20);
            let spawned = thread.spawn_scoped(scope, || Slot::new(worker).work());
            if let Err(error) = spawned {
                status(format_args!("a thread could not be started: {error}"));
            }
        }
    });
    let _ = runtime.block_on(worker.line.queue.leave(&worker.name));
    let done = worker.done.load(Ordering::Relaxed);
    status(format_args!("worker {} did {done} jobs", worker.name));
    Ok(ExitCode::SUCCESS)
}

/// Returns a unique name from machine, process and time.
fn usual_name() -> String {
    let host = rustix::system::uname();
    let host = host.nodename().to_string_lossy().into_owned();
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let moment = since.map_or(0, |since| since.as_millis() & 0xffff);
    format!("{host}-{}-{moment:04x}", std::process::id())
}

/// Finishes the running jobs after the first signal; a second one ends at once.
async fn end_when_told(stop: StopToken) {
    crate::serve::stopped().await;
    stop.stop();
    status("ending after the present jobs; once more ends at once");
    crate::serve::stopped().await;
    std::process::exit(crate::exit_code::INTERRUPTED.into());
}

async fn beat(worker: Arc<Worker>, threads: usize) {
    let mut beat = tokio::time::interval(BEAT);
    loop {
        beat.tick().await;
        let running: Vec<(i64, u64)> = {
            let running = worker.running.lock().expect("no panic inside");
            let running = running.iter();
            running
                .map(|(job, watch)| (*job, watch.progress().nodes))
                .collect()
        };
        // While the database is unreachable, no other worker can take the jobs either.
        let queue = &worker.line.queue;
        let beaten = queue.beat(&worker.name, &worker.version, threads, &running, LEASE);
        let _ = beaten.await;
    }
}

async fn listen(worker: Arc<Worker>) {
    loop {
        if let Ok(mut bell) = worker.line.queue.hear_jobs().await {
            while bell.ring().await {
                worker.bell.notify_waiters();
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}
