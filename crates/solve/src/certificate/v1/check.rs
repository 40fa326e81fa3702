//! Checker of version 1 certificates; shares nothing with the prover but the rules.
//!
//! A certificate holds if its list of positions is closed: it contains the first position with the
//! strategy to move, every listed move is legal, and every reply to it leads to a finished game
//! that is not lost, to a dead position, or to a listed one. Then no line of play leaves the list,
//! and none ends in a loss.

use papan_rules::{GameInfo, Move, Outcome, Player, Symmetric, Symmetry, stored_game_name};
use papan_strategies::{StepKind, Watch};
use rustc_hash::FxHashSet;

use crate::certificate::CheckError;
use crate::certificate::envelope::{HeaderLines, KIND, strip_checksum};
use crate::parallel::*;
use crate::{Certificate, StrategyFactory};

/// The format version.
pub(crate) const VERSION: u32 = 1;

/// The claim of a version 1 certificate: a strategy never loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyClaim {
    /// Name of the game.
    pub game: String,
    /// Name of the strategy, for information; only the listed moves are checked.
    pub strategy: String,
    /// Seat of the strategy.
    pub player: Player,
    /// Numbers of the symmetries up to which positions are listed.
    pub symmetries: Vec<usize>,
    /// Number of listed positions.
    pub positions: usize,
}

/// Number of lines before the entries.
const HEADER_LINES: usize = 6;

/// Verifies the envelope and returns the claim and the bytes of the entries.
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
    let game = stored_game_name(lines.field("game")?).into_owned();
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
    let positions = lines
        .field("positions")?
        .parse()
        .map_err(|_| lines.wrong("the number of positions"))?;
    let claim = StrategyClaim {
        game,
        strategy,
        player,
        symmetries,
        positions,
    };
    Ok((claim, lines.rest))
}

/// Reads the claim of a certificate without checking its proof. The name of the game selects the
/// rules to [`check`] it with.
///
/// # Errors
/// If the file is not a version 1 certificate, truncated or modified.
pub fn read_claim(bytes: &[u8]) -> Result<StrategyClaim, CheckError> {
    open(bytes).map(|(claim, _)| claim)
}

/// Checks a certificate and returns the claim that it proves. [`Certificate::new`] has an example.
///
/// # Errors
/// If the certificate does not prove its claim.
pub fn check<G: GameInfo + Symmetric>(game: &G, bytes: &[u8]) -> Result<StrategyClaim, CheckError> {
    check_watched(game, bytes, &Watch::default())
}

/// As [`check`], with progress, and until a stop is requested.
///
/// # Errors
/// If the certificate does not prove its claim, or the check is stopped.
pub fn check_watched<G: GameInfo + Symmetric>(
    game: &G,
    bytes: &[u8],
    watch: &Watch,
) -> Result<StrategyClaim, CheckError> {
    let (claim, body) = open(bytes)?;
    if claim.game != game.name() {
        return Err(CheckError::OtherGame {
            found: claim.game,
            wanted: game.name(),
        });
    }
    let all = game.symmetries();
    let symmetries: Vec<&Symmetry> = claim
        .symmetries
        .iter()
        .map(|&number| all.get(number))
        .collect::<Option<_>>()
        .ok_or(CheckError::Line {
            line: 5,
            expected: "the numbers of symmetries of this board",
        })?;
    let checker = Checker {
        game,
        player: claim.player,
        symmetries,
        watch,
    };
    let entries = checker.entries(body, claim.positions)?;
    let listed: Listed<G> = entries
        .iter()
        .map(|entry| game.pack(&entry.position))
        .collect();
    checker
        .arrive(&game.start(), &listed)
        .map_err(|fault| fault.error(game, 1, None))?;
    watch.begin_step(0, StepKind::Positions, entries.len() as u64);
    let follow = |(at, entry)| {
        watch.check_stop()?;
        watch.advance(1, 0);
        checker.follow(HEADER_LINES + 1 + at, entry, &listed)
    };
    entries.par_iter().enumerate().try_for_each(follow)?;
    Ok(claim)
}

/// Checks that a certificate lists exactly the moves of the strategy that it names.
///
/// # Errors
/// If it lists other moves, or the strategy fails.
pub fn replay<G: GameInfo + Symmetric>(
    game: &G,
    bytes: &[u8],
    factory: StrategyFactory<'_, G>,
    watch: &Watch,
) -> Result<(), CheckError> {
    let claim = read_claim(bytes)?;
    match Certificate::from_proved(game, factory, &claim.strategy, claim.player, watch) {
        Ok(again) if again.text().as_bytes() == bytes => Ok(()),
        _ => Err(CheckError::OtherMoves(claim.strategy)),
    }
}

/// A listed position and its moves.
struct Entry<P> {
    position: P,
    mv: Move,
    /// Further moves; most strategies have none.
    others: Vec<Move>,
}

struct Checker<'a, G: GameInfo + Symmetric> {
    game: &'a G,
    player: Player,
    symmetries: Vec<&'a Symmetry>,
    watch: &'a Watch,
}

type Listed<G> = FxHashSet<<G as Symmetric>::Packed>;

impl<G: GameInfo + Symmetric> Checker<'_, G> {
    /// Parses the entries.
    fn entries(&self, body: &[u8], count: usize) -> Result<Vec<Entry<G::Position>>, CheckError> {
        let lines: Vec<&[u8]> = body.split_inclusive(|&b| b == b'\n').collect();
        if lines.len() != count {
            return Err(CheckError::Line {
                line: 6,
                expected: "the number of entries that follow",
            });
        }
        let entry = |cells: &mut Vec<_>, (at, line): (usize, &&[u8])| {
            self.watch.check_stop()?;
            self.entry(line, cells)
                .map_err(|expected| CheckError::Line {
                    line: HEADER_LINES + 1 + at,
                    expected,
                })
        };
        let lines = lines.par_iter().enumerate();
        lines.map_init(Vec::new, entry).collect()
    }

    /// Parses one entry; `cells` is a reusable buffer.
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
        let text = std::str::from_utf8(&line[n + 1..line.len() - 1]).map_err(|_| "moves")?;
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

    /// Checks that every listed move, and every reply to it, leads to a covered position.
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

    /// Plays all replies from a position until the strategy is to move.
    fn arrive(&self, pos: &G::Position, listed: &Listed<G>) -> Result<(), NotCovered> {
        if let Some(outcome) = self.game.outcome(pos) {
            return if outcome == Outcome::Win(self.player.other()) {
                Err(NotCovered::Lost(None))
            } else {
                Ok(())
            };
        }
        if self.game.turn(pos) == self.player {
            return if self.is_covered(pos, listed) {
                Ok(())
            } else {
                Err(NotCovered::Missing(self.game.format_position(pos)))
            };
        }
        for reply in self.game.legal_moves(pos) {
            let next = self.game.after(pos, reply);
            self.arrive(&next, listed).map_err(|fault| match fault {
                NotCovered::Lost(None) => NotCovered::Lost(Some(reply)),
                other => other,
            })?;
        }
        Ok(())
    }

    /// Returns whether a position is listed, up to the symmetries, or dead.
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

/// Why a position is not covered.
enum NotCovered {
    Missing(String),
    /// Lost by this reply.
    Lost(Option<Move>),
}

impl NotCovered {
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
