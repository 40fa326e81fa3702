//! Terminal control: raw mode, alternate screen (xterm control sequences), mouse and signals.
//!
//! The terminal is always restored: on exit, on a panic, on SIGTSTP and on a terminating signal.

use std::io::{self, Stdout, stdout};
use std::mem;
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
use papan_os::TerminalSignal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};

use crate::effects::engine_tasks::THREAD_NAME;
use crate::message::Message;
use crate::state::{State, drawn_size};
use crate::view;

/// The terminal in raw mode on the alternate screen. Dropping it restores the terminal.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    /// The area of the terminal's viewport.
    size: (u16, u16),
    /// Whether [`Screen::suspend`] has already redrawn after the SIGCONT whose message is yet to
    /// come.
    resumed: bool,
}

impl Screen {
    /// Takes over the terminal.
    ///
    /// # Errors
    /// When standard output is not a terminal.
    pub fn take() -> io::Result<Self> {
        restore_on_panic();
        enter()?;
        let size = drawn_size(crossterm::terminal::size()?);
        let terminal = fixed_terminal(size).inspect_err(|_| restore())?;
        Ok(Self {
            terminal,
            size,
            resumed: false,
        })
    }

    /// Returns the columns and rows to draw.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok(drawn_size((size.width, size.height)))
    }

    /// Draws the state.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw(&mut self, state: &State) -> io::Result<()> {
        self.draw_with(|frame| view::draw(state, frame))
    }

    /// Draws a frame.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn draw_with(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        let size = self.size()?;
        if size != self.size {
            self.terminal.resize(Rect::new(0, 0, size.0, size.1))?;
            self.size = size;
        }
        self.terminal.draw(draw)?;
        Ok(())
    }

    /// Makes the next call of [`Screen::draw`] draw every cell.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn redraw(&mut self) -> io::Result<()> {
        // After SIGSTOP, which cannot be caught, the shell has reset the modes; crossterm would not set
        // raw mode again while it believes that it is on.
        let _ = disable_raw_mode();
        enter()?;
        execute!(stdout(), Clear(ClearType::All))?;
        // `Terminal::clear` would query the cursor position and wait for a reply that the input thread
        // consumes. A new terminal redraws everything as well.
        self.size = drawn_size(crossterm::terminal::size()?);
        self.terminal = fixed_terminal(self.size)?;
        Ok(())
    }

    /// Copies text to the clipboard of the terminal (OSC 52).
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(stdout(), CopyToClipboard::to_clipboard_from(text))
    }

    /// Restores the terminal and suspends the process until SIGCONT.
    ///
    /// # Errors
    /// When the terminal is gone afterwards.
    pub fn suspend(&mut self) -> io::Result<()> {
        restore();
        papan_os::suspend()?;
        self.redraw()?;
        self.resumed = true;
        Ok(())
    }

    /// Redraws after SIGCONT, unless [`Screen::suspend`] did. A second redraw would leave raw mode
    /// for a moment, and a key pressed then would be echoed and lost.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn resume(&mut self) -> io::Result<()> {
        if mem::take(&mut self.resumed) {
            return Ok(());
        }
        self.redraw()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Creates a terminal of fixed size: a viewport of the whole window would allocate whatever size the
/// terminal claims.
fn fixed_terminal(size: (u16, u16)) -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    let viewport = Viewport::Fixed(Rect::new(0, 0, size.0, size.1));
    Terminal::with_options(
        CrosstermBackend::new(stdout()),
        TerminalOptions { viewport },
    )
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

/// Restores the terminal. Errors are ignored: the terminal may be gone.
fn restore() {
    let _ = execute!(
        stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}

/// Restores the terminal before a panic message is printed. A panic in a search thread is shown as
/// a notice instead.
fn restore_on_panic() {
    let previous_hook = panic::take_hook();
    panic::set_hook(Box::new(move |about| {
        if thread::current().name() == Some(THREAD_NAME) {
            return;
        }
        restore();
        previous_hook(about);
    }));
}

/// Starts the thread that reads keys, mouse events and resizes.
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

/// Turns signals into messages.
///
/// # Errors
/// When the signal handlers cannot be installed.
pub(crate) fn catch_signals(inbox: Sender<Message>) -> io::Result<()> {
    papan_os::watch_terminal(move |signal| {
        let message = match signal {
            TerminalSignal::Suspend => Message::Suspend,
            TerminalSignal::Resume => Message::Resumed,
            // The input thread also reports resizes, but only once it is running.
            TerminalSignal::Resize => match crossterm::terminal::size() {
                Ok((columns, rows)) => Message::Resized(columns, rows),
                Err(_) => return true,
            },
            TerminalSignal::Terminate(signal) => Message::Terminate(signal),
        };
        inbox.send(message).is_ok()
    })
}
