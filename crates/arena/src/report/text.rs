//! Text report.

use std::fmt::Write;
use std::time::Duration;

use papan_view::Messages;

use super::{PlayerLine, Report, TestLine, forfeit_list};
use crate::tournament::standings::ResultCount;

/// The whole report.
#[must_use]
pub fn text(report: &Report, words: Messages) -> String {
    let mut out = words.phrase(&heading(report));
    out.push('\n');
    out.push_str(&table(standings(report), words));
    if report.players.len() > 1 {
        let title = "Cross table: wins, draws, losses of the row against the column";
        let _ = writeln!(out, "\n{}", words.phrase(title));
        out.push_str(&table(cross_table(report), words));
    }
    let details = details(report);
    if details[0].len() > 2 {
        out.push('\n');
        out.push_str(&table(details, words));
    }
    if let Some(test) = &report.test {
        let _ = writeln!(out, "\n{}", words.phrase(&test_line(test)));
    }
    for warning in &report.warnings {
        let _ = writeln!(out, "\n{}", wrapped(&words.phrase(warning)));
    }
    out
}

/// A few lines about a tournament that is going on.
#[must_use]
pub fn live(report: &Report, elapsed: Duration, new_games: u64, words: Messages) -> String {
    let mut out = String::new();
    let share = report.games as f64 / report.planned.max(1) as f64;
    let filled = (share * 30.0) as usize;
    let bar = format!("{}{}", "█".repeat(filled), "░".repeat(30 - filled.min(30)));
    let speed = new_games as f64 / elapsed.as_secs_f64().max(1e-3);
    let left = (report.planned - report.games) as f64 / speed.max(1e-9);
    let progress = format!(
        "{} of {} games, {speed:.0} a second, {} left",
        report.games,
        report.planned,
        clock(left)
    );
    let _ = writeln!(out, "{bar} {}", words.phrase(&progress));
    let columns = standings(report).into_iter().map(|mut row| {
        row.truncate(7);
        row
    });
    out.push_str(&table(columns.collect(), words));
    if !report.forfeits.is_empty() {
        let forfeits = format!("FORFEITS: {}", forfeit_list(&report.forfeits));
        let _ = writeln!(out, "{}", words.phrase(&forfeits));
    }
    if let Some(test) = &report.test {
        let _ = writeln!(out, "{}", words.phrase(&test_line(test)));
    }
    out
}

fn clock(seconds: f64) -> String {
    if !seconds.is_finite() || seconds > 1e7 {
        return "a long time".into();
    }
    let seconds = seconds.round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes}:{seconds:02} min"),
        (hours, minutes, _) => format!("{hours}:{minutes:02} h"),
    }
}

fn heading(report: &Report) -> String {
    let mut out = format!("{}, {}: {} games", report.game, report.format, report.games);
    if report.games < report.planned {
        let _ = write!(out, " of {}", report.planned);
    }
    if report.openings > 1 {
        let _ = write!(out, ", {} openings", report.openings);
    }
    if !report.limits.is_empty() {
        let _ = write!(out, ", {}", report.limits);
    }
    let _ = writeln!(out, ", seed {}", report.seed);
    out
}

fn standings(report: &Report) -> Vec<Vec<String>> {
    let head = ["#", "player", "Elo", "±", "LOS", "points", "games", "%"];
    let head = head.into_iter().chain(["as first", "as second"]);
    let mut rows = vec![head.map(String::from).collect::<Vec<_>>()];
    for player in &report.players {
        let percent = 100.0 * player.points / player.games.max(1) as f64;
        rows.push(vec![
            player.rank.to_string(),
            player.player.clone(),
            player.elo.map_or("-".into(), signed),
            player
                .margin
                .map_or("-".into(), |margin| format!("{margin:.1}")),
            player
                .superiority
                .map_or(String::new(), |los| format!("{:.1}%", 100.0 * los)),
            format!("{:.1}", player.points),
            player.games.to_string(),
            format!("{percent:.1}"),
            score(&player.first),
            score(&player.second),
        ]);
    }
    rows
}

/// Returns the table of costs; only names if nothing was measured.
fn details(report: &Report) -> Vec<Vec<String>> {
    type Column = (&'static str, fn(&PlayerLine) -> Option<String>);
    let columns: [Column; 4] = [
        ("discs/game", |p| p.discs.map(|discs| format!("{discs:.1}"))),
        ("nodes/move", |p| p.nodes.map(|nodes| format!("{nodes:.1}"))),
        ("time/move", |p| p.microseconds.map(micros)),
        ("forfeits", |p| {
            Some(forfeit_list(&p.forfeits)).filter(|list| !list.is_empty())
        }),
    ];
    let known = |column: &Column| report.players.iter().any(|p| column.1(p).is_some());
    let columns: Vec<Column> = columns.into_iter().filter(known).collect();
    let mut head = vec!["#".into(), "player".into()];
    head.extend(columns.iter().map(|(name, _)| String::from(*name)));
    let mut rows = vec![head];
    for player in &report.players {
        let mut row = vec![player.rank.to_string(), player.player.clone()];
        row.extend(
            columns
                .iter()
                .map(|(_, cell)| cell(player).unwrap_or("-".into())),
        );
        rows.push(row);
    }
    rows
}

/// A rating with its sign; a hair below zero is not `-0.0`.
#[must_use]
pub fn signed(elo: f64) -> String {
    let elo = if elo.abs() < 0.05 { 0.0 } else { elo };
    format!("{elo:+.1}")
}

fn micros(micros: f64) -> String {
    match micros {
        ..1e3 => format!("{micros:.2} µs"),
        ..1e6 => format!("{:.2} ms", micros / 1e3),
        _ => format!("{:.2} s", micros / 1e6),
    }
}

fn score(score: &ResultCount) -> String {
    format!("{}/{}/{}", score.wins, score.draws, score.losses)
}

fn cross_table(report: &Report) -> Vec<Vec<String>> {
    let mut head = vec!["#".into(), "player".into()];
    head.extend(report.players.iter().map(|player| player.rank.to_string()));
    let mut rows = vec![head];
    for (player, cells) in std::iter::zip(&report.players, &report.cross_table) {
        let mut row = vec![player.rank.to_string(), player.player.clone()];
        row.extend(cells.iter().map(|cell| {
            let cell = cell.as_ref();
            cell.map_or("-".into(), |cell| score(&cell.score))
        }));
        rows.push(row);
    }
    rows
}

fn test_line(test: &TestLine) -> String {
    let answer = match test.answer {
        "elo0" => "answered: the difference is elo0 or less",
        "elo1" => "answered: the difference is elo1 or more",
        _ => "open",
    };
    let (llr, lower, upper) = (test.llr, test.lower, test.upper);
    let question = &test.question;
    format!("SPRT {question}: LLR {llr:.2} in ({lower:.2}, {upper:.2}), {answer}")
}

/// Wraps text at 92 characters.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        match width {
            0 => {}
            _ if width + 1 + length > 92 => {
                out.push('\n');
                width = 0;
            }
            _ => {
                out.push(' ');
                width += 1;
            }
        }
        out.push_str(word);
        width += length;
    }
    out
}

/// Columns as wide as their widest cell; the player's name to the left, numbers to
/// the right. The heads are translated.
fn table(mut rows: Vec<Vec<String>>, words: Messages) -> String {
    let head = rows[0].clone();
    rows[0] = head.iter().map(|name| words.phrase(name)).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell_width =
        |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
    let width = |column: usize| rows.iter().map(|row| cell_width(row, column)).max();
    let widths: Vec<usize> = (0..columns)
        .map(|column| width(column).unwrap_or(0))
        .collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            let _ = match head[column].as_str() {
                "player" | "forfeits" => write!(line, "  {cell:<width$}"),
                _ => write!(line, "  {cell:>width$}"),
            };
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_their_heads() {
        let rows = [["#", "player", "±"], ["10", "a", "1.5"]];
        let rows = rows.map(|row| row.map(String::from).to_vec()).to_vec();
        let text = table(rows, Messages::default());
        assert_eq!(text, "   #  player    ±\n  10  a       1.5\n");
    }

    #[test]
    fn times_have_fitting_units() {
        assert_eq!(micros(0.5), "0.50 µs");
        assert_eq!(micros(1500.0), "1.50 ms");
        assert_eq!(micros(2.5e6), "2.50 s");
        assert_eq!(clock(59.6), "1:00 min");
        assert_eq!(clock(3700.0), "1:01 h");
        assert_eq!(clock(f64::INFINITY), "a long time");
    }
}
