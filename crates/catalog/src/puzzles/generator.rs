//! Generator of puzzles: games between computer levels, searched for positions with one right move.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use papan_rules::{Move, Pieces, Player, SplitMix};
use papan_strategies::{Context, Limits};

use super::judge::{Judge, next_goal};
use super::line_board::LineBoard;
use super::{Goal, Puzzle, Theme};
use crate::{AnyGame, AnyLine, Family, GameVisitor, TypedLine};

/// Games that puzzles are made of.
pub const GENERATED: [&str; 8] = [
    "tictactoe",
    "tictactoe:5x5:4",
    "tictactoe:4x4x4",
    "gomoku",
    "gomoku:standard",
    "gomoku:caro",
    "renju",
    "othello",
];

/// Longest sequence of fours.
const MAX_FOURS: usize = 7;
/// Longest win in which every reply is examined.
const MAX_WIN: usize = 3;
/// Empty squares of an Othello endgame.
const EMPTIES: std::ops::RangeInclusive<usize> = 5..=13;
/// Moves of the solver in an Othello endgame.
const MAX_STEPS: usize = 4;
/// Puzzles taken from one game.
const PER_GAME: usize = 2;

/// Plays the game of a seed and returns the puzzles in it, up to symmetry without those that are
/// `known`.
pub fn generate(game: &AnyGame, seed: u64, known: &mut HashSet<u64>) -> Vec<Puzzle> {
    let (Some(played), Some(mut judge)) = (play(game, seed), Judge::new(game)) else {
        return Vec::new();
    };
    let mut line = played.clone_line();
    let mut found = Vec::new();
    // From the end: late positions are solved faster, and threats are found where a game is won.
    while line.undo().is_some() && found.len() < PER_GAME {
        let puzzle = match game.pieces() {
            Pieces::Discs => endgame(&mut judge, &*line),
            Pieces::Marks | Pieces::Stones => threats(&mut judge, &*line),
        };
        if let Some(puzzle) = puzzle
            && known.insert(key(&*line))
        {
            found.push(puzzle);
            // The position a move earlier has the same idea.
            line.undo();
            line.undo();
        }
    }
    found
}

/// Plays a game between two computer levels after a few random moves.
fn play(game: &AnyGame, seed: u64) -> Option<Box<dyn AnyLine>> {
    let mut random = SplitMix::new(seed);
    let mut seats = Vec::new();
    for _ in 0..2 {
        let level = 2 + random.below(5);
        let spec = format!("computer(level={level})").parse().ok()?;
        let spec: crate::StrategySpec = spec;
        seats.push(game.seat(&spec, &Limits::default()).ok()?);
    }
    let context = Context::with_seed(seed);
    let mut line = game.line();
    let opening = match game.pieces() {
        Pieces::Discs => 4 + random.below(8),
        Pieces::Stones => 1 + random.below(3),
        Pieces::Marks => random.below(4),
    };
    while line.outcome().is_none() {
        let legal = line.legal_moves();
        let mv = if line.moves().len() < opening {
            let near = near_the_centre(&*line, &legal);
            near[random.below(near.len())]
        } else {
            let empty = cells(&*line).filter(|owner| owner.is_none()).count();
            if game.pieces() == Pieces::Discs && empty < *EMPTIES.start() {
                break;
            }
            seats[line.turn().index()].choose(&*line, &context).ok()?.0
        };
        line.play(mv).ok()?;
    }
    Some(line)
}

fn cells(line: &dyn AnyLine) -> impl Iterator<Item = Option<Player>> {
    (0..line.game().cells()).map(|cell| line.piece(cell))
}

/// Returns the legal moves within two rows and columns of the centre of a large flat board, else
/// all.
fn near_the_centre(line: &dyn AnyLine, legal: &[Move]) -> Vec<Move> {
    let game = line.game();
    let &[rows, columns] = game.shape().sides() else {
        return legal.to_vec();
    };
    if rows < 9 {
        return legal.to_vec();
    }
    let near = |mv: &&Move| {
        mv.cell().is_some_and(|cell| {
            (cell / columns).abs_diff(rows / 2) <= 2 && (cell % columns).abs_diff(columns / 2) <= 2
        })
    };
    legal.iter().filter(near).copied().collect()
}

/// Hashes a position up to symmetry.
#[must_use]
pub fn key(line: &dyn AnyLine) -> u64 {
    struct Key<'a>(&'a dyn AnyLine);
    impl GameVisitor for Key<'_> {
        type Output = u64;
        fn visit<G: Family>(self, game: &Arc<G>) -> u64 {
            let mut hasher = DefaultHasher::new();
            if let Some(line) = TypedLine::of(game, self.0) {
                game.pack(&game.canonical(line.position()).0)
                    .hash(&mut hasher);
            }
            hasher.finish()
        }
    }
    line.game().visit(Key(line))
}

/// Returns the puzzle of a position of k in a row: a sequence of fours, a win in a few moves, or a
/// threat to stop.
fn threats(judge: &mut Judge, line: &dyn AnyLine) -> Option<Puzzle> {
    let player = line.turn();
    let mut board = LineBoard::new(line)?;
    let first = |wins: &mut dyn FnMut(usize) -> bool, most: usize| (1..=most).find(|&n| wins(n));
    if let Some(moves) = first(&mut |n| board.wins_within(player, n, false), MAX_WIN) {
        // A line that only has to be completed is no puzzle, except on the smallest board.
        if moves > 1 || line.game().cells() < 16 {
            return sequence(judge, line, Goal::WinIn(moves));
        }
        return None;
    }
    if let Some(moves) = first(&mut |n| board.wins_within(player, n, true), MAX_FOURS) {
        return sequence(judge, line, Goal::Fours(moves));
    }
    let threat = first(
        &mut |n| board.wins_within(player.other(), n, false),
        MAX_WIN,
    )?;
    if threat < 2 && line.game().cells() >= 16 {
        return None;
    }
    sequence(judge, line, Goal::Block(threat))
}

/// Follows the solution of a goal; `None` if more than one move is right on the way.
fn sequence(judge: &mut Judge, line: &dyn AnyLine, goal: Goal) -> Option<Puzzle> {
    let solver = line.turn();
    let mut now = line.clone_line();
    let mut left = goal;
    let mut steps = Vec::new();
    loop {
        let right = judge.right(&*now, left)?;
        let last = left.moves() == Some(1) || matches!(goal, Goal::Block(_));
        let &[mv, ..] = &right[..] else { return None };
        let several = right.len() > 1 && (steps.is_empty() || left.moves() != Some(1));
        if several || now.legal_moves().len() < 3 {
            return None;
        }
        now.play(mv).ok()?;
        steps.push(mv);
        if last || now.outcome().is_some() {
            break;
        }
        left = next_goal(left);
        let reply = reply(judge, &*now, left)?;
        now.play(reply).ok()?;
        steps.push(reply);
        if now.outcome().is_some() {
            return None;
        }
    }
    let won = now.outcome().is_some_and(|o| o.value_for(solver) > 0);
    if !won && !matches!(goal, Goal::Block(_)) {
        return None;
    }
    Some(puzzle(line, goal, &steps))
}

/// Returns the reply that leaves the solver one right move and the longest way.
fn reply(judge: &mut Judge, line: &dyn AnyLine, goal: Goal) -> Option<Move> {
    let solver = line.turn().other();
    let mut board = LineBoard::new(line)?;
    let gaps = board.completing(solver);
    let mut blocks = board.blocks(line.turn(), &gaps);
    if blocks.is_empty() {
        // Of several fives one remains.
        blocks.clone_from(&gaps);
        blocks.retain(|&gap| line.legal_moves().contains(&Move::on(gap)));
    }
    let replies: Vec<Move> = if blocks.is_empty() {
        line.legal_moves()
    } else {
        blocks.into_iter().map(Move::on).collect()
    };
    let mut best: Option<(usize, Move)> = None;
    for mv in replies {
        let mut next = line.clone_line();
        next.play(mv).ok()?;
        let mut after = LineBoard::new(&*next)?;
        let most = goal.moves()?;
        let fours = matches!(goal, Goal::Fours(_));
        let Some(needed) = (1..=most).find(|&n| after.wins_within(solver, n, fours)) else {
            continue;
        };
        if best.is_some_and(|(longest, _)| needed <= longest) {
            continue;
        }
        if needed == 1
            || judge
                .right(&*next, goal)
                .is_some_and(|right| right.len() == 1)
        {
            best = Some((needed, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// Returns the puzzle of an Othello endgame: one move wins, or one saves the draw.
fn endgame(judge: &mut Judge, line: &dyn AnyLine) -> Option<Puzzle> {
    let empty = cells(line).filter(|owner| owner.is_none()).count();
    if !EMPTIES.contains(&empty) || line.legal_moves().len() < 3 {
        return None;
    }
    let goal = [Goal::Win, Goal::Hold].into_iter().find(|&goal| {
        judge
            .right(line, goal)
            .is_some_and(|right| !right.is_empty())
    })?;
    let mut now = line.clone_line();
    let mut steps: Vec<Move> = Vec::new();
    // Steps up to the last one with a choice.
    let mut kept = 0;
    while steps.len() < 2 * MAX_STEPS - 1 {
        let legal = now.legal_moves();
        let right = judge.right(&*now, goal)?;
        let &[mv] = &right[..] else { break };
        if mv == Move::PASS {
            break;
        }
        now.play(mv).ok()?;
        steps.push(mv);
        if legal.len() > 1 {
            kept = steps.len();
        }
        if now.outcome().is_some() || now.turn() == line.turn() {
            break;
        }
        let replies = judge.scores(&*now)?;
        let reply = replies.iter().max_by_key(|(_, score)| *score)?.0;
        now.play(reply).ok()?;
        steps.push(reply);
        if now.outcome().is_some() || now.turn() != line.turn() {
            break;
        }
    }
    steps.truncate(kept);
    (!steps.is_empty()).then(|| puzzle(line, goal, &steps))
}

fn puzzle(line: &dyn AnyLine, goal: Goal, steps: &[Move]) -> Puzzle {
    let game = line.game();
    let themes = themes(line, goal, steps);
    let solution: Vec<String> = steps.iter().map(|&mv| game.format_move(mv)).collect();
    Puzzle {
        game: game.name(),
        goal,
        rating: rating(line, goal, steps, &themes),
        themes,
        moves: line.text(),
        solution: solution.join(" "),
    }
}

fn themes(line: &dyn AnyLine, goal: Goal, steps: &[Move]) -> Vec<Theme> {
    let mut themes = Vec::new();
    let first = steps[0].cell();
    match goal {
        Goal::WinIn(_) => themes.push(Theme::Win),
        Goal::Fours(_) => themes.push(Theme::Fours),
        Goal::Block(_) => themes.push(Theme::Block),
        Goal::Win => themes.push(Theme::Win),
        Goal::Hold => themes.push(Theme::Hold),
    }
    let (Some(cell), player) = (first, line.turn()) else {
        return themes;
    };
    if let (Goal::WinIn(moves @ 2..), Some(mut board)) = (goal, LineBoard::new(line)) {
        match board.threats_after(player, cell) {
            2.. => themes.push(Theme::Fork),
            0 if moves == 3 && board.length() == 5 => themes.push(Theme::OpenThree),
            _ => {}
        }
    }
    if line.game().pieces() == Pieces::Discs {
        let side = line.game().shape().sides()[0];
        let corners = [0, side - 1, side * (side - 1), side * side - 1];
        let mut solver_moves = steps.iter().step_by(2).filter_map(|mv| mv.cell());
        if solver_moves.any(|cell| corners.contains(&cell)) {
            themes.push(Theme::Corner);
        }
        if keeps_parity(line, cell, side) {
            themes.push(Theme::Parity);
        }
    }
    themes
}

/// Whether a move into an odd region leaves only even ones.
fn keeps_parity(line: &dyn AnyLine, cell: usize, side: usize) -> bool {
    let mut open: Vec<bool> = cells(line).map(|owner| owner.is_none()).collect();
    let regions = region_sizes(&open, side);
    open[cell] = false;
    let after = region_sizes(&open, side);
    regions.len() > 1
        && regions.iter().any(|size| size % 2 == 1)
        && after.iter().all(|size| size % 2 == 0)
}

/// Returns the sizes of the regions of empty squares, connected in eight directions.
fn region_sizes(open: &[bool], side: usize) -> Vec<usize> {
    let mut seen = vec![false; open.len()];
    let mut sizes = Vec::new();
    for start in 0..open.len() {
        if !open[start] || seen[start] {
            continue;
        }
        let (mut stack, mut size) = (vec![start], 0);
        seen[start] = true;
        while let Some(at) = stack.pop() {
            size += 1;
            for next in 0..open.len() {
                let near = (at / side).abs_diff(next / side) <= 1
                    && (at % side).abs_diff(next % side) <= 1;
                if near && open[next] && !seen[next] {
                    seen[next] = true;
                    stack.push(next);
                }
            }
        }
        sizes.push(size);
    }
    sizes
}

/// Returns a first rating: more moves, more choice and quiet moves are harder. Attempts of visitors
/// correct it.
fn rating(line: &dyn AnyLine, goal: Goal, steps: &[Move], themes: &[Theme]) -> u16 {
    let choice = (line.legal_moves().len() as f64).log2();
    let moves = steps.len().div_ceil(2) as f64;
    let kind = match goal {
        Goal::WinIn(1) => 0.0,
        Goal::WinIn(_) => 150.0,
        Goal::Fours(_) => 100.0,
        Goal::Block(threat) => 100.0 + 150.0 * threat as f64,
        Goal::Win | Goal::Hold => {
            let empty = cells(line).filter(|owner| owner.is_none()).count();
            200.0 + 60.0 * empty as f64
        }
    };
    let extra: f64 = themes
        .iter()
        .map(|theme| match theme {
            Theme::OpenThree => 250.0,
            Theme::Parity => 50.0,
            Theme::Corner => -100.0,
            _ => 0.0,
        })
        .sum();
    let rating = 350.0 + 60.0 * choice + 180.0 * (moves - 1.0) + kind + extra;
    rating.clamp(400.0, 2600.0) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_puzzles_are_verified_and_the_same_in_every_run() {
        for (name, seeds) in [
            ("tictactoe", 0..30),
            ("gomoku", 0..6),
            ("gomoku:standard", 0..8),
            ("gomoku:caro", 0..8),
            ("renju", 0..8),
            ("othello", 0..6),
        ] {
            let game: AnyGame = name.parse().unwrap();
            let all = |known: &mut HashSet<u64>| {
                let found = seeds.clone().flat_map(|seed| generate(&game, seed, known));
                found.collect::<Vec<Puzzle>>()
            };
            let puzzles = all(&mut HashSet::new());
            assert!(!puzzles.is_empty(), "{name}");
            for puzzle in &puzzles {
                puzzle
                    .verify()
                    .unwrap_or_else(|fault| panic!("{puzzle}: {fault}"));
            }
            assert_eq!(puzzles, all(&mut HashSet::new()), "{name}");
            // Nothing is found twice, in any orientation.
            let keys: HashSet<u64> = puzzles.iter().map(|p| key(&*p.line().unwrap())).collect();
            assert_eq!(keys.len(), puzzles.len(), "{name}");
        }
    }

    #[test]
    fn regions_are_connected_in_eight_directions() {
        let open = [
            true, false, false, false, //
            false, true, false, false, //
            false, false, false, true, //
            false, false, false, true,
        ];
        assert_eq!(region_sizes(&open, 4), [2, 2]);
    }
}
