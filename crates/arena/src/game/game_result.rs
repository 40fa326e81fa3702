//! Results of games and their encoding in the journal.

use std::time::Duration;

use papan_rules::{Move, Outcome, Player, SwapOpening};

use crate::game::adjudication::AdjudicatedBy;
use crate::tournament::ScheduledGame;
use papan_protocol::{Forfeit, ForfeitKind};

/// Cost of a player's moves in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How many moves the player chose.
    pub moves: u64,
    /// The nodes looked at for them.
    pub nodes: u64,
    /// The time taken for them.
    pub time: Duration,
}

impl Cost {
    /// Adds another cost to this one.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Its number in the schedule.
    pub game: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it ended, when it was not by the rules; the winner is the other player.
    pub forfeit: Option<Forfeit>,
    /// Who ended it, when neither the rules nor a forfeit did.
    pub adjudicated: Option<AdjudicatedBy>,
    /// The discs of both players at the end, where the game counts them.
    pub discs: Option<[u32; 2]>,
    /// The swap opening with its choices, where the tournament has such a rule.
    pub opening: Option<SwapOpening>,
    /// Costs of both players, by seat at the end.
    pub costs: [Cost; 2],
    /// All moves, the opening's included.
    pub moves: Vec<Move>,
    /// Notes on the last of these moves, one each; empty if there are none.
    pub notes: Vec<MoveNote>,
}

/// Time and score of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveNote {
    /// How long it took, in microseconds.
    pub micros: u64,
    /// The score reported by the player, in its own units.
    pub score: Option<i32>,
}

impl GameResult {
    /// Why the game ended before the rules ended it.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        let forfeit = self.forfeit.as_ref().map(ToString::to_string);
        forfeit.or(self
            .adjudicated
            .map(|by| format!("adjudicated by {}", by.word())))
    }

    /// Returns who sat where at the end: a swap opening may exchange the players.
    #[must_use]
    pub fn seats(&self, planned: &ScheduledGame) -> [usize; 2] {
        let [first, second] = planned.seats;
        match self.opening {
            Some(opening) if opening.exchanged() => [second, first],
            _ => planned.seats,
        }
    }

    /// Returns the note on the move of this ply.
    #[must_use]
    pub fn note(&self, ply: usize) -> Option<&MoveNote> {
        let first = self.moves.len().checked_sub(self.notes.len())?;
        self.notes.get(ply.checked_sub(first)?)
    }
}

/// A record that is no finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a record that is no game")]
pub struct DecodeError;

const DRAW: u8 = 0;
const FORFEITED: u8 = 4;
const COUNTED: u8 = 8;
const ADJUDICATED: u8 = 16;
const NOTED: u8 = 32;
const SWAPPED: u8 = 64;

impl GameResult {
    /// Appends the game to a record: variable-length numbers, about 25 bytes for a
    /// game on 3x3.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.game);
        let outcome = self.outcome.winner().map_or(DRAW, |p| 1 + p.index() as u8);
        let forfeited = if self.forfeit.is_some() { FORFEITED } else { 0 };
        let counted = if self.discs.is_some() { COUNTED } else { 0 };
        let adjudicated = if self.adjudicated.is_some() {
            ADJUDICATED
        } else {
            0
        };
        let noted = if self.notes.is_empty() { 0 } else { NOTED };
        let swapped = if self.opening.is_some() { SWAPPED } else { 0 };
        out.push(outcome | forfeited | counted | adjudicated | noted | swapped);
        if let Some(opening) = self.opening {
            put_text(out, &opening.to_string());
        }
        if let Some(Forfeit { kind, detail }) = &self.forfeit {
            out.push(*kind as u8);
            put_text(out, detail);
        }
        if let Some(by) = self.adjudicated {
            out.push(by as u8);
        }
        for discs in self.discs.into_iter().flatten() {
            put(out, discs.into());
        }
        for cost in &self.costs {
            put(out, cost.moves);
            put(out, cost.nodes);
            put(out, cost.time.as_nanos().try_into().unwrap_or(u64::MAX));
        }
        put(out, self.moves.len() as u64);
        for mv in &self.moves {
            // A pass becomes 0, the cells 1 and up: one byte on most boards.
            put(out, u64::from(mv.to_raw().wrapping_add(1)));
        }
        if !self.notes.is_empty() {
            put(out, self.notes.len() as u64);
        }
        for note in &self.notes {
            put(out, note.micros);
            // 0 if there is no score; the sign is in the lowest bit (zigzag encoding).
            let folded = |score: i32| (score << 1 ^ score >> 31).cast_unsigned();
            put(
                out,
                note.score.map_or(0, |score| 1 + u64::from(folded(score))),
            );
        }
    }

    /// Decodes [`GameResult::encode`].
    ///
    /// # Errors
    /// When the record is not an encoded game.
    pub fn decode(mut record: &[u8]) -> Result<Self, DecodeError> {
        let bytes = &mut record;
        let game = take(bytes)?;
        let flags = byte(bytes)?;
        let outcome = match flags & 3 {
            1 => Outcome::Win(Player::First),
            2 => Outcome::Win(Player::Second),
            DRAW => Outcome::Draw,
            _ => return Err(DecodeError),
        };
        let opening = match flags & SWAPPED {
            0 => None,
            _ => Some(take_text(bytes)?.parse().map_err(|_| DecodeError)?),
        };
        let forfeit = match flags & FORFEITED {
            0 => None,
            _ => Some(take_forfeit(bytes)?),
        };
        let adjudicated = match flags & ADJUDICATED {
            0 => None,
            _ => {
                let by = AdjudicatedBy::ALL.get(usize::from(byte(bytes)?));
                Some(*by.ok_or(DecodeError)?)
            }
        };
        let discs = match flags & COUNTED {
            0 => None,
            _ => Some([take_number(bytes)?, take_number(bytes)?]),
        };
        let mut cost = || -> Result<Cost, DecodeError> {
            Ok(Cost {
                moves: take(bytes)?,
                nodes: take(bytes)?,
                time: Duration::from_nanos(take(bytes)?),
            })
        };
        let costs = [cost()?, cost()?];
        let count = take(bytes)?;
        let moves = (0..count)
            .map(|_| take_number::<u16>(bytes).map(|raw| Move::from_raw(raw.wrapping_sub(1))))
            .collect::<Result<_, _>>()?;
        let notes = match flags & NOTED {
            0 => Vec::new(),
            _ => take_notes(bytes)?,
        };
        if !bytes.is_empty() {
            return Err(DecodeError);
        }
        Ok(Self {
            game,
            outcome,
            forfeit,
            adjudicated,
            discs,
            opening,
            costs,
            moves,
            notes,
        })
    }
}

fn take_forfeit(bytes: &mut &[u8]) -> Result<Forfeit, DecodeError> {
    let kind = usize::from(byte(bytes)?);
    Ok(Forfeit {
        detail: take_text(bytes)?,
        kind: *ForfeitKind::ALL.get(kind).ok_or(DecodeError)?,
    })
}

/// Writes a text with its length.
fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

fn take_text(bytes: &mut &[u8]) -> Result<String, DecodeError> {
    let length = usize::try_from(take(bytes)?).map_err(|_| DecodeError)?;
    let (text, rest) = bytes.split_at_checked(length).ok_or(DecodeError)?;
    *bytes = rest;
    String::from_utf8(text.to_vec()).map_err(|_| DecodeError)
}

fn take_notes(bytes: &mut &[u8]) -> Result<Vec<MoveNote>, DecodeError> {
    let count = take(bytes)?;
    let note = |_| {
        let micros = take(bytes)?;
        let score = match take(bytes)?.checked_sub(1) {
            None => None,
            Some(folded) => {
                let folded = u32::try_from(folded).map_err(|_| DecodeError)?;
                Some((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
            }
        };
        Ok(MoveNote { micros, score })
    };
    let notes: Vec<MoveNote> = (0..count).map(note).collect::<Result<_, DecodeError>>()?;
    if notes.is_empty() {
        Err(DecodeError)
    } else {
        Ok(notes)
    }
}

/// Writes a variable-length number (LEB128).
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Result<u64, DecodeError> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let next = byte(bytes)?;
        number |= u64::from(next & 0x7f) << shift;
        if next < 0x80 {
            return Ok(number);
        }
    }
    Err(DecodeError)
}

fn take_number<N: TryFrom<u64>>(bytes: &mut &[u8]) -> Result<N, DecodeError> {
    take(bytes)?.try_into().map_err(|_| DecodeError)
}

fn byte(bytes: &mut &[u8]) -> Result<u8, DecodeError> {
    let (first, rest) = bytes.split_first().ok_or(DecodeError)?;
    *bytes = rest;
    Ok(*first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn game(numbers: &[u64], moves: Vec<u16>) -> GameResult {
        let cost = |i: usize| Cost {
            moves: numbers[i],
            nodes: numbers[i + 1],
            time: Duration::from_nanos(numbers[i + 2]),
        };
        let forfeit = numbers[0].is_multiple_of(3).then(|| {
            let kind = ForfeitKind::ALL[numbers[1] as usize % 7];
            Forfeit::new(kind, format!("because of {}", numbers[2]))
        });
        GameResult {
            game: numbers[6],
            outcome: match numbers[7] % 3 {
                0 => Outcome::Draw,
                n => Outcome::Win(Player::BOTH[n as usize - 1]),
            },
            forfeit,
            discs: numbers[3]
                .is_multiple_of(2)
                .then_some([numbers[4] as u32, numbers[5] as u32]),
            adjudicated: numbers[4]
                .is_multiple_of(2)
                .then(|| AdjudicatedBy::ALL[numbers[5] as usize % 3]),
            opening: [None, "swap2 two black".parse().ok()][numbers[6] as usize % 2],
            costs: [cost(0), cost(3)],
            notes: numbers[6 - numbers[0] as usize % 6..6]
                .iter()
                .map(|&number| MoveNote {
                    micros: number,
                    score: number.is_multiple_of(2).then_some(number as i32),
                })
                .collect(),
            moves: moves.into_iter().map(Move::from_raw).collect(),
        }
    }

    proptest! {
        #[test]
        fn a_game_is_read_as_it_was_written(
            numbers in proptest::collection::vec(any::<u64>(), 8),
            moves in proptest::collection::vec(any::<u16>(), 0..80),
        ) {
            let game = game(&numbers, moves);
            let mut record = Vec::new();
            game.encode(&mut record);
            prop_assert_eq!(GameResult::decode(&record), Ok(game));
            for length in 0..record.len() {
                prop_assert_eq!(GameResult::decode(&record[..length]), Err(DecodeError));
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = GameResult::decode(&bytes);
        }
    }

    /// A game as papan 0.1.0 wrote it.
    #[test]
    fn a_game_of_0_1_0_is_still_read() {
        let record = [3, 1, 3, 10, 0, 2, 8, 0, 5, 5, 1, 4, 2, 6];
        let game = GameResult::decode(&record).unwrap();
        assert_eq!((game.game, game.outcome), (3, Outcome::Win(Player::First)));
        assert_eq!(
            game.costs.map(|cost| (cost.moves, cost.nodes)),
            [(3, 10), (2, 8)]
        );
        let cells: Vec<_> = game.moves.iter().filter_map(|mv| mv.cell()).collect();
        assert_eq!(cells, [4, 0, 3, 1, 5]);
        assert!(game.notes.is_empty() && game.adjudicated.is_none());
    }

    #[test]
    fn a_small_game_takes_few_bytes() {
        let game = game(&[6 * 7 + 1, 6, 700, 4, 5, 900, 12_345, 0], (0..9).collect());
        let game = GameResult {
            notes: Vec::new(),
            opening: None,
            ..game
        };
        let mut record = Vec::new();
        game.encode(&mut record);
        assert!(record.len() <= 25, "{} bytes", record.len());
        let mut pass = Vec::new();
        put(&mut pass, u64::from(Move::PASS.to_raw().wrapping_add(1)));
        assert_eq!(pass, [0]);
    }
}
