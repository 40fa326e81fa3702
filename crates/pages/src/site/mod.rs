//! The static site: answers addresses as the server does, with engines on the calling thread and games
//! that the browser keeps. The server's pages use it as well, for what an engine thinks about.
//!
//! A request comes with what the browser stores of its address, and an answer with what to store, so
//! that nothing here knows a database. Long work (reviews, proofs) is done in steps by [`Site::work`],
//! which the caller calls while it has nothing else to do.

mod kept;
mod live;
pub mod local_game;
mod long_work;
mod needed_files;
mod positions;
mod request;

use std::sync::Arc;
use std::time::Duration;

use papan_analysis::engine_cache::{AnalysisRequest, EngineCache, SEARCH_MEMORY_MIB};
use papan_catalog::trace::TracedRun;
use papan_catalog::{AnyGame, AnyLine, StrategySpec};
use papan_rules::Move;
use papan_strategies::{Clock, Decision, Limits, StopToken};
use papan_view::Drawing;
use serde::de::DeserializeOwned;

use crate::analysis;
use crate::automaton::{Automaton, BUILT_IN, GraphQuery};
use crate::downloads::{self, Download, PictureQuery};
use crate::error::{PageError, rejection_page};
use crate::form_defaults::FormDefaults;
use crate::games::{FreshGames, Games as _};
use crate::home::{self, StrategiesView};
use crate::layout::PageContext;
use crate::position_url::PositionUrl;
use crate::setup::{self, Edited};
use crate::strategy_policy::StrategyPolicy;
use crate::trace as trace_page;
use crate::{atlas, embed, laboratory, mine, puzzle_trainer, rules, studies};
use live::LiveSearch;
use local_game::LocalGame;
use long_work::{PendingProof, PendingReview};
pub use needed_files::NeededFiles;
pub use request::{Answer, Content, Request, Saved};

/// Time of a move, of a hint and of one analysed position, as on a server.
const SEARCH_TIME: Duration = Duration::from_secs(1);
/// Memory of all engines, in MiB. The memory of a module never shrinks.
const ENGINE_MEMORY_MIB: usize = 80;

/// The static site.
pub struct Site {
    context: PageContext,
    clock: Arc<dyn Clock>,
    engines: EngineCache,
    policy: StrategyPolicy,
    /// The last traced run: every step of it is a page.
    run: Option<(String, TracedRun)>,
    review: Option<PendingReview>,
    proof: Option<PendingProof>,
    live: Option<LiveSearch>,
    /// Stops the searches of the current call.
    stop: StopToken,
}

impl Site {
    /// Creates the site; a static one has [`PageContext::of_static_site`].
    #[must_use]
    pub fn new(context: PageContext, clock: Arc<dyn Clock>) -> Self {
        Self {
            context,
            engines: EngineCache::with_clock(ENGINE_MEMORY_MIB, Arc::clone(&clock)),
            clock,
            policy: StrategyPolicy {
                limits: limits(),
                programs: Arc::default(),
            },
            run: None,
            review: None,
            proof: None,
            live: None,
            stop: StopToken::default(),
        }
    }

    /// Makes the searches of the next calls stop with this token. A move or a step of a review that was
    /// stopped is not used, a page has the best answer so far.
    pub fn stopped_by(&mut self, stop: StopToken) {
        self.stop = stop;
    }

    /// Answers a request. An error is a page.
    pub fn respond(&mut self, request: &Request) -> Answer {
        let error = match self.route(request) {
            Ok(answer) => return answer,
            Err(error) => error,
        };
        let words = self.context.words;
        let (status, sentence) = match &error {
            PageError::NotFound => (404, words.text("web-not-found")),
            PageError::Unusable(sentence) => (422, sentence.clone()),
            PageError::TooLarge => (413, words.text("web-too-large")),
            PageError::Internal => (500, words.text("web-broken")),
        };
        if request.is_part {
            let problem = serde_json::json!({ "error": sentence });
            return Answer {
                status,
                ..Answer::ok(Content::Json(problem.to_string()))
            };
        }
        let html = rejection_page(&self.context, sentence, None, None);
        Answer {
            status,
            ..Answer::html(html.unwrap_or_default())
        }
    }

    fn route(&mut self, request: &Request) -> Result<Answer, PageError> {
        let context = self.context.clone();
        let words = context.words;
        let (path, query) = split(&request.address);
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        Ok(match (request.is_post, &parts[..]) {
            (false, []) => Answer::html(home::page(
                &context,
                &FreshGames,
                &self.policy.programs,
                &FormDefaults::from_form(&fields(query)?),
                None,
            )?),
            (false, ["rules"]) => Answer::html(rules::list(&context)?),
            (false, ["rules", game]) => Answer::html(rules::page(&context, game)?),
            (false, ["about"]) => Answer::html(rules::about(&context)?),
            (false, ["laboratory"]) => Answer::html(laboratory::page(&context)?),
            (false, ["lobby"]) => Answer::html(mine::people(&context)?),
            (false, ["analysis"]) => self.analysis(parse(query)?)?,
            (false, ["analysis", "setup"]) => {
                match setup::edit(&context, &FreshGames, parse(query)?)? {
                    Edited::Moved(address) => Answer::redirect(address),
                    Edited::Page { html, .. } => Answer::html(html),
                }
            }
            (false, ["analysis", "record"]) => text_file(downloads::record(
                &parse(query)?,
                &parse(query)?,
                &FreshGames,
                words,
            )?),
            (false, ["analysis", "board.svg"]) => {
                let (url, drawn): (PositionUrl, PictureQuery) = (parse(query)?, parse(query)?);
                let line = url.line_here(&FreshGames, words)?;
                let numbers = if drawn.has_numbers() {
                    self.evaluate(&*line, &url)?
                } else {
                    None
                };
                picture(match numbers {
                    Some(evaluation) => analysis::picture(words, &*line, &evaluation).svg(),
                    None => downloads::svg(&url, &drawn, &FreshGames, words)?,
                })
            }
            (false, ["trace", "step.svg"]) => {
                let (step, run) = self.run(query)?;
                let frame = trace_page::frame(&step, &run, words);
                self.run = Some((step.key(), run));
                svg("step.svg", &frame)
            }
            (false, ["automaton", "graph.svg"]) => {
                let graph: GraphQuery = parse(query)?;
                svg("graph.svg", &graph.draw(words)?)
            }
            (false, ["embed"]) => Answer::html(embed::page(&context, &FreshGames, parse(query)?)?),
            (false, ["review"]) => self.review(parse(query)?)?,
            (false, ["trace"]) => self.trace(query)?,
            (false, ["proof"]) => self.proof(&parse(query)?)?,
            (false, ["automaton"]) => {
                Answer::html(Automaton::parse(BUILT_IN, words)?.page(&context)?)
            }
            (true, ["automaton"]) => {
                let form = fields(&request.body)?;
                let table = form.iter().find(|(name, _)| name == "table");
                let table = table.map_or("", |(_, text)| text);
                Answer::html(Automaton::parse(table, words)?.page(&context)?)
            }
            (true, ["import"]) => self.import(parse(&request.body)?)?,
            (false, ["strategies"]) => {
                let url: PositionUrl = parse(query)?;
                let game = FreshGames.parse(&url.game, words)?;
                Answer::json(&StrategiesView::new(&game, &self.policy.programs))?
            }
            (is_post, ["puzzles", rest @ ..]) => self.puzzles(request, is_post, rest, query)?,
            (is_post, ["studies", rest @ ..]) => self.studies(request, is_post, rest)?,
            (false, ["atlas"]) => Answer::html(atlas::list(&context)?),
            (false, ["atlas", slug]) => {
                let board = atlas::find(slug).ok_or(PageError::NotFound)?;
                Answer::html(atlas::page(&context, board)?)
            }
            (false, ["me"]) => {
                let games: Vec<LocalGame> = stored(&request.saved)?;
                Answer::html(mine::page(&context, &games)?)
            }
            (true, ["games"]) => self.create(request)?,
            (is_post, ["games", _, rest @ ..]) => self.game(request, is_post, rest, query)?,
            _ => return Err(PageError::NotFound),
        })
    }

    fn decide(&mut self, request: &AnalysisRequest) -> Result<Decision, PageError> {
        let words = self.context.words;
        let decided = self.engines.decide(&AnalysisRequest {
            stop: self.stop.clone(),
            ..request.clone()
        });
        decided.map_err(|failure| PageError::Unusable(failure.text(words)))
    }

    /// Plays the move of the strategy to move. Returns `None` if there is none, or if it was stopped.
    ///
    /// # Errors
    /// If the game is invalid or the strategy has no answer.
    pub fn advance(&mut self, saved: &str, now: i64) -> Result<Option<LocalGame>, PageError> {
        let words = self.context.words;
        let saved_game: LocalGame = stored(saved)?;
        let game = saved_game.replay(&FreshGames, words)?;
        let Some(strategy) = game.strategy_to_move() else {
            return Ok(None);
        };
        let start = saved_game.start.clone();
        let mut request = analysis_request(game.line(), start, strategy.clone());
        request.stop = self.stop.clone();
        let chosen = self.engines.choose(&request);
        if self.stop.is_stopped() {
            return Ok(None);
        }
        let mv = chosen.map_err(|failure| PageError::Unusable(failure.text(words)))?;
        let text = game.line().game().format_move(mv);
        let changed = game.play(&text, words)?;
        Ok(Some(LocalGame {
            changed_at: now,
            ..changed
        }))
    }

    /// Returns the first moves that are proved to reach the value of a solved board.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn best_moves(&mut self, slug: &str) -> Result<(AnyGame, Vec<Move>), PageError> {
        let board = atlas::find(slug).ok_or(PageError::NotFound)?;
        let game = FreshGames.parse(&board.game, self.context.words)?;
        // It scores positions from the proof, where `perfect` only names a move.
        let engine = self.policy.parse(&game, "engine", self.context.words)?;
        let value = match board.value.as_str() {
            "first" => 1.0,
            "draw" => 0.0,
            _ => -1.0,
        };
        let mut moves = Vec::new();
        for mv in game.line().legal_moves() {
            let mut line = game.line();
            line.play(mv).map_err(|_| PageError::Internal)?;
            let decision = self.decide(&AnalysisRequest {
                limits: Limits {
                    nodes: Some(1000),
                    ..Limits::default()
                },
                ..analysis_request(&*line, None, engine.clone())
            })?;
            let score = decision.chosen().and_then(|chosen| chosen.score);
            if score.is_some_and(|score| score.is_proven() && -score.balance() >= value) {
                moves.push(mv);
            }
        }
        Ok((game, moves))
    }

    /// Does a step of the long work that pages wait for. Returns whether there is more.
    pub fn work(&mut self) -> bool {
        if let Some(proof) = self.proof.as_mut().filter(|proof| !proof.is_done()) {
            proof.run();
            return true;
        }
        match self.review.as_mut().filter(|review| !review.has_ended()) {
            Some(review) => {
                review.step(&mut self.engines, &self.stop);
                true
            }
            None => false,
        }
    }
}

fn limits() -> Limits {
    Limits {
        time: Some(SEARCH_TIME),
        memory: Some(SEARCH_MEMORY_MIB),
        ..Limits::default()
    }
}

/// Returns the request for the end of a line.
fn analysis_request(
    line: &dyn AnyLine,
    start: Option<String>,
    strategy: StrategySpec,
) -> AnalysisRequest {
    AnalysisRequest {
        game: line.game().name(),
        start,
        moves: line.moves().to_vec(),
        strategy,
        limits: limits(),
        seed: 0,
        stop: StopToken::default(),
    }
}

/// Splits an address into path and query.
fn split(address: &str) -> (&str, &str) {
    address.split_once('?').unwrap_or((address, ""))
}

fn parse<T: DeserializeOwned>(query: &str) -> Result<T, PageError> {
    serde_urlencoded::from_str(query).map_err(|error| PageError::Unusable(error.to_string()))
}

fn fields(form: &str) -> Result<Vec<(String, String)>, PageError> {
    parse(form)
}

/// Returns what a game's page is asked to show besides the board.
fn split_show(query: &str) -> Result<String, PageError> {
    let show = fields(query)?.into_iter().find(|(name, _)| name == "show");
    Ok(show.map_or_else(String::new, |(_, value)| value))
}

/// Parses a game that the browser stored or the visitor imported.
fn stored<T: DeserializeOwned>(json: &str) -> Result<T, PageError> {
    serde_json::from_str(json).map_err(|_| PageError::NotFound)
}

fn text_file(download: Download) -> Answer {
    Answer::ok(Content::File {
        name: download.name,
        media_type: "text/plain",
        text: download.text,
    })
}

fn svg(name: &str, drawing: &Drawing) -> Answer {
    Answer::ok(Content::File {
        name: name.into(),
        media_type: "image/svg+xml",
        text: drawing.svg(),
    })
}

fn picture(svg: String) -> Answer {
    Answer::ok(Content::File {
        name: "board.svg".into(),
        media_type: "image/svg+xml",
        text: svg,
    })
}
