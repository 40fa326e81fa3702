//! Analysis: any position of any game, at an address of its own. Walk, branch,
//! and see what a strategy thinks of every move.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::{AnyLine, StrategySpec, advisor};
use papan_rules::{Move, Player};
use papan_strategies::Decision;
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, Marks, Messages, messages};
use serde::Serialize;

use crate::analysis::engine_cache::AnalysisRequest;
use crate::api::create_game::strategy_named;
use crate::game::event::Side;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::pages::board_grid::{BoardGrid, Touch};
use crate::pages::evaluation_bar::bar;
use crate::pages::game::{game_title, result};
use crate::pages::home::{StrategyChoice, strategy_choices};
use crate::pages::layout::Layout;
use crate::pages::overlay::{self, Reasons};
use crate::pages::position_url::PositionUrl;
use crate::pages::variations::{Other, Variations};
use crate::state::AppState;

#[derive(Template)]
#[template(path = "analysis.html")]
struct AnalysisPage {
    layout: Layout,
    view: AnalysisView,
    board: BoardGrid,
}

struct AnalysisView {
    words: Messages,
    heading: String,
    status: String,
    counts: Option<String>,
    place: PositionUrl,
    choices: Vec<StrategyChoice>,
    /// Shows every move's score; none where nothing can be played.
    scores: Option<String>,
    without: Option<String>,
    /// Why there are no scores although they were asked for.
    excuse: Option<String>,
    opinion: Option<String>,
    reasons: Reasons,
    /// Who is ahead, as a bar.
    bar: Option<String>,
    pass: Option<String>,
    walk: Vec<Step>,
    /// Text, link, whether it is the one that is looked at.
    moves: Vec<(String, String, bool)>,
    others: Vec<Other>,
    alone: String,
    /// Where a game may go on from here: the position, whose turn it is, and whom
    /// to play; none where it is over.
    play: Option<(String, Player, String)>,
    setup: String,
    review: Option<String>,
    embed: String,
    svg: String,
    png: String,
    record: String,
}

/// A step of walking: where one can go it has an address.
pub(crate) struct Step {
    pub(crate) sign: &'static str,
    pub(crate) label: String,
    /// What the link is to the page: `prev` and `next` are also keys.
    pub(crate) relation: &'static str,
    pub(crate) link: Option<String>,
}

impl AnalysisView {
    fn t(&self, key: &str) -> String {
        self.words.text(key)
    }
}

pub(crate) async fn analysis(
    State(app): State<Arc<AppState>>,
    client: Client,
    Query(place): Query<PositionUrl>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let turn = app.turn_for_a_page().await;
    let lines = Variations::of(place, &app, words)?;
    drop(turn);
    let (line, place) = (lines.here(), lines.place());
    let game = line.game();
    let asked = place.strategy.as_deref().unwrap_or("").trim();
    let asked = match asked {
        "" => None,
        _ if line.outcome().is_some() && client.format == ResponseFormat::Page => None,
        strategy => Some(opinion(&app, &client, &place, &*line, strategy).await),
    };
    let (decision, excuse) = match asked {
        None => (None, None),
        Some(Ok(decision)) => (Some(decision), None),
        // Whoever walks faster than the engine thinks still walks.
        Some(Err(Rejection::Busy | Rejection::TooMany { .. }))
            if client.format == ResponseFormat::Page =>
        {
            (None, Some(words.text("web-busy")))
        }
        Some(Err(rejection)) => return Err(rejection),
    };
    if client.format == ResponseFormat::Json {
        return Ok(Json(Analysed::of(&*line, decision.as_ref())).into_response());
    }
    let _turn = app.turn_for_a_page().await;
    let look = DrawOptions {
        legal: true,
        names: true,
        overlays: decision.as_ref().map_or_else(Vec::new, |(_, decision)| {
            overlay::overlays(words, &*line, decision)
        }),
        ..DrawOptions::default()
    };
    let after = |mv: Move| lines.after(mv).map(|place| place.link("/analysis"));
    let view = BoardView::of(&*line);
    let board = BoardGrid::new(&view, &look, words, |index, cell| {
        match after(Move::on(index)).filter(|_| cell.legal) {
            Some(link) => Touch::Go(link),
            None => Touch::Nothing,
        }
    });
    let passes = line.legal_moves().contains(&Move::PASS);
    let (reasons, opinion) = match &decision {
        None => (Reasons::default(), None),
        Some((spec, decision)) => (
            overlay::reasons(words, &*line, decision),
            Some(words.with(
                "web-opinion",
                [
                    ("strategy", spec.to_string().into()),
                    ("move", game.show_move(decision.best).into()),
                    ("nodes", messages::count(decision.nodes).into()),
                ],
            )),
        ),
    };
    let silent = PositionUrl {
        strategy: None,
        ..place.clone()
    };
    let plain = PositionUrl {
        others: None,
        ..silent.clone()
    };
    let setup = PositionUrl {
        game: game.name(),
        start: Some(line.position_text()),
        ..PositionUrl::default()
    };
    let scores = PositionUrl {
        strategy: Some(advisor(&game).to_string()),
        ..place.clone()
    };
    let heading = game_title(words, &game.name());
    let title = format!("{}: {heading}", words.text("web-analysis"));
    let page = AnalysisPage {
        layout: Layout::new(&client, title, place.link("/analysis")),
        view: AnalysisView {
            words,
            heading,
            status: status(words, &view),
            counts: counts(words, &view),
            choices: strategy_choices(words, ""),
            scores: (line.outcome().is_none() && decision.is_none())
                .then(|| scores.link("/analysis")),
            without: place.strategy.is_some().then(|| silent.link("/analysis")),
            excuse,
            opinion,
            reasons,
            bar: decision.as_ref().and_then(|(_, decision)| {
                let score = decision.chosen()?.score?;
                Some(bar(words, &game, line.turn(), score))
            }),
            pass: passes.then(|| after(Move::PASS)).flatten(),
            walk: walk(words, &lines, "/analysis"),
            moves: moves(&lines),
            others: lines.others(),
            alone: PositionUrl {
                others: None,
                ..place.clone()
            }
            .link("/analysis"),
            play: line.outcome().is_none().then(|| {
                let opponent = advisor(&game).to_string();
                (line.position_text(), line.turn(), opponent)
            }),
            setup: setup.link("/analysis/setup"),
            review: (!lines.line().moves().is_empty()).then(|| {
                let whole = PositionUrl {
                    ply: None,
                    ..plain.clone()
                };
                whole.link("/review")
            }),
            embed: plain.link("/embed"),
            svg: plain.link("/analysis/board.svg"),
            png: plain.link("/analysis/board.png"),
            record: plain.link("/analysis/record"),
            place,
        },
        board,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

/// What a strategy thinks of a position.
async fn opinion(
    app: &Arc<AppState>,
    client: &Client,
    place: &PositionUrl,
    line: &dyn AnyLine,
    strategy: &str,
) -> Result<(StrategySpec, Arc<Decision>), Rejection> {
    let spec = strategy_named(&line.game(), strategy, app, client.words)?;
    let question = AnalysisRequest {
        game: line.game().name(),
        start: place.start.clone(),
        moves: line.moves().to_vec(),
        strategy: spec.clone(),
        limits: app.study_limits(),
        seed: 0,
    };
    let decision = app.opinion(client.address, question).await?;
    Ok((spec, decision))
}

/// Every move of the line with the address of the position after it.
fn moves(lines: &Variations) -> Vec<(String, String, bool)> {
    let game = lines.line().game();
    (1..)
        .zip(lines.line().moves())
        .map(|(ply, mv)| {
            let link = lines.at(ply).link("/analysis");
            (game.show_move(*mv), link, ply == lines.ply())
        })
        .collect()
}

/// Steps along the line on a page.
pub(crate) fn walk(words: Messages, lines: &Variations, page: &str) -> Vec<Step> {
    let (at, last) = (lines.ply(), lines.line().moves().len());
    let step = |sign, key: &str, relation, to: Option<usize>| Step {
        sign,
        label: words.text(key),
        relation,
        link: to.map(|ply| lines.at(ply).link(page)),
    };
    vec![
        step("«", "web-walk-start", "first", (at > 0).then_some(0)),
        step("‹", "web-walk-back", "prev", at.checked_sub(1)),
        step("›", "web-walk-on", "next", (at < last).then_some(at + 1)),
        step("»", "web-walk-end", "last", (at < last).then_some(last)),
    ]
}

/// Whose turn it is, or how it ended.
pub(crate) fn status(words: Messages, view: &BoardView) -> String {
    let side = messages::side(words, view.pieces, view.turn, Marks::default());
    match view.outcome {
        None => words.with("web-their-turn", [("side", side.into())]),
        Some(outcome) => result(words, view, outcome),
    }
}

/// The pieces of both, where their number matters.
pub(crate) fn counts(words: Messages, view: &BoardView) -> Option<String> {
    view.properties.score_unit.is_discs().then(|| {
        let counts = Player::BOTH.map(|player| {
            let side = messages::side(words, view.pieces, player, Marks::default());
            format!("{side} {}", view.counts[player.index()])
        });
        counts.join(" · ")
    })
}

/// A position, and what a strategy thinks of it, as JSON.
#[derive(Serialize)]
struct Analysed {
    game: String,
    moves: Vec<String>,
    position: String,
    turn: Side,
    legal: Vec<String>,
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<papan_view::json::Decision>,
}

impl Analysed {
    fn of(line: &dyn AnyLine, decision: Option<&(StrategySpec, Arc<Decision>)>) -> Self {
        let game = line.game();
        let texts = |moves: &[Move]| moves.iter().map(|mv| game.format_move(*mv)).collect();
        Self {
            moves: texts(line.moves()),
            position: line.position_text(),
            turn: line.turn().into(),
            legal: texts(&line.legal_moves()),
            result: line.outcome().map(|outcome| match outcome.winner() {
                Some(winner) => winner.to_string(),
                None => "draw".into(),
            }),
            strategy: decision.map(|(spec, _)| spec.to_string()),
            decision: decision
                .map(|(_, decision)| papan_view::json::Decision::new(&game, decision)),
            game: game.name(),
        }
    }
}
