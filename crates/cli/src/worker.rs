//! `papan worker`: runs jobs of a job server.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use papan_jobs::{Drainer, Worker, WorkerOptions, WorkerSummary};

use crate::job_server::{JobServerArg, connect, cores, kinds, notice};
use crate::output::status;

const AFTER_HELP: &str = "\
Start one on each machine and end them at any time: another worker takes over unfinished jobs. A
worker takes only jobs that it can reproduce (the same version and weights, the same engines);
`papan jobs` shows what each of them declines. SIGTERM or Ctrl-C ends it after the present jobs, a
second signal at once.

  papan worker --jobs nats://jobs.example:4222";

#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    server: JobServerArg,
    /// Number of concurrent jobs [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Name of this worker [default: machine and process]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Exit after this many seconds without work
    #[arg(long, value_name = "S")]
    idle: Option<u64>,
    /// Exit after this many jobs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_jobs: Option<u64>,
}

pub(crate) fn run(args: &WorkerArgs) -> anyhow::Result<ExitCode> {
    let threads = args.threads.map_or_else(cores, usize::from);
    let name = args.name.clone().unwrap_or_else(default_name);
    ensure!(
        is_valid_name(&name),
        "--name takes up to 64 letters, digits, hyphens and underscores"
    );
    let connection = connect(&args.server.jobs, notice())?;
    let options = WorkerOptions::named(&name)
        .threads(threads)
        .version(papan_jobs::code_version())
        .idle(args.idle.map(Duration::from_secs))
        .max_jobs(args.max_jobs)
        .notice(notice());
    let worker = Worker::start(&connection, kinds(), options)?;
    status(format_args!(
        "worker {name} (papan {}, {threads} at once) waits for jobs of {}",
        papan_jobs::code_version(),
        connection.server()
    ));
    drain_on_signal(worker.drainer())?;
    let WorkerSummary { done } = worker.join();
    status(format_args!("worker {name} finished {done} jobs"));
    Ok(ExitCode::SUCCESS)
}

/// Names are parts of NATS subjects.
fn is_valid_name(name: &str) -> bool {
    let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&name.len()) && name.bytes().all(is_valid)
}

/// Returns a unique name from machine, process and time.
fn default_name() -> String {
    let host = papan_os::host_name();
    let valid = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let host = host.replace(|letter: char| !valid(letter), "-");
    let host: String = host.chars().take(40).collect();
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let moment = since.map_or(0, |since| since.as_millis() & 0xffff);
    format!("{host}-{}-{moment:04x}", std::process::id())
}

/// Drains the worker after the first signal; a second one ends the process at once.
fn drain_on_signal(drainer: Drainer) -> std::io::Result<()> {
    papan_os::on_stop_request(move |count| {
        if count > 1 {
            std::process::exit(crate::exit_code::INTERRUPTED.into());
        }
        drainer.drain();
        status("ending after the present jobs; a second signal ends at once");
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_names_are_valid() {
        assert!(is_valid_name(&default_name()));
        for wrong in ["", "a.b", "a b", "a*", "ä", &"x".repeat(65)] {
            assert!(!is_valid_name(wrong), "{wrong}");
        }
    }
}
