//! `papan jobs`: groups, workers and dead letters of a job server.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::ensure;
use clap::Args;
use papan_jobs::{Connection, DeadLetter, GroupRecord, Notice, Overview};
use papan_strategies::StopToken;

use crate::job_server::{JobServerArg, connect, notice};
use crate::jobs_table::table;
use crate::live_text::LiveText;
use crate::output;
use crate::progress::stop_on_interrupt;

/// Time between two frames of `--watch`.
const REDRAW_INTERVAL: Duration = Duration::from_secs(1);
/// After this time without an answer the table says so.
const MAX_SILENCE: Duration = Duration::from_secs(4);

#[derive(Args, Debug)]
pub(crate) struct JobsArgs {
    #[command(flatten)]
    server: JobServerArg,
    /// Redraw the table every second, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Run failed jobs again: all, or those of a group, or one by its key
    #[arg(long, value_name = "GROUP|KEY", num_args = 0..=1, default_missing_value = "", conflicts_with = "watch")]
    retry: Option<String>,
    /// Delete failed jobs: all, or those of a group, or one by its key
    #[arg(long, value_name = "GROUP|KEY", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["watch", "retry"])]
    drop: Option<String>,
    /// Close a group: its jobs are stopped and its results deleted
    #[arg(long, value_name = "GROUP", aliases = ["stop", "forget"], conflicts_with_all = ["watch", "retry", "drop"])]
    close: Option<String>,
}

pub(crate) fn run(args: &JobsArgs) -> anyhow::Result<ExitCode> {
    // The live table says itself that the server is away.
    let notice = if args.watch { Notice::none() } else { notice() };
    let connection = connect(&args.server.jobs, notice)?;
    if args.watch {
        return watch(&connection);
    }
    let overview = Overview::read(&connection)?;
    if let Some(wanted) = &args.retry {
        let letters = letters(&overview, wanted)?;
        connection.retry(&letters)?;
        return say(&format!("{} jobs are run again\n", letters.len()));
    }
    if let Some(wanted) = &args.drop {
        let letters = letters(&overview, wanted)?;
        connection.drop_letters(&letters)?;
        return say(&format!("{} failed jobs are deleted\n", letters.len()));
    }
    if let Some(wanted) = &args.close {
        let mut groups = overview.groups.iter();
        let group = groups.find(|group| group.record.name == *wanted);
        let Some(group) = group else {
            anyhow::bail!("{} has no group `{wanted}`", connection.server());
        };
        connection.close_group(&group.record)?;
        return say(&format!("{wanted} is closed\n"));
    }
    say(&text(&overview, unix_seconds()))
}

fn say(text: &str) -> anyhow::Result<ExitCode> {
    output::print(text)?;
    Ok(ExitCode::SUCCESS)
}

/// Redraws the table until Ctrl-C.
fn watch(connection: &Connection) -> anyhow::Result<ExitCode> {
    ensure!(
        std::io::stderr().is_terminal(),
        "--watch needs a terminal; without it the table is printed once"
    );
    let stop = StopToken::default();
    stop_on_interrupt(&stop);
    // A read waits while the server is away; the table stays, and Ctrl-C ends it.
    let (sender, overviews) = mpsc::sync_channel(0);
    let connection = connection.clone();
    std::thread::spawn(move || {
        while sender.send(Overview::read(&connection)).is_ok() {
            std::thread::sleep(REDRAW_INTERVAL);
        }
    });
    let mut live = LiveText::default();
    let mut shown = String::new();
    let mut problem = None;
    let mut answered = Instant::now();
    while !stop.is_stopped() {
        match overviews.recv_timeout(REDRAW_INTERVAL) {
            Ok(Ok(overview)) => {
                shown = table(&overview, unix_seconds());
                problem = None;
                answered = Instant::now();
            }
            Ok(Err(error)) => problem = Some(error.to_string()),
            Err(_) if answered.elapsed() > MAX_SILENCE => {
                let seconds = answered.elapsed().as_secs();
                problem = Some(format!("no answer for {seconds} s; waiting"));
            }
            Err(_) => {}
        }
        let note = problem.as_deref().unwrap_or_default();
        live.draw(&format!("{shown}{note}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the dead letters of a group, or that of a key, or all if `wanted` is empty.
fn letters(overview: &Overview, wanted: &str) -> anyhow::Result<Vec<DeadLetter>> {
    let letters = overview.dead_letters.iter();
    let letters = letters.filter(|letter| {
        wanted.is_empty()
            || letter.group() == wanted
            || letter.key().to_string().starts_with(wanted)
    });
    let letters: Vec<DeadLetter> = letters.cloned().collect();
    ensure!(
        wanted.is_empty() || !letters.is_empty(),
        "no failed job has the group or key `{wanted}`; `papan jobs` lists them"
    );
    Ok(letters)
}

fn unix_seconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// Returns a duration in its largest unit: `40 s`, `12 min`, `5 h`, `3 d`.
pub(crate) fn age(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// Returns how many jobs of a group the workers run at once.
pub(crate) fn threads(overview: &Overview, group: &GroupRecord) -> usize {
    let workers = overview.workers.iter();
    let able = workers.filter(|worker| !worker.draining && worker.routes.contains(&group.route));
    able.map(|worker| worker.threads).sum()
}

/// Formats groups, workers and dead letters, one line each.
fn text(overview: &Overview, now: u64) -> String {
    let mut text = String::new();
    let mut line = |written: std::fmt::Arguments<'_>| {
        text.write_fmt(written)
            .expect("writing to a string never fails");
        text.push('\n');
    };
    if overview.groups.is_empty() {
        line(format_args!("No groups of jobs."));
    }
    for group in &overview.groups {
        let (record, counts) = (&group.record, &group.counts);
        line(format_args!(
            "{}: {} waiting, {} running, {} done, {} failed, {} threads, open for {}: {}",
            record.name,
            counts.queued - group.running,
            group.running,
            counts.done,
            counts.dead,
            threads(overview, record),
            age(now.saturating_sub(record.opened)),
            record.command
        ));
        line(format_args!("  queue {}", record.queues().join(", ")));
        for worker in &overview.workers {
            let mut declined = worker.declined.iter();
            if let Some(declined) = declined.find(|declined| declined.group == record.name) {
                line(format_args!(
                    "  {} declined: {}",
                    worker.name, declined.reason
                ));
            }
        }
    }
    for worker in &overview.workers {
        let state = if worker.draining { ", ending" } else { "" };
        line(format_args!(
            "worker {}: papan {}, {} at once, {} running, {} done, for {}{state}",
            worker.name,
            worker.version,
            worker.threads,
            worker.running.len(),
            worker.done,
            age(now.saturating_sub(worker.started))
        ));
    }
    if overview.workers.is_empty() {
        line(format_args!(
            "No workers. Start one with `papan worker --jobs URL`."
        ));
    }
    for letter in &overview.dead_letters {
        line(format_args!(
            "failed {} {}: {} (worker {})",
            letter.group(),
            letter.key().short(),
            letter.reason,
            letter.worker
        ));
    }
    if !overview.dead_letters.is_empty() {
        line(format_args!(
            "`papan jobs --retry` runs failed jobs again, `papan jobs --drop` deletes them."
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_server_says_what_to_do() {
        let text = text(&Overview::default(), 0);
        assert!(text.contains("papan worker --jobs"), "{text}");
    }

    #[test]
    fn ages_have_one_unit() {
        let ages = [0, 119, 120, 7200, 200_000].map(age);
        assert_eq!(ages, ["0 s", "119 s", "2 min", "2 h", "2 d"]);
    }
}
