//! The home page: choose a game and an opponent. Its form is generated from the catalog.

use askama::Template;
use papan_catalog::{
    AnyGame, FAMILIES, LEVELS, Parameter, ParameterKind, STRATEGIES, StrategyInfo,
};
use papan_strategies::TimeControl;
use papan_view::{BoardView, Messages, messages, svg_board};
use serde::Serialize;

use crate::clock_title::{clock_title, short_clock};
use crate::error::PageError;
use crate::form_defaults::FormDefaults;
use crate::game_title::{GameOption, boards_of, game_title};
use crate::games::Games;
use crate::layout::{Layout, PageContext};
use crate::opponent::{self, can_play};
use crate::programs::{OfferedProgram, Programs};

/// Time controls that are offered without typing.
const PRESETS: [&str; 8] = [
    "1m", "3m+2s", "5m+3s", "15m+10s", "1h", "1d+1d", "3d+3d", "7d+7d",
];
/// Those of them that are offered for quick pairing.
const PAIRINGS: [&str; 4] = ["1m", "3m+2s", "5m+3s", "3d+3d"];

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    layout: Layout,
    games: Vec<GameChoice>,
    other_game: String,
    /// Value, text, whether it is chosen.
    levels: Vec<(u64, String, bool)>,
    seats: Vec<(&'static str, String, bool)>,
    /// Value, text, whether it is chosen.
    presets: Vec<(&'static str, String, bool)>,
    /// A clock that is not a preset.
    other_clock: String,
    roles: Vec<Role>,
    sizes: String,
    /// The rejected field of a submitted form.
    wrong: Option<WrongField>,
}

/// A rejected form field with the reason.
pub struct WrongField {
    /// Name of the field.
    pub name: &'static str,
    /// The localized reason.
    pub sentence: String,
}

impl HomePage {
    /// Returns the error at a field.
    fn error(&self, name: &str) -> Option<&str> {
        let wrong = self.wrong.as_ref().filter(|wrong| wrong.name == name)?;
        Some(&wrong.sentence)
    }

    /// Returns the time controls of quick pairing.
    fn pairings(&self) -> impl Iterator<Item = Pairing> {
        let words = self.layout.words;
        PAIRINGS.into_iter().filter_map(move |value| {
            let control = value.parse().ok()?;
            let title = clock_title(words, control);
            Some(match short_clock(control) {
                Some(short) => Pairing {
                    value,
                    text: short,
                    help: Some(title),
                },
                None => Pairing {
                    value,
                    text: title,
                    help: None,
                },
            })
        })
    }

    /// Returns whether the advanced options are expanded.
    fn is_open(&self) -> bool {
        let chosen = !self.other_game.is_empty() || !self.other_clock.is_empty();
        chosen || self.wrong.is_some()
    }
}

/// A clock of quick pairing.
struct Pairing {
    value: &'static str,
    text: String,
    /// The text in words, if it is short.
    help: Option<String>,
}

struct GameChoice {
    name: &'static str,
    title: String,
    picture: String,
    chosen: bool,
    /// Its sizes and rules.
    boards: Vec<GameOption>,
}

/// A strategy in a list.
pub(crate) struct StrategyChoice {
    pub(crate) name: String,
    /// The name that people are shown.
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) families: String,
    pub(crate) chosen: bool,
    pub(crate) parameters: Vec<ParameterField>,
}

/// A parameter as a form field.
pub(crate) struct ParameterField {
    pub(crate) name: &'static str,
    pub(crate) summary: String,
    pub(crate) default: String,
    pub(crate) range: Option<(u64, u64)>,
    pub(crate) words: &'static [&'static str],
}

/// A list of strategies in the form.
struct Role {
    name: &'static str,
    label: String,
    choices: Vec<StrategyChoice>,
}

/// Whether a strategy needs a file: clients have none on the server.
pub(crate) fn needs_file(info: &StrategyInfo) -> bool {
    info.parameters.iter().any(Parameter::is_required)
}

/// Returns the strategies that clients may choose.
pub(crate) fn strategy_choices(words: Messages, chosen: &str) -> Vec<StrategyChoice> {
    STRATEGIES
        .iter()
        .filter(|info| !needs_file(info))
        .map(|info| StrategyChoice {
            name: info.name.into(),
            title: info.name.into(),
            text: words.text(&format!("strategy-{}", info.name)),
            families: info.families().join(" "),
            chosen: info.name == chosen,
            parameters: parameters(words, info),
        })
        .collect()
}

/// Returns the strategies and programs that clients may choose as opponents.
fn opponent_choices(words: Messages, programs: &Programs, chosen: &str) -> Vec<StrategyChoice> {
    let mut choices = strategy_choices(words, chosen);
    choices.extend(programs.iter().map(|program| StrategyChoice {
        name: program.text(),
        title: program.name.clone(),
        text: words.text("web-program"),
        families: program.families().join(" "),
        chosen: program.text() == chosen,
        parameters: Vec::new(),
    }));
    choices
}

fn parameters(texts: Messages, info: &'static StrategyInfo) -> Vec<ParameterField> {
    let fields = info.parameters.iter().filter_map(|parameter| {
        let (range, words): (_, &[&str]) = match parameter.kind {
            ParameterKind::Number { min, max } => (Some((min, max)), &[]),
            ParameterKind::Choice(words) => (None, words),
            ParameterKind::File => return None,
        };
        Some(ParameterField {
            name: parameter.name,
            summary: messages::parameter(texts, info, parameter),
            default: messages::default(texts, info, parameter),
            range,
            words,
        })
    });
    fields.collect()
}

/// Renders the page with defaults and the error of a rejected form.
///
/// # Errors
/// If the template fails.
pub fn page(
    context: &PageContext,
    games_by_name: &dyn Games,
    programs: &Programs,
    defaults: &FormDefaults,
    wrong: Option<WrongField>,
) -> Result<String, PageError> {
    let words = context.words;
    let listed = FAMILIES
        .iter()
        .filter(|family| family.listed_with.is_none());
    let mut games: Vec<GameChoice> = listed
        .map(|family| {
            let boards = boards_of(words, family, &defaults.game);
            GameChoice {
                name: family.name,
                title: game_title(words, family.name),
                picture: thumbnail(games_by_name, family.name).unwrap_or_default(),
                chosen: boards.iter().any(|board| board.chosen),
                boards,
            }
        })
        .collect();
    let known = games.iter().any(|game| game.chosen);
    if let Some(first) = games.first_mut().filter(|_| !known) {
        first.chosen = true;
    }
    let role = |name, key: &str, chosen| Role {
        name,
        label: words.text(key),
        choices: opponent_choices(words, programs, chosen),
    };
    let sizes: Vec<String> = FAMILIES
        .iter()
        .map(|family| {
            let sizes = words.text(&format!("web-sizes-{}", family.name));
            format!("{}: {sizes}", family.name)
        })
        .collect();
    let level = opponent::level(&defaults.level);
    let page = HomePage {
        layout: Layout::new(context, words.text("web-play"), "/"),
        other_game: if known {
            String::new()
        } else {
            defaults.game.clone()
        },
        games,
        levels: LEVELS
            .map(|known| {
                let name = words.text(&format!("level-{known}"));
                (known, format!("{known} · {name}"), known == level)
            })
            .collect(),
        seats: ["first", "second", "either"]
            .into_iter()
            .map(|seat| {
                let chosen = seat == defaults.seat || defaults.seat.is_empty() && seat == "first";
                (seat, words.text(&format!("web-seat-{seat}")), chosen)
            })
            .collect(),
        roles: vec![
            role("opponent", "web-opponent", ""),
            role("first", "web-first-player", "minimax"),
            role("second", "web-second-player", "greedy"),
        ],
        sizes: sizes.join("; "),
        presets: PRESETS
            .map(|preset| {
                let control = preset.parse::<TimeControl>();
                let title = control
                    .map_or_else(|_| preset.to_owned(), |control| clock_title(words, control));
                (preset, title, preset == defaults.clock)
            })
            .into(),
        other_clock: if PRESETS.contains(&defaults.clock.as_str()) {
            String::new()
        } else {
            defaults.clock.clone()
        },
        wrong,
    };
    Ok(page.render()?)
}

/// The strategies that can play a game, as JSON.
#[derive(Serialize)]
pub struct StrategiesView {
    game: String,
    strategies: Vec<String>,
}

impl StrategiesView {
    /// Finds the strategies and programs that can play a game.
    #[must_use]
    pub fn new(game: &AnyGame, programs: &Programs) -> Self {
        let names = STRATEGIES.iter().map(|info| info.name);
        let able = names.filter(|name| name.parse().is_ok_and(|spec| can_play(game, &spec)));
        let programs = programs.iter().filter(|program| program.plays(game));
        Self {
            game: game.name(),
            strategies: able
                .map(str::to_owned)
                .chain(programs.map(OfferedProgram::text))
                .collect(),
        }
    }
}

fn thumbnail(games: &dyn Games, name: &str) -> Option<String> {
    let game = games.get(name).ok()?;
    Some(svg_board::thumbnail(&BoardView::of(&*game.line())))
}
