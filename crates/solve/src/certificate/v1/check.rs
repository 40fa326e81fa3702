//! Checking a certificate without trusting whoever wrote it.
//!
//! [`check`] shares nothing with the prover but the rules. A certificate is
//! believed when its list is closed: the first position in which the strategy is
//! to move is on it, every listed move is legal and does not lose, and whatever
//! the opponent replies leads to a finished game that is not lost, to a board on
//! which nobody can win any more, or to a listed position. Then no line of play
//! leaves the list, and none ends in a loss.

use papan_rules::{GameInfo, Move, Outcome, Player, Symmetric, Symmetry};
use papan_strategies::Watch;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::certificate::CheckError;
use crate::certificate::envelope::{HeaderLines, KIND, strip_checksum};
use crate::{Certificate, StrategyFactory};

/// The version of the format.
pub(crate) const VERSION: u32 = 1;

/// What a certificate claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyClaim {
    /// The name of the game.
    pub game: String,
    /// The name of the strategy, for the reader: the list speaks for itself.
    pub strategy: String,
    /// Its seat.
    pub player: Player,
    /// The symmetries up to which positions are listed, by their numbers.
    pub symmetries: Vec<usize>,
    /// How many positions are listed.
    pub positions: usize,
}

/// How many lines come before the entries.
const HEADER_LINES: usize = 6;
/// What a certificate claims, and its entries, once its form is seen to be whole.
fn open(bytes: &[u8]) -> Result<(StrategyClaim, &[u8]), CheckError> {
    let first = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
    let version = std::str::from_utf8(first)
        .ok()
        .and_then(|line| line.strip_prefix(KIND)?.strip_prefix(' '))
        .ok_or(CheckError::NotACertificate)?;
    match version.parse() {
        Ok(VERSION) if version == VERSION.to_string() => {}
        Ok(other) if other > VERSION => return Err(CheckError::Version(other)),
        _ => return Err(CheckError::NotACertificate),
    }
    let body = strip_checksum(bytes)?;
    if !body.ends_with(b"\n") {
        return Err(CheckError::Truncated);
    }
    let mut lines = HeaderLines::after_first(body);
    let game = lines.field("game")?.to_owned();
    let strategy = lines.field("strategy")?.to_owned();
    let player = match lines.field("as")? {
        "first" => Player::First,
        "second" => Player::Second,
        _ => return Err(lines.wrong("`as first` or `as second`")),
    };
    let numbers = lines.field("symmetries")?.split(' ').map(str::parse);
    let symmetries = numbers
        .collect::<Result<Vec<usize>, _>>()
        .map_err(|_| lines.wrong("the numbers of symmetries"))?;
    let positions = lines.field("positions")?.parse();
    let positions = positions.map_err(|_| lines.wrong("the number of positions"))?;
    let claim = StrategyClaim {
        game,
        strategy,
        player,
        symmetries,
        positions,
    };
    Ok((claim, lines.rest))
}

/// What a certificate claims, before anything is checked but its form: the name of
/// the game tells which rules to check it with.
///
/// # Errors
/// When the file is no certificate, of another version, cut or changed.
pub fn read_claim(bytes: &[u8]) -> Result<StrategyClaim, CheckError> {
    open(bytes).map(|(claim, _)| claim)
}

/// Checks a certificate and returns what it has thereby proved.
///
/// # Errors
/// When it is not believed.
pub fn check<G: GameInfo + Symmetric>(game: &G, bytes: &[u8]) -> Result<StrategyClaim, CheckError> {
    let (claim, body) = open(bytes)?;
    if claim.game != game.name() {
        return Err(CheckError::OtherGame {
            found: claim.game,
            wanted: game.name(),
        });
    }
    let all = game.symmetries();
    let symmetries = claim.symmetries.iter().map(|&number| all.get(number));
    let symmetries: Vec<&Symmetry> = symmetries.collect::<Option<_>>().ok_or(CheckError::Line {
        line: 5,
        expected: "the numbers of symmetries of this board",
    })?;
    let checker = Checker {
        game,
        player: claim.player,
        symmetries,
    };
    let entries = checker.entries(body, claim.positions)?;
    let listed: Listed<G> = entries
        .iter()
        .map(|entry| game.pack(&entry.position))
        .collect();
    checker
        .arrive(&game.start(), &listed)
        .map_err(|fault| fault.error(game, 1, None))?;
    entries
        .par_iter()
        .enumerate()
        .try_for_each(|(at, entry)| checker.follow(HEADER_LINES + 1 + at, entry, &listed))?;
    Ok(claim)
}

/// Whether a certificate lists exactly what this strategy, which it names, plays.
///
/// # Errors
/// When it does not, or the strategy does not get that far.
pub fn replay<G: GameInfo + Symmetric>(
    game: &G,
    bytes: &[u8],
    factory: StrategyFactory<'_, G>,
    watch: &Watch,
) -> Result<(), CheckError> {
    let claim = read_claim(bytes)?;
    match Certificate::of_proved(game, factory, &claim.strategy, claim.player, watch) {
        Ok(again) if again.text().as_bytes() == bytes => Ok(()),
        _ => Err(CheckError::OtherMoves(claim.strategy)),
    }
}

struct Entry<P> {
    position: P,
    mv: Move,
    /// Further moves; for most strategies there are none.
    others: Vec<Move>,
}

struct Checker<'a, G: GameInfo + Symmetric> {
    game: &'a G,
    player: Player,
    symmetries: Vec<&'a Symmetry>,
}

type Listed<G> = FxHashSet<<G as Symmetric>::Packed>;

impl<G: GameInfo + Symmetric> Checker<'_, G> {
    /// Reads the entries.
    fn entries(&self, body: &[u8], count: usize) -> Result<Vec<Entry<G::Position>>, CheckError> {
        let lines: Vec<&[u8]> = body.split_inclusive(|&b| b == b'\n').collect();
        if lines.len() != count {
            return Err(CheckError::Line {
                line: 6,
                expected: "the number of entries that follow",
            });
        }
        let entry = |cells: &mut Vec<_>, (at, line): (usize, &&[u8])| {
            self.entry(line, cells)
                .map_err(|expected| CheckError::Line {
                    line: HEADER_LINES + 1 + at,
                    expected,
                })
        };
        let lines = lines.par_iter().enumerate();
        lines.map_init(Vec::new, entry).collect()
    }

    /// Reads one entry; `cells` is a list to work in.
    fn entry(
        &self,
        line: &[u8],
        cells: &mut Vec<Option<Player>>,
    ) -> Result<Entry<G::Position>, &'static str> {
        let n = self.game.cells();
        if line.len() < n + 2 || line[n] != b' ' {
            return Err("the cells of a position, a space, and moves");
        }
        cells.clear();
        for byte in &line[..n] {
            cells.push(match byte {
                b'X' => Some(Player::First),
                b'O' => Some(Player::Second),
                b'-' => None,
                _ => return Err("cells written X, O or -"),
            });
        }
        let position = self
            .game
            .position(cells, self.player)
            .map_err(|_| "a position that can arise, with the strategy to move")?;
        let text = std::str::from_utf8(&line[n + 1..line.len() - 1]);
        let text = text.map_err(|_| "moves")?;
        let mut words = text.split(',').map(|word| {
            let mv = self.game.parse_move(word).map_err(|_| "a move")?;
            let legal = self.game.is_legal(&position, mv);
            legal.then_some(mv).ok_or("a legal move")
        });
        let mv = words.next().ok_or("a move")??;
        let others = words.collect::<Result<_, _>>()?;
        Ok(Entry {
            position,
            mv,
            others,
        })
    }

    /// Every listed move, and every reply to it, leads on or ends well.
    fn follow(
        &self,
        line: usize,
        entry: &Entry<G::Position>,
        listed: &Listed<G>,
    ) -> Result<(), CheckError> {
        for &mv in std::iter::once(&entry.mv).chain(&entry.others) {
            let after = self.game.after(&entry.position, mv);
            self.arrive(&after, listed)
                .map_err(|fault| fault.error(self.game, line, Some(mv)))?;
        }
        Ok(())
    }

    /// Plays on from a position until the strategy is to move.
    fn arrive(&self, pos: &G::Position, listed: &Listed<G>) -> Result<(), Arrival> {
        if let Some(outcome) = self.game.outcome(pos) {
            return if outcome == Outcome::Win(self.player.other()) {
                Err(Arrival::Lost(None))
            } else {
                Ok(())
            };
        }
        if self.game.turn(pos) == self.player {
            return if self.is_covered(pos, listed) {
                Ok(())
            } else {
                Err(Arrival::Missing(self.game.format_position(pos)))
            };
        }
        for reply in self.game.legal_moves(pos) {
            let next = self.game.after(pos, reply);
            self.arrive(&next, listed).map_err(|fault| match fault {
                Arrival::Lost(None) => Arrival::Lost(Some(reply)),
                other => other,
            })?;
        }
        Ok(())
    }

    /// Whether a position is listed, up to the symmetries, or needs no answer.
    fn is_covered(&self, pos: &G::Position, listed: &Listed<G>) -> bool {
        let is_listed = |image: &G::Position| listed.contains(&self.game.pack(image));
        is_listed(pos)
            || self.game.is_dead(pos)
            || self
                .symmetries
                .iter()
                .any(|symmetry| is_listed(&self.game.transform(pos, symmetry)))
    }
}

/// What can be wrong where play arrives.
enum Arrival {
    Missing(String),
    /// Lost, by this reply.
    Lost(Option<Move>),
}

impl Arrival {
    fn error<G: GameInfo + Symmetric>(self, game: &G, line: usize, mv: Option<Move>) -> CheckError {
        let text = |mv: Option<Move>| mv.map_or_else(|| "-".into(), |mv| game.format_move(mv));
        match self {
            Self::Missing(position) => CheckError::Missing(position),
            Self::Lost(reply) => CheckError::Loses {
                line,
                mv: text(mv),
                reply: text(reply),
            },
        }
    }
}
