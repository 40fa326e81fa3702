//! A page for each submission, with the lost games on boards.

use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, Messages, escape_xml};

use super::assignment::Assignment;
use super::grader::{Grade, LostGame};
use super::report::{fault_text, number, outcome_text};

const STYLE: &str = "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse}td,th{border:1px solid #888;padding:.3rem .6rem;text-align:left}\
.passed{color:#060}.failed{color:#a00}figure{display:inline-block;width:14rem;margin:.5rem}svg{width:100%;height:auto}";

/// Formats the page of a submission as one self-contained file.
#[must_use]
pub fn html(assignment: &Assignment, grade: &Grade, words: Messages) -> String {
    let title = format!("{}: {}", assignment.title, grade.submission);
    let language = words.language().code();
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}</title>\n<style>{STYLE}{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>{2} / {3}</p>\n",
        escape_xml(&title),
        papan_view::SVG_STYLESHEET,
        number(grade.points()),
        number(assignment.points()),
    );
    if let Some(failure) = &grade.failure {
        page += &format!(
            "<p class=\"failed\">{}</p>\n",
            escape_xml(&words.phrase(failure))
        );
    }
    page += "<table>\n";
    for test in &grade.tests {
        let (class, mark) = if test.passed {
            ("passed", "✓")
        } else {
            ("failed", "✗")
        };
        let detail = outcome_text(&assignment.game, &grade.submission, &test.outcome, words);
        page += &format!(
            "<tr><td class=\"{class}\">{mark}</td><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n",
            escape_xml(&test.name),
            number(if test.passed { test.points } else { 0.0 }),
            escape_xml(&detail),
        );
    }
    page += "</table>\n";
    for test in grade.tests.iter().filter(|test| !test.lost.is_empty()) {
        page += &format!("<h2>{}</h2>\n", escape_xml(&test.name));
        for lost in &test.lost {
            page += &lost_game(assignment, lost, words);
        }
    }
    page + "</body>\n</html>\n"
}

/// Draws a lost game at its end, with its moves below.
fn lost_game(assignment: &Assignment, lost: &LostGame, words: Messages) -> String {
    let game = &assignment.game;
    let mut line = game.line();
    for &mv in &lost.moves {
        if line.play(mv).is_err() {
            break;
        }
    }
    let moves = game.show_moves(line.moves());
    let options = DrawOptions {
        names: true,
        ..DrawOptions::default()
    };
    let board = svg_board::draw(&BoardView::of(&*line), &options, &moves);
    let seat = words.text(&format!("seat-as-{}", lost.player));
    let fault = fault_text(lost, words).unwrap_or_default();
    format!(
        "<figure>{board}<figcaption>{} ({}) {}</figcaption></figure>\n",
        escape_xml(&moves),
        escape_xml(&seat),
        escape_xml(&fault)
    )
}
