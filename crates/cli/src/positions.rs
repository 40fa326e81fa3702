//! The positions a command works on: given by options, piped in, or the start of the game.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use papan_catalog::AnyLine;
use papan_files::obf;
use papan_othello::Problem;
use papan_view::Messages;

use crate::game_file;
use crate::output::STANDARD;
use crate::source::Source;

/// Returns the position given by options, else the positions on standard input if that is not a
/// terminal, else the start of the game.
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
    if !lines.is_empty() {
        return Ok(lines);
    }
    // Othello cannot be solved from the start, so empty input must be a mistake.
    anyhow::ensure!(
        !reads_obf,
        "standard input is empty: pipe in positions, or give --position or --moves"
    );
    Ok(vec![source.line(words)?])
}

/// Parses positions in OBF.
fn problems(source: &Source, text: &str) -> anyhow::Result<Vec<Box<dyn AnyLine>>> {
    let problems = obf::parse(text).context("standard input")?;
    let line = |problem: &Problem| {
        let text = problem.format();
        let position = text.split(';').next().unwrap_or_default();
        position_on(source, problem.line, position)
    };
    problems.iter().map(line).collect()
}

/// Parses positions in the syntax of `--position`, one per line; `#` starts a comment.
fn plain(source: &Source, text: &str) -> anyhow::Result<Vec<Box<dyn AnyLine>>> {
    (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, line.split('#').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| position_on(source, number, line))
        .collect()
}

fn position_on(source: &Source, line: usize, text: &str) -> anyhow::Result<Box<dyn AnyLine>> {
    let position = source.game.line_from(text);
    position.with_context(|| format!("standard input: line {line}"))
}
