//! What the board says, as sentences in the player's language.

use papan_rules::{Move, Outcome, Player, ScoreUnit};
use papan_view::{Messages, messages};

use crate::message::Failure;
use crate::settings::{self, SettingsError};
use crate::state::State;

/// A player as the board's pieces have it: X and O, or Black and White.
#[must_use]
pub(crate) fn side(state: &State, player: Player) -> String {
    let pieces = state
        .table
        .as_ref()
        .map_or(state.start.game.pieces(), |table| table.game.pieces());
    messages::side(state.words(), pieces, player, state.settings.marks)
}

/// How the game ended, at the position that is looked at.
#[must_use]
pub(crate) fn result(state: &State) -> Option<String> {
    let words = state.words();
    let table = state.table.as_ref()?;
    let outcome = table.outcome()?;
    let forfeit = table.forfeit.filter(|f| f.node == table.tree.current());
    let headline = match (outcome, table.only_person()) {
        (Outcome::Draw, _) => words.text("draw"),
        (Outcome::Win(winner), Some(person)) if winner == person => words.text("you-win"),
        (Outcome::Win(_), Some(_)) => words.text("you-lose"),
        (Outcome::Win(winner), None) => {
            words.with("side-wins", [("side", side(state, winner).into())])
        }
    };
    let reason = match (forfeit, outcome, table.game.properties().score_unit) {
        (Some(forfeit), ..) if forfeit.by_time => {
            words.with("out-of-time", [("side", side(state, forfeit.loser).into())])
        }
        (None, Outcome::Win(winner), ScoreUnit::Discs) => {
            let counts = table.board().counts;
            words.with(
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
            let cells = table.line().winning_cells();
            let cells: Vec<String> = cells
                .into_iter()
                .map(|cell| table.game.show_move(Move::on(cell)))
                .collect();
            words.with("winning-line", [("cells", cells.join(" ").into())])
        }
        _ => return Some(headline),
    };
    Some(format!("{headline} {reason}"))
}

/// The advisor's move at the position that is looked at, if it is known.
#[must_use]
pub(crate) fn hint(state: &State) -> Option<String> {
    let words = state.words();
    let table = state.table.as_ref()?;
    let node = table.tree.current();
    let analysis = table.tree.node(node).analysis.as_ref()?;
    let strategy = table.advisor.info().name;
    let (best, worth) = (analysis.insight.best?, analysis.insight.score);
    let hint = messages::hint(words, &table.game, strategy, best, worth);
    Some(hint)
}

/// Why thinking came to nothing, to be put after a colon.
#[must_use]
pub fn failure(words: Messages, failure: &Failure) -> String {
    match failure {
        Failure::Unplayable(error) => {
            let sentence = messages::unplayable(words, error);
            sentence.trim_end_matches('.').to_owned()
        }
        Failure::NoMove(error) => messages::no_move(words, error),
        Failure::BrokeDown => words.text("fault-broke-down"),
        Failure::Silent => words.text("fault-silent"),
        Failure::NoThread(error) => {
            let reason = messages::file(words, error);
            words.with("fault-no-thread", [("reason", reason.into())])
        }
    }
}

/// Why a settings file cannot be used, to be put after a colon.
#[must_use]
pub fn settings(words: Messages, error: &SettingsError) -> String {
    match error {
        SettingsError::Unreadable(kind) => messages::file(words, &(*kind).into()),
        SettingsError::Header(found) => words.with(
            "settings-header",
            [
                ("found", found.clone().into()),
                ("right", settings::HEADER.into()),
            ],
        ),
        SettingsError::Line { number, text } => words.with(
            "settings-line",
            [
                ("line", number.to_string().into()),
                ("text", text.clone().into()),
            ],
        ),
    }
}
