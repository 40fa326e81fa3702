//! Model of the start page: a form whose rows come from the catalog of games and strategies.

use std::time::Duration;

use papan_catalog::{
    AnyGame, DEFAULT_LEVEL, FAMILIES, Parameter, ParameterKind, PlayerSpec, StrategySpec, advisor,
    opponents,
};
use papan_rules::{Pieces, Player, Record, SwapRule};
use papan_strategies::Limits;
use papan_view::{Language, Marks};

use crate::settings::{Drawing, Settings};
use crate::stepping::{cycle, stepped};
use crate::theme::Theme;

/// One row of the start page.
#[derive(Clone, Copy, Debug)]
pub enum Row {
    /// The game.
    Game,
    /// A player.
    Player(Player),
    /// A parameter of a player's strategy.
    Parameter(Player, &'static Parameter),
    /// The opening rule.
    OpeningRule,
    /// The time control.
    Clock,
    /// Maximum time per move of computer players.
    MoveTime,
    /// Seed of random choices.
    Seed,
    /// The marks of the players.
    Marks,
    /// The language.
    Language,
    /// The colours.
    Theme,
    /// The characters.
    Drawing,
    /// Button: continue the unfinished game.
    Continue,
    /// Button: start the game.
    Play,
    /// Button: open the analysis board.
    Analyse,
    /// Button: open a record.
    Open,
    /// Button: quit.
    Quit,
}

/// An unfinished game from the autosave directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// Its file, to which it is saved again.
    pub path: String,
    /// Its record.
    pub record: Record,
}

/// The start page.
#[derive(Clone)]
pub struct StartPage {
    /// The chosen game.
    pub game: AnyGame,
    /// The players.
    pub players: [PlayerSpec; 2],
    /// The players that can play this game.
    pub offered: Vec<PlayerSpec>,
    /// The strongest strategy for this game.
    advisor: PlayerSpec,
    /// Index of the focused row.
    pub focus: usize,
    /// The text that is being typed into it.
    pub editing: Option<String>,
    /// The unfinished game, if there is one.
    pub unfinished: Option<SavedGame>,
    /// The environment's language.
    pub language: Language,
}

impl StartPage {
    /// Creates the page from settings. Unknown games and players are replaced by defaults.
    #[must_use]
    pub fn new(settings: &Settings, language: Language) -> Self {
        let game = settings.game.parse().unwrap_or_else(|_| {
            FAMILIES[0].examples[0]
                .parse()
                .expect("the catalog's examples are games")
        });
        let advisor = PlayerSpec::Strategy(advisor(&game));
        let mut page = Self {
            offered: offered(&game),
            players: [PlayerSpec::Human, default_opponent()],
            advisor,
            game,
            focus: 0,
            editing: None,
            unfinished: None,
            language,
        };
        for (player, name) in Player::BOTH.into_iter().zip(&settings.players) {
            if let Ok(spec) = name.parse() {
                page.seat(player, spec);
            }
        }
        page.focus = page.position(|row| matches!(row, Row::Play));
        page
    }

    /// Offers to continue an unfinished game.
    pub(crate) fn offer(&mut self, kept: SavedGame) {
        self.unfinished = Some(kept);
        self.focus = self.position(|row| matches!(row, Row::Continue));
    }

    /// Returns the rows, top to bottom.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::Game];
        for player in Player::BOTH {
            rows.push(Row::Player(player));
            if let PlayerSpec::Strategy(spec) = &self.players[player.index()] {
                let parameters = spec.info().parameters.iter();
                rows.extend(parameters.map(|parameter| Row::Parameter(player, parameter)));
            }
        }
        if self.game.has_swap_openings() {
            rows.push(Row::OpeningRule);
        }
        rows.extend([Row::Clock, Row::MoveTime, Row::Seed]);
        if self.game.pieces() == Pieces::Marks {
            rows.push(Row::Marks);
        }
        rows.extend([Row::Language, Row::Theme, Row::Drawing]);
        if self.unfinished.is_some() {
            rows.push(Row::Continue);
        }
        rows.extend([Row::Play, Row::Analyse, Row::Open, Row::Quit]);
        rows
    }

    fn position(&self, wanted: impl Fn(&Row) -> bool) -> usize {
        self.rows().iter().position(wanted).unwrap_or(0)
    }

    /// Index of the focused row.
    #[must_use]
    pub(crate) fn row(&self) -> Row {
        let rows = self.rows();
        rows[self.focus.min(rows.len() - 1)]
    }

    /// Moves the focus.
    pub(crate) fn step(&mut self, by: isize) {
        let rows = self.rows().len() as isize;
        self.focus = (self.focus as isize + by).rem_euclid(rows) as usize;
        self.editing = None;
    }

    /// Changes the game; players that cannot play it are replaced.
    pub fn set_game(&mut self, game: AnyGame) {
        self.game = game;
        self.offered = offered(&self.game);
        let advisor = PlayerSpec::Strategy(advisor(&self.game));
        let before = std::mem::replace(&mut self.advisor, advisor);
        for player in Player::BOTH {
            let spec = self.players[player.index()].clone();
            let plays = match &spec {
                PlayerSpec::Human => true,
                PlayerSpec::Strategy(spec) => self
                    .game
                    .can_seat_as(spec, &Limits::default(), player)
                    .is_ok(),
            };
            if spec == before {
                // The strongest player of the old game becomes the strongest of the new one.
                self.players[player.index()] = self.advisor.clone();
            } else if !plays {
                // The same strategy with the parameters it needs here, or the advisor.
                let same = self
                    .offered
                    .iter()
                    .find(|other| same_strategy(other, &spec));
                self.players[player.index()] = same.unwrap_or(&self.advisor).clone();
            }
        }
    }

    fn seat(&mut self, player: Player, spec: PlayerSpec) {
        self.players[player.index()] = spec;
        self.set_game(self.game.clone());
    }

    /// Changes the focused row by one step to the left or right.
    pub(crate) fn change(&mut self, step: isize, settings: &mut Settings) {
        match self.row() {
            Row::Game => {
                let names: Vec<&str> = FAMILIES.iter().flat_map(|f| f.examples).copied().collect();
                let here = self.game.name();
                let next = cycle(&names, |name| **name == here, step);
                if let Ok(game) = next.parse() {
                    self.set_game(game);
                }
            }
            Row::Player(player) => {
                let now = self.players[player.index()].clone();
                let next = cycle(&self.offered, |other| same_strategy(other, &now), step);
                self.players[player.index()] = next.clone();
            }
            Row::Parameter(player, parameter) => {
                let next = stepped(parameter, self.value(player, parameter).as_deref(), step);
                self.set_parameter(player, parameter, next.as_deref());
            }
            Row::OpeningRule => {
                let choices = [None, Some(SwapRule::Swap), Some(SwapRule::Swap2)];
                settings.opening_rule =
                    *cycle(&choices, |rule| *rule == settings.opening_rule, step);
            }
            Row::Clock => {
                let choices = [None, Some("1m"), Some("3m+2s"), Some("5m"), Some("10m+5s")];
                let choices = choices.map(|text| text.and_then(|text| text.parse().ok()));
                settings.clock = *cycle(&choices, |clock| *clock == settings.clock, step);
            }
            Row::MoveTime => {
                let choices = [0, 100, 500, 1000, 3000, 10_000]
                    .map(|ms| (ms > 0).then(|| Duration::from_millis(ms)));
                settings.move_time = *cycle(&choices, |time| *time == settings.move_time, step);
            }
            Row::Seed => {
                let next = match settings.seed {
                    None if step > 0 => Some(0),
                    None => None,
                    Some(seed) => seed.checked_add_signed(step as i64),
                };
                settings.seed = next;
            }
            Row::Marks => {
                settings.marks = match settings.marks {
                    Marks::XO => Marks::OX,
                    Marks::OX => Marks::XO,
                }
            }
            Row::Language => {
                let now = settings.language.unwrap_or(self.language);
                settings.language = Some(*cycle(&Language::ALL, |l| *l == now, step));
            }
            Row::Theme => settings.theme = *cycle(&Theme::ALL, |t| *t == settings.theme, step),
            Row::Drawing => {
                settings.drawing = *cycle(&Drawing::ALL, |d| *d == settings.drawing, step);
            }
            Row::Continue | Row::Play | Row::Analyse | Row::Open | Row::Quit => {}
        }
    }

    /// Returns the value of a parameter.
    #[must_use]
    pub(crate) fn value(&self, player: Player, parameter: &Parameter) -> Option<String> {
        let PlayerSpec::Strategy(spec) = &self.players[player.index()] else {
            return None;
        };
        let arguments = spec.arguments();
        arguments
            .number(parameter.name)
            .map(|number| number.to_string())
            .or_else(|| arguments.word(parameter.name).map(str::to_owned))
            .or_else(|| arguments.path(parameter.name).map(str::to_owned))
    }

    /// Sets a parameter, or resets it. Returns `false` when the value is invalid or the strategy
    /// cannot play this game with it.
    pub(crate) fn set_parameter(
        &mut self,
        player: Player,
        parameter: &Parameter,
        value: Option<&str>,
    ) -> bool {
        let PlayerSpec::Strategy(spec) = &self.players[player.index()] else {
            return false;
        };
        let arguments: Vec<String> = spec
            .info()
            .parameters
            .iter()
            .filter_map(|other| {
                let value = if other.name == parameter.name {
                    value.map(str::to_owned)
                } else {
                    self.value(player, other)
                };
                value.map(|value| format!("{}={value}", other.name))
            })
            .collect();
        let text = format!("{}({})", spec.info().name, arguments.join(","));
        let Ok(PlayerSpec::Strategy(spec)) = text.parse() else {
            return false;
        };
        // The file may be created later; an error is reported when the game starts.
        let fits = self.game.can_seat(&spec, &Limits::default()).is_ok()
            || parameter.kind == ParameterKind::File;
        if fits {
            self.players[player.index()] = PlayerSpec::Strategy(spec);
        }
        fits
    }

    /// Copies the choices into the settings.
    pub(crate) fn store(&self, settings: &mut Settings) {
        settings.game = self.game.name();
        settings.players = self.players.clone().map(|player| player.to_string());
    }
}

fn same_strategy(a: &PlayerSpec, b: &PlayerSpec) -> bool {
    match (a, b) {
        (PlayerSpec::Human, PlayerSpec::Human) => true,
        (PlayerSpec::Strategy(a), PlayerSpec::Strategy(b)) => a.info().name == b.info().name,
        _ => false,
    }
}

/// Returns the default opponent.
fn default_opponent() -> PlayerSpec {
    PlayerSpec::Strategy(StrategySpec::computer(DEFAULT_LEVEL))
}

/// Returns everyone who can play a game: a person, and the strategies that support it.
fn offered(game: &AnyGame) -> Vec<PlayerSpec> {
    let strategies = opponents(game).into_iter().map(PlayerSpec::Strategy);
    std::iter::once(PlayerSpec::Human)
        .chain(strategies)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(game: &str) -> StartPage {
        let settings = Settings {
            game: game.into(),
            ..Settings::default()
        };
        StartPage::new(&settings, Language::English)
    }

    #[test]
    fn only_strategies_that_can_play_are_offered() {
        for family in FAMILIES {
            for game in family.examples {
                let page = page(game);
                assert!(page.offered.len() > 3, "{game}");
                for player in &page.offered {
                    if let PlayerSpec::Strategy(spec) = player {
                        assert!(page.game.seat(spec, &Limits::default()).is_ok(), "{spec}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_player_who_cannot_play_the_next_game_is_replaced() {
        let mut page = page("tictactoe");
        page.seat(Player::Second, "expert".parse().unwrap());
        assert_eq!(page.players[1].to_string(), "expert");
        page.set_game("othello".parse().unwrap());
        assert_ne!(page.players[1].to_string(), "expert");
        page.seat(Player::First, "minimax".parse().unwrap());
        assert_eq!(page.players[0].to_string(), "minimax(depth=3)");
    }

    #[test]
    fn the_strongest_player_stays_the_strongest_from_game_to_game() {
        let mut page = page("tictactoe");
        page.seat(Player::Second, page.advisor.clone());
        for game in ["tictactoe:15x15:5", "othello", "othello:4x4"] {
            page.set_game(game.parse().unwrap());
            assert_eq!(page.players[1], page.advisor, "{game}");
        }
    }

    #[test]
    fn parameters_step_through_their_range_and_back_to_the_default() {
        let mut page = page("tictactoe");
        page.seat(Player::Second, "mcts".parse().unwrap());
        let mut settings = Settings::default();
        let playouts = |row: &Row| matches!(row, Row::Parameter(_, p) if p.name == "playouts");
        page.focus = page.position(playouts);
        for expected in ["1", "2", "5", "10", "20", "50", "100"] {
            page.change(1, &mut settings);
            assert_eq!(
                page.players[1].to_string(),
                format!("mcts(playouts={expected})")
            );
        }
        for _ in 0..7 {
            page.change(-1, &mut settings);
        }
        assert_eq!(page.players[1].to_string(), "mcts");
    }

    #[test]
    fn a_value_that_does_not_fit_is_refused() {
        let mut page = page("tictactoe");
        page.seat(Player::Second, "alphabeta".parse().unwrap());
        let Row::Parameter(player, depth) = page.rows()[3] else {
            panic!("the first parameter follows the second player");
        };
        assert!(!page.set_parameter(player, depth, Some("0")));
        assert!(page.set_parameter(player, depth, Some("6")));
        assert_eq!(page.players[1].to_string(), "alphabeta(depth=6)");
    }
}
