//! What an engine that speaks UGI hears and says while it thinks.

use std::io::{self, Write};
use std::time::Instant;

use papan_rules::Move;
use papan_strategies::{Bound, Progress, Score, StopToken};

use super::{Command, Reply};
use crate::notation::ProtocolNotation;
use crate::session::{Backlog, SessionHandler};

/// When the answer may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// As soon as it is there.
    Done,
    /// When somebody says `stop`.
    Stop,
    /// When somebody says `stop`, or `ponderhit`.
    Hit,
}

/// All ears while the strategy thinks.
pub(super) struct Listening<'a, W: Write> {
    stop: &'a StopToken,
    until: Until,
    output: &'a mut W,
    board: &'a ProtocolNotation,
    begun: Instant,
    hit: Option<Instant>,
    pv: Vec<Move>,
}

impl<'a, W: Write> Listening<'a, W> {
    pub(super) fn new(
        stop: &'a StopToken,
        until: Until,
        output: &'a mut W,
        board: &'a ProtocolNotation,
    ) -> Self {
        Self {
            stop,
            until,
            output,
            board,
            begun: Instant::now(),
            hit: None,
            pv: Vec::new(),
        }
    }

    /// When `ponderhit` was heard.
    pub(super) fn hit(&self) -> Option<Instant> {
        self.hit
    }

    /// The line of play that the strategy told of last.
    pub(super) fn into_pv(self) -> Vec<Move> {
        self.pv
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }

    fn end(&mut self) {
        self.stop.stop();
        self.until = Until::Done;
    }
}

impl<W: Write> SessionHandler for Listening<'_, W> {
    fn on_progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.pv.clone_from(&progress.pv);
        let info = describe(progress, self.board, self.begun);
        self.say(&info)
    }

    fn on_line(&mut self, line: Option<String>, backlog: &mut Backlog) -> io::Result<()> {
        let in_order = backlog.is_empty();
        match line.as_deref().map(Command::parse) {
            Some(Some(Command::IsReady)) if in_order => return self.say(&Reply::Ready),
            Some(Some(Command::PonderHit)) if self.until == Until::Hit => {
                self.hit = Some(Instant::now());
                self.end();
                return Ok(());
            }
            // Kept as well, for searches that were queued before it.
            Some(Some(Command::Stop | Command::Quit)) | None => self.end(),
            _ => {}
        }
        backlog.push_back(line);
        Ok(())
    }

    fn may_answer(&self) -> bool {
        self.until == Until::Done
    }
}

fn describe(progress: &Progress, board: &ProtocolNotation, begun: Instant) -> Reply {
    let mut info = format!(
        "depth {} nodes {} time {}",
        progress.depth,
        progress.nodes,
        begun.elapsed().as_millis()
    );
    if let Some(score) = progress.score {
        info += &worth(score);
    }
    info += &line_of_play(&progress.pv, board);
    Reply::Info(info)
}

/// What a line of play is worth, as `info` says it.
pub(super) fn worth(score: Score) -> String {
    let bound = match score.bound() {
        Bound::Exact => "proven ",
        Bound::AtMost => "upperbound ",
        Bound::AtLeast => "lowerbound ",
        Bound::Estimate => "",
    };
    format!(" score {bound}{}", score.balance())
}

/// A line of play, as `info` says it.
pub(super) fn line_of_play(pv: &[Move], board: &ProtocolNotation) -> String {
    let words = pv.iter().flat_map(|&mv| [" ", board.own(mv)]);
    let begin = (!pv.is_empty()).then_some(" pv");
    begin.into_iter().chain(words).collect()
}
