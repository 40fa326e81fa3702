//! Analysis: any position of any game, at an address of its own. Walk, branch,
//! and see what a strategy thinks of every move.

use std::fmt::Write;
use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_catalog::{AnyGame, AnyLine, StrategySpec, advisor};
use papan_rules::{Move, Record};
use papan_strategies::{Decision, Score, Value};
use papan_view::svg_board::{self, Look};
use papan_view::{BoardView, Marks, Words, wording};
use serde::Deserialize;
use serde_json::json;

use crate::board::{Board, Touch};
use crate::body::Sent;
use crate::creation::{game_named, strategy_named};
use crate::games::study_rate;
use crate::hub::Hub;
use crate::overlay::{self, Reason};
use crate::page::Frame;
use crate::pages::game::game_title;
use crate::pages::home::{StrategyChoice, strategy_choices};
use crate::refusal::Refusal;
use crate::seats::Question;
use crate::visitor::{Form, Visitor};

/// A place in a game, as an address has it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Place {
    #[serde(default)]
    pub(crate) game: String,
    pub(crate) start: Option<String>,
    #[serde(default)]
    pub(crate) moves: String,
    /// Who shall say what they think.
    pub(crate) strategy: Option<String>,
}

/// The longest line of play that is looked at.
const LONGEST: usize = 4000;

impl Place {
    /// The address of this place on a page.
    pub(crate) fn link(&self, path: &str) -> String {
        let mut link = format!("{path}?game={}", encoded(&self.game));
        let fields = [
            ("start", self.start.as_deref()),
            ("moves", Some(self.moves.as_str())),
            ("strategy", self.strategy.as_deref()),
        ];
        for (name, value) in fields {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                let _ = write!(link, "&{name}={}", encoded(value));
            }
        }
        link
    }

    fn with_moves(&self, moves: String) -> Self {
        Self {
            moves,
            ..self.clone()
        }
    }

    /// The line of play that leads here.
    pub(crate) fn line(&self, hub: &Hub, words: Words) -> Result<Box<dyn AnyLine>, Refusal> {
        if self.moves.len() > LONGEST {
            return Err(Refusal::TooLarge);
        }
        let name = if self.game.is_empty() {
            "tictactoe"
        } else {
            &self.game
        };
        let game = game_named(hub, name, words)?;
        let mut line = match self
            .start
            .as_deref()
            .filter(|start| !start.trim().is_empty())
        {
            None => game.line(),
            Some(start) => {
                let line = game.line_from(start);
                line.map_err(|error| Refusal::Unusable(wording::position(words, &error)))?
            }
        };
        if let Err(error) = line.extend(&self.moves) {
            return Err(Refusal::Unusable(wording::line(words, &*line, &error)));
        }
        Ok(line)
    }
}

/// A value inside an address.
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b':' => {
                encoded.push(char::from(byte));
            }
            b' ' => encoded.push('+'),
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

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
        overlays: decision.as_ref().map_or_else(Vec::new, |(_, decision)| {
            overlay::overlays(words, &game, decision)
        }),
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
    let spec = strategy_named(&line.game(), strategy, hub, visitor.words)?;
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
        body["decision"] = decision_json(&game, decision);
    }
    body
}

/// A decision with its reasons, as JSON.
pub(crate) fn decision_json(game: &AnyGame, decision: &Decision) -> serde_json::Value {
    let score = |score: Score| match score {
        Score::Proven { value, plies } => {
            json!({ "kind": "proven", "value": value, "plies": plies })
        }
        Score::AtMost(value) => json!({ "kind": "at-most", "value": value }),
        Score::AtLeast(value) => json!({ "kind": "at-least", "value": value }),
        Score::Estimate(value) => json!({ "kind": "estimate", "value": value }),
    };
    let value = |value: &Value| match value {
        Value::Number(number) => json!(number),
        Value::Infinite { times, plus } => json!({ "infinite": times, "plus": plus }),
        Value::Real(real) => json!(real),
        Value::Rule(rule) => json!(rule),
        Value::Text(text) => json!(text),
    };
    let candidates: Vec<_> = decision
        .candidates
        .iter()
        .map(|candidate| {
            json!({
                "move": game.format_move(candidate.mv),
                "score": candidate.score.map(score),
                "pv": candidate.pv.iter().map(|mv| game.format_move(*mv)).collect::<Vec<_>>(),
                "terms": candidate.terms.iter().map(|term| json!({
                    "name": term.name, "value": value(&term.value), "decides": term.decides,
                })).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "move": game.format_move(decision.best),
        "nodes": decision.nodes,
        "candidates": candidates,
    })
}

pub(crate) async fn picture(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Query(place): Query<Place>,
) -> Result<Response, Refusal> {
    let line = place.line(&hub, visitor.words)?;
    let title = game_title(visitor.words, &line.game().name());
    let svg = svg_board::draw(&BoardView::of(&*line), &Look::default(), &title);
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

pub(crate) async fn record(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Query(place): Query<Place>,
) -> Result<Response, Refusal> {
    let line = place.line(&hub, visitor.words)?;
    let record = line.record(["human".into(), "human".into()]);
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"game.papan\"",
        ),
    ];
    Ok((headers, record.to_string()).into_response())
}

#[derive(Deserialize)]
struct Import {
    #[serde(default)]
    game: String,
    text: String,
}

/// Takes a record or a list of moves, and leads to it.
pub(crate) async fn import(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    sent: Sent,
) -> Result<Response, Refusal> {
    let import: Import = sent.read()?;
    let text = import.text.trim();
    let place = if text.starts_with("papan ") {
        let words = visitor.words;
        let broken = |game: Option<&AnyGame>, error: papan_rules::RecordError| {
            Refusal::Unusable(wording::record(words, game, &error))
        };
        let record = Record::parse(text).map_err(|error| broken(None, error))?;
        let game = game_named(&hub, &record.game, words)?;
        let line = game
            .line_of(&record)
            .map_err(|error| broken(Some(&game), error))?;
        Place {
            game: game.name(),
            moves: line.text(),
            start: record.start,
            strategy: None,
        }
    } else {
        Place {
            game: import.game,
            moves: text.into(),
            ..Place::default()
        }
    };
    place.line(&hub, visitor.words)?;
    Ok(Redirect::to(&place.link("/analysis")).into_response())
}
