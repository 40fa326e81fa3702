//! `papan play`: on the full-screen board at a terminal, else line by line, for
//! pipes, scripts and screen readers.

mod clock;
mod ending;
mod full_screen;
mod recorder;
mod session;
mod settings;
mod start;

use std::process::ExitCode;

use clap::Args;
use papan_catalog::{AnyGame, PlayerSpec};
use papan_strategies::TimeControl;

use crate::console::Console;
use crate::output::status;
use crate::source::StartPoint;
use crate::terminal_style::Appearance;
use session::{Leave, Session};
use settings::{MarksOption, Settings};

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// The game, such as tictactoe, tictactoe:4x4, tictactoe:3x3x3 or othello [default: tictactoe]
    #[arg(value_name = "GAME")]
    game: Option<AnyGame>,
    /// Who moves first: human, or a strategy such as alphabeta(depth=6)
    #[arg(long, value_name = "PLAYER")]
    first: Option<PlayerSpec>,
    /// Who moves second
    #[arg(long, value_name = "PLAYER")]
    second: Option<PlayerSpec>,
    /// What first and second are drawn as [default: xo; ox where the automaton begins]
    #[arg(long, value_enum)]
    marks: Option<MarksOption>,
    /// Makes every random choice reproducible
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    start: StartPoint,
    /// Write the record of the game here, after every move
    #[arg(long, value_name = "FILE")]
    record: Option<std::path::PathBuf>,
    /// Go on from a record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    load: Option<std::path::PathBuf>,
    /// Give both players a clock, such as 5m or 5m+3s
    #[arg(long, value_name = "TIME")]
    clock: Option<TimeControl>,
}

pub(crate) fn run(args: PlayArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    if appearance.is_full_screen() {
        return full_screen::run(args, appearance);
    }
    let settings = Settings::from_args(args, appearance.words())?;
    play(settings, appearance, Console::new())
}

/// What `papan` alone does: ask for game, opponent, board and seat, then play.
pub(crate) fn ask_and_play(appearance: &Appearance) -> anyhow::Result<ExitCode> {
    if appearance.is_full_screen() {
        return full_screen::start(appearance);
    }
    let mut console = Console::new();
    match start::ask(&mut console, appearance.words())? {
        Ok(settings) => play(settings, appearance, console),
        Err(leave) => leave_with(leave, &mut console, appearance),
    }
}

/// Plays game after game with the same settings, until the player has enough.
fn play(
    mut settings: Settings,
    appearance: &Appearance,
    mut console: Console,
) -> anyhow::Result<ExitCode> {
    loop {
        let style = appearance.style(settings.marks);
        let words = appearance.words();
        let session = Session::new(&settings, &mut console, words, style)?;
        if let Some(leave) = session.play()? {
            return leave_with(leave, &mut console, appearance);
        }
        let watching = !settings.players.contains(&PlayerSpec::Human);
        if watching || !start::another_game(&mut console, words)? {
            return Ok(ExitCode::SUCCESS);
        }
        settings.next_game();
    }
}

fn leave_with(
    leave: Leave,
    console: &mut Console,
    appearance: &Appearance,
) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    match leave {
        Leave::Quit => {
            console.say(&words.text("goodbye"))?;
            Ok(ExitCode::SUCCESS)
        }
        Leave::InputEnded => {
            status(words.text("input-ended"));
            Ok(ExitCode::from(2))
        }
    }
}
