//! `papan games`: searches game collections and counts results and next moves.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use papan_catalog::{AnyGame, openings_of};
use papan_files::{PositionSearch, wthor};
use papan_rules::{Move, Outcome, Player, Record, RecordResult};
use papan_view::{Messages, json};
use serde::Serialize;

use crate::output::print;
use crate::source::StartPoint;
use crate::{exit_code, game_file};

#[derive(Args, Debug)]
pub(crate) struct GamesArgs {
    /// Game files, in any supported format; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Select games of players whose name contains NAME
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Select games of these years, such as 2004 or 1990-1999
    #[arg(long, value_name = "YEARS", value_parser = parse_years)]
    year: Option<YearRange>,
    /// Select games that reached the position after these moves, by any move order and in any
    /// symmetry
    #[arg(long, value_name = "MOVES", conflicts_with = "position")]
    moves: Option<String>,
    /// Select games that reached this position, in any symmetry
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Select Othello games with an opening whose name contains NAME, such as tiger
    #[arg(long, value_name = "NAME")]
    opening: Option<String>,
    /// Game of the position, and of plain move lists, which do not name it
    #[arg(long, value_name = "GAME", default_value = "othello")]
    game: AnyGame,
    /// Print the games as records instead of counting them
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

type YearRange = std::ops::RangeInclusive<u32>;

fn parse_years(text: &str) -> Result<YearRange, String> {
    let year = |text: &str| {
        text.trim()
            .parse::<u32>()
            .map_err(|_| format!("`{text}` is not a year; expected 2004 or 1990-1999"))
    };
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    Ok(year(from)?..=year(to)?)
}

/// The conditions for a game to be selected.
struct Filter<'a> {
    game: &'a AnyGame,
    /// In lower case.
    player: Option<String>,
    years: Option<YearRange>,
    position: Option<PositionSearch>,
    /// In lower case.
    opening: Option<String>,
    list: bool,
}

impl Filter<'_> {
    fn has_player(&self, name: &str) -> bool {
        self.player
            .as_ref()
            .is_none_or(|part| name.to_lowercase().contains(part))
    }

    /// Returns whether the moves of an 8x8 Othello game pass through the opening.
    fn has_opening(&self, moves: impl Iterator<Item = Move>) -> bool {
        self.opening.as_ref().is_none_or(|part| {
            let names = openings_of(moves);
            names.iter().any(|name| name.to_lowercase().contains(part))
        })
    }

    /// Returns whether a record passes through the opening; only 8x8 Othello has named openings.
    fn has_opening_in(&self, record: &Record) -> anyhow::Result<bool> {
        if self.opening.is_none() {
            return Ok(true);
        }
        if record.start.is_some() || record.game != "othello" {
            return Ok(false);
        }
        let game: AnyGame = record.game.parse()?;
        let line = game.line_of(record)?;
        Ok(self.has_opening(line.moves().iter().copied()))
    }

    fn has_year(&self, year: Option<u32>) -> bool {
        self.years
            .as_ref()
            .is_none_or(|range| year.is_some_and(|year| range.contains(&year)))
    }
}

/// Numbers of games by result.
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

/// The result of a search.
#[derive(Debug, Default)]
struct SearchResult {
    total: u64,
    found: Results,
    /// Results by the move that was played next, mapped to the symmetry of the position searched
    /// for.
    replies: BTreeMap<String, Results>,
    records: Vec<Record>,
    unreadable: usize,
}

impl SearchResult {
    /// Counts a selected game; `reply` is the move that was played in the position searched for.
    fn count(
        &mut self,
        filter: &Filter<'_>,
        reply: Option<Move>,
        outcome: Option<Outcome>,
        record: impl FnOnce() -> Record,
    ) {
        self.found.add(outcome);
        if let Some(mv) = reply {
            let mv = filter.game.format_move(mv);
            self.replies.entry(mv).or_default().add(outcome);
        }
        if filter.list {
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
    let start = StartPoint {
        moves: args.moves.clone(),
        position: args.position.clone(),
    };
    let position = if start.is_given() {
        Some(start.line(&args.game, words)?)
    } else {
        None
    };
    let filter = Filter {
        game: &args.game,
        player: args.player.as_ref().map(|name| name.to_lowercase()),
        years: args.year.clone(),
        position: position.map(|line| PositionSearch::new(&*line)),
        opening: args.opening.as_ref().map(|name| name.to_lowercase()),
        list: args.list,
    };
    let mut result = SearchResult::default();
    for path in &args.files {
        result.join(search(path, &filter, words)?);
    }
    if result.total == 0 {
        let files = args.files.join(", ");
        bail!(words.with("games-none", [("files", files.into())]));
    }
    let text = if args.json {
        as_json(&result)
    } else {
        as_text(args, &result, words)
    };
    print(&text)?;
    Ok(exit_code::for_answer(result.found.games > 0))
}

fn search(path: &str, filter: &Filter<'_>, words: Messages) -> anyhow::Result<SearchResult> {
    let bytes = game_file::bytes(path, words)?;
    if let Some(database) = wthor::Database::new(&bytes) {
        return Ok(search_database(path, database, filter));
    }
    let file = game_file::read(path, &bytes, Some(filter.game), words)?;
    game_file::report_faults(path, &file, words);
    let mut result = SearchResult {
        unreadable: file.faults.len(),
        ..SearchResult::default()
    };
    for record in file.records {
        result.total += 1;
        let year = record
            .date
            .as_deref()
            .and_then(|date| date.get(..4)?.parse().ok());
        let is_selected = filter.has_year(year)
            && record.players.iter().any(|name| filter.has_player(name))
            && filter.has_opening_in(&record)?;
        if !is_selected {
            continue;
        }
        let reply = match &filter.position {
            None => None,
            Some(finder) => {
                let game: AnyGame = record.game.parse()?;
                let line = game.line_of(&record)?;
                if game.name() != filter.game.name() {
                    continue;
                }
                let moves = line.moves().iter().copied();
                match finder.reply(record.start.as_deref(), moves) {
                    Some(reply) => reply,
                    None => continue,
                }
            }
        };
        let outcome = match record.result {
            RecordResult::Finished(outcome) => Some(outcome),
            RecordResult::Unfinished => None,
        };
        result.count(filter, reply, outcome, || record);
    }
    Ok(result)
}

/// Searches a WTHOR database of any number of games without converting them to records.
fn search_database(path: &str, database: wthor::Database<'_>, filter: &Filter<'_>) -> SearchResult {
    let names = |ending, read: fn(&[u8]) -> Vec<String>| {
        game_file::beside(path, ending).map(|bytes| read(&bytes))
    };
    let players = names("jou", wthor::players);
    let tournaments = names("trn", wthor::tournaments);
    let selected_players: Option<Vec<bool>> = filter.player.as_ref().map(|_| {
        let names = players.iter().flatten();
        names.map(|name| filter.has_player(name)).collect()
    });
    let has_year = filter.has_year(u32::try_from(database.year()).ok());
    let mut result = SearchResult {
        unreadable: usize::from(database.is_cut_off()),
        ..SearchResult::default()
    };
    for entry in database.entries() {
        result.total += 1;
        let has_player = selected_players.as_ref().is_none_or(|selected| {
            entry
                .players()
                .iter()
                .any(|&at| selected.get(at).copied().unwrap_or(false))
        });
        let squares = || entry.squares().map_while(|square| square.map(Move::on));
        if !(has_year && has_player && filter.has_opening(squares())) {
            continue;
        }
        let reply = match &filter.position {
            None => None,
            Some(finder) => match finder.reply(None, squares()) {
                Some(reply) => reply,
                None => continue,
            },
        };
        let record = || {
            wthor::record(
                &database,
                &entry,
                players.as_deref(),
                tournaments.as_deref(),
            )
            .unwrap_or_else(|_| Record::blank("othello"))
        };
        result.count(filter, reply, Some(entry.outcome()), record);
    }
    result
}

fn as_json(answer: &SearchResult) -> String {
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

/// Returns the replies, the most frequent one first.
fn sorted(answer: &SearchResult) -> Vec<(&str, Results)> {
    let mut list: Vec<_> = answer
        .replies
        .iter()
        .map(|(mv, results)| (mv.as_str(), *results))
        .collect();
    list.sort_by_key(|(_, results)| std::cmp::Reverse(results.games));
    list
}

fn as_text(args: &GamesArgs, answer: &SearchResult, words: Messages) -> String {
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

/// Returns a table of the replies and their results.
fn table(answer: &SearchResult, words: Messages) -> String {
    const MIN_WIDTHS: [usize; 6] = [5, 6, 6, 6, 7, 0];
    let head_text = words.text("games-head");
    let head: Vec<&str> = head_text.split(", ").collect();
    let width = |column: usize| MIN_WIDTHS[column].max(head[column].chars().count());
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
