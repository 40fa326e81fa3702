//! Games in the Generic Game Format, as Othello's servers write it.

use std::fmt::Write as _;

use papan_rules::{Outcome, Player};

use super::Played;
use crate::forfeit::ForfeitKind;

/// One game on one line.
pub(super) fn text(played: &Played<'_>) -> String {
    let side = played.game.shape().sides()[0];
    let start = played.game.line();
    let cells = (0..played.game.cells()).map(|cell| match start.piece(cell) {
        Some(Player::First) => '*',
        Some(Player::Second) => 'O',
        None => '-',
    });
    let board: Vec<char> = cells.collect();
    let rows: Vec<String> = board.chunks(side).map(|row| row.iter().collect()).collect();
    let [black, white] = played
        .players
        .each_ref()
        .map(|name| name.replace(['[', ']', ';'], " "));
    let mut out = format!(
        "(;GM[Othello]PC[papan]PB[{black}]PW[{white}]RE[{}]TI[0]TY[{side}]BO[{side} {} *]",
        result(played),
        rows.join(" "),
    );
    for (ply, &mv) in played.finished.moves.iter().enumerate() {
        let colour = ["B", "W"][ply % 2];
        let word = match mv.cell() {
            Some(_) => played.game.format_move(mv).to_uppercase(),
            None => "PA".into(),
        };
        let _ = write!(out, "{colour}[{word}");
        if let Some(note) = played.finished.note(ply) {
            let score = note.score.map_or(String::new(), |score| score.to_string());
            let _ = write!(out, "/{score}/{:.3}", note.micros as f64 / 1e6);
        }
        out.push(']');
    }
    out + ";)\n"
}

/// The discs of black less those of white; `:t` on time, `:r` by resignation. A game
/// that was broken off counts as won by all squares.
fn result(played: &Played<'_>) -> String {
    let squares = played.game.cells() as i64;
    let ending = match played.finished.forfeit.as_ref().map(|forfeit| forfeit.kind) {
        None => "",
        Some(ForfeitKind::Late | ForfeitKind::Hang) => ":t",
        Some(_) => ":r",
    };
    let difference = match (played.finished.discs, played.finished.outcome) {
        (Some([black, white]), _) => i64::from(black) - i64::from(white),
        (None, Outcome::Draw) => 0,
        (None, Outcome::Win(Player::First)) => squares,
        (None, Outcome::Win(Player::Second)) => -squares,
    };
    format!("{difference:+}{ending}")
}
