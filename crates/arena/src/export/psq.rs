//! Games as Piskvork keeps them.

use std::fmt::Write as _;

use super::Played;

/// One game: the board, a line for each move (column and row from 1, milliseconds), the
/// players, and who won.
pub(super) fn text(played: &Played<'_>) -> String {
    let sides = played.game.shape().sides();
    let (rows, columns) = (sides[0], sides[1]);
    let mut out = format!("Piskvorky {columns}x{rows}, 11:11, 0\r\n");
    for (ply, mv) in played.finished.moves.iter().enumerate() {
        let Some(cell) = mv.cell() else { continue };
        let millis = played
            .finished
            .note(ply)
            .map_or(0, |note| note.micros / 1000);
        let (x, y) = (cell % columns + 1, cell / columns + 1);
        let _ = write!(out, "{x},{y},{millis}\r\n");
    }
    let winner = played.finished.outcome.winner();
    let winner = winner.map_or(0, |player| player.index() + 1);
    let [first, second] = &played.players;
    let _ = write!(out, "{first}\r\n{second}\r\n-1\r\n{winner},Freestyle\r\n");
    out
}
