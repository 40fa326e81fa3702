//! The command loop of an engine: reads commands while a search runs.
//!
//! UCI requires that `stop` and `quit` act at once ("the engine must always be able to
//! process input from stdin, even while thinking"). The same holds here for every protocol,
//! and for the end of the input, which is all that an engine learns of a GUI that crashed.
//! A thread reads lines into a channel; the search runs in a second thread and reports to
//! the same channel; the caller's thread dispatches.
//!
//! Commands that have to wait until the search ends go to the [`Backlog`]. It is shown to
//! the handler again when the next search starts, so a `stop` or `quit` behind several
//! queued searches ends all of them.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use papan_strategies::{Decision, Listener, NoMove, Progress, StopToken};

use crate::line_reader::next_line;

/// The commands of a server, one per line.
pub struct Input {
    reader: Box<dyn BufRead + Send>,
    reads_ahead: bool,
}

impl Input {
    /// Standard input: a script when it is redirected from a file.
    #[must_use]
    pub fn stdin() -> Self {
        let stdin = io::stdin();
        if papan_os::stdin_is_file() {
            Self::script(BufReader::new(stdin))
        } else {
            Self::interactive(BufReader::new(stdin))
        }
    }

    /// Commands from a program or a person: read while a search runs, and the end of the
    /// input ends the search.
    pub fn interactive(reader: impl BufRead + Send + 'static) -> Self {
        Self {
            reader: Box::new(reader),
            reads_ahead: true,
        }
    }

    /// Commands from a file: the next one is read when the search before it has ended, so
    /// that a file of commands is answered in full.
    pub fn script(reader: impl BufRead + Send + 'static) -> Self {
        Self {
            reader: Box::new(reader),
            reads_ahead: false,
        }
    }
}

/// Commands received during a search and still to be executed; `None` is the end of the
/// input.
pub(crate) type Backlog = VecDeque<Option<String>>;

enum Event {
    /// A command; `None` at the end of the input.
    Line(Option<String>),
    Progress(Progress),
    /// The search has ended.
    Done,
}

/// Reacts to events during a search.
pub(crate) trait SessionHandler {
    /// The search reports its progress.
    fn on_progress(&mut self, progress: &Progress) -> io::Result<()>;

    /// A command, or the end of the input, has arrived. The handler pushes it to the
    /// backlog unless it is dealt with. Must stop the search when it is `stop`, `quit` or
    /// the end of the input.
    fn on_line(&mut self, line: Option<String>, backlog: &mut Backlog) -> io::Result<()>;

    /// Whether the result may be reported once the search has ended. `go infinite` has to
    /// wait for `stop`.
    fn may_answer(&self) -> bool {
        true
    }
}

/// Handler of a protocol that has no command for a running search other than to quit.
pub(crate) struct QuitHandler<'a> {
    pub(crate) stop: &'a StopToken,
    pub(crate) is_quit: fn(&str) -> bool,
}

impl SessionHandler for QuitHandler<'_> {
    fn on_progress(&mut self, _: &Progress) -> io::Result<()> {
        Ok(())
    }

    fn on_line(&mut self, line: Option<String>, backlog: &mut Backlog) -> io::Result<()> {
        if line.as_deref().is_none_or(self.is_quit) {
            self.stop.stop();
        }
        backlog.push_back(line);
        Ok(())
    }
}

/// The result of a search.
pub(crate) type SearchResult = Result<Decision, NoMove>;

/// The source of commands, and of the events of the running search.
pub(crate) struct Inbox {
    sender: Sender<Event>,
    events: Receiver<Event>,
    /// Read by this thread, one command at a time.
    script: Option<Box<dyn BufRead + Send>>,
    backlog: Backlog,
}

impl Inbox {
    pub(crate) fn new(input: Input) -> Self {
        let (sender, events) = channel();
        let Input {
            mut reader,
            reads_ahead,
        } = input;
        let mut script = None;
        if reads_ahead {
            let lines = sender.clone();
            // Detached: a blocking read cannot be interrupted when the engine quits.
            std::thread::spawn(move || {
                loop {
                    let line = next_line(&mut reader).unwrap_or(None);
                    let is_end = line.is_none();
                    if lines.send(Event::Line(line)).is_err() || is_end {
                        return;
                    }
                }
            });
        } else {
            script = Some(reader);
        }
        Self {
            sender,
            events,
            script,
            backlog: Backlog::new(),
        }
    }

    /// Returns the next command; `None` at the end of the input.
    pub(crate) fn next_line(&mut self) -> Option<String> {
        if let Some(line) = self.backlog.pop_front() {
            return line;
        }
        if let Some(script) = &mut self.script {
            return next_line(script).unwrap_or(None);
        }
        loop {
            match self.events.recv() {
                Ok(Event::Line(line)) => return line,
                // Progress of a search that has ended.
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

    /// Runs a search and dispatches events to the handler until the search has ended and
    /// the handler lets the result be reported.
    ///
    /// # Errors
    /// When the handler cannot write its output; the search is then stopped.
    pub(crate) fn search<T: Send>(
        &mut self,
        stop: &StopToken,
        work: impl FnOnce(Listener) -> T + Send,
        handler: &mut impl SessionHandler,
    ) -> io::Result<T> {
        for line in std::mem::take(&mut self.backlog) {
            handler.on_line(line, &mut self.backlog)?;
        }
        let (progress_sender, result_sender) = (self.sender.clone(), self.sender.clone());
        let listener: Listener = Arc::new(move |progress: &Progress| {
            // The receiver is dropped when the engine quits.
            let _ = progress_sender.send(Event::Progress(progress.clone()));
        });
        std::thread::scope(|scope| {
            let searching = scope.spawn(move || {
                let result = work(listener);
                let _ = result_sender.send(Event::Done);
                result
            });
            let mut is_done = false;
            loop {
                // The scope waits for the search, so it has to be stopped on every error.
                while !handler.may_answer()
                    && let Some(script) = &mut self.script
                {
                    let line = next_line(script).unwrap_or(None);
                    let handled = handler.on_line(line, &mut self.backlog);
                    handled.inspect_err(|_| stop.stop())?;
                }
                if is_done && handler.may_answer() {
                    let result = searching.join();
                    return Ok(result.unwrap_or_else(|panic| resume_unwind(panic)));
                }
                let event = self.events.recv().expect("`self` holds a sender");
                let handled = match event {
                    Event::Done => {
                        is_done = true;
                        Ok(())
                    }
                    Event::Progress(progress) => handler.on_progress(&progress),
                    Event::Line(line) => handler.on_line(line, &mut self.backlog),
                };
                handled.inspect_err(|_| stop.stop())?;
            }
        })
    }
}
