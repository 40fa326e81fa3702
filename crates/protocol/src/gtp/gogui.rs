//! GoGui extensions of GTP: rule commands and analyze commands.
//!
//! With `gogui-rules_*` GoGui plays games that it has no rules for; with analyze commands it
//! draws evaluations on the board.
//!
//! Reference: <https://gogui.sourceforge.net/doc/reference-analyze.html>.

use papan_rules::{Move, Outcome, Player};
use papan_strategies::{Decision, Score};

use super::colour;
use crate::engine_session::EngineSession;

/// The analyze command that evaluates every move.
pub(super) const EVALUATION: &str = "papan-evaluation";
/// All commands of this module.
pub(super) const COMMANDS: [&str; 8] = [
    "gogui-analyze_commands",
    EVALUATION,
    "gogui-rules_game_id",
    "gogui-rules_board_size",
    "gogui-rules_board",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
];
/// The response to `gogui-analyze_commands`: type, label and command.
const ANALYZE_COMMANDS: &str = "gfx/Evaluation of every move/papan-evaluation";

/// Answers a command that needs no search; `None` when it is unknown.
pub(super) fn answer(session: &EngineSession, command: &str) -> Option<Result<String, String>> {
    Some(match command {
        "gogui-analyze_commands" => Ok(ANALYZE_COMMANDS.into()),
        "gogui-rules_game_id" => Ok(game_id(session.game().family().name)),
        "gogui-rules_board_size" => board_size(session),
        "gogui-rules_board" => board(session),
        "gogui-rules_legal_moves" => Ok(legal_moves(session)),
        "gogui-rules_side_to_move" => Ok(colour(session.line().turn()).into()),
        "gogui-rules_final_result" => final_result(session),
        _ => return None,
    })
}

/// A game's name in the usual capitalisation, such as `Othello`.
pub(super) fn game_id(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_ascii_uppercase() + rest
}

/// Rows and columns of a two-dimensional board.
fn sides(session: &EngineSession) -> Result<(usize, usize), String> {
    match *session.notation().sides() {
        [rows, columns] => Ok((rows, columns)),
        _ => Err("the board is not two-dimensional".into()),
    }
}

fn board_size(session: &EngineSession) -> Result<String, String> {
    let (rows, columns) = sides(session)?;
    Ok(if rows == columns {
        columns.to_string()
    } else {
        format!("{columns} {rows}")
    })
}

/// The board from its highest row down to row 1, which GoGui draws at the bottom. A board
/// whose row 1 is at the top is drawn upside down, so that the coordinates are right.
fn board(session: &EngineSession) -> Result<String, String> {
    let (rows, columns) = sides(session)?;
    let row_1_is_top = session.notation().winning_length().is_none();
    let lines = (0..rows).map(|row| {
        let row = if row_1_is_top { rows - 1 - row } else { row };
        let cells =
            (row * columns..(row + 1) * columns).map(|cell| match session.line().piece(cell) {
                Some(Player::First) => "X",
                Some(Player::Second) => "O",
                None => ".",
            });
        cells.collect::<Vec<_>>().join(" ")
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// An empty list tells GoGui that the game is over.
fn legal_moves(session: &EngineSession) -> String {
    if session.line().outcome().is_some() {
        return String::new();
    }
    let moves = session.line().legal_moves();
    let words = moves.into_iter().map(|mv| match mv {
        Move::PASS => "pass".into(),
        mv => session.notation().vertex(mv).to_uppercase(),
    });
    words.collect::<Vec<String>>().join(" ")
}

fn final_result(session: &EngineSession) -> Result<String, String> {
    let outcome = session.line().outcome();
    Ok(match outcome.ok_or("the game is not over")? {
        Outcome::Draw => "Draw".into(),
        Outcome::Win(winner) => {
            let by = match session.notation().winning_length() {
                Some(_) => String::new(),
                None => format!(" by {}", session.line().final_score(winner).abs()),
            };
            format!("{} wins{by}", game_id(colour(winner)))
        }
    })
}

/// A `gfx` response: the score of every move as a label, the principal variation, and a
/// status line.
pub(super) fn evaluation(
    session: &EngineSession,
    decision: &Decision,
    label: fn(Score) -> String,
) -> String {
    let vertex = |mv: Move| session.notation().vertex(mv).to_uppercase();
    let mut text = String::new();
    for candidate in &decision.candidates {
        if let Some(score) = candidate.score {
            let label = label(score).replace(' ', "");
            text += &format!("LABEL {} {label}\n", vertex(candidate.mv));
        }
    }
    if let Some(best) = decision.chosen().filter(|best| best.score.is_some()) {
        let mut turn = session.line().turn();
        text += "VAR";
        for &mv in &best.pv {
            text += &format!(" {} {}", &colour(turn)[..1], vertex(mv));
            turn = turn.other();
        }
        text.push('\n');
    }
    text += &format!("TEXT {} of {} nodes", vertex(decision.best), decision.nodes);
    text
}
