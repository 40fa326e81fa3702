//! Commands: who may do what and when. [`decide`] turns a command into an event.
//!
//! This is the *decide* function of event sourcing (Chassaing's decider pattern): pure, and
//! the only place that knows the rules of play between two clients.

use papan_catalog::{AnyGame, PlayerSpec, StrategySpec};
use papan_rules::{Move, Player, SwapChoice, SwapError, SwapStep};
use papan_view::{Messages, MoveNotation, messages};

use crate::game::event::{Event, Greeting, WrittenMove};
use crate::game::state::GameState;
use crate::http::rejection::{Conflict, Rejection};

/// Maximum number of events, moves and resignation excepted. Bounds endless offers and
/// take-backs.
pub(crate) const MAX_EVENTS: u64 = 1000;
/// Maximum number of canned messages per player and game.
pub(crate) const MAX_GREETINGS: usize = 10;

/// A command of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Make a move.
    Move(Move),
    /// Make a choice of the swap opening.
    Choose(SwapChoice),
    /// Resign.
    Resign,
    /// Take the last own move back, or ask the opponent to allow it.
    TakeBack,
    /// Accept a take-back request.
    AcceptTakeBack,
    /// Decline it.
    DeclineTakeBack,
    /// Offer a draw, or accept the opponent's offer.
    OfferDraw,
    /// Accept a draw.
    AcceptDraw,
    /// Decline a draw.
    DeclineDraw,
    /// Send a canned message.
    Greet(Greeting),
    /// Offer a rematch.
    OfferRematch,
    /// Decline a rematch.
    DeclineRematch,
}

impl Command {
    /// Returns whether this command leads to that event. A repeated request may spell the
    /// move differently.
    pub(crate) fn leads_to(&self, event: &Event, game: &AnyGame) -> bool {
        match (self, event) {
            (Self::Move(a), Event::Moved { mv: b, .. }) => b.parse(game) == Ok(*a),
            (Self::Choose(a), Event::Chose { choice: b, .. }) => a.word() == b,
            (Self::Resign, Event::Resigned { .. })
            | (Self::TakeBack, Event::AskedBack { .. } | Event::TakenBack { .. })
            | (Self::AcceptTakeBack, Event::TakenBack { .. })
            | (Self::DeclineTakeBack, Event::Declined { .. })
            | (Self::OfferDraw, Event::DrawOffered { .. } | Event::DrawAgreed { .. })
            | (Self::AcceptDraw, Event::DrawAgreed { .. })
            | (Self::DeclineDraw, Event::DrawDeclined { .. })
            | (Self::DeclineRematch, Event::RematchDeclined { .. })
            | (Self::OfferRematch, Event::RematchOffered { .. }) => true,
            (Self::Greet(a), Event::Greeted { greeting: b, .. }) => a == b,
            _ => false,
        }
    }

    /// Returns whether the rules of the game bound how often it can be repeated.
    fn is_bounded(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Resign)
    }
}

/// Returns the event that a command leads to.
///
/// `seats` are the seats of the client, `charged` the milliseconds that a move costs.
///
/// # Errors
/// If the client or the state does not allow the command.
pub(crate) fn decide(
    state: &GameState,
    seats: &[Player],
    command: &Command,
    charged: u64,
    words: Messages,
) -> Result<Event, Rejection> {
    let conflict = |why| Rejection::stale(why, state);
    // A client with both seats acts for the player to move.
    let turn = state.actor();
    let me = match seats {
        [] => return Err(Rejection::NotYourSeat),
        [only] => *only,
        _ => turn,
    };
    let require_running = || match (state.is_over(), state.vacant) {
        (true, _) => Err(conflict(Conflict::Over)),
        (_, Some(_)) => Err(conflict(Conflict::Waiting)),
        _ => Ok(()),
    };
    if state.version >= MAX_EVENTS && !command.is_bounded() {
        return Err(conflict(Conflict::TooLong));
    }
    match command {
        &Command::Move(mv) => {
            require_running()?;
            if me != turn {
                return Err(conflict(Conflict::NotYourTurn));
            }
            if let SwapStep::Choose { .. } = state.swap_step() {
                return Err(Rejection::Unusable(words.text("web-swap-first")));
            }
            if let Err(why) = state.line.check_move(mv) {
                let sentence = messages::illegal(words, &*state.line, MoveNotation::Usual, mv, why);
                return Err(Rejection::Unusable(sentence));
            }
            Ok(Event::Moved {
                by: me.into(),
                mv: WrittenMove::new(&state.line.game(), mv),
                charged,
            })
        }
        &Command::Choose(choice) => {
            require_running()?;
            if me != turn {
                return Err(conflict(Conflict::NotYourTurn));
            }
            if !state.swap_step().choices().contains(&choice) {
                let error = SwapError::Choice(choice);
                return Err(Rejection::Unusable(messages::swap(words, &error)));
            }
            Ok(Event::Chose {
                by: me.into(),
                choice: choice.word().into(),
                charged,
            })
        }
        Command::Resign => {
            require_running()?;
            Ok(Event::Resigned { by: me.into() })
        }
        Command::TakeBack => {
            if state.is_over() && state.needs_consent() {
                return Err(conflict(Conflict::Over));
            }
            let (by, to) = take_back(state, seats, turn)
                .ok_or_else(|| conflict(Conflict::NothingToTakeBack))?;
            let by = by.into();
            if !state.needs_consent() {
                return Ok(Event::TakenBack { by, to });
            }
            // One request per position.
            let asked = state.asked_back_at == Some(state.line.moves().len());
            if asked || state.asked_back.is_some() {
                Err(conflict(Conflict::AskedAlready))
            } else {
                Ok(Event::AskedBack { by, to })
            }
        }
        Command::AcceptTakeBack | Command::DeclineTakeBack => match state.asked_back {
            Some((by, to)) if by != me => Ok(match command {
                Command::AcceptTakeBack => Event::TakenBack { by: by.into(), to },
                _ => Event::Declined { by: me.into() },
            }),
            _ => Err(conflict(Conflict::NotAsked)),
        },
        Command::OfferDraw | Command::AcceptDraw | Command::DeclineDraw => {
            require_running()?;
            draw(state, me, command).map_err(conflict)
        }
        Command::Greet(greeting) => {
            if !state.needs_consent() {
                return Err(conflict(Conflict::NoOpponent));
            }
            if state.greetings[me.index()] >= MAX_GREETINGS {
                return Err(conflict(Conflict::AskedAlready));
            }
            Ok(Event::Greeted {
                by: me.into(),
                greeting: *greeting,
            })
        }
        Command::DeclineRematch => match state.rematch_offer {
            Some(by) if by != me && state.rematch.is_none() => {
                Ok(Event::RematchDeclined { by: me.into() })
            }
            _ => Err(conflict(Conflict::NotAsked)),
        },
        Command::OfferRematch if state.rematch_offered[me.index()] => {
            Err(conflict(Conflict::AskedAlready))
        }
        Command::OfferRematch => match (state.is_over(), &state.rematch) {
            (false, _) => Err(conflict(Conflict::NotOver)),
            (true, Some(_)) => Err(conflict(Conflict::Outdated)),
            (true, None) => Ok(Event::RematchOffered { by: me.into() }),
        },
    }
}

fn draw(state: &GameState, me: Player, command: &Command) -> Result<Event, Conflict> {
    let by = me.into();
    let opponent_offers = state.draw_offer.is_some_and(|offer| offer != me);
    match command {
        _ if !state.needs_consent() => Err(Conflict::NoOpponent),
        Command::OfferDraw | Command::AcceptDraw if opponent_offers => Ok(Event::DrawAgreed { by }),
        Command::DeclineDraw if opponent_offers => Ok(Event::DrawDeclined { by }),
        Command::OfferDraw if state.draw_offered_at == Some(state.line.moves().len()) => {
            Err(Conflict::AskedAlready)
        }
        Command::OfferDraw => Ok(Event::DrawOffered { by }),
        _ => Err(Conflict::NotAsked),
    }
}

/// Returns the player who takes back and the number of moves that remain. A client with
/// both seats takes back the last move of either player.
fn take_back(state: &GameState, seats: &[Player], turn: Player) -> Option<(Player, usize)> {
    match seats {
        [only] => Some((*only, state.before_last_move_of(*only)?)),
        _ => Some((turn.other(), state.line.moves().len().checked_sub(1)?)),
    }
}

/// Returns the strategy to move, unless a person is to move.
#[must_use]
pub(crate) fn strategy_to_move(state: &GameState) -> Option<(Player, &StrategySpec)> {
    let turn = state.turn()?;
    match &state.players[turn.index()] {
        PlayerSpec::Strategy(spec) => Some((turn, spec)),
        PlayerSpec::Human => None,
    }
}
