//! `papan` and `papan play` at a terminal: the full-screen board.

use std::process::ExitCode;

use papan_terminal::Options;

use super::PlayArgs;
use super::settings::Settings;
use crate::terminal_style::Appearance;

/// The start page.
pub(super) fn start(appearance: &Appearance) -> anyhow::Result<ExitCode> {
    open(appearance.full_screen())
}

/// The game that was asked for; the start page when nothing was.
pub(super) fn run(args: PlayArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let mut options = appearance.full_screen();
    options.seed = args.seed;
    let chosen = args.game.is_some()
        || args.first.is_some()
        || args.second.is_some()
        || args.load.is_some()
        || args.start.is_given();
    let settings = Settings::from_args(args, appearance.words())?;
    options.clock = settings.clock;
    options.record = settings.record.map(|path| path.display().to_string());
    if chosen {
        options.marks = Some(settings.marks);
        options.players = settings.players.map(Some);
        options.line = Some(settings.line);
        options.loaded = settings.loaded;
    }
    open(options)
}

fn open(options: Options) -> anyhow::Result<ExitCode> {
    papan_terminal::run(options)?;
    Ok(ExitCode::SUCCESS)
}
