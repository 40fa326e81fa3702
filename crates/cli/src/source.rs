//! Arguments that select a game and a starting position: `GAME`, `--moves` and `--position`.

use anyhow::bail;
use clap::Args;
use papan_catalog::{AnyGame, AnyLine};
use papan_view::{Messages, messages};

/// A game and a starting position.
#[derive(Args, Clone, Debug)]
pub(crate) struct Source {
    /// Game, such as tictactoe, tictactoe:4x4, tictactoe:7x7:5 or othello
    #[arg(value_name = "GAME")]
    pub(crate) game: AnyGame,
    #[command(flatten)]
    pub(crate) start: StartPoint,
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

    /// Returns the line of play that leads to the position.
    pub(crate) fn line(&self, game: &AnyGame, words: Messages) -> anyhow::Result<Box<dyn AnyLine>> {
        let mut line = match &self.position {
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
