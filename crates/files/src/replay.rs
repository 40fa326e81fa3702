//! Replay: turns the contents of a file into a record with legal moves.

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{Comment, Move, Outcome, Player, Record, RecordResult};

use crate::{ParseError, ParseErrorKind};

/// A game while it is parsed: the main line so far, and its metadata.
pub(crate) struct Replay {
    line: Box<dyn AnyLine>,
    record: Record,
}

impl Replay {
    /// Starts from the initial position of a board.
    pub(crate) fn new(game: &AnyGame) -> Self {
        Self {
            line: game.line(),
            record: Record::blank(game.name()),
        }
    }

    /// Starts from a position.
    pub(crate) fn from_position(game: &AnyGame, position: &str) -> Result<Self, ParseErrorKind> {
        let line = game.line_from(position)?;
        let mut record = Record::blank(game.name());
        if line.position_text() != game.line().position_text() {
            record.start = Some(line.position_text());
        }
        Ok(Self { line, record })
    }

    /// Returns the current line of play.
    pub(crate) fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// Returns the record, for metadata.
    pub(crate) fn record(&mut self) -> &mut Record {
        &mut self.record
    }

    /// Plays a move of `player`, inserting the passes that many files omit.
    pub(crate) fn play(&mut self, player: Option<Player>, mv: Move) -> Result<(), ParseErrorKind> {
        let out_of_turn = |line: &dyn AnyLine| player.is_some_and(|player| player != line.turn());
        let must_pass = self.line.check_move(Move::PASS).is_ok();
        if mv != Move::PASS && must_pass {
            let _ = self.line.play(Move::PASS);
        }
        if out_of_turn(&*self.line) {
            let turn = self.line.turn();
            return Err(ParseErrorKind::OutOfTurn { turn });
        }
        // Some programs write a pass after the end.
        if mv == Move::PASS && self.line.outcome().is_some() {
            return Ok(());
        }
        self.line.play(mv).map_err(|why| {
            let mv = self.line.game().format_move(mv);
            ParseErrorKind::Illegal { mv, why }
        })
    }

    /// Returns to an earlier position or into another variation.
    pub(crate) fn go_to(&mut self, line: Box<dyn AnyLine>) {
        self.line = line;
    }

    /// Adds a comment on the current position.
    pub(crate) fn comment(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            let moves = self.line.text();
            self.record.comments.push(Comment {
                moves,
                text: text.into(),
            });
        }
    }

    /// Returns the record. The result follows from the rules, or from the file if the game did not
    /// end by the rules.
    pub(crate) fn finish(mut self, told: Option<Outcome>, reason: Option<&str>) -> Record {
        self.record.moves = self.line.text();
        // Choices that do not fit the moves are not those of this game.
        let plies = self.line.moves().len();
        self.record.opening = self
            .record
            .opening
            .filter(|opening| opening.check(plies).is_ok());
        let (result, reason) = match (self.line.outcome(), told) {
            (Some(outcome), _) => (RecordResult::Finished(outcome), None),
            (None, Some(outcome)) => (
                RecordResult::Finished(outcome),
                Some(reason.unwrap_or("as told")),
            ),
            (None, None) => (RecordResult::Unfinished, None),
        };
        self.record.result = result;
        self.record.reason = reason.map(str::to_owned);
        self.record
    }
}

/// Returns the line of play of a record.
pub(crate) fn line(record: &Record) -> Option<Box<dyn AnyLine>> {
    let game: AnyGame = record.game.parse().ok()?;
    game.line_of(record).ok()
}

/// Returns the moves of a record with their players.
pub(crate) fn moves(record: &Record) -> Vec<(Player, Move)> {
    let Some(line) = line(record) else {
        return Vec::new();
    };
    let mut again = line.clone_line();
    while again.undo().is_some() {}
    let mut list = Vec::new();
    for &mv in line.moves() {
        list.push((again.turn(), mv));
        if again.play(mv).is_err() {
            break;
        }
    }
    list
}

/// Checks that the catalog knows the game of a record.
pub(crate) fn known(record: &Record) -> Result<(), ParseError> {
    match record.game.parse::<AnyGame>() {
        Ok(_) => Ok(()),
        Err(error) => Err(ParseError::at((1, 1), error)),
    }
}
