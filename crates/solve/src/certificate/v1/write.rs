//! A proof written down: what a strategy plays wherever it can come.
//!
//! ```text
//! papan certificate 1
//! game tictactoe
//! strategy perfect
//! as second
//! symmetries 0
//! positions 295
//! X-------- 5
//! …
//! checksum 0123456789abcdef
//! ```
//!
//! An entry is the cells of a position in which the strategy is to move, and the
//! moves it may play there. Positions are listed up to the symmetries that the
//! strategy respects, which the header names by their numbers. Boards on which
//! nobody can win any more are left out.

use std::fmt::Write as _;

use papan_rules::{GameInfo, Player, Symmetric, Symmetry};
use papan_strategies::Watch;

use super::check::VERSION;
use crate::certificate::envelope::{KIND, checksum};
use crate::reachable::{ReachableError, ReachablePositions, StrategyPosition, reach};
use crate::{ProveError, StrategyFactory, Verdict, prove};

/// Positions that a certificate holds at most; the file is then near a gigabyte.
pub const MAX_POSITIONS: usize = 20_000_000;

/// A proof that a strategy never loses, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    text: String,
    positions: usize,
    symmetries: usize,
}

/// Why a certificate cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// There is no proof.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The strategy can lose.
    #[error("the strategy can lose: there is nothing to certify")]
    CanLose,
    /// The file would be too large.
    #[error("the strategy meets more than {0} positions, too many for a file")]
    TooLarge(usize),
}

impl From<ReachableError> for CertificateError {
    fn from(error: ReachableError) -> Self {
        match error {
            ReachableError::Prove(error) => Self::Prove(error),
            ReachableError::TooMany(most) => Self::TooLarge(most),
        }
    }
}

impl Certificate {
    /// Proves that the strategy never loses and writes down why. `name` is what
    /// the catalog calls the strategy.
    ///
    /// # Errors
    /// When there is no such proof, or it is too large.
    pub fn new<G: GameInfo + Symmetric>(
        game: &G,
        factory: StrategyFactory<'_, G>,
        name: &str,
        player: Player,
        watch: &Watch,
    ) -> Result<Self, CertificateError> {
        if prove(game, factory, player, watch)?.verdict() == Verdict::CanLose {
            return Err(CertificateError::CanLose);
        }
        Self::of_proved(game, factory, name, player, watch)
    }

    /// As [`Certificate::new`], where the caller has proved it just now.
    ///
    /// # Errors
    /// As [`Certificate::new`].
    pub fn of_proved<G: GameInfo + Symmetric>(
        game: &G,
        factory: StrategyFactory<'_, G>,
        name: &str,
        player: Player,
        watch: &Watch,
    ) -> Result<Self, CertificateError> {
        let reached = reach(game, factory, player, true, MAX_POSITIONS, watch)?;
        let respected = respected_symmetries(game, &reached);
        let chosen: Vec<&Symmetry> = respected.iter().map(|&i| &game.symmetries()[i]).collect();
        let is_representative = |met: &&StrategyPosition<G::Position>| {
            let own = game.pack(&met.position);
            let images = chosen.iter().map(|s| game.transform(&met.position, s));
            images.map(|image| game.pack(&image)).all(|p| own <= p)
        };
        let listed: Vec<_> = reached.values().filter(is_representative).collect();
        let numbers: Vec<String> = respected.iter().map(usize::to_string).collect();
        let mut text = format!(
            "{KIND} {VERSION}\ngame {}\nstrategy {name}\nas {player}\nsymmetries {}\npositions {}\n",
            game.name(),
            numbers.join(" "),
            listed.len(),
        );
        for met in &listed {
            write_entry(game, met, &mut text);
        }
        let sum = checksum(text.as_bytes());
        writeln!(text, "checksum {sum:016x}").expect("a string takes everything");
        Ok(Self {
            text,
            positions: listed.len(),
            symmetries: respected.len(),
        })
    }

    /// The whole file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many positions it lists.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// How many symmetries of the board the strategy respects, the identity among them.
    #[must_use]
    pub fn symmetries(&self) -> usize {
        self.symmetries
    }
}

/// The symmetries under which a strategy's answers turn along with the board, by
/// their numbers: whatever is met is met in its image, too, with the image of the
/// answer. They form a group, since each maps the finite table onto itself.
fn respected_symmetries<G: GameInfo + Symmetric>(
    game: &G,
    reached: &ReachablePositions<G>,
) -> Vec<usize> {
    let respects = |symmetry: &Symmetry| {
        reached.values().all(|met| {
            let image = game.pack(&game.transform(&met.position, symmetry));
            let mut moves: Vec<_> = met.moves.iter().map(|&mv| symmetry.apply(mv)).collect();
            moves.sort_unstable();
            reached
                .get(&image)
                .is_some_and(|other| other.moves == moves)
        })
    };
    let all = game.symmetries().iter().enumerate();
    all.filter(|(_, symmetry)| respects(symmetry))
        .map(|(number, _)| number)
        .collect()
}

fn write_entry<G: GameInfo + Symmetric>(
    game: &G,
    met: &StrategyPosition<G::Position>,
    text: &mut String,
) {
    for cell in 0..game.cells() {
        text.push(match game.piece(&met.position, cell) {
            Some(Player::First) => 'X',
            Some(Player::Second) => 'O',
            None => '-',
        });
    }
    for (i, &mv) in met.moves.iter().enumerate() {
        text.push(if i == 0 { ' ' } else { ',' });
        text.push_str(&game.format_move(mv));
    }
    text.push('\n');
}
