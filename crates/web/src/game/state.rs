//! The state of a game: the fold of its events (event sourcing). Pure, no I/O.

use std::time::Duration;

use papan_catalog::{AnyGame, AnyLine, GameError, PlayerError, PlayerSpec};
use papan_rules::{Outcome, Player, PositionError, SwapChoice, SwapOpening, SwapStep};
use papan_store::{Digest, Standing, StoredEvent, StoredGame};
use papan_strategies::GameClock;

use crate::analysis::strategy_failure::StrategyFailure;
use crate::game::clock::time_control;
use crate::game::event::{Event, Greeting};
use crate::http::secret::Secret;
use papan_pages::programs::Programs;

/// The time of a clock that does not run: its events say how much each move is charged.
const STOPPED: Duration = Duration::ZERO;

/// Why a game ended other than by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Resignation.
    Resigned,
    /// Loss on time.
    Time,
    /// Draw by agreement.
    Agreed,
    /// A strategy returned no move.
    NoAnswer(StrategyFailure),
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    /// The result.
    pub(crate) outcome: Outcome,
    /// The cause, unless the rules ended it.
    pub(crate) cause: Option<Cause>,
}

/// The state of a game after some number of events.
#[derive(Clone)]
pub(crate) struct GameState {
    /// Its id.
    pub(crate) id: String,
    /// The players, first and second.
    pub(crate) players: [PlayerSpec; 2],
    /// Salt of the seat digests: the id of the first game in a chain of rematches.
    pub(crate) salt: String,
    /// Seat digests of the clients who hold the seats.
    pub(crate) holders: [Option<Digest>; 2],
    /// Display names of the holders.
    pub(crate) names: [Option<String>; 2],
    /// The vacant seat.
    pub(crate) vacant: Option<Player>,
    /// Whether it is listed in the lobby.
    pub(crate) listed: bool,
    /// The swap opening, if the game began with one.
    pub(crate) opening: Option<SwapOpening>,
    /// The line of play.
    pub(crate) line: Box<dyn AnyLine>,
    /// The clock, if the game has one.
    pub(crate) clock: Option<GameClock>,
    /// Start of the current turn, in Unix milliseconds.
    pub(crate) turn_started: i64,
    /// The end, if it is over.
    pub(crate) ending: Option<Ending>,
    /// An open take-back request: the player and the number of moves that would remain.
    pub(crate) asked_back: Option<(Player, usize)>,
    /// Number of moves at the last take-back request.
    pub(crate) asked_back_at: Option<usize>,
    /// The player with an open draw offer.
    pub(crate) draw_offer: Option<Player>,
    /// Number of moves at the last draw offer.
    pub(crate) draw_offered_at: Option<usize>,
    /// The last canned message and its sender.
    pub(crate) greeting: Option<(Player, Greeting)>,
    /// Number of canned messages per player.
    pub(crate) greetings: [usize; 2],
    /// Whether each player has offered a rematch.
    pub(crate) rematch_offered: [bool; 2],
    /// The player with an open rematch offer.
    pub(crate) rematch_offer: Option<Player>,
    /// Id of the rematch.
    pub(crate) rematch: Option<String>,
    /// The version of the last change to the position, the players or the result. A client
    /// that has seen it may act: offers and messages since then do not matter.
    pub(crate) changed: u64,
    /// Number of events.
    pub(crate) version: u64,
    /// Time of the last event, in Unix milliseconds.
    pub(crate) at: i64,
}

/// Why a stored game cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    /// Unknown rules.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Unknown player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// Invalid start position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// An event cannot be parsed or applied.
    #[error("event {version}: {what}")]
    Event {
        /// Its version.
        version: u64,
        /// The reason.
        what: String,
    },
}

impl GameState {
    /// Replays the first `up_to` events of a stored game.
    ///
    /// # Errors
    /// If something stored cannot be parsed or applied.
    pub(crate) fn replay(
        game: &AnyGame,
        programs: &Programs,
        stored: &StoredGame,
        up_to: u64,
    ) -> Result<Self, ReplayError> {
        let header = &stored.game;
        let line = match &header.start {
            None => game.line(),
            Some(position) => game.line_from(position)?,
        };
        let mut state = Self {
            id: header.id.clone(),
            players: [
                programs.parse(&header.players[0])?,
                programs.parse(&header.players[1])?,
            ],
            salt: header.salt.clone(),
            holders: header.holders,
            names: header.names.clone(),
            vacant: None,
            listed: header.listed,
            clock: header
                .clock
                .map(|clock| GameClock::new(time_control(clock))),
            turn_started: header.created_at,
            opening: None,
            line,
            ending: None,
            asked_back: None,
            asked_back_at: None,
            draw_offer: None,
            draw_offered_at: None,
            greeting: None,
            greetings: [0; 2],
            rematch_offered: [false; 2],
            rematch_offer: None,
            rematch: None,
            changed: 0,
            version: 0,
            at: header.created_at,
        };
        // The stored holders are the current ones; a seat that was joined later was vacant.
        state.vacant = first_join(stored).or_else(|| {
            let free = |player: &Player| {
                state.players[player.index()] == PlayerSpec::Human
                    && state.holders[player.index()].is_none()
            };
            Player::BOTH.into_iter().find(free)
        });
        state.update_ending();
        for event in stored.events.iter().take(up_to as usize) {
            state.apply_stored(event)?;
        }
        Ok(state)
    }

    /// Applies an event.
    ///
    /// # Errors
    /// If the event does not fit, such as an illegal move.
    pub(crate) fn apply(&mut self, event: &Event, at: i64) -> Result<(), String> {
        match event {
            Event::Joined { .. } => {
                self.vacant = None;
                self.turn_started = at;
            }
            Event::Moved { by, mv, charged } => {
                let mv = mv.parse(&self.line.game());
                let mv = mv.map_err(|error| error.to_string())?;
                self.line.play(mv).map_err(|error| error.to_string())?;
                self.asked_back = None;
                self.draw_offer = None;
                if let Some(clock) = &mut self.clock {
                    let (mover, used) = ((*by).into(), Duration::from_millis(*charged));
                    clock.charge(mover, used);
                    clock.press(mover, STOPPED);
                }
                self.turn_started = at;
                self.update_ending();
            }
            Event::OpeningRule { rule } => {
                let rule = rule.parse();
                let rule = rule.map_err(|error: papan_rules::SwapError| error.to_string())?;
                self.opening = Some(SwapOpening::new(rule));
            }
            Event::Chose {
                by,
                choice,
                charged,
            } => {
                let plies = self.line.moves().len();
                let choice = SwapChoice::parse(choice).ok_or("no such choice")?;
                let mut opening = self.opening.ok_or("no swap opening")?;
                let chosen = opening.choose(plies, choice);
                chosen.map_err(|error| error.to_string())?;
                if let Some(clock) = &mut self.clock {
                    clock.charge((*by).into(), Duration::from_millis(*charged));
                }
                self.set_opening(opening);
                self.turn_started = at;
            }
            Event::AskedBack { by, to } => {
                self.asked_back = Some(((*by).into(), *to));
                self.asked_back_at = Some(self.line.moves().len());
            }
            Event::Declined { .. } => self.asked_back = None,
            Event::DrawOffered { by } => {
                self.draw_offer = Some((*by).into());
                self.draw_offered_at = Some(self.line.moves().len());
            }
            Event::DrawDeclined { .. } => self.draw_offer = None,
            Event::DrawAgreed { .. } => self.end(Outcome::Draw, Cause::Agreed),
            Event::Greeted { by, greeting } => {
                self.greeting = Some(((*by).into(), *greeting));
                self.greetings[Player::from(*by).index()] += 1;
            }
            Event::TakenBack { to, .. } => {
                while self.line.moves().len() > *to {
                    self.line.undo();
                }
                if let Some(mut opening) = self.opening {
                    opening.rewind(*to);
                    self.set_opening(opening);
                }
                self.asked_back = None;
                self.asked_back_at = None;
                self.draw_offer = None;
                self.draw_offered_at = None;
                self.ending = None;
                self.rematch_offer = None;
                self.turn_started = at;
            }
            Event::Resigned { by } => self.lose((*by).into(), Cause::Resigned),
            Event::TimedOut { by } => {
                let by = (*by).into();
                if let Some(clock) = &mut self.clock {
                    clock.charge(by, Duration::MAX);
                }
                self.lose(by, Cause::Time);
            }
            Event::GaveUp { by, reason } => {
                self.lose((*by).into(), Cause::NoAnswer(reason.clone()));
            }
            Event::RematchOffered { by } => {
                let by = (*by).into();
                self.rematch_offer = Some(by);
                self.rematch_offered[by.index()] = true;
            }
            Event::RematchDeclined { .. } => self.rematch_offer = None,
            Event::RematchStarted { game } => self.rematch = Some(game.clone()),
        }
        self.version += 1;
        if event.changes_position() {
            self.changed = self.version;
        }
        self.at = at;
        Ok(())
    }

    /// Parses and applies a stored event.
    ///
    /// # Errors
    /// If it cannot be parsed or does not fit.
    pub(crate) fn apply_stored(&mut self, stored: &StoredEvent) -> Result<Event, ReplayError> {
        let invalid = |what: String| ReplayError::Event {
            version: stored.version,
            what,
        };
        let event = Event::from_json(&stored.body).map_err(|error| invalid(error.to_string()))?;
        self.apply(&event, stored.at).map_err(invalid)?;
        Ok(event)
    }

    /// Replaces the swap opening. If it differs in that, the players exchange seats, with
    /// everything that belongs to them.
    fn set_opening(&mut self, opening: SwapOpening) {
        let before = self.opening.replace(opening);
        if before.is_some_and(SwapOpening::exchanged) == opening.exchanged() {
            return;
        }
        self.players.swap(0, 1);
        self.holders.swap(0, 1);
        self.names.swap(0, 1);
        self.greetings.swap(0, 1);
        self.rematch_offered.swap(0, 1);
        self.greeting = self.greeting.map(|(by, greeting)| (by.other(), greeting));
        (self.asked_back, self.draw_offer) = (None, None);
        if let Some(clock) = &mut self.clock {
            clock.exchange(STOPPED);
        }
    }

    /// Returns the index of the player in a seat, which an exchange in a swap opening does not change.
    #[must_use]
    pub(crate) fn player_in(&self, seat: Player) -> usize {
        let is_exchanged = self.opening.is_some_and(SwapOpening::exchanged);
        let before = if is_exchanged { seat.other() } else { seat };
        before.index()
    }

    /// Returns the step of the swap opening.
    #[must_use]
    pub(crate) fn swap_step(&self) -> SwapStep {
        let plies = self.line.moves().len();
        self.opening
            .map_or(SwapStep::Over, |opening| opening.step(plies))
    }

    /// Returns the seat of the player who acts: in a swap opening not always the side to move.
    #[must_use]
    pub(crate) fn actor(&self) -> Player {
        self.swap_step().actor().unwrap_or(self.line.turn())
    }

    /// Returns the seat in the database of the player who now has this seat.
    fn stored_seat(&self, player: Player) -> Player {
        if self.opening.is_some_and(SwapOpening::exchanged) {
            player.other()
        } else {
            player
        }
    }

    fn lose(&mut self, loser: Player, cause: Cause) {
        self.end(Outcome::Win(loser.other()), cause);
    }

    fn end(&mut self, outcome: Outcome, cause: Cause) {
        self.asked_back = None;
        self.draw_offer = None;
        self.ending = Some(Ending {
            outcome,
            cause: Some(cause),
        });
    }

    fn update_ending(&mut self) {
        self.ending = self.line.outcome().map(|outcome| Ending {
            outcome,
            cause: None,
        });
    }

    /// Returns whether the game is over.
    #[must_use]
    pub(crate) fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Returns the player who acts, unless the game is over or a seat is vacant.
    #[must_use]
    pub(crate) fn turn(&self) -> Option<Player> {
        (!self.is_over() && self.vacant.is_none()).then(|| self.actor())
    }

    /// Returns the milliseconds that a player had left at the start of the turn.
    pub(crate) fn time_left(&self, player: Player) -> Option<u64> {
        let clock = self.clock?;
        Some(clock.left(player, STOPPED).as_millis() as u64)
    }

    /// Returns a player's time and increment in the form of `Limits::clock`.
    pub(crate) fn clock_limits(&self, player: Player) -> Option<(Duration, Duration)> {
        self.clock.map(|clock| clock.limits(player, STOPPED))
    }

    /// Returns whether the clock runs: not before both have moved.
    pub(crate) fn clock_runs(&self) -> bool {
        self.turn().is_some() && self.line.moves().len() >= 2
    }

    /// Returns the summary that the database keeps for lists of games, by its own seats.
    pub(crate) fn standing(&self) -> Standing {
        Standing {
            finished: self.is_over(),
            turn: self.turn().map(|player| self.stored_seat(player).index()),
            result: self.ending.as_ref().map(|ending| match ending.outcome {
                Outcome::Win(winner) => self.stored_seat(winner).to_string(),
                Outcome::Draw => "draw".into(),
            }),
        }
    }

    /// Returns the seats that a client holds.
    #[must_use]
    pub(crate) fn seats_of(&self, client: Option<&Secret>) -> Vec<Player> {
        let Some(seat) = client.map(|secret| secret.seat(&self.salt)) else {
            return Vec::new();
        };
        let holds = |player: &Player| self.holders[player.index()] == Some(seat);
        Player::BOTH.into_iter().filter(holds).collect()
    }

    /// Returns the invitation to the vacant seat, if the client holds the other one.
    pub(crate) fn invitation(&self, client: Option<&Secret>) -> Option<Secret> {
        self.vacant?;
        let secret = client.filter(|_| !self.seats_of(client).is_empty())?;
        Some(if self.listed {
            Secret::open_invitation(&self.id)
        } else {
            secret.invitation(&self.id)
        })
    }

    /// Returns whether two different people play, so that a take-back and a rematch need
    /// consent.
    #[must_use]
    pub(crate) fn needs_consent(&self) -> bool {
        let people = self
            .players
            .iter()
            .all(|player| *player == PlayerSpec::Human);
        people && self.holders[0] != self.holders[1]
    }

    /// Returns the number of moves that remain if `player` takes back their last move and
    /// every later one, or `None` if they have not moved.
    #[must_use]
    pub(crate) fn before_last_move_of(&self, player: Player) -> Option<usize> {
        let mut line = self.line.clone_line();
        while line.undo().is_some() {
            let ply = line.moves().len();
            let placed_by = self.opening.and_then(|opening| opening.placed_by(ply));
            let mover = match placed_by {
                Some(placed_by) => self.stored_seat(placed_by),
                None => line.turn(),
            };
            if mover == player {
                return Some(ply);
            }
        }
        None
    }
}

/// Returns the seat that was taken by invitation.
fn first_join(stored: &StoredGame) -> Option<Player> {
    stored
        .events
        .iter()
        .find_map(|event| match Event::from_json(&event.body) {
            Ok(Event::Joined { by }) => Some(by.into()),
            _ => None,
        })
}
