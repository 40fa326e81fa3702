//! `POST /games`: parsing and validating the request for a new game.

use std::time::Duration;

use papan_catalog::{AnyGame, PlayerSpec};
use papan_rules::{Player, SwapRule};
use papan_store::NewGame;
use papan_strategies::TimeControl;
use papan_view::{Messages, messages};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::http::body::{ParsedBody, optional_u64};
use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::http::secret::{Secret, random_game_id};
use crate::side::Side;
use crate::state::AppState;
use papan_pages::Games as _;
use papan_pages::form_defaults::{chosen_clock, chosen_game};
use papan_pages::form_fields::FormFields;
use papan_pages::opponent::opponent;

/// Maximum initial time per player.
const MAX_TIME: Duration = Duration::from_secs(24 * 3600);
/// Maximum time per move, well below the time after which idle games expire.
const MAX_TIME_PER_MOVE: Duration = Duration::from_secs(14 * 24 * 3600);
/// Maximum increment per move.
const MAX_INCREMENT: Duration = Duration::from_secs(3600);

/// A request for a new game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateGame {
    /// Name of the rules.
    game: String,
    /// Start position.
    #[serde(default)]
    start: Option<String>,
    /// The first player: `human` or a strategy.
    #[serde(default = "human")]
    first: String,
    /// The second player.
    #[serde(default = "human")]
    second: String,
    /// The client's seat if two people play; the other seat is vacant. Without it the client
    /// takes both.
    #[serde(default)]
    seat: Option<Side>,
    /// Whether the game is listed in the lobby.
    #[serde(default)]
    listed: bool,
    /// Whether an open challenge with the same game and clock is accepted instead.
    #[serde(skip)]
    pub(crate) pairs: bool,
    /// Level of an opponent without a name.
    #[serde(skip)]
    level: String,
    /// The opening rule: `swap` or `swap2`.
    #[serde(default, deserialize_with = "optional_rule")]
    pub(crate) opening_rule: Option<SwapRule>,
    /// The clock, such as `5m+3s`.
    #[serde(default)]
    clock: Option<String>,
    /// Seconds per player, if there is no `clock`.
    #[serde(default, deserialize_with = "optional_u64")]
    clock_seconds: Option<u64>,
    /// Increment for `clock_seconds`.
    #[serde(default, deserialize_with = "optional_u64")]
    increment_seconds: Option<u64>,
}

/// Reads an opening rule; an empty one counts as none.
fn optional_rule<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<SwapRule>, D::Error> {
    let text = Option::<String>::deserialize(reader)?;
    let text = text.filter(|text| !text.is_empty());
    text.map(|text| text.parse().map_err(D::Error::custom))
        .transpose()
}

fn human() -> String {
    "human".into()
}

impl CreateGame {
    /// Reads the request from JSON or from the form of the home page.
    ///
    /// # Errors
    /// If a field is missing or has the wrong type.
    pub(crate) fn read(body: &ParsedBody) -> Result<Self, Rejection> {
        match body {
            ParsedBody::Json(_) => body.read(),
            ParsedBody::Form(fields) => Ok(Self::from_form(&FormFields(fields))),
        }
    }

    fn from_form(fields: &FormFields<'_>) -> Self {
        let game = chosen_game(fields.0).or(fields.text("other_game"));
        let (first, second, seat) = match fields.text("mode") {
            Some("computer") => {
                let opponent = fields.strategy("opponent");
                match fields.seat().unwrap_or_else(random_side) {
                    Side::First => (human(), opponent, None),
                    Side::Second => (opponent, human(), None),
                }
            }
            Some("watch") => (fields.strategy("first"), fields.strategy("second"), None),
            Some("friend" | "lobby") => (
                human(),
                human(),
                Some(fields.seat().unwrap_or_else(random_side)),
            ),
            // A paired player takes either side.
            None if fields.text("pair").is_some() => (human(), human(), Some(random_side())),
            _ => (human(), human(), None),
        };
        let number = |name: &str| fields.text(name).and_then(|text| text.parse::<u64>().ok());
        Self {
            game: game.unwrap_or_default().to_owned(),
            start: fields.text("start").map(str::to_owned),
            first,
            second,
            seat,
            pairs: fields.text("pair").is_some(),
            listed: fields.text("mode") == Some("lobby") || fields.text("pair").is_some(),
            level: fields.text("level").unwrap_or_default().into(),
            // A challenge that is looked for has no opening rule.
            opening_rule: fields
                .text("opening_rule")
                .filter(|_| fields.text("pair").is_none())
                .and_then(|rule| rule.parse().ok()),
            clock: fields
                .text("pair")
                .or_else(|| chosen_clock(fields.0))
                .map(str::to_owned),
            // Fields of papan 0.1.0's pages, and links made from them.
            clock_seconds: number("minutes").map(|minutes| minutes.saturating_mul(60)),
            increment_seconds: number("increment"),
        }
    }

    /// Validates the request and returns the game to store.
    ///
    /// # Errors
    /// If the game does not exist or a player cannot play it, with a localized reason.
    pub(crate) fn new_game(
        &self,
        app: &AppState,
        client: &Client,
        secret: &Secret,
    ) -> Result<NewGame, Rejection> {
        let words = client.words;
        let game = app
            .catalog
            .get(&self.game)
            .map_err(|error| Rejection::UnusableField {
                field: "game",
                what: messages::game(words, &error),
            })?;
        if let Some(rule) = self.opening_rule {
            let field = "opening_rule";
            let wrong = |what| Rejection::UnusableField { field, what };
            messages::check_swap(words, &game, rule).map_err(wrong)?;
            if self.start.is_some() {
                return Err(wrong(words.text("web-swap-start")));
            }
        }
        if let Some(start) = &self.start {
            game.line_from(start)
                .map_err(|error| Rejection::Unusable(messages::position(words, &error)))?;
        }
        let first = self.player(app, &game, Player::First, words)?;
        let second = self.player(app, &game, Player::Second, words)?;
        let id = random_game_id();
        let is_person = |spec: &PlayerSpec| *spec == PlayerSpec::Human;
        let vacant = match self.seat {
            Some(seat) if is_person(&first) && is_person(&second) => {
                Some(Player::from(seat).other())
            }
            _ => None,
        };
        let holder = |player: Player, spec: &PlayerSpec| {
            (is_person(spec) && vacant != Some(player)).then(|| secret.seat(&id))
        };
        let holders = [
            holder(Player::First, &first),
            holder(Player::Second, &second),
        ];
        let listed = self.listed && vacant.is_some();
        let invitation = |player: Player| {
            let secret = if listed {
                Secret::open_invitation(&id)
            } else {
                secret.invitation(&id)
            };
            (player.index(), secret.digest())
        };
        let name = client.tagged_name();
        Ok(NewGame {
            start: self.start.clone(),
            clock: self.clock(words)?,
            salt: id.clone(),
            visitors: holders.map(|holder| holder.map(|_| secret.visitor())),
            names: holders.map(|holder| holder.and_then(|_| name.clone())),
            holders,
            listed,
            invitation: vacant.map(invitation),
            created_at: app.clock.unix_millis(),
            ..NewGame::new(id, game.name(), [first.to_string(), second.to_string()])
        })
    }

    /// Returns the initial time and the increment in milliseconds.
    fn clock(&self, words: Messages) -> Result<Option<(u64, u64)>, Rejection> {
        let wrong = |what: String| Rejection::UnusableField {
            field: "clock",
            what,
        };
        let check = |control: TimeControl| {
            let too_long = if control.is_per_move() {
                control.base > MAX_TIME_PER_MOVE
            } else {
                control.base > MAX_TIME || control.increment > MAX_INCREMENT
            };
            if too_long {
                return Err(wrong(words.text("web-clock-too-long")));
            }
            Ok(control)
        };
        let seconds = |field: Option<u64>| Duration::from_secs(field.unwrap_or(0));
        // Checked even if `clock` overrides it.
        let in_seconds = check(TimeControl {
            base: seconds(self.clock_seconds),
            increment: seconds(self.increment_seconds),
        })?;
        let control = match (&self.clock, self.clock_seconds) {
            (Some(text), _) => {
                let control: TimeControl = text
                    .parse()
                    .map_err(|error| wrong(messages::time(words, &error)))?;
                check(control)?
            }
            (None, None | Some(0)) => return Ok(None),
            (None, Some(_)) => in_seconds,
        };
        // Rounded up, so that a positive time is never 0 ms.
        let milliseconds = |time: Duration| time.as_nanos().div_ceil(1_000_000) as u64;
        Ok(Some((
            milliseconds(control.base),
            milliseconds(control.increment),
        )))
    }

    /// Returns the player of a seat; an empty name is the opponent of the level.
    fn player(
        &self,
        app: &AppState,
        game: &AnyGame,
        seat: Player,
        words: Messages,
    ) -> Result<PlayerSpec, Rejection> {
        let text = match seat {
            Player::First => &self.first,
            Player::Second => &self.second,
        };
        if text.is_empty() {
            return Ok(PlayerSpec::Strategy(opponent(&self.level)));
        }
        let start = self.start.as_deref();
        Ok(app
            .strategies
            .parse_player(game, start, seat, text, words)?)
    }
}

fn random_side() -> Side {
    if random_game_id().as_bytes()[0].is_multiple_of(2) {
        Side::First
    } else {
        Side::Second
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(pairs: &[(&str, &str)]) -> CreateGame {
        let owned: Vec<(String, String)> = pairs
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect();
        CreateGame::read(&ParsedBody::Form(owned)).unwrap()
    }

    #[test]
    fn a_form_becomes_a_request_with_the_parameters_of_the_chosen_strategy() {
        let request = request(&[
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
        assert_eq!(request.game, "tictactoe:4x4");
        assert_eq!(
            (request.first.as_str(), request.second.as_str()),
            ("alphabeta(depth=3)", "human")
        );
        assert_eq!(request.clock_seconds, Some(300));
    }

    #[test]
    fn a_clock_is_read_as_everywhere_and_in_the_old_fields() {
        let words = Messages::new(papan_view::Language::English);
        let clock = |pairs: &[(&str, &str)]| request(pairs).clock(words);
        assert_eq!(clock(&[]).unwrap(), None);
        assert!(clock(&[("increment", "3601")]).is_err());
        assert_eq!(clock(&[("clock", " ")]).unwrap(), None);
        assert_eq!(
            clock(&[("clock", "5m+3s")]).unwrap(),
            Some((300_000, 3_000))
        );
        assert_eq!(clock(&[("clock", "1m30s")]).unwrap(), Some((90_000, 0)));
        let days = clock(&[("clock", "3d+3d")]).unwrap();
        assert_eq!(days, Some((259_200_000, 259_200_000)));
        assert_eq!(clock(&[("clock", "0.1ms")]).unwrap(), Some((1, 0)));
        let old = [("minutes", "5"), ("increment", "3")];
        assert_eq!(clock(&old).unwrap(), Some((300_000, 3_000)));
        assert_eq!(clock(&[("minutes", "0")]).unwrap(), None);
        for wrong in ["five", "5m+", "0", "25h", "5m+2h", "3d+1d", "15d+15d"] {
            let error = clock(&[("clock", wrong)]).unwrap_err();
            let at_clock = matches!(error, Rejection::UnusableField { field: "clock", .. });
            assert!(at_clock, "{wrong}: {error}");
        }
    }

    #[test]
    fn a_friend_gets_the_other_seat_and_one_screen_has_both() {
        let friend = request(&[("game", "othello"), ("mode", "friend"), ("seat", "first")]);
        assert_eq!(friend.seat, Some(Side::First));
        assert_eq!(
            request(&[("game", "othello"), ("mode", "screen")]).seat,
            None
        );
    }
}
