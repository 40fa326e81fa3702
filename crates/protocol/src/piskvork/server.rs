//! Piskvork as the brain, the side that answers.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use papan_catalog::AnyGame;
use papan_rules::{Move, Player};
use papan_strategies::{Limits, StopToken};

use super::{Cell, Command, Reply};
use crate::engine_session::EngineSession;
use crate::move_overhead::MoveOverhead;
use crate::session::{Inbox, Input, QuitHandler};

/// Cells of the largest board.
const MOST_CELLS: usize = 400;

/// Answers commands until `END` or the end of the input.
///
/// # Errors
/// When the input or the output fails.
pub fn serve(session: &mut EngineSession, input: Input, mut output: impl Write) -> io::Result<()> {
    let mut brain = PiskvorkServer {
        session,
        inbox: Inbox::new(input),
        turn: None,
        clock: None,
        limited: false,
        stones: None,
        rule: None,
        delivery: MoveOverhead::by_wire(),
    };
    while let Some(line) = brain.inbox.next_line() {
        if line.trim().is_empty() {
            continue;
        }
        let reply = match Command::parse(&line) {
            Some(Command::End) => break,
            Some(command) => brain.obey(command)?,
            None => Some(Reply::Unknown(line.chars().take(100).collect())),
        };
        if let Some(reply) = reply {
            write!(output, "{reply}\r\n")?;
            output.flush()?;
        }
    }
    Ok(())
}

struct PiskvorkServer<'a> {
    session: &'a mut EngineSession,
    inbox: Inbox,
    /// Time for a move, if the manager has said so.
    turn: Option<Duration>,
    /// What is left for the game.
    clock: Option<Duration>,
    /// Whether the whole game has a limit.
    limited: bool,
    /// A rule that papan does not play, until it is taken back.
    rule: Option<u64>,
    /// The position that is being told.
    stones: Option<Vec<(Cell, u8)>>,
    delivery: MoveOverhead,
}

fn error(text: impl std::fmt::Display) -> Option<Reply> {
    Some(Reply::Error(text.to_string()))
}

impl PiskvorkServer<'_> {
    fn obey(&mut self, command: Command) -> io::Result<Option<Reply>> {
        Ok(match command {
            Command::Start(side) => Some(self.start(side, side)),
            Command::RectStart(width, height) => Some(self.start(width, height)),
            Command::Restart => {
                self.session.new_game();
                Some(Reply::Ok)
            }
            Command::Begin if !self.session.line().moves().is_empty() => {
                error("the game has begun already")
            }
            Command::Begin => Some(self.choose()?),
            Command::Turn(cell) => match self.play(cell) {
                Some(error) => Some(error),
                None => Some(self.choose()?),
            },
            Command::Play(cell) => Some(self.play(cell).unwrap_or(Reply::Move(cell))),
            Command::TakeBack(cell) => Some(self.take_back(cell)),
            Command::Board => {
                self.stones = Some(Vec::new());
                None
            }
            Command::Stone(cell, whose) => match &mut self.stones {
                Some(stones) if stones.len() < MOST_CELLS => {
                    stones.push((cell, whose));
                    None
                }
                Some(_) => error("more stones than cells"),
                None => error("a stone outside BOARD"),
            },
            Command::Done => match self.stones.take() {
                Some(stones) => match self.set_up(&stones) {
                    Some(error) => Some(error),
                    None => Some(self.choose()?),
                },
                None => error("DONE without BOARD"),
            },
            Command::Info { key, value } => self.set(&key, &value),
            Command::About => {
                let version = env!("CARGO_PKG_VERSION");
                let strategy = self.session.strategy();
                Some(Reply::About(format!(
                    "name=\"papan {strategy}\", version=\"{version}\", author=\"the papan developers\", country=\"ID\""
                )))
            }
            Command::End => None,
        })
    }

    fn start(&mut self, width: usize, height: usize) -> Reply {
        let wrong = |why: &dyn std::fmt::Display| Reply::Error(format!("unsupported size: {why}"));
        if width < 5 || height < 5 {
            return wrong(&"five in a row need five cells");
        }
        let game = match format!("tictactoe:{height}x{width}:5").parse::<AnyGame>() {
            Ok(game) => game,
            Err(error) => return wrong(&error),
        };
        match self.session.turn_to(game) {
            Ok(()) => Reply::Ok,
            Err(error) => wrong(&error),
        }
    }

    /// Plays a move on the board; an answer only when it cannot be.
    fn play(&mut self, cell: Cell) -> Option<Reply> {
        let Some(mv) = self.session.board().at(cell) else {
            return error("not on the board");
        };
        let word = self.session.board().own(mv).to_owned();
        self.session.play(&word).err().and_then(error)
    }

    fn choose(&mut self) -> io::Result<Reply> {
        if let Some(rule) = self.rule {
            return Ok(Reply::Error(unsupported(rule)));
        }
        let asked = Instant::now();
        let given = Limits {
            time: self.turn,
            clock: self
                .clock
                .filter(|_| self.limited)
                .map(|left| (left, Duration::ZERO)),
            ..Limits::default()
        };
        let left = self.delivery.left(&given, asked.elapsed());
        let stop = StopToken::default();
        let mut handler = QuitHandler {
            stop: &stop,
            is_quit: |line| Command::parse(line) == Some(Command::End),
        };
        let (session, token) = (&mut *self.session, stop.clone());
        let work = move |_| session.choose(&left, &token, None);
        let chosen = self.inbox.search(&stop, work, &mut handler)?;
        self.delivery.note(&given, asked.elapsed());
        Ok(match chosen {
            Ok(decision) => {
                let board = self.session.board();
                let cell = board.coordinates(decision.best).unwrap_or_default();
                self.play(cell).unwrap_or(Reply::Move(cell))
            }
            Err(why) => Reply::Error(why.to_string()),
        })
    }

    /// Stones are taken back from the last one on.
    fn take_back(&mut self, cell: Cell) -> Reply {
        let Some(mv) = self.session.board().at(cell) else {
            return Reply::Error("not on the board".into());
        };
        if self.session.line().moves().last() == Some(&mv) {
            self.session.undo();
            Reply::Ok
        } else {
            Reply::Error("only the last stone can be taken back".into())
        }
    }

    /// Sets up a told position; an answer only when there is none such.
    fn set_up(&mut self, stones: &[(Cell, u8)]) -> Option<Reply> {
        let count = |whose: u8| stones.iter().filter(|stone| stone.1 == whose).count();
        let (own, other) = (count(1), count(2));
        if own + other != stones.len() {
            return error("a stone that is neither 1 nor 2");
        }
        let me = match other.checked_sub(own) {
            Some(0) => Player::First,
            Some(1) => Player::Second,
            _ => return error("it is not the turn of 1"),
        };
        let mut cells = vec!['-'; self.session.game().cells()];
        for &(at, whose) in stones {
            let cell = self.session.board().at(at).and_then(Move::cell);
            let Some(cell) = cell.filter(|&cell| cells[cell] == '-') else {
                return error("a stone off the board or on another");
            };
            let player = if whose == 1 { me } else { me.other() };
            cells[cell] = mark(player);
        }
        let text: String = cells.into_iter().collect();
        let position = format!("{text} {}", mark(me));
        self.session.set_up(&position).err().and_then(error)
    }

    fn set(&mut self, key: &str, value: &str) -> Option<Reply> {
        // Settings that say nothing to us are ignored, as the protocol wants it.
        let number: u64 = value.trim().parse().ok()?;
        let time = Duration::from_millis(number);
        match key {
            "timeout_turn" => self.turn = Some(time),
            "timeout_match" => self.limited = number > 0,
            "time_left" => self.clock = Some(time),
            "rule" => {
                self.rule = Some(number).filter(|&rule| rule != 0);
                return self.rule.map(|rule| Reply::Error(unsupported(rule)));
            }
            _ => {}
        }
        None
    }
}

/// Rules are bits: exactly five, a continuous game, renju, caro.
fn unsupported(rule: u64) -> String {
    format!("rule {rule} is not supported, only rule 0: five or more in a row win")
}

fn mark(player: Player) -> char {
    match player {
        Player::First => 'X',
        Player::Second => 'O',
    }
}
