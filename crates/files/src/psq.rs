//! Piskvork game files: a line for the board, `x,y,milliseconds` for each move, the players, the
//! reason why the game ended, and in files of Gomocup `number,Rule15_round`. Games of papan that began
//! with a swap opening name it in a line of its own after these, such as `opening: swap2 black`.
//! Piskvork reads nothing there.
//!
//! The header names which of the two players began (0 or 1), not the rule; Piskvork refuses other
//! numbers there. Without a line that names the rule the game is freestyle: gomoku on a square board,
//! else five in a row on the grid.
//!
//! Reference: <https://gomocup.org/>

use papan_catalog::AnyGame;
use papan_rules::{GomokuRule, Move, Record};

use crate::replay::{self, Replay};
use crate::{Expected, ParseError, ParseErrorKind, Parsed, Unwritable};

/// Prefix of a line with the swap opening.
const OPENING: &str = "opening:";

/// Parses the game of a file. A freestyle game is of `game` where that is the grid of its board.
pub(crate) fn read(text: &str, game: Option<&AnyGame>) -> impl Iterator<Item = Parsed> + use<> {
    std::iter::once(one(text, game))
}

fn one(text: &str, game: Option<&AnyGame>) -> Result<Record, ParseError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(at, line)| (at + 1, line.trim()));
    let (number, header) = lines.find(|(_, line)| !line.is_empty()).unwrap_or((1, ""));
    let wrong = |line, found: &str, right| {
        ParseError::at((line, 1), ParseErrorKind::expected(found, right))
    };
    let mut fields = header.strip_prefix("Piskvorky").unwrap_or("").split(',');
    let size = fields.next().unwrap_or("").trim();
    let second_began = fields.nth(1).map(str::trim) == Some("1");
    let side = |text: &str| text.trim().parse::<usize>().ok();
    let sides = size
        .split_once('x')
        .and_then(|(w, h)| Some((side(w)?, side(h)?)));
    let (width, height) = sides.ok_or_else(|| wrong(number, header, Expected::PsqHeader))?;
    let rule = text.lines().rev().find_map(rule_of_round);
    let rule = rule.filter(|_| width == height);
    let five = AnyGame::five_in_a_row(height, width, rule.unwrap_or(GomokuRule::Freestyle))
        .map_err(|error| ParseError::at((number, 1), error))?;
    let is_grid = five.gomoku_rule().is_none();
    let game = match game {
        Some(game) if game.name() == five.name() => game.clone(),
        // Boards beyond the sizes of gomoku are grids.
        _ if is_grid && width == height => {
            format!("gomoku:{height}x{width}").parse().unwrap_or(five)
        }
        _ => five,
    };
    let mut replay = Replay::new(&game);
    let (mut times, mut names) = (Vec::new(), Vec::new());
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let numbers: Option<Vec<u64>> = line
            .split(',')
            .map(|word| word.trim().parse().ok())
            .collect();
        match numbers.as_deref() {
            Some(&[x, y, time]) if names.is_empty() => {
                let on_board = (1..=width as u64).contains(&x) && (1..=height as u64).contains(&y);
                if !on_board {
                    return Err(wrong(number, line, Expected::PsqCell));
                }
                let cell = (y as usize - 1) * width + x as usize - 1;
                replay
                    .play(None, Move::on(cell))
                    .map_err(|cause| ParseError::at((number, 1), cause))?;
                times.push(time);
            }
            // The end of a game between people, who have no names.
            Some(&[_]) if names.is_empty() => break,
            _ if line == "-1" && names.is_empty() => break,
            _ if names.len() < 2 => names.push(line.to_owned()),
            _ => break,
        }
    }
    let mut names = names
        .into_iter()
        .map(|name| name.trim_end_matches(".exe").to_owned());
    let record = replay.record();
    let opening = |line: &str| line.trim().strip_prefix(OPENING)?.parse().ok();
    record.opening = text.lines().rev().find_map(opening);
    record.players = [
        names.next().unwrap_or_default(),
        names.next().unwrap_or_default(),
    ];
    if second_began {
        record.players.swap(0, 1);
    }
    if times.iter().any(|&time| time > 0) {
        record.times = times;
    }
    Ok(replay.finish(None, None))
}

/// Returns the rule that the last line of a file names, as in `0,Standard15_1`.
fn rule_of_round(line: &str) -> Option<GomokuRule> {
    let (_, round) = line.split_once(',')?;
    let round = round.trim().to_ascii_lowercase();
    GomokuRule::ALL
        .into_iter()
        .find(|rule| round.starts_with(rule.name()))
}

/// Returns the line of a player's name. A question mark keeps a name from being read as a move or as
/// the end of the game.
fn name_line(name: &str) -> String {
    let name = name.replace(char::is_control, " ");
    let name = name.trim();
    let is_number = |word: &str| word.trim().parse::<u64>().is_ok();
    if name.is_empty() {
        "?".into()
    } else if name == "-1" || name.split(',').all(is_number) {
        format!("? {name}")
    } else {
        name.into()
    }
}

/// Formats a game.
pub(crate) fn write(record: &Record) -> Result<String, Unwritable> {
    let cannot = || Unwritable::Game(record.game.clone());
    let line = replay::line(record).ok_or_else(cannot)?;
    let game = line.game();
    let &[rows, columns] = game.shape().sides() else {
        return Err(cannot());
    };
    if game.gomoku_rule().is_none() && !game.name().ends_with(":5") {
        return Err(cannot());
    }
    if record.start.is_some() {
        return Err(Unwritable::OwnStart);
    }
    let mut text = format!("Piskvorky {columns}x{rows}, 0:0, 0\n");
    for (at, mv) in line.moves().iter().enumerate() {
        let Some(cell) = mv.cell() else { continue };
        let time = record.times.get(at).copied().unwrap_or(0);
        text += &format!("{},{},{time}\n", cell % columns + 1, cell / columns + 1);
    }
    for name in &record.players {
        text += &format!("{}\n", name_line(name));
    }
    text += "-1\n";
    if let Some(rule) = game.gomoku_rule()
        && rule != GomokuRule::Freestyle
    {
        text += &format!("0,{}\n", rule.name());
    }
    if let Some(opening) = record.opening {
        text += &format!("{OPENING} {opening}\n");
    }
    Ok(text)
}
