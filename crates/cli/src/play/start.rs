//! What papan asks before a game, and after it.

use papan_catalog::{
    AnyGame, DEFAULT_LEVEL, FAMILIES, GameError, LEVELS, PlayerSpec, StrategySpec, Unplayable,
    opponents,
};
use papan_rules::{Pieces, Player};
use papan_strategies::Limits;
use papan_view::{Marks, Messages, messages};

use super::session::{Leave, Word};
use super::settings::Settings;
use crate::console::{Answer, Console};

/// Why a question was left without its answer.
enum Unanswered {
    /// The question before it is to be asked again.
    Back,
    Leaving(Leave),
    Broken(std::io::Error),
}

impl From<std::io::Error> for Unanswered {
    fn from(error: std::io::Error) -> Self {
        Self::Broken(error)
    }
}

type Asked<T> = Result<T, Unanswered>;

/// Asks for game, board, opponent, mark and seat. Every question leads back to the
/// one before it, and the first one out.
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
                    |menu, opponent| menu.seated(game, opponent),
                )
            },
        )
    });
    match settings {
        Ok(settings) => Ok(Ok(settings)),
        Err(Unanswered::Back) => Ok(Err(Leave::Quit)),
        Err(Unanswered::Leaving(leave)) => Ok(Err(leave)),
        Err(Unanswered::Broken(error)) => Err(error),
    }
}

/// Whether the player wants another game. An end of input means no.
pub(crate) fn another_game(console: &mut Console, words: Messages) -> std::io::Result<bool> {
    loop {
        let answer = match console.ask(&words.text("new-game"), None)? {
            Answer::Line(text) if Word::of(&text) != Some(Word::Quit) => text,
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
    /// Asks a question and goes on with its answer, as often as the rest leads back.
    fn then<T>(
        &mut self,
        question: impl Fn(&mut Self) -> Asked<T>,
        rest: impl Fn(&mut Self, &T) -> Asked<Settings>,
    ) -> Asked<Settings> {
        loop {
            let answer = question(self)?;
            match rest(self, &answer) {
                Err(Unanswered::Back) => {}
                done => return done,
            }
        }
    }

    /// One line of answer; the words for leaving and for going back work everywhere.
    fn line(&mut self, prompt: &str) -> Asked<String> {
        let text = match self.console.ask(prompt, None)? {
            Answer::Line(text) => text,
            Answer::Ended | Answer::TimedOut => {
                return Err(Unanswered::Leaving(Leave::InputEnded));
            }
        };
        if Word::of(&text) == Some(Word::Quit) {
            return Err(Unanswered::Leaving(Leave::Quit));
        }
        match text.to_lowercase().as_str() {
            "0" | "back" | "kembali" => Err(Unanswered::Back),
            _ => Ok(text),
        }
    }

    /// Shows a numbered list. What is chosen by its number, or by Enter alone the
    /// first, is `Ok`; anything else is the text that was typed.
    fn choice(&mut self, title: &str, items: &[String]) -> Asked<Result<usize, String>> {
        self.choice_from(title, items, 0)
    }

    /// The same, with another item than the first for Enter alone.
    fn choice_from(
        &mut self,
        title: &str,
        items: &[String],
        usual: usize,
    ) -> Asked<Result<usize, String>> {
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

    /// Which game, perhaps with its size.
    fn game(&mut self) -> Asked<AnyGame> {
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

    /// On which board; Enter keeps the one that was named.
    fn board(&mut self, named: &AnyGame) -> Asked<AnyGame> {
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

    /// Against whom: those who can play this board, or whoever is typed.
    fn opponent(&mut self, game: &AnyGame) -> Asked<PlayerSpec> {
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
            match player.map(|player| able(game, &player)) {
                Ok(Ok(player)) => return Ok(player),
                Ok(Err(error)) => self
                    .console
                    .say(&messages::unplayable(self.words, &error))?,
                Err(error) => self.console.say(&messages::player(self.words, &error))?,
            }
        }
    }

    /// The rest: which mark (document 002), and whether the person begins (document
    /// 000's choice of player 1 or 2). Of two people, player 1 begins.
    fn seated(&mut self, game: &AnyGame, opponent: &PlayerSpec) -> Asked<Settings> {
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
            Pieces::Discs => seat(self, ' '),
        }
    }

    fn mark(&mut self) -> Asked<char> {
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

    fn seat(&mut self) -> Asked<Player> {
        let items = ["seat-first", "seat-second"].map(|key| self.words.text(key));
        loop {
            match self.choice("choose-seat", &items)? {
                Ok(number) => return Ok(Player::BOTH[number]),
                Err(_) => self.choose_again(2)?,
            }
        }
    }
}

/// The player as it can play this board, once it was really seated there: files are
/// read, and what the machine lacks shows.
fn able(game: &AnyGame, player: &PlayerSpec) -> Result<PlayerSpec, Unplayable> {
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
