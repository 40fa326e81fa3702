//! Stroke font (as Hershey fonts): letters and digits as SVG paths, so that drawings do not depend
//! on installed fonts.

use std::fmt::Write;

/// Returns the path and the width of a character. The baseline is at 10, the x-height at 4, the
/// ascender at 0 and the descender at 14.
const fn strokes(character: char) -> Option<(&'static str, f32)> {
    Some(match character {
        'a' => ("M6 4V10M6 7a3 3 0 1 0-6 0a3 3 0 1 0 6 0", 6.0),
        'b' => ("M0 0V10M0 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0", 6.0),
        'c' => ("M5.4 5.2a3 3 0 1 0 0 3.6", 5.4),
        'd' => ("M6 0V10M6 7a3 3 0 1 0-6 0a3 3 0 1 0 6 0", 6.0),
        'e' => ("M0 7H6A3 3 0 1 0 5.4 8.8", 6.0),
        'f' => ("M5 .4C3-.4 2 .6 2 2.5V10M0 4H4.4", 5.0),
        'g' => (
            "M6 4V11a3 3 0 0 1-5.4 1.8M6 7a3 3 0 1 0-6 0a3 3 0 1 0 6 0",
            6.0,
        ),
        'h' => ("M0 0V10M0 7a3 3 0 0 1 6 0V10", 6.0),
        'i' => ("M0 4V10M0 1V1.2", 0.0),
        'j' => ("M2.5 4V11.5a2.5 2.5 0 0 1-2.5 2.5M2.5 1V1.2", 2.5),
        'k' => ("M0 0V10M5.5 4L0 8M2.2 6.4L6 10", 6.0),
        'l' => ("M0 0V10", 0.0),
        'm' => (
            "M0 4V10M0 6.5a2.5 2.5 0 0 1 5 0V10M5 6.5a2.5 2.5 0 0 1 5 0V10",
            10.0,
        ),
        'n' => ("M0 4V10M0 7a3 3 0 0 1 6 0V10", 6.0),
        'o' => ("M0 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0", 6.0),
        'p' => ("M0 4V14M0 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0", 6.0),
        'q' => ("M6 4V14M6 7a3 3 0 1 0-6 0a3 3 0 1 0 6 0", 6.0),
        'r' => ("M0 4V10M0 7.5C0 5 1.5 4 4 4", 4.0),
        's' => (
            "M5 5C4 3.6.5 3.6.5 5.5C.5 7.5 5.2 6.5 5.2 8.5C5.2 10.4 1 10.4 0 9",
            5.2,
        ),
        't' => ("M2 1V8c0 1.6 1 2.4 2.8 1.8M0 4H4.6", 4.8),
        'u' => ("M0 4V7a3 3 0 0 0 6 0M6 4V10", 6.0),
        'v' => ("M0 4L3 10L6 4", 6.0),
        'w' => ("M0 4L2.2 10L4.5 4.5L6.8 10L9 4", 9.0),
        'x' => ("M0 4L6 10M6 4L0 10", 6.0),
        'y' => ("M0 4L3 10M6 4L1 14", 6.0),
        'z' => ("M0 4H6L0 10H6", 6.0),
        '0' => ("M0 5a3 5 0 1 0 6 0a3 5 0 1 0-6 0", 6.0),
        '1' => ("M0 2L2.5 0V10", 2.5),
        '2' => ("M.3 2.6C.5-.8 5.7-.8 5.7 2.7C5.7 5 2 7 0 10H6", 6.0),
        '3' => (
            "M.5 1.4C1.6-.6 5.4-.4 5.4 2.4C5.4 4.2 4 4.8 2.4 4.8C4.4 4.8 6 5.6 6 7.4C6 10.6 1.4 10.8 0 8.6",
            6.0,
        ),
        '4' => ("M4.6 10V0L0 7H6", 6.0),
        '5' => (
            "M5.4 0H1L.6 4.4C2.6 3 6 3.8 6 6.8C6 10.4 1.6 10.8 0 8.8",
            6.0,
        ),
        '6' => ("M5 .2C2 1.2 0 4 0 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0", 6.0),
        '7' => ("M0 0H6L2 10", 6.0),
        '8' => (
            "M.6 2.4a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0M.2 7.3a2.8 2.7 0 1 0 5.6 0a2.8 2.7 0 1 0-5.6 0",
            6.0,
        ),
        '9' => ("M6 3a3 3 0 1 0-6 0a3 3 0 1 0 6 0C6 6 4 9 1 9.8", 6.0),
        _ => return None,
    })
}

/// Writes lower-case letters and digits centred at `x` on the baseline `y`; digits are `height`
/// high. Other characters are skipped.
pub(crate) fn write(
    svg: &mut String,
    x: f32,
    y: f32,
    height: f32,
    class: &str,
    ink: &str,
    word: &str,
) {
    /// Gap between two letters.
    const GAP: f32 = 3.0;
    let scale = height / 10.0;
    let letters: Vec<_> = word.chars().filter_map(strokes).collect();
    let width: f32 = letters.iter().map(|(_, width)| width + GAP).sum();
    let mut left = x - (width - GAP).max(0.0) / 2.0 * scale;
    let _ = write!(
        svg,
        r#"<g class="{class}" fill="none" stroke="{ink}" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round">"#
    );
    for (path, width) in letters {
        let top = y - height;
        let _ = write!(
            svg,
            r#"<path transform="translate({left:.1} {top:.1}) scale({scale:.2})" d="{path}"/>"#
        );
        left += (width + GAP) * scale;
    }
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_and_digit_of_a_label_is_a_path_of_its_own() {
        let all: Vec<char> = ('a'..='z').chain('0'..='9').collect();
        for character in &all {
            let (path, _) = strokes(*character).expect("labels use it");
            let same = all
                .iter()
                .filter(|c| strokes(**c).map(|s| s.0) == Some(path));
            assert_eq!(same.count(), 1, "{character}");
        }
        assert_eq!(strokes('<'), None);
    }

    #[test]
    fn a_label_is_centred() {
        let mut svg = String::new();
        write(&mut svg, 100.0, 50.0, 20.0, "label", "#000", "10");
        // Width 2.5 + 3 + 6 at scale 2: it starts at 88.5.
        assert!(svg.contains("translate(88.5 30.0) scale(2.00)"), "{svg}");
        assert!(svg.contains("translate(99.5 30.0)"), "{svg}");
    }
}
