//! Certificates bundled with papan, for playing proved boards. Each is parsed and checked once,
//! when its board is first searched.
//!
//! Builds without the feature `embedded` contain the small ones only; the others are installed at
//! run time.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use papan_mnk::{CellSet, ProofLookup, ProvedValue};
use papan_rules::{Bits as _, GameInfo as _, Grid, Player};
use papan_solve::{CheckError, ClaimKind, ProofBook, read_claims};
use papan_strategies::StopToken;

/// Time between two checks for a stop request while a certificate is read.
const STOP_CHECK: Duration = Duration::from_millis(10);

/// A certificate of the data directory, and the board that it is for.
pub struct BundledCertificate {
    sides: &'static [usize],
    length: usize,
    /// Name of the file in `data/certificates`.
    pub file_name: &'static str,
    /// Its size in bytes.
    pub size: usize,
    /// The contents, where the build contains them.
    embedded: Option<&'static [u8]>,
    /// The contents, where they were installed.
    installed: OnceLock<Vec<u8>>,
    book: OnceLock<Option<ProofBook<u64>>>,
    /// The players with a proof.
    players: OnceLock<Vec<Player>>,
}

/// A certificate that every build contains.
macro_rules! small {
    ($sides:expr, $length:literal, $file:literal, $bytes:ident) => {
        certificate!(
            $sides,
            $length,
            $file,
            papan_data::$bytes.len(),
            Some(papan_data::$bytes)
        )
    };
}

/// A certificate that only builds with the feature `embedded` contain.
macro_rules! large {
    ($sides:expr, $length:literal, $file:literal, $bytes:ident) => {
        certificate!($sides, $length, $file, papan_data::$bytes.len(), {
            #[cfg(feature = "embedded")]
            let bytes = Some(papan_data::$bytes);
            #[cfg(not(feature = "embedded"))]
            let bytes = None;
            bytes
        })
    };
}

macro_rules! certificate {
    ($sides:expr, $length:literal, $file:literal, $size:expr, $embedded:expr) => {
        BundledCertificate {
            sides: &$sides,
            length: $length,
            file_name: concat!("tictactoe", $file, ".certificate"),
            size: $size,
            embedded: $embedded,
            installed: OnceLock::new(),
            book: OnceLock::new(),
            players: OnceLock::new(),
        }
    };
}

static CERTIFICATES: [BundledCertificate; 22] = [
    small!([3, 3], 3, "", TICTACTOE),
    small!([3, 4], 3, "-3x4", TICTACTOE_3X4),
    small!([4, 4], 3, "-4x4-3", TICTACTOE_4X4_3),
    small!([3, 3, 3], 3, "-3x3x3", TICTACTOE_3X3X3),
    large!([4, 4, 4], 4, "-4x4x4", TICTACTOE_4X4X4),
    small!([4, 4], 4, "-4x4", TICTACTOE_4X4),
    small!([4, 5], 4, "-4x5", TICTACTOE_4X5),
    large!([4, 6], 4, "-4x6", TICTACTOE_4X6),
    large!([4, 7], 4, "-4x7", TICTACTOE_4X7),
    large!([4, 8], 4, "-4x8", TICTACTOE_4X8),
    large!([4, 9], 4, "-4x9", TICTACTOE_4X9),
    large!([5, 5], 4, "-5x5-4", TICTACTOE_5X5_4),
    small!([5, 6], 4, "-5x6-4", TICTACTOE_5X6_4),
    small!([6, 6], 4, "-6x6-4", TICTACTOE_6X6_4),
    small!([5, 7], 4, "-5x7-4", TICTACTOE_5X7_4),
    small!([6, 7], 4, "-6x7-4", TICTACTOE_6X7_4),
    small!([5, 5], 5, "-5x5", TICTACTOE_5X5),
    small!([5, 6], 5, "-5x6", TICTACTOE_5X6),
    small!([6, 6], 5, "-6x6-5", TICTACTOE_6X6_5),
    large!([6, 8], 5, "-6x8-5", TICTACTOE_6X8_5),
    large!([7, 7], 5, "-7x7-5", TICTACTOE_7X7_5),
    large!([7, 8], 5, "-7x8-5", TICTACTOE_7X8_5),
];

/// Why a certificate cannot be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// It does not prove its claims, or is no certificate.
    #[error(transparent)]
    Invalid(#[from] CheckError),
    /// papan does not play from certificates of this board.
    #[error("papan does not play from a certificate of {game}")]
    OtherBoard {
        /// The game that the certificate names.
        game: String,
    },
}

impl BundledCertificate {
    /// Returns all of them.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &CERTIFICATES
    }

    /// Returns the certificate of a board, which may lie on its side.
    #[must_use]
    pub fn of(sides: &[usize], length: usize) -> Option<&'static Self> {
        CERTIFICATES.iter().find(|certificate| {
            let lies = || sides.len() == 2 && sides.iter().rev().eq(certificate.sides);
            certificate.length == length && (sides == certificate.sides || lies())
        })
    }

    /// Returns the board.
    fn grid(&self) -> Option<Grid<u64>> {
        Grid::new(self.sides, self.length).ok()
    }

    /// Returns the name of the game whose value is proved.
    #[must_use]
    pub fn game(&self) -> String {
        self.grid().map_or_else(String::new, |grid| grid.name())
    }

    /// Checks a certificate and makes papan play from it, where the build does not contain it.
    ///
    /// # Errors
    /// When it does not prove its claims, or papan does not play from proofs of its board.
    pub fn install(bytes: &[u8]) -> Result<&'static Self, InstallError> {
        let game = read_claims(bytes)?.game;
        let Some(certificate) = CERTIFICATES.iter().find(|known| known.game() == game) else {
            return Err(InstallError::OtherBoard { game });
        };
        let grid = certificate.grid();
        let book = grid.map(|grid| ProofBook::read(&grid, bytes)).transpose()?;
        if certificate.bytes().is_none() {
            // The first thread wins; both have checked the file that they install.
            let _ = certificate.installed.set(bytes.to_vec());
            let _ = certificate.book.set(book);
        }
        Ok(certificate)
    }

    /// Returns the contents, if the build contains them or they were installed.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        let installed = self.installed.get().map(Vec::as_slice);
        self.embedded.or(installed)
    }

    /// Returns the proofs; `None` without the file, or if it were invalid, which the tests exclude.
    fn book(&self) -> Option<&ProofBook<u64>> {
        let bytes = self.bytes()?;
        let read = || ProofBook::read(&self.grid()?, bytes).ok();
        self.book.get_or_init(read).as_ref()
    }

    /// Reads the proofs, unless a stop is requested first. Returns whether they are read.
    fn load(&'static self, stop: &StopToken) -> bool {
        if self.book.get().is_some() {
            return true;
        }
        let (sender, read) = channel::<()>();
        let reader = thread::Builder::new().spawn(move || {
            self.book();
            drop(sender);
        });
        if reader.is_err() {
            // WebAssembly has neither threads nor a clock; the first probe reads.
            return true;
        }
        while read.recv_timeout(STOP_CHECK) == Err(RecvTimeoutError::Timeout) {
            if stop.is_stopped() {
                return self.book.get().is_some();
            }
        }
        true
    }

    /// Returns the players with a proof of a win or a draw; none without the file.
    pub(crate) fn players(&self) -> &[Player] {
        let Some(bytes) = self.bytes() else {
            return &[];
        };
        self.players.get_or_init(|| {
            let all = read_claims(bytes).map_or_else(|_| Vec::new(), |file| file.claims);
            let played = all.iter().filter(|c| c.kind != ClaimKind::DrawsMovingFirst);
            played.map(|claim| claim.player).collect()
        })
    }

    /// Returns its proofs for a board of these sides, which may lie on its side.
    pub(crate) fn lookup(&'static self, sides: &[usize]) -> Arc<dyn ProofLookup> {
        let cells = sides.iter().product();
        let cell = |at: usize| {
            if self.sides == sides {
                at
            } else {
                // A row of the board is a column of the certificate's.
                at % sides[1] * sides[0] + at / sides[1]
            }
        };
        let names: Vec<usize> = (0..cells).map(cell).collect();
        let mut back = vec![0; cells];
        for (at, &name) in names.iter().enumerate() {
            back[name] = at;
        }
        Arc::new(Lying {
            certificate: self,
            names,
            back,
        })
    }
}

/// The proofs of a board, for one that may lie on its side.
struct Lying {
    certificate: &'static BundledCertificate,
    /// For each cell of the board the certificate's, and the other way round.
    names: Vec<usize>,
    back: Vec<usize>,
}

fn renamed(set: CellSet, names: &[usize]) -> CellSet {
    let cells = set.cells();
    cells.fold(CellSet::EMPTY, |set, cell| {
        set | CellSet::single(names[cell])
    })
}

impl ProofLookup for Lying {
    fn load(&self, stop: &StopToken) -> bool {
        self.certificate.load(stop)
    }

    fn probe(&self, stones: [CellSet; 2], turn: Player) -> Option<ProvedValue> {
        let stones = stones.map(|set| renamed(set, &self.names));
        let known = ProofLookup::probe(self.certificate.book()?, stones, turn)?;
        Some(match known {
            ProvedValue::Win { cell, plies } => ProvedValue::Win {
                cell: self.back[usize::from(cell)] as u16,
                plies,
            },
            ProvedValue::AtLeastDraw { cells, exact } => ProvedValue::AtLeastDraw {
                cells: renamed(cells, &self.back),
                exact,
            },
            lost @ ProvedValue::Loss { .. } => lost,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_certificate_is_believed_and_is_for_its_board() {
        for certificate in &CERTIFICATES {
            assert!(certificate.book().is_some(), "{:?}", certificate.sides);
            assert!(!certificate.players().is_empty(), "{:?}", certificate.sides);
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/certificates");
        let files = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".certificate"))
            .collect();
        names.sort();
        let mut known: Vec<&str> = CERTIFICATES.iter().map(|c| c.file_name).collect();
        known.sort_unstable();
        assert_eq!(names, known);
        let sizes = CERTIFICATES.iter().filter_map(BundledCertificate::bytes);
        let bytes: usize = sizes.map(<[u8]>::len).sum();
        assert!(bytes <= 9 << 18, "{bytes} bytes");
    }

    #[test]
    fn a_stop_request_ends_the_wait_for_a_certificate() {
        // No other test of this process reads the largest one.
        let largest = CERTIFICATES
            .iter()
            .max_by_key(|certificate| certificate.size);
        let certificate = largest.expect("there are certificates");
        let stop = StopToken::default();
        stop.stop();
        assert!(!certificate.load(&stop) || certificate.book.get().is_some());
        assert!(certificate.load(&StopToken::default()));
        assert!(certificate.book.get().is_some_and(Option::is_some));
    }

    #[test]
    fn only_a_valid_certificate_of_a_known_board_is_installed() {
        let known = &CERTIFICATES[0];
        let bytes = known.bytes().unwrap();
        let installed = BundledCertificate::install(bytes).unwrap();
        assert_eq!(installed.file_name, known.file_name);
        assert!(known.installed.get().is_none(), "the build contains it");
        let mut changed = bytes.to_vec();
        changed[bytes.len() / 2] ^= 1;
        assert!(matches!(
            BundledCertificate::install(&changed),
            Err(InstallError::Invalid(_))
        ));
        assert!(matches!(
            BundledCertificate::install(b"GIF89a"),
            Err(InstallError::Invalid(CheckError::NotACertificate))
        ));
    }
}
