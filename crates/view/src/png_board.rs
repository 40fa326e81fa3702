//! PNG images of boards, rasterised from [`svg_board`] with resvg. No font is needed, because labels
//! are stroke paths.

use crate::BoardView;
use crate::drawing::rasterise;
use crate::svg_board::{self, DrawOptions};

/// Maximum number of pixels; each takes four bytes while it is drawn.
const MAX_PIXELS: f32 = 4e6;
/// Maximum side; boards of one row are very long.
const MAX_SIDE: f32 = 8192.0;

/// Draws a board as a PNG file, one pixel per SVG unit unless that is too large.
#[must_use]
pub fn draw(view: &BoardView) -> Vec<u8> {
    draw_with(view, &DrawOptions::default())
}

/// Draws a board with options as a PNG file.
#[must_use]
pub fn draw_with(view: &BoardView, options: &DrawOptions) -> Vec<u8> {
    let svg = svg_board::draw(view, options, "");
    rasterise(&svg, 1.0, MAX_PIXELS, MAX_SIDE)
}

/// Draws a square icon of our own as a PNG file.
#[must_use]
pub fn icon(svg: &str, units: f32, side: u16) -> Vec<u8> {
    rasterise(svg, f32::from(side) / units, MAX_PIXELS, MAX_SIDE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::AnyGame;
    use proptest::prelude::*;
    use resvg::tiny_skia::Pixmap;

    fn view(game: &str, moves: &str) -> BoardView {
        let game: AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        BoardView::of(&*line)
    }

    fn pixel(picture: &Pixmap, x: u32, y: u32) -> [u8; 3] {
        let colour = picture.pixel(x, y).unwrap();
        [colour.red(), colour.green(), colour.blue()]
    }

    #[test]
    fn discs_and_background_have_their_colours() {
        let picture = Pixmap::decode_png(&draw(&view("othello", "f5"))).unwrap();
        assert_eq!((picture.width(), picture.height()), (888, 888));
        // Beside the centre of a cell, where there is no mark.
        let at =
            |column: u32, row: u32| pixel(&picture, 44 + column * 100 + 80, 44 + row * 100 + 50);
        let (black, white, felt) = ([17, 24, 39], [249, 250, 251], [47, 125, 79]);
        // d4 is white; e4, d5, e5 and f5 are black.
        assert_eq!(at(3, 3), white);
        for (column, row) in [(4, 3), (3, 4), (4, 4), (5, 4)] {
            assert_eq!(at(column, row), black, "{column} {row}");
        }
        assert_eq!(at(0, 0), felt);
        assert_eq!(at(7, 7), felt);
    }

    #[test]
    fn a_caption_is_below_the_board_and_fits() {
        let options = DrawOptions {
            caption: Some("Ann – computer, level 10: a draw".into()),
            ..DrawOptions::default()
        };
        let picture = Pixmap::decode_png(&draw_with(&view("tictactoe", "1 2"), &options)).unwrap();
        let (width, height) = (picture.width(), picture.height());
        assert_eq!((width, height), (388, 438));
        let has_ink = |x: u32| (390..height).any(|y| pixel(&picture, x, y)[0] < 200);
        let inked: Vec<u32> = (0..width).filter(|&x| has_ink(x)).collect();
        assert!(inked.len() > 100 && inked[0] > 2 && inked[inked.len() - 1] < width - 2);
    }

    #[test]
    fn crosses_and_rings_differ_in_shape() {
        let picture = Pixmap::decode_png(&draw(&view("tictactoe", "1 2"))).unwrap();
        let at = |cell: u32, x: u32, y: u32| pixel(&picture, 44 + cell * 100 + x, 44 + y);
        assert_eq!(
            at(0, 50, 50),
            [29, 78, 216],
            "a cross has ink in the middle"
        );
        assert_eq!(at(1, 50, 50), [255, 255, 255], "a ring has none");
        assert_eq!(at(1, 50, 24), [185, 28, 28]);
    }

    #[test]
    fn every_row_and_column_has_its_label() {
        let picture = Pixmap::decode_png(&draw(&view("tictactoe:15x15:5", ""))).unwrap();
        let ink = |xs: std::ops::Range<u32>, ys: std::ops::Range<u32>| {
            xs.flat_map(|x| ys.clone().map(move |y| (x, y)))
                .filter(|(x, y)| pixel(&picture, *x, *y)[0] < 128)
                .count()
        };
        for line in 0..15 {
            let along = 44 + line * 100 + 10..44 + (line + 1) * 100 - 10;
            assert!(ink(along.clone(), 2..42) > 20, "column {line}");
            assert!(ink(2..42, along) > 20, "row {line}");
        }
        assert_eq!(ink(0..42, 0..42), 0, "the corner is empty");
    }

    #[test]
    fn the_largest_boards_stay_within_the_limits() {
        for game in [
            "tictactoe:20x20:5",
            "tictactoe:1x400:3",
            "tictactoe:4x4x4x4",
            "tictactoe:100x2x2:2",
        ] {
            let game: AnyGame = game.parse().unwrap();
            let png = draw(&BoardView::of(&*game.line()));
            let picture = Pixmap::decode_png(&png).unwrap();
            assert!(picture.width().max(picture.height()) <= MAX_SIDE as u32);
            assert!(picture.data().len() <= 4 * MAX_PIXELS as usize + 40_000);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn any_board_of_any_game_becomes_a_picture(
            sides in proptest::collection::vec(1_usize..6, 1..5),
            turns in proptest::collection::vec(any::<prop::sample::Index>(), 0..30),
        ) {
            let names: Vec<String> = sides.iter().map(ToString::to_string).collect();
            let game = format!("tictactoe:{}:2", names.join("x"));
            let game = game.parse().or_else(|_| "othello:6x6".parse::<AnyGame>()).unwrap();
            let mut line = game.line();
            for turn in turns {
                let legal = line.legal_moves();
                if legal.is_empty() { break }
                line.play(*turn.get(&legal)).unwrap();
            }
            let png = draw(&BoardView::of(&*line));
            prop_assert!(Pixmap::decode_png(&png).is_ok());
        }
    }
}
