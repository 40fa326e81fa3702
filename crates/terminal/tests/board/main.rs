//! The board without a terminal: games by keys, and every screen.

mod desk;
mod games;
mod kept_games;
mod screens;
