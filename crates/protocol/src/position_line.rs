//! Client of the beginners' protocol `move:`: one line with the position in, one line with the move
//! out.
//!
//! papan sends the cells in order, `X` for the first player, `O` for the second and `-` for an empty
//! one, a space, and the side to move: `X-O------ X`. The program answers with a move of the game,
//! `5` or `d3`, or `pass`. There is no handshake and no state: a strategy in any language is a loop of
//! a few lines.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use papan_catalog::{AnyGame, Seat};
use papan_strategies::{Context, Limits, SystemClock};

use crate::engine::{Engine, EngineMove, MoveRequest};
use crate::engine_command::{EngineCommand, EngineError};
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::line_reader::next_line;
use crate::notation::ProtocolNotation;
use crate::process::LineProcess;

/// A program that answers positions with moves.
pub struct PositionLineClient {
    process: LineProcess,
    game: AnyGame,
    name: String,
    /// Whether an answer is outstanding, after which no other one can be told apart.
    is_waiting: bool,
}

impl PositionLineClient {
    /// Starts a program.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(
        command: &EngineCommand,
        notation: &ProtocolNotation,
    ) -> Result<Self, EngineError> {
        let game = notation.name().parse();
        let game = game.map_err(|error: papan_catalog::GameError| command.not_ready(error))?;
        // Python buffers its output by default, and would answer when it ends.
        let mut command = command.clone();
        let unbuffered = ("PYTHONUNBUFFERED".to_owned(), "1".to_owned());
        command.settings.env.insert(0, unbuffered);
        Ok(Self {
            process: command.process()?,
            game,
            name: command.command.clone(),
            is_waiting: false,
        })
    }

    /// Returns the text of the position to move in.
    fn position(&self, request: &MoveRequest<'_>) -> Result<String, Forfeit> {
        let wrong = |error: &dyn std::fmt::Display| Forfeit::new(ForfeitKind::Protocol, error);
        let mut line = match request.start {
            None => self.game.line(),
            Some(start) => self.game.line_from(start).map_err(|error| wrong(&error))?,
        };
        for &mv in request.moves {
            line.play(mv).map_err(|error| wrong(&error))?;
        }
        Ok(line.position_text())
    }
}

impl Engine for PositionLineClient {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _limits: &Limits) -> Result<(), Forfeit> {
        if self.is_waiting {
            return Err(Forfeit::new(ForfeitKind::Hang, "an answer is outstanding"));
        }
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit> {
        let position = self.position(request)?;
        self.is_waiting = true;
        self.process
            .send(&format!("{position}\n"), request.deadline)?;
        let answer = self.process.line(request.deadline).map_err(|error| {
            let forfeit = Forfeit::from(error);
            match forfeit.kind {
                ForfeitKind::Hang if Instant::now() >= request.deadline => Forfeit::new(
                    ForfeitKind::Hang,
                    "no answer; a program must flush its output after each line",
                ),
                _ => forfeit,
            }
        })?;
        self.is_waiting = false;
        let word = answer.trim();
        let mv = self.game.parse_move(word);
        Ok(EngineMove {
            mv: mv.map_err(|_| Forfeit::unknown_move(word))?,
            nodes: None,
            score: None,
        })
    }
}

/// Answers positions with the moves of a seated strategy until the input ends. A line that is no
/// position of the game, or a finished one, is answered with a line that begins with `?`.
///
/// # Errors
/// When reading or writing fails.
pub fn serve(
    game: &AnyGame,
    seat: &mut dyn Seat,
    limits: Limits,
    seed: u64,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    while let Some(text) = next_line(&mut input)? {
        let answer = match game.line_from(text.trim()) {
            Err(error) => format!("? {error}"),
            Ok(line) => {
                let context = Context::with_seed(seed).limited(limits, &SystemClock);
                match seat.choose(&*line, &context) {
                    Ok((mv, _)) => game.format_move(mv),
                    Err(error) => format!("? {error}"),
                }
            }
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::StrategySpec;
    use std::time::Duration;

    #[test]
    fn positions_are_answered_until_the_input_ends() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let spec: StrategySpec = "branch-and-bound".parse().unwrap();
        let limits = Limits::default();
        let mut seat = game.seat(&spec, &limits).unwrap();
        let mut output = Vec::new();
        let input = "XX-OO---- X\nnonsense\nXXXOO---- O\nX-------- O";
        serve(&game, &mut *seat, limits, 0, input.as_bytes(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines[0], "3");
        assert!(
            lines[1].starts_with("? ") && lines[2].starts_with("? "),
            "{output}"
        );
        assert_eq!(lines[3], "5");
    }

    fn ask(command: &str, start: Option<&str>, patience: Duration) -> Result<EngineMove, Forfeit> {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let command: EngineCommand = command.parse().unwrap();
        let notation = ProtocolNotation::of_any(&game);
        let mut client = PositionLineClient::start(&command, &notation).unwrap();
        client.choose(&MoveRequest {
            start,
            moves: &[],
            limits: &Limits::default(),
            other_clock: None,
            deadline: Instant::now() + patience,
        })
    }

    #[test]
    fn a_program_is_sent_the_position_and_its_faults_are_named() {
        let long = Duration::from_secs(20);
        // Answers with the length of the position, 9 of its 11 characters being cells.
        let echo = "move:sh -c 'while read cells turn; do echo ${#cells}; done'";
        assert_eq!(ask(echo, None, long).unwrap().mv.cell(), Some(8));
        let kind = |command: &str, patience| ask(command, None, patience).unwrap_err().kind;
        assert_eq!(
            kind("move:sh -c 'read a; echo ten'", long),
            ForfeitKind::Illegal
        );
        assert_eq!(
            kind("move:sh -c 'read a; exit 1'", long),
            ForfeitKind::Crash
        );
        let short = Duration::from_millis(50);
        let hung = ask("move:sleep 100", None, short).unwrap_err();
        assert_eq!(hung.kind, ForfeitKind::Hang);
        assert!(hung.detail.contains("flush"), "{hung}");
        let start = "move:sh -c 'read cells turn; case $cells in XO-------) echo 7;; esac'";
        assert_eq!(
            ask(start, Some("XO------- X"), long).unwrap().mv.cell(),
            Some(6)
        );
    }
}
