//! The terminal interface without a terminal: games by keys, and every screen.

mod advice;
mod autosave;
mod desk;
mod games;
mod input;
mod records;
mod screens;
mod swap;
