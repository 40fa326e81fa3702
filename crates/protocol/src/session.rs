//! Thinking and listening at once: an engine that thinks can be told to stop.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use papan_strategies::{Listener, Progress, StopToken};

use crate::line_reader::next_line;

/// Lines that came while the engine was thinking; `None` is the end of the input.
pub(crate) type Backlog = VecDeque<Option<String>>;

/// What an engine waits for.
enum Event<T> {
    /// A line came in; `None` at the end of the input.
    Line(Option<String>),
    /// The strategy thinks aloud.
    Told(Progress),
    /// The strategy is done.
    Done(T),
}

/// What an engine does with what it hears while it thinks.
pub(crate) trait SessionHandler {
    /// The strategy thinks aloud.
    fn told(&mut self, progress: &Progress) -> io::Result<()>;

    /// A line came in. What is not for now is kept for later, and so is everything after
    /// it: a script may say everything at once.
    fn hear(&mut self, line: Option<String>, later: &mut Backlog) -> io::Result<()>;

    /// Whether the answer may be given as soon as it is there.
    fn may_answer(&self) -> bool {
        true
    }
}

/// The commands of an engine, read in a thread of their own.
pub(crate) struct Inbox<T> {
    sender: Sender<Event<T>>,
    events: Receiver<Event<T>>,
    later: Backlog,
}

impl<T: Send + 'static> Inbox<T> {
    /// Reads this input until its end.
    pub(crate) fn new(mut input: impl BufRead + Send + 'static) -> Self {
        let (sender, events) = channel();
        let lines = sender.clone();
        // Left to itself when the engine leaves first: nothing can interrupt a read.
        std::thread::spawn(move || {
            loop {
                let line = next_line(&mut input).unwrap_or(None);
                let is_end = line.is_none();
                if lines.send(Event::Line(line)).is_err() || is_end {
                    return;
                }
            }
        });
        Self {
            sender,
            events,
            later: Backlog::new(),
        }
    }

    /// The next line; `None` at the end of the input.
    pub(crate) fn next_line(&mut self) -> Option<String> {
        if let Some(line) = self.later.pop_front() {
            return line;
        }
        loop {
            match self.events.recv() {
                Ok(Event::Line(line)) => return line,
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

    /// Does some thinking, all ears. `None` when nobody is there any more.
    ///
    /// # Errors
    /// When the output fails; the work is then told to stop.
    pub(crate) fn while_thinking(
        &mut self,
        stop: &StopToken,
        work: impl FnOnce(Listener) -> T + Send,
        attention: &mut impl SessionHandler,
    ) -> io::Result<Option<T>> {
        let (told, done) = (self.sender.clone(), self.sender.clone());
        let listener: Listener = Arc::new(move |progress: &Progress| {
            // Nobody listens any more when the engine leaves.
            let _ = told.send(Event::Told(progress.clone()));
        });
        let (events, later) = (&self.events, &mut self.later);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let _ = done.send(Event::Done(work(listener)));
            });
            let mut result = None;
            while result.is_none() || !attention.may_answer() {
                let said = match events.recv() {
                    Ok(Event::Done(work)) => {
                        result = Some(work);
                        Ok(())
                    }
                    Ok(Event::Told(progress)) => attention.told(&progress),
                    Ok(Event::Line(line)) => attention.hear(line, later),
                    Err(_) => break,
                };
                // The scope waits for the strategy, and nobody else will stop it.
                said.inspect_err(|_| stop.stop())?;
            }
            Ok(result)
        })
    }
}
