//! `papan explain`: shows the scores behind a strategy's choice, as text, JSON or a picture.

use std::process::ExitCode;

use clap::Args;
use papan_catalog::tree::{self, TreeRequest};
use papan_catalog::{AnyLine, StrategySpec};
use papan_strategies::{Context, Limits};
use papan_view::json::{self, Explanation};
use papan_view::tree_drawing::{self, TreeKind, TreeStyle};
use papan_view::{Marks, Messages, explain, messages, tree_text};

use crate::csv_table;
use crate::output;
use crate::picture::PictureArgs;
use crate::source::Source;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    source: Source,
    /// Strategy, such as branch-and-bound, alphabeta(depth=4) or 'move:python3 student.py'
    #[arg(long, value_name = "STRATEGY", value_parser = crate::player_arg::strategy)]
    strategy: StrategySpec,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the table of moves as CSV
    #[arg(long, conflicts_with_all = ["json", "tree"])]
    csv: bool,
    #[command(flatten)]
    picture: PictureArgs,
    /// Show this many plies of the search tree of minimax, alphabeta or branch-and-bound
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=8))]
    tree: Option<u32>,
    /// Merge symmetric branches of the tree
    #[arg(long, requires = "tree")]
    merge: bool,
}

pub(crate) fn run(args: &ExplainArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let line = args.source.line(words)?;
    if line.outcome().is_some() {
        anyhow::bail!(words.text("explain-over"));
    }
    let style = appearance.style(Marks::deciding(&*line, &args.strategy));
    if let Some(shown) = args.tree {
        let text = draw_tree(args, &*line, shown, words, style.ascii)?;
        output::print_styled_beside(args.picture.standard(), &text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut seat = args
        .source
        .game
        .seat(&args.strategy, &Limits::default())
        .map_err(|error| anyhow::anyhow!(messages::unplayable(words, &error)))?;
    let decision = seat
        .decide(&*line, &Context::with_seed(args.seed))
        .map_err(|error| {
            let reason = messages::no_move(words, &error);
            let values = [
                ("strategy", args.strategy.to_string().into()),
                ("reason", reason.into()),
            ];
            anyhow::anyhow!(words.with("explain-no-answer", values))
        })?;
    if args.picture.is_given() {
        let title = format!("{}: {}", args.source.game.name(), args.strategy);
        let picture = explain::picture(&*line, &decision, &title, style, words);
        args.picture.write(&picture)?;
    }
    let text = if args.json {
        json::line(&Explanation::new(&*line, &args.strategy, &decision, words))
    } else if args.csv {
        let mut rows = explain::rows(&args.source.game, &decision, words);
        // The chosen move is marked in the first column.
        rows[0][0] = words.text("explain-chosen");
        csv_table::text(rows)
    } else {
        explain::text(&*line, &decision, style, words)
    };
    output::print_styled_beside(args.picture.standard(), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the picture of a search tree, and returns its text or JSON.
fn draw_tree(
    args: &ExplainArgs,
    line: &dyn AnyLine,
    shown: u32,
    words: Messages,
    ascii: bool,
) -> anyhow::Result<String> {
    let game = &args.source.game;
    let request = TreeRequest {
        strategy: args.strategy.clone(),
        shown,
        merge: args.merge,
    };
    let root = tree::tree(line, &request)
        .map_err(|error| anyhow::anyhow!(messages::tree(words, &error)))?;
    if args.picture.is_given() {
        let strategy = args.strategy.to_string();
        let title = format!("{}: {strategy}, {}", game.name(), line.position_text());
        let style = TreeStyle {
            game,
            marks: Marks::deciding(line, &args.strategy),
            title: &title,
            kind: TreeKind::of(&strategy),
            current: None,
            link: None,
        };
        args.picture
            .write(&tree_drawing::draw(&root, &style, words))?;
    }
    Ok(if args.json {
        json::line(&json::Tree::new(game, &root))
    } else if args.picture.is_given() {
        String::new()
    } else {
        tree_text::draw(game, &root, words, ascii)
    })
}
