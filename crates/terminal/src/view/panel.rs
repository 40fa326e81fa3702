//! Renders the side panel: players, status, evaluation, and the moves or the review.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use papan_catalog::review::score_for_first;
use papan_catalog::{PlayerSpec, opening, user_book};
use papan_rules::{Move, Player, SwapStep};
use papan_strategies::Candidate;
use papan_view::messages::{self, strategy_name};
use papan_view::{ForcedWin, explain, score, text_board, threats};

use super::{curve, move_list};
use crate::analysis::{self, Analysis};
use crate::clock::face;
use crate::game::{Annotation, Game, RunningJob};
use crate::layout;
use crate::state::State;
use crate::text;
use crate::tree::NodeId;

/// Draws the panel.
pub(super) fn render(state: &State, area: Rect, buffer: &mut Buffer) {
    let Some(game) = &state.game else { return };
    let above = above(state, game, usize::from(area.width) - 1);
    for (line, y) in above.iter().zip(area.top()..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
    let list = list_area(area, above.len());
    let lines = match game.review {
        Some(chosen) => move_list::review(state, game, chosen, usize::from(list.height)),
        None => move_list::moves(state, game, usize::from(list.height)),
    };
    for (line, y) in lines.into_iter().zip(list.top()..list.bottom()) {
        line.render(Rect::new(list.x, y, list.width, 1), buffer);
    }
}

fn list_area(area: Rect, above: usize) -> Rect {
    let above = (above as u16).min(area.height);
    Rect::new(area.x, area.y + above, area.width, area.height - above)
}

/// Returns the lines above the move list.
fn above(state: &State, game: &Game, width: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Player::BOTH
        .map(|player| seat(state, game, player, width))
        .into();
    lines.push(Line::default());
    lines.extend(status(state, game, width));
    if let Some(name) = opening(game.line()).filter(|_| game.setup.is_none()) {
        let text = state.messages().with("opening", [("name", name.into())]);
        let dim = state.theme().dim();
        let wrapped = wrapped(&text, width).into_iter();
        lines.extend(wrapped.map(|line| Line::styled(line, dim)));
        lines.push(Line::default());
    }
    let dim = state.theme().dim();
    for text in book_and_threats(state, game) {
        let wrapped = wrapped(&text, width).into_iter();
        lines.extend(wrapped.map(|line| Line::styled(line, dim)));
    }
    if state.settings.evaluation {
        lines.extend(evaluation(state, game, width));
    }
    lines.extend(under_the_cursor(state, game, width));
    lines
}

/// Formats a player: turn marker, piece, name, discs, clock.
fn seat(state: &State, game: &Game, player: Player, width: usize) -> Line<'static> {
    let messages = state.messages();
    let turn = game.setup.as_ref().map_or(game.actor(), |s| s.turn);
    let to_move = turn == player && game.outcome().is_none();
    let side = text::side(state, player);
    // X and O are the names of their sides; discs need one.
    let named = side == piece(state, game, player);
    let name = match game.player(player) {
        PlayerSpec::Human if game.sole_human() == Some(player) => messages.text("board-you"),
        _ if game.analysing && named => String::new(),
        PlayerSpec::Human if named => messages.text("strategy-human"),
        PlayerSpec::Strategy(spec) if !game.analysing => strategy_name(messages, spec),
        _ => side,
    };
    let mut right = String::new();
    if game.rules.properties().score_unit.is_discs() {
        right += &format!("{:>3}", game.board().counts[player.index()]);
    }
    if let Some(clock) = &game.clock {
        right += &format!(" {:>6}", face(clock.left(player, state.now)));
    }
    let room = width.saturating_sub(5 + right.chars().count());
    let name: String = name.chars().take(room).collect();
    Line::from(vec![
        Span::raw(if to_move { "> " } else { "  " }),
        Span::styled(
            piece(state, game, player),
            state.theme().piece_on(game.rules.pieces(), player),
        ),
        Span::styled(
            format!(" {name:<room$} "),
            if to_move {
                state.theme().heading()
            } else {
                Style::new()
            },
        ),
        Span::raw(right),
    ])
}

/// Returns a player's piece as the board draws it.
pub(super) fn piece(state: &State, game: &Game, player: Player) -> String {
    let style = text_board::Style {
        ascii: state.ascii(),
        colour: false,
        marks: state.settings.marks,
    };
    style.piece(game.rules.pieces(), player).to_string()
}

/// Returns the result, or the status of the running game.
fn status(state: &State, game: &Game, width: usize) -> Vec<Line<'static>> {
    let messages = state.messages();
    if let Some(outcome) = game.outcome() {
        let text = text::headline(state, game, outcome);
        return vec![
            Line::styled(text, state.theme().heading()),
            Line::styled(messages.text("board-after-the-game"), state.theme().dim()),
            Line::default(),
        ];
    }
    let mut lines = Vec::new();
    if let Some(thinking) = &game.player_job {
        let name = thinking.strategy.info().name;
        let text = messages.with("board-thinks", [("player", name.into())]);
        lines.push(Line::from(text));
        lines.extend(progress(state, game, thinking, width));
    } else if game.line().legal_moves() == [Move::PASS] {
        let side = text::side(state, game.turn());
        let text = messages.with("board-must-pass", [("side", side.into())]);
        lines.extend(wrapped(&text, width).into_iter().map(Line::from));
    } else {
        let key = match (
            game.sole_human() == Some(game.actor()),
            game.human_may_move(),
        ) {
            (true, _) => "board-your-turn",
            (_, true) => "board-side-to-move",
            _ => "board-waits",
        };
        let side = text::side(state, game.turn());
        lines.push(Line::from(messages.with(key, [("side", side.into())])));
        lines.extend(swap_opening(state, game));
        lines.extend(advice(state, game, width));
    }
    lines.resize_with(lines.len().max(2), Line::default);
    lines.push(Line::default());
    lines
}

/// Returns the task of the player in a swap opening.
fn swap_opening(state: &State, game: &Game) -> Option<Line<'static>> {
    let text = match game.swap_step() {
        SwapStep::Over => return None,
        SwapStep::Choose { .. } => text::choices(state, game),
        SwapStep::Place { left, .. } => state
            .messages()
            .with("board-swap-place", [("left", left.to_string().into())]),
    };
    Some(Line::styled(text, state.theme().heading()))
}

/// Formats a running search: its depth, its score, and as many moves of its principal variation as
/// fit.
fn progress(state: &State, game: &Game, job: &RunningJob, width: usize) -> Option<Line<'static>> {
    let progress = job.progress.as_ref()?;
    let depth = ("depth", progress.depth.to_string().into());
    let nodes = messages::count(progress.nodes);
    let mut text = state
        .messages()
        .with("board-progress", [depth.clone(), ("nodes", nodes.into())]);
    let score = progress.score.map(|now| score::short(now, state.ascii()));
    let moves = progress.pv.iter().map(|&mv| game.rules.show_move(mv));
    let line: Vec<String> = score.into_iter().chain(moves.take(6)).collect();
    let fits = |text: &str, part: &str| text.chars().count() + 1 + part.chars().count() <= width;
    // The nodes are left out where they would displace the score and the first move.
    if !fits(
        &text,
        &line.iter().take(2).cloned().collect::<Vec<_>>().join(" "),
    ) {
        text = state.messages().with("progress-depth", [depth]);
    }
    for part in line {
        if !fits(&text, &part) {
            break;
        }
        text = format!("{text} {part}");
    }
    Some(Line::styled(text, state.theme().dim()))
}

/// Formats the search of the advisor or the explainer while a person is to move: the best move with
/// the number on its cell and the whole best line where numbers are shown, otherwise depth and
/// nodes.
fn advice(state: &State, game: &Game, width: usize) -> Vec<Line<'static>> {
    let dim = state.theme().dim();
    let messages = state.messages();
    let node = game.tree.current();
    let shows_scores = game.annotation == Annotation::Scores && game.setup.is_none();
    let analysis = game.tree.node(node).analysis.as_ref();
    let analysis = analysis.filter(|_| shows_scores || game.hint == Some(node));
    let known = |analysis: &Analysis| {
        let best = analysis.insight.best?;
        Some((best, analysis.score(best)?))
    };
    if let Some((analysis, (best, score))) = analysis.and_then(|a| Some((a, known(a)?))) {
        let score = score::short(score, state.ascii());
        let values = [
            ("move", game.rules.show_move(best).into()),
            ("score", score.into()),
        ];
        let mut text = messages.with("board-best", values);
        let running = game.advisor_job.as_ref().filter(|job| job.node == node);
        let searching = || Some(running?.progress.as_ref()?.depth.to_string());
        if let Some(depth) = analysis.depth.clone().or_else(searching) {
            let depth = messages.with("progress-depth", [("depth", depth.into())]);
            text = format!("{text} ({depth})");
        }
        let mut lines = wrapped(&text, width);
        // The rest of the best line; its first move is the best one.
        let rest = analysis.insight.pv.iter().skip(1);
        let moves: Vec<String> = rest.map(|&mv| game.rules.show_move(mv)).collect();
        if analysis.insight.pv.first() == Some(&best) && !moves.is_empty() {
            lines.extend(wrapped(&moves.join(" "), width));
        }
        lines.extend(other_lines(state, game, analysis, width));
        return lines
            .into_iter()
            .map(|line| Line::styled(line, dim))
            .collect();
    }
    let Some(job) = game.explainer_job.as_ref().or(game.advisor_job.as_ref()) else {
        return Vec::new();
    };
    let text = match &job.progress {
        Some(progress) => messages.with(
            "board-progress",
            [
                ("depth", progress.depth.to_string().into()),
                ("nodes", messages::count(progress.nodes).into()),
            ],
        ),
        None => messages.with(
            "board-judges",
            [("player", job.strategy.info().name.into())],
        ),
    };
    vec![Line::styled(text, dim)]
}

/// Formats the lines beside the best one, as far as they fit in a row each, and the speed of the
/// search. They are shown with the numbers on the cells.
fn other_lines(state: &State, game: &Game, analysis: &Analysis, width: usize) -> Vec<String> {
    if game.annotation != Annotation::Scores {
        return Vec::new();
    }
    let mut texts = Vec::new();
    for line in &analysis.lines {
        let mut text = score::short(line.score, state.ascii());
        for &mv in &line.moves {
            let next = format!("{text} {}", game.rules.show_move(mv));
            if next.chars().count() > width {
                break;
            }
            text = next;
        }
        texts.push(text);
    }
    // The speed of a shorter search says nothing.
    if analysis.time >= Duration::from_secs(1) {
        let per_second = analysis.nodes as f64 / analysis.time.as_secs_f64().max(1e-3);
        let values = [
            ("nodes", messages::count(analysis.nodes).into()),
            ("speed", messages::count(per_second as u64).into()),
        ];
        texts.push(state.messages().with("board-search-speed", values));
    }
    texts
}

/// Returns the book moves and the threats of a position that is analysed.
fn book_and_threats(state: &State, game: &Game) -> Vec<String> {
    let messages = state.messages();
    if game.annotation != Annotation::Scores && !game.analysing || game.setup.is_some() {
        return Vec::new();
    }
    let mut texts = Vec::new();
    let book = user_book::moves_of(game.line());
    if !book.is_empty() {
        let moves = book.into_iter().map(|(mv, value)| {
            let value = score::short(value, state.ascii());
            format!("{} {value}", game.rules.show_move(mv))
        });
        let moves = moves.collect::<Vec<_>>().join(", ");
        texts.push(messages.with("board-book", [("moves", moves.into())]));
    }
    let threats = threats::of(game.line());
    texts.extend(threats::texts(messages, &game.rules, &threats));
    texts
}

fn evaluation(state: &State, game: &Game, width: usize) -> Vec<Line<'static>> {
    let messages = state.messages();
    let (ascii, theme) = (state.ascii(), state.theme());
    let path = game.tree.path();
    let mut line = game.tree.line_to(path[0]);
    let mut values = Vec::new();
    let mut here = 0;
    let mut now = None;
    for &id in &path {
        let node = game.tree.node(id);
        if let Some(mv) = node.mv
            && line.play(mv).is_err()
        {
            break;
        }
        let score = score_for_first(&*line, node.analysis.as_ref().map(|a| &a.insight));
        if id == game.tree.current() {
            here = values.len();
            now = score;
        }
        values.push(score.map(analysis::on_bar));
    }
    let value = now.map(analysis::on_bar);
    let text = now.map_or_else(String::new, |now| score::short(now, ascii));
    let bar_width = width.saturating_sub(8);
    let mut spans = vec![Span::raw(format!("{:<5} ", text))];
    spans.extend(curve::bar(value, bar_width, ascii, theme));
    let heading = messages.with(
        "board-evaluation",
        [("side", text::side(state, Player::First).into())],
    );
    let mut lines = vec![Line::styled(heading, theme.heading()), Line::from(spans)];
    let height = if state.size.1 >= 36 { 7 } else { 3 };
    lines.extend(curve::curve(
        &values,
        here,
        (width - 1, height),
        ascii,
        theme,
    ));
    lines
}

/// Returns the numbers of the cell under the cursor, and the lines through it.
fn under_the_cursor(state: &State, game: &Game, width: usize) -> Vec<Line<'static>> {
    let messages = state.messages();
    let mv = Move::on(game.cursor);
    let node = game.tree.current();
    let mut texts = Vec::new();
    let sides = game.rules.shape().sides().len();
    if sides > 2 && game.setup.is_none() {
        texts.push(lines_through(state, game));
    }
    match game.annotation {
        Annotation::Reasons => {
            let reasons = game.reasons.as_ref().filter(|r| r.node == node);
            let candidates = reasons.map_or(&[][..], |r| &r.decision.candidates);
            let win = reasons.and_then(|r| ForcedWin::of(game.line(), &r.decision));
            match win {
                Some(win) => texts.push(win.text(&game.rules, messages)),
                None => texts.extend(legend(state, candidates)),
            }
            if let Some(candidate) = candidates.iter().find(|c| c.mv == mv) {
                let terms = explain::terms(candidate, messages, state.ascii());
                let name = game.rules.show_move(mv);
                texts.push(format!("{name}: {terms}"));
            }
        }
        Annotation::Scores => {
            let analysis = game.tree.node(node).analysis.as_ref();
            if let Some(score) = analysis.and_then(|a| a.score(mv)) {
                let name = game.rules.show_move(mv);
                let score = score::text(score, messages);
                texts.push(format!("{name}: {score}"));
            }
        }
        Annotation::None => {}
    }
    let mut lines: Vec<Line<'static>> = texts
        .iter()
        .flat_map(|text| wrapped(text, width))
        .map(|text| Line::styled(text, state.theme().annotation()))
        .collect();
    if !lines.is_empty() {
        lines.push(Line::default());
    }
    lines
}

/// Returns the names of the numbers on the cells, in their order: `cd/ca`.
fn legend(state: &State, candidates: &[Candidate]) -> Option<String> {
    let terms = candidates.iter().find_map(|candidate| {
        let reasons = explain::short(candidate, state.messages(), state.ascii());
        let terms: Option<Vec<&str>> = reasons.iter().map(|reason| reason.term).collect();
        terms.filter(|terms| !terms.is_empty())
    })?;
    let messages = state.messages();
    let names: Vec<String> = terms
        .iter()
        .map(|term| explain::heading(term, messages))
        .collect();
    let legend = messages.with("board-legend", [("terms", names.join("/").into())]);
    let meanings = terms.iter().filter_map(|term| {
        let key = format!("term-about-{term}");
        messages.has(&key).then(|| messages.text(&key))
    });
    let parts: Vec<String> = std::iter::once(legend).chain(meanings).collect();
    Some(parts.join(" "))
}

/// Counts the winning lines through the cursor, and those still open to each player.
fn lines_through(state: &State, game: &Game) -> String {
    let lines = game.rules.winning_lines_through(game.cursor);
    let open = |player: Player| {
        let free = |cell: &usize| game.line().piece(*cell) != Some(player.other());
        lines.iter().filter(|line| line.iter().all(free)).count()
    };
    state.messages().with(
        "board-lines-through",
        [
            ("cell", game.rules.show_move(Move::on(game.cursor)).into()),
            ("lines", lines.len().to_string().into()),
            ("first", text::side(state, Player::First).into()),
            ("first-open", open(Player::First).to_string().into()),
            ("second", text::side(state, Player::Second).into()),
            ("second-open", open(Player::Second).to_string().into()),
        ],
    )
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is always a line");
        let long = last.chars().count() + 1 + word.chars().count();
        if last.is_empty() {
            *last = word.into();
        } else if long <= width {
            *last += &format!(" {word}");
        } else {
            lines.push(word.into());
        }
    }
    lines
}

/// Returns the position whose move is at a screen position.
#[must_use]
pub(crate) fn node_at(state: &State, x: u16, y: u16) -> Option<NodeId> {
    let game = state.game.as_ref().filter(|t| t.review.is_none())?;
    let (screen, _) = layout::screen(&game.rules, state.size)?;
    let area = screen.panel?;
    let list = list_area(area, above(state, game, usize::from(area.width) - 1).len());
    let inside = list.contains((x, y).into());
    let place = inside.then(|| (usize::from(x - list.x), usize::from(y - list.y)))?;
    move_list::node_at(game, usize::from(list.height), place)
}
