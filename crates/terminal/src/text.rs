//! Localised sentences about the state: results, hints and errors.

use papan_rules::{Move, Outcome, Player, ScoreUnit, SwapChoice};
use papan_view::{Messages, MoveNotation, messages};

use crate::game::Game;
use crate::message::Failure;
use crate::settings::{self, SettingsError};
use crate::state::State;

/// Returns the name of a side: X or O, Black or White.
#[must_use]
pub(crate) fn side(state: &State, player: Player) -> String {
    let pieces = state
        .game
        .as_ref()
        .map_or(state.start.game.pieces(), |game| game.rules.pieces());
    messages::side(state.messages(), pieces, player, state.settings.marks)
}

/// Returns the result in a few words, to the person if one plays a strategy.
pub(crate) fn headline(state: &State, game: &Game, outcome: Outcome) -> String {
    let messages = state.messages();
    match (outcome, game.sole_human()) {
        (Outcome::Draw, _) => messages.text("draw"),
        (Outcome::Win(winner), Some(person)) if winner == person => messages.text("board-you-won"),
        (Outcome::Win(_), Some(_)) => messages.text("board-you-lost"),
        (Outcome::Win(winner), None) => {
            messages.with("side-wins", [("side", side(state, winner).into())])
        }
    }
}

/// Returns the result at the current position.
#[must_use]
pub(crate) fn result(state: &State) -> Option<String> {
    let messages = state.messages();
    let game = state.game.as_ref()?;
    let outcome = game.outcome()?;
    let forfeit = game.forfeit.filter(|f| f.node == game.tree.current());
    let headline = headline(state, game, outcome);
    let reason = match (forfeit, outcome, game.rules.properties().score_unit) {
        (Some(forfeit), ..) if forfeit.by_time => {
            messages.with("out-of-time", [("side", side(state, forfeit.loser).into())])
        }
        (None, Outcome::Win(winner), ScoreUnit::Discs) => {
            let counts = game.board().counts;
            messages.with(
                "side-wins-discs",
                [
                    ("side", side(state, winner).into()),
                    ("winner-count", counts[winner.index()].to_string().into()),
                    (
                        "loser-count",
                        counts[winner.other().index()].to_string().into(),
                    ),
                ],
            )
        }
        (None, Outcome::Win(_), ScoreUnit::Result) => {
            let cells = game.line().winning_cells();
            let cells: Vec<String> = cells
                .into_iter()
                .map(|cell| game.rules.show_move(Move::on(cell)))
                .collect();
            messages.with("winning-line", [("cells", cells.join(" ").into())])
        }
        _ => return Some(headline),
    };
    Some(format!("{headline} {reason}"))
}

/// Returns the choices of a swap opening with their keys.
#[must_use]
pub(crate) fn choices(state: &State, game: &Game) -> String {
    let may_place_two = game.swap_step().choices().len() == SwapChoice::ALL.len();
    state.messages().text(if may_place_two {
        "board-swap-choose-three"
    } else {
        "board-swap-choose"
    })
}

/// Returns that a choice of a swap opening comes first.
#[must_use]
pub(crate) fn choose_first(state: &State) -> String {
    let choices = state.game.as_ref().map(|game| choices(state, game));
    let values = [("choices", choices.unwrap_or_default().into())];
    state.messages().with("board-swap-first", values)
}

/// Returns the hint for the current position, if it is known.
#[must_use]
pub(crate) fn hint(state: &State) -> Option<String> {
    let messages = state.messages();
    let game = state.game.as_ref()?;
    let node = game.tree.current();
    let analysis = game.tree.node(node).analysis.as_ref()?;
    let strategy = game.advisor.info().name;
    let (best, worth) = (analysis.insight.best?, analysis.insight.score);
    let hint = messages::hint(
        messages,
        &game.rules,
        MoveNotation::Usual,
        strategy,
        best,
        worth,
    );
    Some(hint)
}

/// Returns why a search failed, as the part of a sentence after a colon.
#[must_use]
pub fn failure(messages: Messages, failure: &Failure) -> String {
    match failure {
        Failure::Unplayable(error) => {
            let sentence = messages::unplayable(messages, error);
            sentence.trim_end_matches('.').to_owned()
        }
        Failure::NoMove(error) => messages::no_move(messages, error),
        Failure::Panicked => messages.text("fault-broke-down"),
        Failure::NoAnswer => messages.text("fault-silent"),
        Failure::NoThread(error) => {
            let reason = messages::file(messages, error);
            messages.with("fault-no-thread", [("reason", reason.into())])
        }
    }
}

/// Returns why a settings file is invalid, as the part of a sentence after a colon.
#[must_use]
pub fn settings(messages: Messages, error: &SettingsError) -> String {
    match error {
        SettingsError::Unreadable(kind) => messages::file(messages, &(*kind).into()),
        SettingsError::Header(found) => messages.with(
            "settings-header",
            [
                ("found", found.clone().into()),
                ("right", settings::HEADER.into()),
            ],
        ),
        SettingsError::Line { number, text } => messages.with(
            "settings-line",
            [
                ("line", number.to_string().into()),
                ("text", text.clone().into()),
            ],
        ),
    }
}
