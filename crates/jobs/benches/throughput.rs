//! How many jobs a second, and how soon an urgent one starts.
//!
//! ```text
//! cargo bench -p papan-jobs                      # NATS server of its own, all measurements
//! cargo bench -p papan-jobs -- empty             # one of: empty, many, urgent
//! cargo bench -p papan-jobs -- many 200          # with fewer workers
//! PAPAN_JOBS=nats://127.0.0.1:4222 cargo bench -p papan-jobs
//! ```
//!
//! | measurement | must |
//! |---|---|
//! | `empty`: 20,000 empty jobs, 8 workers | 2,000 jobs/s |
//! | `many`: 1,000 workers, jobs of 1 s | 700 jobs/s |
//! | `urgent`: an urgent job behind 10,000 bulk jobs | median 100 ms to its start |
//!
//! The processor time of each job, here (workers and producer) and at the server, is printed because
//! it depends less on other work of the machine than the rate does.

#[path = "../tests/nats_server/mod.rs"]
mod nats_server;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use nats_server::NatsServer;
use papan_jobs::{
    Class, Connection, JobKind, JobsAddress, Kinds, Notice, Producer, Requests, Worker,
    WorkerOptions,
};
use papan_strategies::Watch;
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct Nap {
    number: u64,
    millis: u64,
}

/// Milliseconds since 1970 at which the job started.
#[derive(Serialize, Deserialize)]
struct Started(u64);

#[derive(Serialize, Deserialize)]
struct Name(String);

papan_jobs::json_payload!(Nap, Started, Name);

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// Jobs that sleep.
struct Naps;

impl JobKind for Naps {
    const NAME: &'static str = "naps";
    const CLASSES: &'static [Class] = &[Class::Page, Class::Bulk];
    const INTERACTIVE: bool = false;
    type Group = Name;
    type Job = Nap;
    type Output = Started;
    type Session = ();

    fn requirements(_: &Name) -> Vec<String> {
        Vec::new()
    }

    fn start(_: &Name) -> Result<(), String> {
        Ok(())
    }

    fn run((): &mut (), job: &Nap, _: &Arc<Watch>) -> Result<Started, String> {
        let started = Started(now());
        if job.millis > 0 {
            std::thread::sleep(Duration::from_millis(job.millis));
        }
        Ok(started)
    }

    fn verify(_: &Name, _: &Nap, _: &Started) -> Result<(), String> {
        Ok(())
    }
}

fn connect(url: &str) -> Connection {
    let address: JobsAddress = url.parse().expect("an address");
    Connection::open(&address, Notice::new(|line| eprintln!("{line}"))).expect("a server")
}

/// Workers with one thread each, `per_connection` of them on each connection.
fn workers(url: &str, count: usize, per_connection: usize) -> Vec<Worker> {
    let mut workers = Vec::new();
    let mut connection = connect(url);
    for number in 0..count {
        if number > 0 && number.is_multiple_of(per_connection) {
            connection = connect(url);
        }
        let options = WorkerOptions::named(&format!("worker{number}"));
        let kinds = Kinds::new().with::<Naps>();
        workers.push(Worker::start(&connection, kinds, options).expect("a worker"));
    }
    workers
}

fn end(workers: Vec<Worker>) {
    workers.iter().for_each(Worker::drain);
    for worker in workers {
        worker.join();
    }
}

fn naps(count: u64, millis: u64) -> Vec<Nap> {
    (0..count).map(|number| Nap { number, millis }).collect()
}

/// A measurement: workers with one thread each, and jobs.
struct Load {
    workers: usize,
    workers_per_connection: usize,
    jobs: u64,
    millis: u64,
}

/// Processor seconds that a process has used; 0 where there is no `/proc`.
fn processor_seconds(process: &str) -> f64 {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else {
        return 0.0;
    };
    // The name in parentheses may contain spaces. User and system time are fields 14 and 15.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks = ticks.filter_map(|ticks| ticks.parse::<f64>().ok());
    // Linux counts hundredths of a second.
    ticks.sum::<f64>() / 100.0
}

/// Jobs a second.
fn rate(url: &str, server: Option<&NatsServer>, load: &Load) -> f64 {
    let Load {
        workers: count,
        workers_per_connection,
        jobs,
        millis,
    } = *load;
    let server = server.map_or_else(String::new, |server| server.process_id().to_string());
    let processor_times = || [processor_seconds("self"), processor_seconds(&server)];
    let workers = workers(url, count, workers_per_connection);
    let connection = connect(url);
    let group = Name(format!("{count} {jobs} {millis}"));
    let notice = Notice::new(|line| eprintln!("{line}"));
    let mut producer =
        Producer::<Naps>::begin(&connection, group, "bench", notice).expect("a group");
    // All workers know the group.
    std::thread::sleep(Duration::from_secs(5));
    let [here, there] = processor_times();
    let start = Instant::now();
    producer.submit(&naps(jobs, millis)).expect("jobs");
    let submitted = start.elapsed();
    let mut done = 0;
    let mut marks = [50, 90, 99].into_iter().peekable();
    while done < jobs {
        done += producer
            .results(Duration::from_secs(1))
            .expect("results")
            .len() as u64;
        while let Some(percent) = marks.next_if(|percent| done * 100 >= jobs * percent) {
            println!("  {percent} % in {:.2} s", start.elapsed().as_secs_f64());
        }
    }
    let rate = jobs as f64 / start.elapsed().as_secs_f64();
    println!(
        "  submitted in {:.2} s, all done in {:.2} s",
        submitted.as_secs_f64(),
        start.elapsed().as_secs_f64()
    );
    let micros = |now: f64, before: f64| (now - before) * 1e6 / jobs as f64;
    let [here_now, there_now] = processor_times();
    println!(
        "  processor time of a job: {:.0} us here, {:.0} us at the server",
        micros(here_now, here),
        micros(there_now, there)
    );
    producer.end().expect("an end");
    end(workers);
    rate
}

/// The median time from asking to the start of an urgent job, in milliseconds.
fn urgent(url: &str) -> u64 {
    let workers = workers(url, 8, 8);
    let connection = connect(url);
    let group = || Name("urgent".into());
    let mut producer =
        Producer::<Naps>::begin(&connection, group(), "bench", Notice::none()).expect("a group");
    producer.submit(&naps(10_000, 200)).expect("jobs");
    std::thread::sleep(Duration::from_secs(5));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut times: Vec<u64> = runtime.block_on(async {
        let address: JobsAddress = url.parse().expect("an address");
        let connection = Connection::connect(&address, Notice::none())
            .await
            .expect("a server");
        let requests = Requests::<Naps>::begin(&connection, group(), "bench", Notice::none())
            .await
            .expect("a group");
        let mut times = Vec::new();
        for number in 0..50 {
            let job = Nap {
                number: 1_000_000 + number,
                millis: 0,
            };
            let asked = now();
            let started = requests
                .ask(&job, Class::Page, |_| {})
                .await
                .expect("an answer");
            times.push(started.0.saturating_sub(asked));
        }
        times
    });
    times.sort_unstable();
    println!("  from {} to {} ms", times[0], times[times.len() - 1]);
    producer.end().expect("an end");
    end(workers);
    times[times.len() / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let number = arguments.iter().find_map(|word| word.parse::<usize>().ok());
    let names: Vec<&String> = arguments
        .iter()
        .filter(|word| word.parse::<usize>().is_err())
        .collect();
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| *wanted == name);
    let named = std::env::var("PAPAN_JOBS").ok();
    let server = named.is_none().then(NatsServer::start);
    let url = named.unwrap_or_else(|| server.as_ref().expect("a server").url());
    if is_wanted("empty") {
        let load = Load {
            workers: 8,
            workers_per_connection: 1,
            jobs: 20_000,
            millis: 0,
        };
        let rate = rate(&url, server.as_ref(), &load);
        println!("empty: 20,000 empty jobs, 8 workers: {rate:.0} jobs/s (must 2000)");
    }
    if is_wanted("many") {
        let workers = number.unwrap_or(1_000);
        let load = Load {
            workers,
            workers_per_connection: 10,
            jobs: 10 * workers as u64,
            millis: 1_000,
        };
        let rate = rate(&url, server.as_ref(), &load);
        println!("many: {workers} workers, jobs of 1 s: {rate:.0} jobs/s (must 700 with 1,000)");
    }
    if is_wanted("urgent") {
        let median = urgent(&url);
        println!("urgent: behind 10,000 bulk jobs: median {median} ms to start (must 100)");
    }
}
