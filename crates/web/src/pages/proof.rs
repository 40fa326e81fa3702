//! The page of a proof: never loses, or the game that beats it, step by step.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::{AnyGame, AnyLine};
use papan_solve::Verdict;
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, Marks, Messages, messages};
use serde::{Deserialize, Serialize};

use crate::analysis::proofs::{MOST_CELLS, ProofOutcome, ProofRequest, ProofSummary, Stage};
use crate::api::create_game::{game_named, strategy_named};
use crate::game::event::Side;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::pages::board_grid::{BoardGrid, Touch};
use crate::pages::layout::Layout;
use crate::pages::position_url::PositionUrl;
use crate::state::AppState;

#[derive(Template)]
#[template(path = "proof.html")]
struct ProofPage {
    layout: Layout,
    told: Told,
    /// The address of the page for slides.
    embed: String,
}

#[derive(Template)]
#[template(path = "embedded_proof.html")]
struct EmbeddedProofPage {
    layout: Layout,
    told: Told,
    /// The end of the game that beats the strategy, if there is one.
    board: Option<BoardGrid>,
    whole: String,
}

/// What a page says of a proof.
struct Told {
    thesis: String,
    verdict: String,
    lines: Vec<String>,
    waits: bool,
    /// The game that beats it: each move with the address of the position after it.
    steps: Vec<(String, String)>,
    start: String,
}

impl Told {
    /// With the positions of the game at a path.
    fn of(words: Messages, thesis: &ProofRequest, stage: &Stage, path: &str) -> Self {
        let (verdict, lines) = verdict(words, thesis, stage);
        Self {
            thesis: named(words, "web-thesis", thesis),
            verdict,
            lines,
            waits: !matches!(stage, Stage::Ended(_)),
            steps: steps(&thesis.game, stage.losing_moves(), path),
            start: place(&thesis.game, String::new()).link(path),
        }
    }
}

/// What shall be proved.
#[derive(Deserialize, Serialize)]
pub(crate) struct Asked {
    game: String,
    strategy: String,
    #[serde(rename = "as")]
    seat: Side,
}

impl Asked {
    /// The thesis, if it can be proved here.
    fn thesis(&self, app: &AppState, words: Messages) -> Result<ProofRequest, Rejection> {
        let game = game_named(app, &self.game, words)?;
        let strategy = strategy_named(&game, &self.strategy, app, words)?;
        if game.cells() > MOST_CELLS {
            let most = MOST_CELLS.to_string();
            let text = words.with("web-proof-too-large", [("most", most.into())]);
            return Err(Rejection::Unusable(text));
        }
        Ok(ProofRequest {
            game,
            strategy,
            player: self.seat.into(),
        })
    }

    /// The thesis, and how far its proof is.
    async fn answer(
        &self,
        app: &Arc<AppState>,
        client: &Client,
    ) -> Result<(ProofRequest, Stage), Rejection> {
        let thesis = self.thesis(app, client.words)?;
        if client.format == ResponseFormat::Page {
            app.study_rate(client.address)?;
        }
        let stage = app.proof(client.address, thesis.clone()).await?;
        Ok((thesis, stage))
    }

    /// Where the same is shown at a path.
    fn address(&self, path: &str) -> Result<String, Rejection> {
        let query = serde_urlencoded::to_string(self).map_err(|_| Rejection::Broken)?;
        Ok(format!("{path}?{query}"))
    }

    /// The layout of a page, which looks again until the proof has ended.
    fn layout(&self, client: &Client, path: &str, stage: &Stage) -> Result<Layout, Rejection> {
        let title = client.words.text("web-proof");
        let mut layout = Layout::new(client, title, self.address(path)?);
        layout.reload = (!matches!(stage, Stage::Ended(_))).then_some(2);
        Ok(layout)
    }
}

pub(crate) async fn proof(
    State(app): State<Arc<AppState>>,
    client: Client,
    Query(asked): Query<Asked>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let (thesis, stage) = asked.answer(&app, &client).await?;
    if client.format == ResponseFormat::Json {
        return Ok(Json(ProofTold::of(words, &stage)).into_response());
    }
    let page = ProofPage {
        layout: asked.layout(&client, "/proof", &stage)?,
        told: Told::of(words, &thesis, &stage, "/analysis"),
        embed: asked.address("/embed/proof")?,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

/// The same on its own, for slides and other sites' pages, with the game that beats
/// the strategy on a board.
pub(crate) async fn embedded(
    State(app): State<Arc<AppState>>,
    client: Client,
    Query(asked): Query<Asked>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let (thesis, stage) = asked.answer(&app, &client).await?;
    let look = DrawOptions {
        names: true,
        ..DrawOptions::default()
    };
    let beaten = losing_line(&thesis.game, stage.losing_moves());
    let view = BoardView::of(&*beaten);
    let board = (!beaten.moves().is_empty())
        .then(|| BoardGrid::new(&view, &look, words, |_, _| Touch::Nothing));
    let page = EmbeddedProofPage {
        layout: asked.layout(&client, "/embed/proof", &stage)?,
        told: Told::of(words, &thesis, &stage, "/embed"),
        board,
        whole: format!("{}{}", client.origin, asked.address("/proof")?),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

/// A sentence about a strategy, its seat and its game.
fn named(words: Messages, key: &str, thesis: &ProofRequest) -> String {
    let seat = messages::side(words, thesis.game.pieces(), thesis.player, Marks::default());
    words.with(
        key,
        [
            ("strategy", thesis.strategy.to_string().into()),
            ("seat", seat.into()),
            ("game", thesis.game.name().into()),
        ],
    )
}

/// The sentence that says how it stands, and what was counted.
fn verdict(words: Messages, thesis: &ProofRequest, stage: &Stage) -> (String, Vec<String>) {
    let ProofRequest { game, strategy, .. } = thesis;
    let plain = |text: String| (text, Vec::new());
    match stage {
        Stage::Waiting => plain(words.text("web-proof-waiting")),
        Stage::Running(positions) => {
            let positions = positions.to_string();
            plain(words.with("web-proof-running", [("positions", positions.into())]))
        }
        Stage::Ended(ProofOutcome::Proved(finding)) => {
            let key = match finding.never_loses {
                true => "prove-never-loses",
                false => "prove-can-lose",
            };
            (named(words, key, thesis), counts(words, finding))
        }
        Stage::Ended(ProofOutcome::GivenUp) => plain(words.text("web-proof-given-up")),
        Stage::Ended(ProofOutcome::NoAnswer(moves, fault)) => plain(words.with(
            "prove-no-answer",
            [
                ("strategy", strategy.to_string().into()),
                ("moves", moves.join(" ").into()),
                ("reason", fault.text(words).into()),
            ],
        )),
        Stage::Ended(ProofOutcome::TooLarge(most)) => plain(words.with(
            "prove-too-large",
            [
                ("game", game.name().into()),
                ("most", most.to_string().into()),
            ],
        )),
        Stage::Ended(ProofOutcome::TooManyLines) => plain(words.with(
            "prove-too-many-lines",
            [("game", thesis.game.name().into())],
        )),
        Stage::Ended(ProofOutcome::Nondeterministic) => plain(words.with(
            "prove-draws-lots",
            [("strategy", thesis.strategy.to_string().into())],
        )),
        Stage::Ended(ProofOutcome::Failed) => plain(words.text("web-broken")),
    }
}

fn counts(words: Messages, finding: &ProofSummary) -> Vec<String> {
    vec![
        words.with(
            "prove-counts",
            [
                ("lines", finding.lines.clone().into()),
                ("wins", finding.wins.clone().into()),
                ("draws", finding.draws.clone().into()),
                ("losses", finding.losses.clone().into()),
            ],
        ),
        words.with(
            "prove-size",
            [
                ("positions", finding.positions.to_string().into()),
                ("longest", finding.longest.to_string().into()),
            ],
        ),
    ]
}

fn place(game: &AnyGame, moves: String) -> PositionUrl {
    PositionUrl {
        game: game.name(),
        moves,
        ..PositionUrl::default()
    }
}

/// The game that beats a strategy, as far as it can be read.
fn losing_line(game: &AnyGame, moves: &[String]) -> Box<dyn AnyLine> {
    let mut line = game.line();
    for text in moves {
        let played = game.parse_move(text).map(|mv| line.play(mv).is_ok());
        if played != Ok(true) {
            break;
        }
    }
    line
}

/// The moves of a game, each with the address of the position after it.
fn steps(game: &AnyGame, moves: &[String], path: &str) -> Vec<(String, String)> {
    let line = losing_line(game, moves);
    let whole = line.text();
    let step = |(ply, &mv)| {
        let place = PositionUrl {
            ply: Some(ply),
            ..place(game, whole.clone())
        };
        (game.show_move(mv), place.link(path))
    };
    (1..).zip(line.moves()).map(step).collect()
}

/// How a proof stands, as JSON.
#[derive(Serialize)]
struct ProofTold<'a> {
    done: bool,
    #[serde(flatten)]
    found: Found<'a>,
}

/// What is known of it.
#[derive(Serialize)]
#[serde(untagged)]
enum Found<'a> {
    UnderWay {
        positions: u64,
    },
    Proved {
        verdict: &'static str,
        lines: &'a str,
        wins: &'a str,
        draws: &'a str,
        losses: &'a str,
        positions: u64,
        longest: usize,
        losing_line: Option<&'a [String]>,
    },
    NoAnswer {
        verdict: &'static str,
        losing_line: &'a [String],
        reason: String,
    },
    TooLarge {
        verdict: &'static str,
        most: usize,
    },
    Unproved {
        verdict: &'static str,
    },
}

impl<'a> ProofTold<'a> {
    fn of(words: Messages, stage: &'a Stage) -> Self {
        let found = match stage {
            Stage::Waiting => Found::UnderWay { positions: 0 },
            Stage::Running(positions) => Found::UnderWay {
                positions: *positions,
            },
            Stage::Ended(ended) => Found::of(words, ended),
        };
        Self {
            done: matches!(stage, Stage::Ended(_)),
            found,
        }
    }
}

impl<'a> Found<'a> {
    fn of(words: Messages, ended: &'a ProofOutcome) -> Self {
        match ended {
            ProofOutcome::Proved(finding) => Self::Proved {
                verdict: match finding.never_loses {
                    true => Verdict::NeverLoses.word(),
                    false => Verdict::CanLose.word(),
                },
                lines: &finding.lines,
                wins: &finding.wins,
                draws: &finding.draws,
                losses: &finding.losses,
                positions: finding.positions,
                longest: finding.longest,
                losing_line: finding.losing_line.as_deref(),
            },
            ProofOutcome::NoAnswer(moves, fault) => Self::NoAnswer {
                verdict: "no-answer",
                losing_line: moves,
                reason: fault.text(words),
            },
            ProofOutcome::TooLarge(most) => Self::TooLarge {
                verdict: "too-large",
                most: *most,
            },
            ProofOutcome::GivenUp => Self::unproved("given-up"),
            ProofOutcome::TooManyLines => Self::unproved("too-many-lines"),
            ProofOutcome::Nondeterministic => Self::unproved("draws-lots"),
            ProofOutcome::Failed => Self::unproved("failed"),
        }
    }

    fn unproved(verdict: &'static str) -> Self {
        Self::Unproved { verdict }
    }
}
