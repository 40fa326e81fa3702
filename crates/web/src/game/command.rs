//! Who may do what, when: an action asked for becomes an event, or is refused.

use papan_catalog::{AnyGame, PlayerSpec};
use papan_rules::{Move, Player};
use papan_view::{Messages, messages};

use crate::game::event::{Event, Greeting, WrittenMove};
use crate::game::state::GameState;
use crate::http::rejection::{Conflict, Rejection};

/// A game has no more events than this, its moves apart: whoever asks, offers and
/// takes back without end stops here.
pub(crate) const MOST_EVENTS: u64 = 1000;
/// How often each player may say something in one game.
pub(crate) const MOST_GREETINGS: usize = 10;

/// What somebody wants to do in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Make a move.
    Move(Move),
    /// Give the game up.
    Resign,
    /// Take one's last move back, or ask to.
    TakeBack,
    /// Let the other take moves back.
    AgreeBack,
    /// Not let them.
    DeclineBack,
    /// Offer a draw, or agree where the other offers one.
    OfferDraw,
    /// Agree on a draw.
    AgreeDraw,
    /// Play on.
    DeclineDraw,
    /// Say something.
    Greet(Greeting),
    /// Offer a rematch.
    OfferRematch,
    /// Not play again.
    DeclineRematch,
}

impl Action {
    /// Whether this is what the event came from: a request sent twice, however the
    /// move was spelt.
    pub(crate) fn caused(&self, event: &Event, game: &AnyGame) -> bool {
        match (self, event) {
            (Self::Move(a), Event::Moved { mv: b, .. }) => b.read(game) == Ok(*a),
            (Self::Resign, Event::Resigned { .. })
            | (Self::TakeBack, Event::AskedBack { .. } | Event::TakenBack { .. })
            | (Self::AgreeBack, Event::TakenBack { .. })
            | (Self::DeclineBack, Event::Declined { .. })
            | (Self::OfferDraw, Event::DrawOffered { .. } | Event::DrawAgreed { .. })
            | (Self::AgreeDraw, Event::DrawAgreed { .. })
            | (Self::DeclineDraw, Event::DrawDeclined { .. })
            | (Self::DeclineRematch, Event::RematchDeclined { .. })
            | (Self::OfferRematch, Event::RematchOffered { .. }) => true,
            (Self::Greet(a), Event::Greeted { greeting: b, .. }) => a == b,
            _ => false,
        }
    }

    /// Whether it may be done without end: what is left of a game is bounded by its
    /// moves and its end.
    fn is_bounded(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Resign)
    }
}

/// The event that an action leads to. `seats` are those of the client, `charged`
/// what a move would cost on the clock.
///
/// # Errors
/// When the action is not the client's to take, or not now.
pub(crate) fn judge(
    live: &GameState,
    seats: &[Player],
    action: &Action,
    charged: u64,
    words: Messages,
) -> Result<Event, Rejection> {
    let conflict = |why| Rejection::stale(why, live);
    // Whoever holds both seats acts for the one to move.
    let turn = live.line.turn();
    let me = match seats {
        [] => return Err(Rejection::NotYourSeat),
        [only] => *only,
        _ => turn,
    };
    let running = || match (live.is_over(), live.vacant) {
        (true, _) => Err(conflict(Conflict::Over)),
        (_, Some(_)) => Err(conflict(Conflict::Waiting)),
        _ => Ok(()),
    };
    if live.version >= MOST_EVENTS && !action.is_bounded() {
        return Err(conflict(Conflict::TooLong));
    }
    match action {
        &Action::Move(mv) => {
            running()?;
            if me != turn {
                return Err(conflict(Conflict::NotYourTurn));
            }
            if let Err(why) = live.line.check_move(mv) {
                let sentence = messages::illegal(words, &*live.line, mv, why);
                return Err(Rejection::Unusable(sentence));
            }
            Ok(Event::Moved {
                by: me.into(),
                mv: WrittenMove::new(&live.line.game(), mv),
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
            if !live.needs_consent() {
                return Ok(Event::TakenBack { by, to });
            }
            // An offer stands once for each position.
            let asked = live.asked_back_at == Some(live.line.moves().len());
            match asked || live.asked_back.is_some() {
                true => Err(conflict(Conflict::AskedAlready)),
                false => Ok(Event::AskedBack { by, to }),
            }
        }
        Action::AgreeBack | Action::DeclineBack => match live.asked_back {
            Some((by, to)) if by != me => Ok(match action {
                Action::AgreeBack => Event::TakenBack { by: by.into(), to },
                _ => Event::Declined { by: me.into() },
            }),
            _ => Err(conflict(Conflict::NotAsked)),
        },
        Action::OfferDraw | Action::AgreeDraw | Action::DeclineDraw => {
            running()?;
            draw(live, me, action).map_err(conflict)
        }
        Action::Greet(greeting) => match live.needs_consent() {
            false => Err(conflict(Conflict::NobodyElse)),
            true if live.greetings[me.index()] >= MOST_GREETINGS => {
                Err(conflict(Conflict::AskedAlready))
            }
            true => Ok(Event::Greeted {
                by: me.into(),
                greeting: *greeting,
            }),
        },
        Action::DeclineRematch => match live.rematch_offer {
            Some(by) if by != me && live.rematch.is_none() => {
                Ok(Event::RematchDeclined { by: me.into() })
            }
            _ => Err(conflict(Conflict::NotAsked)),
        },
        Action::OfferRematch if live.rematch_offered[me.index()] => {
            Err(conflict(Conflict::AskedAlready))
        }
        Action::OfferRematch => match (live.is_over(), &live.rematch) {
            (false, _) => Err(conflict(Conflict::NotOver)),
            (true, Some(_)) => Err(conflict(Conflict::GoneOn)),
            (true, None) => Ok(Event::RematchOffered { by: me.into() }),
        },
    }
}

/// Offering a draw, and answering.
fn draw(live: &GameState, me: Player, action: &Action) -> Result<Event, Conflict> {
    let by = me.into();
    let other_offers = live.draw_offer.is_some_and(|offer| offer != me);
    match action {
        _ if !live.needs_consent() => Err(Conflict::NobodyElse),
        Action::OfferDraw | Action::AgreeDraw if other_offers => Ok(Event::DrawAgreed { by }),
        Action::DeclineDraw if other_offers => Ok(Event::DrawDeclined { by }),
        Action::OfferDraw if live.draw_offered_at == Some(live.line.moves().len()) => {
            Err(Conflict::AskedAlready)
        }
        Action::OfferDraw => Ok(Event::DrawOffered { by }),
        _ => Err(Conflict::NotAsked),
    }
}

/// Who takes back, and how many moves are left then. Alone at the screen it is
/// the last move, whoever made it.
fn take_back(live: &GameState, seats: &[Player], turn: Player) -> Option<(Player, usize)> {
    let moves = live.line.moves().len();
    match seats {
        [only] => Some((*only, live.before_last_move_of(*only)?)),
        _ => Some((turn.other(), moves.checked_sub(1)?)),
    }
}

/// The strategy whose turn it is, if it is a strategy's.
#[must_use]
pub(crate) fn strategy_to_move(live: &GameState) -> Option<(Player, &papan_catalog::StrategySpec)> {
    let turn = live.turn()?;
    match &live.players[turn.index()] {
        PlayerSpec::Strategy(spec) => Some((turn, spec)),
        PlayerSpec::Human => None,
    }
}
