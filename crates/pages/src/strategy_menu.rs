//! Menus of strategies and of the computer's levels.

use papan_catalog::trace::traceable;
use papan_catalog::{LEVELS, Parameter, ParameterKind, STRATEGIES, StrategyInfo, StrategySpec};
use papan_view::{Messages, messages};

use crate::home::needs_file;

/// A menu in groups, and a field for parameters; levels are left out where they make no sense.
pub(crate) struct StrategyMenu {
    /// Label of the menu.
    pub(crate) label: String,
    /// Label of the field for parameters.
    pub(crate) parameters_label: String,
    /// The parameters of a chosen strategy that is not in the menu with them.
    pub(crate) parameters: String,
    /// Name of the group of strategies.
    pub(crate) title: String,
    pub(crate) strategies: Vec<StrategyOption>,
    /// Name of the group of readings.
    pub(crate) readings_title: String,
    /// The other readings of the documents.
    pub(crate) readings: Vec<StrategyOption>,
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
    /// Creates a menu of all strategies and levels.
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
        let readings = STRATEGIES.iter().filter(is_listed).flat_map(readings);
        let readings = readings.filter(|(spec, _)| fits(spec));
        let readings: Vec<StrategyOption> = readings
            .map(|(spec, parameter)| {
                let about = messages::parameter(words, spec.info(), parameter);
                option(&spec, format!("{spec}: {about}"), chosen)
            })
            .collect();
        let mut all = strategies.iter().chain(&readings).chain(&levels);
        let is_known = all.any(|option| option.chosen);
        let mut parameters = String::new();
        if !is_known && !chosen.is_empty() {
            let (name, typed) = chosen.split_once('(').unwrap_or((chosen, ""));
            parameters = typed.trim_end_matches(')').to_owned();
            match strategies.iter_mut().find(|option| option.value == name) {
                Some(option) => option.chosen = true,
                None => strategies.insert(
                    0,
                    StrategyOption {
                        value: name.to_owned(),
                        text: name.to_owned(),
                        chosen: true,
                    },
                ),
            }
        }
        Self {
            label: words.text("web-strategy"),
            parameters_label: words.text("web-strategy-parameters"),
            parameters,
            readings_title: words.text("web-readings"),
            readings,
            title: words.text("web-strategies"),
            levels_title: words.text("web-level"),
            strategies,
            levels,
        }
    }
}

/// Points of a win in the reading of document 004 that gives none.
const NO_POINTS: &str = "0";

/// Returns the readings of a document that are not the default, each with its parameter.
fn readings(info: &StrategyInfo) -> Vec<(StrategySpec, &Parameter)> {
    let parameters = info.parameters.iter().filter(|_| info.document.is_some());
    let words = parameters.flat_map(|parameter| {
        let words = match parameter.kind {
            ParameterKind::Choice(words) => words,
            ParameterKind::Number { .. } if parameter.name == "win" => &[NO_POINTS],
            _ => &[],
        };
        words.iter().map(move |word| (parameter, *word))
    });
    let others = words.filter(|(parameter, word)| parameter.default != *word);
    others
        .filter_map(|(parameter, word)| {
            let text = format!("{}({}={word})", info.name, parameter.name);
            Some((text.parse().ok()?, parameter))
        })
        .collect()
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
        for (chosen, value, parameters) in [
            ("greedy", "greedy", ""),
            ("alphabeta(depth=4)", "alphabeta", "depth=4"),
            ("greedy(ties=reply)", "greedy(ties=reply)", ""),
            (
                "branch-and-bound(infinity=plain,ties=any)",
                "branch-and-bound",
                "infinity=plain,ties=any",
            ),
            ("computer(level=3)", "computer(level=3)", ""),
        ] {
            let menu = StrategyMenu::new(words, chosen);
            let all = menu.strategies.iter().chain(&menu.readings);
            let all = all.chain(&menu.levels).filter(|option| option.chosen);
            let values: Vec<&str> = all.map(|option| &*option.value).collect();
            assert_eq!((&values[..], &*menu.parameters), (&[value][..], parameters));
        }
    }

    #[test]
    fn every_documented_reading_is_in_the_menus() {
        let words = Messages::new(Language::English);
        for menu in [
            StrategyMenu::new(words, ""),
            StrategyMenu::traceable(words, ""),
        ] {
            let values: Vec<&str> = menu.readings.iter().map(|o| &*o.value).collect();
            for reading in [
                "minimax(prefer=shortest)",
                "alphabeta(prefer=shortest)",
                "alphabeta(pseudo-code=as-printed)",
                "branch-and-bound(infinity=plain)",
                "branch-and-bound(ties=any)",
                "expert(block-fork=prevent)",
                "greedy(formula=as-printed)",
                "greedy(ties=reply)",
                "greedy(ties=every-reply)",
                "greedy-points(win=0)",
            ] {
                assert!(values.contains(&reading), "{reading}: {values:?}");
            }
            assert!(menu.readings.iter().all(|option| !option.chosen));
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
