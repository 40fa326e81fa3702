//! `papan explain`: why a strategy moves as it does.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_catalog::{AnyLine, Family, GameVisitor, StrategySpec};
use papan_rules::Line;
use papan_solve::{ScoredTree, SearchKind, TreeNode, TreeOptions, search_tree};
use papan_strategies::{Context, Limits};
use papan_view::json::{self, Explanation};
use papan_view::tree_svg::{self, TreeKind, TreeStyle};
use papan_view::{Marks, Messages, explain, messages};

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
    /// Draw this many plies of the tree of minimax, alphabeta or branch-and-bound
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
    let line = args.source.line(words)?;
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
    if let Some(path) = &args.svg {
        let title = format!("{}: {}", args.source.game.name(), args.strategy);
        let picture = explain::svg(&*line, &decision, &title, style, words);
        save(path, &picture)?;
    }
    let text = if args.json {
        json::line(&Explanation::new(&*line, &args.strategy, &decision, words))
    } else {
        explain::text(&*line, &decision, style, words)
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn save(path: &Path, picture: &str) -> anyhow::Result<()> {
    papan_files::write_atomic(path, picture.as_bytes())
        .map_err(|cause| anyhow::anyhow!("{}: {cause}", path.display()))
}

/// The tree that a strategy thinks in, from a position.
struct TreeJob<'a> {
    position: &'a str,
    strategy: &'a StrategySpec,
    /// The search; without, the strategy weighs moves.
    searcher: Option<SearchKind>,
    shown: u32,
    merge: bool,
}

impl GameVisitor for TreeJob<'_> {
    type Output = anyhow::Result<TreeNode>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let pos = game.parse_position(self.position)?;
        if let Some(searcher) = self.searcher {
            let depth = self.strategy.arguments().number("depth");
            let options = TreeOptions {
                search: searcher,
                depth: depth.map(|depth| depth as u32),
                shown: self.shown,
                merge: self.merge,
            };
            return Ok(search_tree(&**game, &pos, &options));
        }
        let mut strategy = game.strategy(self.strategy, &Limits::default())?;
        let mut tree = ScoredTree {
            game: &**game,
            strategy: &mut *strategy,
            merge: self.merge,
        };
        Ok(tree.from(&Line::from_position(pos), self.shown)?)
    }
}

/// How many positions the last row would have. Of what is weighed only one move is
/// followed.
fn last_row(moves: usize, shown: u32, kind: TreeKind) -> usize {
    let shown = shown as usize;
    let row = |ply: usize| match kind {
        TreeKind::Scored if ply.is_multiple_of(2) && ply + 1 < shown => 1,
        _ => moves.saturating_sub(ply).max(1),
    };
    (0..shown).map(row).fold(1, usize::saturating_mul)
}

fn draw_tree(
    args: &ExplainArgs,
    line: &dyn AnyLine,
    shown: u32,
    path: &Path,
    words: Messages,
) -> anyhow::Result<()> {
    let game = &args.source.game;
    let arguments = args.strategy.arguments();
    let (searcher, kind) = match args.strategy.info().name {
        "minimax" => (Some(SearchKind::Minimax), TreeKind::Search),
        "alphabeta" => (Some(SearchKind::AlphaBeta), TreeKind::Search),
        "branch-and-bound" => (None, TreeKind::Scored),
        _ => anyhow::bail!(words.text("tree-which")),
    };
    if arguments.word("prefer") == Some("shortest") {
        anyhow::bail!(words.text("tree-prefer"));
    }
    // Says what the catalog would say: a large board needs a depth.
    game.seat(&args.strategy, &Limits::default())
        .map_err(|error| anyhow::anyhow!(messages::unplayable(words, &error)))?;
    let drawn = last_row(line.legal_moves().len(), shown, kind);
    if !args.merge && drawn > MOST_DRAWN {
        let most = MOST_DRAWN.to_string();
        let values = [("count", drawn.to_string().into()), ("most", most.into())];
        anyhow::bail!(words.with("tree-too-large", values));
    }
    let position = line.position_text();
    let root = game.visit(TreeJob {
        position: &position,
        strategy: &args.strategy,
        searcher,
        shown,
        merge: args.merge,
    })?;
    let title = format!("{}: {}, {position}", game.name(), args.strategy);
    let style = TreeStyle {
        sides: game.shape().sides(),
        pieces: game.pieces(),
        marks: Marks::XO,
        title: &title,
        kind,
    };
    save(path, &tree_svg::draw(&root, &style, words))
}
