//! Writer of version 1 certificates.

use std::fmt::Write as _;

use papan_rules::{GameInfo, Player, Symmetric, Symmetry};
use papan_strategies::Watch;

use super::check::VERSION;
use crate::certificate::envelope::{KIND, checksum};
use crate::reachable::{ReachableError, ReachablePositions, StrategyPosition, reachable_positions};
use crate::{ProveError, StrategyFactory, Verdict, prove};

/// Maximum number of positions in a certificate; such a file is near one gigabyte.
pub const MAX_POSITIONS: usize = 20_000_000;

/// A proof that a strategy never loses, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    text: String,
    positions: usize,
    symmetries: usize,
}

/// Why a certificate cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// The proof failed.
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
    /// Proves that a strategy never loses and writes the certificate. `name` is the name of the
    /// strategy in the catalog.
    ///
    /// ```
    /// use papan_rules::{Player, tictactoe};
    /// use papan_solve::{Certificate, check};
    /// use papan_strategies::{Perfect, Watch};
    ///
    /// let game = tictactoe();
    /// let certificate = Certificate::new(
    ///     &game,
    ///     &|| Box::new(Perfect::default()),
    ///     "perfect",
    ///     Player::Second,
    ///     &Watch::default(),
    /// )?;
    /// let claim = check(&game, certificate.text().as_bytes())?;
    /// assert_eq!(claim.strategy, "perfect");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the strategy can lose, the proof fails, or the file would be too large.
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
        Self::from_proved(game, factory, name, player, watch)
    }

    /// As [`Certificate::new`], if the caller has just proved that the strategy never loses.
    ///
    /// # Errors
    /// As [`Certificate::new`].
    pub fn from_proved<G: GameInfo + Symmetric>(
        game: &G,
        factory: StrategyFactory<'_, G>,
        name: &str,
        player: Player,
        watch: &Watch,
    ) -> Result<Self, CertificateError> {
        let reachable = reachable_positions(game, factory, player, MAX_POSITIONS, watch)?;
        let respected = respected_symmetries(game, &reachable);
        let chosen: Vec<&Symmetry> = respected.iter().map(|&i| &game.symmetries()[i]).collect();
        let is_representative = |entry: &&StrategyPosition<G::Position>| {
            let own = game.pack(&entry.position);
            let images = chosen.iter().map(|s| game.transform(&entry.position, s));
            images.map(|image| game.pack(&image)).all(|p| own <= p)
        };
        let listed: Vec<_> = reachable.values().filter(is_representative).collect();
        let numbers: Vec<String> = respected.iter().map(usize::to_string).collect();
        let mut text = format!(
            "{KIND} {VERSION}\ngame {}\nstrategy {name}\nas {player}\nsymmetries {}\npositions {}\n",
            game.name(),
            numbers.join(" "),
            listed.len(),
        );
        for entry in &listed {
            write_entry(game, entry, &mut text);
        }
        let sum = checksum(text.as_bytes());
        writeln!(text, "checksum {sum:016x}").expect("writing to a string does not fail");
        Ok(Self {
            text,
            positions: listed.len(),
            symmetries: respected.len(),
        })
    }

    /// Returns the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of listed positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Returns the number of symmetries that the strategy respects, with the identity.
    #[must_use]
    pub fn symmetries(&self) -> usize {
        self.symmetries
    }
}

/// Returns the numbers of the symmetries that the strategy respects: the image of every reachable
/// position is reachable, and its moves are the images of the moves. They form a group, because
/// each maps the finite table onto itself.
fn respected_symmetries<G: GameInfo + Symmetric>(
    game: &G,
    reachable: &ReachablePositions<G>,
) -> Vec<usize> {
    let respects = |symmetry: &Symmetry| {
        reachable.values().all(|entry| {
            let image = game.pack(&game.transform(&entry.position, symmetry));
            let mut moves: Vec<_> = entry.moves.iter().map(|&mv| symmetry.apply(mv)).collect();
            moves.sort_unstable();
            reachable
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
    entry: &StrategyPosition<G::Position>,
    text: &mut String,
) {
    for cell in 0..game.cells() {
        text.push(match game.piece(&entry.position, cell) {
            Some(Player::First) => 'X',
            Some(Player::Second) => 'O',
            None => '-',
        });
    }
    for (i, &mv) in entry.moves.iter().enumerate() {
        text.push(if i == 0 { ' ' } else { ',' });
        text.push_str(&game.format_move(mv));
    }
    text.push('\n');
}
