//! A game that the visitor's browser keeps: against the computer, or two players at one screen.

mod view;

use papan_analysis::side::Side;
use papan_catalog::{AnyLine, PlayerSpec, advisor};
use papan_rules::{Move, Outcome, Player, Record, RecordResult};
use papan_view::{BoardView, Messages, MoveNotation, messages};
use serde::{Deserialize, Serialize};

use crate::error::PageError;
use crate::form_defaults::chosen_game;
use crate::form_fields::FormFields;
use crate::game::result;
use crate::game_title::game_title;
use crate::games::Games;
use crate::opponent::opponent;
use crate::position_url::PositionUrl;
use crate::strategy_policy::StrategyPolicy;
pub use view::Shown;

/// A game as the browser stores it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LocalGame {
    /// Its id.
    pub id: String,
    /// Name of the game.
    pub game: String,
    /// Start position, unless it is the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The players, first and second.
    pub players: [String; 2],
    /// The moves.
    pub moves: Vec<String>,
    /// The player who resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<Side>,
    /// Number of changes.
    pub version: u64,
    /// Time of the last change, in Unix milliseconds.
    pub changed_at: i64,
}

/// A stored game, replayed.
pub struct Replayed {
    stored: LocalGame,
    players: [PlayerSpec; 2],
    line: Box<dyn AnyLine>,
}

impl LocalGame {
    /// Creates a game from the form of the home page.
    ///
    /// # Errors
    /// If the game or a player does not exist, or other people are needed.
    pub fn create(
        form: &[(String, String)],
        id: &str,
        games: &dyn Games,
        policy: &StrategyPolicy,
        words: Messages,
    ) -> Result<Self, PageError> {
        let fields = FormFields(form);
        let name = chosen_game(form).or(fields.text("other_game"));
        let game = games.parse(name.unwrap_or("tictactoe"), words)?;
        let human = || "human".to_owned();
        let computer = |role| {
            let spec = fields.strategy(role);
            if spec.is_empty() {
                opponent(fields.text("level").unwrap_or_default()).to_string()
            } else {
                spec
            }
        };
        // Without a choice the id decides.
        let by_chance = if id.bytes().fold(0, |sum: u8, byte| sum ^ byte) & 1 == 0 {
            Side::First
        } else {
            Side::Second
        };
        let players = match fields.text("mode") {
            Some("computer") => match fields.seat().unwrap_or(by_chance) {
                Side::First => [human(), computer("opponent")],
                Side::Second => [computer("opponent"), human()],
            },
            Some("watch") => [computer("first"), computer("second")],
            Some("screen") => [human(), human()],
            _ => return Err(PageError::Unusable(words.text("site-needs-people"))),
        };
        for (player, text) in Player::BOTH.into_iter().zip(&players) {
            policy.parse_player(&game, None, player, text, words)?;
        }
        let created = Self {
            id: id.to_owned(),
            game: game.name(),
            start: fields.text("start").map(str::to_owned),
            players,
            moves: Vec::new(),
            resigned: None,
            version: 0,
            changed_at: 0,
        };
        created.replay(games, words)?;
        Ok(created)
    }

    /// Replays the moves.
    ///
    /// # Errors
    /// If the file that the visitor imported does not describe a game.
    pub fn replay(&self, games: &dyn Games, words: Messages) -> Result<Replayed, PageError> {
        let url = PositionUrl {
            game: self.game.clone(),
            start: self.start.clone(),
            moves: self.moves.join(" "),
            ..PositionUrl::default()
        };
        let line = url.line(games, words)?;
        let parse = |text: &String| {
            let spec = text.parse::<PlayerSpec>();
            spec.map_err(|error| PageError::Unusable(messages::player(words, &error)))
        };
        Ok(Replayed {
            players: [parse(&self.players[0])?, parse(&self.players[1])?],
            stored: self.clone(),
            line,
        })
    }
}

impl Replayed {
    /// Returns the line of play.
    #[must_use]
    pub fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// Returns the strategy to move, unless a person is to move or the game is over.
    #[must_use]
    pub fn strategy_to_move(&self) -> Option<&papan_catalog::StrategySpec> {
        match &self.players[self.turn()?.index()] {
            PlayerSpec::Strategy(spec) => Some(spec),
            PlayerSpec::Human => None,
        }
    }

    /// Returns the line of play up to a ply.
    #[must_use]
    pub fn line_at(&self, ply: Option<usize>) -> Box<dyn AnyLine> {
        let mut line = self.line.clone_line();
        while ply.is_some_and(|ply| line.moves().len() > ply) {
            line.undo();
        }
        line
    }

    /// Returns the player to move; `None` if the game is over.
    fn turn(&self) -> Option<Player> {
        (self.outcome().is_none()).then(|| self.line.turn())
    }

    fn outcome(&self) -> Option<Outcome> {
        let resigned = self.stored.resigned.map(Player::from);
        resigned
            .map(|loser| Outcome::Win(loser.other()))
            .or_else(|| self.line.outcome())
    }

    fn is_person(&self, player: Player) -> bool {
        self.players[player.index()] == PlayerSpec::Human
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the game is over or the move is illegal, with a localized reason.
    pub fn play(&self, text: &str, words: Messages) -> Result<LocalGame, PageError> {
        let game = self.line.game();
        if self.outcome().is_some() {
            return Err(PageError::Unusable(words.text("wrong-game-over")));
        }
        let mv = game
            .parse_move(text)
            .map_err(|error| PageError::Unusable(messages::notation(words, &game, &error)))?;
        if let Err(why) = self.line.check_move(mv) {
            let sentence = messages::illegal(words, &*self.line, MoveNotation::Usual, mv, why);
            return Err(PageError::Unusable(sentence));
        }
        Ok(self.changed(|stored| stored.moves.push(game.format_move(mv))))
    }

    /// Takes back the last move of a person, with the replies to it.
    #[must_use]
    pub fn take_back(&self) -> LocalGame {
        let mut line = self.line.clone_line();
        while line.undo().is_some() && !self.is_person(line.turn()) {}
        self.changed(|stored| stored.moves.truncate(line.moves().len()))
    }

    /// Resigns for the person to move, or the only person.
    #[must_use]
    pub fn resign(&self) -> LocalGame {
        let loser = match self.turn() {
            Some(turn) if self.is_person(turn) => turn,
            Some(turn) => turn.other(),
            None => return self.stored.clone(),
        };
        self.changed(|stored| stored.resigned = Some(loser.into()))
    }

    /// Returns a new game with the sides swapped.
    #[must_use]
    pub fn rematch(&self, id: &str) -> LocalGame {
        let [first, second] = self.stored.players.clone();
        LocalGame {
            id: id.to_owned(),
            players: [second, first],
            moves: Vec::new(),
            resigned: None,
            version: 0,
            ..self.stored.clone()
        }
    }

    fn changed(&self, change: impl FnOnce(&mut LocalGame)) -> LocalGame {
        let mut stored = self.stored.clone();
        change(&mut stored);
        stored.version += 1;
        stored
    }

    /// Returns the line before the last move of a strategy, and that strategy.
    #[must_use]
    pub fn last_strategy_turn(
        &self,
    ) -> Option<(Box<dyn AnyLine>, Move, papan_catalog::StrategySpec)> {
        let mut line = self.line.clone_line();
        while let Some(mv) = line.undo() {
            if let PlayerSpec::Strategy(spec) = &self.players[line.turn().index()] {
                return Some((line, mv, spec.clone()));
            }
        }
        None
    }

    /// Returns the address of the whole game in the analysis.
    #[must_use]
    pub fn position_url(&self, ply: Option<usize>) -> PositionUrl {
        PositionUrl {
            game: self.line.game().name(),
            start: self.stored.start.clone(),
            moves: self.line.text(),
            ply,
            ..PositionUrl::default()
        }
    }

    /// Returns the record.
    #[must_use]
    pub fn record(&self) -> Record {
        let mut record = self.line.record(self.stored.players.clone());
        if let (Some(outcome), Some(_)) = (self.outcome(), self.stored.resigned) {
            record.result = RecordResult::Finished(outcome);
            record.reason = Some("resigned".into());
        }
        record
    }

    /// Returns the title, the players and the standing, for a list of games.
    #[must_use]
    pub fn summary(&self, words: Messages) -> [String; 3] {
        let names = Player::BOTH.map(|player| self.name(player, words));
        let view = BoardView::of(&*self.line);
        let standing = match self.outcome() {
            Some(outcome) => result(words, &view, outcome),
            None => crate::analysis::status(words, &view),
        };
        let title = game_title(words, &self.line.game().name());
        [title, names.join(" – "), standing]
    }

    /// Returns whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    fn name(&self, player: Player, words: Messages) -> String {
        match &self.players[player.index()] {
            PlayerSpec::Human => words.text("web-you-unnamed"),
            PlayerSpec::Strategy(spec) => messages::strategy_name(words, spec),
        }
    }

    /// Returns the strategy that gives hints.
    #[must_use]
    pub fn advisor(&self) -> papan_catalog::StrategySpec {
        advisor(&self.line.game())
    }
}
