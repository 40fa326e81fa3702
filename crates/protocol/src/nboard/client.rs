//! NBoard's protocol as the side that asks.

use std::time::Instant;

use papan_catalog::AnyGame;
use papan_files::Format;
use papan_rules::Move;
use papan_strategies::Limits;

use super::{Command, Reply, plays, read, word};
use crate::engine::{Engine, EngineMove, GRACE, MoveRequest};
use crate::engine_command::{EngineCommand, EngineError};
use crate::engine_settings::EngineSettings;
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::notation::ProtocolNotation;
use crate::process::LineProcess;

/// An engine that speaks NBoard's protocol.
pub struct NBoardClient {
    process: LineProcess,
    settings: EngineSettings,
    board: ProtocolNotation,
    game: AnyGame,
    name: String,
    /// The moves that it was told.
    told: Vec<Move>,
    /// The number of the last `ping`.
    pings: u64,
    /// Whether it still has to answer with a move.
    owes_move: bool,
}

impl NBoardClient {
    /// Starts an engine for games on a board.
    ///
    /// # Errors
    /// When it does not start or does not answer, or the board is not Othello's.
    pub fn start(command: &EngineCommand, board: &ProtocolNotation) -> Result<Self, EngineError> {
        let game = board.name().parse().ok().filter(|_| plays(board));
        let Some(game) = game else {
            return Err(command.unready("its protocol knows Othello only"));
        };
        let mut engine = Self {
            process: command.process()?,
            settings: command.settings.clone(),
            board: board.clone(),
            game,
            name: command.command.clone(),
            told: Vec::new(),
            pings: 0,
            owes_move: false,
        };
        engine.get_ready().map_err(|why| command.unready(why))?;
        Ok(engine)
    }

    fn get_ready(&mut self) -> Result<(), Forfeit> {
        let deadline = Instant::now() + self.settings.start_time();
        self.say(&Command::Version(2), deadline)?;
        for (name, value) in self.settings.options.clone() {
            self.process
                .send(&format!("set {name} {value}\n"), deadline)?;
        }
        self.synchronise(deadline)
    }

    /// Waits until it has done everything that it was told.
    fn synchronise(&mut self, deadline: Instant) -> Result<(), Forfeit> {
        self.pings += 1;
        self.say(&Command::Ping(self.pings), deadline)?;
        while self.hear(deadline)? != Reply::Pong(self.pings) {}
        Ok(())
    }

    fn say(&mut self, command: &Command, deadline: Instant) -> Result<(), Forfeit> {
        Ok(self.process.send(&format!("{command}\n"), deadline)?)
    }

    /// The next line that the protocol knows; others are skipped.
    fn hear(&mut self, deadline: Instant) -> Result<Reply, Forfeit> {
        loop {
            let reply = Reply::parse(&self.process.line(deadline)?);
            match reply {
                Some(Reply::MyName(name)) => self.name = name,
                Some(reply) => return Ok(reply),
                None => {}
            }
        }
    }

    /// The game so far, in GGF.
    fn ggf(&self, moves: &[Move]) -> Command {
        let mut line = self.game.line();
        for &mv in moves {
            let _ = line.play(mv);
        }
        let record = line.record(["black".into(), "white".into()]);
        let text = papan_files::write(&[record], Format::Ggf);
        Command::Game(text.expect("GGF is Othello's").trim_end().into())
    }

    /// Everything that it has to be told before it is asked.
    fn catch_up(&mut self, moves: &[Move]) -> String {
        let text = match moves.strip_prefix(&self.told[..]) {
            Some(new) => {
                let new = new.iter().map(|&mv| word(&self.board, mv));
                new.map(|word| format!("{}\n", Command::Move(word)))
                    .collect()
            }
            None => format!("{}\n", self.ggf(moves)),
        };
        self.told = moves.to_vec();
        text
    }
}

impl Engine for NBoardClient {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit> {
        let patience = match self.owes_move {
            true => GRACE,
            false => self.settings.start_time(),
        };
        let deadline = Instant::now() + patience;
        self.synchronise(deadline)?;
        self.owes_move = false;
        if let Some(depth) = limits.depth {
            self.say(&Command::Depth(depth), deadline)?;
        }
        self.told.clear();
        let game = self.ggf(&[]);
        self.say(&game, deadline)?;
        self.synchronise(Instant::now() + self.settings.start_time())
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit> {
        let told = self.catch_up(request.moves);
        self.pings += 1;
        let (ping, go) = (Command::Ping(self.pings), Command::Go);
        let text = format!("{told}{ping}\n{go}\n");
        self.process.send(&text, request.deadline)?;
        self.owes_move = true;
        // What it says before the answer to `ping` is about something else.
        while self.hear(request.deadline)? != Reply::Pong(self.pings) {}
        let mut nodes = None;
        loop {
            match self.hear(request.deadline)? {
                Reply::NodeStats { nodes: said, .. } => nodes = Some(said),
                Reply::Move { word, eval, .. } => {
                    self.owes_move = false;
                    let mv = read(&self.board, &word).ok_or_else(|| {
                        let why = format!("`{word}` is no move of this board");
                        Forfeit::new(ForfeitKind::Illegal, why)
                    })?;
                    let score = eval.map(|discs| (100.0 * discs).round() as i32);
                    return Ok(EngineMove { mv, nodes, score });
                }
                _ => {}
            }
        }
    }
}
