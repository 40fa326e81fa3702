//! Play from certificates: the owner of a proof never does worse than its claim, whatever the
//! opponent plays.

use std::collections::HashSet;
use std::path::Path;

use papan_mnk::{CellSet, ProofLookup as _, ProvedValue};
use papan_rules::{Bits as _, Game as _, Grid, GridPosition, Move, Outcome, Player, SplitMix};
use papan_solve::{ClaimFile, ClaimKind, ProofBook, read_claims};

type Board = Grid<u64>;

/// All bundled certificates.
fn bundled() -> Vec<(Board, ClaimFile, ProofBook<u64>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/certificates");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "certificate"))
        .collect();
    files.sort();
    assert!(files.len() >= 19);
    files.into_iter().map(|path| open(&path)).collect()
}

fn open(path: &Path) -> (Board, ClaimFile, ProofBook<u64>) {
    let bytes = std::fs::read(path).expect("the file");
    let file = read_claims(&bytes).expect("a certificate");
    let size = file.game.trim_start_matches("tictactoe");
    let size = size.trim_start_matches(':');
    let size = if size.is_empty() { "3x3" } else { size };
    let grid = Grid::with_size(size.parse().expect("a size")).expect("a board");
    let book = ProofBook::read(&grid, &bytes).expect("believed");
    (grid, file, book)
}

fn wide(set: u64) -> CellSet {
    let cells = set.cells();
    cells.fold(CellSet::EMPTY, |set, cell| set | CellSet::single(cell))
}

fn probe(grid: &Board, book: &ProofBook<u64>, position: &GridPosition<u64>) -> Option<ProvedValue> {
    let stones = Player::BOTH.map(|player| wide(position.stones(player)));
    book.probe(stones, grid.turn(position))
}

/// The owner's move: an immediate win, else a proved move. `pick` chooses among several cells that
/// keep the draw.
fn answer(
    grid: &Board,
    book: &ProofBook<u64>,
    position: &GridPosition<u64>,
    pick: u64,
) -> (Move, Option<u32>) {
    let owner = grid.turn(position);
    if let Some(cell) = grid.completing_cells(position, owner).first() {
        return (Move::on(cell), Some(1));
    }
    match probe(grid, book, position) {
        Some(ProvedValue::Win { cell, plies }) => (Move::on(usize::from(cell)), Some(plies)),
        Some(ProvedValue::AtLeastDraw { cells, .. }) => {
            let at = pick as usize % cells.count() as usize;
            (Move::on(cells.cells().nth(at).expect("a cell")), None)
        }
        other => panic!(
            "{}: {position:?} is off the proof: {other:?}",
            grid_name(grid)
        ),
    }
}

fn grid_name(grid: &Board) -> String {
    papan_rules::GameInfo::name(grid)
}

/// How the opponent plays.
#[derive(Clone, Copy, Debug)]
enum Opponent {
    /// At random.
    Random,
    /// Completes and blocks lines, else extends its own.
    Greedy,
}

fn reply(grid: &Board, position: &GridPosition<u64>, other: Opponent, random: u64) -> Move {
    let me = grid.turn(position);
    let any: Vec<Move> = grid.legal_moves(position).collect();
    let any_move = any[random as usize % any.len()];
    if matches!(other, Opponent::Random) {
        return any_move;
    }
    let urgent = [me, me.other()].map(|player| grid.completing_cells(position, player).first());
    if let Some(cell) = urgent[0].or(urgent[1]) {
        return Move::on(cell);
    }
    // The cell with the most stones on its live lines, at random among equals.
    let score = |mv: &Move| {
        let cell = mv.cell().expect("a cell");
        let lines = grid.winning_lines_through(cell).iter();
        let open = lines.filter(|line| !line.meets(position.stones(me.other())));
        let held: u32 = open
            .map(|l| 1 + 4 * (*l & position.stones(me)).count())
            .sum();
        (held, SplitMix::new(random ^ cell as u64).next())
    };
    any.iter().copied().max_by_key(score).unwrap_or(any_move)
}

/// Plays a game and checks that the bounds on the plies are kept.
fn play(grid: &Board, book: &ProofBook<u64>, owner: Player, other: Opponent, seed: u64) -> Outcome {
    let mut random = SplitMix::new(seed);
    let mut position = grid.start();
    let mut promised = u32::MAX;
    loop {
        if let Some(outcome) = grid.outcome(&position) {
            return outcome;
        }
        let mv = if grid.turn(&position) == owner {
            let (mv, plies) = answer(grid, book, &position, random.next());
            if let Some(plies) = plies {
                assert!(plies <= promised, "{plies} plies, {promised} were promised");
                promised = plies;
            }
            mv
        } else {
            reply(grid, &position, other, random.next())
        };
        assert!(promised > 0);
        promised = promised.saturating_sub(u32::from(promised < u32::MAX));
        grid.play(&mut position, mv).expect("legal");
    }
}

/// The players with a proof, and whether it is a win.
fn owners(file: &ClaimFile) -> Vec<(Player, bool)> {
    let played = file.claims.iter();
    let played = played.filter(|claim| claim.kind != ClaimKind::DrawsMovingFirst);
    played
        .map(|claim| (claim.player, claim.kind.is_win()))
        .collect()
}

fn is_no_worse(outcome: Outcome, owner: Player, wins: bool) -> bool {
    match outcome {
        Outcome::Win(player) => player == owner,
        Outcome::Draw => !wins,
    }
}

#[test]
fn on_every_bundled_board_the_owner_keeps_the_claim() {
    for (grid, file, book) in bundled() {
        let games = if grid.cells() > 40 { 4 } else { 12 };
        for (owner, wins) in owners(&file) {
            for (other, seed) in [Opponent::Random, Opponent::Greedy]
                .into_iter()
                .flat_map(|other| (0..games).map(move |seed| (other, seed)))
            {
                let outcome = play(&grid, &book, owner, other, seed);
                assert!(
                    is_no_worse(outcome, owner, wins),
                    "{}: {owner} against {other:?}, seed {seed}: {outcome:?}",
                    file.game
                );
            }
        }
    }
}

/// Visits every reply of the opponent, each position once.
fn walk(
    grid: &Board,
    book: &ProofBook<u64>,
    position: &GridPosition<u64>,
    (owner, wins): (Player, bool),
    seen: &mut HashSet<[u64; 2]>,
) {
    if let Some(outcome) = grid.outcome(position) {
        assert!(is_no_worse(outcome, owner, wins), "{position:?}");
        return;
    }
    let mut next = *position;
    if grid.turn(position) == owner {
        if seen.insert(Player::BOTH.map(|player| position.stones(player))) {
            grid.play_unchecked(&mut next, answer(grid, book, position, 0).0);
            walk(grid, book, &next, (owner, wins), seen);
        }
        return;
    }
    for mv in grid.legal_moves(position) {
        let mut next = *position;
        grid.play_unchecked(&mut next, mv);
        walk(grid, book, &next, (owner, wins), seen);
    }
}

#[test]
fn on_small_boards_the_owner_keeps_the_claim_against_every_reply() {
    for (grid, file, book) in bundled() {
        let wins = file.value() != Some(0);
        if grid.cells() <= 16 || wins && grid.cells() <= 27 {
            for owner in owners(&file) {
                walk(&grid, &book, &grid.start(), owner, &mut HashSet::new());
            }
        }
    }
}

#[test]
fn symmetric_positions_have_the_same_value() {
    use papan_rules::Symmetric as _;
    for (grid, file, book) in bundled() {
        if grid.cells() > 30 {
            continue;
        }
        for (owner, _) in owners(&file) {
            let mut position = grid.start();
            let mut random = SplitMix::new(3);
            while grid.outcome(&position).is_none() {
                if grid.turn(&position) == owner {
                    let known = probe(&grid, &book, &position);
                    for symmetry in grid.symmetries() {
                        let image = |set: u64| {
                            let cells = set.cells();
                            cells.fold(0, |set, cell| set | u64::single(symmetry.cell(cell)))
                        };
                        let stones = Player::BOTH.map(|p| wide(image(position.stones(p))));
                        let there = book.probe(stones, owner);
                        match (known, there) {
                            (
                                Some(ProvedValue::Win { plies, .. }),
                                Some(ProvedValue::Win { plies: other, .. }),
                            ) => assert_eq!(plies, other, "{}", file.game),
                            (
                                Some(ProvedValue::AtLeastDraw { cells, exact }),
                                Some(ProvedValue::AtLeastDraw {
                                    cells: other,
                                    exact: also,
                                }),
                            ) => {
                                let moved = cells.cells().map(|cell| symmetry.cell(cell));
                                let moved = moved
                                    .fold(CellSet::EMPTY, |set, cell| set | CellSet::single(cell));
                                assert_eq!((moved, exact), (other, also), "{}", file.game);
                            }
                            (known, there) => assert_eq!(known, there, "{}", file.game),
                        }
                    }
                }
                let mv = if grid.turn(&position) == owner {
                    answer(&grid, &book, &position, 0).0
                } else {
                    reply(&grid, &position, Opponent::Greedy, random.next())
                };
                grid.play_unchecked(&mut position, mv);
            }
        }
    }
}
