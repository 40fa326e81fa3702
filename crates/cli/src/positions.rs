//! The positions that a command is about: named, piped in, or the start of the game.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use papan_catalog::AnyLine;
use papan_files::obf;
use papan_othello::Problem;
use papan_view::Messages;

use crate::game_file::{self, STANDARD};
use crate::source::Source;

/// The place that was given, else positions from standard input if something is
/// piped in, else the start of the game.
pub(crate) fn positions(source: &Source, words: Messages) -> anyhow::Result<Vec<Box<dyn AnyLine>>> {
    if source.start.is_given() || std::io::stdin().is_terminal() {
        return Ok(vec![source.line(words)?]);
    }
    let text = game_file::text(STANDARD, words)?;
    let reads_obf = source.game.name() == "othello";
    let lines = if reads_obf {
        problems(source, &text)?
    } else {
        plain(source, &text)?
    };
    match lines.is_empty() {
        false => Ok(lines),
        // Nobody solves that start: whoever piped nothing in meant something else.
        true if reads_obf => anyhow::bail!(
            "standard input was empty: pipe positions in, or give --position or --moves"
        ),
        true => Ok(vec![source.line(words)?]),
    }
}

/// Positions in `.obf` form.
fn problems(source: &Source, text: &str) -> anyhow::Result<Vec<Box<dyn AnyLine>>> {
    let problems = obf::parse(text).context("standard input")?;
    let line = |problem: &Problem| {
        let text = problem.format();
        let position = text.split(';').next().unwrap_or_default();
        position_on(source, problem.line, position)
    };
    problems.iter().map(line).collect()
}

/// Positions as `--position` takes them, one in each line; `#` begins a remark.
fn plain(source: &Source, text: &str) -> anyhow::Result<Vec<Box<dyn AnyLine>>> {
    let lines = (1..).zip(text.lines());
    let lines = lines.map(|(number, line)| (number, line.split('#').next().unwrap_or_default()));
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| position_on(source, number, line.trim()))
        .collect()
}

fn position_on(source: &Source, line: usize, text: &str) -> anyhow::Result<Box<dyn AnyLine>> {
    let position = source.game.line_from(text);
    position.with_context(|| format!("standard input: line {line}"))
}
