//! NBoard's protocol as the side that answers.

use std::io::{self, Write};
use std::time::Instant;

use papan_catalog::review::{PositionAnalysis, score_for_first};
use papan_rules::{Move, sanitize};
use papan_strategies::{Limits, Progress, Score, StopToken, Unit};

use super::{Command, Reply, plays, read, word};
use crate::engine_session::EngineSession;
use crate::notation::ProtocolNotation;
use crate::session::{Backlog, Inbox, Input, SearchResult, SessionHandler};

/// Answers commands until `quit` or the end of the input. Reads on while it thinks, so
/// that `ping` is heard.
///
/// # Errors
/// When the output fails.
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
            Some(command) => engine.obey(&command)?,
            None => {}
        }
    }
    Ok(())
}

struct NBoardServer<'a, W: Write> {
    session: &'a mut EngineSession,
    output: W,
    inbox: Inbox,
    /// How deep it is to look.
    depth: Option<u32>,
}

impl<W: Write> NBoardServer<'_, W> {
    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }

    /// What it is doing, or what is wrong: the protocol has no other errors.
    fn status(&mut self, text: &str) -> io::Result<()> {
        let text: String = sanitize(text).chars().take(200).collect();
        self.say(&Reply::Status(text))
    }

    fn obey(&mut self, command: &Command) -> io::Result<()> {
        match command {
            Command::Version(_) => {
                let version = env!("CARGO_PKG_VERSION");
                self.say(&Reply::MyName(format!("papan {version}")))
            }
            Command::Depth(depth) => {
                self.depth = Some(*depth).filter(|&depth| depth > 0);
                Ok(())
            }
            // A draw is worth what the rules say.
            Command::Contempt(_) | Command::Quit => Ok(()),
            Command::Game(ggf) => match self.take_game(ggf) {
                Ok(()) => Ok(()),
                Err(why) => self.status(&format!("this game cannot be read: {why}")),
            },
            Command::Move(text) => {
                let mv = read(self.session.board(), text);
                let own = mv.map(|mv| self.session.board().own(mv).to_owned());
                match own.map(|word| self.session.play(&word)) {
                    Some(Ok(())) => Ok(()),
                    Some(Err(error)) => self.status(&error.to_string()),
                    None => self.status(&format!("`{text}` is no move of this board")),
                }
            }
            Command::Hint(count) => self.hint(*count),
            Command::Go => self.go(),
            Command::Ping(number) => self.say(&Reply::Pong(*number)),
            Command::Learn => self.say(&Reply::Learned),
            Command::Analyze => self.analyze(),
        }
    }

    fn take_game(&mut self, ggf: &str) -> Result<(), String> {
        let file = papan_files::read(ggf.as_bytes(), None).map_err(|error| error.to_string())?;
        if let Some(fault) = file.faults.first() {
            return Err(fault.to_string());
        }
        let record = file.records.first().ok_or("it is empty")?;
        let game: papan_catalog::AnyGame = match record.game.parse() {
            Ok(game) => game,
            Err(error) => return Err(format!("{error}")),
        };
        if !plays(&ProtocolNotation::of_any(&game)) {
            return Err(format!("it is one of {}", game.name()));
        }
        let line = game.line_of(record).map_err(|error| error.to_string())?;
        let taken = self.session.take_line(line);
        taken.map_err(|error| error.to_string())
    }

    /// Thinks about the position until it is done or told to stop.
    fn think(&mut self, aloud: bool, stop: &StopToken) -> io::Result<SearchResult> {
        let limits = Limits {
            depth: self.depth,
            ..Limits::default()
        };
        let board = self.session.board().clone();
        let mut listening = Listening {
            stop,
            output: aloud.then_some(&mut self.output),
            board: &board,
        };
        let (session, thinking) = (&mut *self.session, stop.clone());
        let work = move |listener| session.decide(&limits, &thinking, Some(listener));
        self.inbox.search(stop, work, &mut listening)
    }

    fn hint(&mut self, count: u32) -> io::Result<()> {
        if self.session.line().outcome().is_some() {
            return self.status("the game is over");
        }
        self.status("thinking")?;
        let decision = match self.think(true, &StopToken::default())? {
            Ok(decision) => decision,
            Err(why) => return self.status(&why.to_string()),
        };
        let board = self.session.board().clone();
        for (candidate, score) in decision.ranked().into_iter().take(count.max(1) as usize) {
            self.say(&search(&board, &candidate.pv, score, candidate.pv.len()))?;
        }
        self.status("")
    }

    /// Says what every position of the game is worth to Black, the last one first: what
    /// was found out there is remembered.
    fn analyze(&mut self) -> io::Result<()> {
        self.status("analyzing")?;
        let whole = self.session.line().clone_line();
        let stop = StopToken::default();
        let mut eval = None;
        loop {
            // A forced pass is worth what comes after it.
            eval = self.worth_to_black(&stop)?.or(eval);
            // What was broken off may be wrong.
            if stop.is_stopped() {
                break;
            }
            let moves = self.session.line().moves().len();
            if let Some(eval) = eval {
                self.say(&Reply::Analysis { moves, eval })?;
            }
            if self.session.undo().is_none() {
                break;
            }
        }
        if !whole.moves().is_empty() {
            // Its game is the one that is being played.
            let _ = self.session.take_line(whole);
        }
        self.status("")
    }

    /// What the position is worth to Black in discs, as far as the strategy says so.
    fn worth_to_black(&mut self, stop: &StopToken) -> io::Result<Option<f64>> {
        let mut insight = None;
        if self.session.line().outcome().is_none() {
            let Ok(decision) = self.think(false, stop)? else {
                return Ok(None);
            };
            insight = Some(PositionAnalysis::from(&decision));
        }
        let score = score_for_first(self.session.line(), insight.as_ref());
        Ok(score.map(discs))
    }

    fn go(&mut self) -> io::Result<()> {
        if self.session.line().outcome().is_some() {
            return self.status("the game is over");
        }
        self.status("thinking")?;
        let begun = Instant::now();
        let decision = match self.think(false, &StopToken::default())? {
            Ok(decision) => decision,
            Err(why) => return self.status(&why.to_string()),
        };
        let time = begun.elapsed().as_secs_f64();
        let nodes = decision.nodes;
        self.say(&Reply::NodeStats { nodes, time })?;
        let score = decision.chosen().and_then(|candidate| candidate.score);
        self.say(&Reply::Move {
            word: word(self.session.board(), decision.best),
            eval: score.map(discs),
            time: Some(time),
        })?;
        self.status("")
    }
}

/// What can be said to an engine that is thinking.
struct Listening<'a, W: Write> {
    stop: &'a StopToken,
    /// Where it thinks aloud, if it does.
    output: Option<&'a mut W>,
    board: &'a ProtocolNotation,
}

impl<W: Write> SessionHandler for Listening<'_, W> {
    fn on_progress(&mut self, progress: &Progress) -> io::Result<()> {
        let (Some(output), Some(score)) = (&mut self.output, progress.score) else {
            return Ok(());
        };
        if progress.pv.is_empty() {
            return Ok(());
        }
        let reply = search(self.board, &progress.pv, score, progress.depth as usize);
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

fn search(board: &ProtocolNotation, pv: &[Move], score: Score, depth: usize) -> Reply {
    Reply::Search {
        pv: pv.iter().map(|&mv| word(board, mv)).collect(),
        eval: discs(score),
        depth: depth.to_string(),
    }
}

/// A score in discs; what is no number of discs is a part of the whole board.
fn discs(score: Score) -> f64 {
    let balance = f64::from(score.balance());
    match score.unit() {
        Unit::Discs => balance,
        Unit::Result | Unit::Chance => 64.0 * balance,
    }
}
