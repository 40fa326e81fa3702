//! Certificates bundled with papan, for playing proved boards. Each is parsed and checked once,
//! when its board is first searched.

use std::sync::{Arc, OnceLock};

use papan_mnk::{CellSet, ProofLookup, ProvedValue};
use papan_rules::{Bits as _, Grid, Player};
use papan_solve::{ClaimKind, ProofBook, read_claims};

/// A certificate, and the board that it is for.
struct Shipped {
    sides: &'static [usize],
    length: usize,
    file: &'static [u8],
    book: OnceLock<Option<ProofBook<u64>>>,
    /// The players with a proof.
    players: OnceLock<Vec<Player>>,
}

macro_rules! shipped {
    ($sides:expr, $length:literal, $file:literal) => {
        Shipped {
            sides: &$sides,
            length: $length,
            file: include_bytes!(concat!(
                "../../../data/certificates/tictactoe",
                $file,
                ".certificate"
            )),
            book: OnceLock::new(),
            players: OnceLock::new(),
        }
    };
}

static SHIPPED: [Shipped; 21] = [
    shipped!([3, 3], 3, ""),
    shipped!([3, 4], 3, "-3x4"),
    shipped!([4, 4], 3, "-4x4-3"),
    shipped!([3, 3, 3], 3, "-3x3x3"),
    shipped!([4, 4, 4], 4, "-4x4x4"),
    shipped!([4, 4], 4, "-4x4"),
    shipped!([4, 5], 4, "-4x5"),
    shipped!([4, 6], 4, "-4x6"),
    shipped!([4, 7], 4, "-4x7"),
    shipped!([4, 8], 4, "-4x8"),
    shipped!([4, 9], 4, "-4x9"),
    shipped!([5, 5], 4, "-5x5-4"),
    shipped!([5, 6], 4, "-5x6-4"),
    shipped!([6, 6], 4, "-6x6-4"),
    shipped!([5, 7], 4, "-5x7-4"),
    shipped!([6, 7], 4, "-6x7-4"),
    shipped!([5, 5], 5, "-5x5"),
    shipped!([5, 6], 5, "-5x6"),
    shipped!([6, 6], 5, "-6x6-5"),
    shipped!([7, 7], 5, "-7x7-5"),
    shipped!([7, 8], 5, "-7x8-5"),
];

impl Shipped {
    /// The certificate of a board, which may lie on its side.
    fn of(sides: &[usize], length: usize) -> Option<&'static Self> {
        SHIPPED.iter().find(|shipped| {
            let lies = || sides.len() == 2 && sides.iter().rev().eq(shipped.sides);
            shipped.length == length && (sides == shipped.sides || lies())
        })
    }

    /// Returns the proofs; `None` if the file were invalid, which the tests exclude.
    fn book(&self) -> Option<&ProofBook<u64>> {
        let read = || {
            let grid = Grid::<u64>::new(self.sides, self.length).ok()?;
            ProofBook::read(&grid, self.file).ok()
        };
        self.book.get_or_init(read).as_ref()
    }

    fn players(&self) -> &[Player] {
        self.players.get_or_init(|| {
            let all = read_claims(self.file).map_or_else(|_| Vec::new(), |file| file.claims);
            let played = all.iter().filter(|c| c.kind != ClaimKind::DrawsMovingFirst);
            played.map(|claim| claim.player).collect()
        })
    }
}

/// Returns the players with a proof on a board, of a win or a draw.
pub(crate) fn proved_players(sides: &[usize], length: usize) -> &'static [Player] {
    Shipped::of(sides, length).map_or(&[], Shipped::players)
}

/// Returns the bundled proofs of a board.
pub(crate) fn knowledge(sides: &[usize], length: usize) -> Option<Arc<dyn ProofLookup>> {
    let shipped = Shipped::of(sides, length)?;
    let cells = sides.iter().product();
    let cell = |at: usize| {
        if shipped.sides == sides {
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
    Some(Arc::new(Lying {
        shipped,
        names,
        back,
    }))
}

/// The proofs of a board, for one that may lie on its side.
struct Lying {
    shipped: &'static Shipped,
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
    fn probe(&self, stones: [CellSet; 2], turn: Player) -> Option<ProvedValue> {
        let stones = stones.map(|set| renamed(set, &self.names));
        let known = ProofLookup::probe(self.shipped.book()?, stones, turn)?;
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
        for shipped in &SHIPPED {
            assert!(shipped.book().is_some(), "{:?}", shipped.sides);
            assert!(!shipped.players().is_empty(), "{:?}", shipped.sides);
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/certificates");
        let files = std::fs::read_dir(folder).unwrap();
        let is_one = |name: &str| name.ends_with(".certificate");
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        assert_eq!(names.filter(|name| is_one(name)).count(), SHIPPED.len());
        let bytes: usize = SHIPPED.iter().map(|shipped| shipped.file.len()).sum();
        assert!(bytes <= 9 << 18, "{bytes} bytes");
    }
}
