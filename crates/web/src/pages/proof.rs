//! The page of a proof: the strategy never loses, or the game that it loses.

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::{AnyGame, AnyLine};
use papan_solve::Verdict;
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, Marks, Messages, messages};
use serde::{Deserialize, Serialize};

use crate::analysis::proof_job::{ProofOutcome, ProofRequest, ProofSummary};
use crate::analysis::proofs::{MAX_CELLS, ProofStage};
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::pages::board_grid::{BoardGrid, CellAction};
use crate::pages::embed::snippet;
use crate::pages::layout::Layout;
use crate::pages::position_url::PositionUrl;
use crate::side::Side;
use crate::state::AppState;

/// Reload interval without scripts, in seconds.
const RELOAD_SECONDS: u32 = 2;

#[derive(Template)]
#[template(path = "proof.html")]
struct ProofPage {
    layout: Layout,
    summary: ProofText,
    /// The final position of the lost game.
    board: Option<BoardGrid>,
    /// HTML that frames the proof in another site, where that is allowed.
    embed: Option<String>,
}

#[derive(Template)]
#[template(path = "embedded_proof.html")]
struct EmbeddedProofPage {
    layout: Layout,
    summary: ProofText,
    /// The final position of the lost game.
    board: Option<BoardGrid>,
    /// URL of the full page.
    whole: String,
}

/// The text of a proof's page.
struct ProofText {
    thesis: String,
    verdict: String,
    lines: Vec<String>,
    is_pending: bool,
    /// The moves of the lost game with the URLs of the positions after them.
    steps: Vec<(String, String)>,
    /// URL of its first position.
    start: String,
}

impl ProofText {
    /// Creates the text; positions of the lost game link to `path`.
    fn new(words: Messages, request: &ProofRequest, stage: &ProofStage, path: &str) -> Self {
        let (verdict, lines) = verdict(words, request, stage);
        Self {
            thesis: sentence(words, "web-thesis", request),
            verdict,
            lines,
            is_pending: !stage.is_done(),
            steps: steps(&request.game, stage.losing_moves(), path),
            start: position(&request.game, String::new()).link(path),
        }
    }
}

/// The query of a proof.
#[derive(Deserialize, Serialize)]
pub(crate) struct ProofQuery {
    game: String,
    strategy: String,
    #[serde(rename = "as")]
    seat: Side,
}

impl ProofQuery {
    /// Validates the query.
    fn request(&self, app: &AppState, words: Messages) -> Result<ProofRequest, Rejection> {
        let game = app.catalog.parse(&self.game, words)?;
        let strategy = app.strategies.parse(&game, &self.strategy, words)?;
        if game.cells() > MAX_CELLS {
            let most = MAX_CELLS.to_string();
            let text = words.with("web-proof-too-large", [("most", most.into())]);
            return Err(Rejection::Unusable(text));
        }
        Ok(ProofRequest {
            game,
            strategy,
            player: self.seat.into(),
        })
    }

    /// Returns the request and the state of its proof.
    async fn stage(
        &self,
        app: &AppState,
        client: &Client,
    ) -> Result<(ProofRequest, ProofStage), Rejection> {
        let request = self.request(app, client.words)?;
        if client.format == ResponseFormat::Page {
            app.analysis.take_token(client.address)?;
        }
        let stage = app.proofs.get(client.address, request.clone()).await?;
        Ok((request, stage))
    }

    /// Returns the URL of the same proof at another path.
    fn url(&self, path: &str) -> Result<String, Rejection> {
        let query = serde_urlencoded::to_string(self).map_err(|_| Rejection::Internal)?;
        Ok(format!("{path}?{query}"))
    }

    /// Returns the layout of a page, which reloads until the proof is done.
    fn layout(&self, client: &Client, path: &str, stage: &ProofStage) -> Result<Layout, Rejection> {
        let title = client.words.text("web-proof");
        let mut layout = Layout::new(client, title, self.url(path)?);
        layout.reload = (!stage.is_done()).then_some(RELOAD_SECONDS);
        Ok(layout)
    }
}

/// `GET /proof`.
pub(crate) async fn proof(
    State(app): State<AppState>,
    client: Client,
    Query(query): Query<ProofQuery>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let (request, stage) = query.stage(&app, &client).await?;
    if client.format == ResponseFormat::Json {
        return Ok(Json(ProofView::new(words, &stage)).into_response());
    }
    let framed = query.url("/embed/proof")?;
    let page = ProofPage {
        layout: query.layout(&client, "/proof", &stage)?,
        summary: ProofText::new(words, &request, &stage, "/analysis"),
        board: lost_board(words, &request, &stage),
        embed: app
            .settings
            .embedding
            .then(|| snippet(&client.origin, &framed, &words.text("web-proof"))),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}

/// `GET /embed/proof`: the proof for slides and frames, with the lost game on a board.
pub(crate) async fn embedded(
    State(app): State<AppState>,
    client: Client,
    Query(query): Query<ProofQuery>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let (request, stage) = query.stage(&app, &client).await?;
    let page = EmbeddedProofPage {
        layout: query.layout(&client, "/embed/proof", &stage)?,
        summary: ProofText::new(words, &request, &stage, "/embed"),
        board: lost_board(words, &request, &stage),
        whole: query.url("/proof")?,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}

/// Returns the board at the end of the lost game, if there is one.
fn lost_board(words: Messages, request: &ProofRequest, stage: &ProofStage) -> Option<BoardGrid> {
    let lost_game = losing_line(&request.game, stage.losing_moves());
    let options = DrawOptions {
        names: true,
        ..DrawOptions::default()
    };
    let view = BoardView::of(&*lost_game);
    (!lost_game.moves().is_empty())
        .then(|| BoardGrid::new(&view, &options, words, |_, _| CellAction::None))
}

/// Returns a sentence about the strategy, its seat and the game.
fn sentence(words: Messages, key: &str, request: &ProofRequest) -> String {
    let pieces = request.game.pieces();
    let seat = messages::side(words, pieces, request.player, Marks::default());
    words.with(
        key,
        [
            ("strategy", request.strategy.to_string().into()),
            ("seat", seat.into()),
            ("game", request.game.name().into()),
        ],
    )
}

/// Returns the verdict as a sentence, and the counts.
fn verdict(words: Messages, request: &ProofRequest, stage: &ProofStage) -> (String, Vec<String>) {
    let (game, strategy) = (request.game.name(), request.strategy.to_string());
    let outcome = match stage {
        ProofStage::Waiting => return (words.text("web-proof-waiting"), Vec::new()),
        ProofStage::Running(positions) => {
            let positions = [("positions", positions.to_string().into())];
            return (words.with("web-proof-running", positions), Vec::new());
        }
        ProofStage::Done(outcome) => outcome,
    };
    let text = match outcome {
        ProofOutcome::Proved(summary) => {
            let key = if summary.never_loses {
                "prove-never-loses"
            } else {
                "prove-can-lose"
            };
            return (sentence(words, key, request), counts(words, summary));
        }
        ProofOutcome::GivenUp => words.text("web-proof-given-up"),
        ProofOutcome::NoAnswer(moves, failure) => words.with(
            "prove-no-answer",
            [
                ("strategy", strategy.into()),
                ("moves", moves.join(" ").into()),
                ("reason", failure.text(words).into()),
            ],
        ),
        ProofOutcome::TooLarge(limit) => words.with(
            "prove-too-large",
            [("game", game.into()), ("most", limit.to_string().into())],
        ),
        ProofOutcome::TooManyLines => words.with("prove-too-many-lines", [("game", game.into())]),
        ProofOutcome::Nondeterministic => {
            words.with("prove-nondeterministic", [("strategy", strategy.into())])
        }
        ProofOutcome::Failed => words.text("web-broken"),
    };
    (text, Vec::new())
}

fn counts(words: Messages, summary: &ProofSummary) -> Vec<String> {
    vec![
        words.with(
            "prove-counts",
            [
                ("lines", summary.lines.clone().into()),
                ("wins", summary.wins.clone().into()),
                ("draws", summary.draws.clone().into()),
                ("losses", summary.losses.clone().into()),
            ],
        ),
        words.with(
            "prove-size",
            [
                ("positions", summary.positions.to_string().into()),
                ("longest", summary.longest.to_string().into()),
            ],
        ),
    ]
}

fn position(game: &AnyGame, moves: String) -> PositionUrl {
    PositionUrl {
        game: game.name(),
        moves,
        ..PositionUrl::default()
    }
}

/// Replays the lost game as far as its moves can be parsed.
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

/// Returns the moves of the lost game with the URLs of the positions after them.
fn steps(game: &AnyGame, moves: &[String], path: &str) -> Vec<(String, String)> {
    let line = losing_line(game, moves);
    let text = line.text();
    let step = |(ply, &mv)| {
        let url = PositionUrl {
            ply: Some(ply),
            ..position(game, text.clone())
        };
        (game.show_move(mv), url.link(path))
    };
    (1..).zip(line.moves()).map(step).collect()
}

/// The state of a proof as JSON.
#[derive(Serialize)]
struct ProofView<'a> {
    done: bool,
    #[serde(flatten)]
    fields: ProofFields<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ProofFields<'a> {
    Pending {
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

impl<'a> ProofView<'a> {
    fn new(words: Messages, stage: &'a ProofStage) -> Self {
        let fields = match stage {
            ProofStage::Waiting => ProofFields::Pending { positions: 0 },
            ProofStage::Running(positions) => ProofFields::Pending {
                positions: *positions,
            },
            ProofStage::Done(outcome) => ProofFields::new(words, outcome),
        };
        Self {
            done: stage.is_done(),
            fields,
        }
    }
}

impl<'a> ProofFields<'a> {
    fn new(words: Messages, outcome: &'a ProofOutcome) -> Self {
        match outcome {
            ProofOutcome::Proved(summary) => Self::Proved {
                verdict: if summary.never_loses {
                    Verdict::NeverLoses.word()
                } else {
                    Verdict::CanLose.word()
                },
                lines: &summary.lines,
                wins: &summary.wins,
                draws: &summary.draws,
                losses: &summary.losses,
                positions: summary.positions,
                longest: summary.longest,
                losing_line: summary.losing_line.as_deref(),
            },
            ProofOutcome::NoAnswer(moves, failure) => Self::NoAnswer {
                verdict: "no-answer",
                losing_line: moves,
                reason: failure.text(words),
            },
            ProofOutcome::TooLarge(limit) => Self::TooLarge {
                verdict: "too-large",
                most: *limit,
            },
            ProofOutcome::GivenUp => Self::unproved("given-up"),
            ProofOutcome::TooManyLines => Self::unproved("too-many-lines"),
            ProofOutcome::Nondeterministic => Self::unproved("nondeterministic"),
            ProofOutcome::Failed => Self::unproved("failed"),
        }
    }

    fn unproved(verdict: &'static str) -> Self {
        Self::Unproved { verdict }
    }
}
