//! Arguments that select a game and a starting position: `GAME`, `--moves` and `--position`.

use anyhow::bail;
use clap::Args;
use papan_catalog::{AnyGame, AnyLine};
use papan_rules::Pieces;
use papan_view::{Marks, Messages, messages};

/// A game and a starting position.
#[derive(Args, Clone, Debug)]
pub(crate) struct Source {
    /// Game, such as tictactoe, tictactoe:4x4, tictactoe:7x7:5 or othello
    #[arg(value_name = "GAME")]
    pub(crate) game: AnyGame,
    #[command(flatten)]
    pub(crate) start: StartPoint,
}

/// Returns a position with X and O exchanged.
fn exchanged(text: &str) -> String {
    let exchange = |letter: char| match letter {
        'X' => 'O',
        'O' => 'X',
        'x' => 'o',
        'o' => 'x',
        other => other,
    };
    text.chars().map(exchange).collect()
}

/// A starting position, given as moves, as a position, or as moves from a position.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StartPoint {
    /// Start from these moves, separated by spaces or commas
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// Start from this position: the cells in order (X, O, -), then the side to move
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
}

impl StartPoint {
    /// Returns whether moves or a position were given.
    pub(crate) fn is_given(&self) -> bool {
        self.moves.is_some() || self.position.is_some()
    }

    /// Returns the marks of the position: O moves first where the board is one only with the marks
    /// exchanged.
    pub(crate) fn marks(&self, game: &AnyGame) -> Marks {
        let is_exchanged = |text: &String| {
            game.line_from(text).is_err() && game.line_from(&exchanged(text)).is_ok()
        };
        if game.pieces() == Pieces::Marks && self.position.as_ref().is_some_and(is_exchanged) {
            Marks::OX
        } else {
            Marks::XO
        }
    }

    /// Returns the line of play that leads to the position.
    pub(crate) fn line(&self, game: &AnyGame, words: Messages) -> anyhow::Result<Box<dyn AnyLine>> {
        let position = self.position.as_ref().map(|text| match self.marks(game) {
            Marks::XO => text.clone(),
            Marks::OX => exchanged(text),
        });
        let mut line = match &position {
            None => game.line(),
            Some(text) => match game.line_from(text) {
                Ok(line) => line,
                Err(error) => bail!("--position {text:?}: {}", messages::position(words, &error)),
            },
        };
        if let Some(text) = &self.moves
            && let Err(error) = line.extend(text)
        {
            bail!(
                "--moves {text:?}: {}",
                messages::line(words, &*line, &error)
            );
        }
        Ok(line)
    }
}

impl Source {
    /// Returns the line of play that leads to the position.
    pub(crate) fn line(&self, words: Messages) -> anyhow::Result<Box<dyn AnyLine>> {
        self.start.line(&self.game, words)
    }
}
