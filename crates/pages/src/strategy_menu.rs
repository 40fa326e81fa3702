//! Menus of strategies and of the computer's levels.

use papan_catalog::trace::traceable;
use papan_catalog::{LEVELS, STRATEGIES, StrategyInfo, StrategySpec};
use papan_view::{Messages, messages};

use crate::home::needs_file;

/// A menu in two groups; levels are left out where they make no sense.
pub(crate) struct StrategyMenu {
    /// Name of the group of strategies.
    pub(crate) title: String,
    pub(crate) strategies: Vec<StrategyOption>,
    /// Name of the group of levels.
    pub(crate) levels_title: String,
    pub(crate) levels: Vec<StrategyOption>,
}

/// A strategy in a menu.
pub(crate) struct StrategyOption {
    pub(crate) value: String,
    pub(crate) text: String,
    pub(crate) chosen: bool,
}

impl StrategyMenu {
    /// Creates a menu of all strategies and levels. A chosen strategy with parameters is added.
    pub(crate) fn new(words: Messages, chosen: &str) -> Self {
        let levels = LEVELS.map(StrategySpec::computer);
        Self::of(words, chosen, |_| true, levels.collect())
    }

    /// Creates a menu of the strategies whose runs can be traced.
    pub(crate) fn traceable(words: Messages, chosen: &str) -> Self {
        Self::of(words, chosen, |spec| traceable(spec).is_some(), Vec::new())
    }

    /// Returns itself, to be named in a template.
    pub(crate) fn shown(&self) -> &Self {
        self
    }

    fn of(
        words: Messages,
        chosen: &str,
        fits: impl Fn(&StrategySpec) -> bool,
        levels: Vec<StrategySpec>,
    ) -> Self {
        // The level is chosen in the other group.
        let is_listed = |info: &&StrategyInfo| !needs_file(info) && info.name != "computer";
        let listed = STRATEGIES.iter().filter(is_listed);
        let mut strategies: Vec<StrategyOption> = listed
            .filter_map(|info| info.name.parse().ok().filter(&fits))
            .map(|spec: StrategySpec| {
                let about = messages::about_strategy(words, &spec);
                option(&spec, format!("{spec}: {about}"), chosen)
            })
            .collect();
        let level = |spec: StrategySpec| {
            let name = messages::strategy_name(words, &spec);
            option(&spec, name, chosen)
        };
        let levels: Vec<StrategyOption> = levels.into_iter().map(level).collect();
        let known = strategies.iter().chain(&levels).any(|option| option.chosen);
        if !known && !chosen.is_empty() {
            let (value, text) = (chosen.to_owned(), chosen.to_owned());
            let added = StrategyOption {
                value,
                text,
                chosen: true,
            };
            strategies.insert(0, added);
        }
        Self {
            title: words.text("web-strategies"),
            levels_title: words.text("web-level"),
            strategies,
            levels,
        }
    }
}

fn option(spec: &StrategySpec, text: String, chosen: &str) -> StrategyOption {
    let is_same = chosen
        .parse()
        .is_ok_and(|chosen: StrategySpec| chosen == *spec);
    StrategyOption {
        value: spec.to_string(),
        text,
        chosen: is_same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_view::Language;

    #[test]
    fn one_option_is_chosen_and_parameters_are_kept() {
        let words = Messages::new(Language::English);
        for chosen in ["greedy", "alphabeta(depth=4)", "computer(level=3)"] {
            let menu = StrategyMenu::new(words, chosen);
            let all = menu.strategies.iter().chain(&menu.levels);
            let values: Vec<&str> = all.filter(|o| o.chosen).map(|o| &*o.value).collect();
            assert_eq!(values, [chosen]);
        }
    }

    #[test]
    fn only_searches_can_be_traced_and_levels_have_names() {
        let words = Messages::new(Language::English);
        let menu = StrategyMenu::traceable(words, "");
        assert!(menu.levels.is_empty());
        assert!(menu.strategies.iter().any(|o| o.value == "alphabeta"));
        assert!(menu.strategies.iter().all(|o| o.value != "random"));
        let levels = StrategyMenu::new(words, "").levels;
        assert!(levels[0].text.contains("Newcomer"), "{}", levels[0].text);
    }
}
