//! NBoard server: papan as an engine.

use std::io::{self, Write};
use std::time::Instant;

use papan_catalog::review::{PositionAnalysis, score_for_first};
use papan_rules::{Move, sanitize};
use papan_strategies::{Limits, Progress, Score, StopToken, Unit};

use super::{Command, Reply, format_move, parse_move, supports};
use crate::engine_session::EngineSession;
use crate::notation::ProtocolNotation;
use crate::session::{Backlog, Inbox, Input, SearchResult, SessionHandler};

/// Maximum length of a status message in characters.
const MAX_STATUS: usize = 200;

/// Answers commands until `quit` or the end of the input, also during a search.
///
/// # Errors
/// When writing fails.
pub fn serve(session: &mut EngineSession, input: Input, output: impl Write) -> io::Result<()> {
    let mut engine = NBoardServer {
        session,
        output,
        inbox: Inbox::new(input),
        depth: None,
    };
    while let Some(line) = engine.inbox.next_line() {
        match Command::parse(&line) {
            Some(Command::Quit) => break,
            Some(command) => engine.execute(&command)?,
            None => {}
        }
    }
    Ok(())
}

struct NBoardServer<'a, W: Write> {
    session: &'a mut EngineSession,
    output: W,
    inbox: Inbox,
    /// Search depth from `set depth`.
    depth: Option<u32>,
}

impl<W: Write> NBoardServer<'_, W> {
    fn send(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }

    /// Sends a status. Errors are sent as a status as well, since the protocol has no error
    /// reply.
    fn send_status(&mut self, text: &str) -> io::Result<()> {
        let short: String = sanitize(text).chars().take(MAX_STATUS).collect();
        self.send(&Reply::Status(short))
    }

    fn execute(&mut self, command: &Command) -> io::Result<()> {
        match command {
            Command::Version(_) => {
                let version = env!("CARGO_PKG_VERSION");
                self.send(&Reply::MyName(format!("papan {version}")))
            }
            Command::Depth(depth) => {
                self.depth = Some(*depth).filter(|&depth| depth > 0);
                Ok(())
            }
            // Contempt is not supported.
            Command::Contempt(_) | Command::Quit => Ok(()),
            Command::Game(ggf) => match self.set_game(ggf) {
                Ok(()) => Ok(()),
                Err(why) => self.send_status(&format!("cannot read the game: {why}")),
            },
            Command::Move(text) => {
                let mv = parse_move(self.session.notation(), text);
                let own = mv.map(|mv| self.session.notation().own(mv).to_owned());
                match own.map(|word| self.session.play(&word)) {
                    Some(Ok(())) => Ok(()),
                    Some(Err(error)) => self.send_status(&error.to_string()),
                    None => self.send_status(&format!("`{text}` is not a move of this board")),
                }
            }
            Command::Hint(count) => self.hint(*count),
            Command::Go => self.go(),
            Command::Ping(number) => self.send(&Reply::Pong(*number)),
            Command::Learn => self.send(&Reply::Learned),
            Command::Analyze => self.analyze(),
        }
    }

    fn set_game(&mut self, ggf: &str) -> Result<(), String> {
        let file = papan_files::read(ggf.as_bytes(), None).map_err(|error| error.to_string())?;
        if let Some(fault) = file.faults.first() {
            return Err(fault.to_string());
        }
        let record = file.records.first().ok_or("it is empty")?;
        let game: papan_catalog::AnyGame = match record.game.parse() {
            Ok(game) => game,
            Err(error) => return Err(format!("{error}")),
        };
        if !supports(&ProtocolNotation::of_any(&game)) {
            return Err(format!("unsupported game {}", game.name()));
        }
        let line = game.line_of(record).map_err(|error| error.to_string())?;
        self.session
            .set_line(line)
            .map_err(|error| error.to_string())
    }

    /// Searches the position; `report` sends the progress.
    fn search(&mut self, report: bool, stop: &StopToken) -> io::Result<SearchResult> {
        let limits = Limits {
            depth: self.depth,
            ..Limits::default()
        };
        let notation = self.session.notation().clone();
        let mut handler = SearchHandler {
            stop,
            output: report.then_some(&mut self.output),
            notation: &notation,
        };
        let (session, token) = (&mut *self.session, stop.clone());
        let work = move |listener| session.decide(&limits, &token, Some(listener));
        self.inbox.search(stop, work, &mut handler)
    }

    fn hint(&mut self, count: u32) -> io::Result<()> {
        if self.session.line().outcome().is_some() {
            return self.send_status("the game is over");
        }
        self.send_status("thinking")?;
        let decision = match self.search(true, &StopToken::default())? {
            Ok(decision) => decision,
            Err(why) => return self.send_status(&why.to_string()),
        };
        let notation = self.session.notation().clone();
        for (candidate, score) in decision.ranked().into_iter().take(count.max(1) as usize) {
            let depth = candidate.pv.len();
            self.send(&search_reply(&notation, &candidate.pv, score, depth))?;
        }
        self.send_status("")
    }

    /// Reports the score of every position of the game for Black, from the last one so that
    /// the transposition table helps with the earlier ones.
    fn analyze(&mut self) -> io::Result<()> {
        self.send_status("analyzing")?;
        let game = self.session.line().clone_line();
        let stop = StopToken::default();
        let mut eval = None;
        loop {
            // A forced pass has the score of the position after it.
            eval = self.score_for_black(&stop)?.or(eval);
            // The score of an interrupted search is not reliable.
            if stop.is_stopped() {
                break;
            }
            let moves = self.session.line().moves().len();
            if let Some(eval) = eval {
                self.send(&Reply::Analysis { moves, eval })?;
            }
            if self.session.undo().is_none() {
                break;
            }
        }
        if !game.moves().is_empty() {
            // Cannot fail: the game has not changed.
            let _ = self.session.set_line(game);
        }
        self.send_status("")
    }

    /// The score of the position for Black in discs, if the strategy has one.
    fn score_for_black(&mut self, stop: &StopToken) -> io::Result<Option<f64>> {
        let mut analysis = None;
        if self.session.line().outcome().is_none() {
            let Ok(decision) = self.search(false, stop)? else {
                return Ok(None);
            };
            analysis = Some(PositionAnalysis::from(&decision));
        }
        let score = score_for_first(self.session.line(), analysis.as_ref());
        Ok(score.map(discs))
    }

    fn go(&mut self) -> io::Result<()> {
        if self.session.line().outcome().is_some() {
            return self.send_status("the game is over");
        }
        self.send_status("thinking")?;
        let start = Instant::now();
        let decision = match self.search(false, &StopToken::default())? {
            Ok(decision) => decision,
            Err(why) => return self.send_status(&why.to_string()),
        };
        let time = start.elapsed().as_secs_f64();
        let nodes = decision.nodes;
        self.send(&Reply::NodeStats { nodes, time })?;
        let score = decision.chosen().and_then(|candidate| candidate.score);
        self.send(&Reply::Move {
            word: format_move(self.session.notation(), decision.best),
            eval: score.map(discs),
            time: Some(time),
        })?;
        self.send_status("")
    }
}

/// Handles commands and progress during a search.
struct SearchHandler<'a, W: Write> {
    stop: &'a StopToken,
    /// Where progress is reported.
    output: Option<&'a mut W>,
    notation: &'a ProtocolNotation,
}

impl<W: Write> SessionHandler for SearchHandler<'_, W> {
    fn on_progress(&mut self, progress: &Progress) -> io::Result<()> {
        let (Some(output), Some(score)) = (&mut self.output, progress.score) else {
            return Ok(());
        };
        if progress.pv.is_empty() {
            return Ok(());
        }
        let reply = search_reply(self.notation, &progress.pv, score, progress.depth as usize);
        writeln!(output, "{reply}")?;
        output.flush()
    }

    fn on_line(&mut self, line: Option<String>, backlog: &mut Backlog) -> io::Result<()> {
        let command = line.as_deref().map(Command::parse);
        if matches!(command, Some(Some(Command::Ping(_) | Command::Quit)) | None) {
            self.stop.stop();
        }
        backlog.push_back(line);
        Ok(())
    }
}

fn search_reply(notation: &ProtocolNotation, pv: &[Move], score: Score, depth: usize) -> Reply {
    Reply::Search {
        pv: pv.iter().map(|&mv| format_move(notation, mv)).collect(),
        eval: discs(score),
        depth: depth.to_string(),
    }
}

/// A score in discs; results and win probabilities are scaled to the board.
fn discs(score: Score) -> f64 {
    let balance = f64::from(score.balance());
    match score.unit() {
        Unit::Discs => balance,
        Unit::Result | Unit::Chance => 64.0 * balance,
    }
}
