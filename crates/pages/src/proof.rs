//! The page of a proof: the strategy never loses, or the game that it loses.

use askama::Template;
use papan_analysis::proof_job::{ProofOutcome, ProofRequest, ProofSummary};
use papan_analysis::side::Side;
use papan_catalog::{AnyGame, AnyLine};
use papan_solve::Verdict;
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, Marks, Messages, messages};
use serde::{Deserialize, Serialize};

use crate::board_grid::{BoardGrid, CellAction};
use crate::embed::snippet;
use crate::error::PageError;
use crate::game_title::game_title;
use crate::games::Games;
use crate::layout::{Layout, PageContext};
use crate::position_url::PositionUrl;
use crate::strategy_field::with_parameters;
use crate::strategy_policy::StrategyPolicy;

/// Reload interval without scripts, in seconds.
const RELOAD_SECONDS: u32 = 2;

/// Largest board in cells; larger proofs are for `papan prove`.
pub const MAX_CELLS: usize = 16;

/// The state of a proof.
#[derive(Clone, Debug)]
pub enum ProofStage {
    /// It is queued.
    Waiting,
    /// It runs, with the number of positions searched.
    Running(u64),
    /// It is done.
    Done(ProofOutcome),
}

impl ProofStage {
    /// Returns whether it is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Done(_))
    }

    /// Returns the moves of the game that the strategy loses, or after which it has no answer.
    fn losing_moves(&self) -> &[String] {
        match self {
            Self::Done(ProofOutcome::Proved(summary)) => {
                summary.losing_line.as_deref().unwrap_or(&[])
            }
            Self::Done(ProofOutcome::NoAnswer(moves, _)) => moves,
            _ => &[],
        }
    }
}

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
pub struct ProofQuery {
    game: String,
    strategy: String,
    /// Parameters that are typed beside it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    parameters: String,
    #[serde(rename = "as")]
    seat: Side,
}

impl ProofQuery {
    /// Validates the query.
    ///
    /// # Errors
    /// If the game or the strategy is unknown, or the board is too large.
    pub fn request(
        &self,
        games: &dyn Games,
        policy: &StrategyPolicy,
        words: Messages,
    ) -> Result<ProofRequest, PageError> {
        let game = games.parse(&self.game, words)?;
        let strategy = with_parameters(&self.strategy, &self.parameters);
        let strategy = policy.parse(&game, &strategy, words)?;
        if game.cells() > MAX_CELLS {
            let most = MAX_CELLS.to_string();
            let text = words.with("web-proof-too-large", [("most", most.into())]);
            return Err(PageError::Unusable(text));
        }
        Ok(ProofRequest {
            game,
            strategy,
            player: self.seat.into(),
        })
    }

    /// Returns the URL of the same proof at another path.
    fn url(&self, path: &str) -> Result<String, PageError> {
        let query = serde_urlencoded::to_string(self).map_err(|_| PageError::Internal)?;
        Ok(format!("{path}?{query}"))
    }

    /// Returns the layout of a page, which reloads until the proof is done.
    fn layout(
        &self,
        context: &PageContext,
        path: &str,
        stage: &ProofStage,
    ) -> Result<Layout, PageError> {
        let title = context.words.text("web-proof");
        let mut layout = Layout::new(context, title, self.url(path)?);
        layout.reload = (!stage.is_done()).then_some(RELOAD_SECONDS);
        let board = PositionUrl {
            game: self.game.clone(),
            ..PositionUrl::default()
        };
        layout.picture = Some(board.link("/analysis/board.png"));
        Ok(layout)
    }
}

/// Renders the page.
///
/// # Errors
/// If the template fails.
pub fn page(
    context: &PageContext,
    query: &ProofQuery,
    request: &ProofRequest,
    stage: &ProofStage,
) -> Result<String, PageError> {
    let words = context.words;
    let framed = query.url("/embed/proof")?;
    let page = ProofPage {
        layout: query.layout(context, "/proof", stage)?,
        summary: ProofText::new(words, request, stage, "/analysis"),
        board: lost_board(words, request, stage),
        embed: context
            .embedding
            .then(|| snippet(&context.origin, &framed, &words.text("web-proof"))),
    };
    Ok(page.render()?)
}

/// Renders the proof for slides and frames, with the lost game on a board.
///
/// # Errors
/// If the template fails.
pub fn embedded(
    context: &PageContext,
    query: &ProofQuery,
    request: &ProofRequest,
    stage: &ProofStage,
) -> Result<String, PageError> {
    let words = context.words;
    let page = EmbeddedProofPage {
        layout: query.layout(context, "/embed/proof", stage)?,
        summary: ProofText::new(words, request, stage, "/embed"),
        board: lost_board(words, request, stage),
        whole: query.url("/proof")?,
    };
    Ok(page.render()?)
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
            ("game", game_title(words, &request.game.name()).into()),
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
pub struct ProofView<'a> {
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
    /// Creates the view.
    #[must_use]
    pub fn new(words: Messages, stage: &'a ProofStage) -> Self {
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
