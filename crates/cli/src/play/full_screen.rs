//! `papan` and `papan play` on the full-screen board.

use std::process::ExitCode;

use papan_terminal::Options;

use super::PlayArgs;
use super::settings::Settings;
use crate::output;
use crate::terminal_style::Appearance;

/// Opens the start page.
pub(super) fn start(appearance: &Appearance) -> anyhow::Result<ExitCode> {
    open(appearance.full_screen())
}

/// Opens the game given by the arguments, or the start page if they give none.
pub(super) fn run(args: PlayArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let mut options = appearance.full_screen();
    options.seed = args.seed;
    let chosen = args.game.is_some()
        || args.first.is_some()
        || args.second.is_some()
        || args.load.is_some()
        || args.start.is_given();
    let settings = Settings::from_args(args, appearance.words())?;
    if settings.record.as_deref().is_some_and(output::is_standard) {
        anyhow::bail!("--record - requires --plain");
    }
    options.clock = settings.clock;
    options.record = settings.record.map(|path| path.display().to_string());
    if chosen {
        options.marks = Some(settings.marks);
        options.players = settings.players.map(Some);
        options.line = Some(settings.line);
        options.loaded = settings.loaded;
        options.opening = settings.opening;
    }
    open(options)
}

fn open(options: Options) -> anyhow::Result<ExitCode> {
    papan_terminal::run(options)?;
    Ok(ExitCode::SUCCESS)
}
