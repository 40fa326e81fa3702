//! `papan book`: the openings of Othello that the engine plays from.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use papan_catalog::{AnyGame, AnyLine, opening, user_book};
use papan_othello::book::{Book, BookMove, BuildLimits, build, learn};
use papan_othello::{Board, Engine, Options, Square};
use papan_rules::Move;
use papan_strategies::{Score, StopToken, Watch};
use papan_view::{Messages, json, messages};

use crate::game_file;
use crate::output::{print, status};
use crate::progress::{INTERRUPTED, watched};
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    /// What the book says of a position
    Show(ShowArgs),
    /// Search the openings of your own games and keep them in a book of your own
    Learn(LearnArgs),
    /// Make a book from nothing, or let one grow that was made so
    Make(MakeArgs),
}

#[derive(Args, Debug)]
struct ShowArgs {
    /// The moves that lead there
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct LearnArgs {
    /// A file of games, of any kind that papan reads; - is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Moves of each game that are looked at
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u8).range(1..=40))]
    plies: u8,
    /// Plies that each position is searched
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
}

#[derive(Args, Debug)]
struct MakeArgs {
    /// The book; if it is there already, it goes on growing
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Positions in it
    #[arg(long, value_name = "N", default_value_t = 400)]
    positions: usize,
    /// Plies that each position is searched
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Moves from the start
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u8).range(1..=40))]
    plies: u8,
    /// Discs that a move may be worse than the best and still be followed
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(i32).range(0..=64))]
    width: i32,
}

pub(crate) fn run(args: &BookArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    match &args.command {
        BookCommand::Show(args) => show(args, words),
        BookCommand::Learn(args) => learn_games(args, words),
        BookCommand::Make(args) => make_book(args, words),
    }
}

fn othello() -> AnyGame {
    "othello".parse().expect("the catalog knows Othello")
}

fn engine() -> anyhow::Result<Engine> {
    Ok(Engine::new(&Options::default())?)
}

/// The board at the end of a line of Othello on 8x8.
fn board(line: &dyn AnyLine) -> Board {
    let text = line.position_text();
    let mut sides = [0u64; 2];
    for cell in 0..line.game().cells() {
        if let Some(player) = line.piece(cell) {
            let own = usize::from(player != line.turn());
            sides[own] |= 1 << cell;
        }
    }
    Board::try_new(sides[0], sides[1]).unwrap_or_else(|_| unreachable!("{text} is a position"))
}

fn show(args: &ShowArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let game = othello();
    let mut line = game.line();
    let text = args.moves.join(" ");
    if let Err(error) = line.extend(&text) {
        bail!("{text:?}: {}", messages::line(words, &*line, &error));
    }
    let own = user_book::read().map_err(|error| unreadable(words, &error))?;
    let book = user_book::with_bundled().map_err(|error| unreadable(words, &error))?;
    let form = json::Book {
        line: json::moves(&game, line.moves()),
        position: line.position_text(),
        opening: opening(&*line),
        positions: book.len(),
        own_positions: own.len(),
        moves: book
            .moves(board(&*line))
            .iter()
            .map(|mv| book_move(&*line, mv))
            .collect(),
    };
    match args.json {
        true => print(&json::line(&form))?,
        false => print(&shown(&form, words))?,
    }
    Ok(ExitCode::from(u8::from(form.moves.is_empty())))
}

fn unreadable(words: Messages, error: &papan_catalog::Unplayable) -> anyhow::Error {
    anyhow::anyhow!(messages::unplayable(words, error))
}

fn book_move(line: &dyn AnyLine, mv: &BookMove) -> json::BookMove {
    let mut next = line.clone_line();
    let played = Move::on(mv.square.index());
    let led = next.play(played).is_ok();
    let name = opening(&*next).filter(|name| led && Some(*name) != opening(line));
    json::BookMove {
        mv: mv.square.to_string(),
        score: Score::about_discs(mv.value as f32).into(),
        goes_on: mv.in_book,
        opening: name,
    }
}

fn shown(form: &json::Book, words: Messages) -> String {
    let mut text = match form.line.is_empty() {
        true => words.text("book-start"),
        false => words.with("book-position", [("moves", form.line.join(" ").into())]),
    };
    if let Some(name) = form.opening {
        text += "\n";
        text += &words.with("opening", [("name", name.into())]);
    }
    text += "\n\n";
    if form.moves.is_empty() {
        text += &words.text("book-unknown");
        text += "\n";
    } else {
        let heads = [
            "review-column-move",
            "book-column-value",
            "book-column-goes-on",
        ];
        let [mv, value, goes_on] = heads.map(|key| words.text(key));
        let (mw, vw, gw) = (
            mv.chars().count(),
            value.chars().count(),
            goes_on.chars().count(),
        );
        text += &format!("{mv}  {value}  {goes_on}\n");
        for mv in &form.moves {
            let value = mv.score.read().map_or(0.0, Score::value);
            let yes = if mv.goes_on {
                words.text("book-yes")
            } else {
                String::new()
            };
            let row = format!(
                "{:<mw$}  {:>vw$}  {yes:<gw$}  {}",
                mv.mv,
                papan_view::score::signed(value),
                mv.opening.unwrap_or_default()
            );
            text += row.trim_end();
            text += "\n";
        }
    }
    let values = [
        ("count", form.positions.to_string().into()),
        ("own", form.own_positions.to_string().into()),
    ];
    text + "\n" + &words.with("book-size", values) + "\n"
}

fn learn_games(args: &LearnArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let game = othello();
    let path = user_book::path().with_context(|| words.text("book-no-place"))?;
    let mut book = user_book::read().map_err(|error| unreadable(words, &error))?;
    let file = game_file::load(&args.file, Some(&game), words)?;
    game_file::tell_faults(&args.file, &file, words);
    let of_start = file.records.iter().filter(|record| record.start.is_none());
    let games: Vec<Vec<Square>> = of_start
        .filter(|record| record.game == game.name())
        .filter_map(|record| squares(&*game.line_of(record).ok()?))
        .collect();
    if games.is_empty() {
        bail!(words.with("book-no-games", [("path", args.file.clone().into())]));
    }
    let limits = BuildLimits {
        positions: usize::MAX,
        depth: args.depth,
        plies: args.plies.into(),
        width: 64,
    };
    let watch = Arc::new(Watch::default());
    let mut engine = engine()?;
    let before = book.len();
    watched(&watch, &game, words, || {
        learn(&mut book, &mut engine, &games, &limits, &watch);
    });
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    save(&path, &book)?;
    status(words.with(
        "book-learnt",
        [
            ("added", (book.len() - before).to_string().into()),
            ("games", games.len().to_string().into()),
            ("path", path.display().to_string().into()),
        ],
    ));
    Ok(ended(&watch.stop))
}

/// The moves of a line without its passes.
fn squares(line: &dyn AnyLine) -> Option<Vec<Square>> {
    let cells = line.moves().iter().filter_map(|mv| mv.cell());
    cells.map(Square::new).collect()
}

fn make_book(args: &MakeArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let name = args.file.display().to_string();
    let mut book = match args.file.exists() {
        false => Book::default(),
        true => {
            let bytes = std::fs::read(&args.file).with_context(|| name.clone())?;
            Book::parse(&String::from_utf8_lossy(&bytes)).with_context(|| name.clone())?
        }
    };
    let limits = BuildLimits {
        positions: args.positions,
        depth: args.depth,
        plies: args.plies.into(),
        width: args.width,
    };
    let watch = Arc::new(Watch::default());
    let mut engine = engine()?;
    watched(&watch, &othello(), words, || {
        build(&mut book, &mut engine, &limits, &watch);
    });
    save(&args.file, &book)?;
    status(words.with(
        "book-made",
        [
            ("count", book.len().to_string().into()),
            ("path", name.into()),
        ],
    ));
    Ok(ended(&watch.stop))
}

fn save(path: &Path, book: &Book) -> anyhow::Result<()> {
    papan_files::write_atomic(path, book.to_string().as_bytes())
        .with_context(|| path.display().to_string())
}

fn ended(stop: &StopToken) -> ExitCode {
    match stop.is_stopped() {
        true => ExitCode::from(INTERRUPTED),
        false => ExitCode::SUCCESS,
    }
}
