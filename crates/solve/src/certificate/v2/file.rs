//! The file of a certificate of version 2 or 3: header, and verification claim by claim.

use papan_rules::{Bits, Game as _, GameInfo as _, Grid, Notation as _, Player, stored_game_name};
use papan_strategies::Stopped;

use super::checker_board::CheckerBoard;
use super::proof_reader::ProofReader;
use super::verify_draw::DrawVerifier;
use super::verify_sequences::SequenceVerifier;
use super::verify_win::WinVerifier;
use crate::certificate::envelope::{HeaderLines, KIND, strip_checksum};
use crate::certificate::{CheckError, ProofFault};

/// The header of a certificate of version 2 or 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimFile {
    /// Name of the game.
    pub game: String,
    /// The position, as text.
    pub position: String,
    /// The claims, each with its own proof.
    pub claims: Vec<PositionClaim>,
}

/// A claim about a position: a player wins, or at least draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionClaim {
    /// The player.
    pub player: Player,
    /// The claim and the form of its proof.
    pub kind: ClaimKind,
}

/// The claims and the forms of their proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// The player wins.
    Wins,
    /// The player wins; the proof consists of strategic moves and sequences of fours.
    WinsBySequences,
    /// The player at least draws, by stopping every line of the opponent.
    Draws,
    /// The player at least draws, by stopping every line of the opponent or by fours of their own.
    DrawsCountering,
    /// The player at least draws by strategy stealing: moving first on the empty board, the player
    /// could adopt a winning strategy of the opponent, because an extra stone never hurts.
    DrawsMovingFirst,
}

impl ClaimKind {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Wins, "wins"),
        (Self::WinsBySequences, "wins-by-sequences"),
        (Self::Draws, "draws"),
        (Self::DrawsCountering, "draws-countering"),
        (Self::DrawsMovingFirst, "draws-moving-first"),
    ];

    /// Returns whether the claim is a win.
    #[must_use]
    pub fn is_win(self) -> bool {
        matches!(self, Self::Wins | Self::WinsBySequences)
    }

    /// Returns the keyword in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        let named = Self::ALL.into_iter().find(|(kind, _)| *kind == self);
        named.map_or("", |(_, name)| name)
    }

    fn parse(name: &str) -> Option<Self> {
        let named = Self::ALL.into_iter().find(|(_, known)| *known == name);
        named.map(|(kind, _)| kind)
    }
}

impl ClaimFile {
    /// Returns the value for the first player of the game, if the claims determine it: 1, 0 or -1.
    #[must_use]
    pub fn value(&self) -> Option<i32> {
        let claims = |player: Player, wins: bool| {
            let mut all = self.claims.iter();
            all.any(|claim| claim.player == player && claim.kind.is_win() == wins)
        };
        if claims(Player::First, true) {
            Some(1)
        } else if claims(Player::Second, true) {
            Some(-1)
        } else {
            (claims(Player::First, false) && claims(Player::Second, false)).then_some(0)
        }
    }

    /// Returns the format version: 3 if a proof by sequences is among the claims.
    fn version(&self) -> u8 {
        let mut claims = self.claims.iter();
        if claims.any(|claim| claim.kind == ClaimKind::WinsBySequences) {
            3
        } else {
            2
        }
    }

    /// Returns the lines before the proof of this length.
    pub(super) fn header(&self, length: usize) -> String {
        let version = self.version();
        let mut text = format!(
            "{KIND} {version}\ngame {}\nposition {}\nclaims {}\n",
            self.game,
            self.position,
            self.claims.len()
        );
        for claim in &self.claims {
            text.push_str(&format!("{} {}\n", claim.player, claim.kind.name()));
        }
        text.push_str(&format!("proof {length}\n"));
        text
    }
}

/// Maximum number of claims about one position.
const MAX_CLAIMS: usize = 8;

/// Parses decimal digits without sign or leading zeros. A number has one spelling, so that every
/// checker accepts the same files.
fn canonical_number(text: &str) -> Option<u64> {
    let number = text.parse::<u64>().ok()?;
    (number.to_string() == text).then_some(number)
}

/// A certificate with a valid envelope.
pub(super) struct OpenFile<'a> {
    pub(super) header: ClaimFile,
    /// Length of the proof before compression.
    length: u64,
    /// The compressed proof.
    pub(super) proof: &'a [u8],
}

/// Verifies the envelope and parses the header.
pub(super) fn open(bytes: &[u8]) -> Result<OpenFile<'_>, CheckError> {
    let version = [2, 3]
        .into_iter()
        .find(|version| bytes.starts_with(format!("{KIND} {version}\n").as_bytes()))
        .ok_or(CheckError::NotACertificate)?;
    let mut lines = HeaderLines::after_first(strip_checksum(bytes)?);
    let game = stored_game_name(lines.field("game")?).into_owned();
    let position = lines.field("position")?.to_owned();
    let count = canonical_number(lines.field("claims")?)
        .and_then(|count| usize::try_from(count).ok())
        .filter(|count| (1..=MAX_CLAIMS).contains(count))
        .ok_or_else(|| lines.wrong("the number of claims, 1 to 8"))?;
    let mut claims = Vec::with_capacity(count);
    for _ in 0..count {
        const EXPECTED: &str = "`first` or `second`, and a claim";
        let line = lines.next(EXPECTED)?;
        let (player, kind) = line.split_once(' ').ok_or_else(|| lines.wrong(EXPECTED))?;
        let player = match player {
            "first" => Player::First,
            "second" => Player::Second,
            _ => return Err(lines.wrong(EXPECTED)),
        };
        let kind = ClaimKind::parse(kind).ok_or_else(|| lines.wrong(EXPECTED))?;
        claims.push(PositionClaim { player, kind });
    }
    let length = canonical_number(lines.field("proof")?)
        .ok_or_else(|| lines.wrong("the length of the proof"))?;
    let header = ClaimFile {
        game,
        position,
        claims,
    };
    if header.version() != version {
        return Err(CheckError::Line {
            line: 1,
            expected: "version 3 if and only if a claim is `wins-by-sequences`",
        });
    }
    Ok(OpenFile {
        header,
        length,
        proof: lines.rest,
    })
}

/// Reads the claims of a certificate without checking their proofs. The name of the game selects the
/// rules to check them with ([`check_claims`]).
///
/// # Errors
/// If the file is not a certificate of version 2 or 3, truncated or modified.
pub fn read_claims(bytes: &[u8]) -> Result<ClaimFile, CheckError> {
    open(bytes).map(|file| file.header)
}

/// Checks a certificate and returns the claims that it proves. [`crate::grid_value`] has an example.
///
/// # Errors
/// If the certificate does not prove its claims.
pub fn check_claims<B: Bits>(grid: &Grid<B>, bytes: &[u8]) -> Result<ClaimFile, CheckError> {
    check_counting(grid, bytes, &mut |_| Ok(())).map(|(file, _)| file)
}

/// How much of a certificate is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckProgress {
    /// Bytes of the proof that are checked.
    pub checked: u64,
    /// Length of the proof in bytes, as the certificate states it.
    pub total: u64,
}

/// Checks a certificate as [`check_claims`] does, and reports progress every few kilobytes. `progress`
/// can stop it.
///
/// # Errors
/// If the certificate does not prove its claims, or the check is stopped.
pub fn check_claims_with_progress<B: Bits>(
    grid: &Grid<B>,
    bytes: &[u8],
    progress: &mut dyn FnMut(CheckProgress) -> Result<(), Stopped>,
) -> Result<ClaimFile, CheckError> {
    check_counting(grid, bytes, progress).map(|(file, _)| file)
}

/// As [`check_claims`], with the cost of the check in lines examined or updated.
fn check_counting<B: Bits>(
    grid: &Grid<B>,
    bytes: &[u8],
    progress: &mut dyn FnMut(CheckProgress) -> Result<(), Stopped>,
) -> Result<(ClaimFile, u64), CheckError> {
    let OpenFile {
        header,
        length,
        proof,
    } = open(bytes)?;
    if header.game != grid.name() {
        return Err(CheckError::OtherGame {
            found: header.game,
            wanted: grid.name(),
        });
    }
    let wrong = CheckError::Line {
        line: 3,
        expected: "an unfinished position of this board",
    };
    let position = grid
        .parse_position(&header.position)
        .ok()
        .filter(|position| grid.format_position(position) == header.position)
        .filter(|position| grid.outcome(position).is_none())
        .ok_or(wrong)?;
    let turn = grid.turn(&position);
    let mut report = |checked| {
        progress(CheckProgress {
            checked,
            total: length,
        })
    };
    let mut reader = ProofReader::new(proof).reporting_to(&mut report);
    for claim in &header.claims {
        let to_move = claim.player == turn;
        match claim.kind {
            ClaimKind::Wins => {
                let board = CheckerBoard::set_up(grid, &position, claim.player);
                let mut verifier = WinVerifier::new(board, &mut reader);
                if to_move {
                    verifier.node()?;
                } else {
                    verifier.waiting()?;
                }
            }
            ClaimKind::WinsBySequences => {
                let board = CheckerBoard::set_up(grid, &position, claim.player);
                SequenceVerifier::new(board, &mut reader).verify(to_move)?;
            }
            ClaimKind::Draws | ClaimKind::DrawsCountering => {
                let board = CheckerBoard::set_up(grid, &position, claim.player.other());
                let counter = claim.kind == ClaimKind::DrawsCountering;
                let mut verifier = DrawVerifier::new(board, &mut reader, counter);
                if to_move {
                    verifier.reply()?;
                } else {
                    verifier.node()?;
                }
            }
            ClaimKind::DrawsMovingFirst => {
                if position != grid.start() || !to_move {
                    return Err(reader.fault(ProofFault::NotFirst));
                }
            }
        }
    }
    reader.end(length)?;
    Ok((header, reader.work))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_grows_to_the_length_of_the_proof() {
        let file = include_bytes!("../../../../../data/certificates/tictactoe-4x7.certificate");
        let grid = Grid::<u64>::new(&[4, 7], 4).expect("a board");
        let mut reports = Vec::new();
        let claims = check_claims_with_progress(&grid, file, &mut |progress| {
            reports.push(progress);
            Ok(())
        });
        assert_eq!(claims, check_claims(&grid, file));
        assert!(reports.len() > 10 && reports.is_sorted_by_key(|report| report.checked));
        let last = reports.last().expect("there are reports");
        assert_eq!(last.checked, last.total);
        assert_eq!(last.total, open(file).expect("a certificate").length);
    }

    /// The cost of a check per byte of the proof and line of the board.
    fn work(sides: &[usize], length: usize, file: &[u8]) -> f64 {
        let grid = Grid::<u64>::new(sides, length).expect("a board");
        let bytes = open(file).expect("a certificate").length;
        let (_, work) = check_counting(&grid, file, &mut |_| Ok(())).expect("a valid proof");
        work as f64 / bytes as f64 / grid.winning_lines().len() as f64
    }

    #[test]
    fn checking_costs_at_most_one_visit_of_every_line_per_byte() {
        macro_rules! work_of {
            ($sides:expr, $length:literal, $name:literal) => {
                work(
                    &$sides,
                    $length,
                    include_bytes!(concat!(
                        "../../../../../data/certificates/tictactoe-",
                        $name,
                        ".certificate"
                    )),
                )
            };
        }
        // Proofs of 200 bytes to 700 KB.
        let all = [
            work_of!([5, 6], 5, "5x6"),
            work_of!([4, 5], 4, "4x5"),
            work_of!([4, 6], 4, "4x6"),
            work_of!([4, 7], 4, "4x7"),
            work_of!([4, 8], 4, "4x8"),
            work_of!([7, 7], 5, "7x7-5"),
            work_of!([5, 6], 4, "5x6-4"),
            work_of!([4, 9], 4, "4x9"),
        ];
        assert!(all.iter().all(|&work| work > 0.0 && work < 1.0), "{all:?}");
    }
}
