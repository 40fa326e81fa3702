//! Piskvork game files: a line for the board, `x,y,milliseconds` for each move, then the players.
//!
//! Reference: <https://gomocup.org/>

use papan_catalog::AnyGame;
use papan_rules::{GomokuRule, Move, Record};

use crate::replay::{self, Replay};
use crate::{Expected, ParseError, ParseErrorKind, Unwritable};

/// Parses the game of a file.
pub(crate) fn read(text: &str) -> Vec<Result<Record, ParseError>> {
    vec![one(text)]
}

fn one(text: &str) -> Result<Record, ParseError> {
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
    // The third field is the rule; older files have other numbers there.
    let rule = fields.nth(1).and_then(GomokuRule::parse);
    let side = |text: &str| text.trim().parse::<usize>().ok();
    let sides = size
        .split_once('x')
        .and_then(|(w, h)| Some((side(w)?, side(h)?)));
    let (width, height) = sides.ok_or_else(|| wrong(number, header, Expected::PsqHeader))?;
    let rule = rule.filter(|_| width == height);
    let game = AnyGame::five_in_a_row(height, width, rule.unwrap_or(GomokuRule::Freestyle))
        .map_err(|error| ParseError::at((number, 1), error))?;
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
            // Some managers write a rule or a number after the players.
            _ if names.len() < 2 => names.push(line.to_owned()),
            _ => break,
        }
    }
    let mut names = names
        .into_iter()
        .map(|name| name.trim_end_matches(".exe").to_owned());
    let record = replay.record();
    record.players = [
        names.next().unwrap_or_default(),
        names.next().unwrap_or_default(),
    ];
    if times.iter().any(|&time| time > 0) {
        record.times = times;
    }
    Ok(replay.finish(None, None))
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
    let rule = game.gomoku_rule().unwrap_or(GomokuRule::Freestyle).code();
    if record.start.is_some() {
        return Err(Unwritable::OwnStart);
    }
    let mut text = format!("Piskvorky {columns}x{rows}, 0:0, {rule}\n");
    for (at, mv) in line.moves().iter().enumerate() {
        let Some(cell) = mv.cell() else { continue };
        let time = record.times.get(at).copied().unwrap_or(0);
        text += &format!("{},{},{time}\n", cell % columns + 1, cell / columns + 1);
    }
    for name in &record.players {
        text += &format!("{}\n", if name.is_empty() { "?" } else { name });
    }
    Ok(text)
}
