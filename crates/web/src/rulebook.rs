//! Who may do what, when: an action asked for becomes an event, or is refused.

use papan_catalog::PlayerSpec;
use papan_rules::Player;
use papan_view::{Words, wording};

use crate::event::Event;
use crate::live_match::LiveMatch;
use crate::refusal::{Conflict, Refusal};
use crate::state::MatchState;

/// What somebody wants to do in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Make a move.
    Move(String),
    /// Give the game up.
    Resign,
    /// Take one's last move back, or ask to.
    TakeBack,
    /// Let the other take moves back.
    AgreeBack,
    /// Not let them.
    DeclineBack,
    /// Offer a rematch.
    OfferRematch,
}

impl Action {
    /// Whether this is what the event came from: a request sent twice.
    #[must_use]
    pub fn caused(&self, event: &Event) -> bool {
        match (self, event) {
            (Self::Move(a), Event::Moved { mv: b, .. }) => a.trim().eq_ignore_ascii_case(b),
            (Self::Resign, Event::Resigned { .. })
            | (Self::TakeBack, Event::AskedBack { .. } | Event::TakenBack { .. })
            | (Self::AgreeBack, Event::TakenBack { .. })
            | (Self::DeclineBack, Event::Declined { .. })
            | (Self::OfferRematch, Event::RematchOffered { .. }) => true,
            _ => false,
        }
    }
}

/// The event that an action leads to. `seats` are those of the visitor, `charged`
/// what a move would cost on the clock.
///
/// # Errors
/// When the action is not the visitor's to take, or not now.
pub fn judge(
    live: &LiveMatch,
    seats: &[Player],
    action: &Action,
    charged: u64,
    words: Words,
) -> Result<Event, Refusal> {
    let conflict = |why| Refusal::Stale {
        why,
        now: Box::new(MatchState::of(live)),
    };
    // Whoever holds both seats acts for the one to move.
    let turn = live.line.turn();
    let me = match seats {
        [] => return Err(Refusal::NotYourSeat),
        [only] => *only,
        _ => turn,
    };
    let running = || match (live.is_over(), live.vacant) {
        (true, _) => Err(conflict(Conflict::Over)),
        (_, Some(_)) => Err(conflict(Conflict::Waiting)),
        _ => Ok(()),
    };
    match action {
        Action::Move(text) => {
            running()?;
            let game = live.line.game();
            let mv = game
                .parse_move(text)
                .map_err(|error| Refusal::Unusable(wording::notation(words, &game, &error)))?;
            if me != turn {
                return Err(conflict(Conflict::NotYourTurn));
            }
            if let Some(why) = live.line.objection(mv) {
                let sentence = wording::illegal(words, &*live.line, mv, why);
                return Err(Refusal::Unusable(sentence));
            }
            Ok(Event::Moved {
                by: me.into(),
                mv: game.format_move(mv),
                charged,
            })
        }
        Action::Resign => {
            running()?;
            Ok(Event::Resigned { by: me.into() })
        }
        Action::TakeBack => {
            if live.is_over() && live.needs_consent() {
                return Err(conflict(Conflict::Over));
            }
            let (by, to) = take_back(live, seats, turn)
                .ok_or_else(|| conflict(Conflict::NothingToTakeBack))?;
            let by = by.into();
            Ok(match live.needs_consent() {
                true => Event::AskedBack { by, to },
                false => Event::TakenBack { by, to },
            })
        }
        Action::AgreeBack | Action::DeclineBack => match live.asked_back {
            Some((by, to)) if by != me => Ok(match action {
                Action::AgreeBack => Event::TakenBack { by: by.into(), to },
                _ => Event::Declined { by: me.into() },
            }),
            _ => Err(conflict(Conflict::NotAsked)),
        },
        Action::OfferRematch => match (live.is_over(), &live.rematch) {
            (false, _) => Err(conflict(Conflict::NotOver)),
            (true, Some(_)) => Err(conflict(Conflict::GoneOn)),
            (true, None) => Ok(Event::RematchOffered { by: me.into() }),
        },
    }
}

/// Who takes back, and how many moves are left then. Alone at the screen it is
/// the last move, whoever made it.
fn take_back(live: &LiveMatch, seats: &[Player], turn: Player) -> Option<(Player, usize)> {
    let moves = live.line.moves().len();
    match seats {
        [only] => Some((*only, live.before_last_move_of(*only)?)),
        _ => Some((turn.other(), moves.checked_sub(1)?)),
    }
}

/// The strategy whose turn it is, if it is a strategy's.
#[must_use]
pub fn strategy_to_move(live: &LiveMatch) -> Option<(Player, &papan_catalog::StrategySpec)> {
    let turn = live.turn()?;
    match &live.players[turn.index()] {
        PlayerSpec::Strategy(spec) => Some((turn, spec)),
        PlayerSpec::Human => None,
    }
}
