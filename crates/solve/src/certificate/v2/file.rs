//! A file of claims: its header, its sum, and the order in which it is checked.

use papan_rules::{Bits, Game as _, GameInfo as _, Grid, Notation as _, Player};

use super::checker_board::CheckerBoard;
use super::proof_reader::ProofReader;
use super::verify_draw::DrawVerifier;
use super::verify_win::WinVerifier;
use crate::certificate::envelope::{HeaderLines, KIND, strip_checksum};
use crate::certificate::{CheckError, ProofFault};

/// The version of this format.
pub(super) const VERSION: &str = "2";

/// What a file claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimFile {
    /// The name of the game.
    pub game: String,
    /// The position, as text.
    pub position: String,
    /// What it claims, each with its own proof.
    pub claims: Vec<PositionClaim>,
}

/// One claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionClaim {
    /// Who at least draws, or wins.
    pub player: Player,
    /// Why.
    pub kind: ClaimKind,
}

/// How a claim is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// The player wins: an attack with an answer to every reply.
    Wins,
    /// The player draws at least: he stops every line of the other.
    Draws,
    /// The player draws at least: he stops every line, and his own fours count.
    DrawsCountering,
    /// The player draws at least: he moves first on the empty board. If the other had a
    /// way to win, he could make it his own, since a stone too many never hurts.
    DrawsMovingFirst,
}

impl ClaimKind {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Wins, "wins"),
        (Self::Draws, "draws"),
        (Self::DrawsCountering, "draws-countering"),
        (Self::DrawsMovingFirst, "draws-moving-first"),
    ];

    /// As it stands in the file.
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
    /// The value for the player who moves first in the game, where the claims settle it:
    /// 1, 0 or -1.
    #[must_use]
    pub fn value(&self) -> Option<i32> {
        let claims = |player: Player, wins: bool| {
            let mut all = self.claims.iter();
            all.any(|claim| claim.player == player && (claim.kind == ClaimKind::Wins) == wins)
        };
        if claims(Player::First, true) {
            Some(1)
        } else if claims(Player::Second, true) {
            Some(-1)
        } else {
            (claims(Player::First, false) && claims(Player::Second, false)).then_some(0)
        }
    }

    /// The lines before the proof.
    pub(super) fn header(&self, length: usize) -> String {
        let mut text = format!(
            "{KIND} {VERSION}\ngame {}\nposition {}\nclaims {}\n",
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

/// What a file claims, the length of its proof, and the compressed proof.
pub(super) fn open(bytes: &[u8]) -> Result<(ClaimFile, u64, &[u8]), CheckError> {
    let first = format!("{KIND} {VERSION}\n");
    if !bytes.starts_with(first.as_bytes()) {
        return Err(CheckError::NotACertificate);
    }
    let mut lines = HeaderLines::after_first(strip_checksum(bytes)?);
    let game = lines.field("game")?.to_owned();
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
    let file = ClaimFile {
        game,
        position,
        claims,
    };
    Ok((file, length, lines.rest))
}

/// What a file claims, before anything is checked but its form: the name of the game
/// tells which rules to check it with.
///
/// # Errors
/// When the file is no certificate of version 2, cut or changed.
pub fn read_claims(bytes: &[u8]) -> Result<ClaimFile, CheckError> {
    open(bytes).map(|(file, _, _)| file)
}

/// Checks a file and returns what it has thereby proved.
///
/// # Errors
/// When it is not believed.
pub fn check_claims<B: Bits>(grid: &Grid<B>, bytes: &[u8]) -> Result<ClaimFile, CheckError> {
    check_counting(grid, bytes).map(|(file, _)| file)
}

/// The same, with how many lines of the board were looked at or changed for it.
fn check_counting<B: Bits>(grid: &Grid<B>, bytes: &[u8]) -> Result<(ClaimFile, u64), CheckError> {
    let (file, length, proof) = open(bytes)?;
    if file.game != grid.name() {
        return Err(CheckError::OtherGame {
            found: file.game,
            wanted: grid.name(),
        });
    }
    let wrong = CheckError::Line {
        line: 3,
        expected: "an unfinished position of this board",
    };
    let position = grid
        .parse_position(&file.position)
        .ok()
        .filter(|position| grid.format_position(position) == file.position)
        .filter(|position| grid.outcome(position).is_none())
        .ok_or(wrong)?;
    let turn = grid.turn(&position);
    let mut body = ProofReader::new(proof);
    for claim in &file.claims {
        let to_move = claim.player == turn;
        match claim.kind {
            ClaimKind::Wins => {
                let mut check = WinVerifier {
                    stones: CheckerBoard::set_up(grid, &position, claim.player),
                    body: &mut body,
                    unknown: Vec::new(),
                    finished: Vec::new(),
                };
                if to_move {
                    check.node()?;
                } else {
                    check.safe()?;
                    check.answers()?;
                }
            }
            ClaimKind::Draws | ClaimKind::DrawsCountering => {
                let stones = CheckerBoard::set_up(grid, &position, claim.player.other());
                let counter = claim.kind == ClaimKind::DrawsCountering;
                let mut check = DrawVerifier::new(stones, &mut body, counter);
                if to_move {
                    check.reply()?;
                } else {
                    check.node()?;
                }
            }
            ClaimKind::DrawsMovingFirst => {
                if position != grid.start() || !to_move {
                    return Err(body.fault(ProofFault::NotFirst));
                }
            }
        }
    }
    body.end(length)?;
    Ok((file, body.work))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The work for each byte of a proof and each line of its board.
    fn work(sides: &[usize], length: usize, file: &[u8]) -> f64 {
        let grid = Grid::<u64>::new(sides, length).expect("a board");
        let (_, bytes, _) = open(file).expect("a certificate");
        let (_, work) = check_counting(&grid, file).expect("believed");
        work as f64 / bytes as f64 / grid.winning_lines().len() as f64
    }

    /// However long the file: each byte costs at most one look at every line.
    #[test]
    fn work_grows_no_faster_than_the_file() {
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
