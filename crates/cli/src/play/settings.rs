//! Settings of a game: players, position, marks, clock and record.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ValueEnum;
use papan_catalog::{AnyGame, AnyLine, PlayerSpec, Seat};
use papan_files::{Format, ParseError};
use papan_rules::{Player, Record, SwapOpening};
use papan_strategies::{Limits, TimeControl};
use papan_view::{Marks, Messages, messages};

use super::PlayArgs;
use papan_view::messages::files;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MarksOption {
    /// The first player plays X
    Xo,
    /// The first player plays O
    Ox,
}

/// How the board is drawn line by line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Screen {
    /// With numbers on free cells
    #[default]
    Papan,
    /// As the documents print it: the frames of document 000, row and column numbers of document 001
    Document,
}

/// Settings of a game, kept from game to game.
pub(crate) struct Settings {
    pub(crate) game: AnyGame,
    pub(crate) players: [PlayerSpec; 2],
    pub(crate) marks: Marks,
    pub(crate) seed: u64,
    pub(crate) line: Box<dyn AnyLine>,
    /// The record that `line` was read from, with its variations.
    pub(crate) loaded: Option<Record>,
    pub(crate) record: Option<PathBuf>,
    pub(crate) clock: Option<TimeControl>,
    /// The swap opening of the line.
    pub(crate) opening: Option<SwapOpening>,
    pub(crate) screen: Screen,
}

impl Settings {
    /// Returns the settings of a game from the start position.
    pub(crate) fn new(game: &AnyGame, players: [PlayerSpec; 2]) -> Self {
        Self {
            line: game.line(),
            loaded: None,
            game: game.clone(),
            marks: marks(None, &players, &*game.line()),
            players,
            seed: seed(),
            record: None,
            clock: None,
            opening: None,
            screen: Screen::default(),
        }
    }

    pub(crate) fn from_args(args: PlayArgs, words: Messages) -> anyhow::Result<Self> {
        let load = |path| load(path, args.game.as_ref(), words);
        let loaded = args.load.as_deref().map(load).transpose()?;
        let game = match (&args.game, &loaded) {
            (Some(game), Some(record)) if game.name() != record.game.name() => {
                let values = [
                    ("found", record.game.name().into()),
                    ("wanted", game.name().into()),
                ];
                bail!(words.with("record-other-game", values))
            }
            (_, Some(record)) => record.game.clone(),
            (Some(game), None) => game.clone(),
            (None, None) => "tictactoe".parse()?,
        };
        let recorded = |player: Player| {
            let record = loaded.as_ref()?;
            record.record.players[player.index()].parse().ok()
        };
        let player = |given: Option<PlayerSpec>, player| {
            given
                .or_else(|| recorded(player))
                .unwrap_or(PlayerSpec::Human)
        };
        let players = [
            player(args.first, Player::First),
            player(args.second, Player::Second),
        ];
        let (line, loaded) = match loaded {
            Some(loaded) => (loaded.line, Some(loaded.record)),
            None => (args.start.line(&game, words)?, None),
        };
        if let Some(rule) = args.opening_rule {
            messages::check_swap(words, &game, rule).map_err(anyhow::Error::msg)?;
        }
        let recorded = loaded.as_ref().and_then(|record| record.opening);
        let settings = Self {
            opening: args.opening_rule.map(SwapOpening::new).or(recorded),
            marks: marks(args.marks, &players, &*line),
            seed: args.seed.unwrap_or_else(seed),
            record: args.record,
            clock: args.clock,
            screen: args.screen,
            game,
            players,
            line,
            loaded,
        };
        settings.check(words)?;
        Ok(settings)
    }

    /// Checks that both strategies can play this game.
    fn check(&self, words: Messages) -> anyhow::Result<()> {
        for (player, seat) in self.players.iter().zip(Player::BOTH) {
            if let PlayerSpec::Strategy(spec) = player
                && let Err(error) = self.game.can_seat_as(spec, &self.limits(), seat)
            {
                bail!(messages::unplayable(words, &error));
            }
            self.seat(player, words)?;
        }
        Ok(())
    }

    /// Creates the strategy of a player; `None` for a human.
    pub(crate) fn seat(
        &self,
        player: &PlayerSpec,
        words: Messages,
    ) -> anyhow::Result<Option<Box<dyn Seat>>> {
        let PlayerSpec::Strategy(spec) = player else {
            return Ok(None);
        };
        match self.game.seat(spec, &self.limits()) {
            Ok(seat) => Ok(Some(seat)),
            Err(error) => bail!(messages::unplayable(words, &error)),
        }
    }

    /// Returns the limits of the players at the start of the game.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            clock: self.clock.map(|clock| (clock.base, clock.increment)),
            ..Limits::default()
        }
    }

    /// Resets the position and changes the seed.
    pub(crate) fn next_game(&mut self) {
        self.line = self.game.line();
        self.opening = self.opening.map(|opening| SwapOpening::new(opening.rule()));
        self.seed = self.seed.wrapping_add(1);
    }
}

/// Returns the marks of the players. The automaton plays O, as in document 000, and a position keeps
/// the marks that it was typed with.
fn marks(given: Option<MarksOption>, players: &[PlayerSpec; 2], line: &dyn AnyLine) -> Marks {
    let is_automaton = |player: &PlayerSpec| matches!(player, PlayerSpec::Strategy(spec) if spec.info().document == Some("000"));
    match given {
        Some(MarksOption::Xo) => Marks::XO,
        Some(MarksOption::Ox) => Marks::OX,
        None if is_automaton(&players[0]) && !is_automaton(&players[1]) => Marks::OX,
        None => Marks::of(line),
    }
}

/// Returns a random seed.
fn seed() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    std::hash::RandomState::new().build_hasher().finish()
}

struct Loaded {
    game: AnyGame,
    record: Record,
    line: Box<dyn AnyLine>,
}

/// Reads the first game of a file in any supported format.
fn load(path: &Path, given: Option<&AnyGame>, words: Messages) -> anyhow::Result<Loaded> {
    let in_file = |reason| anyhow::Error::msg(messages::in_file(words, path, reason));
    let bytes = std::fs::read(path).map_err(|error| in_file(messages::file(words, &error)))?;
    let record = match foreign_record(&bytes, given) {
        Some(record) => record.map_err(|fault| in_file(files::fault(words, &fault)))?,
        None => Record::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|error| in_file(messages::record(words, None, &error)))?,
    };
    let game =
        (record.game.parse::<AnyGame>()).map_err(|error| in_file(messages::game(words, &error)))?;
    let line = (game.line_of(&record))
        .map_err(|error| in_file(messages::record(words, Some(&game), &error)))?;
    Ok(Loaded { game, record, line })
}

/// Reads the first game of a file in another program's format; `None` if it has no such format.
fn foreign_record(bytes: &[u8], given: Option<&AnyGame>) -> Option<Result<Record, ParseError>> {
    let file = papan_files::read(bytes, given).ok()?;
    let guessed = matches!(file.format, Format::Transcript | Format::Position);
    let fault = file.faults.into_iter().next().filter(|_| !guessed);
    match file.format {
        Format::Record => None,
        _ => file.records.into_iter().next().map(Ok).or(fault.map(Err)),
    }
}
