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
        'A' => ("M0 10L3.5 0L7 10M1.2 6.6H5.8", 7.0),
        'B' => (
            "M0 0V10H3.5C7.5 10 7.5 5 3.5 5H0M3.5 5C6.5 5 6.5 0 3.5 0H0",
            6.5,
        ),
        'C' => ("M7 2C5-1 0-.5 0 5C0 10.5 5 11 7 8", 7.0),
        'D' => ("M0 0V10H2.5C8.5 10 8.5 0 2.5 0Z", 7.0),
        'E' => ("M6 0H0V10H6M0 5H5", 6.0),
        'F' => ("M6 0H0V10M0 5H5", 6.0),
        'G' => ("M7 2C5-1 0-.5 0 5C0 10.5 5 11 7 8V5.5H4", 7.0),
        'H' => ("M0 0V10M7 0V10M0 5H7", 7.0),
        'I' => ("M0 0H3M1.5 0V10M0 10H3", 3.0),
        'J' => ("M4 0V7.5C4 10.5 0 10.8 0 8", 4.0),
        'K' => ("M0 0V10M6.5 0L0 6M2.4 4L6.8 10", 6.8),
        'L' => ("M0 0V10H5.5", 5.5),
        'M' => ("M0 10V0L4 6L8 0V10", 8.0),
        'N' => ("M0 10V0L7 10V0", 7.0),
        'O' => ("M0 5a3.7 5 0 1 0 7.4 0a3.7 5 0 1 0-7.4 0", 7.4),
        'P' => ("M0 10V0H3.5C7.2 0 7.2 5.4 3.5 5.4H0", 6.3),
        'Q' => (
            "M0 5a3.7 5 0 1 0 7.4 0a3.7 5 0 1 0-7.4 0M4.5 7.5L7.4 10.5",
            7.4,
        ),
        'R' => ("M0 10V0H3.5C7.2 0 7.2 5.4 3.5 5.4H0M3 5.4L6.5 10", 6.5),
        'S' => (
            "M6 1.8C5-.6.5-.5.5 2.6C.5 5.6 6.3 4.4 6.3 7.4C6.3 10.6 1 10.6 0 8",
            6.3,
        ),
        'T' => ("M0 0H7M3.5 0V10", 7.0),
        'U' => ("M0 0V6.5C0 11.2 7 11.2 7 6.5V0", 7.0),
        'V' => ("M0 0L3.5 10L7 0", 7.0),
        'W' => ("M0 0L2.4 10L5 2L7.6 10L10 0", 10.0),
        'X' => ("M0 0L6.6 10M6.6 0L0 10", 6.6),
        'Y' => ("M0 0L3.4 5V10M6.8 0L3.4 5", 6.8),
        'Z' => ("M0 0H6.5L0 10H6.5", 6.5),
        '+' => ("M0 5.5H6M3 2.5V8.5", 6.0),
        '-' | '−' | '–' => ("M0 5.5H4.5", 4.5),
        '=' => ("M0 4H6M0 7H6", 6.0),
        '<' => ("M6 2L0 5.5L6 9", 6.0),
        '>' => ("M0 2L6 5.5L0 9", 6.0),
        '≤' => ("M6 1L0 4.5L6 8M0 10H6", 6.0),
        '≥' => ("M0 1L6 4.5L0 8M0 10H6", 6.0),
        '(' => ("M2.4-1C-.8 3-.8 8 2.4 12", 2.4),
        ')' => ("M0-1C3.2 3 3.2 8 0 12", 2.4),
        '[' => ("M2.5-1H0V12H2.5", 2.5),
        ']' => ("M0-1H2.5V12H0", 2.5),
        '{' => ("M3-1C0-1 2.5 5.5 0 5.5C2.5 5.5 0 12 3 12", 3.0),
        '}' => ("M0-1C3-1 .5 5.5 3 5.5C.5 5.5 3 12 0 12", 3.0),
        ',' => ("M1 9.4V10L0 12", 1.0),
        '.' => ("M0 9.8V10", 0.0),
        ':' => ("M0 4.8V5M0 9.8V10", 0.0),
        ';' => ("M1 4.8V5M1 9.4V10L0 12", 1.0),
        '/' => ("M4.5 0L0 11", 4.5),
        '|' => ("M0-1V12", 0.0),
        '\'' | '’' => ("M0 0V2.6", 0.0),
        '"' => ("M0 0V2.8M2 0V2.8", 2.0),
        '*' => ("M3 1V7M.4 2.5L5.6 5.5M5.6 2.5L.4 5.5", 6.0),
        '×' => ("M.5 3L5.5 8M5.5 3L.5 8", 6.0),
        '∞' => (
            "M4.5 5.5C3 3 0 3 0 5.5C0 8 3 8 4.5 5.5C6 3 9 3 9 5.5C9 8 6 8 4.5 5.5",
            9.0,
        ),
        '?' => (
            "M0 2.2C.3-.8 5.5-.7 5.5 2.4C5.5 4.6 2.7 4.8 2.7 7M2.7 9.8V10",
            5.5,
        ),
        '!' => ("M0 0V6.6M0 9.8V10", 0.0),
        '%' => (
            "M6.5 0L.5 10M0 2.2a1.6 2 0 1 0 3.2 0a1.6 2 0 1 0-3.2 0M4 8a1.6 2 0 1 0 3.2 0a1.6 2 0 1 0-3.2 0",
            7.2,
        ),
        '_' => ("M0 11.5H6", 6.0),
        '…' | '⋯' => ("M0 9.8V10M3 9.8V10.1M6 9.8V10", 6.0),
        '·' => ("M0 5.4V5.6", 0.0),
        '→' => ("M0 5.5H8M5 2.5L8 5.5L5 8.5", 8.0),
        '✓' => ("M0 6L2.5 9L6.5 1.5", 6.5),
        ' ' => ("", 2.5),
        _ => return None,
    })
}

/// A line of text as strokes.
pub(crate) struct StrokedText<'a> {
    pub(crate) x: f32,
    /// The baseline.
    pub(crate) y: f32,
    /// Height of capitals and digits.
    pub(crate) height: f32,
    pub(crate) is_centred: bool,
    pub(crate) is_bold: bool,
    pub(crate) ink: &'static str,
    pub(crate) text: &'a str,
}

/// An empty box for characters without strokes.
const UNKNOWN: (&str, f32) = ("M0 0H5V10H0Z", 5.0);
/// Gap between two letters.
const GAP: f32 = 3.0;

/// Writes a line of text with a white halo, so that it can be read over lines.
pub(crate) fn write_line(svg: &mut String, line: &StrokedText<'_>) {
    // Closer than single labels are set.
    const CLOSE: f32 = 2.2;
    let scale = line.height / 10.0;
    let letters = line.text.chars().map(|c| strokes(c).unwrap_or(UNKNOWN));
    let width: f32 = letters.clone().map(|(_, width)| width + CLOSE).sum();
    let start = if line.is_centred {
        line.x - (width - CLOSE).max(0.0) / 2.0 * scale
    } else {
        line.x
    };
    let weight = if line.is_bold { 1.9 } else { 1.2 };
    let top = line.y - line.height;
    for (ink, weight) in [("#ffffff", weight + 3.0), (line.ink, weight)] {
        let _ = write!(
            svg,
            r#"<g fill="none" stroke="{ink}" stroke-width="{weight}" stroke-linecap="round" stroke-linejoin="round">"#
        );
        let mut left = start;
        for (path, width) in letters.clone() {
            if !path.is_empty() {
                let _ = write!(
                    svg,
                    r#"<path transform="translate({left:.1} {top:.1}) scale({scale:.2})" d="{path}"/>"#
                );
            }
            left += (width + CLOSE) * scale;
        }
        svg.push_str("</g>\n");
    }
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
        assert_eq!(strokes('漢'), None);
    }

    #[test]
    fn every_word_of_the_pseudo_code_has_its_strokes() {
        for language in crate::Language::ALL {
            let messages = crate::Messages::new(language);
            // With this reading every line is shown.
            let strategy = "greedy(ties=reply)".parse().unwrap();
            let listings = papan_solve::Listing::ALL.map(papan_solve::Algorithm::Scoring);
            for algorithm in [
                papan_solve::Algorithm::Minimax,
                papan_solve::Algorithm::AlphaBeta,
                papan_solve::Algorithm::AlphaBetaAsPrinted,
                papan_solve::Algorithm::Mcts,
                papan_solve::Algorithm::Program,
            ]
            .into_iter()
            .chain(listings)
            {
                let code = crate::trace::pseudo_code(algorithm, &strategy, messages);
                let mut texts: Vec<String> = code.into_iter().map(|line| line.text).collect();
                texts.extend(crate::trace::components(algorithm, &strategy, messages));
                for text in texts {
                    let missing = text.chars().find(|c| strokes(*c).is_none());
                    assert_eq!(missing, None, "{text}");
                }
            }
        }
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
