//! What papan asks before a game, and after it.

use papan_catalog::{AnyGame, FAMILIES, PlayerSpec, RECIPES, StrategySpec};
use papan_strategies::Limits;
use papan_view::{Words, wording};

use super::session::{Leave, Word};
use super::settings::Settings;
use crate::console::{Answer, Console};

type Asked<T> = std::io::Result<Result<T, Leave>>;

/// Passes a wish to leave on to whoever asked.
macro_rules! unless_leaving {
    ($asked:expr) => {
        match $asked? {
            Ok(value) => value,
            Err(leave) => return Ok(Err(leave)),
        }
    };
}

/// Asks for game, opponent, board and seat.
pub(crate) fn ask(console: &mut Console, words: Words) -> Asked<Settings> {
    console.say(&words.text("title"))?;
    let family = unless_leaving!(game(console, words));
    let opponent = unless_leaving!(opponent(console, words, &family));
    let (game, opponent) = unless_leaving!(board(console, words, family, opponent));
    let players = match opponent {
        PlayerSpec::Human => [PlayerSpec::Human, PlayerSpec::Human],
        PlayerSpec::Strategy(_) => {
            if unless_leaving!(begins(console, words)) {
                [PlayerSpec::Human, opponent]
            } else {
                [opponent, PlayerSpec::Human]
            }
        }
    };
    Ok(Ok(Settings::new(&game, players)))
}

/// Whether the player wants another game. An end of input means no.
pub(crate) fn another_game(console: &mut Console, words: Words) -> std::io::Result<bool> {
    loop {
        let Ok(answer) = line(console, &words.text("new-game"))? else {
            return Ok(false);
        };
        match answer.to_lowercase().as_str() {
            "1" | "y" | "yes" | "ya" => return Ok(true),
            "0" | "n" | "no" | "tidak" | "t" => return Ok(false),
            _ => console.say(&words.text("wrong-answer"))?,
        }
    }
}

/// One line of answer; the words for leaving work here too.
fn line(console: &mut Console, prompt: &str) -> Asked<String> {
    Ok(match console.ask(prompt, None)? {
        Answer::Line(text) if Word::of(&text) == Some(Word::Quit) => Err(Leave::Quit),
        Answer::Line(text) => Ok(text),
        Answer::Ended | Answer::TimedOut => Err(Leave::InputEnded),
    })
}

/// Shows a numbered list and returns the answer as typed.
fn menu(console: &mut Console, words: Words, title: &str, items: &[String]) -> Asked<String> {
    console.say(&format!("\n{title}"))?;
    for (number, item) in items.iter().enumerate() {
        console.say(&format!("{:>4}. {item}", number + 1))?;
    }
    line(console, &words.text("choose"))
}

/// The item that a number chooses.
fn chosen<'a, T>(answer: &str, items: &'a [T]) -> Option<&'a T> {
    let number: usize = answer.parse().ok()?;
    items.get(number.checked_sub(1)?)
}

fn again(console: &mut Console, words: Words, last: usize) -> std::io::Result<()> {
    let values = [("last", last.to_string().into())];
    console.say(&words.with("choose-again", values))
}

fn game(console: &mut Console, words: Words) -> Asked<AnyGame> {
    let items: Vec<String> = FAMILIES.iter().map(|family| family.name.into()).collect();
    loop {
        let title = words.text("choose-game");
        let answer = unless_leaving!(menu(console, words, &title, &items));
        let name = chosen(&answer, &items).unwrap_or(&answer);
        match name.parse() {
            Ok(game) => return Ok(Ok(game)),
            Err(error) if answer.parse::<u64>().is_err() && !answer.is_empty() => {
                let error: papan_catalog::GameError = error;
                console.say(&wording::game(words, &error))?;
            }
            Err(_) => again(console, words, items.len())?,
        }
    }
}

fn opponent(console: &mut Console, words: Words, family: &AnyGame) -> Asked<PlayerSpec> {
    let family = family.name();
    let family = family.split(':').next().unwrap_or_default();
    let names: Vec<&str> = ["human"]
        .into_iter()
        .chain(
            RECIPES
                .iter()
                .filter(|recipe| recipe.families().contains(&family))
                .map(|recipe| recipe.name),
        )
        .collect();
    let items: Vec<String> = names
        .iter()
        .map(|name| match *name {
            "human" => words.text("opponent-human"),
            name => format!("{name:<18}{}", words.text(&format!("strategy-{name}"))),
        })
        .collect();
    loop {
        let title = words.text("choose-opponent");
        let answer = unless_leaving!(menu(console, words, &title, &items));
        let text = chosen(&answer, &names).copied().unwrap_or(&answer);
        match text.parse::<PlayerSpec>() {
            Ok(player) => return Ok(Ok(player)),
            Err(error) if answer.parse::<u64>().is_err() && !answer.is_empty() => {
                console.say(&wording::player(words, &error))?;
            }
            Err(_) => again(console, words, items.len())?,
        }
    }
}

/// A depth that answers within a moment on any board.
const SHALLOW: &str = "depth=3";

/// Asks for the size, unless the opponent knows one board only, and makes sure
/// that it can be played.
fn board(
    console: &mut Console,
    words: Words,
    game: AnyGame,
    opponent: PlayerSpec,
) -> Asked<(AnyGame, PlayerSpec)> {
    let default = game.name();
    let (family, sizes) = (game.family().name, game.family().suggested);
    let example = sizes.join(", ");
    let size = default.split_once(':').map_or(sizes[0], |(_, size)| size);
    if let PlayerSpec::Strategy(spec) = &opponent {
        let elsewhere: Option<AnyGame> = format!("{family}:4x4").parse().ok();
        let knows_others =
            |other: AnyGame| other.can_seat(spec, &Limits::default()).is_ok() || searches(spec);
        if !elsewhere.is_some_and(knows_others) && game.seat(spec, &Limits::default()).is_ok() {
            return Ok(Ok((game, opponent)));
        }
    }
    loop {
        let values = [
            ("example", example.clone().into()),
            ("default", size.into()),
        ];
        let prompt = words.with("choose-board", values);
        let answer = unless_leaving!(line(console, &prompt));
        let name = match answer.as_str() {
            "" => default.clone(),
            text if text.contains(family) => text.into(),
            text => format!("{family}:{text}"),
        };
        let game: AnyGame = match name.parse() {
            Ok(game) => game,
            Err(error) => {
                let error: papan_catalog::GameError = error;
                console.say(&wording::game(words, &error))?;
                continue;
            }
        };
        match seatable(&game, &opponent) {
            Ok(opponent) => return Ok(Ok((game, opponent))),
            Err(error) => console.say(&wording::unplayable(words, &error))?,
        }
    }
}

/// Whether a depth would help the strategy.
fn searches(spec: &StrategySpec) -> bool {
    spec.recipe().parameters.iter().any(|p| p.name == "depth")
}

/// The opponent as it can play this board: a search that was named without a depth
/// gets one where the board needs it.
fn seatable(
    game: &AnyGame,
    opponent: &PlayerSpec,
) -> Result<PlayerSpec, papan_catalog::Unplayable> {
    let PlayerSpec::Strategy(spec) = opponent else {
        return Ok(opponent.clone());
    };
    match game.seat(spec, &Limits::default()) {
        Ok(_) => Ok(opponent.clone()),
        Err(error) if searches(spec) && spec.arguments().iter().next().is_none() => {
            format!("{}({SHALLOW})", spec.recipe().name)
                .parse()
                .map_err(|_| error)
        }
        Err(error) => Err(error),
    }
}

/// Whether the player begins: document 000's choice of player 1 or 2.
fn begins(console: &mut Console, words: Words) -> Asked<bool> {
    let items = [words.text("seat-first"), words.text("seat-second")];
    loop {
        let title = words.text("choose-seat");
        let answer = unless_leaving!(menu(console, words, &title, &items));
        match answer.as_str() {
            "1" => return Ok(Ok(true)),
            "2" => return Ok(Ok(false)),
            _ => again(console, words, 2)?,
        }
    }
}
