//! Display names of players: normalization, reserved words, confusable letters.
//!
//! Reference: Unicode Technical Standard 39, *Unicode Security Mechanisms*.

use std::collections::HashSet;
use std::sync::LazyLock;

use papan_catalog::{STRATEGIES, StrategySpec};
use papan_view::{Language, Messages, messages};
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::{RestrictionLevel, RestrictionLevelDetection as _, skeleton};

use papan_pages::programs::{OfferedProgram, program_name};

/// Maximum length of a name in characters.
pub(crate) const MAX_CHARS: usize = 20;
/// Words that may not occur in a name, because they suggest a role.
const ROLES: [&str; 16] = [
    "admin",
    "administrator",
    "bot",
    "computer",
    "engine",
    "host",
    "mod",
    "moderator",
    "official",
    "operator",
    "owner",
    "papan",
    "root",
    "server",
    "support",
    "system",
];
/// Levels of computer players, as in the messages `level-0` to `level-10`.
const LEVELS: std::ops::RangeInclusive<u64> = 0..=10;

/// Skeletons of roles.
static ROLE_SKELETONS: LazyLock<HashSet<String>> =
    LazyLock::new(|| ROLES.map(comparable).into_iter().collect());

/// Skeletons of names that belong to computer players and guests.
static TAKEN_SKELETONS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut taken: HashSet<String> = STRATEGIES
        .iter()
        .map(|strategy| comparable(strategy.name))
        .collect();
    for language in Language::ALL {
        let words = Messages::new(language);
        taken.extend(LEVELS.map(|level| comparable(&words.text(&format!("level-{level}")))));
        taken.insert(comparable(&words.text("web-guest")));
    }
    taken
});

/// Normalizes a name, or returns `None` if it may not be used: letters, digits and a few
/// marks only, so that it cannot imitate a tag or markup; letters of one script, so that it
/// cannot imitate another name; no role, no computer player and no program that the server offers.
/// The empty name means no name.
pub(crate) fn normalize(text: &str, programs: &[OfferedProgram]) -> Option<String> {
    let composed: String = text.nfc().take(4 * MAX_CHARS).collect();
    let name = composed.split_whitespace().collect::<Vec<_>>().join(" ");
    let allowed = |letter: char| letter.is_alphanumeric() || " -_.'’".contains(letter);
    let is_plain = name.chars().count() <= MAX_CHARS && name.chars().all(allowed);
    let whole = comparable(&name);
    let is_program = |program: &OfferedProgram| comparable(&program.name) == whole;
    let is_free = !is_reserved(&name) && (name.is_empty() || !programs.iter().any(is_program));
    (is_plain && !is_confusable(&name) && is_free).then_some(name)
}

/// Returns whether a name mixes scripts, or consists of letters that all look like ASCII.
fn is_confusable(name: &str) -> bool {
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_one_script = letters
        .as_str()
        .check_restriction_level(RestrictionLevel::HighlyRestrictive);
    let has_ascii_letter = letters.chars().any(|letter| letter.is_ascii_alphabetic());
    let looks_like_ascii = skeleton(&letters).all(|letter| letter.is_ascii());
    !is_one_script || (!letters.is_ascii() && !has_ascii_letter && looks_like_ascii)
}

fn is_reserved(name: &str) -> bool {
    let mut words = name.split([' ', '-', '_', '.', '\'', '’']);
    let has_role = words.any(|word| {
        let word = word.trim_matches(|c: char| c.is_numeric());
        ROLE_SKELETONS.contains(&comparable(word))
    });
    let whole = comparable(name);
    has_role || ROLE_SKELETONS.contains(&whole) || TAKEN_SKELETONS.contains(&whole)
}

/// Returns the form in which names that look alike are equal: the skeleton without case, marks
/// and separators.
fn comparable(name: &str) -> String {
    let lower = name.to_lowercase();
    skeleton(&lower)
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns the display name of a player in a list: a person's name or a strategy's.
pub(crate) fn player_name(words: Messages, player: &str, name: Option<&str>) -> String {
    match (player, name) {
        ("human", Some(name)) => name.to_owned(),
        ("human", None) => words.text("web-guest"),
        (strategy, _) => match strategy.parse::<StrategySpec>() {
            Ok(spec) => messages::strategy_name(words, &spec),
            Err(_) => program_name(strategy).unwrap_or(strategy).to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use papan_pages::programs::OfferedProgram;

    fn normalize(text: &str) -> Option<String> {
        super::normalize(text, &[])
    }

    #[test]
    fn a_name_is_short_and_has_plain_characters() {
        assert_eq!(normalize("  Ann   Lee "), Some("Ann Lee".into()));
        assert_eq!(normalize("Ünal-2"), Some("Ünal-2".into()));
        assert_eq!(normalize(""), Some(String::new()));
        for wrong in ["<b>", "a#b", "a\u{202e}b", "012345678901234567890"] {
            assert_eq!(normalize(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_name_of_an_offered_program_is_taken() {
        let program = OfferedProgram {
            name: "Edax 4".into(),
            strategy: "greedy".parse().unwrap(),
            games: Vec::new(),
            from_start_only: false,
        };
        assert_eq!(super::normalize("edax-4", &[program]), None);
        assert_eq!(normalize("edax-4"), Some("edax-4".into()));
    }

    #[test]
    fn names_in_many_scripts_are_allowed() {
        for name in [
            "Анна",
            "Ελένη",
            "さくら 2",
            "山田タロウ",
            "김민수",
            "עמית",
            "Łukasz",
            "Işık",
            "O'Neill",
            "Nguyễn",
            "mika-77",
            "Administrasi",
        ] {
            assert_eq!(normalize(name).as_deref(), Some(name), "{name}");
        }
    }

    #[test]
    fn names_that_look_like_others_are_refused() {
        for (wrong, why) in [
            ("Аnn", "Cyrillic A, Latin nn"),
            ("сосо", "Cyrillic letters that all look Latin"),
            ("𝐀𝐧𝐧", "mathematical letters"),
            ("Ａｎｎ", "full-width letters"),
            ("Ann\u{3164}", "a filler that is a letter"),
        ] {
            assert_eq!(normalize(wrong), None, "{why}");
        }
    }

    #[test]
    fn roles_and_computer_players_are_reserved() {
        for wrong in [
            "admin",
            "Admin",
            "ADMIN 1",
            "admin7",
            "a.d.m.i.n",
            "ádmin",
            "аdmіn",
            "the moderator",
            "Guest",
            "Tamu",
            "Grandmaster",
            "papan",
            "Papan",
            "mcts",
            "alphabeta",
            "Club  player",
        ] {
            assert_eq!(normalize(wrong), None, "{wrong}");
        }
    }
}
