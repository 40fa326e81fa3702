//! `papan jobs`: status of the job queue.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use papan_store::{Overview, Queue};

use crate::output;

#[derive(Args, Debug)]
pub(crate) struct JobsArgs {
    /// The database, `postgres://USER@HOST/NAME`
    #[arg(
        long,
        value_name = "URL",
        env = "PAPAN_DATABASE",
        hide_env_values = true
    )]
    database: String,
    /// Try failed jobs again
    #[arg(long)]
    retry: bool,
    /// End a job group: waiting jobs are withdrawn
    #[arg(long, value_name = "NAME", conflicts_with = "retry")]
    stop: Option<String>,
    /// Delete a job group with its results
    #[arg(long, value_name = "NAME", conflicts_with_all = ["retry", "stop"])]
    forget: Option<String>,
}

pub(crate) fn run(args: &JobsArgs) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let queue = Queue::open(&args.database).await?;
        if args.retry {
            let count = queue.retry(None).await?;
            output::print(&format!("{count} jobs are tried again\n"))?;
        } else if let Some(name) = &args.stop {
            queue.stop(name).await?;
        } else if let Some(name) = &args.forget {
            let there = queue.forget(name).await?;
            anyhow::ensure!(there, "there is no `{name}` in {}", queue.name());
        }
        output::print(&text(&queue.overview().await?))?;
        Ok(ExitCode::SUCCESS)
    })
}

/// Formats one line for each job group and worker, followed by its errors.
fn text(overview: &Overview) -> String {
    let mut text = String::new();
    let mut line = |written: std::fmt::Arguments<'_>| {
        text.write_fmt(written)
            .expect("writing to a string never fails");
        text.push('\n');
    };
    if overview.undertakings.is_empty() {
        line(format_args!("nothing is in the queue"));
    }
    for one in &overview.undertakings {
        let (waiting, running, done) = (one.waiting, one.running, one.done);
        let failed = one.failures.len();
        let state = if one.open { "" } else { ", ended" };
        line(format_args!(
            "{}: {waiting} waiting, {running} running, {done} done, {failed} failed{state}",
            one.name
        ));
        for (job, why) in &one.failures {
            line(format_args!("  job {job} failed: {why}"));
        }
        for (worker, why) in &one.refusals {
            line(format_args!("  {worker} refused: {why}"));
        }
    }
    for worker in &overview.workers {
        let silent = match worker.silent {
            0..10 => String::new(),
            seconds => format!(", silent for {seconds} s"),
        };
        line(format_args!(
            "worker {}: {}, {} at once, {} running, {} done{silent}",
            worker.name, worker.version, worker.threads, worker.running, worker.done
        ));
    }
    if overview.workers.is_empty() {
        line(format_args!("nobody works; start papan worker"));
    }
    text
}
