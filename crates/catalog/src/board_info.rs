//! Properties of a board that decide whether a strategy can play it.

use papan_rules::{GameInfo, Player};

use crate::{BundledCertificate, Unplayable};

/// Properties of a board, without its type.
pub(crate) struct BoardInfo {
    pub(crate) name: String,
    pub(crate) sides: Vec<usize>,
    pub(crate) cells: usize,
    /// Cells that are empty at the start.
    pub(crate) empty: usize,
    pub(crate) winning_length: Option<usize>,
    /// Whether proofs of the board with this length apply.
    pub(crate) is_mnk: bool,
    pub(crate) fills_up: bool,
    /// Where the strategy is to sit, if that is known.
    pub(crate) seat: Option<Player>,
}

impl BoardInfo {
    pub(crate) fn of<G: GameInfo>(game: &G) -> Self {
        let start = game.start();
        let is_empty = |cell: &usize| game.piece(&start, *cell).is_none();
        Self {
            name: game.name(),
            sides: game.shape().sides().to_vec(),
            cells: game.cells(),
            empty: (0..game.cells()).filter(is_empty).count(),
            winning_length: game.winning_length(),
            is_mnk: game.is_mnk(),
            fills_up: game.properties().fills_up,
            seat: None,
        }
    }

    /// Returns the board's name for errors: its sides, if these suffice.
    pub(crate) fn label(&self) -> String {
        if !self.is_mnk {
            return self.name.clone();
        }
        let sides: Vec<String> = self.sides.iter().map(usize::to_string).collect();
        sides.join("x")
    }

    /// Returns the certificate bundled for this game.
    pub(crate) fn certificate(&self) -> Option<&'static BundledCertificate> {
        let length = self.winning_length.filter(|_| self.is_mnk)?;
        BundledCertificate::of(&self.sides, length)
    }

    /// For a strategy that knows one board of the games that it plays.
    pub(crate) fn only(
        &self,
        strategy: &'static str,
        board: &'static str,
        is_it: bool,
    ) -> Result<(), Unplayable> {
        if is_it {
            return Ok(());
        }
        Err(Unplayable::OneBoard {
            strategy,
            board,
            game: self.name.clone(),
        })
    }
}
