//! UGI as the side that asks.

use std::time::{Duration, Instant};

use papan_rules::Move;
use papan_strategies::Limits;

use super::{Command, Go, NULL_MOVE, Query, Reply};
use crate::engine::{Engine, EngineMove, GRACE, MoveRequest};
use crate::engine_command::{EngineCommand, EngineError};
use crate::engine_settings::EngineSettings;
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::notation::{ProtocolNotation, mover};
use crate::process::LineProcess;

/// How an engine understands a pass that is forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passes {
    /// Nobody knows yet: there was none.
    Unknown,
    /// It is a move, and said so.
    Spoken(&'static str),
    /// It goes without saying.
    Implied,
}

/// The protocol has no game without a limit: this stands where the tournament has none.
const WITHOUT_LIMIT: Duration = Duration::from_secs(1);
/// For a first move that only shows how the engine writes its cells.
const TO_SHOW_A_CELL: Duration = Duration::from_millis(10);

/// An engine that speaks UGI.
#[derive(Debug)]
pub struct UgiClient {
    process: LineProcess,
    settings: EngineSettings,
    board: ProtocolNotation,
    name: String,
    passes: Passes,
    /// Whether it writes the cells of a grid by letter and row instead of by number.
    by_letter: bool,
    /// Whether it still has to answer with a move.
    owes_move: bool,
    /// Whether it thinks on the other's time, as was wanted and it offers.
    ponders: bool,
    /// The game that it thinks about while the other player does.
    pondered: Option<Vec<Move>>,
}

impl UgiClient {
    /// Starts an engine for games on a board. An engine with an option `Game` is
    /// told the game's name.
    ///
    /// # Errors
    /// When it does not start or does not answer.
    pub fn start(command: &EngineCommand, board: &ProtocolNotation) -> Result<Self, EngineError> {
        let mut engine = Self {
            process: command.process()?,
            settings: command.settings.clone(),
            board: board.clone(),
            name: command.command.clone(),
            passes: Passes::Unknown,
            by_letter: false,
            owes_move: false,
            ponders: false,
            pondered: None,
        };
        engine.get_ready().map_err(|why| command.unready(why))?;
        Ok(engine)
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.settings.start_time()
    }

    fn get_ready(&mut self) -> Result<(), Forfeit> {
        let deadline = self.deadline();
        self.say(&Command::Ugi, deadline)?;
        let mut options = Vec::new();
        loop {
            match self.hear(deadline)? {
                Reply::Id { key, value } if key == "name" => self.name = value,
                Reply::Option { name, .. } => options.push(name),
                Reply::Ok => break,
                _ => {}
            }
        }
        let mut wanted = Vec::new();
        let reads_any_cell = options.iter().any(|name| name == "Game");
        if reads_any_cell {
            wanted.push(("Game".into(), self.board.name().to_owned()));
        }
        self.ponders = self.settings.ponder && options.iter().any(|name| name == "Ponder");
        if self.ponders {
            wanted.push(("Ponder".into(), "true".into()));
        }
        if let Some(memory) = self.settings.memory {
            let hash = options
                .iter()
                .find(|name| name.eq_ignore_ascii_case("hash"));
            let megabytes = (memory >> 20).max(1).to_string();
            wanted.extend(hash.map(|hash| (hash.clone(), megabytes)));
        }
        wanted.extend(self.settings.options.iter().cloned());
        for (name, value) in wanted {
            self.say(&Command::SetOption { name, value }, deadline)?;
        }
        self.wait_until_ready(deadline)?;
        match reads_any_cell {
            true => Ok(()),
            false => self.learn_cells(deadline),
        }
    }

    /// Finds out how the engine writes the cells of a grid: papan's numbers, or letter and
    /// row. Which row is the first does not matter; a mirrored game is the same game.
    fn learn_cells(&mut self, deadline: Instant) -> Result<(), Forfeit> {
        let is_grid = self.board.winning_length().is_some();
        if !is_grid || self.board.by_letter(Move::on(0)).is_none() {
            return Ok(());
        }
        self.say(&Command::NewGame, deadline)?;
        self.wait_until_ready(deadline)?;
        self.say(&self.position(&[], Passes::Unknown), deadline)?;
        let go = Go {
            time: Some(TO_SHOW_A_CELL),
            ..Go::default()
        };
        self.say(&Command::Go(go), deadline)?;
        loop {
            if let Reply::BestMove { word, .. } = self.hear(deadline)? {
                let word = word.to_ascii_lowercase();
                let mv = self.board.read(&word);
                self.by_letter = mv.and_then(|mv| self.board.by_letter(mv)) == Some(&word);
                return Ok(());
            }
        }
    }

    fn wait_until_ready(&mut self, deadline: Instant) -> Result<(), Forfeit> {
        self.say(&Command::IsReady, deadline)?;
        while self.hear(deadline)? != Reply::Ready {}
        Ok(())
    }

    fn say(&mut self, command: &Command, deadline: Instant) -> Result<(), Forfeit> {
        Ok(self.process.send(&format!("{command}\n"), deadline)?)
    }

    /// The next line that the protocol knows; others are skipped.
    fn hear(&mut self, deadline: Instant) -> Result<Reply, Forfeit> {
        loop {
            if let Some(reply) = Reply::parse(&self.process.line(deadline)?) {
                return Ok(reply);
            }
        }
    }

    fn position(&self, moves: &[Move], passes: Passes) -> Command {
        let said = |mv: &&Move| passes != Passes::Implied || **mv != Move::PASS;
        let moves = moves.iter().filter(said);
        Command::Position {
            start: None,
            moves: moves.map(|&mv| self.word(mv, passes).into()).collect(),
        }
    }

    fn word(&self, mv: Move, passes: Passes) -> &str {
        let letters = self.board.by_letter(mv).filter(|_| self.by_letter);
        match passes {
            Passes::Spoken(word) if mv == Move::PASS => word,
            _ => letters.unwrap_or_else(|| self.board.own(mv)),
        }
    }

    /// Reads a move as the engine writes it.
    fn read(&self, word: &str) -> Option<Move> {
        match word {
            NULL_MOVE => Some(Move::PASS),
            _ => self.board.read(word),
        }
    }

    /// Finds out how the engine understands passes, at the first one: has the turn changed
    /// before it is said, and if not, by which word does it? An engine that answers no
    /// queries is told `pass`.
    fn learn_passes(&mut self, moves: &[Move], deadline: Instant) -> Result<(), Forfeit> {
        let Some(first) = moves.iter().position(|&mv| mv == Move::PASS) else {
            return Ok(());
        };
        if self.passes != Passes::Unknown {
            return Ok(());
        }
        let afterwards = if first.is_multiple_of(2) {
            "false"
        } else {
            "true"
        };
        self.passes = Passes::Spoken("pass");
        // Programs end at words that they do not know: the usual one comes first.
        for passes in [
            Passes::Implied,
            Passes::Spoken(NULL_MOVE),
            Passes::Spoken("pass"),
        ] {
            let position = self.position(&moves[..=first], passes);
            self.say(&position, deadline)?;
            self.say(&Command::Query(Query::P1Turn), deadline)?;
            self.say(&Command::IsReady, deadline)?;
            let mut turn = None;
            loop {
                match self.hear(deadline)? {
                    Reply::Response(said) => turn = Some(said),
                    Reply::Ready => break,
                    _ => {}
                }
            }
            if turn.as_deref() == Some(afterwards) {
                self.passes = passes;
                break;
            }
        }
        Ok(())
    }

    /// Asks for a move, or says that the expected one has been made.
    fn ask(&mut self, request: &MoveRequest<'_>) -> Result<(), Forfeit> {
        match self.pondered.take() {
            Some(line) if line == request.moves => {
                return self.say(&Command::PonderHit, request.deadline);
            }
            Some(_) => {
                self.say(&Command::Stop, request.deadline)?;
                while !matches!(self.hear(request.deadline)?, Reply::BestMove { .. }) {}
                self.owes_move = false;
            }
            None => {}
        }
        self.learn_passes(request.moves, request.deadline)?;
        let position = self.position(request.moves, self.passes);
        let text = format!("{position}\n{}\n", Command::Go(Self::go(request)));
        Ok(self.process.send(&text, request.deadline)?)
    }

    /// Lets it think about the answer that it expects, on the other's time. What goes
    /// wrong shows itself at the next move.
    fn ponder(&mut self, request: &MoveRequest<'_>, mv: Move, expected: &str, begun: Instant) {
        let Some(expected) = self.read(expected).filter(|_| self.ponders) else {
            return;
        };
        let mut line = request.moves.to_vec();
        line.extend([mv, expected]);
        if line.contains(&Move::PASS) && self.passes == Passes::Unknown {
            return;
        }
        // Its clock as it will stand: a move is made, and adds what it adds.
        let clock = request.limits.clock.map(|(left, increment)| {
            let left = left.saturating_sub(begun.elapsed());
            (left.saturating_add(increment), increment)
        });
        let limits = Limits {
            clock,
            ..*request.limits
        };
        let go = Go {
            ponder: true,
            ..Self::go(&MoveRequest {
                moves: &line,
                limits: &limits,
                ..*request
            })
        };
        let position = self.position(&line, self.passes);
        let text = format!("{position}\n{}\n", Command::Go(go));
        if self.process.send(&text, request.deadline).is_ok() {
            self.owes_move = true;
            self.pondered = Some(line);
        }
    }

    fn go(request: &MoveRequest<'_>) -> Go {
        let limits = request.limits;
        let mut go = Go {
            time: limits.time,
            depth: limits.depth,
            nodes: limits.nodes,
            ..Go::default()
        };
        if let Some(mine) = limits.clock {
            let me = mover(request.moves.len()).index();
            let other = request.other_clock.unwrap_or(mine);
            for (player, (left, increment)) in [(me, mine), (1 - me, other)] {
                go.clocks[player] = Some(left);
                go.increments[player] = increment;
            }
        }
        if go == Go::default() {
            go.time = Some(WITHOUT_LIMIT);
        }
        go
    }
}

impl Engine for UgiClient {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _limits: &Limits) -> Result<(), Forfeit> {
        let deadline = self.deadline();
        self.pondered = None;
        if self.owes_move {
            let soon = Instant::now() + GRACE;
            self.say(&Command::Stop, soon)?;
            while !matches!(self.hear(soon)?, Reply::BestMove { .. }) {}
            self.owes_move = false;
        }
        self.say(&Command::NewGame, deadline)?;
        self.wait_until_ready(deadline)
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit> {
        let begun = Instant::now();
        self.ask(request)?;
        self.owes_move = true;
        let (mut nodes, mut score) = (None, None);
        let (word, expected) = loop {
            match self.hear(request.deadline)? {
                Reply::BestMove { word, ponder } => break (word, ponder),
                reply => {
                    nodes = reply.nodes().or(nodes);
                    score = reply.score().or(score);
                }
            }
        };
        self.owes_move = false;
        let mv = self.read(&word).ok_or_else(|| {
            Forfeit::new(
                ForfeitKind::Illegal,
                format!("`{word}` is no move of this board"),
            )
        })?;
        if let Some(expected) = expected {
            self.ponder(request, mv, &expected, begun);
        }
        Ok(EngineMove { mv, nodes, score })
    }
}
