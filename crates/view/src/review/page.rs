//! Game review as one self-contained HTML file: board, evaluation graph and moves. Navigation uses
//! links, so that it works without scripts.

use std::fmt::Write as _;

use papan_catalog::AnyLine;
use papan_catalog::review::{Grade, Judgement};
use papan_rules::Player;

use super::text::{verdict, worth};
use super::{Curve, GameReview, loss_text};
use crate::drawing::escape_xml;
use crate::svg_board::{self, DrawOptions, Layout};
use crate::{BoardView, CellView, Marks, Messages, messages};

const STYLE: &str = include_str!("../../assets/review.css");
const SCRIPT: &str = include_str!("../../assets/review.js");

/// Returns the page.
#[must_use]
pub fn html(review: &GameReview<'_>, messages: Messages) -> String {
    let game = review.line.game();
    let title = format!("{}: {}", messages.text("review-title"), game.name());
    let language = messages.language().code();
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}{}\n</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escape_xml(&title),
        Curve::style(),
    );
    for line in about(review, messages) {
        let _ = writeln!(page, "<p>{}</p>", escape_xml(&line));
    }
    page += "<main>\n<div>\n";
    page += &boards(review, messages);
    let _ = write!(
        page,
        "</div>\n<div>\n{}\n<p><small>{}</small></p>\n{}</div>\n</main>\n",
        review.curve(None).draw(|ply| format!("#p{ply}")),
        escape_xml(&review.curve(None).help(messages, &game)),
        table(review, messages)
    );
    let _ = write!(page, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    page
}

/// Returns the players, the opening, the reviewing strategy and the mistakes of each side.
fn about(review: &GameReview<'_>, messages: Messages) -> Vec<String> {
    let mut lines = Vec::new();
    if review.players.iter().any(|name| !name.is_empty()) {
        lines.push(format!("{} - {}", review.players[0], review.players[1]));
    }
    if let Some(opening) = papan_catalog::opening(review.line) {
        lines.push(messages.with("opening", [("name", opening.into())]));
    }
    lines.push(format!(
        "{} {}.",
        messages.text("review-by"),
        review.strategy
    ));
    lines.extend(review.sides(messages));
    lines
}

/// Draws a section for each position, of which one is visible at a time. Shared parts are SVG
/// symbols.
fn boards(review: &GameReview<'_>, messages: Messages) -> String {
    let mut line = review.line.clone_line();
    while line.undo().is_some() {}
    let mut view = BoardView::of(&*line);
    let layout = Layout::of(&view);
    for cell in &mut view.cells {
        cell.piece = None;
    }
    let mut out = symbols(&view, &layout);
    let last = review.line.moves().len();
    for ply in 0..=last {
        let view = BoardView::of(&*line);
        let sentence = match ply {
            0 => messages.text("review-start"),
            ply => review.sentence(ply, messages),
        };
        let _ = write!(
            out,
            "<section id=\"p{ply}\">\n<p>{}</p>\n{}\n<nav>{}</nav>\n</section>\n",
            escape_xml(&sentence),
            board(
                ply.checked_sub(1).and_then(|at| review.judgements.get(at)),
                &view,
                &layout,
                &sentence
            ),
            walk(ply, last, messages)
        );
        if let Some(judgement) = review.judgements.get(ply) {
            out += &better_line(&*line, judgement, ply + 1, &layout, messages);
        }
        if let Some(&mv) = review.line.moves().get(ply)
            && line.play(mv).is_err()
        {
            break;
        }
    }
    out
}

/// Longest better line that has boards of its own.
const MAX_BETTER_MOVES: usize = 6;

/// Draws a section for each move of the line that would have been better than move `number`.
fn better_line(
    before: &dyn AnyLine,
    judgement: &Judgement,
    number: usize,
    layout: &Layout,
    messages: Messages,
) -> String {
    let mut out = String::new();
    let game = before.game();
    let moves = judgement.better_line();
    let moves = &moves[..moves.len().min(MAX_BETTER_MOVES)];
    let mut line = before.clone_line();
    for (at, &mv) in moves.iter().enumerate() {
        if line.play(mv).is_err() {
            break;
        }
        let title = messages.with(
            "review-better-line",
            [
                ("number", number.to_string().into()),
                ("moves", game.show_moves(&moves[..=at]).into()),
            ],
        );
        let place = |at: usize| format!("b{number}-{at}");
        let back = if at == 0 {
            format!("p{number}")
        } else {
            place(at)
        };
        let mut links = vec![
            ("«", "web-walk-start", format!("p{number}")),
            ("‹", "web-walk-back", back),
        ];
        if at + 1 < moves.len() {
            links.push(("›", "web-walk-on", place(at + 2)));
        }
        let links: Vec<String> = links
            .into_iter()
            .map(|(sign, key, to)| link(sign, key, &to, messages))
            .collect();
        let _ = write!(
            out,
            "<section id=\"{}\">\n<p>{}</p>\n{}\n<nav>{}</nav>\n</section>\n",
            place(at + 1),
            escape_xml(&title),
            board(None, &BoardView::of(&*line), layout, &title),
            links.join(" ")
        );
    }
    out
}

/// Defines the empty board, the pieces and the marks as symbols.
fn symbols(empty: &BoardView, layout: &Layout) -> String {
    let options = DrawOptions::default();
    let mut out = String::from("<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>");
    let _ = write!(
        out,
        r#"<g id="board">{}</g>"#,
        svg_board::cells(empty, layout, &options)
    );
    for (id, player, last) in [
        ("first", Player::First, false),
        ("second", Player::Second, false),
        ("first-last", Player::First, true),
        ("second-last", Player::Second, true),
    ] {
        let cell = CellView {
            piece: Some(player),
            last,
            ..CellView::default()
        };
        let mut piece = String::new();
        svg_board::piece(&mut piece, empty.pieces, player, &cell, &options);
        let _ = write!(out, r#"<g id="{id}">{piece}</g>"#);
    }
    out += r##"<g id="better"><rect x="8" y="8" width="84" height="84" rx="10" fill="#fde68a" stroke="#92400e" stroke-width="5"/><path d="M28 52l16 18 30-40" fill="none" stroke="#92400e" stroke-width="9"/></g>"##;
    out += "</defs></svg>\n";
    out
}

fn board(judgement: Option<&Judgement>, view: &BoardView, layout: &Layout, title: &str) -> String {
    let mut svg = format!(
        r##"<svg class="board" viewBox="0 0 {} {}" role="img"><title>{}</title><use href="#board"/>"##,
        layout.width,
        layout.height,
        escape_xml(title)
    );
    let mut put = |id: &str, cell: usize| {
        let (x, y) = layout.corners[cell];
        let _ = write!(svg, r##"<use href="#{id}" x="{x}" y="{y}"/>"##);
    };
    for (index, cell) in view.cells.iter().enumerate() {
        match (cell.piece, cell.last) {
            (Some(Player::First), false) => put("first", index),
            (Some(Player::Second), false) => put("second", index),
            (Some(Player::First), true) => put("first-last", index),
            (Some(Player::Second), true) => put("second-last", index),
            (None, _) => {}
        }
    }
    if let Some(cell) = judgement.and_then(|judgement| judgement.better()?.cell()) {
        put("better", cell);
    }
    svg + "</svg>"
}

/// Returns the navigation links of a position.
fn walk(ply: usize, last: usize, messages: Messages) -> String {
    let steps = [
        ("«", "web-walk-start", 0),
        ("‹", "web-walk-back", ply.saturating_sub(1)),
        ("›", "web-walk-on", (ply + 1).min(last)),
        ("»", "web-walk-end", last),
    ];
    let link = |(sign, key, to)| link(sign, key, &format!("p{to}"), messages);
    steps.map(link).join(" ")
}

fn link(sign: &str, key: &str, to: &str, messages: Messages) -> String {
    let label = escape_xml(&messages.text(key));
    format!("<a href=\"#{to}\" title=\"{label}\" aria-label=\"{label}\">{sign}</a>")
}

fn table(review: &GameReview<'_>, messages: Messages) -> String {
    let game = review.line.game();
    let unit = game.properties().score_unit;
    let heads = [
        ("review-column-move", " class=\"text\""),
        ("review-column-score", ""),
        ("review-column-loss", ""),
        ("review-column-said", " class=\"text\""),
        ("review-column-better", " class=\"text\""),
    ]
    .map(|(key, class)| {
        format!(
            "<th scope=\"col\"{class}>{}</th>",
            escape_xml(&messages.text(key))
        )
    });
    let mut out = format!(
        "<table>\n<thead><tr><th scope=\"col\">#</th>{}</tr></thead>\n<tbody>\n",
        heads.concat()
    );
    for (number, judgement) in (1..).zip(&review.judgements) {
        let class = match (judgement.turning, judgement.grade.is_some()) {
            (true, _) => " class=\"mistake turning\"",
            (_, true) => " class=\"mistake\"",
            _ => "",
        };
        let side = messages::side(messages, game.pieces(), judgement.player, Marks::default());
        let value = review.values.get(number).copied().flatten();
        let value = value.map_or_else(String::new, |value| worth(value, false));
        let loss = judgement.loss.filter(|_| judgement.grade.is_some());
        let sign = judgement.grade.map_or("", Grade::sign);
        let said = format!("{sign} {}", verdict(judgement, messages));
        let better = match judgement.better_line() {
            [] => String::new(),
            line => {
                let moves = escape_xml(&game.show_moves(line));
                format!("<a href=\"#b{number}-1\">{moves}</a>")
            }
        };
        let _ = writeln!(
            out,
            "<tr{class}><td>{number}</td><th scope=\"row\">{} <a href=\"#p{number}\">{}</a></th>\
             <td>{}</td><td>{}</td><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>",
            escape_xml(&side),
            escape_xml(&game.show_move(judgement.mv)),
            escape_xml(&value),
            loss.map_or_else(String::new, |loss| loss_text(unit, loss)),
            escape_xml(said.trim()),
            better,
        );
    }
    out + "</tbody>\n</table>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use papan_catalog::AnyGame;
    use papan_catalog::review::PositionAnalysis;
    use papan_rules::Move;
    use papan_strategies::Score;

    #[test]
    fn a_better_move_without_a_line_is_shown_by_itself() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend("1 2").unwrap();
        let [draw, loss] = [Score::result(0), Score::result(-1)];
        let better = game.parse_move("5").unwrap();
        let judged = PositionAnalysis {
            best: Some(better),
            score: Some(draw),
            moves: vec![(better, draw), (Move::on(1), loss)],
            pv: Vec::new(),
        };
        let after = PositionAnalysis {
            best: Some(better),
            score: Some(Score::result(1)),
            moves: Vec::new(),
            pv: Vec::new(),
        };
        let insights = [Some(judged.clone()), Some(judged), Some(after)];
        let review = GameReview::new(&*line, "perfect".into(), &insights);
        let page = html(&review, Messages::new(Language::English));
        assert!(page.contains("<a href=\"#b2-1\">5</a>"), "{page}");
        assert!(page.contains("<section id=\"b2-1\">"), "{page}");
    }

    #[test]
    fn a_mistake_has_its_sign_and_its_better_line_boards_to_step_through() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend("1 2").unwrap();
        let [draw, loss] = [Score::result(0), Score::result(-1)];
        let better = ["5", "2", "3"].map(|text| game.parse_move(text).unwrap());
        let judged = PositionAnalysis {
            best: Some(better[0]),
            score: Some(draw),
            moves: vec![(better[0], draw), (Move::on(1), loss)],
            pv: better.to_vec(),
        };
        let start = PositionAnalysis {
            best: Some(Move::on(0)),
            score: Some(draw),
            moves: vec![(Move::on(0), draw)],
            pv: vec![Move::on(0)],
        };
        let after = PositionAnalysis {
            score: Some(Score::result(1)),
            ..start.clone()
        };
        let insights = [Some(start), Some(judged), Some(after)];
        let review = GameReview::new(&*line, "perfect".into(), &insights);
        let page = html(&review, Messages::new(Language::English));
        for part in [
            "<section id=\"b2-1\">",
            "<section id=\"b2-3\">",
            "<a href=\"#b2-1\">5 2 3</a>",
            "? turning point",
            "class=\"grade mistake\"",
        ] {
            assert!(page.contains(part), "{part} is missing in {page}");
        }
        // Every link leads to a section.
        for target in page.split("href=\"#").skip(1) {
            let id = &target[..target.find('"').unwrap()];
            assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
        }
    }
}
