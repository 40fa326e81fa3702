//! Strategies of the documents that follow a rule, a formula or a table.

use papan_rules::{Bits, GameInfo, Grid, Symmetric};
use papan_strategies::{
    Automaton, BlockFork, BranchAndBound, EqualCosts, Expert, Formula, Greedy, GreedyPoints,
    Infinity, Limits, Lookup, Ties, TransitionTable,
};

use super::{any_board, grids};
use crate::BoardInfo;
use crate::families::{Builders, every_game};
use crate::strategy_info::{Arguments, Built, Parameter, ParameterKind, StrategyInfo, Unplayable};

pub(super) const AUTOMATON: StrategyInfo = StrategyInfo {
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
};

pub(super) const BRANCH_AND_BOUND: StrategyInfo = StrategyInfo {
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
};

pub(super) const EXPERT: StrategyInfo = StrategyInfo {
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
};

pub(super) const GREEDY: StrategyInfo = StrategyInfo {
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
};

pub(super) const GREEDY_POINTS: StrategyInfo = StrategyInfo {
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
};

pub(super) const LOOKUP: StrategyInfo = StrategyInfo {
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
};

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
    let table = transition_table(arguments)?;
    Ok(Box::new(
        table.map_or_else(Automaton::default, Automaton::new),
    ))
}

/// Returns the table that an automaton reads from a file; `None` for the built-in tables.
pub(crate) fn transition_table(
    arguments: &Arguments,
) -> Result<Option<TransitionTable>, Unplayable> {
    let Some(path) = arguments.path("file") else {
        return Ok(None);
    };
    let text = std::fs::read_to_string(path).map_err(|cause| Unplayable::Unreadable {
        path: path.into(),
        cause,
    })?;
    let table = TransitionTable::parse(&text).map_err(|cause| Unplayable::BrokenTable {
        path: path.into(),
        cause,
    })?;
    Ok(Some(table))
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
