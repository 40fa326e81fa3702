//! Snapshot tests of every screen, in both languages and two sizes, as text: no information may be
//! conveyed by colour alone.

use crate::desk::Desk;
use crossterm::event::KeyCode;
use papan_terminal::{Message, snapshot};
use papan_view::Language;

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];

/// Compares a screen in both languages and both sizes.
fn check(name: &str, make: impl Fn(Desk) -> Desk) {
    for language in Language::ALL {
        for size in SIZES {
            let desk = make(Desk::new(language, size));
            let name = format!("{name}-{}-{}x{}", language.code(), size.0, size.1);
            insta::assert_snapshot!(name, desk.screen());
        }
    }
}

#[test]
fn the_start_page_offers_the_catalog() {
    check("start", |desk| desk);
    check("start-player", |mut desk| {
        for _ in 0..2 {
            desk.press(KeyCode::Up);
        }
        desk.press(KeyCode::Home);
        desk.press(KeyCode::Down);
        desk.press(KeyCode::Right);
        desk.press(KeyCode::Right);
        desk
    });
}

#[test]
fn tic_tac_toe_in_the_middle_of_a_game() {
    check("tictactoe", |desk| {
        desk.at("tictactoe", ["human", "perfect"], "5 1 9")
    });
}

#[test]
fn the_reasons_of_a_strategy_are_on_the_cells() {
    check("reasons", |desk| {
        let mut desk = desk.at("tictactoe", ["human", "branch-and-bound"], "5 1");
        desk.keys("xx");
        desk
    });
}

#[test]
fn othello_in_the_middle_of_a_game() {
    check("othello", |desk| {
        desk.at("othello", ["human", "human"], "f5d6c3d3c4f4f6")
    });
}

#[test]
fn a_large_board_names_its_rows_and_columns() {
    check("large", |desk| {
        desk.at("tictactoe:15x15:5", ["human", "human"], "h8 g7 i7 h6 m10")
    });
    check("largest", |desk| {
        desk.at("tictactoe:20x20:5", ["human", "human"], "h8 t20 a1")
    });
}

#[test]
fn gomoku_has_stones_on_crossings_and_rows_from_the_bottom() {
    check("gomoku", |desk| {
        desk.at("gomoku", ["human", "human"], "h8 g7 i7 h6 o15 a1")
    });
    check("gomoku-won", |desk| {
        desk.at("gomoku", ["human", "human"], "h8 g7 i8 h6 j8 a1 k8 b2 l8")
    });
}

#[test]
fn discs_are_black_and_white_on_green_and_stones_on_wood() {
    for (game, moves) in [("othello", "f5d6"), ("gomoku", "h8 i9")] {
        let desk = Desk::new(Language::English, (120, 40)).at(game, ["human", "human"], moves);
        let buffer = snapshot::buffer(&desk.state);
        let geometry = papan_terminal::board_layout(&desk.state).unwrap();
        let line = desk.state.game.as_ref().unwrap().line();
        let mut inks = [None, None];
        for cell in 0..line.game().cells() {
            let area = geometry.cell(cell);
            let middle = (area.x + (area.width - 1) / 2, area.y + area.height / 2);
            let drawn = buffer.cell((middle.0 - 1, middle.1)).unwrap();
            assert_ne!(drawn.bg, ratatui::style::Color::Reset, "{game} {cell}");
            if let Some(player) = line.piece(cell) {
                let drawn = buffer.cell(middle).unwrap();
                inks[player.index()].get_or_insert(drawn.fg);
            }
        }
        assert!(inks[0].is_some() && inks[0] != inks[1], "{game}: {inks:?}");
    }
}

#[test]
fn a_cube_as_slices_with_the_lines_through_the_cursor() {
    check("cube", |desk| {
        desk.at("tictactoe:3x3x3", ["human", "human"], "14 1 3")
    });
    check("four-dimensions", |desk| {
        desk.at("tictactoe:3x3x3x3", ["human", "human"], "41 1")
    });
}

#[test]
fn the_help_page_has_every_key() {
    check("help", |mut desk| {
        desk.keys("?");
        desk
    });
}

#[test]
fn the_result_the_evaluation_and_the_review() {
    let lost = |desk: Desk| desk.at("tictactoe", ["human", "perfect"], "1 5 2 3 4 7");
    check("result", lost);
    check("review", |desk| {
        let mut desk = lost(desk);
        desk.keys("vR");
        desk.press(KeyCode::Down);
        desk
    });
}

#[test]
fn the_analysis_board_has_a_score_for_every_move() {
    check("analysis", |desk| {
        let mut desk = desk.at("tictactoe", ["human", "human"], "1 5");
        desk.keys("A");
        desk
    });
}

#[test]
fn a_window_that_is_too_small_says_so() {
    for language in Language::ALL {
        let code = language.code();
        let desk = Desk::new(language, (30, 9)).at("othello", ["human", "human"], "f5");
        insta::assert_snapshot!(format!("too-small-{code}"), desk.screen());
        let start = Desk::new(language, (40, 10));
        insta::assert_snapshot!(format!("too-small-start-{code}"), start.screen());
    }
}

#[test]
fn ascii_is_ascii_in_both_languages() {
    for language in Language::ALL {
        for game in ["tictactoe", "othello", "tictactoe:3x3x3"] {
            let mut desk = Desk::new(language, (80, 24)).at(game, ["human", "human"], "");
            desk.state.environment.unicode = false;
            for keys in ["", "v", "i", "x", "x", "E", "\nR", "?"] {
                desk.keys(keys);
                let screen = desk.screen();
                assert!(screen.is_ascii(), "after {keys:?} in {game}:\n{screen}");
            }
        }
    }
}

#[test]
fn nothing_is_drawn_outside_any_window() {
    for game in [
        "tictactoe",
        "tictactoe:19x19:5",
        "othello",
        "tictactoe:4x4x4x4",
        "tictactoe:1x400",
    ] {
        for columns in [1, 2, 20, 44, 60, 80, 200] {
            for rows in [1, 2, 5, 12, 24, 60] {
                let mut desk = Desk::new(Language::English, (columns, rows));
                let _ = desk.screen();
                desk = desk.at(game, ["human", "human"], "");
                for keys in ["", "?"] {
                    desk.keys(keys);
                    let _ = desk.screen();
                }
            }
        }
    }
}

#[test]
fn no_window_is_too_small_or_too_large_to_draw() {
    for (columns, rows) in [(0, 0), (80, 0), (0, 24), (1, 1), (80, 1), (80, 2), (2, 24)] {
        for keys in ["?", "", "n", "i"] {
            for at_the_board in [false, true] {
                let mut desk = Desk::new(Language::English, (80, 24));
                if at_the_board {
                    desk = desk.at("tictactoe", ["human", "human"], "1 5");
                }
                desk.keys(keys);
                desk.tell(Message::Resized(columns, rows));
                desk.screen();
            }
        }
    }
    // A terminal may claim any size; no memory is allocated for all of it.
    let claimed = (5000, 5000);
    let mut desk = Desk::new(Language::English, claimed);
    assert!(snapshot::buffer(&desk.state).content().len() <= 400_000);
    desk = desk.at("othello", ["human", "human"], "");
    desk.tell(Message::Resized(u16::MAX, u16::MAX));
    assert!(snapshot::buffer(&desk.state).content().len() <= 400_000);
}
