//! The terminal interface without a terminal: games by keys, and every screen.

mod advice;
mod desk;
mod games;
mod input;
mod kept_games;
mod records;
mod screens;
