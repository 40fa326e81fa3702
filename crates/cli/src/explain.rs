//! `papan explain`: shows the scores behind a strategy's choice, as text, JSON or a picture.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_catalog::{AnyLine, Family, GameVisitor, StrategySpec};
use papan_rules::{Line, Player};
use papan_solve::{ScoredTree, SearchKind, TreeNode, TreeOptions, search_tree};
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

/// Maximum number of positions in a drawn tree.
const MAX_DRAWN: usize = 20_000;

pub(crate) fn run(args: &ExplainArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let line = args.source.line(words)?;
    if line.outcome().is_some() {
        anyhow::bail!(words.text("explain-over"));
    }
    let style = appearance.style(marks(args, &*line));
    if let Some(shown) = args.tree {
        let text = tree(args, &*line, shown, words, style.ascii)?;
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

/// Returns the marks of the players: those of the position as it was typed, and O for the
/// automaton, as its rows have it.
fn marks(args: &ExplainArgs, line: &dyn AnyLine) -> Marks {
    if args.strategy.info().name == "automaton" {
        return match line.turn() {
            Player::First => Marks::OX,
            Player::Second => Marks::XO,
        };
    }
    args.source.start.marks(&args.source.game)
}

/// Builds the search tree of a strategy from a position.
struct TreeJob<'a> {
    position: &'a str,
    strategy: &'a StrategySpec,
    /// The tree search, if the strategy is one; others score moves by a formula.
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

/// Estimates the number of positions in the last row of a tree. In a tree of scored moves only
/// the chosen move is followed.
fn last_row(moves: usize, shown: u32, kind: TreeKind) -> usize {
    let shown = shown as usize;
    let row = |ply: usize| match kind {
        TreeKind::Scored if ply.is_multiple_of(2) && ply + 1 < shown => 1,
        _ => moves.saturating_sub(ply).max(1),
    };
    (0..shown).map(row).fold(1, usize::saturating_mul)
}

/// Writes the picture of a search tree, and returns its text or JSON.
fn tree(
    args: &ExplainArgs,
    line: &dyn AnyLine,
    shown: u32,
    words: Messages,
    ascii: bool,
) -> anyhow::Result<String> {
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
    if arguments.word("pseudo-code") == Some("as-printed") {
        anyhow::bail!(words.text("as-printed-has-no-tree"));
    }
    // Reports the catalog's error, for instance that a large board needs a depth.
    game.seat(&args.strategy, &Limits::default())
        .map_err(|error| anyhow::anyhow!(messages::unplayable(words, &error)))?;
    let drawn = last_row(line.legal_moves().len(), shown, kind);
    if !args.merge && drawn > MAX_DRAWN {
        let most = MAX_DRAWN.to_string();
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
    if args.picture.is_given() {
        let title = format!("{}: {}, {position}", game.name(), args.strategy);
        let style = TreeStyle {
            game,
            marks: marks(args, line),
            title: &title,
            kind,
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
