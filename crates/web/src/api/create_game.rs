//! How a game begins: what was asked for becomes a new game, or a sentence that
//! says why not.

use std::time::Duration;

use papan_catalog::{AnyGame, Argument, ParameterKind, PlayerSpec, STRATEGIES, StrategySpec};
use papan_rules::Player;
use papan_store::NewGame;
use papan_strategies::{Limits, TimeControl};
use papan_view::{Messages, messages};
use serde::Deserialize;

use crate::game::event::Side;
use crate::game::opponent::opponent;
use crate::http::body::{ParsedBody, whole};
use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::http::secret::{Secret, random_game_id};
use crate::state::AppState;

/// The longest clock: a day for each.
const LONGEST: Duration = Duration::from_secs(24 * 3600);
/// The most that a move adds.
const LARGEST_INCREMENT: Duration = Duration::from_secs(3600);

/// The largest hash table of a client's strategy, in MiB.
pub(crate) const MAX_HASH_MIB: u64 = 64;

/// A game that somebody would like to play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateGame {
    /// The name of the rules.
    pub game: String,
    /// A position to start from.
    #[serde(default)]
    pub start: Option<String>,
    /// Who plays first: `human`, or a strategy.
    #[serde(default = "human")]
    pub first: String,
    /// Who plays second.
    #[serde(default = "human")]
    pub second: String,
    /// Which of two human seats the client takes; the other one is free for
    /// whoever is invited. Without it both are the client's.
    #[serde(default)]
    pub seat: Option<Side>,
    /// Whether anybody may find the game in the lobby.
    #[serde(default)]
    pub listed: bool,
    /// How strong an opponent without a name shall be.
    #[serde(skip)]
    pub level: String,
    /// The clock, `5m+3s`.
    #[serde(default)]
    pub clock: Option<String>,
    /// Seconds for each player, where there is no `clock`.
    #[serde(default, deserialize_with = "whole")]
    pub clock_seconds: Option<u64>,
    /// Seconds that every move adds to them.
    #[serde(default, deserialize_with = "whole")]
    pub increment_seconds: Option<u64>,
}

fn human() -> String {
    "human".into()
}

impl CreateGame {
    /// What was sent, as JSON or from the home page.
    ///
    /// # Errors
    /// When a field is missing or wrong.
    pub(crate) fn read(sent: &ParsedBody) -> Result<Self, Rejection> {
        match sent {
            ParsedBody::Json(_) => sent.read(),
            ParsedBody::Form(fields) => Ok(Self::of_form(&Fields(fields))),
        }
    }

    fn of_form(fields: &Fields<'_>) -> Self {
        let game = fields.text("other_game").or(fields.text("game"));
        let (first, second, seat) = match fields.text("mode") {
            Some("computer") => {
                let opponent = fields.strategy("opponent");
                match fields.side() {
                    Side::First => (human(), opponent, None),
                    Side::Second => (opponent, human(), None),
                }
            }
            Some("watch") => (fields.strategy("first"), fields.strategy("second"), None),
            Some("friend" | "lobby") => (human(), human(), Some(fields.side())),
            _ => (human(), human(), None),
        };
        let number = |name: &str| fields.text(name).and_then(|text| text.parse::<u64>().ok());
        Self {
            game: game.unwrap_or_default().to_owned(),
            start: fields.text("start").map(str::to_owned),
            first,
            second,
            seat,
            listed: fields.text("mode") == Some("lobby"),
            level: fields.text("level").unwrap_or_default().into(),
            clock: fields.text("clock").map(str::to_owned),
            // What pages of papan 0.1.0 sent, and links made from them.
            clock_seconds: number("minutes").map(|minutes| minutes.saturating_mul(60)),
            increment_seconds: number("increment"),
        }
    }

    /// The new game for a client.
    ///
    /// # Errors
    /// With a sentence, when there is no such game or a player cannot play it.
    pub(crate) fn game(
        &self,
        app: &AppState,
        client: &Client,
        secret: &Secret,
    ) -> Result<NewGame, Rejection> {
        let words = client.words;
        let game = app
            .game(&self.game)
            .map_err(|error| Rejection::UnusableField {
                field: "game",
                what: messages::game(words, &error),
            })?;
        if let Some(start) = &self.start {
            let line = game.line_from(start);
            line.map_err(|error| Rejection::Unusable(messages::position(words, &error)))?;
        }
        let first = self.player(&game, Player::First, app, words)?;
        let second = self.player(&game, Player::Second, app, words)?;
        let id = random_game_id();
        let name = client.shown_name();
        let me = Some(secret.seat(&id));
        let person = |spec: &PlayerSpec| *spec == PlayerSpec::Human;
        let invited = match self.seat {
            Some(seat) if person(&first) && person(&second) => Some(Player::from(seat).other()),
            _ => None,
        };
        let holder = |player: Player, spec: &PlayerSpec| match person(spec) {
            true if invited != Some(player) => me,
            _ => None,
        };
        let clock = self.clock(words)?;
        let holders = [
            holder(Player::First, &first),
            holder(Player::Second, &second),
        ];
        let listed = self.listed && invited.is_some();
        let invitation = |player: Player| {
            let secret = match listed {
                true => Secret::open_invitation(&id),
                false => secret.invitation(&id),
            };
            (player.index(), secret.digest())
        };
        Ok(NewGame {
            start: self.start.clone(),
            clock,
            salt: id.clone(),
            visitors: holders.map(|holder| holder.map(|_| secret.visitor())),
            names: holders.map(|holder| holder.and_then(|_| name.clone())),
            holders,
            listed,
            invitation: invited.map(invitation),
            created_at: app.date(),
            ..NewGame::new(id, game.name(), [first.to_string(), second.to_string()])
        })
    }
}

impl CreateGame {
    /// Milliseconds for each player, and what every move adds.
    fn clock(&self, words: Messages) -> Result<Option<(u64, u64)>, Rejection> {
        let wrong = |what: String| Rejection::UnusableField {
            field: "clock",
            what,
        };
        // The old fields keep to their limits even where they say nothing of the clock.
        let seconds = |field: Option<u64>| Duration::from_secs(field.unwrap_or(0));
        let (base, increment) = (seconds(self.clock_seconds), seconds(self.increment_seconds));
        if base > LONGEST || increment > LARGEST_INCREMENT {
            return Err(wrong(words.text("web-clock-too-long")));
        }
        let control = match (&self.clock, self.clock_seconds) {
            (Some(text), _) => {
                let control: Result<TimeControl, _> = text.parse();
                control.map_err(|error| wrong(messages::time(words, &error)))?
            }
            (None, None | Some(0)) => return Ok(None),
            (None, Some(_)) => TimeControl { base, increment },
        };
        if control.base > LONGEST || control.increment > LARGEST_INCREMENT {
            return Err(wrong(words.text("web-clock-too-long")));
        }
        // A moment that is shorter than we count is one that we do.
        let milliseconds = |time: Duration| time.as_nanos().div_ceil(1_000_000) as u64;
        Ok(Some((
            milliseconds(control.base),
            milliseconds(control.increment),
        )))
    }
}

impl CreateGame {
    /// The player of a seat, who can play this game there; without a name, the opponent
    /// of the level.
    fn player(
        &self,
        game: &AnyGame,
        seat: Player,
        app: &AppState,
        words: Messages,
    ) -> Result<PlayerSpec, Rejection> {
        let text = match seat {
            Player::First => &self.first,
            Player::Second => &self.second,
        };
        if text.is_empty() {
            return Ok(PlayerSpec::Strategy(opponent(&self.level)));
        }
        let spec = player(game, text, app, words)?;
        if let PlayerSpec::Strategy(strategy) = &spec {
            let seated = game.can_seat_as(strategy, &limits(app), seat);
            seated.map_err(|error| Rejection::Unusable(messages::unplayable(words, &error)))?;
        }
        Ok(spec)
    }
}

/// A player by name who can play this game here.
fn player(
    game: &AnyGame,
    text: &str,
    app: &AppState,
    words: Messages,
) -> Result<PlayerSpec, Rejection> {
    let spec: PlayerSpec = text
        .parse()
        .map_err(|error| Rejection::Unusable(messages::player(words, &error)))?;
    if let PlayerSpec::Strategy(strategy) = &spec {
        playable(game, strategy, app, words)?;
    }
    Ok(spec)
}

/// The game of a name.
///
/// # Errors
/// With a sentence, when there is none.
pub(crate) fn game_named(
    app: &AppState,
    name: &str,
    words: Messages,
) -> Result<AnyGame, Rejection> {
    let game = app.game(name);
    game.map_err(|error| Rejection::Unusable(messages::game(words, &error)))
}

/// The strategy of a name that can play a game here.
///
/// # Errors
/// With a sentence, when there is none, or it cannot.
pub(crate) fn strategy_named(
    game: &AnyGame,
    text: &str,
    app: &AppState,
    words: Messages,
) -> Result<StrategySpec, Rejection> {
    let spec: Result<StrategySpec, _> = text.parse();
    let spec = spec.map_err(|error| Rejection::Unusable(messages::player(words, &error)))?;
    playable(game, &spec, app, words)?;
    Ok(spec)
}

/// Whether a strategy asks for more of the machine than a client is given.
fn is_greedy((name, argument): (&str, &Argument)) -> bool {
    match (name, argument) {
        ("threads", Argument::Number(threads)) => *threads > 1,
        ("hash", Argument::Number(mebibytes)) => *mebibytes > MAX_HASH_MIB,
        _ => false,
    }
}

/// Whether a strategy can play a game here.
///
/// # Errors
/// With a sentence, when it cannot, would read a file of the server, or take too
/// much of it.
pub(crate) fn playable(
    game: &AnyGame,
    strategy: &StrategySpec,
    app: &AppState,
    words: Messages,
) -> Result<(), Rejection> {
    let reads_files = strategy
        .arguments()
        .iter()
        .any(|(_, argument)| matches!(argument, Argument::Path(_)));
    if reads_files {
        return Err(Rejection::Unusable(words.text("web-no-files")));
    }
    if strategy.arguments().iter().any(is_greedy) {
        let most = [("most", MAX_HASH_MIB.to_string().into())];
        return Err(Rejection::Unusable(
            words.with("web-too-many-threads", most),
        ));
    }
    match game.can_seat(strategy, &limits(app)) {
        Ok(()) => Ok(()),
        Err(error) => Err(Rejection::Unusable(messages::unplayable(words, &error))),
    }
}

/// What a strategy has to keep to here.
fn limits(app: &AppState) -> Limits {
    Limits {
        time: Some(app.settings.move_time),
        ..Limits::default()
    }
}

/// The fields of a form.
struct Fields<'a>(&'a [(String, String)]);

impl Fields<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(field, _)| field == name);
        field
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// The seat that was chosen, or drawn by lot.
    fn side(&self) -> Side {
        match self.text("seat") {
            Some("first") => Side::First,
            Some("second") => Side::Second,
            _ if random_game_id().as_bytes()[0].is_multiple_of(2) => Side::First,
            _ => Side::Second,
        }
    }

    /// A strategy with those of its parameters that were filled in, which are
    /// named `role.strategy.parameter`.
    fn strategy(&self, role: &str) -> String {
        let name = self.text(role).unwrap_or_default();
        let Some(recipe) = STRATEGIES.iter().find(|recipe| recipe.name == name) else {
            return name.into();
        };
        let given: Vec<String> = recipe
            .parameters
            .iter()
            .filter(|parameter| parameter.kind != ParameterKind::File)
            .filter_map(|parameter| {
                let value = self.text(&format!("{role}.{name}.{}", parameter.name))?;
                Some(format!("{}={value}", parameter.name))
            })
            .collect();
        match given.is_empty() {
            true => name.into(),
            false => format!("{name}({})", given.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(pairs: &[(&str, &str)]) -> CreateGame {
        let owned: Vec<(String, String)> = pairs
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect();
        CreateGame::read(&ParsedBody::Form(owned)).unwrap()
    }

    #[test]
    fn a_form_becomes_a_wish_with_the_parameters_of_the_chosen_strategy() {
        let wish = wish(&[
            ("game", "tictactoe"),
            ("other_game", "tictactoe:4x4"),
            ("mode", "computer"),
            ("seat", "second"),
            ("opponent", "alphabeta"),
            ("opponent.alphabeta.depth", "3"),
            ("opponent.alphabeta.prefer", ""),
            ("opponent.mcts.playouts", "77"),
            ("minutes", "5"),
        ]);
        assert_eq!(wish.game, "tictactoe:4x4");
        assert_eq!(
            (wish.first.as_str(), wish.second.as_str()),
            ("alphabeta(depth=3)", "human")
        );
        assert_eq!(wish.clock_seconds, Some(300));
    }

    #[test]
    fn a_clock_is_read_as_everywhere_and_in_the_old_fields() {
        let words = Messages::new(papan_view::Language::English);
        let clock = |pairs: &[(&str, &str)]| wish(pairs).clock(words);
        assert_eq!(clock(&[]).unwrap(), None);
        assert!(clock(&[("increment", "3601")]).is_err());
        assert_eq!(clock(&[("clock", " ")]).unwrap(), None);
        assert_eq!(
            clock(&[("clock", "5m+3s")]).unwrap(),
            Some((300_000, 3_000))
        );
        assert_eq!(clock(&[("clock", "1m30s")]).unwrap(), Some((90_000, 0)));
        assert_eq!(clock(&[("clock", "0.1ms")]).unwrap(), Some((1, 0)));
        let old = [("minutes", "5"), ("increment", "3")];
        assert_eq!(clock(&old).unwrap(), Some((300_000, 3_000)));
        assert_eq!(clock(&[("minutes", "0")]).unwrap(), None);
        for wrong in ["five", "5m+", "0", "25h", "5m+2h"] {
            let error = clock(&[("clock", wrong)]).unwrap_err();
            let told = matches!(error, Rejection::UnusableField { field: "clock", .. });
            assert!(told, "{wrong}: {error}");
        }
    }

    #[test]
    fn a_friend_gets_the_other_seat_and_one_screen_has_both() {
        let friend = wish(&[("game", "othello"), ("mode", "friend"), ("seat", "first")]);
        assert_eq!(friend.seat, Some(Side::First));
        assert_eq!(wish(&[("game", "othello"), ("mode", "screen")]).seat, None);
    }
}
