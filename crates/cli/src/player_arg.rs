//! Players on the command line: strategies of the catalog, and programs in other processes.

use papan_arena::{Entrant, EntrantError, EntrantKind};
use papan_catalog::{PlayerSpec, StrategySpec};
use papan_protocol::Program;
use papan_strategies::Limits;

/// Why a text on the command line is not a player.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlayerArgError {
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    #[error("limits after @ are for programs and tournaments; a strategy has parameters")]
    Limits,
}

/// Parses a strategy, or a program such as `move:python3 student.py`. A program may have limits and
/// settings, as in tournaments: `ugi:./engine@time=1s`.
pub(crate) fn strategy(text: &str) -> Result<StrategySpec, PlayerArgError> {
    let entrant: Entrant = text.parse()?;
    match entrant.kind {
        EntrantKind::Strategy(spec) if entrant.limits == Limits::default() => Ok(spec),
        EntrantKind::Strategy(_) => Err(PlayerArgError::Limits),
        EntrantKind::Engine(command) => {
            Ok(Program::new(command, entrant.limits, text.trim().into()).strategy())
        }
    }
}

/// Parses a player: `human`, a strategy or a program.
pub(crate) fn player(text: &str) -> Result<PlayerSpec, PlayerArgError> {
    if text.trim().eq_ignore_ascii_case("human") {
        return Ok(PlayerSpec::Human);
    }
    strategy(text).map(PlayerSpec::Strategy)
}
