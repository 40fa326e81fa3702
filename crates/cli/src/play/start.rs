//! The menu of `papan` without a command, and the question for another game.

use papan_catalog::{
    AnyGame, DEFAULT_LEVEL, FAMILIES, GameError, LEVELS, PlayerSpec, StrategySpec, Unplayable,
    opponents,
};
use papan_rules::{Pieces, Player};
use papan_strategies::Limits;
use papan_view::{Marks, Messages, messages};

use super::session::{Keyword, Leave};
use super::settings::Settings;
use crate::console::{Console, Input};

/// The reason why a question was not answered.
enum Cancel {
    /// Return to the previous question.
    Back,
    Leave(Leave),
    Io(std::io::Error),
}

impl From<std::io::Error> for Cancel {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

type Answer<T> = Result<T, Cancel>;

/// Asks for game, board, opponent, mark and seat. `back` returns to the previous question, and
/// from the first one quits.
pub(crate) fn ask(
    console: &mut Console,
    words: Messages,
) -> std::io::Result<Result<Settings, Leave>> {
    console.say(&words.text("title"))?;
    let mut menu = Menu { console, words };
    let settings = menu.then(Menu::game, |menu, named| {
        menu.then(
            |menu| menu.board(named),
            |menu, game| {
                menu.then(
                    |menu| menu.opponent(game),
                    |menu, opponent| menu.settings(game, opponent),
                )
            },
        )
    });
    match settings {
        Ok(settings) => Ok(Ok(settings)),
        Err(Cancel::Back) => Ok(Err(Leave::Quit)),
        Err(Cancel::Leave(leave)) => Ok(Err(leave)),
        Err(Cancel::Io(error)) => Err(error),
    }
}

/// Asks whether the player wants another game. End of input means no.
pub(crate) fn another_game(console: &mut Console, words: Messages) -> std::io::Result<bool> {
    loop {
        let answer = match console.ask(&words.text("new-game"), None)? {
            Input::Line(text) if Keyword::parse(&text) != Some(Keyword::Quit) => text,
            _ => return Ok(false),
        };
        match answer.to_lowercase().as_str() {
            "1" | "y" | "yes" | "ya" => return Ok(true),
            "0" | "n" | "no" | "tidak" | "t" => return Ok(false),
            _ => console.say(&words.text("wrong-answer"))?,
        }
    }
}

/// The questions before a game.
struct Menu<'a> {
    console: &'a mut Console,
    words: Messages,
}

impl Menu<'_> {
    /// Asks a question and passes its answer to `rest`, again whenever `rest` returns
    /// [`Cancel::Back`].
    fn then<T>(
        &mut self,
        question: impl Fn(&mut Self) -> Answer<T>,
        rest: impl Fn(&mut Self, &T) -> Answer<Settings>,
    ) -> Answer<Settings> {
        loop {
            let answer = question(self)?;
            match rest(self, &answer) {
                Err(Cancel::Back) => {}
                done => return done,
            }
        }
    }

    /// Reads a line; `quit` and `back` work at every question.
    fn line(&mut self, prompt: &str) -> Answer<String> {
        let text = match self.console.ask(prompt, None)? {
            Input::Line(text) => text,
            Input::Ended | Input::TimedOut => {
                return Err(Cancel::Leave(Leave::InputEnded));
            }
        };
        if Keyword::parse(&text) == Some(Keyword::Quit) {
            return Err(Cancel::Leave(Leave::Quit));
        }
        match text.to_lowercase().as_str() {
            "0" | "back" | "kembali" => Err(Cancel::Back),
            _ => Ok(text),
        }
    }

    /// Shows a numbered list. Returns the index of the chosen item, the first if Enter alone is
    /// pressed, or the text that was typed if it is not a number.
    fn choice(&mut self, title: &str, items: &[String]) -> Answer<Result<usize, String>> {
        self.choice_from(title, items, 0)
    }

    /// Like [`choice`](Self::choice), with a given default.
    fn choice_from(
        &mut self,
        title: &str,
        items: &[String],
        usual: usize,
    ) -> Answer<Result<usize, String>> {
        loop {
            self.console.say(&format!("\n{}", self.words.text(title)))?;
            for (number, item) in items.iter().enumerate() {
                self.console.say(&format!("{:>4}. {item}", number + 1))?;
            }
            let values = [("usual", (usual + 1).to_string().into())];
            let answer = self.line(&self.words.with("choose", values))?;
            match answer.parse::<usize>() {
                _ if answer.is_empty() => return Ok(Ok(usual)),
                Ok(number) if (1..=items.len()).contains(&number) => return Ok(Ok(number - 1)),
                Ok(_) => self.choose_again(items.len())?,
                Err(_) => return Ok(Err(answer)),
            }
        }
    }

    fn choose_again(&mut self, last: usize) -> std::io::Result<()> {
        let values = [("last", last.to_string().into())];
        self.console.say(&self.words.with("choose-again", values))
    }

    /// Asks for the game, which may include the size of the board.
    fn game(&mut self) -> Answer<AnyGame> {
        let items: Vec<String> = FAMILIES.iter().map(|family| family.name.into()).collect();
        loop {
            let name = match self.choice("choose-game", &items)? {
                Ok(number) => items[number].clone(),
                Err(text) => text,
            };
            match name.parse() {
                Ok(game) => return Ok(game),
                Err(error) => {
                    let error: GameError = error;
                    self.console.say(&messages::game(self.words, &error))?;
                }
            }
        }
    }

    /// Asks for the size of the board; Enter alone keeps the current one.
    fn board(&mut self, named: &AnyGame) -> Answer<AnyGame> {
        let (family, sizes) = (named.family().name, named.family().suggested);
        let name = named.name();
        let size = name.split_once(':').map_or(sizes[0], |(_, size)| size);
        loop {
            let values = [
                ("example", sizes.join(", ").into()),
                ("default", size.into()),
            ];
            let answer = self.line(&self.words.with("choose-board", values))?;
            let board = match answer.as_str() {
                "" => return Ok(named.clone()),
                text if text.contains(family) => text.into(),
                text => format!("{family}:{text}"),
            };
            match board.parse() {
                Ok(game) => return Ok(game),
                Err(error) => {
                    let error: GameError = error;
                    self.console.say(&messages::game(self.words, &error))?;
                }
            }
        }
    }

    /// Asks for the opponent: one of a list, or any other that can play this game.
    fn opponent(&mut self, game: &AnyGame) -> Answer<PlayerSpec> {
        let mut players = vec![PlayerSpec::Human];
        let mut items = vec![self.words.text("opponent-human")];
        let levels = LEVELS.map(StrategySpec::computer);
        let others = opponents(game).into_iter();
        let others = others.filter(|spec| spec.level().is_none());
        for spec in levels.chain(others) {
            let name = messages::strategy_name(self.words, &spec);
            let about = messages::about_strategy(self.words, &spec);
            items.push(format!("{name:<30}{about}"));
            players.push(PlayerSpec::Strategy(spec));
        }
        let level = |player: &PlayerSpec| match player {
            PlayerSpec::Strategy(spec) => spec.level(),
            PlayerSpec::Human => None,
        };
        let is_usual = |player| level(player) == Some(DEFAULT_LEVEL);
        let usual = players.iter().position(is_usual).unwrap_or(0);
        loop {
            let player = match self.choice_from("choose-opponent", &items, usual)? {
                Ok(number) => Ok(players[number].clone()),
                Err(text) => text.parse(),
            };
            match player.map(|player| playable(game, &player)) {
                Ok(Ok(player)) => return Ok(player),
                Ok(Err(error)) => self
                    .console
                    .say(&messages::unplayable(self.words, &error))?,
                Err(error) => self.console.say(&messages::player(self.words, &error))?,
            }
        }
    }

    /// Asks for the mark (document 002) and the seat (document 000). With two human players the
    /// first one moves first.
    fn settings(&mut self, game: &AnyGame, opponent: &PlayerSpec) -> Answer<Settings> {
        let seat = |menu: &mut Self, mark: char| {
            let me = match opponent {
                PlayerSpec::Human => Player::First,
                PlayerSpec::Strategy(_) => menu.seat()?,
            };
            let players = match me {
                Player::First => [PlayerSpec::Human, opponent.clone()],
                Player::Second => [opponent.clone(), PlayerSpec::Human],
            };
            let marks = [Marks::XO, Marks::OX]
                .into_iter()
                .find(|marks| marks.letter(me) == mark);
            let mut settings = Settings::new(game, players);
            settings.marks = marks.unwrap_or(settings.marks);
            Ok(settings)
        };
        match game.pieces() {
            Pieces::Marks => self.then(Self::mark, |menu, mark| seat(menu, *mark)),
            Pieces::Discs | Pieces::Stones => seat(self, ' '),
        }
    }

    fn mark(&mut self) -> Answer<char> {
        let marks = ['X', 'O'];
        loop {
            match self.choice("choose-mark", &marks.map(String::from))? {
                Ok(number) => return Ok(marks[number]),
                Err(text) => match text.to_uppercase().as_str() {
                    "X" => return Ok('X'),
                    "O" => return Ok('O'),
                    _ => self.choose_again(2)?,
                },
            }
        }
    }

    fn seat(&mut self) -> Answer<Player> {
        let items = ["seat-first", "seat-second"].map(|key| self.words.text(key));
        loop {
            match self.choice("choose-seat", &items)? {
                Ok(number) => return Ok(Player::BOTH[number]),
                Err(_) => self.choose_again(2)?,
            }
        }
    }
}

/// Checks that a player can play this game, by creating its strategy. Sets a depth if the game
/// requires one and none is given.
fn playable(game: &AnyGame, player: &PlayerSpec) -> Result<PlayerSpec, Unplayable> {
    let PlayerSpec::Strategy(spec) = player else {
        return Ok(player.clone());
    };
    match game.seat(spec, &Limits::default()) {
        Ok(_) => Ok(player.clone()),
        Err(error @ Unplayable::NeedsDepth { .. }) if spec.arguments().iter().next().is_none() => {
            let same = |other: &StrategySpec| other.info().name == spec.info().name;
            let deep = opponents(game).into_iter().find(same);
            deep.map_or(Err(error), |spec| Ok(PlayerSpec::Strategy(spec)))
        }
        Err(error) => Err(error),
    }
}
