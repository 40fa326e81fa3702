//! Game review as a text table.

use papan_catalog::AnyGame;
use papan_catalog::review::{Grade, Judgement};
use papan_rules::Player;
use papan_strategies::{Bound, Score, Unit};

use super::{GameReview, loss_text};
use crate::{Marks, Messages, messages, score};

/// Maximum width of a paragraph.
const WIDTH: usize = 92;
/// Number of moves shown of a better line.
const SHOWN: usize = 8;

/// Formats a review: heading, opening, a row for each move, and the mistakes of each side.
#[must_use]
pub fn text(review: &GameReview<'_>, messages: Messages, ascii: bool) -> String {
    let game = review.line.game();
    let mut text = heading(review, messages) + "\n\n";
    let header = [
        "#",
        "review-column-move",
        "review-column-before",
        "review-column-after",
    ]
    .iter()
    .chain(&[
        "review-column-loss",
        "review-column-said",
        "review-column-better",
    ])
    .map(|key| {
        if *key == "#" {
            "#".into()
        } else {
            messages.text(key)
        }
    });
    let mut rows = vec![header.collect::<Vec<String>>()];
    for (number, judgement) in (1..).zip(&review.judgements) {
        rows.push(ReviewRow::new(&game, number, judgement, messages, ascii).cells());
    }
    for line in aligned(&rows) {
        text += &line;
        text.push('\n');
    }
    text.push('\n');
    text += &wrapped(&messages.text("review-numbers"));
    text.push_str("\n\n");
    for side in review.sides(messages) {
        text += &side;
        text.push('\n');
    }
    text
}

/// Breaks a paragraph into lines.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
    out
}

fn heading(review: &GameReview<'_>, messages: Messages) -> String {
    let mut heading = messages.with(
        "review-heading",
        [
            ("game", review.line.game().name().into()),
            ("strategy", review.strategy.clone().into()),
        ],
    );
    if review.players.iter().any(|name| !name.is_empty()) {
        heading += &format!("\n{} - {}", review.players[0], review.players[1]);
    }
    if let Some(opening) = papan_catalog::opening(review.line) {
        heading.push('\n');
        heading += &messages.with("opening", [("name", opening.into())]);
    }
    heading
}

/// A move of a review as every front end shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewRow {
    /// The number of the move, from 1.
    pub number: usize,
    /// The player's side.
    pub side: String,
    /// The move.
    pub mv: String,
    /// Score before it, for its player; `~` marks an estimate of discs.
    pub before: String,
    /// Score after it, for its player, comparable with that before it.
    pub after: String,
    /// The loss, if there is one: in discs, or in percent of a win.
    pub loss: String,
    /// The sign of the grade: `?!`, `?` or `??`.
    pub sign: Option<&'static str>,
    /// Whether it was a mistake or the turning point, in words.
    pub verdict: String,
    /// The better line of a mistake.
    pub better: String,
}

impl ReviewRow {
    /// Formats a judgement.
    #[must_use]
    pub fn new(
        game: &AnyGame,
        number: usize,
        judgement: &Judgement,
        messages: Messages,
        ascii: bool,
    ) -> Self {
        let worth = |score: Option<Score>| score.map_or_else(String::new, |s| worth(s, ascii));
        let said = verdict(judgement, messages);
        let better = judgement.better_line();
        let better = game.show_moves(&better[..better.len().min(SHOWN)]);
        let unit = game.properties().score_unit;
        let loss = judgement.loss.map(|loss| loss_text(unit, loss));
        Self {
            number,
            side: messages::side(messages, game.pieces(), judgement.player, Marks::default()),
            mv: game.show_move(judgement.mv),
            before: worth(judgement.before),
            after: worth(judgement.after),
            loss: loss.unwrap_or_default(),
            sign: judgement.grade.map(Grade::sign),
            verdict: said,
            better,
        }
    }

    fn cells(self) -> Vec<String> {
        vec![
            self.number.to_string(),
            format!("{} {}", self.side, self.mv),
            self.before,
            self.after,
            self.loss,
            format!("{} {}", self.sign.unwrap_or_default(), self.verdict)
                .trim_start()
                .to_owned(),
            self.better,
        ]
    }
}

/// Returns the grade of a move, or that it was the turning point.
pub(super) fn verdict(judgement: &Judgement, messages: Messages) -> String {
    match judgement.grade {
        Some(_) if judgement.turning => messages.text("review-turning"),
        Some(grade) => messages.text(&format!("review-a-{}", grade.name())),
        None => String::new(),
    }
}

/// Formats a score in a few characters; `~` marks an estimate.
pub(super) fn worth(score: Score, ascii: bool) -> String {
    let short = score::short(score, ascii);
    match (score.bound(), score.unit()) {
        (Bound::Estimate, Unit::Discs) => format!("~{short}"),
        _ => short,
    }
}

/// Aligns columns: text to the left, numbers to the right, no trailing spaces.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    const RIGHT: [bool; 7] = [true, false, true, true, true, false, false];
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..RIGHT.len()).map(width).collect();
    let cell = |(column, text): (usize, &String)| {
        if RIGHT[column] {
            format!("{text:>0$}", widths[column])
        } else {
            format!("{text:<0$}", widths[column])
        }
    };
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Formats a value for the first player; a proved result names the winner unless discs are counted.
#[must_use]
pub fn value_text(messages: Messages, game: &AnyGame, score: Score) -> String {
    let wins = |player| {
        let side = messages::side(messages, game.pieces(), player, Marks::default());
        let text = messages.with("review-wins", [("side", side.into())]);
        if score.is_by_proof() {
            messages.with("score-proved", [("score", text.into())])
        } else {
            text
        }
    };
    match (score.unit(), score.proven()) {
        (Unit::Result, Some(1)) => wins(Player::First),
        (Unit::Result, Some(-1)) => wins(Player::Second),
        (Unit::Result, _) => score::text(score, messages),
        _ => score::short(score, false),
    }
}
