//! From what a file says to a record whose moves were played.

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{Comment, Move, Outcome, Player, Record, RecordResult};

use crate::{ParseError, ParseErrorKind};

/// A game as it is being read: the main line so far, and what was said on the way.
pub(crate) struct Replay {
    line: Box<dyn AnyLine>,
    record: Record,
}

impl Replay {
    /// A game from the start of its board.
    pub(crate) fn new(game: &AnyGame) -> Self {
        Self {
            line: game.line(),
            record: Record::blank(game.name()),
        }
    }

    /// A game from a position.
    pub(crate) fn from_position(game: &AnyGame, position: &str) -> Result<Self, ParseErrorKind> {
        let line = game.line_from(position)?;
        let mut record = Record::blank(game.name());
        if line.position_text() != game.line().position_text() {
            record.start = Some(line.position_text());
        }
        Ok(Self { line, record })
    }

    /// Where play stands.
    pub(crate) fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// What is known beside the moves.
    pub(crate) fn record(&mut self) -> &mut Record {
        &mut self.record
    }

    /// Plays one move by `player`, putting in the passes that many files leave out.
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
        // Some programs write a last pass after the end.
        if mv == Move::PASS && self.line.outcome().is_some() {
            return Ok(());
        }
        self.line.play(mv).map_err(|why| {
            let mv = self.line.game().format_move(mv);
            ParseErrorKind::Illegal { mv, why }
        })
    }

    /// Goes back, or into another variation.
    pub(crate) fn go_to(&mut self, line: Box<dyn AnyLine>) {
        self.line = line;
    }

    /// Words about the position that was reached.
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

    /// The record. The rules' result counts; where the game did not end by them, what the
    /// file told, with its reason.
    pub(crate) fn finish(mut self, told: Option<Outcome>, reason: Option<&str>) -> Record {
        self.record.moves = self.line.text();
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

/// The line of play of a record that was read before.
pub(crate) fn line(record: &Record) -> Option<Box<dyn AnyLine>> {
    let game: AnyGame = record.game.parse().ok()?;
    game.line_of(record).ok()
}

/// The moves of a record, each with who made it.
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

/// Whether the catalog knows the game of a record.
pub(crate) fn known(record: &Record) -> Result<(), ParseError> {
    match record.game.parse::<AnyGame>() {
        Ok(_) => Ok(()),
        Err(error) => Err(ParseError::at((1, 1), error)),
    }
}
