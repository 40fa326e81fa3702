//! The terminal itself: taken over at the start, and always given back as it was
//! found: on leaving, on a panic, when the shell wants it, when a signal ends us.

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::mpsc::Sender;
use std::thread;

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event,
};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use crate::effects::engine_tasks::THREAD_NAME;
use crate::message::Message;
use crate::state::State;
use crate::view;

/// The taken-over terminal. Dropping it gives the terminal back.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// When it cannot be: standard output is no terminal.
    pub fn take() -> io::Result<Self> {
        restore_on_panic();
        enter()?;
        let terminal = Terminal::new(CrosstermBackend::new(stdout()));
        match terminal {
            Ok(terminal) => Ok(Self { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// The window's columns and rows.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Draws the state.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw(&mut self, state: &State) -> io::Result<()> {
        self.terminal.draw(|frame| view::draw(state, frame))?;
        Ok(())
    }

    /// Draws everything again with the next drawing.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn redraw(&mut self) -> io::Result<()> {
        // After a stop that could not be caught the shell has changed the modes, and
        // raw mode that is believed to be on is not set again.
        let _ = disable_raw_mode();
        enter()?;
        execute!(stdout(), Clear(ClearType::All))?;
        // A new one has drawn nothing yet. Its own `clear` would ask the terminal where
        // the cursor is, and wait for an answer that the reading thread takes.
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }

    /// Puts text on the clipboard of whoever sits at the terminal.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(stdout(), CopyToClipboard::to_clipboard_from(text))
    }

    /// Gives the terminal to the shell until it is continued.
    ///
    /// # Errors
    /// When the terminal is gone afterwards.
    pub fn suspend(&mut self) -> io::Result<()> {
        give_back();
        #[cfg(unix)]
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        self.redraw()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(
        stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableBracketedPaste,
        cursor::Hide
    )
}

/// Gives the terminal back. A terminal that is gone needs nothing any more.
fn give_back() {
    let _ = execute!(
        stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}

/// Gives the terminal back before a panic is told. A panic of a thinker is told
/// by the board itself, in a sentence.
fn restore_on_panic() {
    let told_before = panic::take_hook();
    panic::set_hook(Box::new(move |about| {
        if thread::current().name() == Some(THREAD_NAME) {
            return;
        }
        give_back();
        told_before(about);
    }));
}

/// Reads keys, mouse and window in a thread of its own, which sleeps between them.
pub(crate) fn read_input(inbox: Sender<Message>) {
    thread::spawn(move || {
        loop {
            let message = match event::read() {
                Ok(Event::Key(key)) => Message::Key(key),
                Ok(Event::Mouse(mouse)) => Message::Mouse(mouse),
                Ok(Event::Paste(text)) => Message::Paste(text),
                Ok(Event::Resize(columns, rows)) => Message::Resized(columns, rows),
                Ok(Event::FocusGained | Event::FocusLost) => continue,
                Err(_) => {
                    let _ = inbox.send(Message::InputEnded);
                    return;
                }
            };
            if inbox.send(message).is_err() {
                return;
            }
        }
    });
}

/// Turns signals into messages, in a thread that sleeps between them.
///
/// # Errors
/// When they cannot be caught.
#[cfg(unix)]
pub(crate) fn catch_signals(inbox: Sender<Message>) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    let caught = [SIGTSTP, SIGCONT, SIGWINCH, SIGHUP, SIGINT, SIGTERM];
    let mut signals = signal_hook::iterator::Signals::new(caught)?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let message = match signal {
                SIGTSTP => Message::Suspend,
                SIGCONT => Message::Resumed,
                // The reading thread hears of it too, but only once it is reading.
                SIGWINCH => match crossterm::terminal::size() {
                    Ok((columns, rows)) => Message::Resized(columns, rows),
                    Err(_) => continue,
                },
                _ => Message::Terminate(signal),
            };
            if inbox.send(message).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// There are no such signals here.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn catch_signals(_inbox: Sender<Message>) -> io::Result<()> {
    Ok(())
}

/// Ends the program as the signal would have.
pub(crate) fn end_by(signal: i32) {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    #[cfg(not(unix))]
    let _ = signal;
}
