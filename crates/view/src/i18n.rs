//! Localised messages, from Project Fluent files (`locales/*.ftl`). `build.rs` leaves out those that a
//! build never shows.
//!
//! Reference: <https://projectfluent.org/>

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use papan_rules::sanitize_lines;

use crate::Language;

const ENGLISH: &str = include_str!(concat!(env!("OUT_DIR"), "/en.ftl"));
const INDONESIAN: &str = include_str!(concat!(env!("OUT_DIR"), "/id.ftl"));

/// The messages of one language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    language: Language,
}

fn bundle(language: Language) -> &'static FluentBundle<FluentResource> {
    static BUNDLES: [OnceLock<FluentBundle<FluentResource>>; 2] = [const { OnceLock::new() }; 2];
    let (source, place) = match language {
        Language::English => (ENGLISH, 0),
        Language::Indonesian => (INDONESIAN, 1),
    };
    BUNDLES[place].get_or_init(|| {
        // A message that does not parse is missing; a test checks that there is none.
        let resource = FluentResource::try_new(source.into()).unwrap_or_else(|(read, _)| read);
        let identifier = language.code().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![identifier]);
        bundle.set_use_isolating(false);
        bundle.add_resource_overriding(resource);
        bundle
    })
}

/// Returns Fluent arguments: `args([("move", "5".into())])`.
pub fn args<'a, const N: usize>(values: [(&'a str, FluentValue<'a>); N]) -> FluentArgs<'a> {
    let mut args = FluentArgs::new();
    for (name, value) in values {
        args.set(name, value);
    }
    args
}

impl Messages {
    /// Returns the messages of a language.
    #[must_use]
    pub const fn new(language: Language) -> Self {
        Self { language }
    }

    /// Returns the language.
    #[must_use]
    pub const fn language(self) -> Language {
        self.language
    }

    /// Formats a message without arguments.
    #[must_use]
    pub fn text(self, key: &str) -> String {
        self.format(key, None)
    }

    /// Formats a message with arguments. Pass numbers as text, because Fluent would group their digits.
    #[must_use]
    pub fn with<'a, const N: usize>(
        self,
        key: &str,
        values: [(&'a str, FluentValue<'a>); N],
    ) -> String {
        self.format(key, Some(&args(values)))
    }

    /// Formats a message with arguments whose names are known at run time only.
    #[must_use]
    pub fn with_args(self, key: &str, values: &FluentArgs<'_>) -> String {
        self.format(key, Some(values))
    }

    fn format(self, key: &str, values: Option<&FluentArgs<'_>>) -> String {
        let bundle = bundle(self.language);
        let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
            debug_assert!(false, "no text `{key}` in {}", self.language.code());
            return key.into();
        };
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, values, &mut errors);
        debug_assert!(errors.is_empty(), "text `{key}`: {errors:?}");
        // Arguments come from files, engines and users.
        sanitize_lines(&text).into_owned()
    }

    /// Whether there is a message with this id.
    #[must_use]
    pub fn has(self, key: &str) -> bool {
        bundle(self.language).has_message(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluent_syntax::ast::Entry;
    use std::collections::BTreeMap;

    /// Returns each message id with the arguments that it uses.
    fn keys(source: &str) -> BTreeMap<String, Vec<String>> {
        let resource = fluent_syntax::parser::parse(source).expect("the file is Fluent");
        let mut keys = BTreeMap::new();
        for entry in &resource.body {
            if let Entry::Message(message) = entry {
                let text = format!("{:?}", message.value);
                let mut used: Vec<String> = text
                    .split("VariableReference { id: Identifier { name: \"")
                    .skip(1)
                    .filter_map(|rest| rest.split('"').next().map(str::to_owned))
                    .collect();
                used.sort();
                used.dedup();
                let earlier = keys.insert(message.id.name.to_owned(), used);
                assert!(earlier.is_none(), "{} stands twice", message.id.name);
            }
        }
        keys
    }

    #[test]
    fn both_languages_have_the_same_messages_with_the_same_arguments() {
        let (english, indonesian) = (keys(ENGLISH), keys(INDONESIAN));
        assert!(english.len() > 50);
        assert_eq!(english, indonesian);
    }

    #[test]
    fn every_strategy_has_its_messages() {
        for language in Language::ALL {
            let messages = Messages::new(language);
            for recipe in papan_catalog::STRATEGIES {
                assert!(
                    messages.has(&format!("strategy-{}", recipe.name)),
                    "{}",
                    recipe.name
                );
            }
        }
        let messages = Messages::new(Language::English);
        for recipe in papan_catalog::STRATEGIES {
            assert_eq!(
                messages.text(&format!("strategy-{}", recipe.name)),
                recipe.summary
            );
        }
    }

    #[test]
    fn every_game_has_its_messages() {
        for language in Language::ALL {
            let messages = Messages::new(language);
            for family in papan_catalog::FAMILIES {
                for key in ["web-family", "web-sizes"] {
                    assert!(
                        messages.has(&format!("{key}-{}", family.name)),
                        "{}",
                        family.name
                    );
                }
            }
        }
    }

    #[test]
    fn the_screens_of_the_documents_are_quoted() {
        let id = Messages::new(Language::Indonesian);
        assert_eq!(id.text("choose-seat"), "[PILIH PLAYER]");
        assert_eq!(id.text("input"), "[INPUT] :");
        assert_eq!(id.text("you-lose"), "--[MAAF ANDA KALAH]--");
        assert_eq!(id.text("new-game"), "[NEW GAME?] <1. ya, 0. tidak>");
        let en = Messages::new(Language::English);
        assert_eq!(
            en.with("turn-computer", [("mark", "O".into())]),
            "Computer's turn (O)"
        );
        assert_eq!(en.text("you-lose"), "YOU LOSE!");
    }
}
