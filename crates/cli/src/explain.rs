//! `papan explain`: why a strategy moves as it does.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_catalog::{AnyLine, Family, Job, StrategySpec};
use papan_solve::{Searcher, TreeNode, TreeOptions, search_tree};
use papan_strategies::{Context, Limits};
use papan_view::json::{self, Explained};
use papan_view::tree_picture::{self, TreeStyle};
use papan_view::{Marks, Words, explain, wording};

use crate::source::Source;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    source: Source,
    /// The strategy, such as branch-and-bound or alphabeta(depth=4)
    #[arg(long, value_name = "STRATEGY")]
    strategy: StrategySpec,
    /// Makes every random choice reproducible
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the numbers on the board, or the tree with --tree
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw this many plies of the search tree of minimax or alphabeta
    #[arg(long, value_name = "DEPTH", requires = "svg", value_parser = clap::value_parser!(u32).range(1..=8))]
    tree: Option<u32>,
    /// Merge branches of the tree that are symmetric
    #[arg(long, requires = "tree")]
    merge: bool,
}

/// A tree with more positions than this is no picture any more.
const MOST_DRAWN: usize = 20_000;

pub(crate) fn run(args: &ExplainArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let line = args.source.line()?;
    if line.outcome().is_some() {
        anyhow::bail!(words.text("explain-over"));
    }
    let style = appearance.style(Marks::XO);
    if let (Some(shown), Some(path)) = (args.tree, &args.svg) {
        draw_tree(args, &*line, shown, path, words)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut seat = args
        .source
        .game
        .seat(&args.strategy, &Limits::default())
        .map_err(|error| anyhow::anyhow!(wording::unplayable(words, &error)))?;
    let decision = seat.decide(&*line, &Context::with_seed(args.seed))?;
    if let Some(path) = &args.svg {
        let title = format!("{}: {}", args.source.game.name(), args.strategy);
        let picture = explain::svg(&*line, &decision, &title, style, words);
        save(path, &picture)?;
    }
    let text = if args.json {
        json::line(&Explained::new(&*line, &args.strategy, &decision, words))
    } else {
        explain::text(&*line, &decision, style, words)
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn save(path: &Path, picture: &str) -> anyhow::Result<()> {
    papan_files::write_whole(path, picture.as_bytes())
        .map_err(|cause| anyhow::anyhow!("{}: {cause}", path.display()))
}

struct TreeJob<'a> {
    position: &'a str,
    options: TreeOptions,
}

impl Job for TreeJob<'_> {
    type Output = Option<TreeNode>;

    fn run<G: Family>(self, game: &Arc<G>) -> Option<TreeNode> {
        let pos = game.parse_position(self.position).ok()?;
        Some(search_tree(&**game, &pos, &self.options))
    }
}

fn draw_tree(
    args: &ExplainArgs,
    line: &dyn AnyLine,
    shown: u32,
    path: &Path,
    words: Words,
) -> anyhow::Result<()> {
    let game = &args.source.game;
    let arguments = args.strategy.arguments();
    let searcher = match args.strategy.recipe().name {
        "minimax" => Searcher::Minimax,
        "alphabeta" => Searcher::AlphaBeta,
        _ => anyhow::bail!(words.text("tree-which")),
    };
    if arguments.word("prefer") == Some("shortest") {
        anyhow::bail!(words.text("tree-prefer"));
    }
    // Says what the catalog would say: a large board needs a depth.
    game.seat(&args.strategy, &Limits::default())
        .map_err(|error| anyhow::anyhow!(wording::unplayable(words, &error)))?;
    let moves = line.legal_moves().len();
    let drawn: usize = (0..shown as usize)
        .map(|ply| moves.saturating_sub(ply).max(1))
        .product();
    if !args.merge && drawn > MOST_DRAWN {
        let most = MOST_DRAWN.to_string();
        let values = [("count", drawn.to_string().into()), ("most", most.into())];
        anyhow::bail!(words.with("tree-too-large", values));
    }
    let options = TreeOptions {
        searcher,
        depth: arguments.number("depth").map(|depth| depth as u32),
        shown,
        merge: args.merge,
    };
    let position = line.position_text();
    let job = TreeJob {
        position: &position,
        options,
    };
    let root = game.run(job);
    let root = root.ok_or_else(|| anyhow::anyhow!("{position}: this position cannot arise"))?;
    let title = format!("{}: {}, {position}", game.name(), args.strategy);
    let style = TreeStyle {
        sides: game.shape().sides(),
        pieces: game.pieces(),
        marks: Marks::XO,
        title: &title,
    };
    save(path, &tree_picture::draw(&root, &style, words))
}
