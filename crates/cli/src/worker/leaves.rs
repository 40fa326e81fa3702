//! Leaves of a proof that is too big for one machine.

use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_store::{Finish, Undertaking};
use serde::{Deserialize, Serialize};

use super::slot::Slot;

/// What these jobs are called in the queue.
pub(crate) const KIND: &str = "leaves";

/// What all leaves of a proof share.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thesis {
    /// The game.
    pub(crate) game: String,
    /// Whether the first player is the one who shall win.
    pub(crate) first_wins: bool,
    /// How hard each leaf is tried.
    pub(crate) rounds: u32,
}

/// What came of a leaf: its position, a line feed, the answer.
pub(crate) fn split(result: &[u8]) -> Option<(&str, &[u8])> {
    let end = result.iter().position(|byte| *byte == b'\n')?;
    let position = std::str::from_utf8(&result[..end]).ok()?;
    Some((position, &result[end + 1..]))
}

/// Works on leaves of one proof as long as there are any.
///
/// # Errors
/// When it cannot be done here.
pub(super) fn solve(slot: &mut Slot<'_>, undertaking: &Undertaking) -> Result<(), String> {
    let thesis: Thesis =
        serde_json::from_str(&undertaking.body).map_err(|error| error.to_string())?;
    let game: AnyGame = thesis.game.parse().map_err(|error| format!("{error}"))?;
    let attacker = match thesis.first_wins {
        true => Player::First,
        false => Player::Second,
    };
    let grid = game.as_grid().ok_or("this is not k in a row")?;
    while let Some(job) = slot.next_of(&undertaking.name) {
        let position = job.body.clone();
        let answer = grid.solve_leaf(&position, attacker, thesis.rounds);
        slot.finish(&match answer {
            Ok(answer) => Finish::Done([position.as_bytes(), b"\n", &answer].concat()),
            Err(error) => Finish::Failed(error.to_string()),
        });
    }
    Ok(())
}
