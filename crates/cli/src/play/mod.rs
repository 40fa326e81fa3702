//! `papan play`: on the full-screen board at a terminal, else line by line, for pipes, scripts and
//! screen readers.

mod ending;
mod full_screen;
mod recorder;
mod session;
mod settings;
mod start;
mod swap;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use papan_catalog::{AnyGame, PlayerSpec};
use papan_rules::SwapRule;
use papan_strategies::TimeControl;

use crate::console::Console;
use crate::exit_code;
use crate::output::status;
use crate::player_arg;
use crate::source::StartPoint;
use crate::terminal_style::Appearance;
use session::{Leave, Session};
use settings::{MarksOption, Screen, Settings};

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// Game, such as tictactoe, tictactoe:4x4, tictactoe:3x3x3 or othello [default: tictactoe]
    #[arg(value_name = "GAME")]
    game: Option<AnyGame>,
    /// Player who moves first: human, a strategy such as alphabeta(depth=6), or a program such as
    /// 'move:python3 student.py' [default: human]
    #[arg(long, value_name = "PLAYER", value_parser = player_arg::player)]
    first: Option<PlayerSpec>,
    /// Player who moves second [default: human]
    #[arg(long, value_name = "PLAYER", value_parser = player_arg::player)]
    second: Option<PlayerSpec>,
    /// Marks of the first and second player [default: xo, or ox if the automaton moves first]
    #[arg(long, value_enum)]
    marks: Option<MarksOption>,
    /// Seed of all random choices [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    start: StartPoint,
    /// Write the record of the game to this file after every move; - is standard output, at the
    /// end of the game and only with --plain
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Continue the game of this record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    load: Option<PathBuf>,
    /// Opening rule, in games of four or more in a row: swap or swap2. The first player places three
    /// stones, the other chooses its colour (with swap2 it may place two more instead)
    #[arg(long, value_name = "RULE", conflicts_with_all = ["moves", "position", "load"])]
    opening_rule: Option<SwapRule>,
    /// Clock of both players, such as 5m or 5m+3s (with an increment)
    #[arg(long, value_name = "TIME")]
    clock: Option<TimeControl>,
    /// How boards are drawn, line by line; `document` implies --plain
    #[arg(long, value_enum, default_value_t)]
    screen: Screen,
}

pub(crate) fn run(args: PlayArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    if appearance.is_full_screen() && args.screen == Screen::Papan {
        return full_screen::run(args, appearance);
    }
    let settings = Settings::from_args(args, appearance.words())?;
    play(settings, appearance, Console::new())
}

/// Asks for the game, opponent, board and seat, then plays. This is `papan` without a command.
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

/// Plays games with the same settings until the player wants no other.
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
            Ok(ExitCode::from(exit_code::ERROR))
        }
    }
}
