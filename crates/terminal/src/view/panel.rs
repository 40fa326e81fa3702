//! The panel beside the board: who plays, what they think, the evaluation, the
//! moves or the review.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use papan_catalog::review::score_for_first;
use papan_catalog::{PlayerSpec, opening};
use papan_rules::{Move, Outcome, Player};
use papan_strategies::Candidate;
use papan_view::messages::{self, strategy_name};
use papan_view::{ForcedWin, explain, score, text_board};

use super::{curve, geometry, move_list};
use crate::analysis;
use crate::clock::face;
use crate::state::State;
use crate::table::{Annotation, Table, Thinking};
use crate::tree::NodeId;
use crate::wording;

/// Draws the panel.
pub(super) fn render(state: &State, area: Rect, buffer: &mut Buffer) {
    let Some(table) = &state.table else { return };
    let above = above(state, table, usize::from(area.width) - 1);
    for (line, y) in above.iter().zip(area.top()..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
    let list = list_area(area, above.len());
    let lines = match table.review {
        Some(chosen) => move_list::review(state, table, chosen, usize::from(list.height)),
        None => move_list::moves(state, table, usize::from(list.height)),
    };
    for (line, y) in lines.into_iter().zip(list.top()..list.bottom()) {
        line.render(Rect::new(list.x, y, list.width, 1), buffer);
    }
}

fn list_area(area: Rect, above: usize) -> Rect {
    let above = (above as u16).min(area.height);
    Rect::new(area.x, area.y + above, area.width, area.height - above)
}

/// Everything above the list of moves.
fn above(state: &State, table: &Table, width: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Player::BOTH
        .map(|player| seat(state, table, player, width))
        .into();
    lines.push(Line::default());
    lines.extend(status(state, table, width));
    if let Some(name) = opening(table.line()).filter(|_| table.setup.is_none()) {
        let text = state.words().with("opening", [("name", name.into())]);
        let dim = state.theme().dim();
        let wrapped = wrapped(&text, width).into_iter();
        lines.extend(wrapped.map(|line| Line::styled(line, dim)));
        lines.push(Line::default());
    }
    if state.settings.evaluation {
        lines.extend(evaluation(state, table, width));
    }
    lines.extend(under_the_cursor(state, table, width));
    lines
}

/// One player: whose turn it is, the piece, the name, discs, the clock.
fn seat(state: &State, table: &Table, player: Player, width: usize) -> Line<'static> {
    let words = state.words();
    let turn = table.setup.as_ref().map_or(table.turn(), |s| s.turn);
    let to_move = turn == player && table.outcome().is_none();
    let side = wording::side(state, player);
    // A letter is its side's name already; a disc needs it.
    let named = side == piece(state, table, player);
    let name = match table.player(player) {
        PlayerSpec::Human if table.only_person() == Some(player) => words.text("board-you"),
        _ if table.analysing && named => String::new(),
        PlayerSpec::Human if named => words.text("strategy-human"),
        PlayerSpec::Strategy(spec) if !table.analysing => strategy_name(words, spec),
        _ => side,
    };
    let mut right = String::new();
    if table.game.properties().score_unit.is_discs() {
        right += &format!("{:>3}", table.board().counts[player.index()]);
    }
    if let Some(clock) = &table.clock {
        right += &format!(" {:>6}", face(clock.left(player, state.now)));
    }
    let room = width.saturating_sub(5 + right.chars().count());
    let name: String = name.chars().take(room).collect();
    Line::from(vec![
        Span::raw(if to_move { "> " } else { "  " }),
        Span::styled(piece(state, table, player), state.theme().piece(player)),
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

/// A player's piece as the board draws it.
pub(super) fn piece(state: &State, table: &Table, player: Player) -> String {
    let style = text_board::Style {
        ascii: state.ascii(),
        colour: false,
        marks: state.settings.marks,
    };
    style.piece(table.game.pieces(), player).to_string()
}

/// The result, or what is going on.
fn status(state: &State, table: &Table, width: usize) -> Vec<Line<'static>> {
    let words = state.words();
    if let Some(outcome) = table.outcome() {
        let text = match (outcome, table.only_person()) {
            (Outcome::Draw, _) => words.text("draw"),
            (Outcome::Win(winner), Some(person)) if winner == person => words.text("you-win"),
            (Outcome::Win(_), Some(_)) => words.text("you-lose"),
            (Outcome::Win(winner), None) => {
                words.with("side-wins", [("side", wording::side(state, winner).into())])
            }
        };
        return vec![
            Line::styled(text, state.theme().heading()),
            Line::styled(words.text("board-after-the-game"), state.theme().dim()),
            Line::default(),
        ];
    }
    let mut lines = Vec::new();
    if let Some(thinking) = &table.thinking {
        let name = thinking.strategy.info().name;
        let text = words.with("board-thinks", [("player", name.into())]);
        lines.push(Line::from(text));
        lines.extend(progress(state, table, thinking, width));
    } else if table.line().legal_moves() == [Move::PASS] {
        let side = wording::side(state, table.turn());
        let text = words.with("board-must-pass", [("side", side.into())]);
        lines.extend(wrapped(&text, width).into_iter().map(Line::from));
    } else {
        let key = match (
            table.only_person() == Some(table.turn()),
            table.person_may_move(),
        ) {
            (true, _) => "board-your-turn",
            (_, true) => "board-side-to-move",
            _ => "board-waits",
        };
        let side = wording::side(state, table.turn());
        lines.push(Line::from(words.with(key, [("side", side.into())])));
        // Whoever judges the position moves nothing: it is still somebody's turn.
        if let Some(judge) = table.explaining.as_ref().or(table.advising.as_ref()) {
            lines.push(judging(state, table, judge, width));
        }
    }
    lines.resize_with(2, Line::default);
    lines.push(Line::default());
    lines
}

/// How far somebody has thought, who has told so.
fn progress(
    state: &State,
    table: &Table,
    thinking: &Thinking,
    width: usize,
) -> Option<Line<'static>> {
    let progress = thinking.progress.as_ref()?;
    let score = progress
        .score
        .map_or_else(String::new, |now| score::short(now, state.ascii()));
    let text = state.words().with(
        "board-progress",
        [
            ("depth", progress.depth.to_string().into()),
            ("nodes", messages::count(progress.nodes).into()),
            ("score", score.into()),
        ],
    );
    let pv = &progress.pv[..progress.pv.len().min(6)];
    let text = format!("{text} {}", table.game.show_moves(pv));
    let text: String = text.chars().take(width).collect();
    Some(Line::styled(text, state.theme().dim()))
}

/// Who judges the position that somebody is to move in.
fn judging(state: &State, table: &Table, judge: &Thinking, width: usize) -> Line<'static> {
    progress(state, table, judge, width).unwrap_or_else(|| {
        let name = judge.strategy.info().name;
        let text = state
            .words()
            .with("board-judges", [("player", name.into())]);
        Line::styled(text, state.theme().dim())
    })
}

fn evaluation(state: &State, table: &Table, width: usize) -> Vec<Line<'static>> {
    let words = state.words();
    let (ascii, theme) = (state.ascii(), state.theme());
    let path = table.tree.path();
    let mut line = table.tree.line_to(path[0]);
    let mut values = Vec::new();
    let mut here = 0;
    let mut now = None;
    for &id in &path {
        let node = table.tree.node(id);
        if let Some(mv) = node.mv
            && line.play(mv).is_err()
        {
            break;
        }
        let score = score_for_first(&*line, node.analysis.as_ref().map(|a| &a.insight));
        if id == table.tree.current() {
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
    let heading = words.with(
        "board-evaluation",
        [("side", wording::side(state, Player::First).into())],
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

/// The numbers of the cell under the cursor, and the lines through it.
fn under_the_cursor(state: &State, table: &Table, width: usize) -> Vec<Line<'static>> {
    let words = state.words();
    let mv = Move::on(table.cursor);
    let node = table.tree.current();
    let mut texts = Vec::new();
    let sides = table.game.shape().sides().len();
    if sides > 2 && table.setup.is_none() {
        texts.push(lines_through(state, table));
    }
    match table.annotation {
        Annotation::Reasons => {
            let reasons = table.reasons.as_ref().filter(|r| r.node == node);
            let candidates = reasons.map_or(&[][..], |r| &r.decision.candidates);
            let win = reasons.and_then(|r| ForcedWin::of(table.line(), &r.decision));
            match win {
                Some(win) => texts.push(win.text(&table.game, words)),
                None => texts.extend(legend(state, candidates)),
            }
            if let Some(candidate) = candidates.iter().find(|c| c.mv == mv) {
                let terms = explain::terms(candidate, words, state.ascii());
                let name = table.game.show_move(mv);
                texts.push(format!("{name}: {terms}"));
            }
        }
        Annotation::Scores => {
            let analysis = table.tree.node(node).analysis.as_ref();
            if let Some(score) = analysis.and_then(|a| a.score(mv)) {
                let name = table.game.show_move(mv);
                let score = score::text(score, words);
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

/// What the numbers on the cells are called, in their order: `cd/ca`.
fn legend(state: &State, candidates: &[Candidate]) -> Option<String> {
    let terms = candidates.iter().find_map(|candidate| {
        let reasons = explain::short(candidate, state.words(), state.ascii());
        let terms: Option<Vec<&str>> = reasons.iter().map(|reason| reason.term).collect();
        terms.filter(|terms| !terms.is_empty())
    })?;
    let words = state.words();
    let names: Vec<String> = terms
        .iter()
        .map(|term| explain::heading(term, words))
        .collect();
    let legend = words.with("board-legend", [("terms", names.join("/").into())]);
    let meanings = terms.iter().filter_map(|term| {
        let key = format!("term-about-{term}");
        words.has(&key).then(|| words.text(&key))
    });
    let parts: Vec<String> = std::iter::once(legend).chain(meanings).collect();
    Some(parts.join(" "))
}

/// How many winning lines lead through the cursor, and who can still win on them.
fn lines_through(state: &State, table: &Table) -> String {
    let lines = table.game.winning_lines_through(table.cursor);
    let open = |player: Player| {
        let free = |cell: &usize| table.line().piece(*cell) != Some(player.other());
        lines.iter().filter(|line| line.iter().all(free)).count()
    };
    state.words().with(
        "board-lines-through",
        [
            ("cell", table.game.show_move(Move::on(table.cursor)).into()),
            ("lines", lines.len().to_string().into()),
            ("first", wording::side(state, Player::First).into()),
            ("first-open", open(Player::First).to_string().into()),
            ("second", wording::side(state, Player::Second).into()),
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

/// The position whose move stands at a place of the screen.
#[must_use]
pub(crate) fn node_at(state: &State, x: u16, y: u16) -> Option<NodeId> {
    let table = state.table.as_ref().filter(|t| t.review.is_none())?;
    let (screen, _) = geometry::screen(&table.game, state.size)?;
    let area = screen.panel?;
    let list = list_area(area, above(state, table, usize::from(area.width) - 1).len());
    let inside = list.contains((x, y).into());
    let place = inside.then(|| (usize::from(x - list.x), usize::from(y - list.y)))?;
    move_list::node_at(table, usize::from(list.height), place)
}
