//! A slow search for continuous fours that knows nothing but the rules.

use papan_rules::{Bits as _, Game as _, Gomoku, GomokuPosition, Move, Player, Wide};

/// Returns the legal moves as a set.
fn legal(game: &Gomoku, pos: &GomokuPosition) -> Wide {
    let cells = game.legal_moves(pos).filter_map(Move::cell);
    cells.fold(Wide::EMPTY, |set, cell| set | Wide::single(cell))
}

/// Returns the legal replies after which the player who made a four has no five.
fn stopping_replies(game: &Gomoku, pos: &GomokuPosition, attacker: Player) -> Vec<GomokuPosition> {
    let fives = game.completing_cells(pos, attacker);
    // A stone can stop a five only near it.
    let side = game.side() as isize;
    let is_near = |cell: usize| {
        fives.cells().any(|five| {
            let distance = |a: usize, b: usize| (a as isize - b as isize).abs();
            let (a, b) = (side as usize, five);
            distance(cell / a, b / a).max(distance(cell % a, b % a)) <= 5
        })
    };
    legal(game, pos)
        .cells()
        .filter(|&cell| is_near(cell))
        .map(|cell| game.after(pos, Move::on(cell)))
        .filter(|next| game.completing_cells(next, attacker).is_empty())
        .collect()
}

/// Returns whether the player to move wins within `fours` fours, the last of which is a five.
pub(crate) fn wins_by_fours(game: &Gomoku, pos: &GomokuPosition, fours: u32) -> bool {
    !winning_fours(game, pos, fours, true).is_empty()
}

/// Returns the moves that win within `fours` fours; only the first if one will do.
pub(crate) fn winning_fours(game: &Gomoku, pos: &GomokuPosition, fours: u32, one: bool) -> Wide {
    let me = game.turn(pos);
    let fives = game.completing_cells(pos, me);
    if !fives.is_empty() || fours <= 1 {
        return fives;
    }
    let mut tried = candidates(game, pos, me);
    let threats = game.completing_cells(pos, me.other());
    if !threats.is_empty() {
        // At caro another stone might stop it, but that is not needed here.
        tried = tried & threats;
    }
    let mut found = Wide::EMPTY;
    for cell in (tried & legal(game, pos)).cells() {
        let next = game.after(pos, Move::on(cell));
        if game.completing_cells(&next, me).is_empty()
            || !game.completing_cells(&next, me.other()).is_empty()
        {
            continue;
        }
        let replies = stopping_replies(game, &next, me);
        if replies
            .iter()
            .all(|reply| wins_by_fours(game, reply, fours - 1))
        {
            found = found | Wide::single(cell);
            if one {
                break;
            }
        }
    }
    found
}

/// Returns the empty cells of five in a row that hold three stones of a player and none of the other.
fn candidates(game: &Gomoku, pos: &GomokuPosition, me: Player) -> Wide {
    let (mine, theirs) = (pos.stones(me), pos.stones(me.other()));
    let side = game.side() as isize;
    let mut cells = Wide::EMPTY;
    for row in 0..side {
        for column in 0..side {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let (last_row, last_column) = (row + 4 * down, column + 4 * right);
                if last_row >= side || !(0..side).contains(&last_column) {
                    continue;
                }
                let line =
                    (0..5).map(|at| ((row + at * down) * side + column + at * right) as usize);
                let line = line.fold(Wide::EMPTY, |set, cell| set | Wide::single(cell));
                if (line & mine).count() >= 3 && !line.meets(theirs) {
                    cells = cells | line;
                }
            }
        }
    }
    cells & game.empty_cells(pos)
}

/// Returns whether the player to move can make a four that cannot be stopped.
pub(crate) fn can_make_open_four(game: &Gomoku, pos: &GomokuPosition) -> bool {
    wins_by_fours(game, pos, 2)
}
