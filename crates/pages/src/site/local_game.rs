//! A game that the visitor's browser keeps: against the computer, or two players at one screen.

use papan_analysis::side::Side;
use papan_catalog::{AnyLine, PlayerSpec, advisor, opening};
use papan_rules::{Move, Outcome, Player, Record, RecordResult};
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, Messages, MoveNotation, messages};
use serde::{Deserialize, Serialize};

use crate::board_grid::{BoardGrid, CellAction};
use crate::error::PageError;
use crate::form_defaults::chosen_game;
use crate::form_fields::FormFields;
use crate::game::{
    ActionView, AskView, GameView, LinkView, PlayerView, StudyView, last_move, move_list,
    piece_picture, result, shown_moves, side_of,
};
use crate::game_title::game_title;
use crate::games::Games;
use crate::opponent::opponent;
use crate::position_url::PositionUrl;
use crate::strategy_policy::StrategyPolicy;
use crate::walk::StepBuilder;

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

/// How a page shows a game.
#[derive(Default)]
pub struct Shown {
    /// A past position.
    pub ply: Option<usize>,
    /// A hint or an explanation.
    pub study: Option<StudyView>,
    /// Whether to ask for confirmation of a resignation.
    pub confirms_resignation: bool,
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

    /// Returns the board and everything beside it.
    #[must_use]
    pub fn view(&self, words: Messages, shown: Shown) -> (GameView, BoardGrid) {
        let last = self.line.moves().len();
        let study = shown.study;
        let ply = study.as_ref().map(|study| study.ply).or(shown.ply);
        let ply = ply.filter(|ply| *ply < last);
        let line = self.line_at(ply);
        let mut board_view = BoardView::of(&*line);
        let turn = self.turn();
        let my_turn = turn.is_some_and(|turn| self.is_person(turn));
        let may_move = my_turn && ply.is_none();
        if ply.is_some() || turn.is_none() {
            for cell in &mut board_view.cells {
                cell.legal = false;
            }
        }
        let options = DrawOptions {
            legal: true,
            names: true,
            overlays: study
                .as_ref()
                .map_or_else(Vec::new, |study| study.overlays.clone()),
            ..DrawOptions::default()
        };
        let board = BoardGrid::new(&board_view, &options, words, |_, cell| {
            if cell.legal && may_move {
                CellAction::Submit("move")
            } else {
                CellAction::None
            }
        });
        let id = &self.stored.id;
        let link = |ply: usize| {
            if ply == last {
                format!("/games/{id}")
            } else {
                format!("/games/{id}?ply={ply}")
            }
        };
        let (status, detail) = self.status(&board_view, ply, words);
        let seated = Player::BOTH.into_iter().any(|seat| self.is_person(seat));
        let view = GameView {
            words,
            id: id.clone(),
            url: self.position_url(None).link("/analysis"),
            heading: game_title(words, &line.game().name()),
            version: self.stored.version,
            key: String::new(),
            over: turn.is_none(),
            follows: ply.is_none() && study.is_none() && !shown.confirms_resignation,
            status,
            detail,
            opening: opening(&*line).map(|name| words.with("opening", [("name", name.into())])),
            may_move,
            may_pass: may_move && line.legal_moves().as_slice() == [Move::PASS],
            players: self.players_view(&board_view, words),
            invitation: None,
            asks: self.asks(shown.confirms_resignation && my_turn, words),
            pending: Vec::new(),
            greetings: Vec::new(),
            greeting: None,
            your_turn: my_turn,
            seated,
            is_exhibition: !seated,
            last_move: last_move(words, &board_view, &*line),
            actions: self.actions(words),
            resignation: my_turn.then(|| format!("/games/{id}?show=resign")),
            links: self.links(ply, my_turn, words),
            study,
            moves: move_list(&*self.line, ply),
            walk: StepBuilder { words, link }.steps(ply.unwrap_or(last), last),
            move_text: shown_moves(&*self.line),
            ply_query: ply.map_or_else(String::new, |ply| format!("?ply={ply}")),
            rematch: None,
        };
        (view, board)
    }

    fn status(
        &self,
        view: &BoardView,
        ply: Option<usize>,
        words: Messages,
    ) -> (String, Option<String>) {
        if let Some(ply) = ply {
            let last = self.line.moves().len();
            let values = [
                ("number", ply.to_string().into()),
                ("last", last.to_string().into()),
            ];
            return (words.with("web-after-move", values), None);
        }
        let side = |player| side_of(words, &self.line.game(), player);
        if let Some(outcome) = self.outcome() {
            let text = result(words, view, outcome);
            let people: Vec<Player> = Player::BOTH
                .into_iter()
                .filter(|seat| self.is_person(*seat))
                .collect();
            let text = match (&people[..], outcome.winner()) {
                ([seat], Some(winner)) => {
                    let key = if *seat == winner {
                        "web-you-won"
                    } else {
                        "web-you-lost"
                    };
                    words.with(key, [("result", text.into())])
                }
                _ => text,
            };
            let resigned = self
                .stored
                .resigned
                .map(|loser| words.with("web-resigned", [("side", side(loser.into()).into())]));
            return (text, resigned);
        }
        let turn = view.turn;
        let both = Player::BOTH.into_iter().all(|seat| self.is_person(seat));
        let key = match (self.is_person(turn), both) {
            (false, _) => "web-thinking",
            (true, false) => "web-your-turn",
            (true, true) => "web-their-turn",
        };
        let passed = view.passed.then(|| {
            let other = side(turn.other());
            words.with("passed", [("side", other.into())])
        });
        (words.with(key, [("side", side(turn).into())]), passed)
    }

    fn players_view(&self, view: &BoardView, words: Messages) -> Vec<PlayerView> {
        let player_view = |player: Player| PlayerView {
            side: side_of(words, &self.line.game(), player),
            name: self.name(player, words),
            picture: piece_picture(view.pieces, player),
            you: self.is_person(player),
            seat: match player {
                Player::First => "first",
                Player::Second => "second",
            },
            present: None,
            clock_runs: false,
            to_move: self.turn() == Some(player),
            count: (view.properties.score_unit.is_discs()).then(|| view.counts[player.index()]),
            clock: None,
        };
        Player::BOTH.map(player_view).into()
    }

    fn asks(&self, confirms_resignation: bool, words: Messages) -> Vec<AskView> {
        let resignation = confirms_resignation.then(|| AskView {
            path: "resignation",
            question: words.text("web-resign-sure"),
            answers: vec![("agree", words.text("web-resign-yes"))],
        });
        resignation.into_iter().collect()
    }

    fn actions(&self, words: Messages) -> Vec<ActionView> {
        let has_person = Player::BOTH.into_iter().any(|seat| self.is_person(seat));
        if !has_person {
            return Vec::new();
        }
        let mut before = self.line.clone_line();
        let mut may_take_back = false;
        while before.undo().is_some() {
            may_take_back |= self.is_person(before.turn());
        }
        let action = |path, key: &str, enabled, primary| ActionView {
            path,
            text: words.text(key),
            enabled,
            primary,
        };
        if self.is_over() {
            return vec![action("rematch", "web-rematch", true, true)];
        }
        vec![action("take-back", "web-take-back", may_take_back, false)]
    }

    fn links(&self, ply: Option<usize>, my_turn: bool, words: Messages) -> Vec<LinkView> {
        let here = format!("/games/{}", self.stored.id);
        let link = |url: String, key: &str| LinkView {
            url,
            text: words.text(key),
            primary: false,
        };
        let mut links = Vec::new();
        if my_turn {
            links.push(link(format!("{here}?show=hint"), "web-hint"));
        }
        let url = self.position_url(ply);
        if self.is_over() && !self.line.moves().is_empty() {
            links.push(link(url.link("/review"), "web-review"));
        }
        if self.last_strategy_turn().is_some() {
            links.push(link(format!("{here}?show=why"), "web-why"));
        }
        links.push(link(url.link("/analysis"), "web-analyse"));
        links
    }

    /// Returns the strategy that gives hints.
    #[must_use]
    pub fn advisor(&self) -> papan_catalog::StrategySpec {
        advisor(&self.line.game())
    }
}
