//! Every strategy, once.

use papan_mnk::{GridEngine, GridEngineOptions};
use papan_othello::book::BookPlayer;
use papan_othello::{EngineStrategy, SmallEngine};
use papan_rules::{Bits, Described, Game, Grid, Othello, Symmetric};
use papan_strategies::{
    AlphaBeta, Automaton, BranchAndBound, Expert, Formula, Greedy, GreedyPoints, Limits, Lookup,
    Mcts, Minimax, Perfect, Prefer, Random, Table, Ties,
};

use crate::Facts;
use crate::computer::{self, LEVELS, at_any_game};
use crate::families::{Builders, every_game};
use crate::own_book;
#[cfg(test)]
use crate::page_examples::last::Last;
use crate::recipe::{Arguments, Built, Kind, Parameter, Recipe, Unplayable};
use crate::shipped_proofs;

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
fn any_board(_: &Facts, _: &Arguments, _: &Limits) -> Result<(), Unplayable> {
    Ok(())
}

const DEPTH: Parameter = Parameter {
    name: "depth",
    kind: Kind::Number { min: 1, max: 400 },
    default: "to the end of the game",
    summary: "plies to look ahead",
};
const PREFER: Parameter = Parameter {
    name: "prefer",
    kind: Kind::Choice(&["first", "shortest"]),
    default: "first",
    summary: "among moves of one value: the first, or the one that wins sooner and loses later",
};
const SEED: Parameter = Parameter {
    name: "seed",
    kind: Kind::Number {
        min: 0,
        max: u64::MAX,
    },
    default: "the game's",
    summary: "what its random choices depend on",
};

/// Every strategy, in the order in which they are listed.
pub static RECIPES: &[Recipe] = &[
    Recipe {
        name: "computer",
        summary: "plays as well as its level, from somebody who has just learnt the rules to all that papan has",
        document: None,
        parameters: &[
            Parameter {
                name: "level",
                kind: Kind::Number {
                    min: *LEVELS.start(),
                    max: *LEVELS.end(),
                },
                default: "3",
                summary: "how well it plays",
            },
            SEED,
        ],
        fits: any_board,
        builders: {
            let mut builders = every_game!(at_any_game);
            builders.grid = Some(computer::at_grid);
            builders.wide_grid = Some(computer::at_grid);
            builders.othello = Some(computer::at_othello);
            builders
        },
    },
    Recipe {
        name: "automaton",
        summary: "looks its answers up in a table, turned to the corner of the opening",
        document: Some("000"),
        parameters: &[Parameter {
            name: "file",
            kind: Kind::File,
            default: "the built-in tables",
            summary: "a table of your own",
        }],
        fits: |facts, _, _| three_by_three("automaton", facts),
        builders: Builders {
            grid: Some(automaton),
            ..Builders::NONE
        },
    },
    Recipe {
        name: "minimax",
        summary: "plays every game out and takes the move whose worst outcome is best",
        document: Some("002"),
        parameters: &[DEPTH, PREFER],
        fits: |facts, arguments, limits| within_depth("minimax", 10, facts, arguments, limits),
        builders: every_game!(minimax),
    },
    Recipe {
        name: "alphabeta",
        summary: "chooses as minimax does, and skips what cannot matter",
        document: Some("002"),
        parameters: &[DEPTH, PREFER],
        fits: |facts, arguments, limits| within_depth("alphabeta", 12, facts, arguments, limits),
        builders: every_game!(alphabeta),
    },
    Recipe {
        name: "branch-and-bound",
        summary: "wins if it can, else defends where the other's pieces weigh most",
        document: Some("003"),
        parameters: &[],
        fits: any_board,
        builders: grids!(branch_and_bound),
    },
    Recipe {
        name: "expert",
        summary: "follows a list of rules: win, block, fork, block a fork, centre, corners, sides",
        document: Some("003"),
        parameters: &[],
        fits: |facts, _, _| three_by_three("expert", facts),
        builders: Builders {
            grid: Some(expert),
            ..Builders::NONE
        },
    },
    Recipe {
        name: "greedy",
        summary: "moves nearer to winning and keeps the other farther away",
        document: Some("004"),
        parameters: &[
            Parameter {
                name: "formula",
                kind: Kind::Choice(&["-p+l", "as-printed"]),
                default: "-p+l",
                summary: "what is made largest; as-printed adds, like the document's fragment",
            },
            Parameter {
                name: "ties",
                kind: Kind::Choice(&["first", "reply"]),
                default: "first",
                summary: "among equals: the first, or the one whose best reply threatens least",
            },
        ],
        fits: any_board,
        builders: grids!(greedy),
    },
    Recipe {
        name: "greedy-points",
        summary: "gives each kind of move its points and takes the most",
        document: Some("004"),
        parameters: &[],
        fits: any_board,
        builders: grids!(greedy_points),
    },
    Recipe {
        name: "random",
        summary: "plays a random legal move",
        document: None,
        parameters: &[SEED],
        fits: any_board,
        builders: every_game!(random),
    },
    Recipe {
        name: "mcts",
        summary: "plays many games by chance and goes where they were won (UCT)",
        document: None,
        parameters: &[
            Parameter {
                name: "playouts",
                kind: Kind::Number {
                    min: 1,
                    max: 100_000_000,
                },
                default: "1000, or as many as a time limit allows",
                summary: "games played by chance for each move",
            },
            SEED,
        ],
        fits: any_board,
        builders: every_game!(mcts),
    },
    Recipe {
        name: "perfect",
        summary: "knows the value of every move on boards small enough to be solved, and plays the proofs that papan has of others",
        document: None,
        parameters: &[],
        fits: |facts, _, _| is_solvable("perfect", facts),
        builders: {
            let mut builders = every_game!(perfect);
            builders.grid = Some(perfect_on_grid);
            builders.wide_grid = Some(perfect_on_grid);
            builders
        },
    },
    Recipe {
        name: "lookup",
        summary: "looks positions up in a list, each with all its symmetric images",
        document: None,
        parameters: &[Parameter {
            name: "file",
            kind: Kind::File,
            default: Parameter::REQUIRED,
            summary: "a list that `papan automaton smallest` wrote",
        }],
        fits: needs_file,
        builders: every_game!(lookup),
    },
    Recipe {
        name: "engine",
        summary: "searches deeply: Othello with trained patterns and exact endgames, k in a row with threats and proofs",
        document: None,
        parameters: &[
            Parameter {
                name: "depth",
                kind: Kind::Number { min: 1, max: 60 },
                default: "as far as the other limits allow",
                summary: "plies to look ahead",
            },
            Parameter {
                name: "nodes",
                kind: Kind::Number {
                    min: 1,
                    max: u64::MAX,
                },
                default: "1000000, or 200000 for k in a row, where nothing else limits it",
                summary: "nodes to look at for each move",
            },
            Parameter {
                name: "threads",
                kind: Kind::Number { min: 1, max: 256 },
                default: "1",
                summary: "threads that search together",
            },
            Parameter {
                name: "hash",
                kind: Kind::Number {
                    min: 1,
                    max: 1 << 20,
                },
                default: "64",
                summary: "size of the hash table in MiB",
            },
            Parameter {
                name: "book",
                kind: Kind::Choice(&["on", "off"]),
                default: "on where it plays Othello by time",
                summary: "whether it plays its openings from a book",
            },
        ],
        fits: any_board,
        builders: Builders {
            othello: Some(engine),
            ..grids!(grid_engine)
        },
    },
    #[cfg(test)]
    Recipe {
        name: "last",
        summary: "plays the last cell",
        document: None,
        parameters: &[],
        fits: any_board,
        builders: every_game!(last),
    },
];

/// The recipe of this name.
#[must_use]
pub fn recipe(name: &str) -> Option<&'static Recipe> {
    RECIPES.iter().find(|recipe| recipe.name == name)
}

/// A search that has a depth or other limits, or can do without: the whole of a
/// board with more cells than `most_cells` would take too long.
fn within_depth(
    strategy: &'static str,
    most_cells: usize,
    facts: &Facts,
    arguments: &Arguments,
    limits: &Limits,
) -> Result<(), Unplayable> {
    let limited = arguments.number("depth").is_some() || *limits != Limits::default();
    if limited || facts.cells <= most_cells {
        return Ok(());
    }
    Err(Unplayable::NeedsDepth {
        strategy,
        board: facts.board(),
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
    Ok(Box::new(AlphaBeta {
        depth: depth(arguments),
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

/// The most empty cells of a position that `perfect` solves in a few seconds.
const SOLVABLE: usize = 20;
/// Where pieces turn, winning lines tell nothing and nothing is cut off.
const SOLVABLE_TURNING: usize = 12;
/// With three in a row and room for it both ways, the first player wins quickly.
const SOLVABLE_THREES: usize = 64;

/// How many cells may be empty where `perfect` is to solve a position.
pub(crate) fn most_solvable(facts: &Facts) -> usize {
    let wide_sides = facts.sides.iter().filter(|side| **side >= 3).count();
    match facts.winning_length {
        Some(1..=3) if wide_sides >= 2 => SOLVABLE_THREES,
        _ if facts.fills_up => SOLVABLE,
        _ => SOLVABLE_TURNING,
    }
}

/// Whether a board is solved while one waits, or there is a proof for whoever plays it.
fn is_solvable(strategy: &'static str, facts: &Facts) -> Result<(), Unplayable> {
    if facts.empty <= most_solvable(facts) {
        return Ok(());
    }
    let board = facts.board();
    let length = facts.winning_length.unwrap_or(0);
    let proved = shipped_proofs::proved_players(&facts.sides, length);
    match facts.seat {
        _ if proved.is_empty() => Err(Unplayable::TooLarge { strategy, board }),
        Some(player) if !proved.contains(&player) => Err(Unplayable::OtherSeat {
            strategy,
            board,
            player,
        }),
        _ => Ok(()),
    }
}

/// Exact values where the board is solved while one waits, else the proof that there is; the
/// engine where that does not reach.
fn perfect_on_grid<B: Bits>(grid: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    let facts = Facts::of(grid);
    if facts.empty <= most_solvable(&facts) {
        return perfect(grid, arguments);
    }
    Ok(Box::new(knowing(grid, GridEngineOptions::default())))
}

/// The engine, with what is proved of the board.
fn knowing<B: Bits>(grid: &Grid<B>, options: GridEngineOptions) -> GridEngine {
    let engine = GridEngine::new(grid, options);
    match shipped_proofs::knowledge(grid.shape().sides(), grid.length()) {
        Some(knowledge) => engine.with_proofs(knowledge),
        None => engine,
    }
}

fn perfect<G: Symmetric>(_: &G, _: &Arguments) -> Built<G> {
    Ok(Box::new(Perfect::default()))
}

fn branch_and_bound<B: Bits>(_: &Grid<B>, _: &Arguments) -> Built<Grid<B>> {
    Ok(Box::new(BranchAndBound))
}

fn greedy<B: Bits>(_: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    Ok(Box::new(Greedy {
        formula: match arguments.word("formula") {
            Some("as-printed") => Formula::AsPrinted,
            _ => Formula::Difference,
        },
        ties: match arguments.word("ties") {
            Some("reply") => Ties::Reply,
            _ => Ties::First,
        },
    }))
}

fn greedy_points<B: Bits>(_: &Grid<B>, _: &Arguments) -> Built<Grid<B>> {
    Ok(Box::new(GreedyPoints))
}

fn three_by_three(strategy: &'static str, facts: &Facts) -> Result<(), Unplayable> {
    // Games that are not won by a line are none of its games at all.
    let is_it = facts.sides == [3, 3] && facts.winning_length == Some(3);
    facts.only(strategy, "3x3", is_it || facts.winning_length.is_none())
}

fn expert(_: &Grid<u64>, _: &Arguments) -> Built<Grid<u64>> {
    Ok(Box::new(Expert))
}

fn automaton(_: &Grid<u64>, arguments: &Arguments) -> Built<Grid<u64>> {
    let Some(path) = arguments.path("file") else {
        return Ok(Box::new(Automaton::default()));
    };
    let text = std::fs::read_to_string(path).map_err(|cause| Unplayable::Unreadable {
        path: path.into(),
        cause,
    })?;
    let table = Table::parse(&text).map_err(|cause| Unplayable::BrokenTable {
        path: path.into(),
        cause,
    })?;
    Ok(Box::new(Automaton::new(table)))
}

fn needs_file(_: &Facts, arguments: &Arguments, _: &Limits) -> Result<(), Unplayable> {
    match arguments.path("file") {
        Some(_) => Ok(()),
        None => Err(Unplayable::NeedsFile { strategy: "lookup" }),
    }
}

fn lookup<G: Described + Symmetric>(game: &G, arguments: &Arguments) -> Built<G> {
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
        _ => Box::new(BookPlayer::new(own_book::with_shipped()?, engine)),
    })
}

fn grid_engine<B: Bits>(grid: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    let options = GridEngineOptions {
        depth: depth(arguments),
        nodes: arguments.number("nodes"),
        threads: arguments.number("threads").unwrap_or(1) as usize,
        hash_mib: arguments.number("hash").unwrap_or(64) as usize,
        ..GridEngineOptions::default()
    };
    Ok(Box::new(knowing(grid, options)))
}

#[cfg(test)]
fn last<G: Game>(_: &G, _: &Arguments) -> Built<G> {
    Ok(Box::new(Last))
}
