//! The page of a proof: never loses, or the game that beats it, step by step.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::{AnyGame, StrategySpec};
use papan_rules::{Move, Player};
use papan_solve::{Proof, Verdict};
use papan_view::{Marks, Words, wording};
use serde::Deserialize;
use serde_json::json;

use crate::creation::playable;
use crate::event::Side;
use crate::hub::Hub;
use crate::page::Frame;
use crate::place::Place;
use crate::proofs::{Ended, MOST_CELLS};
use crate::refusal::Refusal;
use crate::visitor::{Form, Visitor};

#[derive(Template)]
#[template(path = "proof.html")]
struct ProofPage {
    frame: Frame,
    verdict: String,
    lines: Vec<String>,
    waits: bool,
    /// The game that beats it: each move with the address of the position after it.
    steps: Vec<(String, String)>,
    start: String,
}

/// What shall be proved.
#[derive(Deserialize)]
pub(crate) struct Thesis {
    game: String,
    strategy: String,
    #[serde(rename = "as")]
    seat: Side,
}

pub(crate) async fn proof(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Query(thesis): Query<Thesis>,
) -> Result<Response, Refusal> {
    let words = visitor.words;
    let unusable = |text: String| Refusal::Unusable(text);
    let game = hub
        .game(&thesis.game)
        .map_err(|error| unusable(error.to_string()))?;
    let strategy: StrategySpec = thesis
        .strategy
        .parse()
        .map_err(|error: papan_catalog::PlayerError| unusable(error.to_string()))?;
    playable(&game, &strategy, &hub, words)?;
    if game.cells() > MOST_CELLS {
        let most = MOST_CELLS.to_string();
        return Err(unusable(
            words.with("web-proof-too-large", [("most", most.into())]),
        ));
    }
    if visitor.form == Form::Page {
        hub.study_rate(visitor.address)?;
    }
    let player = Player::from(thesis.seat);
    let study = hub
        .proofs
        .proof(&game, &strategy, player)
        .ok_or(Refusal::Busy)?;
    let (ended, pace) = (study.ended(), study.pace());
    if visitor.form == Form::Json {
        return Ok(Json(proof_json(&game, ended.as_ref(), pace.positions)).into_response());
    }
    let seat = wording::side(words, game.pieces(), player, Marks::default());
    let named = |key: &str| {
        words.with(
            key,
            [
                ("strategy", strategy.to_string().into()),
                ("seat", seat.clone().into()),
                ("game", game.name().into()),
            ],
        )
    };
    let (verdict, lines, moves) = match &ended {
        None => {
            let positions = pace.positions.to_string();
            let text = words.with("web-proof-running", [("positions", positions.into())]);
            (text, Vec::new(), &[][..])
        }
        Some(Ended::Proved(proof)) => {
            let key = match proof.verdict() {
                Verdict::NeverLoses => "prove-never-loses",
                Verdict::CanLose => "prove-can-lose",
            };
            let moves = proof.losing_line.as_deref().unwrap_or(&[]);
            (named(key), counts(words, proof), moves)
        }
        Some(Ended::GivenUp) => (words.text("web-proof-given-up"), Vec::new(), &[][..]),
        Some(Ended::NoAnswer(moves, reason)) => {
            let text = words.with(
                "prove-no-answer",
                [
                    ("strategy", strategy.to_string().into()),
                    ("moves", texts(&game, moves).join(" ").into()),
                    ("reason", reason.clone().into()),
                ],
            );
            (text, Vec::new(), moves.as_slice())
        }
        Some(Ended::Failed(reason)) => (reason.clone(), Vec::new(), &[][..]),
    };
    let waits = ended.is_none();
    let mut frame = Frame::new(&visitor, words.text("web-proof"), "/laboratory");
    frame.reload = waits.then_some(2);
    let page = ProofPage {
        frame,
        verdict,
        lines,
        waits,
        steps: steps(&game, moves),
        start: place(&game, String::new()).link("/analysis"),
    };
    Ok(Html(page.render().map_err(|_| Refusal::Broken)?).into_response())
}

fn texts(game: &AnyGame, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|mv| game.format_move(*mv)).collect()
}

fn counts(words: Words, proof: &Proof) -> Vec<String> {
    vec![
        words.with(
            "prove-counts",
            [
                ("lines", proof.lines.to_string().into()),
                ("wins", proof.wins.to_string().into()),
                ("draws", proof.draws.to_string().into()),
                ("losses", proof.losses.to_string().into()),
            ],
        ),
        words.with(
            "prove-size",
            [
                ("positions", proof.positions.to_string().into()),
                ("longest", proof.longest.to_string().into()),
            ],
        ),
    ]
}

fn place(game: &AnyGame, moves: String) -> Place {
    Place {
        game: game.name(),
        moves,
        ..Place::default()
    }
}

/// The moves of a game, each with the address of the position after it.
fn steps(game: &AnyGame, moves: &[Move]) -> Vec<(String, String)> {
    let mut line = game.line();
    let legal = moves.iter().take_while(|mv| line.play(**mv).is_ok());
    let count = legal.count();
    let whole = line.text();
    (1..)
        .zip(&moves[..count])
        .map(|(ply, mv)| {
            let place = Place {
                ply: Some(ply),
                ..place(game, whole.clone())
            };
            (game.format_move(*mv), place.link("/analysis"))
        })
        .collect()
}

fn proof_json(game: &AnyGame, ended: Option<&Ended>, positions: u64) -> serde_json::Value {
    match ended {
        None => json!({ "done": false, "positions": positions }),
        Some(Ended::Proved(proof)) => json!({
            "done": true,
            "verdict": proof.verdict().word(),
            // Counts may be beyond what a JSON number holds.
            "lines": proof.lines.to_string(),
            "wins": proof.wins.to_string(),
            "draws": proof.draws.to_string(),
            "losses": proof.losses.to_string(),
            "positions": proof.positions,
            "losing_line": proof.losing_line.as_deref().map(|moves| texts(game, moves)),
        }),
        Some(Ended::GivenUp) => json!({ "done": true, "verdict": "given-up" }),
        Some(Ended::NoAnswer(moves, reason)) => json!({
            "done": true, "verdict": "no-answer", "losing_line": texts(game, moves), "reason": reason,
        }),
        Some(Ended::Failed(reason)) => {
            json!({ "done": true, "verdict": "failed", "reason": reason })
        }
    }
}
