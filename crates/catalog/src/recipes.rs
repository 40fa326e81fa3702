//! Every strategy, once.

use papan_othello::EngineStrategy;
use papan_rules::{Bits, Described, Game, Grid, Othello, Symmetric};
use papan_strategies::{
    AlphaBeta, Automaton, BranchAndBound, Expert, Formula, Greedy, GreedyPoints, Limits, Lookup,
    Mcts, Minimax, Perfect, Prefer, Random, Strategy, Table, Ties,
};

use crate::recipe::{Arguments, Builders, Kind, Parameter, Recipe, Unplayable};

type Built<G> = Result<Box<dyn Strategy<G>>, Unplayable>;

/// Builders for a strategy that plays every game.
macro_rules! every_game {
    ($build:ident) => {
        Builders {
            grid: Some($build),
            wide_grid: Some($build),
            othello: Some($build),
        }
    };
}

/// Builders for a strategy that thinks in winning lines.
macro_rules! grids {
    ($build:ident) => {
        Builders {
            grid: Some($build),
            wide_grid: Some($build),
            othello: None,
        }
    };
}

/// Builders for a strategy that knows 3x3 only.
macro_rules! three_by_three {
    ($build:ident, $name:literal) => {
        Builders {
            grid: Some($build),
            wide_grid: Some(|game, _, _| {
                Err(Unplayable::OneBoard {
                    strategy: $name,
                    board: "3x3",
                    game: game.name(),
                })
            }),
            othello: None,
        }
    };
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
    summary: "what its lots depend on",
};

/// Every strategy, in the order in which they are listed.
pub static RECIPES: [Recipe; 12] = [
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
        builders: three_by_three!(automaton, "automaton"),
    },
    Recipe {
        name: "minimax",
        summary: "plays every game out and takes the move whose worst outcome is best",
        document: Some("002"),
        parameters: &[DEPTH, PREFER],
        builders: every_game!(minimax),
    },
    Recipe {
        name: "alphabeta",
        summary: "chooses as minimax does, and skips what cannot matter",
        document: Some("002"),
        parameters: &[DEPTH, PREFER],
        builders: every_game!(alphabeta),
    },
    Recipe {
        name: "branch-and-bound",
        summary: "wins if it can, else defends where the other's pieces weigh most",
        document: Some("003"),
        parameters: &[],
        builders: grids!(branch_and_bound),
    },
    Recipe {
        name: "expert",
        summary: "follows a list of rules: win, block, fork, block a fork, centre, corners, sides",
        document: Some("003"),
        parameters: &[],
        builders: three_by_three!(expert, "expert"),
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
        builders: grids!(greedy),
    },
    Recipe {
        name: "greedy-points",
        summary: "gives each kind of move its points and takes the most",
        document: Some("004"),
        parameters: &[],
        builders: grids!(greedy_points),
    },
    Recipe {
        name: "random",
        summary: "draws lots among the legal moves",
        document: None,
        parameters: &[SEED],
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
                default: "1000",
                summary: "games played by chance for each move",
            },
            SEED,
        ],
        builders: every_game!(mcts),
    },
    Recipe {
        name: "perfect",
        summary: "knows the value of every move on boards small enough to be solved",
        document: None,
        parameters: &[],
        builders: every_game!(perfect),
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
        builders: every_game!(lookup),
    },
    Recipe {
        name: "engine",
        summary: "searches Othello deeply with trained patterns, and solves its endgames",
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
                default: "1000000 where nothing else limits it",
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
        ],
        builders: Builders {
            grid: None,
            wide_grid: None,
            othello: Some(engine),
        },
    },
];

/// The recipe of this name.
#[must_use]
pub fn recipe(name: &str) -> Option<&'static Recipe> {
    RECIPES.iter().find(|recipe| recipe.name == name)
}

/// The depth of a search, if it has one or can do without: the whole of a board
/// with more cells than `most_cells` would take too long.
fn depth<G: Described>(
    strategy: &'static str,
    game: &G,
    arguments: &Arguments,
    limits: &Limits,
    most_cells: usize,
) -> Result<Option<u32>, Unplayable> {
    let depth = arguments.number("depth").map(|depth| depth as u32);
    let limited = *limits != Limits::default();
    if depth.is_none() && !limited && game.cells() > most_cells {
        return Err(Unplayable::NeedsDepth {
            strategy,
            board: board(game),
        });
    }
    Ok(depth)
}

fn board<G: Described>(game: &G) -> String {
    match game.winning_length() {
        Some(_) => game.shape().text(),
        None => game.name(),
    }
}

fn prefer(arguments: &Arguments) -> Prefer {
    match arguments.word("prefer") {
        Some("shortest") => Prefer::Shortest,
        _ => Prefer::First,
    }
}

fn minimax<G: Described>(game: &G, arguments: &Arguments, limits: &Limits) -> Built<G> {
    Ok(Box::new(Minimax {
        depth: depth("minimax", game, arguments, limits, 10)?,
        prefer: prefer(arguments),
    }))
}

fn alphabeta<G: Described>(game: &G, arguments: &Arguments, limits: &Limits) -> Built<G> {
    Ok(Box::new(AlphaBeta {
        depth: depth("alphabeta", game, arguments, limits, 12)?,
        prefer: prefer(arguments),
    }))
}

fn random<G: Game>(_: &G, arguments: &Arguments, _: &Limits) -> Built<G> {
    Ok(Box::new(Random {
        seed: arguments.number("seed"),
    }))
}

fn mcts<G: Game>(_: &G, arguments: &Arguments, _: &Limits) -> Built<G> {
    let playouts = arguments.number("playouts").map(|playouts| playouts as u32);
    Ok(Box::new(Mcts {
        playouts: playouts.unwrap_or(Mcts::default().playouts),
        seed: arguments.number("seed"),
    }))
}

/// The most cells of a board that `perfect` solves in a few seconds.
const SOLVABLE_CELLS: usize = 20;
/// Where pieces turn, winning lines tell nothing and nothing is cut off.
const SOLVABLE_TURNING: usize = 16;
/// With three in a row the first player wins quickly on any larger board.
const SOLVABLE_THREES: usize = 64;

fn perfect<G: Described + Symmetric>(game: &G, _: &Arguments, _: &Limits) -> Built<G> {
    let most_cells = match game.winning_length() {
        Some(1..=3) => SOLVABLE_THREES,
        _ if game.properties().fills_up => SOLVABLE_CELLS,
        _ => SOLVABLE_TURNING,
    };
    if game.cells() <= most_cells {
        Ok(Box::new(Perfect::default()))
    } else {
        Err(Unplayable::TooLarge {
            strategy: "perfect",
            board: board(game),
        })
    }
}

fn branch_and_bound<B: Bits>(_: &Grid<B>, _: &Arguments, _: &Limits) -> Built<Grid<B>> {
    Ok(Box::new(BranchAndBound))
}

fn greedy<B: Bits>(_: &Grid<B>, arguments: &Arguments, _: &Limits) -> Built<Grid<B>> {
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

fn greedy_points<B: Bits>(_: &Grid<B>, _: &Arguments, _: &Limits) -> Built<Grid<B>> {
    Ok(Box::new(GreedyPoints))
}

fn three_by_three(strategy: &'static str, game: &Grid<u64>) -> Result<(), Unplayable> {
    match (game.shape().sides(), game.length()) {
        ([3, 3], 3) => Ok(()),
        _ => Err(Unplayable::OneBoard {
            strategy,
            board: "3x3",
            game: game.name(),
        }),
    }
}

fn expert(game: &Grid<u64>, _: &Arguments, _: &Limits) -> Built<Grid<u64>> {
    three_by_three("expert", game)?;
    Ok(Box::new(Expert))
}

fn automaton(game: &Grid<u64>, arguments: &Arguments, _: &Limits) -> Built<Grid<u64>> {
    three_by_three("automaton", game)?;
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

fn lookup<G: Described + Symmetric>(game: &G, arguments: &Arguments, _: &Limits) -> Built<G> {
    let path = arguments
        .path("file")
        .ok_or(Unplayable::NeedsFile { strategy: "lookup" })?;
    let text = std::fs::read_to_string(path).map_err(|cause| Unplayable::Unreadable {
        path: path.into(),
        cause,
    })?;
    let list = Lookup::parse(game, &text)
        .map_err(|cause| Unplayable::Other(format!("{path}: {cause}")))?;
    Ok(Box::new(list))
}

fn engine(game: &Othello, arguments: &Arguments, _: &Limits) -> Built<Othello> {
    if game.side() != 8 {
        return Err(Unplayable::OneBoard {
            strategy: "engine",
            board: "8x8",
            game: game.name(),
        });
    }
    let options = papan_othello::Options {
        threads: arguments.number("threads").unwrap_or(1) as usize,
        hash_mib: arguments.number("hash").unwrap_or(64) as usize,
    };
    let depth = arguments.number("depth").map(|depth| depth as u32);
    let engine = EngineStrategy::new(&options).map_err(|e| Unplayable::Other(e.to_string()))?;
    Ok(Box::new(engine.with_own(depth, arguments.number("nodes"))))
}
