//! What GoGui asks beyond GTP: the rules of games that it does not know, and what it
//! draws on the board.

use papan_rules::{Move, Outcome, Player};
use papan_strategies::{Decision, Score};

use super::colour;
use crate::engine_session::EngineSession;

/// Evaluates every move.
pub(super) const EVALUATION: &str = "papan-evaluation";
/// The rules are asked for by these; the rest is what GoGui draws.
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
/// GoGui's list: how an answer is drawn, what it is called, the command.
const ANALYSES: &str = "gfx/Evaluation of every move/papan-evaluation";

/// Answers one of these commands; `None` when it is another.
pub(super) fn answer(session: &EngineSession, command: &str) -> Option<Result<String, String>> {
    Some(match command {
        "gogui-analyze_commands" => Ok(ANALYSES.into()),
        "gogui-rules_game_id" => Ok(game_id(session.game().family().name)),
        "gogui-rules_board_size" => board_size(session),
        "gogui-rules_board" => board(session),
        "gogui-rules_legal_moves" => Ok(legal_moves(session)),
        "gogui-rules_side_to_move" => Ok(colour(session.line().turn()).into()),
        "gogui-rules_final_result" => final_result(session),
        _ => return None,
    })
}

/// A game's name as others write it: `Othello`.
pub(super) fn game_id(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_ascii_uppercase() + rest
}

/// Rows and columns of a flat board.
fn sides(session: &EngineSession) -> Result<(usize, usize), String> {
    match *session.board().sides() {
        [rows, columns] => Ok((rows, columns)),
        _ => Err("the board is not flat".into()),
    }
}

fn board_size(session: &EngineSession) -> Result<String, String> {
    let (rows, columns) = sides(session)?;
    Ok(match rows == columns {
        true => columns.to_string(),
        false => format!("{columns} {rows}"),
    })
}

/// The board from its highest row down to row 1, which GoGui draws at the bottom. A
/// board whose row 1 is the upper one is drawn upside down, every square with its name.
fn board(session: &EngineSession) -> Result<String, String> {
    let (rows, columns) = sides(session)?;
    let from_the_top = session.board().winning_length().is_none();
    let lines = (0..rows).map(|row| {
        let row = if from_the_top { rows - 1 - row } else { row };
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

/// No moves at all tell GoGui that the game is over.
fn legal_moves(session: &EngineSession) -> String {
    if session.line().outcome().is_some() {
        return String::new();
    }
    let moves = session.line().legal_moves();
    let words = moves.into_iter().map(|mv| match mv {
        Move::PASS => "pass".into(),
        mv => session.board().vertex(mv).to_uppercase(),
    });
    words.collect::<Vec<String>>().join(" ")
}

fn final_result(session: &EngineSession) -> Result<String, String> {
    let outcome = session.line().outcome();
    Ok(match outcome.ok_or("the game is not over")? {
        Outcome::Draw => "Draw".into(),
        Outcome::Win(winner) => {
            let by = match session.board().winning_length() {
                Some(_) => String::new(),
                None => format!(" by {}", session.line().final_score(winner).abs()),
            };
            format!("{} wins{by}", game_id(colour(winner)))
        }
    })
}

/// What every move is worth: a label on each point, the line of play that is expected,
/// and a sentence below the board.
pub(super) fn evaluation(
    session: &EngineSession,
    decision: &Decision,
    label: fn(Score) -> String,
) -> String {
    let vertex = |mv: Move| session.board().vertex(mv).to_uppercase();
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
