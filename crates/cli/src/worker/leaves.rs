//! Jobs of the kind "leaves": leaves of a distributed proof.

use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_store::{Finish, Undertaking};
use serde::{Deserialize, Serialize};

use super::slot::Slot;

/// Name of the job kind.
pub(crate) const KIND: &str = "leaves";

/// Data shared by all leaves of a proof.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thesis {
    /// The game.
    pub(crate) game: String,
    /// Whether the first player is the attacker.
    pub(crate) first_wins: bool,
    /// Effort for each leaf.
    pub(crate) rounds: u32,
}

/// Splits the result of a leaf: its position, a line feed, the answer.
pub(crate) fn split(result: &[u8]) -> Option<(&str, &[u8])> {
    let end = result.iter().position(|byte| *byte == b'\n')?;
    let position = std::str::from_utf8(&result[..end]).ok()?;
    Some((position, &result[end + 1..]))
}

/// Solves leaves of one proof until there are none.
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
