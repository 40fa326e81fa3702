//! The static site: answers addresses as the server does, with engines on the calling thread and games
//! that the browser keeps. The server's pages use it as well, for what an engine thinks about.
//!
//! A request comes with what the browser stores of its address, and an answer with what to store, so
//! that nothing here knows a database. Long work (reviews, proofs) is done in steps by [`Site::work`],
//! which the caller calls while it has nothing else to do.

mod kept;
pub mod local_game;
mod long_work;
mod request;

use std::sync::Arc;
use std::time::Duration;

use papan_analysis::engine_cache::{AnalysisRequest, EngineCache, SEARCH_MEMORY_MIB};
use papan_catalog::trace::{TracedRun, trace};
use papan_catalog::{AnyGame, AnyLine, StrategySpec, advisor};
use papan_rules::Move;
use papan_strategies::{Clock, Decision, Limits, Score, StopToken};
use papan_view::{BoardView, Drawing, messages};
use serde::de::DeserializeOwned;

use crate::analysis::{self, Evaluation, FailedImport, Notices};
use crate::automaton::{Automaton, BUILT_IN, GraphQuery};
use crate::downloads::{self, Download, PictureQuery};
use crate::error::{PageError, rejection_page};
use crate::form_defaults::FormDefaults;
use crate::game_study::{StudyAnswer, StudyRequest};
use crate::games::{FreshGames, Games as _};
use crate::home::{self, StrategiesView};
use crate::layout::PageContext;
use crate::live_update::LiveAnalysis;
use crate::position_url::PositionUrl;
use crate::proof::{self, ProofQuery};
use crate::review::{self, ReviewRequest};
use crate::setup::{self, Edited};
use crate::strategy_policy::StrategyPolicy;
use crate::trace::{self as trace_page, StepRequest};
use crate::variations::Variations;
use crate::{atlas, embed, import, laboratory, mine, puzzle_trainer, rules, studies};
use local_game::LocalGame;
use long_work::{PendingProof, PendingReview};
pub use request::{Answer, Content, NeededFiles, Request, Saved};

/// Time of a move, of a hint and of one analysed position, as on a server.
const SEARCH_TIME: Duration = Duration::from_secs(1);
/// Memory of all engines, in MiB. The memory of a module never shrinks.
const ENGINE_MEMORY_MIB: usize = 80;

/// A position that is analysed until the visitor stops it.
struct LiveSearch {
    request: AnalysisRequest,
    analysis: LiveAnalysis,
}

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
        }
    }

    /// Returns the files that an answer needs.
    #[must_use]
    pub fn needs(&self, request: &Request) -> NeededFiles {
        let (path, query) = split(&request.address);
        let url: PositionUrl = parse(query).unwrap_or_default();
        let is_asked = url.strategy.as_deref().is_some_and(|text| !text.is_empty());
        let game = match path {
            "/review" | "/analysis/live" => Some(url.game),
            "/analysis" if is_asked => Some(url.game),
            _ if path.starts_with("/games/") && query.contains("show=") => {
                let saved: Option<LocalGame> = serde_json::from_str(&request.saved).ok();
                saved.map(|saved| saved.game)
            }
            _ => None,
        };
        NeededFiles {
            game,
            puzzles: path.starts_with("/puzzles"),
        }
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
        let decided = self.engines.decide(request);
        decided.map_err(|failure| PageError::Unusable(failure.text(words)))
    }

    /// Evaluates a position with the strategy in its address, if there is one.
    fn evaluate(
        &mut self,
        line: &dyn AnyLine,
        url: &PositionUrl,
    ) -> Result<Option<Evaluation>, PageError> {
        let strategy = url.strategy.as_deref().unwrap_or("").trim();
        if strategy.is_empty() || line.outcome().is_some() {
            return Ok(None);
        }
        let words = self.context.words;
        let spec = self.policy.parse(&line.game(), strategy, words)?;
        let request = analysis_request(line, url.start.clone(), spec.clone());
        let decided = self.engines.decide_every_move(&request);
        let decision = decided.map_err(|failure| PageError::Unusable(failure.text(words)))?;
        Ok(Some((spec, Arc::new(decision))))
    }

    fn analysis(&mut self, url: PositionUrl) -> Result<Answer, PageError> {
        let words = self.context.words;
        let lines = Variations::parse(url, &FreshGames, words)?;
        let evaluation = self.evaluate(&*lines.here(), &lines.url())?;
        let notices = Notices::default();
        let html = analysis::page(&self.context, &lines, evaluation.as_ref(), notices)?;
        Ok(Answer::html(html))
    }

    fn import(&mut self, form: import::Import) -> Result<Answer, PageError> {
        let words = self.context.words;
        match import::parse(&FreshGames, &form, words) {
            Ok(url) => Ok(Answer::redirect(url.link("/analysis"))),
            Err(PageError::Unusable(sentence)) => {
                let url = PositionUrl {
                    game: form.game,
                    ..PositionUrl::default()
                };
                let lines = Variations::parse(url, &FreshGames, words)?;
                let notices = Notices {
                    import: Some(FailedImport {
                        text: form.text,
                        sentence,
                    }),
                    ..Notices::default()
                };
                Ok(Answer {
                    status: 422,
                    ..Answer::html(analysis::page(&self.context, &lines, None, notices)?)
                })
            }
            Err(error) => Err(error),
        }
    }

    fn review(&mut self, url: PositionUrl) -> Result<Answer, PageError> {
        let request = ReviewRequest::parse(url, &FreshGames, self.context.words)?;
        let review = match self.review.take() {
            Some(known) if known.is_of(&request) => known,
            _ => PendingReview::new(&request),
        };
        let progress = review.progress(self.context.words);
        self.review = Some(review);
        Ok(Answer::html(review::page(
            &self.context,
            &request,
            &progress,
        )?))
    }

    fn trace(&mut self, query: &str) -> Result<Answer, PageError> {
        let (step, run) = self.run(query)?;
        let html = trace_page::page(&self.context, &step, &run)?;
        self.run = Some((step.key(), run));
        Ok(Answer::html(html))
    }

    /// Returns the run of an address: the last one, if it is that.
    fn run(&mut self, query: &str) -> Result<(StepRequest, TracedRun), PageError> {
        let words = self.context.words;
        let (position, step) = (parse(query)?, parse(query)?);
        let step = StepRequest::parse(position, &step, &FreshGames, &self.policy, words)?;
        let key = step.key();
        let known = self.run.take().filter(|(known, _)| *known == key);
        let run = match known {
            Some((_, run)) => run,
            None => trace(step.line(), &step.run())
                .map_err(|error| PageError::Unusable(messages::trace(words, &error)))?,
        };
        Ok((step, run))
    }

    fn proof(&mut self, query: &ProofQuery) -> Result<Answer, PageError> {
        let request = query.request(&FreshGames, &self.policy, self.context.words)?;
        let pending = match self.proof.take() {
            Some(known) if known.is_of(&request) => known,
            _ => PendingProof::new(request),
        };
        let html = proof::page(&self.context, query, pending.request(), pending.stage())?;
        self.proof = Some(pending);
        Ok(Answer::html(html))
    }

    /// Works out a hint or an explanation for a game that the site does not keep.
    ///
    /// # Errors
    /// If the position is invalid or the strategy has no answer.
    pub fn study(&mut self, request: &StudyRequest) -> Result<StudyAnswer, PageError> {
        let words = self.context.words;
        let url = PositionUrl {
            game: request.game.clone(),
            start: request.start.clone(),
            moves: request.moves.clone(),
            ..PositionUrl::default()
        };
        let line = url.line(&FreshGames, words)?;
        let strategy = self.policy.parse(&line.game(), &request.strategy, words)?;
        let decision = self.decide(&AnalysisRequest {
            seed: request.seed(),
            ..analysis_request(&*line, url.start, strategy)
        })?;
        request.answer(words, &*line, &decision)
    }

    /// Plays the move of the strategy to move. Returns `None` if there is none.
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
        let request = analysis_request(game.line(), start, strategy.clone());
        let chosen = self.engines.choose(&request);
        let mv = chosen.map_err(|failure| PageError::Unusable(failure.text(words)))?;
        let text = game.line().game().format_move(mv);
        let changed = game.play(&text, words)?;
        Ok(Some(LocalGame {
            changed_at: now,
            ..changed
        }))
    }

    /// Begins a live analysis.
    ///
    /// # Errors
    /// If the position is invalid or the game is over.
    pub fn begin_live(&mut self, address: &str) -> Result<(), PageError> {
        let words = self.context.words;
        let url: PositionUrl = parse(split(address).1)?;
        let line = url.line_here(&FreshGames, words)?;
        if line.outcome().is_some() {
            let sentence = analysis::status(words, &BoardView::of(&*line));
            return Err(PageError::Unusable(sentence));
        }
        self.live = Some(LiveSearch {
            request: analysis_request(&*line, url.start, advisor(&line.game())),
            analysis: LiveAnalysis::new(line, words),
        });
        Ok(())
    }

    /// Runs the next pass of the live analysis and returns its update as JSON; `None` when it is over.
    pub fn next_pass(&mut self, stop: &StopToken) -> Option<String> {
        let live = self.live.as_mut()?;
        let time = live.analysis.next_pass()?;
        let mut request = live.request.clone();
        request.limits.time = Some(time);
        request.stop = stop.clone();
        let began = self.clock.now();
        let decision = self.engines.decide(&request).ok()?;
        let took = self.clock.now().saturating_sub(began);
        let others = live.analysis.unscored(&decision);
        let scores = self.engines.score_moves(&request, &others).ok()?;
        live.analysis.add_scores(scores);
        serde_json::to_string(&live.analysis.record(&decision, took)).ok()
    }

    /// Returns the moves that reach the value of a solved board, as its proof knows them.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn best_moves(&mut self, slug: &str) -> Result<(AnyGame, Vec<Move>), PageError> {
        let board = atlas::find(slug).ok_or(PageError::NotFound)?;
        let game = FreshGames.parse(&board.game, self.context.words)?;
        let engine = self.policy.parse(&game, "engine", self.context.words)?;
        let request = AnalysisRequest {
            limits: Limits {
                nodes: Some(1000),
                ..Limits::default()
            },
            // It scores every move from the proof, where `perfect` only names one.
            ..analysis_request(&*game.line(), None, engine)
        };
        let decision = self.decide(&request)?;
        let best = decision.chosen().and_then(|chosen| chosen.score);
        let reaches = |score: Score| {
            score.is_proven() && best.is_some_and(|best| score.balance() >= best.balance())
        };
        let moves = decision
            .candidates
            .iter()
            .filter(|candidate| candidate.score.is_some_and(reaches))
            .map(|candidate| candidate.mv);
        Ok((game, moves.collect()))
    }

    /// Does a step of the long work that pages wait for. Returns whether there is more.
    pub fn work(&mut self) -> bool {
        if let Some(proof) = self.proof.as_mut().filter(|proof| !proof.is_done()) {
            proof.run();
            return true;
        }
        match self.review.as_mut().filter(|review| !review.has_ended()) {
            Some(review) => {
                review.step(&mut self.engines);
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
