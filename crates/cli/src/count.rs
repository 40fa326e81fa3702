//! `papan count`: counts the positions, games and final positions of a game.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_catalog::{AnyGame, Family, GameVisitor};
use papan_solve::{CountError, GameCounts, ResultCounts, count};
use papan_strategies::Watch;
use papan_view::{Messages, json};

use crate::csv_table;
use crate::exit_code::{INTERRUPTED, UNDECIDED};
use crate::output::{print, status};
use crate::progress::watched;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct CountArgs {
    /// Game, such as tictactoe, tictactoe:4x4 or othello:4x4
    #[arg(value_name = "GAME")]
    game: AnyGame,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the table as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

struct CountJob<'a>(&'a Watch);

impl GameVisitor for CountJob<'_> {
    type Output = Result<GameCounts, CountError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        count(&**game, self.0)
    }
}

pub(crate) fn run(args: &CountArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let watch = Arc::new(Watch::default());
    let counted = watched(&watch, &args.game, words, || {
        args.game.visit(CountJob(&watch))
    });
    let census = match counted {
        Ok(census) => census,
        Err(CountError::Stopped) => {
            status(words.text("stopped"));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Err(CountError::TooLarge(most)) => {
            let values = [
                ("game", args.game.name().into()),
                ("most", most.to_string().into()),
            ];
            status(words.with("count-too-large", values));
            return Ok(ExitCode::from(UNDECIDED));
        }
        Err(CountError::TooMany) => {
            let values = [("game", args.game.name().into())];
            status(words.with("count-too-many", values));
            return Ok(ExitCode::from(UNDECIDED));
        }
    };
    let text = if args.json {
        json::line(&json::Census::new(&args.game, &census))
    } else if args.csv {
        csv_table::text(table(&args.game, &census, words))
    } else {
        as_text(&args.game, &census, words)
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A row of the table.
struct Row {
    /// Message key of the label.
    label: &'static str,
    all: u128,
    /// Symmetric positions or games counted once.
    up_to_symmetry: u128,
}

impl Row {
    fn new(label: &'static str, all: impl Into<u128>, up_to_symmetry: impl Into<u128>) -> Self {
        Self {
            label,
            all: all.into(),
            up_to_symmetry: up_to_symmetry.into(),
        }
    }
}

fn by_result<T: Into<u128> + Copy>(all: &ResultCounts<T>, distinct: &ResultCounts<T>) -> [Row; 3] {
    [
        Row::new("count-first", all.first, distinct.first),
        Row::new("count-second", all.second, distinct.second),
        Row::new("count-draws", all.draws, distinct.draws),
    ]
}

/// Returns the rows of the table, under a row of headings.
fn table(game: &AnyGame, census: &GameCounts, words: Messages) -> Vec<[String; 3]> {
    let (games, distinct) = (&census.games, &census.games_up_to_symmetry);
    let (endings, distinct_endings) = (&census.endings, &census.endings_up_to_symmetry);
    let mut rows = vec![
        Row::new(
            "count-positions",
            census.positions,
            census.positions_up_to_symmetry,
        ),
        Row::new("count-games", games.total(), distinct.total()),
    ];
    rows.extend(by_result(games, distinct));
    rows.push(Row::new(
        "count-endings",
        endings.total(),
        distinct_endings.total(),
    ));
    rows.extend(by_result(endings, distinct_endings));
    let mut cells = vec![[
        game.name(),
        words.text("count-all"),
        words.text("count-up-to-symmetry"),
    ]];
    cells.extend(rows.iter().map(|row| {
        [
            words.text(row.label),
            row.all.to_string(),
            row.up_to_symmetry.to_string(),
        ]
    }));
    cells
}

fn as_text(game: &AnyGame, census: &GameCounts, words: Messages) -> String {
    let cells = table(game, census, words);
    let width = |column: usize| {
        let widths = cells.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let (label, all, distinct) = (width(0), width(1), width(2));
    let mut text = String::new();
    for [word, whole, part] in &cells {
        text.push_str(&format!(
            "{word:label$}  {whole:>all$}  {part:>distinct$}\n"
        ));
    }
    let longest = [("moves", census.longest.to_string().into())];
    text.push_str(&words.with("count-longest", longest));
    text.push('\n');
    text
}
