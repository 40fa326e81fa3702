//! GGF, the Generic Game Format of Othello servers: `(;GM[Othello]PB[…]PW[…]BO[8 …
//! *]B[f5//1.2]…;)`.
//!
//! Reference: <https://skatgame.net/mburo/ggsa/ggf>

use papan_catalog::AnyGame;
use papan_rules::{Move, Outcome, Player, Record, RecordResult};

use crate::replay::{self, Replay};
use crate::sgf_tree::{Property, Step, escape, games};
use crate::{Expected, ParseError, ParseErrorKind, Parsed, Unwritable};

/// Parses the games of a file.
pub(crate) fn read(text: &str) -> impl Iterator<Item = Parsed> {
    games(text).map(|game| one(&game?))
}

fn one(steps: &[Step]) -> Result<Record, ParseError> {
    let properties: Vec<&Property> = steps
        .iter()
        .flat_map(|step| match step {
            Step::Node(properties) => properties.iter().collect(),
            _ => Vec::new(),
        })
        .collect();
    let value = |name: &str| {
        let property = properties.iter().find(|property| property.name == name)?;
        property.values.first().map(|text| text.trim())
    };
    let mut replay = start(&properties)?;
    let record = replay.record();
    record.players = [
        value("PB").unwrap_or("").into(),
        value("PW").unwrap_or("").into(),
    ];
    let told = |name| {
        value(name)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    record.date = told("DT");
    record.event = told("PC");
    let mut times = Vec::new();
    for property in &properties {
        let player = match property.name.as_str() {
            "B" => Player::First,
            "W" => Player::Second,
            _ => continue,
        };
        let mut parts = property.values[0].split('/');
        let square = parts.next().unwrap_or("").trim();
        let seconds: Option<f64> = parts.nth(1).and_then(|text| text.trim().parse().ok());
        let game = replay.line().game();
        let mv = game.parse_move(square).map_err(|_| {
            let cause = ParseErrorKind::expected(square, Expected::GgfSquare);
            ParseError::at(property.place, cause)
        })?;
        // An omitted pass has no time.
        let passed = mv != Move::PASS && replay.line().check_move(Move::PASS).is_ok();
        times.extend(passed.then_some(None));
        let before = replay.line().moves().len();
        replay
            .play(Some(player), mv)
            .map_err(|cause| ParseError::at(property.place, cause))?;
        if replay.line().moves().len() > before {
            times.push(seconds.filter(|seconds| (0.0..1e7).contains(seconds)));
        }
    }
    if times.iter().any(Option::is_some) {
        let milliseconds = |time: Option<f64>| (time.unwrap_or(0.0) * 1000.0).round() as u64;
        replay.record().times = times.into_iter().map(milliseconds).collect();
    }
    let (told, reason) = value("RE").map_or((None, None), result);
    Ok(replay.finish(told, reason))
}

/// Parses the board and its first position from `BO[8 … *]`.
fn start(properties: &[&Property]) -> Result<Replay, ParseError> {
    let Some(board) = properties.iter().find(|property| property.name == "BO") else {
        let game: AnyGame = "othello".parse().expect("the catalog knows Othello");
        return Ok(Replay::new(&game));
    };
    let text = board.values[0].trim();
    let wrong = || {
        ParseError::at(
            board.place,
            ParseErrorKind::expected(text, Expected::GgfBoard),
        )
    };
    let (side, squares) = text.split_once(char::is_whitespace).ok_or_else(wrong)?;
    let marks: String = squares
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '*' | 'X' | 'x' => 'X',
            'O' | 'o' | '0' => 'O',
            other => other,
        })
        .collect();
    let side: usize = side.parse().map_err(|_| wrong())?;
    let name = format!("othello:{side}x{side}");
    let game: AnyGame = name
        .parse()
        .map_err(|error: papan_catalog::GameError| ParseError::at(board.place, error))?;
    let Some((turn, _)) = marks.char_indices().next_back() else {
        return Err(wrong());
    };
    let position = format!("{} {}", &marks[..turn], &marks[turn..]);
    Replay::from_position(&game, &position).map_err(|cause| ParseError::at(board.place, cause))
}

/// Parses a result: `+12.00` for Black, `-4.0:t` on time, `:r` by resignation.
fn result(text: &str) -> (Option<Outcome>, Option<&'static str>) {
    let (number, how) = text.split_once(':').unwrap_or((text, ""));
    let Ok(number) = number.trim().parse::<f64>() else {
        return (None, None);
    };
    let outcome = match number {
        n if n > 0.0 => Outcome::Win(Player::First),
        n if n < 0.0 => Outcome::Win(Player::Second),
        _ => Outcome::Draw,
    };
    let reason = match how.trim().chars().next() {
        Some('r') => Some("resigned"),
        Some('t') => Some("time"),
        Some('s') => Some("agreed"),
        _ => None,
    };
    (Some(outcome), reason)
}

/// Formats a game.
pub(crate) fn write(record: &Record) -> Result<String, Unwritable> {
    let cannot = || Unwritable::Game(record.game.clone());
    let line = replay::line(record).ok_or_else(cannot)?;
    let game = line.game();
    if !game.name().starts_with("othello") {
        return Err(cannot());
    }
    let side = game.shape().sides()[0];
    let mut text = String::from("(;GM[Othello]");
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("{name}[{}]", escape(value));
        }
    };
    tag("PC", record.event.as_deref().unwrap_or(""));
    tag("DT", record.date.as_deref().unwrap_or(""));
    tag("PB", &record.players[0]);
    tag("PW", &record.players[1]);
    if let RecordResult::Finished(outcome) = record.result {
        let how = match record.reason.as_deref() {
            Some("resigned") => ":r",
            Some("time") => ":t",
            Some("agreed") => ":s",
            _ => "",
        };
        let discs = match record.reason {
            None => line.final_score(Player::First),
            Some(_) => outcome.value_for(Player::First),
        };
        tag("RE", &format!("{discs:+}.000{how}"));
    }
    tag("TY", &side.to_string());
    let mut start = line.clone_line();
    while start.undo().is_some() {}
    tag(
        "BO",
        &format!("{side} {}", squares(&start.position_text(), side)),
    );
    for (at, (player, mv)) in replay::moves(record).into_iter().enumerate() {
        let letter = if player == Player::First { "B" } else { "W" };
        let square = if mv == Move::PASS {
            "PA".into()
        } else {
            game.format_move(mv)
        };
        let time = record.times.get(at).map_or_else(String::new, |&ms| {
            format!("//{}.{:03}", ms / 1000, ms % 1000)
        });
        text += &format!("{letter}[{square}{time}]");
    }
    text += ";)\n";
    Ok(text)
}

/// Formats a position with `*` for Black and a space after each row.
fn squares(position: &str, side: usize) -> String {
    let marks = position.chars().filter(|c| !c.is_whitespace());
    let mut text = String::new();
    for (at, mark) in marks.enumerate() {
        if at > 0 && at % side == 0 {
            text.push(' ');
        }
        text.push(if mark == 'X' { '*' } else { mark });
    }
    text
}
