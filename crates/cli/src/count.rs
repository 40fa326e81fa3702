//! `papan count`: how many positions, games and endings a game has.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_catalog::{AnyGame, Family, GameVisitor};
use papan_solve::{CountError, GameCounts, ResultCounts, count};
use papan_strategies::Watch;
use papan_view::{Messages, json};

use crate::output::status;
use crate::progress::{INTERRUPTED, watched};
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct CountArgs {
    /// The game, such as tictactoe, tictactoe:4x4 or othello:4x4
    #[arg(value_name = "GAME")]
    game: AnyGame,
    /// Print JSON
    #[arg(long)]
    json: bool,
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
            return Ok(ExitCode::from(3));
        }
        Err(CountError::TooMany) => {
            let values = [("game", args.game.name().into())];
            status(words.with("count-too-many", values));
            return Ok(ExitCode::from(3));
        }
    };
    let mut out = std::io::stdout().lock();
    if args.json {
        let counted = json::Census::new(&args.game, &census);
        write!(out, "{}", json::line(&counted))?;
    } else {
        write!(out, "{}", as_text(&args.game, &census, words))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// One row: its word, all of them, and those that differ by more than symmetry.
type Row = (&'static str, u128, u128);

fn by_result<T: Into<u128> + Copy>(all: &ResultCounts<T>, distinct: &ResultCounts<T>) -> [Row; 3] {
    [
        ("count-first", all.first.into(), distinct.first.into()),
        ("count-second", all.second.into(), distinct.second.into()),
        ("count-draws", all.draws.into(), distinct.draws.into()),
    ]
}

fn as_text(game: &AnyGame, census: &GameCounts, words: Messages) -> String {
    let (games, distinct) = (&census.games, &census.games_up_to_symmetry);
    let (endings, distinct_endings) = (&census.endings, &census.endings_up_to_symmetry);
    let mut rows: Vec<Row> = vec![
        (
            "count-positions",
            census.positions.into(),
            census.positions_up_to_symmetry.into(),
        ),
        ("count-games", games.total(), distinct.total()),
    ];
    rows.extend(by_result(games, distinct));
    let total = (endings.total().into(), distinct_endings.total().into());
    rows.push(("count-endings", total.0, total.1));
    rows.extend(by_result(endings, distinct_endings));
    let mut cells = vec![[
        game.name(),
        words.text("count-all"),
        words.text("count-up-to-symmetry"),
    ]];
    cells.extend(rows.into_iter().map(|(word, all, distinct)| {
        let digits = [all, distinct].map(|count| count.to_string());
        let [all, distinct] = digits;
        [words.text(word), all, distinct]
    }));
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
