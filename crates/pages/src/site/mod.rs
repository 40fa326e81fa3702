//! The static site: answers addresses as the server does, with engines on the calling thread and games
//! that the browser keeps.
//!
//! A request comes with the stored game that its address names, and an answer with the game to store, so
//! that nothing here knows a database. Long work (reviews, proofs) is done in steps by [`Site::work`],
//! which the caller calls while it has nothing else to do.

pub mod local_game;
mod long_work;

use std::sync::Arc;
use std::time::Duration;

use askama::Template as _;
use papan_analysis::engine_cache::{AnalysisRequest, EngineCache, SEARCH_MEMORY_MIB};
use papan_analysis::puzzle::{self, DAY, SOURCES};
use papan_catalog::trace::{TracedRun, trace};
use papan_catalog::{AnyGame, AnyLine, StrategySpec, advisor};
use papan_rules::{Comment, Move};
use papan_strategies::{Clock, Decision, Limits, Score, StopToken};
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, Drawing, Messages, messages};
use serde::de::DeserializeOwned;

use crate::analysis::{self, Evaluation, FailedImport, Notices};
use crate::automaton::{Automaton, BUILT_IN, GraphQuery};
use crate::error::{PageError, rejection_page};
use crate::form_defaults::FormDefaults;
use crate::game::{GamePage, GamePart, StudyView};
use crate::game_title::game_title;
use crate::games::{FreshGames, Games as _};
use crate::home::{self, StrategiesView, WrongField};
use crate::layout::{Layout, PageContext};
use crate::live_update::LiveAnalysis;
use crate::position_url::PositionUrl;
use crate::proof::{self, ProofQuery};
use crate::puzzles::{self, AnswerQuery, Attempt, DAYS_BACK, DailyPuzzle};
use crate::review::{self, ReviewRequest};
use crate::setup::{self, Edited};
use crate::strategy_policy::StrategyPolicy;
use crate::trace::{self as trace_page, StepRequest};
use crate::variations::Variations;
use crate::{atlas, embed, import, laboratory, mine};
use local_game::{LocalGame, Replayed, Shown};
use long_work::{PendingProof, PendingReview};

/// Time of a move, of a hint and of one analysed position, as on a server.
const SEARCH_TIME: Duration = Duration::from_secs(1);
/// Memory of all engines, in MiB. The memory of a module never shrinks.
const ENGINE_MEMORY_MIB: usize = 80;

/// A request to the site.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Whether it is a POST with a form in [`Self::body`].
    pub is_post: bool,
    /// Path and query, from the root of the site.
    pub address: String,
    /// The form, as `application/x-www-form-urlencoded`.
    pub body: String,
    /// Whether only the part of a game's page that changes is wanted.
    pub is_part: bool,
    /// The stored game that the address names, or all of them for the list, as JSON.
    pub saved: String,
    /// A new random id.
    pub id: String,
    /// Unix time in milliseconds.
    pub now: i64,
}

/// The content of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A page, or a part of one.
    Html(String),
    /// JSON.
    Json(String),
    /// A file to download: its name, media type and text.
    File {
        /// Name of the file.
        name: &'static str,
        /// Media type.
        media_type: &'static str,
        /// The text.
        text: String,
    },
    /// Another address.
    Redirect(String),
}

/// An answer of the site.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The content.
    pub content: Content,
    /// The game to store.
    pub saved: Option<LocalGame>,
}

impl Answer {
    fn ok(content: Content) -> Self {
        Self {
            status: 200,
            content,
            saved: None,
        }
    }

    fn html(html: String) -> Self {
        Self::ok(Content::Html(html))
    }

    fn redirect(address: String) -> Self {
        Self {
            status: 303,
            ..Self::ok(Content::Redirect(address))
        }
    }

    fn json<T: serde::Serialize>(value: &T) -> Result<Self, PageError> {
        let text = serde_json::to_string(value).map_err(|_| PageError::Internal)?;
        Ok(Self::ok(Content::Json(text)))
    }
}

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
    /// Creates the site in a language.
    #[must_use]
    pub fn new(words: Messages, clock: Arc<dyn Clock>) -> Self {
        Self {
            context: PageContext {
                words,
                origin: String::new(),
                embedding: false,
                has_people: false,
            },
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

    /// Returns the game whose weights or certificate an answer needs.
    #[must_use]
    pub fn needs(&self, request: &Request) -> Option<String> {
        let (path, query) = split(&request.address);
        let url: PositionUrl = parse(query).unwrap_or_default();
        let is_asked = url.strategy.as_deref().is_some_and(|text| !text.is_empty());
        match path {
            "/review" | "/analysis/live" => Some(url.game),
            "/analysis" if is_asked => Some(url.game),
            _ if path.starts_with("/puzzles") => Some("othello".into()),
            _ if path.starts_with("/games/") && query.contains("show=") => {
                let saved: LocalGame = serde_json::from_str(&request.saved).ok()?;
                Some(saved.game)
            }
            _ => None,
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
                &FormDefaults::default(),
                None,
            )?),
            (false, ["laboratory"]) => Answer::html(laboratory::page(&context)?),
            (false, ["lobby"]) => Answer::html(mine::people(&context)?),
            (false, ["analysis"]) => self.analysis(parse(query)?)?,
            (false, ["analysis", "setup"]) => {
                match setup::edit(&context, &FreshGames, parse(query)?)? {
                    Edited::Moved(address) => Answer::redirect(address),
                    Edited::Page { html, .. } => Answer::html(html),
                }
            }
            (false, ["analysis", "record"]) => record(&parse(query)?, words)?,
            (false, ["analysis", "board.svg"]) => {
                let url: PositionUrl = parse(query)?;
                let line = url.line_here(&FreshGames, words)?;
                match self.evaluate(&*line, &url)? {
                    Some(evaluation) => {
                        let drawing = analysis::picture(words, &*line, &evaluation);
                        svg("board.svg", &drawing)
                    }
                    None => picture(&*line, words),
                }
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
            (false, ["puzzles"]) => Answer::html(self.puzzles(request.now.div_euclid(DAY))?),
            (false, ["puzzles", day, level]) => {
                let today = request.now.div_euclid(DAY);
                let day = day.parse().map_err(|_| PageError::NotFound)?;
                Answer::html(self.puzzle(today, day, level, &parse(query)?)?)
            }
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
        Ok(Some((spec, Arc::new(self.decide(&request)?))))
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
                    unavailable: None,
                    import: Some(FailedImport {
                        text: form.text,
                        sentence,
                    }),
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

    fn daily(&mut self, day: i64, level: usize) -> Result<DailyPuzzle, PageError> {
        let puzzle = puzzle::generate(&mut self.engines, day, level, limits());
        let puzzle = puzzle.ok_or(PageError::NotFound)?;
        Ok(DailyPuzzle { day, level, puzzle })
    }

    fn puzzles(&mut self, day: i64) -> Result<String, PageError> {
        let levels = 0..SOURCES.len();
        let found: Vec<DailyPuzzle> = levels
            .filter_map(|level| self.daily(day, level).ok())
            .collect();
        puzzles::list(&self.context, &found)
    }

    fn puzzle(
        &mut self,
        today: i64,
        day: i64,
        level: &str,
        query: &AnswerQuery,
    ) -> Result<String, PageError> {
        let level = puzzles::level(level).ok_or(PageError::NotFound)?;
        if !(today - DAYS_BACK..=today).contains(&day) {
            return Err(PageError::NotFound);
        }
        let daily = self.daily(day, level)?;
        let attempt = Attempt::parse(daily, query, self.context.words)?;
        puzzles::page(&self.context, &attempt, today)
    }

    fn create(&mut self, request: &Request) -> Result<Answer, PageError> {
        let words = self.context.words;
        let form = fields(&request.body)?;
        let made = LocalGame::create(&form, &request.id, &FreshGames, &self.policy, words);
        match made {
            Ok(game) => Ok(saved(game, request.now)),
            Err(PageError::Unusable(sentence)) => {
                let wrong = WrongField {
                    name: "game",
                    sentence,
                };
                let defaults = FormDefaults::from_form(&form);
                let html = home::page(
                    &self.context,
                    &FreshGames,
                    &self.policy.programs,
                    &defaults,
                    Some(wrong),
                )?;
                Ok(Answer {
                    status: 422,
                    ..Answer::html(html)
                })
            }
            Err(error) => Err(error),
        }
    }

    fn game(
        &mut self,
        request: &Request,
        is_post: bool,
        rest: &[&str],
        query: &str,
    ) -> Result<Answer, PageError> {
        let words = self.context.words;
        let saved_game: LocalGame = stored(&request.saved)?;
        let game = saved_game.replay(&FreshGames, words)?;
        let form = fields(&request.body)?;
        let field = |name: &str| {
            let found = form.iter().find(|(field, _)| field == name);
            found.map_or("", |(_, value)| value.as_str())
        };
        let changed = match (is_post, rest) {
            (false, []) => return self.show(&game, query, request.is_part),
            (false, ["record"]) => return Ok(file("game.papan", "text/plain", game.record())),
            (false, ["board.svg"]) => return Ok(picture(game.line(), words)),
            (false, ["study", page @ ("analysis" | "review")]) => {
                let link = game.position_url(None).link(&format!("/{page}"));
                return Ok(Answer::redirect(link));
            }
            (true, ["moves"]) => game.play(field("move"), words)?,
            (true, ["take-back"]) => game.take_back(),
            (true, ["resignation"]) => game.resign(),
            (true, ["rematch"]) => return Ok(saved(game.rematch(&request.id), request.now)),
            _ => return Err(PageError::NotFound),
        };
        let shown = changed.replay(&FreshGames, words)?;
        let answer = if request.is_part {
            self.show(&shown, "", true)?
        } else {
            Answer::redirect(format!("/games/{}", changed.id))
        };
        Ok(Answer {
            saved: Some(LocalGame {
                changed_at: request.now,
                ..changed
            }),
            ..answer
        })
    }

    fn show(&mut self, game: &Replayed, query: &str, is_part: bool) -> Result<Answer, PageError> {
        let words = self.context.words;
        let url: PositionUrl = parse(query)?;
        let show = fields(query)?;
        let show = show.iter().find(|(name, _)| name == "show");
        let show = show.map_or("", |(_, value)| value.as_str());
        let study = match show {
            "hint" => {
                let strategy = game.advisor();
                let name = strategy.info().name;
                let start = game.position_url(None).start;
                let request = analysis_request(game.line(), start, strategy);
                let decision = self.decide(&request)?;
                Some(StudyView::hint(words, game.line(), name, &decision))
            }
            "why" => {
                let (before, mv, spec) = game.last_strategy_turn().ok_or(PageError::NotFound)?;
                let name = spec.to_string();
                let start = game.position_url(None).start;
                let decision = self.decide(&analysis_request(&*before, start, spec))?;
                Some(StudyView::why(words, &*before, mv, &name, &decision))
            }
            _ => None,
        };
        let shown = Shown {
            ply: url.ply,
            study,
            confirms_resignation: show == "resign",
        };
        let (view, board) = game.view(words, shown);
        let html = if is_part {
            GamePart { view, board }.render()?
        } else {
            let path = format!("/games/{}", view.id);
            let page = GamePage {
                layout: Layout::new(&self.context, view.heading.clone(), path),
                view,
                board,
            };
            page.render()?
        };
        Ok(Answer::html(html))
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

/// Parses a game that the browser stored or the visitor imported.
fn stored<T: DeserializeOwned>(json: &str) -> Result<T, PageError> {
    serde_json::from_str(json).map_err(|_| PageError::NotFound)
}

/// Returns the answer that opens a new game.
fn saved(game: LocalGame, now: i64) -> Answer {
    let address = format!("/games/{}", game.id);
    Answer {
        saved: Some(LocalGame {
            changed_at: now,
            ..game
        }),
        ..Answer::redirect(address)
    }
}

fn file(name: &'static str, media_type: &'static str, text: String) -> Answer {
    Answer::ok(Content::File {
        name,
        media_type,
        text,
    })
}

fn svg(name: &'static str, drawing: &Drawing) -> Answer {
    file(name, "image/svg+xml", drawing.svg())
}

fn picture(line: &dyn AnyLine, words: Messages) -> Answer {
    let title = game_title(words, &line.game().name());
    let svg = svg_board::draw(&BoardView::of(line), &DrawOptions::default(), &title);
    file("board.svg", "image/svg+xml", svg)
}

fn record(url: &PositionUrl, words: Messages) -> Result<Answer, PageError> {
    let lines = Variations::parse(url.clone(), &FreshGames, words)?;
    let players = url.players().unwrap_or(["human"; 2]);
    let mut record = lines.line().record(players.map(str::to_owned));
    record.variations = lines.texts();
    record.comments = url
        .comments()
        .map(|(moves, text)| Comment {
            moves: moves.to_owned(),
            text: text.to_owned(),
        })
        .collect();
    Ok(file("game.papan", "text/plain", record.to_string()))
}
