//! `papan book`: the Othello opening book.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use papan_catalog::{AnyGame, AnyLine, opening, user_book};
use papan_othello::book::{Book, BookMove, BuildLimits, build, learn};
use papan_othello::{Board, Engine, Options, Square};
use papan_rules::Move;
use papan_strategies::{Score, Watch};
use papan_view::{Messages, json, messages};

use crate::output::{self, print, status};
use crate::progress::watched;
use crate::terminal_style::Appearance;
use crate::{exit_code, game_file};

#[derive(Args, Debug)]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    /// Show the book moves of a position
    Show(ShowArgs),
    /// Analyse the openings of your games and add them to your own book
    Learn(LearnArgs),
    /// Build a book from scratch, or extend one
    Make(MakeArgs),
}

#[derive(Args, Debug)]
struct ShowArgs {
    /// Moves that lead to the position [default: none, the start position]
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct LearnArgs {
    /// Game file, in any supported format; - is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Number of moves to analyse in each game
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u8).range(1..=40))]
    plies: u8,
    /// Search depth for each position, in plies
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
}

#[derive(Args, Debug)]
struct MakeArgs {
    /// Book file; an existing book is extended, and - writes a new one to standard output
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of positions in the book
    #[arg(long, value_name = "N", default_value_t = 400)]
    positions: usize,
    /// Search depth for each position, in plies
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Depth of the book, in moves from the start
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u8).range(1..=40))]
    plies: u8,
    /// Follow moves that are at most N discs worse than the best one
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
    "othello".parse().expect("the catalog has Othello")
}

fn engine() -> anyhow::Result<Engine> {
    Ok(Engine::new(&Options::default())?)
}

/// Returns the engine's board for the end of a line of 8x8 Othello.
fn board(line: &dyn AnyLine) -> Board {
    let text = line.position_text();
    let mut sides = [0u64; 2];
    for cell in 0..line.game().cells() {
        if let Some(player) = line.piece(cell) {
            let own = usize::from(player != line.turn());
            sides[own] |= 1 << cell;
        }
    }
    Board::try_new(sides[0], sides[1])
        .unwrap_or_else(|_| unreachable!("{text} has at most one disc on a square"))
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
    let text = if args.json {
        json::line(&form)
    } else {
        as_text(&form, words)
    };
    print(&text)?;
    Ok(exit_code::for_answer(!form.moves.is_empty()))
}

fn unreadable(words: Messages, error: &papan_catalog::Unplayable) -> anyhow::Error {
    anyhow::anyhow!(messages::unplayable(words, error))
}

fn book_move(line: &dyn AnyLine, mv: &BookMove) -> json::BookMove {
    let mut next = line.clone_line();
    let is_legal = next.play(Move::on(mv.square.index())).is_ok();
    let name = opening(&*next).filter(|name| is_legal && Some(*name) != opening(line));
    json::BookMove {
        mv: mv.square.to_string(),
        score: Score::about_discs(mv.value as f32).into(),
        goes_on: mv.in_book,
        opening: name,
    }
}

fn as_text(form: &json::Book, words: Messages) -> String {
    let mut text = if form.line.is_empty() {
        words.text("book-start")
    } else {
        words.with("book-position", [("moves", form.line.join(" ").into())])
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
            "book-column-continues",
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
    game_file::report_faults(&args.file, &file, words);
    let games: Vec<Vec<Square>> = file
        .records
        .iter()
        .filter(|record| record.start.is_none() && record.game == game.name())
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
    output::write_file(&path, book.to_string().as_bytes())?;
    status(words.with(
        "book-learnt",
        [
            ("added", (book.len() - before).to_string().into()),
            ("games", games.len().to_string().into()),
            ("path", path.display().to_string().into()),
        ],
    ));
    Ok(exit_code::for_interrupt(watch.stop.is_stopped()))
}

/// Returns the moves of a line without its passes.
fn squares(line: &dyn AnyLine) -> Option<Vec<Square>> {
    let cells = line.moves().iter().filter_map(|mv| mv.cell());
    cells.map(Square::new).collect()
}

fn make_book(args: &MakeArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let name = args.file.display().to_string();
    let mut book = if !output::is_standard(&args.file) && args.file.exists() {
        let bytes = std::fs::read(&args.file).with_context(|| name.clone())?;
        Book::parse(&String::from_utf8_lossy(&bytes)).with_context(|| name.clone())?
    } else {
        Book::default()
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
    output::write_file(&args.file, book.to_string().as_bytes())?;
    status(words.with(
        "book-made",
        [
            ("count", book.len().to_string().into()),
            ("path", name.into()),
        ],
    ));
    Ok(exit_code::for_interrupt(watch.stop.is_stopped()))
}
