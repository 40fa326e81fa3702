//! Formatting of scores.

use papan_strategies::{Bound, Score, Unit};

use crate::Messages;

/// Formats a score in words: `wins in 3`, `draw`, `about +4 discs`, `63 % chance`.
#[must_use]
pub fn text(score: Score, messages: Messages) -> String {
    match score.unit() {
        Unit::Result => result_text(score, messages),
        Unit::Discs => {
            let key = match score.bound() {
                Bound::Exact => "score-discs",
                Bound::AtLeast => "score-discs-at-least",
                Bound::AtMost => "score-discs-at-most",
                Bound::Estimate => "score-discs-about",
            };
            messages.with(key, [("value", signed(score.value()).into())])
        }
        Unit::Chance => {
            let key = match score.bound() {
                Bound::AtMost => "score-chance-at-most",
                _ => "score-chance",
            };
            messages.with(key, [("percent", percent(score).into())])
        }
    }
}

fn result_text(score: Score, messages: Messages) -> String {
    let key = match (sign(score), score.bound()) {
        (1, Bound::Exact | Bound::AtLeast) => "score-win",
        (-1, Bound::Exact | Bound::AtMost) => "score-loss",
        (0, Bound::Exact) => "score-draw",
        (0, Bound::AtLeast) => "score-draw-or-win",
        (0, Bound::AtMost) => "score-draw-or-loss",
        (1, Bound::Estimate) => "score-likely-win",
        (-1, Bound::Estimate) => "score-likely-loss",
        (1, Bound::AtMost) => "score-win-or-less",
        (-1, Bound::AtLeast) => "score-loss-or-more",
        _ => "score-open",
    };
    let text = match (score.plies(), sign(score)) {
        (Some(plies), 1 | -1) => {
            // "In at most 1" would be odd.
            let within = score.is_by_proof() && plies > 1;
            let key = format!("{key}-{}", if within { "within" } else { "in" });
            messages.with(&key, [("plies", plies.to_string().into())])
        }
        _ => messages.text(key),
    };
    if score.is_by_proof() {
        messages.with("score-proved", [("score", text.into())])
    } else {
        text
    }
}

/// Formats a score in a few characters, for a cell: `+1`, `=`, `-12`, `63%`, `≤+1`, `?`.
#[must_use]
pub fn short(score: Score, ascii: bool) -> String {
    let bound = match (score.bound(), ascii) {
        (Bound::AtLeast, false) => "≥",
        (Bound::AtLeast, true) => ">=",
        (Bound::AtMost, false) => "≤",
        (Bound::AtMost, true) => "<=",
        _ => "",
    };
    match (score.unit(), sign(score), score.bound()) {
        (Unit::Chance, ..) => format!("{bound}{}%", percent(score)),
        (Unit::Discs, ..) => format!("{bound}{}", signed(score.value())),
        (Unit::Result, 0, Bound::Estimate) => "?".into(),
        (Unit::Result, 1, Bound::AtMost) | (Unit::Result, -1, Bound::AtLeast) => {
            format!("{bound}{}", signed(score.value()))
        }
        (Unit::Result, 0, _) => format!("{bound}="),
        (Unit::Result, _, Bound::Estimate) => format!("{}?", signed(score.value())),
        (Unit::Result, ..) => signed(score.value()),
    }
}

/// Returns the sign of a score: 1 if the side to move is ahead.
fn sign(score: Score) -> i32 {
    match score.balance() {
        balance if balance > 0.0 => 1,
        balance if balance < 0.0 => -1,
        _ => 0,
    }
}

fn percent(score: Score) -> String {
    format!("{:.0}", score.value() * 100.0)
}

/// Formats a number with its sign, whole or to a tenth; 0 has no sign.
#[must_use]
pub fn signed(value: f32) -> String {
    let tenths = (value * 10.0).round();
    match tenths {
        0.0 => "0".into(),
        _ if tenths % 10.0 == 0.0 || tenths.abs() >= 100.0 => format!("{:+.0}", value.round()),
        _ => format!("{:+.1}", tenths / 10.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn every_score_has_a_text_in_both_languages_and_a_short_form() {
        let cases = [
            (
                Score::result(1).in_plies(3),
                "wins in 3",
                "menang dalam 3",
                "+1",
            ),
            (
                Score::result(-1).in_plies(4),
                "loses in 4",
                "kalah dalam 4",
                "-1",
            ),
            (Score::result(0).in_plies(9), "draw", "seri", "="),
            (
                Score::result(1).in_plies(11).by_proof(),
                "wins in at most 11, proved",
                "menang paling lama dalam 11, terbukti",
                "+1",
            ),
            (
                Score::result(-1).in_plies(8).by_proof(),
                "loses in at most 8, proved",
                "kalah paling lama dalam 8, terbukti",
                "-1",
            ),
            (
                Score::result(0).by_proof(),
                "draw, proved",
                "seri, terbukti",
                "=",
            ),
            (
                Score::result(0).or_more().by_proof(),
                "draw or better, proved",
                "seri atau lebih baik, terbukti",
                "≥=",
            ),
            (Score::result(1), "wins", "menang", "+1"),
            (Score::result(1).or_more(), "wins", "menang", "+1"),
            (Score::result(-1).or_less(), "loses", "kalah", "-1"),
            (
                Score::result(0).or_less(),
                "draw at best",
                "paling baik seri",
                "≤=",
            ),
            (
                Score::result(0).or_more(),
                "draw or better",
                "seri atau lebih baik",
                "≥=",
            ),
            (
                Score::result(1).or_less(),
                "at most +1",
                "paling tinggi +1",
                "≤+1",
            ),
            (
                Score::result(-1).or_more(),
                "at least -1",
                "paling rendah -1",
                "≥-1",
            ),
            (
                Score::result(0).guessed(),
                "unknown",
                "belum diketahui",
                "?",
            ),
            (
                Score::result(1).guessed(),
                "likely a win",
                "kemungkinan menang",
                "+1?",
            ),
            (
                Score::result(-1).guessed(),
                "likely a loss",
                "kemungkinan kalah",
                "-1?",
            ),
            (Score::discs(12), "+12 discs", "+12 keping", "+12"),
            (Score::discs(0), "0 discs", "0 keping", "0"),
            (
                Score::discs(-4).or_more(),
                "-4 discs or more",
                "-4 keping atau lebih",
                "≥-4",
            ),
            (
                Score::discs(6).or_less(),
                "+6 discs or fewer",
                "+6 keping atau kurang",
                "≤+6",
            ),
            (
                Score::about_discs(2.46),
                "about +2.5 discs",
                "kira-kira +2.5 keping",
                "+2.5",
            ),
            (
                Score::about_discs(-0.04),
                "about 0 discs",
                "kira-kira 0 keping",
                "0",
            ),
            (
                Score::about_discs(-12.4),
                "about -12 discs",
                "kira-kira -12 keping",
                "-12",
            ),
            (Score::chance(0.634), "63 % chance", "peluang 63 %", "63%"),
        ];
        for (score, english, indonesian, cell) in cases {
            assert_eq!(text(score, Messages::new(Language::English)), english);
            assert_eq!(text(score, Messages::new(Language::Indonesian)), indonesian);
            assert_eq!(short(score, false), cell);
            assert!(short(score, true).is_ascii());
        }
    }
}
