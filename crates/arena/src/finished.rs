//! A finished game, as it is kept.

use std::time::Duration;

use papan_rules::{Move, Outcome, Player};

use crate::forfeit::{Forfeit, ForfeitKind};

/// What a player's moves in one game cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many moves the player chose.
    pub moves: u64,
    /// The nodes looked at for them.
    pub nodes: u64,
    /// The time taken for them.
    pub time: Duration,
}

impl Effort {
    /// Adds another effort to this one.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its number in the schedule.
    pub game: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it ended, when it was not by the rules; the winner is the other player.
    pub forfeit: Option<Forfeit>,
    /// The discs of both players at the end, where the game counts them.
    pub discs: Option<[u32; 2]>,
    /// What it cost both players, by seat.
    pub efforts: [Effort; 2],
    /// All moves, the opening's included.
    pub moves: Vec<Move>,
}

/// A record that is no finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a record that is no game")]
pub struct NotAGame;

const DRAW: u8 = 0;
const FORFEITED: u8 = 4;
const COUNTED: u8 = 8;

impl Finished {
    /// Appends the game to a record: variable-length numbers, about 25 bytes for a
    /// game on 3x3.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.game);
        let outcome = self.outcome.winner().map_or(DRAW, |p| 1 + p.index() as u8);
        let forfeited = if self.forfeit.is_some() { FORFEITED } else { 0 };
        let counted = if self.discs.is_some() { COUNTED } else { 0 };
        out.push(outcome | forfeited | counted);
        if let Some(Forfeit { kind, detail }) = &self.forfeit {
            out.push(*kind as u8);
            put(out, detail.len() as u64);
            out.extend_from_slice(detail.as_bytes());
        }
        for discs in self.discs.into_iter().flatten() {
            put(out, discs.into());
        }
        for effort in &self.efforts {
            put(out, effort.moves);
            put(out, effort.nodes);
            put(out, effort.time.as_nanos().try_into().unwrap_or(u64::MAX));
        }
        put(out, self.moves.len() as u64);
        for mv in &self.moves {
            // A pass becomes 0, the cells 1 and up: one byte on most boards.
            put(out, u64::from(mv.to_raw().wrapping_add(1)));
        }
    }

    /// Reads what [`Finished::encode`] wrote.
    ///
    /// # Errors
    /// When it wrote nothing like this.
    pub fn decode(mut record: &[u8]) -> Result<Self, NotAGame> {
        let bytes = &mut record;
        let game = take(bytes)?;
        let flags = byte(bytes)?;
        let outcome = match flags & 3 {
            1 => Outcome::Win(Player::First),
            2 => Outcome::Win(Player::Second),
            DRAW => Outcome::Draw,
            _ => return Err(NotAGame),
        };
        let forfeit = match flags & FORFEITED {
            0 => None,
            _ => Some(take_forfeit(bytes)?),
        };
        let discs = match flags & COUNTED {
            0 => None,
            _ => Some([take_number(bytes)?, take_number(bytes)?]),
        };
        let mut effort = || -> Result<Effort, NotAGame> {
            Ok(Effort {
                moves: take(bytes)?,
                nodes: take(bytes)?,
                time: Duration::from_nanos(take(bytes)?),
            })
        };
        let efforts = [effort()?, effort()?];
        let count = take(bytes)?;
        let moves = (0..count)
            .map(|_| take_number::<u16>(bytes).map(|raw| Move::from_raw(raw.wrapping_sub(1))))
            .collect::<Result<_, _>>()?;
        if !bytes.is_empty() {
            return Err(NotAGame);
        }
        Ok(Self {
            game,
            outcome,
            forfeit,
            discs,
            efforts,
            moves,
        })
    }
}

fn take_forfeit(bytes: &mut &[u8]) -> Result<Forfeit, NotAGame> {
    let kind = usize::from(byte(bytes)?);
    let length = usize::try_from(take(bytes)?).map_err(|_| NotAGame)?;
    let (text, rest) = bytes.split_at_checked(length).ok_or(NotAGame)?;
    *bytes = rest;
    Ok(Forfeit {
        kind: *ForfeitKind::ALL.get(kind).ok_or(NotAGame)?,
        detail: String::from_utf8(text.to_vec()).map_err(|_| NotAGame)?,
    })
}

/// Seven bits a byte, the lowest first; the eighth bit says that more follow.
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Result<u64, NotAGame> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let next = byte(bytes)?;
        number |= u64::from(next & 0x7f) << shift;
        if next < 0x80 {
            return Ok(number);
        }
    }
    Err(NotAGame)
}

fn take_number<N: TryFrom<u64>>(bytes: &mut &[u8]) -> Result<N, NotAGame> {
    take(bytes)?.try_into().map_err(|_| NotAGame)
}

fn byte(bytes: &mut &[u8]) -> Result<u8, NotAGame> {
    let (first, rest) = bytes.split_first().ok_or(NotAGame)?;
    *bytes = rest;
    Ok(*first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn game(numbers: &[u64], moves: Vec<u16>) -> Finished {
        let effort = |i: usize| Effort {
            moves: numbers[i],
            nodes: numbers[i + 1],
            time: Duration::from_nanos(numbers[i + 2]),
        };
        let forfeit = numbers[0].is_multiple_of(3).then(|| {
            let kind = ForfeitKind::ALL[numbers[1] as usize % 7];
            Forfeit::new(kind, format!("because of {}", numbers[2]))
        });
        Finished {
            game: numbers[6],
            outcome: match numbers[7] % 3 {
                0 => Outcome::Draw,
                n => Outcome::Win(Player::BOTH[n as usize - 1]),
            },
            forfeit,
            discs: numbers[3]
                .is_multiple_of(2)
                .then_some([numbers[4] as u32, numbers[5] as u32]),
            efforts: [effort(0), effort(3)],
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
            prop_assert_eq!(Finished::decode(&record), Ok(game));
            for length in 0..record.len() {
                prop_assert_eq!(Finished::decode(&record[..length]), Err(NotAGame));
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = Finished::decode(&bytes);
        }
    }

    #[test]
    fn a_small_game_takes_few_bytes() {
        let game = game(&[5, 6, 700, 4, 5, 900, 12_345, 0], (0..9).collect());
        let mut record = Vec::new();
        game.encode(&mut record);
        assert!(record.len() <= 25, "{} bytes", record.len());
        let mut pass = Vec::new();
        put(&mut pass, u64::from(Move::PASS.to_raw().wrapping_add(1)));
        assert_eq!(pass, [0]);
    }
}
