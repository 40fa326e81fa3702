//! The live table of `papan jobs --watch`: groups, workers and failed jobs in aligned columns.

use papan_jobs::Overview;

use crate::jobs::{age, threads};

/// Returns the table.
pub(crate) fn table(overview: &Overview, now: u64) -> String {
    let groups = overview.groups.iter().map(|group| {
        let (record, counts) = (&group.record, &group.counts);
        vec![
            record.name.clone(),
            counts.queued.saturating_sub(group.running).to_string(),
            group.running.to_string(),
            counts.done.to_string(),
            counts.dead.to_string(),
            threads(overview, record).to_string(),
            age(now.saturating_sub(record.opened)),
            record.command.clone(),
        ]
    });
    let header = [
        "GROUP", "WAITING", "RUNNING", "DONE", "FAILED", "THREADS", "AGE", "COMMAND",
    ];
    let mut text = columns(&header, groups.collect());
    let workers = overview.workers.iter().map(|worker| {
        let declined = worker.declined.iter().map(|declined| &*declined.group);
        let declined = declined.collect::<Vec<_>>().join(", ");
        let state = match (worker.draining, &*declined) {
            (true, _) => "ending".into(),
            (false, "") => "ready".into(),
            (false, groups) => format!("declines {groups}"),
        };
        vec![
            worker.name.clone(),
            worker.version.clone(),
            worker.threads.to_string(),
            worker.running.len().to_string(),
            worker.done.to_string(),
            age(now.saturating_sub(worker.started)),
            state,
        ]
    });
    let header = [
        "WORKER", "VERSION", "THREADS", "RUNNING", "DONE", "AGE", "STATE",
    ];
    text.push('\n');
    text.push_str(&columns(&header, workers.collect()));
    if !overview.dead_letters.is_empty() {
        let failed = overview.dead_letters.iter().map(|letter| {
            vec![
                letter.group().to_owned(),
                letter.key().short(),
                letter.reason.clone(),
            ]
        });
        text.push('\n');
        text.push_str(&columns(&["FAILED", "KEY", "REASON"], failed.collect()));
    }
    text
}

/// Formats rows below their header: the first and the last column to the left, the others to the
/// right.
fn columns(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let header = header.iter().map(ToString::to_string).collect();
    let lines: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    let count = lines[0].len();
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            if column == 0 {
                text.push_str(&format!("{cell:width$}"));
            } else if column + 1 == count {
                text.push_str(&format!("  {cell}"));
            } else {
                text.push_str(&format!("  {cell:>width$}"));
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_numbers_are_to_the_right() {
        let rows = vec![
            vec!["a".into(), "5".into(), "x y".into()],
            vec!["long".into(), "12345".into(), "z".into()],
        ];
        let text = columns(&["NAME", "N", "END"], rows);
        assert_eq!(text, "NAME      N  END\na         5  x y\nlong  12345  z\n");
    }

    #[test]
    fn an_empty_server_has_only_headers() {
        let text = table(&Overview::default(), 0);
        assert!(text.starts_with("GROUP  WAITING"), "{text}");
        assert!(text.contains("\nWORKER  VERSION"), "{text}");
    }
}
