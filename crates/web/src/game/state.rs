//! One game as its events tell it: who sits where, the line of play, the clocks,
//! what has been asked and what has been answered. Nothing here waits or writes.

use papan_catalog::{AnyGame, AnyLine, GameError, PlayerError, PlayerSpec};
use papan_rules::{Outcome, Player, PositionError};
use papan_store::{Digest, Standing, StoredGame};

use crate::analysis::strategy_failure::StrategyFailure;
use crate::game::clock::GameClock;
use crate::game::event::{Event, Greeting};
use crate::http::secret::Secret;

/// Why a game ended before the rules ended it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A player gave up.
    Resigned,
    /// The time ran out.
    Time,
    /// Both agreed on a draw.
    Agreed,
    /// A strategy had no answer, and said why.
    NoAnswer(StrategyFailure),
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    /// Who won, if anybody.
    pub outcome: Outcome,
    /// Why, when it was not by the rules.
    pub cause: Option<Cause>,
}

/// One game, now.
#[derive(Clone)]
pub(crate) struct GameState {
    /// Its address.
    pub id: String,
    /// Who plays, first and second.
    pub players: [PlayerSpec; 2],
    /// What the holders' digests are salted with: the address of the first of the
    /// games that were each other's rematch.
    pub salt: String,
    /// Who holds the seats.
    pub holders: [Option<Digest>; 2],
    /// What the holders call themselves.
    pub(crate) names: [Option<String>; 2],
    /// The seat that waits for somebody.
    pub vacant: Option<Player>,
    /// Whether anybody may find it in the lobby.
    pub(crate) listed: bool,
    /// The line of play.
    pub line: Box<dyn AnyLine>,
    /// The clock, if they play with one.
    pub clock: Option<GameClock>,
    /// How it ended, if it has.
    pub ending: Option<Ending>,
    /// Who asked to take moves back, and how many would be left.
    pub asked_back: Option<(Player, usize)>,
    /// How many moves there were when taking back was last asked for.
    pub(crate) asked_back_at: Option<usize>,
    /// Who offers a draw.
    pub(crate) draw_offer: Option<Player>,
    /// How many moves there were when a draw was last offered.
    pub(crate) draw_offered_at: Option<usize>,
    /// What was said last, and by whom.
    pub(crate) greeting: Option<(Player, Greeting)>,
    /// How often each has said something.
    pub(crate) greetings: [usize; 2],
    /// Who has offered a rematch before.
    pub(crate) rematch_offered: [bool; 2],
    /// Who offered a rematch.
    pub rematch_offer: Option<Player>,
    /// The next game.
    pub rematch: Option<String>,
    /// The version at which the position, the players or the result last changed:
    /// whoever saw it may act, whatever was said or offered since.
    pub(crate) changed: u64,
    /// How many events there were.
    pub version: u64,
    /// When the last one was, in milliseconds since 1970.
    pub at: i64,
}

/// Why a stored game cannot be understood.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    /// Its rules are unknown.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A player is unknown.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// It starts from no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// An event cannot be read, or makes no sense where it stands.
    #[error("event {version}: {what}")]
    Event {
        /// Which one.
        version: u64,
        /// What is wrong with it.
        what: String,
    },
}

impl GameState {
    /// The game as its stored events tell it, up to a version.
    ///
    /// # Errors
    /// When something stored cannot be understood.
    pub(crate) fn replay(
        game: &AnyGame,
        stored: &StoredGame,
        up_to: u64,
    ) -> Result<Self, ReplayError> {
        let header = &stored.game;
        let line = match &header.start {
            None => game.line(),
            Some(position) => game.line_from(position)?,
        };
        let mut live = Self {
            id: header.id.clone(),
            players: [header.players[0].parse()?, header.players[1].parse()?],
            salt: header.salt.clone(),
            holders: header.holders,
            names: header.names.clone(),
            vacant: None,
            listed: header.listed,
            clock: header
                .clock
                .map(|clock| GameClock::new(clock, header.created_at)),
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
        // The holders are those of today: a seat that was taken later was free.
        live.vacant = first_join(stored).or_else(|| {
            let free = |player: &Player| {
                live.players[player.index()] == PlayerSpec::Human
                    && live.holders[player.index()].is_none()
            };
            Player::BOTH.into_iter().find(free)
        });
        live.settle_by_rules();
        for event in stored.events.iter().take(up_to as usize) {
            let broken = |what: String| ReplayError::Event {
                version: event.version,
                what,
            };
            let body = Event::parse(&event.body).map_err(|error| broken(error.to_string()))?;
            live.apply(&body, event.at).map_err(broken)?;
        }
        Ok(live)
    }

    /// The same game after one more event.
    ///
    /// # Errors
    /// When the event makes no sense here: a move that is not legal.
    pub(crate) fn apply(&mut self, event: &Event, at: i64) -> Result<(), String> {
        match event {
            Event::Joined { .. } => {
                self.vacant = None;
                self.restart_clock(at);
            }
            Event::Moved { by, mv, charged } => {
                let mv = mv.read(&self.line.game());
                let mv = mv.map_err(|error| error.to_string())?;
                self.line.play(mv).map_err(|error| error.to_string())?;
                self.asked_back = None;
                self.draw_offer = None;
                if let Some(clock) = &mut self.clock {
                    clock.charge((*by).into(), *charged, at);
                }
                self.settle_by_rules();
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
                self.asked_back = None;
                self.asked_back_at = None;
                self.draw_offer = None;
                self.draw_offered_at = None;
                self.ending = None;
                self.rematch_offer = None;
                self.restart_clock(at);
            }
            Event::Resigned { by } => self.lose((*by).into(), Cause::Resigned),
            Event::TimedOut { by } => {
                let by = (*by).into();
                if let Some(clock) = &mut self.clock {
                    clock.left[Player::index(by)] = 0;
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
        if event.changes_the_game() {
            self.changed = self.version;
        }
        self.at = at;
        Ok(())
    }

    fn restart_clock(&mut self, at: i64) {
        if let Some(clock) = &mut self.clock {
            clock.since = at;
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

    fn settle_by_rules(&mut self) {
        self.ending = self.line.outcome().map(|outcome| Ending {
            outcome,
            cause: None,
        });
    }

    /// Whether nobody may move any more.
    #[must_use]
    pub(crate) fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Whose turn it is, while the game goes on and every seat is taken.
    #[must_use]
    pub(crate) fn turn(&self) -> Option<Player> {
        (!self.is_over() && self.vacant.is_none()).then(|| self.line.turn())
    }

    /// Whether the clock runs: not before both have moved.
    pub(crate) fn clock_runs(&self) -> bool {
        self.turn().is_some() && self.line.moves().len() >= 2
    }

    /// How the game stands, for lists of games.
    pub(crate) fn standing(&self) -> Standing {
        Standing {
            finished: self.is_over(),
            turn: self.turn().map(Player::index),
            result: self.ending.as_ref().map(|ending| match ending.outcome {
                Outcome::Win(winner) => winner.to_string(),
                Outcome::Draw => "draw".into(),
            }),
        }
    }

    /// Which seats a client holds.
    #[must_use]
    pub(crate) fn seats_of(&self, client: Option<&Secret>) -> Vec<Player> {
        let Some(seat) = client.map(|secret| secret.seat(&self.salt)) else {
            return Vec::new();
        };
        let holds = |player: &Player| self.holders[player.index()] == Some(seat);
        Player::BOTH.into_iter().filter(holds).collect()
    }

    /// The secret that takes the vacant seat, as far as a client who sits here may
    /// know it.
    pub(crate) fn invitation(&self, client: Option<&Secret>) -> Option<Secret> {
        self.vacant?;
        let secret = client.filter(|_| !self.seats_of(client).is_empty())?;
        Some(match self.listed {
            true => Secret::open_invitation(&self.id),
            false => secret.invitation(&self.id),
        })
    }

    /// Whether both seats are held by different people, so that a take-back and a
    /// rematch need the other's consent.
    #[must_use]
    pub(crate) fn needs_consent(&self) -> bool {
        let people = self
            .players
            .iter()
            .all(|player| *player == PlayerSpec::Human);
        people && self.holders[0] != self.holders[1]
    }

    /// How many moves would be left if `player` took the last one back: their own
    /// last move goes, and whatever came after it. `None` when there is none.
    #[must_use]
    pub(crate) fn before_last_move_of(&self, player: Player) -> Option<usize> {
        let mut line = self.line.clone_line();
        while line.undo().is_some() {
            if line.turn() == player {
                return Some(line.moves().len());
            }
        }
        None
    }
}

/// The seat that somebody took by invitation.
fn first_join(stored: &StoredGame) -> Option<Player> {
    stored
        .events
        .iter()
        .find_map(|event| match Event::parse(&event.body) {
            Ok(Event::Joined { by }) => Some(by.into()),
            _ => None,
        })
}
