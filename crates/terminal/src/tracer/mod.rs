//! Full-screen stepper of a traced run, as a debugger: the board, the pseudo-code with the current
//! line, the numbers of the step, and the tree that grows with it.

mod stepper;
mod view;

use std::io;
use std::sync::mpsc::channel;

use papan_view::Messages;

use crate::effects::files;
use crate::message::Message;
use crate::terminal::{self, Screen};
use crate::theme::Theme;

pub use stepper::Stepper;

/// How a run is shown.
#[derive(Clone, Copy, Debug)]
pub struct Appearance {
    /// The language.
    pub messages: Messages,
    /// Whether only ASCII characters are used.
    pub ascii: bool,
    /// Whether colours are used.
    pub colour: bool,
}

/// Steps through a run until the user quits.
///
/// # Errors
/// When standard input or output is not a terminal, or the terminal is gone.
pub fn run_trace(mut stepper: Stepper, appearance: Appearance) -> io::Result<()> {
    let theme = if appearance.colour {
        files::load_settings().map_or_else(|_| Theme::default(), |settings| settings.theme)
    } else {
        Theme::Plain
    };
    let mut screen = Screen::take()?;
    let (sender, inbox) = channel();
    terminal::catch_signals(sender.clone())?;
    terminal::read_input(sender);
    let ended = loop {
        let draw = |frame: &mut ratatui::Frame<'_>| view::draw(&stepper, appearance, theme, frame);
        if let Err(error) = screen.draw_with(draw) {
            break Err(error);
        }
        match inbox.recv().unwrap_or(Message::InputEnded) {
            Message::Key(key) if stepper.key(key).is_break() => break Ok(None),
            Message::Suspend => screen.suspend()?,
            Message::Resumed => screen.resume()?,
            Message::Terminate(signal) => break Ok(Some(signal)),
            Message::InputEnded => break Ok(None),
            _ => {}
        }
    };
    drop(screen);
    if let Some(signal) = ended? {
        papan_os::raise(signal);
    }
    Ok(())
}
