//! UGI during a search: `info` lines, `isready`, `stop` and `ponderhit`.

use std::io::{self, Write};
use std::time::Instant;

use papan_rules::Move;
use papan_strategies::{Bound, Progress, Score, StopToken};

use super::{Command, Reply};
use crate::notation::ProtocolNotation;
use crate::session::{Backlog, SessionHandler};

/// When the result of a search may be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReportWhen {
    /// As soon as the search ends.
    Done,
    /// After `stop` (`go infinite`).
    Stopped,
    /// After `stop` or `ponderhit` (`go ponder`).
    StoppedOrHit,
}

/// Handles commands and progress during a search.
pub(super) struct SearchHandler<'a, W: Write> {
    stop: &'a StopToken,
    report_when: ReportWhen,
    output: &'a mut W,
    notation: &'a ProtocolNotation,
    start: Instant,
    ponder_hit: Option<Instant>,
    pv: Vec<Move>,
}

impl<'a, W: Write> SearchHandler<'a, W> {
    pub(super) fn new(
        stop: &'a StopToken,
        report_when: ReportWhen,
        output: &'a mut W,
        notation: &'a ProtocolNotation,
    ) -> Self {
        Self {
            stop,
            report_when,
            output,
            notation,
            start: Instant::now(),
            ponder_hit: None,
            pv: Vec::new(),
        }
    }

    /// When `ponderhit` was received.
    pub(super) fn ponder_hit(&self) -> Option<Instant> {
        self.ponder_hit
    }

    /// The last principal variation reported by the search.
    pub(super) fn into_pv(self) -> Vec<Move> {
        self.pv
    }

    fn send(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }

    fn end_search(&mut self) {
        self.stop.stop();
        self.report_when = ReportWhen::Done;
    }
}

impl<W: Write> SessionHandler for SearchHandler<'_, W> {
    fn on_progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.pv.clone_from(&progress.pv);
        let info = format_progress(progress, self.notation, self.start);
        self.send(&info)
    }

    fn on_line(&mut self, line: Option<String>, backlog: &mut Backlog) -> io::Result<()> {
        let in_order = backlog.is_empty();
        match line.as_deref().map(Command::parse) {
            Some(Some(Command::IsReady)) if in_order => return self.send(&Reply::Ready),
            Some(Some(Command::PonderHit)) if self.report_when == ReportWhen::StoppedOrHit => {
                self.ponder_hit = Some(Instant::now());
                self.end_search();
                return Ok(());
            }
            // Also pushed to the backlog, for searches that were queued before it.
            Some(Some(Command::Stop | Command::Quit)) | None => self.end_search(),
            _ => {}
        }
        backlog.push_back(line);
        Ok(())
    }

    fn may_answer(&self) -> bool {
        self.report_when == ReportWhen::Done
    }
}

fn format_progress(progress: &Progress, notation: &ProtocolNotation, start: Instant) -> Reply {
    let mut info = format!(
        "depth {} nodes {} time {}",
        progress.depth,
        progress.nodes,
        start.elapsed().as_millis()
    );
    if let Some(score) = progress.score {
        info += &format_score(score);
    }
    info += &format_pv(&progress.pv, notation);
    Reply::Info(info)
}

/// The score of an `info` line, with a space before it.
pub(super) fn format_score(score: Score) -> String {
    let bound = match score.bound() {
        Bound::Exact => "proven ",
        Bound::AtMost => "upperbound ",
        Bound::AtLeast => "lowerbound ",
        Bound::Estimate => "",
    };
    format!(" score {bound}{}", score.balance())
}

/// The principal variation of an `info` line, with a space before it.
pub(super) fn format_pv(pv: &[Move], notation: &ProtocolNotation) -> String {
    let keyword = (!pv.is_empty()).then_some(" pv");
    let moves = pv.iter().flat_map(|&mv| [" ", notation.own(mv)]);
    keyword.into_iter().chain(moves).collect()
}
