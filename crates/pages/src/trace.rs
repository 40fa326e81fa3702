//! A strategy step by step: the board, the pseudo-code with the current line, the numbers of the step,
//! and the tree that grows with it.
//!
//! Every step has an address, and every control is a link. The script `trace.js` adds keys, pan and
//! zoom.

use askama::Template;
use papan_catalog::trace::{TraceRequest, TracedRun};
use papan_catalog::{AnyGame, AnyLine, StrategySpec};
use papan_rules::Move;
use papan_solve::{Algorithm, Listing, TraceEvent, TreeNode};
use papan_strategies::Candidate;
use papan_view::svg_board::DrawOptions;
use papan_view::trace::Fact;
use papan_view::tree_drawing::{TreeKind, TreeStyle};
use papan_view::{
    BoardView, Drawing, Marks, Messages, explain, json, trace as trace_text, trace_frame,
    tree_drawing,
};
use serde::Serialize;

use crate::analysis::status;
use crate::board_grid::{BoardGrid, CellAction};
use crate::error::PageError;
use crate::game_title::{GameOption, game_options, game_title};
use crate::games::Games;
use crate::layout::{Layout, PageContext};
use crate::overlay;
use crate::position_url::PositionUrl;
use crate::strategy_menu::StrategyMenu;
use crate::strategy_policy::StrategyPolicy;
use crate::trace_url::{MAX_STEPS, PredictionScore, StepFields, TraceUrl};
use crate::walk::{Step, StepBuilder};

/// The strategy that is traced unless the address names one.
const DEFAULT_STRATEGY: &str = "alphabeta";

/// Maximum number of positions that a run searches; minimax on the empty 3x3 board takes 549,946.
const MAX_NODES: u64 = 2_000_000;
/// Maximum number of playouts of MCTS.
const MAX_PLAYOUTS: u64 = 60;

#[derive(Template)]
#[template(path = "trace.html")]
struct TracePage {
    layout: Layout,
    view: TraceView,
    board: BoardGrid,
}

struct TraceView {
    words: Messages,
    heading: String,
    /// What happens in this step.
    status: String,
    url: PositionUrl,
    shown: usize,
    games: Vec<GameOption>,
    menu: StrategyMenu,
    /// The run; absent while its move is to be predicted.
    run: Option<RunView>,
    prediction: Option<PredictionView>,
    /// The address with or without prediction.
    toggle: String,
    analysis: String,
}

struct RunView {
    /// Which step it is, of how many.
    count: String,
    walk: Vec<Step>,
    code: Vec<CodeView>,
    /// The six components of the algorithm.
    components: Vec<String>,
    /// Which keys there are.
    keys: String,
    /// The formats of the picture of the step with their addresses.
    pictures: [(&'static str, String); 2],
    facts: Vec<Fact>,
    queue: Vec<QueueRow>,
    queue_title: String,
    tree: String,
    cut_short: bool,
}

struct CodeView {
    number: u8,
    text: String,
    /// Levels of indentation.
    level: usize,
    is_current: bool,
}

/// A scored move.
struct QueueRow {
    mv: String,
    terms: String,
    is_first: bool,
}

/// The question which move the strategy will choose, or the answer.
struct PredictionView {
    sentence: String,
    score: Option<String>,
    /// The position after the strategy's move, to predict again.
    next: Option<String>,
}

impl TraceView {
    fn t(&self, key: &str) -> String {
        self.words.text(key)
    }

    fn games(&self) -> &[GameOption] {
        &self.games
    }

    fn menu(&self) -> &StrategyMenu {
        &self.menu
    }
}

/// A run as JSON.
#[derive(Serialize)]
pub struct RunJson {
    game: String,
    moves: Vec<String>,
    strategy: String,
    /// Whether the run is longer than the limits of the server.
    cut_short: bool,
    steps: Vec<json::Step>,
}

/// A step of a run that is to be shown.
pub struct StepRequest {
    url: TraceUrl,
    strategy: StrategySpec,
    line: Box<dyn AnyLine>,
}

impl StepRequest {
    /// Parses the address.
    ///
    /// # Errors
    /// If the position or the strategy is invalid.
    pub fn parse(
        mut position: PositionUrl,
        fields: &StepFields,
        games: &dyn Games,
        policy: &StrategyPolicy,
        words: Messages,
    ) -> Result<Self, PageError> {
        let line = position.line_here(games, words)?;
        let game = line.game();
        let text = position.strategy.as_deref().unwrap_or("").trim();
        let text = if text.is_empty() {
            DEFAULT_STRATEGY
        } else {
            text
        };
        let strategy = policy.parse(&game, text, words)?;
        position = PositionUrl {
            game: game.name(),
            start: position.start,
            moves: line.text(),
            strategy: Some(strategy.to_string()),
            ..PositionUrl::default()
        };
        let url = TraceUrl::new(position, fields, &game)?;
        Ok(Self {
            url,
            strategy,
            line,
        })
    }

    /// Returns the line of play.
    #[must_use]
    pub fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// Returns the run, with limits that keep it small enough for a page.
    #[must_use]
    pub fn run(&self) -> TraceRequest {
        TraceRequest {
            strategy: self.strategy.clone(),
            shown: self.url.shown as u32,
            steps: MAX_STEPS,
            nodes: MAX_NODES,
            playouts: MAX_PLAYOUTS,
            seed: 0,
        }
    }

    /// Returns everything that the run depends on, as a text.
    #[must_use]
    pub fn key(&self) -> String {
        let start = self.url.position.start.as_deref().unwrap_or("");
        let (game, moves) = (self.line.game().name(), self.line.text());
        format!(
            "{game} [{start}] {moves} {} {}",
            self.strategy, self.url.shown
        )
    }
}

/// Returns the run as JSON.
#[must_use]
pub fn json(step: &StepRequest, run: &TracedRun) -> RunJson {
    let game = run.line.game();
    let steps = (0..run.trace.steps.len()).map(|at| json::Step::new(run, at));
    let moves = run.line.moves().iter();
    RunJson {
        game: game.name(),
        moves: moves.map(|mv| game.format_move(*mv)).collect(),
        strategy: step.strategy.to_string(),
        cut_short: run.trace.is_cut_short,
        steps: steps.collect(),
    }
}

/// Draws the step in the address, as a frame for slides.
#[must_use]
pub fn frame(step: &StepRequest, run: &TracedRun, words: Messages) -> Drawing {
    let at = step_of(&step.url, run);
    trace_frame::draw(run, at, &step.strategy.to_string(), words)
}

/// Returns the step in an address, counted from 0.
fn step_of(url: &TraceUrl, run: &TracedRun) -> usize {
    url.step.unwrap_or(1).clamp(1, run.trace.steps.len()) - 1
}

/// Renders the page.
///
/// # Errors
/// If the template fails.
pub fn page(
    context: &PageContext,
    step: &StepRequest,
    run: &TracedRun,
) -> Result<String, PageError> {
    Ok(view(context, &step.url, &step.strategy, run).render()?)
}

fn view(
    context: &PageContext,
    url: &TraceUrl,
    strategy: &StrategySpec,
    run: &TracedRun,
) -> TracePage {
    let words = context.words;
    let game = run.line.game();
    let is_asked = url.predicts.is_some() && url.guess.is_none();
    let at = step_of(url, run);
    let title = game_title(words, &game.name());
    let heading = format!("{}: {title}, {strategy}", words.text("web-trace"));
    let (board, status) = if is_asked {
        let question = [("strategy", strategy.to_string().into())];
        (
            question_board(words, &*run.line, url),
            words.with("predict-question", question),
        )
    } else {
        let step = run.step(at);
        let path = match &step.path[..] {
            [] => String::new(),
            path => format!("{}: ", game.show_moves(path)),
        };
        let event = trace_text::event(&game, step, words, false);
        (step_board(words, run, at), format!("{path}{event}"))
    };
    let toggle = TraceUrl {
        predicts: match url.predicts {
            None => Some(PredictionScore::default()),
            Some(_) => None,
        },
        guess: None,
        ..url.clone()
    };
    let analysis = url.position.link("/analysis");
    let shown = PositionUrl {
        strategy: None,
        ..url.position.clone()
    };
    let mut layout = Layout::new(context, heading.clone(), url.link(&game));
    layout.picture = Some(shown.link("/analysis/board.png"));
    TracePage {
        layout,
        view: TraceView {
            words,
            heading,
            status,
            url: url.position.clone(),
            shown: url.shown,
            games: game_options(words, &game.name()),
            menu: StrategyMenu::traceable(words, &strategy.to_string()),
            run: (!is_asked).then(|| run_view(words, url, run, at)),
            prediction: url.predicts.map(|score| prediction(words, url, run, score)),
            toggle: toggle.link(&game),
            analysis,
        },
        board,
    }
}

fn run_view(words: Messages, url: &TraceUrl, run: &TracedRun, at: usize) -> RunView {
    let game = run.line.game();
    let step = run.step(at);
    let count = run.trace.steps.len();
    let values = [
        ("number", (at + 1).to_string().into()),
        ("count", count.to_string().into()),
    ];
    RunView {
        count: words.with("web-trace-step", values),
        walk: walk(words, url, run, at),
        code: trace_text::pseudo_code(run.algorithm, &run.strategy, words)
            .into_iter()
            .map(|line| CodeView {
                text: line.statement().to_owned(),
                level: line.level(),
                is_current: line.number == step.code,
                number: line.number,
            })
            .collect(),
        components: trace_text::components(run.algorithm, &run.strategy, words),
        pictures: [("SVG", "svg"), ("PNG", "png")].map(|(name, extension)| {
            let page = url.at(&game, at + 1);
            let picture = page.replacen("/trace?", &format!("/trace/step.{extension}?"), 1);
            (name, picture)
        }),
        keys: words.text(match run.algorithm {
            Algorithm::AlphaBeta | Algorithm::AlphaBetaAsPrinted => "web-trace-keys",
            Algorithm::Minimax => "web-trace-keys-search",
            _ => "web-trace-keys-step",
        }),
        facts: trace_text::facts(run, at, words, false),
        queue: run
            .queue(at)
            .into_iter()
            .enumerate()
            .map(|(place, candidate)| QueueRow {
                mv: game.show_move(candidate.mv),
                terms: explain::terms(candidate, words, false),
                is_first: place == 0,
            })
            .collect(),
        queue_title: words.text(match run.algorithm {
            Algorithm::Scoring(Listing::BranchAndBound) => "web-trace-live",
            _ => "web-trace-queue",
        }),
        tree: tree(words, url, run, at),
        cut_short: run.trace.is_cut_short,
    }
}

/// Returns the links through the run, as in a debugger.
fn walk(words: Messages, url: &TraceUrl, run: &TracedRun, at: usize) -> Vec<Step> {
    let game = run.line.game();
    let (trace, last) = (&run.trace, run.trace.steps.len() - 1);
    let builder = StepBuilder {
        words,
        link: |at: usize| url.at(&game, at + 1),
    };
    let next = (at < last).then_some(at + 1);
    let mut steps = vec![
        builder.step("«", "web-walk-start", "first", (at > 0).then_some(0)),
        builder.step("‹", "web-walk-back", "prev", at.checked_sub(1)),
        builder.step("›", "web-trace-next", "next", next),
    ];
    if run.algorithm.is_search() {
        steps.push(builder.step("↷", "web-trace-over", "over", trace.over(at)));
        steps.push(builder.step("↥", "web-trace-out", "out", trace.out(at)));
    }
    if run.algorithm.prunes() {
        steps.push(builder.step("✂", "web-trace-cut", "cut", trace.next_cut(at)));
    }
    let end = (at < last).then_some(last);
    steps.push(builder.step("»", "web-walk-end", "last", end));
    steps
}

/// Draws the tree as it is known at a step. A folded position unfolds, an unfolded one folds.
fn tree(words: Messages, url: &TraceUrl, run: &TracedRun, at: usize) -> String {
    let game = run.line.game();
    let current = &run.step(at).path;
    let root = run.tree(at, &url.open);
    let link = |path: &[Move], node: &TreeNode| {
        let is_opened = url.open.iter().any(|open| open == path);
        (node.folded || is_opened).then(|| url.toggled(&game, path))
    };
    let title = words.text("web-trace-tree");
    let style = TreeStyle {
        game: &game,
        marks: Marks::deciding(&*run.line, &run.strategy),
        title: &title,
        kind: tree_kind(run.algorithm, url),
        current: Some(current),
        link: Some(&link),
    };
    tree_drawing::draw(&root, &style, words).inline_svg()
}

fn tree_kind(algorithm: Algorithm, url: &TraceUrl) -> TreeKind {
    match algorithm {
        _ if algorithm.is_search() => TreeKind::Search,
        _ if url.position.strategy.as_deref() == Some("branch-and-bound") => TreeKind::Scored,
        _ => TreeKind::OwnNumbers,
    }
}

/// Returns the position of a step, with the numbers of the moves that are scored.
fn step_board(words: Messages, run: &TracedRun, at: usize) -> BoardGrid {
    let step = run.step(at);
    let is_scored = match run.algorithm {
        Algorithm::Scoring(_) | Algorithm::Program => true,
        // The other phases of a playout are at a position of its path.
        Algorithm::Mcts => matches!(
            step.event,
            TraceEvent::Playout { .. } | TraceEvent::Choose { .. }
        ),
        Algorithm::Minimax | Algorithm::AlphaBeta | Algorithm::AlphaBetaAsPrinted => false,
    };
    let line = if is_scored {
        run.line.clone_line()
    } else {
        run.line_at(at)
    };
    let overlays = if is_scored {
        let queue: Vec<&Candidate> = run.queue(at);
        let best = match step.event {
            TraceEvent::Choose { mv } => Some(mv),
            _ => queue.first().map(|candidate| candidate.mv),
        };
        overlay::candidates(words, &line.game(), queue, best)
    } else {
        Vec::new()
    };
    let options = DrawOptions {
        names: true,
        overlays,
        ..DrawOptions::default()
    };
    let mut view = BoardView::of(&*line);
    view.marks = Marks::deciding(&*run.line, &run.strategy);
    BoardGrid::new(&view, &options, words, |_, _| CellAction::None)
}

/// Returns the board on which the move is predicted.
fn question_board(words: Messages, line: &dyn AnyLine, url: &TraceUrl) -> BoardGrid {
    let game = line.game();
    let options = DrawOptions {
        legal: true,
        names: true,
        ..DrawOptions::default()
    };
    BoardGrid::new(&BoardView::of(line), &options, words, |index, cell| {
        if !cell.legal {
            return CellAction::None;
        }
        CellAction::Link(guessed(url, &game, Move::on(index)))
    })
}

fn guessed(url: &TraceUrl, game: &AnyGame, mv: Move) -> String {
    let url = TraceUrl {
        guess: Some(mv),
        ..url.clone()
    };
    url.link(game)
}

fn prediction(
    words: Messages,
    url: &TraceUrl,
    run: &TracedRun,
    before: PredictionScore,
) -> PredictionView {
    let game = run.line.game();
    let score_text = |score: PredictionScore| {
        let values = [
            ("right", score.right.to_string().into()),
            ("asked", score.asked.to_string().into()),
        ];
        (score.asked > 0).then(|| words.with("predict-score", values))
    };
    let Some(guess) = url.guess else {
        return PredictionView {
            sentence: words.text("web-predict-how"),
            score: score_text(before),
            next: None,
        };
    };
    let Some(choice) = run.trace.choice() else {
        let key = if run.trace.is_cut_short {
            "web-predict-unknown"
        } else {
            "predict-none"
        };
        return PredictionView {
            sentence: words.text(key),
            score: score_text(before),
            next: None,
        };
    };
    let is_right = guess == choice;
    let key = if is_right {
        "predict-right"
    } else {
        "predict-wrong"
    };
    let values = [
        ("guess", game.show_move(guess).into()),
        ("move", game.show_move(choice).into()),
    ];
    let score = before.after(is_right);
    let mut after = run.line.clone_line();
    let is_open = after.play(choice).is_ok() && after.outcome().is_none();
    let next = TraceUrl {
        position: PositionUrl {
            moves: after.text(),
            ..url.position.clone()
        },
        step: None,
        shown: url.shown,
        open: Vec::new(),
        predicts: Some(score),
        guess: None,
    };
    PredictionView {
        sentence: if is_open {
            words.with(key, values)
        } else {
            let end = status(words, &BoardView::of(&*after));
            format!("{} {end}", words.with(key, values))
        },
        score: score_text(score),
        next: is_open.then(|| next.link(&game)),
    }
}
