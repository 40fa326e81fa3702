//! Analysis: any position of any game, at an address of its own. Walk, branch,
//! and see what a strategy thinks of every move.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::{AnyLine, StrategySpec, advisor};
use papan_rules::Move;
use papan_strategies::Decision;
use papan_view::svg_board::Look;
use papan_view::{BoardView, Marks, Words, wording};
use serde_json::json;

use crate::board::{Board, Touch};
use crate::creation::playable;
use crate::games::study_rate;
use crate::hub::Hub;
use crate::overlay::{self, Reason};
use crate::page::Frame;
use crate::pages::game::game_title;
use crate::pages::home::{StrategyChoice, strategy_choices};
use crate::place::Place;
use crate::refusal::Refusal;
use crate::seats::Question;
use crate::visitor::{Form, Visitor};

#[derive(Template)]
#[template(path = "analysis.html")]
struct AnalysisPage {
    frame: Frame,
    view: AnalysisView,
    board: Board,
}

struct AnalysisView {
    words: Words,
    heading: String,
    status: String,
    place: Place,
    position: String,
    choices: Vec<StrategyChoice>,
    typed_strategy: String,
    scores: String,
    without: Option<String>,
    asked: Option<String>,
    reasons: Vec<Reason>,
    pass: Option<String>,
    /// Text, link, whether it is the last.
    moves: Vec<(String, String, bool)>,
    start_link: String,
    back_link: Option<String>,
    review: String,
    svg: String,
    png: String,
    record: String,
    play: bool,
}

impl AnalysisView {
    fn t(&self, key: &str) -> String {
        self.words.text(key)
    }
}

pub(crate) async fn analysis(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Query(mut place): Query<Place>,
) -> Result<Response, Refusal> {
    let words = visitor.words;
    let line = place.line(&hub, words)?;
    let game = line.game();
    place.game = game.name();
    place.moves = line.text();
    let asked = place
        .strategy
        .clone()
        .filter(|text| !text.trim().is_empty());
    let decision = match &asked {
        None => None,
        Some(text) => Some(opinion(&hub, &visitor, &place, &*line, text).await?),
    };
    if visitor.form == Form::Json {
        return Ok(Json(place_json(&*line, decision.as_ref())).into_response());
    }
    let look = Look {
        legal: true,
        names: true,
        overlays: decision
            .as_ref()
            .map_or_else(Vec::new, |(_, decision)| overlay::overlays(&game, decision)),
        ..Look::default()
    };
    let after = |mv: Move| {
        let mut next = line.clone_line();
        next.play(mv).ok()?;
        Some(place.with_moves(next.text()).link("/analysis"))
    };
    let view = BoardView::of(&*line);
    let board = Board::new(&view, &look, words, |index, cell| {
        match after(Move::on(index)).filter(|_| cell.legal) {
            Some(link) => Touch::Go(link),
            None => Touch::Nothing,
        }
    });
    let pass = line
        .legal_moves()
        .contains(&Move::PASS)
        .then(|| after(Move::PASS))
        .flatten();
    let plain = Place {
        strategy: None,
        ..place.clone()
    };
    let (reasons, asked) = match &decision {
        None => (Vec::new(), None),
        Some((spec, decision)) => (
            overlay::reasons(words, &game, decision),
            Some(words.with(
                "web-opinion",
                [
                    ("strategy", spec.to_string().into()),
                    ("move", game.format_move(decision.best).into()),
                    ("nodes", decision.nodes.to_string().into()),
                ],
            )),
        ),
    };
    let steps = steps(&place, &*line);
    let back_link = match steps.len() {
        0 => None,
        1 => Some(place.with_moves(String::new()).link("/analysis")),
        n => Some(steps[n - 2].1.clone()),
    };
    let heading = game_title(words, &game.name());
    let page = AnalysisPage {
        frame: Frame::new(
            &visitor,
            format!("{}: {heading}", words.text("web-analysis")),
            place.link("/analysis"),
        ),
        view: AnalysisView {
            words,
            heading,
            status: status(words, &*line),
            position: line.position_text(),
            choices: strategy_choices(words, ""),
            typed_strategy: place.strategy.clone().unwrap_or_default(),
            scores: Place {
                strategy: Some(advisor(&game).to_string()),
                ..place.clone()
            }
            .link("/analysis"),
            without: decision.is_some().then(|| plain.link("/analysis")),
            asked,
            reasons,
            pass,
            start_link: place.with_moves(String::new()).link("/analysis"),
            back_link,
            moves: steps,
            review: plain.link("/review"),
            svg: plain.link("/analysis/board.svg"),
            png: plain.link("/analysis/board.png"),
            record: plain.link("/analysis/record"),
            play: line.outcome().is_none(),
            place,
        },
        board,
    };
    Ok(Html(page.render().map_err(|_| Refusal::Broken)?).into_response())
}

/// What a strategy thinks of a position.
async fn opinion(
    hub: &Arc<Hub>,
    visitor: &Visitor,
    place: &Place,
    line: &dyn AnyLine,
    strategy: &str,
) -> Result<(StrategySpec, Decision), Refusal> {
    let spec: StrategySpec = strategy
        .parse()
        .map_err(|error: papan_catalog::PlayerError| Refusal::Unusable(error.to_string()))?;
    playable(&line.game(), &spec, hub, visitor.words)?;
    study_rate(hub, visitor)?;
    let question = Question {
        game: line.game().name(),
        start: place.start.clone(),
        moves: line.moves().to_vec(),
        strategy: spec.clone(),
        limits: hub.study_limits(),
        seed: 0,
    };
    let decision = hub.ask(visitor.address, question).await?;
    Ok((spec, decision))
}

/// Every move so far with the address of the position after it.
fn steps(place: &Place, line: &dyn AnyLine) -> Vec<(String, String, bool)> {
    let game = line.game();
    let moves = line.moves();
    let mut walked = line.clone_line();
    let mut steps = Vec::with_capacity(moves.len());
    while let Some(mv) = walked.moves().last().copied() {
        let link = place.with_moves(walked.text()).link("/analysis");
        steps.push((game.format_move(mv), link, steps.is_empty()));
        walked.undo();
    }
    steps.reverse();
    steps
}

fn status(words: Words, line: &dyn AnyLine) -> String {
    let side = |player| wording::side(words, line.game().pieces(), player, Marks::default());
    match line.outcome() {
        None => words.with("web-their-turn", [("side", side(line.turn()).into())]),
        Some(outcome) => match outcome.winner() {
            Some(winner) => words.with("side-wins", [("side", side(winner).into())]),
            None => words.text("web-draw"),
        },
    }
}

fn place_json(
    line: &dyn AnyLine,
    decision: Option<&(StrategySpec, Decision)>,
) -> serde_json::Value {
    let game = line.game();
    let text = |mv: &Move| game.format_move(*mv);
    let mut body = json!({
        "game": game.name(),
        "moves": line.moves().iter().map(text).collect::<Vec<_>>(),
        "position": line.position_text(),
        "turn": line.turn().to_string(),
        "legal": line.legal_moves().iter().map(text).collect::<Vec<_>>(),
        "result": line.outcome().map(|outcome| match outcome.winner() {
            Some(winner) => winner.to_string(),
            None => "draw".into(),
        }),
    });
    if let Some((spec, decision)) = decision {
        body["strategy"] = json!(spec.to_string());
        body["decision"] = overlay::decision_json(&game, decision);
    }
    body
}
