//! Registry of strategies.

use papan_mnk::{GridEngine, GridEngineOptions};
use papan_othello::book::BookPlayer;
use papan_othello::{EngineError, EngineStrategy, SmallEngine};
use papan_rules::{Bits, Game, GameInfo, Gomoku, Grid, Othello, Symmetric};
use papan_strategies::{
    AlphaBeta, AlphaBetaAsPrinted, Automaton, BlockFork, BranchAndBound, EqualCosts, Expert,
    Formula, Greedy, GreedyPoints, Infinity, Limits, Lookup, Mcts, Minimax, Perfect, Prefer,
    Random, Ties, TransitionTable, available_mib,
};

use crate::BoardInfo;
use crate::bundled_certificates::{self, BundledCertificate};
use crate::computer::{self, LEVELS, at_any_game};
use crate::families::{Builders, every_game};
#[cfg(test)]
use crate::page_examples::last::Last;
use crate::strategy_info::{Arguments, Built, Parameter, ParameterKind, StrategyInfo, Unplayable};
use crate::user_book;

/// Builders for a strategy that thinks in winning lines.
macro_rules! grids {
    ($build:ident) => {
        Builders {
            grid: Some($build),
            wide_grid: Some($build),
            ..Builders::NONE
        }
    };
}

/// A strategy that plays every board of its games.
fn any_board(_: &BoardInfo, _: &Arguments, _: &Limits) -> Result<(), Unplayable> {
    Ok(())
}

const DEPTH: Parameter = Parameter {
    name: "depth",
    kind: ParameterKind::Number { min: 1, max: 400 },
    default: "to the end of the game",
    summary: "plies to look ahead",
};
const PREFER: Parameter = Parameter {
    name: "prefer",
    kind: ParameterKind::Choice(&["first", "shortest"]),
    default: "first",
    summary: "among moves of equal value: the first, or the one that wins sooner or loses later",
};
const SEED: Parameter = Parameter {
    name: "seed",
    kind: ParameterKind::Number {
        min: 0,
        max: u64::MAX,
    },
    default: "the game's seed",
    summary: "seed for random choices",
};

/// Every strategy, in the order in which they are listed.
pub static STRATEGIES: &[StrategyInfo] = &[
    StrategyInfo {
        name: "computer",
        summary: "plays at a chosen level, from a complete beginner to full strength",
        document: None,
        parameters: &[
            Parameter {
                name: "level",
                kind: ParameterKind::Number {
                    min: *LEVELS.start(),
                    max: *LEVELS.end(),
                },
                default: "3",
                summary: "playing strength",
            },
            SEED,
        ],
        fits: any_board,
        builders: {
            let mut builders = every_game!(at_any_game);
            builders.grid = Some(computer::at_grid);
            builders.wide_grid = Some(computer::at_grid);
            builders.gomoku = Some(computer::at_gomoku);
            builders.othello = Some(computer::at_othello);
            builders
        },
    },
    StrategyInfo {
        name: "automaton",
        summary: "looks up its reply in a table, rotated to the opening corner",
        document: Some("000"),
        parameters: &[Parameter {
            name: "file",
            kind: ParameterKind::File,
            default: "the built-in tables",
            summary: "your own table",
        }],
        fits: |board, _, _| three_by_three("automaton", board),
        builders: Builders {
            grid: Some(automaton),
            ..Builders::NONE
        },
    },
    StrategyInfo {
        name: "minimax",
        summary: "searches every game to the end and picks the move with the best worst case",
        document: Some("002"),
        parameters: &[DEPTH, PREFER],
        fits: |board, arguments, limits| within_depth("minimax", 10, board, arguments, limits),
        builders: every_game!(minimax),
    },
    StrategyInfo {
        name: "alphabeta",
        summary: "plays the same moves as minimax, but skips branches that cannot matter",
        document: Some("002"),
        parameters: &[
            DEPTH,
            PREFER,
            Parameter {
                name: "pseudo-code",
                kind: ParameterKind::Choice(&["corrected", "as-printed"]),
                default: "corrected",
                summary: "the document's pseudo-code as it is meant, or line by line as printed",
            },
        ],
        fits: |board, arguments, limits| within_depth("alphabeta", 12, board, arguments, limits),
        builders: every_game!(alphabeta),
    },
    StrategyInfo {
        name: "branch-and-bound",
        summary: "wins if it can, otherwise defends where the opponent's pieces cost most",
        document: Some("003"),
        parameters: &[
            Parameter {
                name: "infinity",
                kind: ParameterKind::Choice(&["counted", "plain"]),
                default: "counted",
                summary: "whether two blocks cost more than one, or infinity is infinity",
            },
            Parameter {
                name: "ties",
                kind: ParameterKind::Choice(&["first", "any"]),
                default: "first",
                summary: "among cells of equal cost: the first, or any of them",
            },
        ],
        fits: any_board,
        builders: grids!(branch_and_bound),
    },
    StrategyInfo {
        name: "expert",
        summary: "follows a list of rules: win, block, fork, block a fork, centre, corners, sides",
        document: Some("003"),
        parameters: &[Parameter {
            name: "block-fork",
            kind: ParameterKind::Choice(&["force", "prevent"]),
            default: "force",
            summary: "against a fork: take its cell or force a reply elsewhere, or any cell that prevents it",
        }],
        fits: |board, _, _| three_by_three("expert", board),
        builders: Builders {
            grid: Some(expert),
            ..Builders::NONE
        },
    },
    StrategyInfo {
        name: "greedy",
        summary: "moves closer to winning and keeps the opponent farther away",
        document: Some("004"),
        parameters: &[
            Parameter {
                name: "formula",
                kind: ParameterKind::Choice(&["-p+l", "as-printed"]),
                default: "-p+l",
                summary: "what to maximise; as-printed adds, as in the document's code",
            },
            Parameter {
                name: "ties",
                kind: ParameterKind::Choice(&["first", "reply", "every-reply"]),
                default: "first",
                summary: "among equal moves: the first, or the one whose best reply threatens least; every-reply also counts replies to two threats",
            },
        ],
        fits: any_board,
        builders: grids!(greedy),
    },
    StrategyInfo {
        name: "greedy-points",
        summary: "gives points to each kind of move and plays the one with the most",
        document: Some("004"),
        parameters: &[Parameter {
            name: "win",
            kind: ParameterKind::Number {
                min: 0,
                max: 1_000_000,
            },
            default: "1000",
            summary: "points for a win; the document gives none",
        }],
        fits: any_board,
        builders: grids!(greedy_points),
    },
    StrategyInfo {
        name: "random",
        summary: "plays a random legal move",
        document: None,
        parameters: &[SEED],
        fits: any_board,
        builders: every_game!(random),
    },
    StrategyInfo {
        name: "mcts",
        summary: "plays many random games and follows the moves that win most often (UCT)",
        document: None,
        parameters: &[
            Parameter {
                name: "playouts",
                kind: ParameterKind::Number {
                    min: 1,
                    max: 100_000_000,
                },
                default: "1000, or as many as the time limit allows",
                summary: "random games per move",
            },
            SEED,
        ],
        fits: any_board,
        builders: every_game!(mcts),
    },
    StrategyInfo {
        name: "perfect",
        summary: "plays perfectly on boards small enough to solve, and from bundled proofs on others",
        document: None,
        parameters: &[],
        fits: |board, _, _| is_solvable("perfect", board),
        builders: {
            let mut builders = every_game!(perfect);
            builders.grid = Some(perfect_on_grid);
            builders.wide_grid = Some(perfect_on_grid);
            builders
        },
    },
    StrategyInfo {
        name: "lookup",
        summary: "looks up positions, up to symmetry, in a list",
        document: None,
        parameters: &[Parameter {
            name: "file",
            kind: ParameterKind::File,
            default: Parameter::REQUIRED,
            summary: "a list written by `papan automaton smallest`",
        }],
        fits: needs_file,
        builders: every_game!(lookup),
    },
    StrategyInfo {
        name: "engine",
        summary: "full-strength search: trained patterns and exact endgames in Othello, threat search and proofs for k in a row",
        document: None,
        parameters: &[
            Parameter {
                name: "depth",
                kind: ParameterKind::Number { min: 1, max: 60 },
                default: "as deep as the other limits allow",
                summary: "plies to look ahead",
            },
            Parameter {
                name: "nodes",
                kind: ParameterKind::Number {
                    min: 1,
                    max: u64::MAX,
                },
                default: "1000000, or 200000 for k in a row, if there is no other limit",
                summary: "nodes to search per move",
            },
            Parameter {
                name: "threads",
                kind: ParameterKind::Number { min: 1, max: 256 },
                default: "1",
                summary: "search threads",
            },
            Parameter {
                name: "hash",
                kind: ParameterKind::Number {
                    min: 1,
                    max: 1 << 20,
                },
                default: "64",
                summary: "size of the hash table in MiB",
            },
            Parameter {
                name: "book",
                kind: ParameterKind::Choice(&["on", "off"]),
                default: "on for Othello with a time limit",
                summary: "whether to use the opening book",
            },
        ],
        fits: any_board,
        builders: Builders {
            othello: Some(engine),
            gomoku: Some(gomoku_engine),
            ..grids!(grid_engine)
        },
    },
    #[cfg(test)]
    StrategyInfo {
        name: "last",
        summary: "plays the last cell",
        document: None,
        parameters: &[],
        fits: any_board,
        builders: every_game!(last),
    },
];

/// The entry of every strategy from outside. It is not listed, and no text names it.
pub(crate) static GUEST_INFO: StrategyInfo = StrategyInfo {
    name: "program",
    summary: "asks another program",
    document: None,
    parameters: &[],
    fits: any_board,
    builders: Builders::NONE,
};

/// The recipe of this name.
#[must_use]
pub fn strategy_info(name: &str) -> Option<&'static StrategyInfo> {
    STRATEGIES.iter().find(|info| info.name == name)
}

/// A search that has a depth or other limits, or can do without: the whole of a
/// board with more cells than `most_cells` would take too long.
fn within_depth(
    strategy: &'static str,
    most_cells: usize,
    board: &BoardInfo,
    arguments: &Arguments,
    limits: &Limits,
) -> Result<(), Unplayable> {
    let limited = arguments.number("depth").is_some() || *limits != Limits::default();
    if limited || board.cells <= most_cells {
        return Ok(());
    }
    Err(Unplayable::NeedsDepth {
        strategy,
        board: board.label(),
    })
}

fn depth(arguments: &Arguments) -> Option<u32> {
    arguments.number("depth").map(|depth| depth as u32)
}

fn prefer(arguments: &Arguments) -> Prefer {
    match arguments.word("prefer") {
        Some("shortest") => Prefer::Shortest,
        _ => Prefer::First,
    }
}

fn minimax<G: Game>(_: &G, arguments: &Arguments) -> Built<G> {
    Ok(Box::new(Minimax {
        depth: depth(arguments),
        prefer: prefer(arguments),
    }))
}

fn alphabeta<G: Game>(_: &G, arguments: &Arguments) -> Built<G> {
    let depth = depth(arguments);
    if arguments.word("pseudo-code") == Some("as-printed") {
        return Ok(Box::new(AlphaBetaAsPrinted { depth }));
    }
    Ok(Box::new(AlphaBeta {
        depth,
        prefer: prefer(arguments),
    }))
}

fn random<G: Game>(_: &G, arguments: &Arguments) -> Built<G> {
    Ok(Box::new(Random {
        seed: arguments.number("seed"),
    }))
}

fn mcts<G: Game>(_: &G, arguments: &Arguments) -> Built<G> {
    let playouts = arguments.number("playouts").map(|playouts| playouts as u32);
    Ok(Box::new(Mcts {
        playouts,
        seed: arguments.number("seed"),
    }))
}

/// Maximum number of empty cells that `perfect` solves in a few seconds.
const SOLVABLE: usize = 20;
/// The same for games with flipping pieces, where winning lines do not help pruning.
const SOLVABLE_TURNING: usize = 12;
/// With three in a row and room for it both ways, the first player wins quickly.
const SOLVABLE_THREES: usize = 64;

/// How many cells may be empty where `perfect` is to solve a position.
pub(crate) fn most_solvable(board: &BoardInfo) -> usize {
    let wide_sides = board.sides.iter().filter(|side| **side >= 3).count();
    match board.winning_length {
        Some(1..=3) if wide_sides >= 2 => SOLVABLE_THREES,
        _ if board.fills_up => SOLVABLE,
        _ => SOLVABLE_TURNING,
    }
}

/// Checks whether a board is solved in a few seconds, or has a proof for the player.
fn is_solvable(strategy: &'static str, board: &BoardInfo) -> Result<(), Unplayable> {
    if board.empty <= most_solvable(board) {
        return Ok(());
    }
    let label = board.label();
    let length = board.winning_length.unwrap_or(0);
    let proved = bundled_certificates::proved_players(&board.sides, length);
    let bundled = BundledCertificate::of(&board.sides, length);
    match board.seat {
        _ if bundled.is_some_and(|certificate| certificate.bytes().is_none()) => {
            Err(Unplayable::NoCertificate {
                strategy,
                board: label,
                file: bundled.map_or("", |certificate| certificate.file_name),
            })
        }
        _ if proved.is_empty() => Err(Unplayable::TooLarge {
            strategy,
            board: label,
        }),
        Some(player) if !proved.contains(&player) => Err(Unplayable::OtherSeat {
            strategy,
            board: label,
            player,
        }),
        _ => Ok(()),
    }
}

/// Exact values where the board is solved while one waits, else the proof that there is; the
/// engine where that does not reach.
fn perfect_on_grid<B: Bits>(grid: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    let board = BoardInfo::of(grid);
    if board.empty <= most_solvable(&board) {
        return perfect(grid, arguments);
    }
    Ok(Box::new(knowing(grid, GridEngineOptions::default())))
}

/// Returns the engine with the proofs of the board.
fn knowing<B: Bits>(grid: &Grid<B>, options: GridEngineOptions) -> GridEngine {
    let engine = GridEngine::new(grid, options);
    match bundled_certificates::knowledge(grid.shape().sides(), grid.length()) {
        Some(knowledge) => engine.with_proofs(knowledge),
        None => engine,
    }
}

fn perfect<G: Symmetric>(_: &G, _: &Arguments) -> Built<G> {
    Ok(Box::new(Perfect::default()))
}

fn branch_and_bound<B: Bits>(_: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    Ok(Box::new(BranchAndBound {
        infinity: match arguments.word("infinity") {
            Some("plain") => Infinity::Plain,
            _ => Infinity::Counted,
        },
        ties: match arguments.word("ties") {
            Some("any") => EqualCosts::Any,
            _ => EqualCosts::First,
        },
    }))
}

fn greedy<B: Bits>(_: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    Ok(Box::new(Greedy {
        formula: match arguments.word("formula") {
            Some("as-printed") => Formula::AsPrinted,
            _ => Formula::Difference,
        },
        ties: match arguments.word("ties") {
            Some("reply") => Ties::Reply,
            Some("every-reply") => Ties::EveryReply,
            _ => Ties::First,
        },
    }))
}

fn greedy_points<B: Bits>(_: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    let win = arguments.number("win").map(|win| win as u32);
    Ok(Box::new(GreedyPoints {
        win: win.unwrap_or(GreedyPoints::WIN),
    }))
}

fn three_by_three(strategy: &'static str, board: &BoardInfo) -> Result<(), Unplayable> {
    // Games without winning lines are not its games.
    let is_it = board.sides == [3, 3] && board.winning_length == Some(3);
    board.only(strategy, "3x3", is_it || board.winning_length.is_none())
}

fn expert(_: &Grid<u64>, arguments: &Arguments) -> Built<Grid<u64>> {
    Ok(Box::new(Expert {
        block_fork: match arguments.word("block-fork") {
            Some("prevent") => BlockFork::Prevent,
            _ => BlockFork::Force,
        },
    }))
}

fn automaton(_: &Grid<u64>, arguments: &Arguments) -> Built<Grid<u64>> {
    let Some(path) = arguments.path("file") else {
        return Ok(Box::new(Automaton::default()));
    };
    let text = std::fs::read_to_string(path).map_err(|cause| Unplayable::Unreadable {
        path: path.into(),
        cause,
    })?;
    let table = TransitionTable::parse(&text).map_err(|cause| Unplayable::BrokenTable {
        path: path.into(),
        cause,
    })?;
    Ok(Box::new(Automaton::new(table)))
}

fn needs_file(_: &BoardInfo, arguments: &Arguments, _: &Limits) -> Result<(), Unplayable> {
    match arguments.path("file") {
        Some(_) => Ok(()),
        None => Err(Unplayable::NeedsFile { strategy: "lookup" }),
    }
}

fn lookup<G: GameInfo + Symmetric>(game: &G, arguments: &Arguments) -> Built<G> {
    let path = arguments.path("file").unwrap_or_default();
    let text = std::fs::read_to_string(path).map_err(|cause| Unplayable::Unreadable {
        path: path.into(),
        cause,
    })?;
    let list = Lookup::parse(game, &text).map_err(|cause| Unplayable::BrokenList {
        path: path.into(),
        cause,
    })?;
    Ok(Box::new(list))
}

fn engine(game: &Othello, arguments: &Arguments) -> Built<Othello> {
    let options = papan_othello::Options {
        threads: arguments.number("threads").unwrap_or(1) as usize,
        hash_mib: arguments
            .number("hash")
            .map_or(papan_othello::Options::DEFAULT_HASH_MIB, |mib| mib as usize),
    };
    let (depth, nodes) = (depth(arguments), arguments.number("nodes"));
    if game.side() < 8 {
        let engine = SmallEngine::new(game, &options)?;
        return Ok(Box::new(engine.with_limits(depth, nodes)));
    }
    let engine = EngineStrategy::new(&options)?.with_limits(depth, nodes);
    Ok(match arguments.word("book") {
        Some("off") => Box::new(engine),
        _ => Box::new(BookPlayer::new(user_book::with_bundled()?, engine)),
    })
}

fn grid_engine<B: Bits>(grid: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    Ok(Box::new(knowing(grid, grid_options(arguments)?)))
}

fn gomoku_engine(game: &Gomoku, arguments: &Arguments) -> Built<Gomoku> {
    Ok(Box::new(GridEngine::at_gomoku(
        game,
        grid_options(arguments)?,
    )))
}

fn grid_options(arguments: &Arguments) -> Result<GridEngineOptions, EngineError> {
    let hash_mib = arguments.number("hash").unwrap_or(64) as usize;
    let largest = available_mib();
    if hash_mib > largest {
        return Err(EngineError::HashTooLarge {
            asked: hash_mib,
            largest,
        });
    }
    Ok(GridEngineOptions {
        depth: depth(arguments),
        nodes: arguments.number("nodes"),
        threads: arguments.number("threads").unwrap_or(1) as usize,
        hash_mib,
        ..GridEngineOptions::default()
    })
}

#[cfg(test)]
fn last<G: Game>(_: &G, _: &Arguments) -> Built<G> {
    Ok(Box::new(Last))
}
