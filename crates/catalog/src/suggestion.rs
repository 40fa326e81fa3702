//! Suggestions for mistyped words, by edit distance.

/// Returns the most similar word, if any is similar.
pub fn closest_match<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = wrong.to_ascii_lowercase();
    // Bounds the comparison, which is quadratic in the length of untrusted text.
    if wrong.len() > 64 {
        return None;
    }
    words
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&wrong, word), word))
        .filter(|(distance, word)| *distance <= 1 + word.len().max(wrong.len()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// `; did you mean …?`, or nothing.
pub(crate) fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |word| format!("; did you mean `{word}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_recognised_and_nonsense_is_not() {
        let words = ["minimax", "greedy", "alphabeta"];
        assert_eq!(closest_match("minmax", words), Some("minimax"));
        assert_eq!(closest_match("Gredy", words), Some("greedy"));
        assert_eq!(closest_match("qqqq", words), None);
    }
}
