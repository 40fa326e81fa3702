//! Choices of a swap opening: the keys of a person, and the answers of strategies.

use crossterm::event::{KeyCode, KeyEvent};
use papan_catalog::PlayerSpec;
use papan_rules::{SwapAction, SwapChoice, SwapStep};

use super::moves;
use crate::game::{Forfeit, RunningJob};
use crate::message::Failure;
use crate::state::State;
use crate::text;

/// Handles a key if it makes a choice: 1 Black, 2 White, 3 two more stones.
pub(super) fn press(state: &mut State, key: KeyEvent) -> bool {
    let Some(game) = &state.game else {
        return false;
    };
    let (KeyCode::Char(digit @ '1'..='3'), SwapStep::Choose { .. }) = (key.code, game.swap_step())
    else {
        return false;
    };
    let choice = SwapChoice::ALL[usize::from(digit as u8 - b'1')];
    if !game.human_may_move() {
        state.report_error(state.messages().text("board-not-your-turn"));
    } else if game.swap_step().choices().contains(&choice) {
        choose(state, choice);
    } else {
        let text = text::choose_first(state);
        state.report_error(text);
    }
    true
}

/// Makes a choice.
fn choose(state: &mut State, choice: SwapChoice) {
    let now = state.now;
    let Some(game) = &mut state.game else { return };
    if game.choose(choice, now).is_err() {
        return;
    }
    game.moved_at = now;
    game.pending_move = None;
    game.typed.clear();
    if game.swap_step() == SwapStep::Over {
        let [black, white] = game.players.each_ref().map(PlayerSpec::to_string);
        let values = [("black", black.into()), ("white", white.into())];
        state.notify(state.messages().with("swap-colours", values));
    }
}

/// Applies the actions of a strategy; one that fails or acts illegally loses.
pub(super) fn on_actions(
    state: &mut State,
    thinking: &RunningJob,
    answer: Result<Vec<SwapAction>, Failure>,
) {
    let messages = state.messages();
    let mut reason = match &answer {
        Ok(_) => None,
        Err(failure) => Some(text::failure(messages, failure)),
    };
    for action in answer.unwrap_or_default() {
        let Some(game) = &state.game else { return };
        match action {
            SwapAction::Place(mv) if game.line().check_move(mv).is_ok() => moves::make(state, mv),
            SwapAction::Choose(choice) if game.swap_step().choices().contains(&choice) => {
                choose(state, choice);
            }
            _ => reason = Some(messages.text("fault-illegal-move")),
        }
    }
    if let (Some(reason), Some(game)) = (reason, &mut state.game) {
        let loser = game.actor();
        game.forfeit = Some(Forfeit {
            node: game.tree.current(),
            loser,
            by_time: false,
        });
        let player = thinking.strategy.to_string();
        let values = [("player", player.into()), ("reason", reason.into())];
        state.report_error(messages.with("no-answer", values));
    }
}
