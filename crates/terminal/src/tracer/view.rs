//! View of the stepper.

use papan_rules::sanitize;
use papan_view::text_board::{self, Style as BoardStyle};
use papan_view::{BoardView, Marks, Messages, trace, tree_text};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::Appearance;
use super::stepper::Stepper;
use crate::theme::Theme;

/// Rows of the tree that stay visible beside a large board.
const MIN_TREE: u16 = 5;

/// Draws the stepper.
pub(super) fn draw(stepper: &Stepper, appearance: Appearance, theme: Theme, frame: &mut Frame<'_>) {
    let messages = appearance.messages;
    let board = board(stepper, appearance);
    let width = board.iter().map(|row| Line::raw(row).width()).max();
    let code = code(stepper, messages, theme);
    let rows = frame.area().height;
    let top = board.len().max(code.len()) as u16 + 1;
    let top = top.min(rows.saturating_sub(MIN_TREE + 5)).max(3);
    // A prediction has a line of its own.
    let said = if stepper.predictions().is_some() {
        3
    } else {
        2
    };
    let keys = Line::styled(keys(stepper, messages), theme.dim());
    let footer = if keys.width() > usize::from(frame.area().width) {
        2
    } else {
        1
    };
    let [title, upper, event, tree, footer] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(top),
        Constraint::Length(said),
        Constraint::Fill(1),
        Constraint::Length(footer),
    ])
    .areas(frame.area());
    let left = width.unwrap_or(0) as u16 + 4;
    let [board_area, code_area] =
        Layout::horizontal([Constraint::Length(left), Constraint::Fill(1)]).areas(upper);
    let heading = Span::styled(heading(stepper, messages), theme.heading());
    frame.render_widget(Line::from(heading), title);
    let board: Vec<Line<'_>> = board.into_iter().map(Line::from).collect();
    frame.render_widget(Paragraph::new(board), board_area);
    let keys = Paragraph::new(keys).wrap(Wrap { trim: true });
    frame.render_widget(keys, footer);
    if stepper.asks() {
        question(stepper, messages, theme, event, frame);
        return;
    }
    frame.render_widget(Paragraph::new(code), code_area);
    frame.render_widget(
        Paragraph::new(event_lines(stepper, appearance, theme)),
        event,
    );
    let components = components(stepper, messages);
    if stepper.shows_components() && !components.is_empty() {
        let lines: Vec<Line<'_>> = components.into_iter().map(Line::raw).collect();
        frame.render_widget(Paragraph::new(lines), tree);
    } else {
        draw_tree(stepper, appearance, theme, tree, frame);
    }
}

fn components(stepper: &Stepper, messages: Messages) -> Vec<String> {
    let run = stepper.run();
    trace::components(run.algorithm, &run.strategy, messages)
}

fn heading(stepper: &Stepper, messages: Messages) -> String {
    let run = stepper.run();
    let name = format!("{}, {}", run.line.game().name(), stepper.strategy());
    if stepper.asks() {
        return sanitize(&name).into_owned();
    }
    let values = [
        ("number", (stepper.at() + 1).to_string().into()),
        ("count", run.trace.steps.len().to_string().into()),
    ];
    let step = messages.with("web-trace-step", values);
    sanitize(&format!("{name}: {step}")).into_owned()
}

fn board(stepper: &Stepper, appearance: Appearance) -> Vec<String> {
    let run = stepper.run();
    let line = if stepper.asks() {
        run.line.clone_line()
    } else {
        run.line_at(stepper.at())
    };
    let style = BoardStyle {
        ascii: appearance.ascii,
        colour: false,
        marks: Marks::deciding(&*run.line, &run.strategy),
    };
    let text = text_board::draw(&BoardView::of(&*line), style, appearance.messages);
    text.lines().map(str::to_owned).collect()
}

/// Returns the pseudo-code, with the current line marked.
fn code(stepper: &Stepper, messages: Messages, theme: Theme) -> Vec<Line<'static>> {
    let run = stepper.run();
    let current = run.step(stepper.at()).code;
    let line = |line: trace::CodeLine| {
        let text = format!("{:>2} {}", line.number, line.text);
        if line.number == current {
            Line::styled(format!("> {text}"), theme.cursor())
        } else {
            Line::raw(format!("  {text}"))
        }
    };
    trace::pseudo_code(run.algorithm, &run.strategy, messages)
        .into_iter()
        .map(line)
        .collect()
}

/// Returns what happens, and the numbers of the step.
fn event_lines(stepper: &Stepper, appearance: Appearance, theme: Theme) -> Vec<Line<'static>> {
    let (messages, ascii) = (appearance.messages, appearance.ascii);
    let run = stepper.run();
    let game = run.line.game();
    let step = run.step(stepper.at());
    let mut lines = Vec::new();
    if let Some(verdict) = verdict(stepper, messages) {
        lines.push(Line::styled(verdict, theme.best()));
    }
    let event = trace::event(&game, step, messages, ascii);
    lines.push(Line::styled(event, theme.heading()));
    let facts = trace::facts(run, stepper.at(), messages, ascii);
    let facts: Vec<String> = facts
        .into_iter()
        .map(|fact| format!("{} {}", fact.name, fact.value))
        .collect();
    lines.push(Line::raw(facts.join("   ")));
    lines
}

/// Returns whether the prediction was right, with the score.
pub(super) fn verdict(stepper: &Stepper, messages: Messages) -> Option<String> {
    let predictions = stepper.predictions()?;
    let (run, guess) = (stepper.run(), predictions.guess?);
    let game = run.line.game();
    let Some(choice) = run.trace.choice() else {
        let is_cut_short = run.trace.is_cut_short;
        let key = if is_cut_short {
            "predict-unknown"
        } else {
            "predict-none"
        };
        return Some(messages.text(key));
    };
    let key = if guess == choice {
        "predict-right"
    } else {
        "predict-wrong"
    };
    let values = [
        ("guess", game.show_move(guess).into()),
        ("move", game.show_move(choice).into()),
    ];
    let score = [
        ("right", predictions.right.to_string().into()),
        ("asked", predictions.asked.to_string().into()),
    ];
    let sentence = messages.with(key, values);
    Some(format!(
        "{sentence} {}",
        messages.with("predict-score", score)
    ))
}

/// Draws the tree, scrolled so that the current position is in sight.
fn draw_tree(
    stepper: &Stepper,
    appearance: Appearance,
    theme: Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) {
    let run = stepper.run();
    let game = run.line.game();
    let root = run.tree(stepper.at(), &[]);
    let rows = tree_text::rows(&game, &root, appearance.messages, appearance.ascii);
    let path = &run.step(stepper.at()).path;
    let current = rows.iter().position(|row| row.path == *path).unwrap_or(0);
    let height = usize::from(area.height);
    let first = current
        .saturating_sub(height / 2)
        .min(rows.len().saturating_sub(height));
    let lines: Vec<Line<'_>> = rows
        .into_iter()
        .enumerate()
        .skip(first)
        .take(height)
        .map(|(at, row)| {
            if at == current {
                Line::styled(row.text, theme.cursor())
            } else {
                Line::raw(row.text)
            }
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), area);
}

fn question(
    stepper: &Stepper,
    messages: Messages,
    theme: Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) {
    let values = [("strategy", stepper.strategy().into())];
    let mut asked = messages.with("predict-question", values);
    let Some(predictions) = stepper.predictions() else {
        return;
    };
    if predictions.asked > 0 {
        let score = [
            ("right", predictions.right.to_string().into()),
            ("asked", predictions.asked.to_string().into()),
        ];
        asked = format!("{asked} {}", messages.with("predict-score", score));
    }
    let typed = format!("> {}", sanitize(&predictions.typed));
    let second = if predictions.is_wrong {
        Line::styled(messages.text("trace-key-no-move"), theme.wrong())
    } else {
        Line::raw(typed)
    };
    let lines = vec![Line::styled(asked, theme.heading()), second];
    frame.render_widget(Paragraph::new(lines), area);
}

fn keys(stepper: &Stepper, messages: Messages) -> String {
    if stepper.asks() {
        return messages.text("trace-keys-predict");
    }
    let mut keys = vec![messages.text("trace-keys-step")];
    let algorithm = stepper.run().algorithm;
    if algorithm.is_search() {
        keys.push(messages.text("trace-keys-over"));
    }
    if algorithm.prunes() {
        keys.push(messages.text("trace-keys-cut"));
    }
    if !components(stepper, messages).is_empty() {
        keys.push(messages.text("trace-keys-components"));
    }
    keys.push(messages.text("trace-keys-back"));
    let keys = keys.join("  ");
    if stepper.has_next() {
        format!("{} {keys}", messages.text("trace-keys-next"))
    } else {
        keys
    }
}

#[cfg(test)]
mod tests {
    use papan_catalog::AnyGame;
    use papan_catalog::trace::{TraceRequest, trace};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::state::drawn_size;

    fn stepper(game: &str, strategy: &str, predicts: bool) -> Stepper {
        let game: AnyGame = game.parse().unwrap();
        let request = TraceRequest {
            strategy: strategy.parse().unwrap(),
            shown: 3,
            steps: 200,
            nodes: 1000,
            playouts: 2,
            seed: 0,
        };
        let run = trace(&*game.line(), &request).unwrap();
        Stepper::new(run, request, predicts)
    }

    /// Draws the stepper in a window that claims this size, and returns the number of cells.
    fn cells(stepper: &Stepper, claimed: (u16, u16)) -> usize {
        let (columns, rows) = drawn_size(claimed);
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let appearance = Appearance {
            messages: Messages::default(),
            ascii: false,
            colour: true,
        };
        terminal
            .draw(|frame| draw(stepper, appearance, Theme::default(), frame))
            .unwrap();
        terminal.backend().buffer().content().len()
    }

    #[test]
    fn no_window_is_too_small_or_too_large_to_draw() {
        for (game, strategy) in [
            ("tictactoe", "alphabeta"),
            ("othello", "alphabeta(depth=1)"),
            ("tictactoe:20x20:5", "greedy"),
        ] {
            for predicts in [false, true] {
                let stepper = stepper(game, strategy, predicts);
                for columns in [0, 1, 3, 20, 80, 200] {
                    for rows in (0..8).chain([12, 24, 60]) {
                        let drawn = cells(&stepper, (columns, rows));
                        assert_eq!(drawn, usize::from(columns) * usize::from(rows));
                    }
                }
                // A terminal may claim any size; no memory is allocated for all of it.
                for claimed in [(5000, 5000), (u16::MAX, u16::MAX), (u16::MAX, 0)] {
                    assert!(cells(&stepper, claimed) <= 400_000);
                }
            }
        }
    }
}
