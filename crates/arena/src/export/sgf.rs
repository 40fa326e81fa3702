//! Games in the Smart Game Format, version 4.

use std::fmt::Write as _;

use papan_rules::{Outcome, Player};

use super::Played;
use crate::forfeit::ForfeitKind;

/// One game.
pub(super) fn text(played: &Played<'_>) -> String {
    let sides = played.game.shape().sides();
    let (rows, columns) = (sides[0], sides[1]);
    // SGF's numbers: 2 is Othello, 4 gomoku and its kin.
    let kind = if played.counts_lines { 4 } else { 2 };
    let size = match rows == columns {
        true => rows.to_string(),
        false => format!("{columns}:{rows}"),
    };
    let [black, white] = played.players.each_ref().map(|name| escaped(name));
    let mut out = format!(
        "(;FF[4]GM[{kind}]CA[UTF-8]AP[papan:{}]SZ[{size}]GN[{}]PB[{black}]PW[{white}]RE[{}]",
        env!("CARGO_PKG_VERSION"),
        escaped(&played.game.name()),
        result(played),
    );
    if let Some(reason) = played.finished.reason() {
        let _ = write!(out, "C[{}]", escaped(&reason));
    }
    for (ply, mv) in played.finished.moves.iter().enumerate() {
        let colour = ["B", "W"][ply % 2];
        let point = mv.cell().map(|cell| {
            let letter = |n: usize| {
                char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[n % 52])
            };
            format!("{}{}", letter(cell % columns), letter(cell / columns))
        });
        let _ = write!(out, "\n;{colour}[{}]", point.unwrap_or_default());
        if let Some(note) = played.finished.note(ply) {
            // SGF values positions for black.
            let sign = if ply % 2 == 0 { 1 } else { -1 };
            if let Some(score) = note.score {
                let _ = write!(out, "V[{}]", i64::from(score) * sign);
            }
        }
        if let Some(comment) = played.comment(ply) {
            let _ = write!(out, "C[{}]", escaped(&comment));
        }
    }
    out + ")\n"
}

/// `B+`, `W+T` on time, `W+R` by resignation, `W+F` by another forfeit, `0` for a draw.
fn result(played: &Played<'_>) -> String {
    let Outcome::Win(winner) = played.finished.outcome else {
        return "0".into();
    };
    let colour = match winner {
        Player::First => "B+",
        Player::Second => "W+",
    };
    let discs = played
        .finished
        .discs
        .map(|[first, second]| first.abs_diff(second));
    let how = match played.finished.forfeit.as_ref().map(|forfeit| forfeit.kind) {
        None => discs.map(|discs| discs.to_string()).unwrap_or_default(),
        Some(ForfeitKind::Late | ForfeitKind::Hang) => "T".into(),
        Some(ForfeitKind::Resigned) => "R".into(),
        Some(_) => "F".into(),
    };
    format!("{colour}{how}")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace(']', "\\]")
        .replace(':', "\\:")
}
