//! `papan games`: searching a collection of games.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use papan_catalog::{AnyGame, openings_of};
use papan_files::{PositionSearch, wthor};
use papan_rules::{Move, Outcome, Player, Record, RecordResult};
use papan_view::{Messages, json};
use serde::Serialize;

use crate::game_file;
use crate::output::print;
use crate::source::StartPoint;

#[derive(Args, Debug)]
pub(crate) struct GamesArgs {
    /// Files of games, of any kind that papan reads
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Only games of a player whose name holds this
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only games of these years: 2004, or 1990-1999
    #[arg(long, value_name = "YEARS", value_parser = years)]
    year: Option<(u32, u32)>,
    /// Only games that reached where these moves lead, however they came there, in every
    /// symmetry
    #[arg(long, value_name = "MOVES", conflicts_with = "position")]
    moves: Option<String>,
    /// Only games that reached this position, in every symmetry
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Only games of Othello that passed an opening whose name holds this, such as tiger
    #[arg(long, value_name = "NAME")]
    opening: Option<String>,
    /// The board of lists of moves and positions, which do not say it
    #[arg(long, value_name = "GAME", default_value = "othello")]
    game: AnyGame,
    /// List the games themselves, as records, instead of counting them
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn years(text: &str) -> Result<(u32, u32), String> {
    let year = |text: &str| {
        text.trim()
            .parse::<u32>()
            .map_err(|_| format!("`{text}` is no year; write 2004 or 1990-1999"))
    };
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    Ok((year(from)?, year(to)?))
}

/// What was asked of a game.
struct Question<'a> {
    game: &'a AnyGame,
    /// In small letters.
    player: Option<String>,
    years: Option<(u32, u32)>,
    position: Option<PositionSearch>,
    /// In small letters.
    opening: Option<String>,
    list: bool,
}

impl Question<'_> {
    fn wants_player(&self, name: &str) -> bool {
        self.player
            .as_ref()
            .is_none_or(|part| name.to_lowercase().contains(part))
    }

    /// Whether a game of Othello on 8x8 passed the opening that is asked for.
    fn wants_opening(&self, moves: impl Iterator<Item = Move>) -> bool {
        self.opening.as_ref().is_none_or(|part| {
            let passed = openings_of(moves);
            passed.iter().any(|name| name.to_lowercase().contains(part))
        })
    }

    fn wants_year(&self, year: Option<u32>) -> bool {
        self.years
            .is_none_or(|(from, to)| year.is_some_and(|year| (from..=to).contains(&year)))
    }
}

/// How many games ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Results {
    games: u64,
    first: u64,
    draws: u64,
    second: u64,
}

impl Results {
    fn add(&mut self, outcome: Option<Outcome>) {
        self.games += 1;
        match outcome {
            Some(Outcome::Win(Player::First)) => self.first += 1,
            Some(Outcome::Win(Player::Second)) => self.second += 1,
            Some(Outcome::Draw) => self.draws += 1,
            None => {}
        }
    }

    fn join(&mut self, other: Self) {
        self.games += other.games;
        self.first += other.first;
        self.draws += other.draws;
        self.second += other.second;
    }
}

/// What a collection answers.
#[derive(Debug, Default)]
struct Answer {
    total: u64,
    found: Results,
    /// What was played next, turned to how the position was asked.
    replies: BTreeMap<String, Results>,
    records: Vec<Record>,
    unreadable: usize,
}

impl Answer {
    /// Counts a game that is wanted; `reply` is what was played where the position arose.
    fn count(
        &mut self,
        question: &Question<'_>,
        reply: Option<Option<Move>>,
        outcome: Option<Outcome>,
        record: impl FnOnce() -> Record,
    ) {
        let Some(reply) = reply else { return };
        self.found.add(outcome);
        if let Some(mv) = reply {
            let mv = question.game.format_move(mv);
            self.replies.entry(mv).or_default().add(outcome);
        }
        if question.list {
            self.records.push(record());
        }
    }

    fn join(&mut self, other: Self) {
        self.total += other.total;
        self.found.join(other.found);
        for (reply, results) in other.replies {
            self.replies.entry(reply).or_default().join(results);
        }
        self.records.extend(other.records);
        self.unreadable += other.unreadable;
    }
}

#[derive(Serialize)]
struct Reply<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    #[serde(flatten)]
    results: Results,
}

#[derive(Serialize)]
struct Games<'a> {
    games: u64,
    unreadable: usize,
    found: Results,
    replies: Vec<Reply<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    records: Vec<String>,
}

pub(crate) fn run(args: &GamesArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let asked = StartPoint {
        moves: args.moves.clone(),
        position: args.position.clone(),
    };
    let position = match asked.is_given() {
        true => Some(asked.line(&args.game, words)?),
        false => None,
    };
    let question = Question {
        game: &args.game,
        player: args.player.as_ref().map(|name| name.to_lowercase()),
        years: args.year,
        position: position.map(|line| PositionSearch::new(&*line)),
        opening: args.opening.as_ref().map(|name| name.to_lowercase()),
        list: args.list,
    };
    let mut answer = Answer::default();
    for path in &args.files {
        answer.join(search(path, &question, words)?);
    }
    if answer.total == 0 {
        let files = args.files.join(", ");
        bail!(words.with("games-none", [("files", files.into())]));
    }
    let text = if args.json {
        as_json(&answer)
    } else {
        as_text(args, &answer, words)
    };
    print(&text)?;
    Ok(ExitCode::from(u8::from(answer.found.games == 0)))
}

fn search(path: &str, question: &Question<'_>, words: Messages) -> anyhow::Result<Answer> {
    let bytes = game_file::bytes(path, words)?;
    if let Some(database) = wthor::Database::new(&bytes) {
        return Ok(search_database(path, database, question));
    }
    let file = game_file::read(path, &bytes, Some(question.game), words)?;
    game_file::tell_faults(path, &file, words);
    let mut answer = Answer {
        unreadable: file.faults.len(),
        ..Answer::default()
    };
    for record in file.records {
        answer.total += 1;
        let year = record
            .date
            .as_deref()
            .and_then(|date| date.get(..4)?.parse().ok());
        let wanted = question.wants_year(year)
            && record
                .players
                .iter()
                .any(|name| question.wants_player(name));
        let outcome = match record.result {
            RecordResult::Finished(outcome) => Some(outcome),
            RecordResult::Unfinished => None,
        };
        let reply = match &question.position {
            _ if !wanted || !of_opening(question, &record)? => None,
            None => Some(None),
            Some(finder) => {
                let game: AnyGame = record.game.parse()?;
                let line = game.line_of(&record)?;
                let same_board = game.name() == question.game.name();
                same_board
                    .then(|| finder.reply(record.start.as_deref(), line.moves().iter().copied()))
                    .flatten()
            }
        };
        answer.count(question, reply, outcome, || record);
    }
    Ok(answer)
}

/// Whether a game passed the opening that is asked for, if one is: only Othello's have names.
fn of_opening(question: &Question<'_>, record: &Record) -> anyhow::Result<bool> {
    if question.opening.is_none() {
        return Ok(true);
    }
    if record.start.is_some() || record.game != "othello" {
        return Ok(false);
    }
    let game: AnyGame = record.game.parse()?;
    let line = game.line_of(record)?;
    Ok(question.wants_opening(line.moves().iter().copied()))
}

/// A WTHOR database is searched as it lies there: a hundred thousand games need no records.
fn search_database(path: &str, database: wthor::Database<'_>, question: &Question<'_>) -> Answer {
    let names = |ending, read: fn(&[u8]) -> Vec<String>| {
        game_file::beside(path, ending).map(|bytes| read(&bytes))
    };
    let players = names("jou", wthor::players);
    let tournaments = names("trn", wthor::tournaments);
    let wanted: Option<Vec<bool>> = question.player.as_ref().map(|_| {
        let list = players.iter().flatten();
        list.map(|name| question.wants_player(name)).collect()
    });
    let in_years = question.wants_year(u32::try_from(database.year()).ok());
    let mut answer = Answer {
        unreadable: usize::from(database.is_cut_off()),
        ..Answer::default()
    };
    for entry in database.entries() {
        answer.total += 1;
        let of_player = wanted.as_ref().is_none_or(|wanted| {
            entry
                .players()
                .iter()
                .any(|&at| wanted.get(at).copied().unwrap_or(false))
        });
        let squares = || entry.squares().map_while(|square| square.map(Move::on));
        let reply = match &question.position {
            _ if !(in_years && of_player && question.wants_opening(squares())) => None,
            None => Some(None),
            Some(finder) => finder.reply(None, squares()),
        };
        let record = || {
            let one = wthor::record(
                &database,
                &entry,
                players.as_deref(),
                tournaments.as_deref(),
            );
            one.unwrap_or_else(|_| Record::blank("othello"))
        };
        answer.count(question, reply, Some(entry.outcome()), record);
    }
    answer
}

fn as_json(answer: &Answer) -> String {
    json::page(&Games {
        games: answer.total,
        unreadable: answer.unreadable,
        found: answer.found,
        replies: sorted(answer)
            .into_iter()
            .map(|(mv, results)| Reply { mv, results })
            .collect(),
        records: answer.records.iter().map(ToString::to_string).collect(),
    })
}

/// The replies, the most played first.
fn sorted(answer: &Answer) -> Vec<(&str, Results)> {
    let mut list: Vec<_> = answer
        .replies
        .iter()
        .map(|(mv, results)| (mv.as_str(), *results))
        .collect();
    list.sort_by_key(|(_, results)| std::cmp::Reverse(results.games));
    list
}

fn as_text(args: &GamesArgs, answer: &Answer, words: Messages) -> String {
    if args.list {
        let records: Vec<String> = answer.records.iter().map(ToString::to_string).collect();
        return records.join("\n");
    }
    let found = answer.found;
    let values = [
        ("found", found.games.to_string().into()),
        ("total", answer.total.to_string().into()),
    ];
    let mut text = words.with("games-found", values);
    if found.games > 0 {
        let values = [
            ("games", text.into()),
            ("first", found.first.to_string().into()),
            ("draws", found.draws.to_string().into()),
            ("second", found.second.to_string().into()),
        ];
        text = words.with("games-results", values);
    }
    text.push('\n');
    if !answer.replies.is_empty() {
        text.push('\n');
        text += &table(answer, words);
    }
    text
}

/// What was played next, a line for each move.
fn table(answer: &Answer, words: Messages) -> String {
    const LEAST: [usize; 6] = [5, 6, 6, 6, 7, 0];
    let head = words.text("games-head");
    let head: Vec<&str> = head.split(", ").collect();
    let width = |column: usize| LEAST[column].max(head[column].chars().count());
    let row = |cells: [&str; 6]| {
        let [mv, games, first, drawn, second, points] = cells;
        let (a, b, c, d, e) = (width(0), width(1), width(2), width(3), width(4));
        format!("{mv:<a$} {games:>b$} {first:>c$} {drawn:>d$} {second:>e$}  {points}\n")
    };
    let mut text = row(std::array::from_fn(|column| head[column]));
    for (mv, results) in sorted(answer) {
        let points = (results.first as f64 + results.draws as f64 / 2.0) / results.games as f64;
        text += &row([
            mv,
            &results.games.to_string(),
            &results.first.to_string(),
            &results.draws.to_string(),
            &results.second.to_string(),
            &format!("{:.1} %", 100.0 * points),
        ]);
    }
    text
}
