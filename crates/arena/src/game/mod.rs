//! One game: the referee, the players, the clock and the result.

pub(crate) mod adjudication;
pub(crate) mod clock;
pub(crate) mod game_result;
pub(crate) mod player;
pub(crate) mod referee;
pub(crate) mod spectate;
mod swap_opening;
