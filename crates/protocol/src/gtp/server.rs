//! GTP server: papan as an engine.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use papan_catalog::{AnyGame, FAMILIES};
use papan_rules::{Move, Player};
use papan_strategies::{Limits, Score, StopToken};

use super::{Command, Response, gogui, player};
use crate::engine_session::EngineSession;
use crate::limits;
use crate::move_overhead::MoveOverhead;
use crate::session::{Inbox, Input, QuitHandler, SearchResult};

const COMMANDS: [&str; 19] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "showboard",
    "loadsgf",
    "list_games",
];
/// Extensions: `set_game NAME` as in Othello programs, `papan-level N`, and
/// `papan-limits [depth N] [nodes N] [time MILLISECONDS] [increment MILLISECONDS]`.
const EXTENSIONS: [&str; 3] = ["set_game", "papan-level", "papan-limits"];

fn all_commands() -> impl Iterator<Item = &'static str> {
    COMMANDS
        .into_iter()
        .chain(EXTENSIONS)
        .chain(gogui::COMMANDS)
}

/// Maximum size of a file for `loadsgf` in bytes.
const MAX_FILE_SIZE: u64 = 1 << 24;

/// Answers commands until `quit` or the end of the input, also during a search. `label`
/// formats a score in a few characters for GoGui's board.
///
/// # Errors
/// When writing fails.
pub fn serve(
    session: &mut EngineSession,
    input: Input,
    mut output: impl Write,
    label: fn(Score) -> String,
) -> io::Result<()> {
    let mut engine = GtpServer {
        session,
        inbox: Inbox::new(input),
        time: None,
        clocks: [None; 2],
        limits: Limits::default(),
        increment: Duration::ZERO,
        overhead: MoveOverhead::over_pipe(),
        label,
    };
    while let Some(line) = engine.inbox.next_line() {
        let Some(command) = Command::parse(&line) else {
            continue;
        };
        let response = Response {
            id: command.id,
            text: engine.execute(&command),
        };
        write!(output, "{response}")?;
        output.flush()?;
        if command.name == "quit" {
            break;
        }
    }
    Ok(())
}

struct GtpServer<'a> {
    session: &'a mut EngineSession,
    inbox: Inbox,
    /// Time per move, from `time_settings` or `time_left`.
    time: Option<Duration>,
    /// Remaining time of both players for the rest of the game.
    clocks: [Option<Duration>; 2],
    /// Limits from `papan-limits`.
    limits: Limits,
    /// Increment from `papan-limits`.
    increment: Duration,
    overhead: MoveOverhead,
    /// Formats a score as a label.
    label: fn(Score) -> String,
}

/// The names of the families as other programs write them (`Othello`), then papan's names of
/// boards.
fn games() -> Vec<String> {
    let families = FAMILIES.iter().map(|family| gogui::game_id(family.name));
    let boards = FAMILIES
        .iter()
        .flat_map(|family| family.examples)
        .filter(|example| example.contains(':'));
    families.chain(boards.map(|&name| name.into())).collect()
}

/// The text of a response.
type ResponseText = Result<String, String>;

impl GtpServer<'_> {
    fn execute(&mut self, command: &Command) -> ResponseText {
        let arguments: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        let done = Ok(String::new());
        match (command.name.as_str(), arguments.as_slice()) {
            ("protocol_version", _) => Ok("2".into()),
            ("name", _) => Ok(format!("papan {}", self.session.strategy())),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").into()),
            ("known_command", [name]) => Ok(all_commands().any(|known| known == *name).to_string()),
            ("list_commands", _) => Ok(all_commands().collect::<Vec<_>>().join("\n")),
            ("list_games", _) => Ok(games().join("\n")),
            ("set_game", [name]) => self.set_game(name),
            ("boardsize", [side]) => self.set_size(side),
            ("quit" | "komi", _) => done,
            ("clear_board", _) => {
                self.session.new_game();
                done
            }
            ("play", [colour, vertex]) => self.play(colour, vertex),
            ("genmove", [colour]) => self.choose(colour, true),
            ("reg_genmove", [colour]) => self.choose(colour, false),
            ("undo", _) => match self.session.undo() {
                Some(_) => done,
                None => Err("cannot undo".into()),
            },
            ("time_settings", [main, extra, stones]) => self.set_time(main, extra, stones),
            ("time_left", [colour, time, stones]) => self.set_clock(colour, time, stones),
            ("papan-level", [level]) => self.session.set_level(level).map(|()| String::new()),
            ("papan-limits", words) => self.set_limits(words),
            ("final_score", _) => self
                .session
                .final_score()
                .ok_or_else(|| "cannot score".into()),
            ("showboard", _) => Ok(self.session.diagram()),
            ("loadsgf", [path]) => self.load(path, None),
            ("loadsgf", [path, number]) => match number.parse() {
                Ok(number) => self.load(path, Some(number)),
                Err(_) => Err("syntax error".into()),
            },
            (gogui::EVALUATION, []) => self.evaluate(),
            (name, []) if gogui::COMMANDS.contains(&name) => {
                gogui::answer(self.session, name).unwrap_or_else(|| Err("unknown command".into()))
            }
            (name, _) if all_commands().any(|known| known == name) => Err("syntax error".into()),
            _ => Err("unknown command".into()),
        }
    }

    /// Loads the first game of a file, up to the position before this move number.
    fn load(&mut self, path: &str, number: Option<usize>) -> ResponseText {
        let cannot = |why: String| format!("cannot load file: {why}");
        let metadata = std::fs::metadata(path).map_err(|error| cannot(error.to_string()))?;
        if !metadata.is_file() || metadata.len() > MAX_FILE_SIZE {
            return Err(cannot("not a regular file, or too large".into()));
        }
        let bytes = std::fs::read(path).map_err(|error| cannot(error.to_string()))?;
        let file = papan_files::read(&bytes, Some(self.session.game()));
        let file = file.map_err(|error| cannot(error.to_string()))?;
        let record = match (file.records.first(), file.faults.first()) {
            (Some(record), _) => record,
            (None, Some(fault)) => return Err(cannot(fault.to_string())),
            (None, None) => return Err(cannot("the file has no games".into())),
        };
        let game: AnyGame = record.game.parse().map_err(|error| format!("{error}"))?;
        let line = game.line_of(record);
        let mut line = line.map_err(|error| cannot(error.to_string()))?;
        while number.is_some_and(|number| line.moves().len() >= number.max(1)) {
            line.undo();
        }
        let set = self.session.set_line(line);
        set.map(|()| String::new())
            .map_err(|error| cannot(error.to_string()))
    }

    /// Runs a search that ends early when the input ends or brings `quit`.
    fn search(
        &mut self,
        work: impl FnOnce(&mut EngineSession, &StopToken) -> SearchResult + Send,
    ) -> SearchResult {
        let stop = StopToken::default();
        let is_quit = |line: &str| Command::parse(line).is_some_and(|c| c.name == "quit");
        let mut handler = QuitHandler {
            stop: &stop,
            is_quit,
        };
        let (session, token) = (&mut *self.session, stop.clone());
        let result = self
            .inbox
            .search(&stop, move |_| work(session, &token), &mut handler);
        result.expect("this handler writes nothing")
    }

    /// The limits of a search, without the clock.
    fn move_limits(&self) -> Limits {
        Limits {
            time: self.limits.time.or(self.time),
            ..self.limits
        }
    }

    fn set_game(&mut self, name: &str) -> ResponseText {
        let name = name.to_ascii_lowercase();
        let game: AnyGame = name.parse().map_err(|error| format!("{error}"))?;
        self.change_game(game)
    }

    fn change_game(&mut self, game: AnyGame) -> ResponseText {
        if game.name() == self.session.game().name() {
            self.session.new_game();
        } else {
            self.session
                .set_game(game)
                .map_err(|error| error.to_string())?;
        }
        Ok(String::new())
    }

    fn set_size(&mut self, side: &str) -> ResponseText {
        let unacceptable = || String::from("unacceptable size");
        let side: usize = side.parse().map_err(|_| unacceptable())?;
        if self.session.game().shape().sides() == [side, side] {
            self.session.new_game();
            return Ok(String::new());
        }
        let length = self.session.notation().winning_length();
        let family = self.session.game().family().name;
        // Gomoku keeps its winning length on boards of any size.
        let name = match length.filter(|&k| k >= 5) {
            Some(length) => format!("{family}:{side}x{side}:{length}"),
            None => format!("{family}:{side}x{side}"),
        };
        let game = name.parse().map_err(|_| unacceptable())?;
        self.change_game(game)
    }

    /// Checks that it is this colour's turn, after a forced pass if need be.
    fn ensure_turn(&mut self, colour: &str) -> Result<Player, String> {
        let who = player(colour).ok_or("syntax error")?;
        let line = self.session.line();
        if line.turn() != who && line.legal_moves() == [Move::PASS] {
            self.session
                .play("pass")
                .map_err(|error| error.to_string())?;
        }
        if self.session.line().turn() != who {
            return Err("illegal move: it is the other player's turn".into());
        }
        Ok(who)
    }

    fn play(&mut self, colour: &str, vertex: &str) -> ResponseText {
        // Othello controllers let both players pass at the end.
        if self.session.line().outcome().is_some()
            && player(colour).is_some()
            && vertex.eq_ignore_ascii_case("pass")
        {
            return Ok(String::new());
        }
        self.ensure_turn(colour)?;
        let mv = self
            .session
            .notation()
            .parse_vertex(vertex)
            .ok_or("syntax error")?;
        if let Err(objection) = self.session.line().check_move(mv) {
            return Err(format!("illegal move: {objection}"));
        }
        let word = self.session.notation().own(mv).to_owned();
        self.session
            .play(&word)
            .map_err(|error| error.to_string())?;
        Ok(String::new())
    }

    fn choose(&mut self, colour: &str, and_play: bool) -> ResponseText {
        let start = Instant::now();
        if self.session.line().outcome().is_some() {
            // Othello controllers continue until both players have passed.
            return if self.session.game().properties().passes {
                Ok("pass".into())
            } else {
                Err("the game is over".into())
            };
        }
        let who = self.ensure_turn(colour)?;
        let clock = self.clocks[who.index()].map(|remaining| (remaining, self.increment));
        let limits = Limits {
            clock,
            ..self.move_limits()
        };
        let search_limits = self.overhead.apply(&limits, start.elapsed());
        let result = self.search(|session, stop| session.choose(&search_limits, stop, None));
        self.overhead.record(&limits, start.elapsed());
        let mv = result.map_err(|why| why.to_string())?.best;
        let vertex = self.session.notation().vertex(mv).to_owned();
        if and_play {
            let word = self.session.notation().own(mv).to_owned();
            self.session
                .play(&word)
                .map_err(|error| error.to_string())?;
        }
        Ok(vertex)
    }

    fn evaluate(&mut self) -> ResponseText {
        if self.session.line().outcome().is_some() {
            return Err("the game is over".into());
        }
        let limits = self.move_limits();
        let decision = self.search(|session, stop| session.decide(&limits, stop, None));
        let decision = decision.map_err(|why| why.to_string())?;
        Ok(gogui::evaluation(self.session, &decision, self.label))
    }

    fn set_time(&mut self, main: &str, extra: &str, stones: &str) -> ResponseText {
        let number = |text: &str| text.parse::<u32>().map_err(|_| "syntax error");
        let (main, extra, stones) = (number(main)?, number(extra)?, number(stones)?);
        self.time = None;
        self.clocks = [None; 2];
        // A byo-yomi time for zero stones means no limit.
        if main > 0 {
            self.clocks = [Some(Duration::from_secs(main.into())); 2];
        } else if extra > 0 && stones > 0 {
            self.time = Some(Duration::from_secs(extra.into()) / stones);
        }
        Ok(String::new())
    }

    fn set_clock(&mut self, colour: &str, time: &str, stones: &str) -> ResponseText {
        let who = player(colour).ok_or("syntax error")?;
        let seconds: u32 = time.parse().map_err(|_| "syntax error")?;
        let stones: u32 = stones.parse().map_err(|_| "syntax error")?;
        let remaining = Duration::from_secs(seconds.into());
        self.clocks[who.index()] = (stones == 0).then_some(remaining);
        if stones > 0 {
            self.time = Some(remaining / stones);
        }
        Ok(String::new())
    }

    fn set_limits(&mut self, words: &[&str]) -> ResponseText {
        let mut new = Limits::default();
        let mut increment = Duration::ZERO;
        for pair in words.chunks(2) {
            let [key, value] = pair else {
                return Err("syntax error".into());
            };
            if *key == "increment" {
                let millis = value.parse().map_err(|_| "syntax error")?;
                increment = Duration::from_millis(millis);
                continue;
            }
            let text = match *key {
                "time" => format!("{value}ms"),
                _ => (*value).into(),
            };
            limits::set(&mut new, key, &text).map_err(|error| error.to_string())?;
        }
        self.limits = new;
        self.increment = increment;
        Ok(String::new())
    }
}
