//! The report as one HTML file: the plot, the tables, every game to be replayed.

use std::fmt::Write as _;
use std::io::{self, Write};

use papan_rules::{Move, Outcome, Pieces, Player};

use super::plot::plot;
use super::{Report, ScoreLine};
use crate::finished::Finished;
use crate::ledger::Ledger;
use crate::results::{Results, ResultsError};
use crate::tournament::Tournament;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Writes the report with every counted game, one after another as they are read,
/// however many there are.
///
/// # Errors
/// When the file cannot be written or the results cannot be read.
pub fn html(
    out: &mut impl Write,
    tournament: &Tournament,
    ledger: &Ledger,
    results: &mut dyn Results,
) -> Result<(), HtmlError> {
    let report = Report::of(tournament, ledger);
    let title = format!("{}: {} games", report.game, report.games);
    let title = escaped(&title);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )?;
    writeln!(out, "<h2>Ratings</h2>\n{}", plot(&report))?;
    out.write_all(standings(&report).as_bytes())?;
    out.write_all(cross_table(&report).as_bytes())?;
    if let Some(test) = &report.test {
        writeln!(
            out,
            "<p>SPRT {}: LLR {:.2} in ({:.2}, {:.2}), {}.</p>",
            escaped(&test.question),
            test.llr,
            test.lower,
            test.upper,
            test.answer
        )?;
    }
    out.write_all(GAMES.as_bytes())?;
    write!(out, "<script>\nconst board = {};\n", board(tournament))?;
    // A template literal: one game per line, nothing in it that needs escaping.
    out.write_all(b"const games = `")?;
    let pairings = tournament.pairings();
    let mut failed = Ok(());
    results.replay(&mut |record| {
        if failed.is_ok()
            && let Ok(finished) = Finished::decode(record)
            && ledger.counts(finished.game)
        {
            let seats = tournament.bout(&pairings, finished.game).seats;
            failed = out.write_all(game_line(&finished, seats).as_bytes());
        }
    })?;
    failed?;
    write!(out, "`;\n{SCRIPT}</script>\n</body>\n</html>\n")?;
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

const GAMES: &str = "<h2>Games</h2>\n<p><label>Show <select id=\"who\"></select></label>\n\
<button id=\"newer\" aria-label=\"earlier games\">‹</button> <span id=\"page\"></span>\n\
<button id=\"older\" aria-label=\"later games\">›</button></p>\n\
<div id=\"room\"><ol id=\"list\"></ol>\n<div id=\"replay\" hidden>\n\
<p id=\"caption\"></p>\n<div id=\"board\"></div>\n\
<p><button id=\"start\" aria-label=\"to the start\">|‹</button>\n\
<button id=\"back\" aria-label=\"a move back\">‹</button> <span id=\"ply\"></span>\n\
<button id=\"forth\" aria-label=\"a move on\">›</button>\n\
<button id=\"end\" aria-label=\"to the end\">›|</button></p>\n</div></div>\n";

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn score(score: &ScoreLine) -> String {
    format!("{}/{}/{}", score.wins, score.draws, score.losses)
}

fn standings(report: &Report) -> String {
    let mut out = String::from(
        "<table>\n<tr><th>#<th>player<th>Elo<th>±<th title=\"likelihood of being stronger than the next\">LOS\
         <th>points<th>games<th>as first<th>as second<th>discs<th>nodes/move<th>µs/move<th>forfeits</tr>\n",
    );
    for player in &report.players {
        let number =
            |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1}"));
        let forfeits = player
            .forfeits
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"));
        let _ = writeln!(
            out,
            "<tr><td>{}<th scope=\"row\">{}<td>{:+.1}<td>{:.1}<td>{}<td>{:.1}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
            player.rank,
            escaped(&player.player),
            player.elo,
            player.margin,
            player
                .superiority
                .map_or(String::new(), |los| format!("{:.1} %", 100.0 * los)),
            player.points,
            player.games,
            score(&player.first),
            score(&player.second),
            number(player.discs),
            number(player.nodes),
            number(player.microseconds),
            forfeits.collect::<Vec<_>>().join(", "),
        );
    }
    out + "</table>\n"
}

fn cross_table(report: &Report) -> String {
    let mut out = String::from("<h2>Cross table</h2>\n<table>\n<tr><th>#<th>player");
    for player in &report.players {
        let _ = write!(out, "<th>{}", player.rank);
    }
    out.push_str("</tr>\n");
    for (player, cells) in std::iter::zip(&report.players, &report.cross_table) {
        let name = escaped(&player.player);
        let _ = write!(out, "<tr><td>{}<th scope=\"row\">{name}", player.rank);
        for cell in cells {
            let _ = match cell {
                None => write!(out, "<td>"),
                Some(cell) => {
                    let elo = cell.elo.map_or("∞".into(), |elo| format!("{elo:+.1}"));
                    write!(out, "<td title=\"Elo {elo}\">{}", score(&cell.score))
                }
            };
        }
        out.push_str("</tr>\n");
    }
    out + "</table>\n"
}

/// What the script has to know of the board and the players, as JSON.
fn board(tournament: &Tournament) -> String {
    let line = tournament.game.line();
    let cells = 0..tournament.game.cells();
    let start: Vec<u8> = cells
        .clone()
        .map(|cell| match line.piece(cell) {
            None => 0,
            Some(Player::First) => 1,
            Some(Player::Second) => 2,
        })
        .collect();
    let words = cells.map(|cell| tournament.game.format_move(Move::on(cell)));
    let json = serde_json::json!({
        "sides": tournament.game.shape().sides(),
        "discs": tournament.game.pieces() == Pieces::Discs,
        "start": start,
        "words": words.collect::<Vec<_>>(),
        "players": tournament.names(),
    });
    // `</script>` in a player's name would end the script.
    json.to_string().replace('<', "\\u003c")
}

/// `number;first;second;result;reason;moves`: players by number, the result 0, 1 or
/// 2, cells from 0 and -1 for a pass.
fn game_line(finished: &Finished, [first, second]: [usize; 2]) -> String {
    let result = match finished.outcome {
        Outcome::Draw => 0,
        Outcome::Win(player) => 1 + player.index(),
    };
    let reason = finished
        .forfeit
        .as_ref()
        .map_or(String::new(), ToString::to_string);
    let harmless = |c: &char| !matches!(c, '`' | '\\' | '$' | ';' | '<');
    let reason: String = reason.chars().filter(harmless).collect();
    let mut line = format!("{};{first};{second};{result};{reason};", finished.game + 1);
    for (index, mv) in finished.moves.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let cell = mv.cell().map_or(-1, |cell| cell as i64);
        let _ = write!(line, "{comma}{cell}");
    }
    line.push('\n');
    line
}
