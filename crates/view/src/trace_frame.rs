//! Frames of a traced run for slides: the board, the pseudo-code with the current line, the numbers of
//! the step, and the tree.

use papan_catalog::trace::TracedRun;

use crate::drawing::{Drawing, SmallBoard, text_width};
use crate::tree_drawing::{self, TreeKind, TreeStyle};
use crate::{Marks, Messages, trace};

/// The size of the smallest frame, so that most frames of a run have the same.
const SIZE: (f64, f64) = (960.0, 600.0);
/// Where the parts begin.
const BOARD: (f64, f64) = (24.0, 64.0);
const CODE: (f64, f64) = (330.0, 64.0);
/// Height of a line of text.
const LINE: f64 = 18.0;
/// Maximum side of a board.
const MAX_BOARD: f64 = 270.0;

/// Draws a step of a run.
#[must_use]
pub fn draw(run: &TracedRun, at: usize, strategy: &str, messages: Messages) -> Drawing {
    let game = run.line.game();
    let step = run.step(at);
    let title = format!(
        "{}, {strategy}: {}/{}",
        game.name(),
        at + 1,
        run.trace.steps.len()
    );
    let mut frame = Drawing::new(&title);
    frame.rect(0.0, 0.0, SIZE.0, SIZE.1, "paper");
    frame.text_from(24.0, 28.0, 16.0, "strong", &title);
    let event = trace::event(&game, step, messages, false);
    let path = match &step.path[..] {
        [] => String::new(),
        path => format!("{}: ", game.show_moves(path)),
    };
    frame.text_from(24.0, 50.0, 13.0, "", &format!("{path}{event}"));
    let below = draw_board(&mut frame, run, at);
    for (row, fact) in trace::facts(run, at, messages, false).iter().enumerate() {
        let y = below + 26.0 + row as f64 * LINE;
        frame.text_from(BOARD.0, y, 12.0, "note", &fact.name);
        frame.text_from(BOARD.0 + 110.0, y, 12.0, "strong", &fact.value);
    }
    let below = draw_code(&mut frame, run, step.code, messages);
    let below = draw_components(&mut frame, run, below, messages);
    let root = run.tree(at, &[]);
    let name = messages.text("web-trace-tree");
    let style = TreeStyle {
        game: &game,
        marks: Marks::deciding(&*run.line, &run.strategy),
        title: &name,
        kind: TreeKind::of(strategy),
        current: Some(&step.path),
        link: None,
    };
    let tree = tree_drawing::draw(&root, &style, messages);
    frame.add(&tree, (CODE.0 - 16.0, below + 6.0));
    frame
}

/// Draws the position of a step, and returns where it ends.
fn draw_board(frame: &mut Drawing, run: &TracedRun, at: usize) -> f64 {
    let line = run.line_at(at);
    let game = line.game();
    let cells: Vec<_> = (0..game.cells()).map(|cell| line.piece(cell)).collect();
    let board = SmallBoard {
        sides: game.shape().sides(),
        cells: &cells,
        pieces: game.pieces(),
        marks: Marks::deciding(&*run.line, &run.strategy),
        last: line.moves().last().and_then(|mv| mv.cell()),
    };
    let unit = board.size(1.0);
    let side = (MAX_BOARD / unit.0.max(unit.1)).min(60.0);
    board.draw(frame, BOARD, side, "");
    if side >= 20.0 {
        for cell in (0..cells.len()).filter(|&cell| cells[cell].is_none()) {
            let (x, y) = board.corner(BOARD, side, cell);
            let name = game.show_move(papan_rules::Move::on(cell));
            let size = (side * 0.3).min(12.0);
            frame.text(
                x + side / 2.0,
                y + side / 2.0 + size * 0.35,
                size,
                "note",
                &name,
            );
        }
    }
    BOARD.1 + board.size(side).1
}

/// Writes the pseudo-code, and returns where it ends.
fn draw_code(frame: &mut Drawing, run: &TracedRun, current: u8, messages: Messages) -> f64 {
    let code = trace::pseudo_code(run.algorithm, &run.strategy, messages);
    let widest = code.iter().map(|line| text_width(&line.text, 12.0));
    let width = widest.fold(0.0, f64::max) + 40.0;
    for (row, line) in code.iter().enumerate() {
        let y = CODE.1 + 12.0 + row as f64 * LINE;
        let class = if line.number == current {
            frame.rect(CODE.0 - 6.0, y - 13.0, width, LINE, "line");
            "strong"
        } else {
            ""
        };
        frame.text_from(CODE.0, y, 12.0, "note", &line.number.to_string());
        let x = CODE.0 + 24.0 + line.level() as f64 * 16.0;
        frame.text_from(x, y, 12.0, class, line.statement());
    }
    CODE.1 + code.len() as f64 * LINE
}

/// Writes the six components of the algorithm, if it has them, and returns where they end.
fn draw_components(frame: &mut Drawing, run: &TracedRun, from: f64, messages: Messages) -> f64 {
    let components = trace::components(run.algorithm, &run.strategy, messages);
    for (row, component) in components.iter().enumerate() {
        let y = from + 16.0 + row as f64 * LINE;
        frame.text_from(CODE.0 + 24.0, y, 11.0, "note", component);
    }
    from + components.len() as f64 * LINE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use papan_catalog::AnyGame;
    use papan_catalog::trace::TraceRequest;

    #[test]
    fn a_frame_has_the_step_the_code_and_the_tree() {
        for language in Language::ALL {
            let messages = Messages::new(language);
            for (name, strategy) in [
                ("tictactoe", "alphabeta"),
                ("tictactoe", "branch-and-bound"),
                ("tictactoe", "mcts(playouts=3)"),
                ("othello", "alphabeta(depth=2)"),
                ("tictactoe:15x15:5", "greedy"),
            ] {
                let game: AnyGame = name.parse().unwrap();
                let request = TraceRequest {
                    strategy: strategy.parse().unwrap(),
                    shown: 2,
                    steps: 60,
                    nodes: 1_000_000,
                    playouts: 5,
                    seed: 0,
                };
                let run = papan_catalog::trace::trace(&*game.line(), &request).unwrap();
                for at in [0, 1, run.trace.steps.len() - 1] {
                    let svg = draw(&run, at, strategy, messages).svg();
                    let text = trace::event(&game, run.step(at), messages, false);
                    let text = crate::escape_xml(&text);
                    assert!(svg.contains(&text), "{name} {strategy}: {text}");
                    assert_eq!(svg.matches("class=\"line\"").count(), 1);
                    let components = trace::components(run.algorithm, &run.strategy, messages);
                    for component in components {
                        assert!(svg.contains(&crate::escape_xml(&component)), "{component}");
                    }
                    let marks = svg.matches("class=\"current\"").count();
                    assert_eq!(marks, 1, "{name} {strategy} step {at}");
                }
            }
        }
    }
}
