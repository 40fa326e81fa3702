//! Drawings as PNG, rasterised with resvg. Text becomes strokes, so that no font is needed.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::Drawing;
use super::svg::TextMode;

/// Maximum number of pixels; each takes four bytes while it is drawn.
const MAX_PIXELS: f32 = 16e6;
/// Maximum side.
const MAX_SIDE: f32 = 16_384.0;
/// Pixels per unit, so that a slide can be enlarged.
const ZOOM: f32 = 2.0;

impl Drawing {
    /// Returns a PNG file, two pixels per unit unless that is too large.
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        let svg = self.document(TextMode::Strokes);
        rasterise(&svg, ZOOM, MAX_PIXELS, MAX_SIDE)
    }
}

/// Rasterises our own SVG, at most `zoom` pixels per unit, within the limits.
///
/// # Panics
/// Never: the SVG is generated here, well-formed and within the size limits.
pub(crate) fn rasterise(svg: &str, zoom: f32, max_pixels: f32, max_side: f32) -> Vec<u8> {
    let tree = Tree::from_str(svg, &Options::default()).expect("our drawing is well-formed SVG");
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = (max_pixels / (width * height))
        .sqrt()
        .min(max_side / width.max(height))
        .min(zoom);
    let pixels = |side: f32| (side * scale).round().max(1.0) as u32;
    let mut picture =
        Pixmap::new(pixels(width), pixels(height)).expect("neither side is nothing or too long");
    let transform = Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut picture.as_mut());
    picture.encode_png().expect("memory can be written to")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_shapes_leave_ink_and_the_background_is_white() {
        let mut drawing = Drawing::new("");
        drawing.text(50.0, 20.0, 12.0, "", "≤ +1");
        drawing.rect(10.0, 40.0, 30.0, 30.0, "cell chosen");
        let picture = Pixmap::decode_png(&drawing.png()).unwrap();
        let red = |x: u32, y: u32| picture.pixel(x, y).unwrap().red();
        assert_eq!(red(0, 0), 255);
        let is_dark = |(x, y): (u32, u32)| red(x, y) < 100;
        let around_text = (60..140).flat_map(|x| (10..50).map(move |y| (x, y)));
        assert!(around_text.filter(|at| is_dark(*at)).count() > 50);
        // The fill of a chosen cell, #fff3c4.
        let fill = picture.pixel(50, 110).unwrap();
        assert_eq!((fill.red(), fill.green(), fill.blue()), (255, 243, 196));
    }

    #[test]
    fn a_wide_drawing_is_scaled_down() {
        let mut drawing = Drawing::new("");
        drawing.line((0.0, 0.0), (60_000.0, 900.0), "edge");
        let picture = Pixmap::decode_png(&drawing.png()).unwrap();
        assert!(picture.width() <= MAX_SIDE as u32);
        assert!(picture.data().len() <= 4 * MAX_PIXELS as usize + 80_000);
    }
}
