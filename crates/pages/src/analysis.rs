//! The analysis page: any position of any game, with variations and evaluations.

use std::sync::Arc;

use askama::Template;
use papan_analysis::side::Side;
use papan_catalog::trace::traceable;
use papan_catalog::{AnyLine, StrategySpec, advisor, opening, user_book};
use papan_rules::{Move, Player};
use papan_strategies::Decision;
use papan_view::Drawing;
use papan_view::svg_board::DrawOptions;
use papan_view::text_board::Style;
use papan_view::{BoardView, Marks, Messages, explain, messages, score, threats};
use serde::Serialize;

use crate::board_grid::{BoardGrid, CellAction};
use crate::embed;
use crate::error::PageError;
use crate::evaluation_bar::bar;
use crate::game::{result, shown_moves};
use crate::game_title::{GameOption, game_options, game_title};
use crate::layout::{Layout, PageContext};
use crate::overlay::{self, Reasons};
use crate::position_url::PositionUrl;
use crate::strategy_menu::StrategyMenu;
use crate::studies;
use crate::trace_url::MAX_STEPS;
use crate::variations::{TreePart, Variations};
use crate::walk::{Step, StepBuilder};

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
    games: Vec<GameOption>,
    /// Names of the players, if the game was imported with them.
    players: Option<String>,
    /// The comment on the position shown.
    comment: Option<String>,
    opening: Option<String>,
    /// Fours and open threes of each player.
    threats: Vec<String>,
    /// Book moves with their scores and addresses.
    book: Vec<BookLink>,
    move_text: String,
    import: Option<FailedImport>,
    status: String,
    counts: Option<String>,
    url: PositionUrl,
    menu: StrategyMenu,
    /// Link that evaluates every move, if the game is not over.
    scores: Option<String>,
    hide_scores: Option<String>,
    /// URL of the live analysis, if the game is not over.
    live: Option<String>,
    /// Why the requested evaluation is missing.
    unavailable: Option<String>,
    is_pending: bool,
    /// The strategy's choice in a sentence.
    verdict: Option<String>,
    reasons: Reasons,
    /// The strategy step by step, if it can be traced.
    trace: Option<TraceLinks>,
    /// Evaluation bar.
    bar: Option<String>,
    pass: Option<String>,
    walk: [Step; 4],
    moves: Vec<MoveLink>,
    /// The tree of variations, if there are any.
    tree: Vec<TreePart>,
    note_name: String,
    note_text: String,
    without_variations: String,
    /// How to play from here, if the game is not over.
    play: Option<PlayFromHere>,
    setup: String,
    review: Option<String>,
    /// HTML that frames the position in another site, where that is allowed.
    embed: Option<String>,
    svg: String,
    png: String,
    /// Formats of the game with their addresses.
    downloads: Vec<(&'static str, String)>,
    /// The address to save as a study.
    address: String,
}

/// A text that could not be imported.
pub struct FailedImport {
    /// The text.
    pub text: String,
    /// Why it could not be read.
    pub sentence: String,
}

/// Text of the page beside the position.
#[derive(Default)]
pub struct Notices {
    /// Why the requested evaluation is missing.
    pub unavailable: Option<String>,
    /// The text that could not be imported.
    pub import: Option<FailedImport>,
    /// Whether the evaluation is left to the browser's engine.
    pub is_pending: bool,
}

/// A move of the main line with the URL of the position after it.
struct MoveLink {
    text: String,
    link: String,
    is_current: bool,
}

/// A book move.
struct BookLink {
    text: String,
    score: String,
    link: String,
}

/// The run of a strategy: its first step, and the whole tree of a search.
struct TraceLinks {
    steps: String,
    tree: Option<String>,
}

/// A new game from the position shown.
struct PlayFromHere {
    position: String,
    turn: Player,
    opponent: String,
}

impl AnalysisView {
    fn t(&self, key: &str) -> String {
        self.words.text(key)
    }

    fn menu(&self) -> &StrategyMenu {
        &self.menu
    }
}

/// A strategy with its decision.
pub type Evaluation = (StrategySpec, Arc<Decision>);

/// Renders the page.
///
/// # Errors
/// If the template fails.
pub fn page(
    context: &PageContext,
    lines: &Variations,
    evaluation: Option<&Evaluation>,
    notices: Notices,
) -> Result<String, PageError> {
    let mut page = view(context, lines, evaluation);
    page.view.unavailable = notices.unavailable;
    page.view.import = notices.import;
    page.view.is_pending = notices.is_pending;
    page.layout.reload = notices.is_pending.then_some(0);
    Ok(page.render()?)
}

fn view(
    context: &PageContext,
    lines: &Variations,
    evaluation: Option<&Evaluation>,
) -> AnalysisPage {
    let words = context.words;
    let (line, url) = (lines.here(), lines.url());
    let game = line.game();
    let options = DrawOptions {
        legal: true,
        names: true,
        move_numbers: true,
        overlays: evaluation.map_or_else(Vec::new, |(_, decision)| {
            overlay::overlays(words, &*line, decision)
        }),
        threats: threats::of(&*line),
        ..DrawOptions::default()
    };
    let after = |mv: Move| lines.after(mv).map(|url| url.link("/analysis"));
    let view = BoardView::of(&*line);
    let board = BoardGrid::new(&view, &options, words, |index, cell| {
        match after(Move::on(index)).filter(|_| cell.legal) {
            Some(link) => CellAction::Link(link),
            None => CellAction::None,
        }
    });
    let is_open = line.outcome().is_none();
    let may_pass = line.legal_moves().contains(&Move::PASS);
    let without_scores = PositionUrl {
        strategy: None,
        ..url.clone()
    };
    let shared = PositionUrl {
        others: None,
        ..without_scores.clone()
    };
    let setup = PositionUrl {
        game: game.name(),
        start: Some(line.position_text()),
        ..PositionUrl::default()
    };
    let scores = PositionUrl {
        strategy: Some(advisor(&game).to_string()),
        ..url.clone()
    };
    let without_variations = PositionUrl {
        others: None,
        ..url.clone()
    };
    let whole_game = PositionUrl {
        ply: None,
        ..shared.clone()
    };
    let heading = game_title(words, &game.name());
    let title = format!("{}: {heading}", words.text("web-analysis"));
    let mut layout = Layout::new(context, title, url.link("/analysis"));
    let drawn = PositionUrl {
        strategy: url.strategy.clone(),
        ..shared.clone()
    };
    layout.picture = Some(shared.link("/analysis/board.png"));
    AnalysisPage {
        layout,
        view: AnalysisView {
            words,
            games: game_options(words, &game.name()),
            players: url.players().map(|players| players.join(" – ")),
            comment: comment(lines),
            opening: opening(&*line).map(|name| words.with("opening", [("name", name.into())])),
            threats: threats::texts(words, &game, &options.threats),
            book: user_book::moves_of(&*line)
                .into_iter()
                .filter_map(|(mv, value)| {
                    Some(BookLink {
                        text: game.show_move(mv),
                        score: score::short(value, false),
                        link: after(mv)?,
                    })
                })
                .collect(),
            address: without_scores.link("/analysis"),
            downloads: studies::downloads(&game, &without_scores),
            move_text: shown_moves(lines.line()),
            import: None,
            heading,
            status: status(words, &view),
            counts: counts(words, &view),
            menu: StrategyMenu::new(words, url.strategy.as_deref().unwrap_or("")),
            scores: (is_open && evaluation.is_none()).then(|| scores.link("/analysis")),
            live: is_open.then(|| shared.link("/analysis/live")),
            hide_scores: url
                .strategy
                .is_some()
                .then(|| without_scores.link("/analysis")),
            unavailable: None,
            is_pending: false,
            verdict: evaluation.map(|evaluation| verdict(words, &*line, evaluation)),
            reasons: evaluation.map_or_else(Reasons::default, |(_, decision)| {
                overlay::reasons(words, &*line, decision)
            }),
            trace: evaluation.and_then(|(spec, _)| trace_links(spec, &*line, &url)),
            bar: evaluation.and_then(|(_, decision)| {
                let score = decision.chosen()?.score?;
                Some(bar(words, &game, line.turn(), score))
            }),
            pass: may_pass.then(|| after(Move::PASS)).flatten(),
            walk: walk(words, lines, "/analysis"),
            moves: move_links(lines),
            tree: if lines.has_others() {
                lines.tree()
            } else {
                Vec::new()
            },
            note_name: lines.note_here().0.to_owned(),
            note_text: lines.note_here().1.to_owned(),
            without_variations: without_variations.link("/analysis"),
            play: is_open.then(|| PlayFromHere {
                position: line.position_text(),
                turn: line.turn(),
                opponent: advisor(&game).to_string(),
            }),
            setup: setup.link("/analysis/setup"),
            review: (!lines.line().moves().is_empty()).then(|| whole_game.link("/review")),
            embed: context.embedding.then(|| {
                embed::snippet(
                    &context.origin,
                    &shared.link("/embed"),
                    &game_title(words, &game.name()),
                )
            }),
            svg: drawn.link("/analysis/board.svg"),
            png: drawn.link("/analysis/board.png"),
            url,
        },
        board,
    }
}

fn trace_links(spec: &StrategySpec, line: &dyn AnyLine, url: &PositionUrl) -> Option<TraceLinks> {
    let algorithm = traceable(spec)?;
    let here = PositionUrl {
        moves: line.text(),
        ply: None,
        others: None,
        ..url.clone()
    };
    let steps = here.link("/trace");
    Some(TraceLinks {
        tree: algorithm
            .is_search()
            .then(|| format!("{steps}&step={MAX_STEPS}")),
        steps,
    })
}

/// Returns name and comment of the position shown.
fn comment(lines: &Variations) -> Option<String> {
    let (name, text) = lines.note_here();
    let parts = [name, text].into_iter().filter(|text| !text.is_empty());
    let text = parts.collect::<Vec<_>>().join(": ");
    (!text.is_empty()).then_some(text)
}

/// Draws a position with the numbers of a strategy.
#[must_use]
pub fn picture(words: Messages, line: &dyn AnyLine, evaluation: &Evaluation) -> Drawing {
    let (spec, decision) = evaluation;
    let title = format!("{}: {spec}", game_title(words, &line.game().name()));
    let style = Style {
        ascii: false,
        colour: false,
        marks: Marks::deciding(line, spec),
    };
    explain::picture(line, decision, &title, style, words)
}

fn verdict(words: Messages, line: &dyn AnyLine, (spec, decision): &Evaluation) -> String {
    let game = line.game();
    let key = if explain::is_from_book(decision) {
        "web-opinion-book"
    } else if *spec == advisor(&game) {
        "web-opinion"
    } else {
        "web-choice"
    };
    let values = [
        ("strategy", messages::strategy_name(words, spec).into()),
        ("move", game.show_move(decision.best).into()),
    ];
    let sentence = words.with(key, values);
    // A strategy that scores each move by itself looks at one position per move.
    if decision.nodes <= decision.candidates.len() as u64 {
        return sentence;
    }
    let nodes = messages::count(decision.nodes);
    words.with(
        "web-opinion-positions",
        [("opinion", sentence.into()), ("nodes", nodes.into())],
    )
}

fn move_links(lines: &Variations) -> Vec<MoveLink> {
    let game = lines.line().game();
    (1..)
        .zip(lines.line().moves())
        .map(|(ply, mv)| MoveLink {
            text: game.show_move(*mv),
            link: lines.at(ply).link("/analysis"),
            is_current: ply == lines.ply(),
        })
        .collect()
}

/// Returns the steps along the main line on a page.
pub(crate) fn walk(words: Messages, lines: &Variations, path: &str) -> [Step; 4] {
    let builder = StepBuilder {
        words,
        link: |ply| lines.at(ply).link(path),
    };
    builder.steps(lines.ply(), lines.line().moves().len())
}

/// Returns the player to move, or the result, as a sentence.
#[must_use]
pub fn status(words: Messages, view: &BoardView) -> String {
    let side = messages::side(words, view.pieces, view.turn, view.marks);
    match view.outcome {
        None => words.with("web-their-turn", [("side", side.into())]),
        Some(outcome) => result(words, view, outcome),
    }
}

/// Returns the number of pieces of both players, where it matters.
pub(crate) fn counts(words: Messages, view: &BoardView) -> Option<String> {
    view.properties.score_unit.is_discs().then(|| {
        let counts = Player::BOTH.map(|player| {
            let side = messages::side(words, view.pieces, player, view.marks);
            format!("{side} {}", view.counts[player.index()])
        });
        counts.join(" · ")
    })
}

/// A position and its evaluation, as JSON.
#[derive(Serialize)]
pub struct PositionView {
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
    /// Why the move was preferred, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl PositionView {
    /// Creates the view.
    #[must_use]
    pub fn new(words: Messages, line: &dyn AnyLine, evaluation: Option<&Evaluation>) -> Self {
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
            strategy: evaluation.map(|(spec, _)| spec.to_string()),
            why: evaluation.map(|(_, decision)| explain::why(line, decision, words)),
            decision: evaluation
                .map(|(_, decision)| papan_view::json::Decision::new(&game, decision)),
            game: game.name(),
        }
    }
}
