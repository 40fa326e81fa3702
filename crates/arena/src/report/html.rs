//! HTML report in one file: plot, tables, and every game to replay.

use std::io::{self, Write};

use askama::Template;

use super::games::Games;
use super::plot::Plot;
use super::{PlayerLine, Report};
use crate::results::{Results, ResultsError};
use crate::tournament::Tournament;
use crate::tournament::scoreboard::Scoreboard;
use crate::tournament::standings::ResultCount;

/// Writes the report with every counted game, in the order of the plan: the same
/// results make the same page, however they were played.
///
/// # Errors
/// When the file cannot be written or the results cannot be read.
pub fn html(
    out: &mut impl Write,
    tournament: &Tournament,
    scoreboard: &Scoreboard,
    results: &mut dyn Results,
) -> Result<(), HtmlError> {
    let report = Report::of(tournament, scoreboard);
    let games = Games::read(tournament, scoreboard, results)?;
    let page = Page {
        plot: Plot::of(&report),
        report: &report,
        games: &games,
    };
    page.write_into(out)?;
    Ok(())
}

/// Why the HTML report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum HtmlError {
    /// The file refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The results cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    report: &'a Report,
    plot: Plot,
    games: &'a Games<'a>,
}

impl Page<'_> {
    fn score(&self, score: &ResultCount) -> String {
        format!("{}/{}/{}", score.wins, score.draws, score.losses)
    }

    fn number(&self, value: &Option<f64>) -> String {
        value.map_or(String::new(), |value| format!("{value:.1}"))
    }

    fn elo(&self, value: &Option<f64>) -> String {
        value.map_or("–".into(), super::signed)
    }

    fn percent(&self, value: &Option<f64>) -> String {
        value.map_or(String::new(), |value| format!("{:.1} %", 100.0 * value))
    }

    fn forfeits(&self, player: &PlayerLine) -> String {
        super::forfeit_list(&player.forfeits)
    }
}
