//! Gomocup server ("brain"): papan as an engine.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use papan_catalog::AnyGame;
use papan_rules::{GomokuRule, Move, Player, SwapAction, SwapChoice, SwapOpening, SwapRule};
use papan_strategies::{Decision, Limits, NoMove, StopToken};

use super::{Cell, Command, Reply};
use crate::engine_session::EngineSession;
use crate::move_overhead::MoveOverhead;
use crate::session::{Inbox, Input, QuitHandler};

/// Cells of the largest board, 20x20.
const MAX_CELLS: usize = 400;
/// The bit of a rule for continuous games.
const CONTINUOUS_GAME: u64 = 2;
/// Maximum length of an echoed command in characters.
const MAX_ECHO: usize = 100;

/// Answers commands until `END` or the end of the input, also during a search.
///
/// # Errors
/// When writing fails.
pub fn serve(session: &mut EngineSession, input: Input, mut output: impl Write) -> io::Result<()> {
    let mut engine = PiskvorkServer {
        session,
        inbox: Inbox::new(input),
        turn_time: None,
        time_left: None,
        has_match_time: false,
        stones: None,
        swap_stones: None,
        rule: GomokuRule::Freestyle,
        unsupported_rule: None,
        overhead: MoveOverhead::over_pipe(),
    };
    while let Some(line) = engine.inbox.next_line() {
        if line.trim().is_empty() {
            continue;
        }
        let reply = match Command::parse(&line) {
            Some(Command::End) => break,
            Some(command) => engine.execute(command)?,
            None => Some(Reply::Unknown(line.chars().take(MAX_ECHO).collect())),
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
    /// `timeout_turn`.
    turn_time: Option<Duration>,
    /// `time_left`.
    time_left: Option<Duration>,
    /// Whether `timeout_match` is positive; `time_left` is meaningless otherwise.
    has_match_time: bool,
    /// The rule of the last `INFO rule`.
    rule: GomokuRule,
    /// The value of `rule` if papan does not support it.
    unsupported_rule: Option<u64>,
    /// The stones since `BOARD`.
    stones: Option<Vec<(Cell, u8)>>,
    /// The stones since `SWAP2BOARD`.
    swap_stones: Option<Vec<Cell>>,
    overhead: MoveOverhead,
}

fn error(message: impl std::fmt::Display) -> Option<Reply> {
    Some(Reply::Error(message.to_string()))
}

impl PiskvorkServer<'_> {
    fn execute(&mut self, command: Command) -> io::Result<Option<Reply>> {
        Ok(match command {
            Command::Start(side) => Some(self.start(side, side)),
            Command::RectStart(width, height) => Some(self.start(width, height)),
            Command::Restart => {
                self.session.new_game();
                Some(Reply::Ok)
            }
            Command::Begin if !self.session.line().moves().is_empty() => {
                error("the game has already begun")
            }
            Command::Begin => Some(self.choose()?),
            Command::Turn(cell) => match self.play(cell) {
                Some(error) => Some(error),
                None => Some(self.choose()?),
            },
            Command::Play(cell) => Some(self.play(cell).unwrap_or(Reply::Move(cell))),
            Command::TakeBack(cell) => Some(self.take_back(cell)),
            Command::Board => {
                (self.stones, self.swap_stones) = (Some(Vec::new()), None);
                None
            }
            Command::Swap2Board => {
                (self.stones, self.swap_stones) = (None, Some(Vec::new()));
                None
            }
            Command::Point(cell) => match &mut self.swap_stones {
                Some(stones) if stones.len() < MAX_CELLS => {
                    stones.push(cell);
                    None
                }
                Some(_) => error("more stones than cells"),
                None => error("stone without SWAP2BOARD"),
            },
            Command::Stone(cell, owner) => match &mut self.stones {
                Some(stones) if stones.len() < MAX_CELLS => {
                    stones.push((cell, owner));
                    None
                }
                Some(_) => error("more stones than cells"),
                None => error("stone without BOARD"),
            },
            Command::Done if self.swap_stones.is_some() => {
                let stones = self.swap_stones.take().unwrap_or_default();
                Some(self.answer_swap(&stones)?)
            }
            Command::Done => match self.stones.take() {
                Some(stones) => match self.set_stones(&stones) {
                    Some(error) => Some(error),
                    None => Some(self.choose()?),
                },
                None => error("DONE without BOARD"),
            },
            Command::Info { key, value } => self.set_info(&key, &value),
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
            return wrong(&"both sides need at least five cells");
        }
        let game = match AnyGame::five_in_a_row(height, width, self.rule) {
            Ok(game) => game,
            Err(error) => return wrong(&error),
        };
        match self.session.set_game(game) {
            Ok(()) => Reply::Ok,
            Err(error) => wrong(&error),
        }
    }

    /// Plays a move; returns the reply in case of an error.
    fn play(&mut self, cell: Cell) -> Option<Reply> {
        let Some(mv) = self.session.notation().at(cell) else {
            return error("not on the board");
        };
        let word = self.session.notation().own(mv).to_owned();
        self.session.play(&word).err().and_then(error)
    }

    fn choose(&mut self) -> io::Result<Reply> {
        if let Some(rule) = self.unsupported_rule {
            return Ok(unsupported(rule));
        }
        let work = |session: &mut EngineSession, limits: &Limits, stop: &StopToken| {
            session.choose(limits, stop, None)
        };
        Ok(match self.search(work)? {
            Ok(decision) => self.play_decision(&decision),
            Err(why) => Reply::Error(why.to_string()),
        })
    }

    /// Runs a search of the session within the limits of the manager.
    fn search<T: Send>(
        &mut self,
        work: impl FnOnce(&mut EngineSession, &Limits, &StopToken) -> T + Send,
    ) -> io::Result<T> {
        let start = Instant::now();
        // Not earlier: the manager limits the memory after it started the game. A failure is
        // reported by the search.
        let _ = self.session.prepare();
        let limits = Limits {
            time: self.turn_time,
            clock: self
                .time_left
                .filter(|_| self.has_match_time)
                .map(|remaining| (remaining, Duration::ZERO)),
            ..Limits::default()
        };
        let search_limits = self.overhead.apply(&limits, start.elapsed());
        let stop = StopToken::default();
        let mut handler = QuitHandler {
            stop: &stop,
            is_quit: |line| Command::parse(line) == Some(Command::End),
        };
        let (session, token) = (&mut *self.session, stop.clone());
        let work = move |_| work(session, &search_limits, &token);
        let result = self.inbox.search(&stop, work, &mut handler)?;
        self.overhead.record(&limits, start.elapsed());
        Ok(result)
    }

    fn play_decision(&mut self, decision: &Decision) -> Reply {
        let notation = self.session.notation();
        let cell = notation.coordinates(decision.best).unwrap_or_default();
        self.play(cell).unwrap_or(Reply::Move(cell))
    }

    /// Answers `SWAP2BOARD`: three stones, `SWAP` (Black), two more stones, or a move of White.
    fn answer_swap(&mut self, stones: &[Cell]) -> io::Result<Reply> {
        if let Some(rule) = self.unsupported_rule {
            return Ok(unsupported(rule));
        }
        let mut opening = SwapOpening::new(SwapRule::Swap2);
        let expected = match stones.len() {
            0 | 3 => true,
            5 => opening.choose(3, SwapChoice::PlaceTwo).is_ok(),
            _ => false,
        };
        let notation = self.session.notation();
        let moves: Option<Vec<Move>> = stones.iter().map(|&cell| notation.at(cell)).collect();
        let moves = moves.filter(|_| expected);
        let placed = moves.is_some_and(|moves| self.session.set_moves(&moves).is_ok());
        if !placed {
            let why = "SWAP2BOARD takes 0, 3 or 5 free cells of the board";
            return Ok(Reply::Error(why.into()));
        }
        let work = |session: &mut EngineSession, limits: &Limits, stop: &StopToken| {
            // A choice of White needs the other half of the time for its move.
            let half = Limits {
                time: limits.time.map(|time| time / 2),
                ..*limits
            };
            let actions = session.answer_swap(opening, &half, stop)?;
            let takes_white = actions == [SwapAction::Choose(SwapChoice::White)];
            let decision = takes_white.then(|| session.choose(&half, stop, None));
            Ok::<_, NoMove>((actions, decision.transpose()?))
        };
        let (actions, decision) = match self.search(work)? {
            Ok(answer) => answer,
            Err(why) => return Ok(Reply::Error(why.to_string())),
        };
        if let Some(decision) = decision {
            return Ok(self.play_decision(&decision));
        }
        let mut cells = Vec::new();
        for action in actions {
            match action {
                SwapAction::Choose(SwapChoice::Black) => return Ok(Reply::Swap),
                SwapAction::Choose(_) => {}
                SwapAction::Place(mv) => {
                    let cell = self.session.notation().coordinates(mv).unwrap_or_default();
                    if let Some(error) = self.play(cell) {
                        return Ok(error);
                    }
                    cells.push(cell);
                }
            }
        }
        Ok(Reply::Stones(cells))
    }

    /// Only the last stone can be taken back.
    fn take_back(&mut self, cell: Cell) -> Reply {
        let Some(mv) = self.session.notation().at(cell) else {
            return Reply::Error("not on the board".into());
        };
        if self.session.line().moves().last() == Some(&mv) {
            self.session.undo();
            Reply::Ok
        } else {
            Reply::Error("only the last stone can be taken back".into())
        }
    }

    /// Sets the position after `BOARD`; returns the reply in case of an error.
    fn set_stones(&mut self, stones: &[(Cell, u8)]) -> Option<Reply> {
        let count = |owner: u8| stones.iter().filter(|stone| stone.1 == owner).count();
        let (own, other) = (count(1), count(2));
        if own + other != stones.len() {
            return error("the owner of a stone must be 1 or 2");
        }
        let me = match other.checked_sub(own) {
            Some(0) => Player::First,
            Some(1) => Player::Second,
            _ => return error("it is not the turn of player 1"),
        };
        let mut cells = vec!['-'; self.session.game().cells()];
        for &(at, owner) in stones {
            let cell = self.session.notation().at(at).and_then(Move::cell);
            let Some(cell) = cell.filter(|&cell| cells[cell] == '-') else {
                return error("stone off the board or on an occupied cell");
            };
            let player = if owner == 1 { me } else { me.other() };
            cells[cell] = mark(player);
        }
        let text: String = cells.into_iter().collect();
        let position = format!("{text} {}", mark(me));
        self.session.set_position(&position).err().and_then(error)
    }

    /// Sets the rule. Managers send it before or after `START`, but not during a game.
    fn set_rule(&mut self, number: u64) -> Option<Reply> {
        // The bit of a continuous game concerns the manager alone.
        let rule = GomokuRule::parse(&(number & !CONTINUOUS_GAME).to_string());
        self.unsupported_rule = rule.is_none().then_some(number);
        let Some(rule) = rule else {
            return Some(unsupported(number));
        };
        if rule == self.rule {
            return None;
        }
        if !self.session.line().moves().is_empty() {
            return error("the rule cannot change during a game");
        }
        self.rule = rule;
        let &[rows, columns] = self.session.notation().sides() else {
            return None;
        };
        let refused = match AnyGame::five_in_a_row(rows, columns, rule) {
            Ok(game) => self.session.set_game(game).err().map(|why| why.to_string()),
            Err(why) => Some(why.to_string()),
        };
        self.unsupported_rule = refused.is_some().then_some(number);
        refused.and_then(|why| error(format!("rule {number} is not supported here: {why}")))
    }

    /// Unknown settings are ignored, as the protocol requires.
    fn set_info(&mut self, key: &str, value: &str) -> Option<Reply> {
        let number: u64 = value.trim().parse().ok()?;
        let time = Duration::from_millis(number);
        match key {
            "timeout_turn" => self.turn_time = Some(time),
            "timeout_match" => self.has_match_time = number > 0,
            "time_left" => self.time_left = Some(time),
            // Zero is no limit.
            "max_memory" if number > 0 => self.session.limit_memory(number),
            "rule" => return self.set_rule(number),
            _ => {}
        }
        None
    }
}

/// The bits of a rule are: exactly five, continuous game, renju, caro.
fn unsupported(rule: u64) -> Reply {
    Reply::Error(format!(
        "rule {rule} is not supported, only 0 (five or more), 1 (exactly five), 4 (renju), 8 (caro)"
    ))
}

fn mark(player: Player) -> char {
    match player {
        Player::First => 'X',
        Player::Second => 'O',
    }
}
