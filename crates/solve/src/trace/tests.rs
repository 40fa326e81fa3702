//! Traces beside a plain implementation, and beside the strategies themselves.

use super::*;
use papan_rules::{Game, Grid, Line, tictactoe};
use papan_strategies::{
    AlphaBeta, BranchAndBound, Context, Mcts, Minimax, Prefer, StopToken, Strategy, Turn,
};

const ALL: TraceOptions = TraceOptions {
    prefer: Prefer::First,
    depth: None,
    shown: u32::MAX,
    steps: usize::MAX,
    nodes: u64::MAX,
};

type Position = <Grid<u64> as Game>::Position;

/// The notes of a plain implementation: the path with the window at its entry, and its value.
#[derive(Debug, PartialEq)]
enum Note {
    Enter(Vec<usize>, i32, i32),
    Cut(Vec<usize>, usize),
    Value(Vec<usize>, i32),
}

const INFINITY: i32 = 99;

/// Alpha-beta from the textbook, in two halves, on a board of nine letters.
fn plain(
    cells: &mut [char; 9],
    me: char,
    path: &mut Vec<usize>,
    mut alpha: i32,
    mut beta: i32,
    notes: &mut Vec<Note>,
) -> i32 {
    notes.push(Note::Enter(path.clone(), alpha, beta));
    let lines = [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [0, 3, 6],
        [1, 4, 7],
        [2, 5, 8],
        [0, 4, 8],
        [2, 4, 6],
    ];
    let has_won = |mark: char| {
        lines
            .iter()
            .any(|line| line.iter().all(|&c| cells[c] == mark))
    };
    let stones = cells.iter().filter(|c| **c != '-').count();
    let mover = if stones % 2 == 0 { 'X' } else { 'O' };
    let other = if me == 'X' { 'O' } else { 'X' };
    let end = match (has_won(me), has_won(other)) {
        (true, _) => Some(1),
        (_, true) => Some(-1),
        _ => (stones == 9).then_some(0),
    };
    if let Some(value) = end {
        notes.push(Note::Value(path.clone(), value));
        return value;
    }
    let empty: Vec<usize> = (0..9).filter(|&cell| cells[cell] == '-').collect();
    let mut best = if mover == me { -INFINITY } else { INFINITY };
    for (index, &cell) in empty.iter().enumerate() {
        cells[cell] = mover;
        path.push(cell);
        let value = plain(cells, me, path, alpha, beta, notes);
        path.pop();
        cells[cell] = '-';
        if mover == me {
            best = best.max(value);
            alpha = alpha.max(best);
        } else {
            best = best.min(value);
            beta = beta.min(best);
        }
        if alpha >= beta {
            let left = empty.len() - index - 1;
            if left > 0 {
                notes.push(Note::Cut(path.clone(), left));
            }
            break;
        }
    }
    notes.push(Note::Value(path.clone(), best));
    best
}

fn notes(trace: &Trace) -> Vec<Note> {
    let mut notes = Vec::new();
    for step in &trace.steps {
        let path: Vec<usize> = step.path.iter().map(|mv| mv.cell().unwrap()).collect();
        let window = step.window.unwrap();
        match &step.event {
            TraceEvent::Enter => notes.push(Note::Enter(
                path,
                window.alpha().unwrap_or(-INFINITY),
                window.beta().unwrap_or(INFINITY),
            )),
            TraceEvent::Cut { left } => notes.push(Note::Cut(path, left.len())),
            TraceEvent::Leaf { value } | TraceEvent::Return { value, .. } => {
                notes.push(Note::Value(path, *value));
            }
            _ => {}
        }
    }
    notes
}

#[test]
fn alpha_beta_is_traced_step_by_step_as_a_plain_implementation_runs() {
    let game = tictactoe();
    for moves in ["1 5 9 3", "1 2 4 3", "5", "1 5 9 3 7 4", "2 1 9"] {
        let line = Line::parse(&game, moves).unwrap();
        let trace = trace_search(&game, line.position(), true, &ALL, &StopToken::default());
        let mut cells = ['-'; 9];
        for (index, mv) in line.moves().iter().enumerate() {
            cells[mv.cell().unwrap()] = if index % 2 == 0 { 'X' } else { 'O' };
        }
        let me = if line.ply() % 2 == 0 { 'X' } else { 'O' };
        let mut expected = Vec::new();
        plain(
            &mut cells,
            me,
            &mut Vec::new(),
            -INFINITY,
            INFINITY,
            &mut expected,
        );
        // The root chooses instead of returning.
        expected.pop();
        assert_eq!(notes(&trace), expected, "{moves}");
    }
}

fn entered(trace: &Trace) -> u64 {
    let is_enter = |step: &&TraceStep| step.event == TraceEvent::Enter;
    trace.steps.iter().filter(is_enter).count() as u64
}

fn choice(trace: &Trace) -> Move {
    match trace.steps.last().map(|step| &step.event) {
        Some(TraceEvent::Choose { mv }) => *mv,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_trace_enters_the_nodes_of_the_strategy_and_chooses_its_move() {
    let game = tictactoe();
    for moves in ["1 5 9 3", "5 1", "1 2 4 3"] {
        let line = Line::parse(&game, moves).unwrap();
        let context = Context::default();
        let turn = Turn::new(&game, &line, &context);
        let minimax = Minimax::default().decide(turn).unwrap();
        let trace = trace_search(&game, line.position(), false, &ALL, &StopToken::default());
        assert_eq!(
            (entered(&trace), choice(&trace)),
            (minimax.nodes, minimax.best)
        );
        let alphabeta = AlphaBeta::default().decide(turn).unwrap();
        let trace = trace_search(&game, line.position(), true, &ALL, &StopToken::default());
        assert_eq!(
            (entered(&trace), choice(&trace)),
            (alphabeta.nodes, alphabeta.best)
        );
    }
}

#[test]
fn a_long_run_is_collapsed_or_cut_short() {
    let game = tictactoe();
    let start: Position = game.start();
    let shown = TraceOptions { shown: 1, ..ALL };
    let trace = trace_search(&game, &start, true, &shown, &StopToken::default());
    assert!(trace.steps.len() < 60, "{}", trace.steps.len());
    let below: u64 = trace
        .steps
        .iter()
        .map(|step| match step.event {
            TraceEvent::Collapsed { nodes, .. } => nodes,
            _ => 0,
        })
        .sum();
    // With the root; the empty board costs alpha-beta 18,297 nodes.
    assert_eq!(below + 1, 18_297);
    assert_eq!(choice(&trace), Move::on(0));
    let short = TraceOptions { steps: 100, ..ALL };
    let trace = trace_search(&game, &start, false, &short, &StopToken::default());
    assert_eq!((trace.steps.len(), trace.is_cut_short), (100, true));
    // Positions of collapsed subtrees count as well.
    for (nodes, is_cut_short) in [(18_295, true), (18_296, false)] {
        let options = TraceOptions { nodes, ..shown };
        let trace = trace_search(&game, &start, true, &options, &StopToken::default());
        assert_eq!(trace.is_cut_short, is_cut_short, "{nodes}");
    }
}

#[test]
fn a_run_is_walked_over_and_out_of_subtrees_and_from_cut_to_cut() {
    let game = tictactoe();
    let line = Line::parse(&game, "1 5 9 3").unwrap();
    let trace = trace_search(&game, line.position(), true, &ALL, &StopToken::default());
    let depth = |at: usize| trace.steps[at].path.len();
    // Step 1 enters the first move. Over it: the root has its value.
    assert_eq!(depth(1), 1);
    let out = trace.out(1).unwrap();
    assert!(matches!(trace.steps[out].event, TraceEvent::Better { .. }));
    assert_eq!(depth(out), 0);
    assert!((2..out).all(|at| depth(at) >= 1));
    let over = trace.over(1).unwrap();
    assert!(depth(over) == 1 && (2..over).all(|at| depth(at) > 1));
    let mut cuts = Vec::new();
    let mut at = 0;
    while let Some(cut) = trace.next_cut(at) {
        cuts.push(cut);
        at = cut;
    }
    let is_cut = |step: &&TraceStep| matches!(step.event, TraceEvent::Cut { .. });
    assert_eq!(cuts.len(), trace.steps.iter().filter(is_cut).count());
    assert!(!cuts.is_empty());
    assert_eq!(trace.out(0), None);
    assert_eq!(trace.over(trace.steps.len() - 1), None);
    assert_eq!(trace.choice(), Some(choice(&trace)));
}

#[test]
fn scores_and_playouts_end_in_the_choice_of_the_strategy() {
    let game = tictactoe();
    let line = Line::parse(&game, "1 5 9").unwrap();
    let context = Context::with_seed(3);
    let turn = Turn::new(&game, &line, &context);
    let best = BranchAndBound::default().decide(turn).unwrap().best;
    let trace = trace_scores(
        &mut BranchAndBound::default(),
        turn,
        Listing::BranchAndBound,
    )
    .unwrap();
    assert_eq!(choice(&trace), best);
    let last_best = trace.steps.iter().rev().find_map(|step| match &step.event {
        TraceEvent::Score {
            candidate,
            best: true,
        } => Some(candidate.mv),
        _ => None,
    });
    assert_eq!(last_best, Some(best));
}

#[test]
fn the_playouts_of_a_trace_are_those_of_the_search() {
    let game = tictactoe();
    for moves in ["1 5 9", "", "1 2 5"] {
        let line = Line::parse(&game, moves).unwrap();
        let context = Context::with_seed(3);
        let turn = Turn::new(&game, &line, &context);
        let mut mcts = Mcts {
            playouts: Some(40),
            seed: Some(3),
        };
        let decision = mcts.decide(turn).unwrap();
        let trace = trace_playouts(&mcts, turn, u64::MAX, usize::MAX).unwrap();
        assert_eq!(choice(&trace), decision.best);
        assert!(!trace.is_cut_short);
        let mut visited = std::collections::HashSet::new();
        let mut expanded = 0;
        let mut last = Vec::new();
        for step in &trace.steps {
            let at = step
                .path
                .iter()
                .fold(*line.position(), |at, &mv| game.after(&at, mv));
            match &step.event {
                // Below the root a leaf gets its moves when it is visited again.
                TraceEvent::Expand { moves, .. } => {
                    assert!(visited.contains(&step.path));
                    assert_eq!(*moves, game.legal_moves(&at).count());
                    expanded += 1;
                }
                TraceEvent::Simulate { moves, value } => {
                    let end = moves.iter().fold(at, |at, &mv| game.after(&at, mv));
                    let outcome = game.outcome(&end).expect("a simulation ends the game");
                    assert_eq!(*value, outcome.value_for(game.turn(line.position())));
                    visited.insert(step.path.clone());
                }
                TraceEvent::Playout {
                    path, candidates, ..
                } => {
                    let moves: Vec<Move> = path.iter().map(|candidate| candidate.mv).collect();
                    assert_eq!(moves, step.path);
                    last.clone_from(candidates);
                }
                _ => {}
            }
        }
        assert!(expanded > 5, "{expanded}");
        assert_eq!(last, decision.candidates);
        let short = trace_playouts(&mcts, turn, 7, usize::MAX).unwrap();
        assert!(short.is_cut_short && short.choice().is_none());
        let phases = |trace: &Trace| trace.steps.iter().filter(|s| s.code == 5).count();
        assert_eq!((phases(&trace), phases(&short)), (40, 7));
        let steps = trace_playouts(&mcts, turn, u64::MAX, 10).unwrap();
        assert_eq!((steps.steps.len(), steps.is_cut_short), (10, true));
        assert_eq!(steps.steps, trace.steps[..10]);
    }
}

/// A plain search for the shortest win: the value, with 1000 less the moves to the end.
fn shortest(game: &Grid<u64>, at: &Position, me: papan_rules::Player, ply: i32) -> i32 {
    if let Some(outcome) = game.outcome(at) {
        return outcome.value_for(me) * (1000 - ply);
    }
    let moves = game.legal_moves(at);
    let values = moves.map(|mv| shortest(game, &game.after(at, mv), me, ply + 1));
    let best = if game.turn(at) == me {
        values.max()
    } else {
        values.min()
    };
    best.expect("an unfinished position has a move")
}

#[test]
fn a_trace_that_prefers_the_shortest_win_plays_it() {
    let game = tictactoe();
    let mut seen = std::collections::HashSet::new();
    let mut open: Vec<Line<Grid<u64>>> = ["1 5 9", "1 2 4 3", "5 1 9"]
        .map(|moves| Line::parse(&game, moves).unwrap())
        .into();
    let mut differs = 0;
    while let Some(line) = open.pop() {
        let position = *line.position();
        if game.outcome(&position).is_some() || !seen.insert(position) {
            continue;
        }
        let context = Context::default();
        let turn = Turn::new(&game, &line, &context);
        let (depth, prefer) = (None, Prefer::Shortest);
        let mut minimax = Minimax { depth, prefer };
        let mut alphabeta = AlphaBeta { depth, prefer };
        let me = game.turn(&position);
        for (prunes, decision) in [
            (false, minimax.decide(turn).unwrap()),
            (true, alphabeta.decide(turn).unwrap()),
        ] {
            let options = TraceOptions {
                prefer,
                shown: 1,
                ..ALL
            };
            let trace = trace_search(&game, &position, prunes, &options, &StopToken::default());
            assert_eq!(choice(&trace), decision.best);
            let mut nodes = 1;
            for step in &trace.steps {
                nodes += match step.event {
                    TraceEvent::Collapsed { nodes, .. } => nodes,
                    TraceEvent::Leaf { .. } => 1,
                    _ => 0,
                };
                let (TraceEvent::Better { mv, value, bound }
                | TraceEvent::NotBetter {
                    mv, value, bound, ..
                }) = step.event
                else {
                    continue;
                };
                let plain = shortest(&game, &game.after(&position, mv), me, 1);
                match bound {
                    papan_strategies::Bound::AtMost => assert!(plain <= value),
                    papan_strategies::Bound::AtLeast => assert!(plain >= value),
                    _ => assert_eq!(plain, value),
                }
            }
            assert_eq!(nodes, decision.nodes);
        }
        let plain = trace_search(&game, &position, true, &ALL, &StopToken::default());
        differs += u32::from(choice(&plain) != alphabeta.decide(turn).unwrap().best);
        for mv in game.legal_moves(&position) {
            let mut next = line.clone();
            next.push(&game, mv);
            open.push(next);
        }
    }
    assert!(seen.len() > 300 && differs > 10, "{} {differs}", seen.len());
}

#[test]
fn a_missing_row_is_traced_and_an_opening_without_a_row_is_refused() {
    use papan_strategies::{Automaton, NoMove, TransitionTable};
    let game = tictactoe();
    let table = TransitionTable::parse("-o--------|2|7\n-o--------|3|9\nwox----o--|3|4").unwrap();
    let context = Context::default();
    let trace = |moves: &str, most: usize| {
        let line = Line::parse(&game, moves).unwrap();
        let turn = Turn::new(&game, &line, &context);
        trace_table(&mut Automaton::new(table.clone()), turn, &table, most)
    };
    // The rows of the board of the key, one by one, then those of the other board in one step.
    let missing = trace("1 5", 100).unwrap();
    let codes: Vec<u8> = missing.steps.iter().map(|step| step.code).collect();
    assert_eq!(codes, [1, 3, 3, 3, 5]);
    let key = "o--------|5".to_owned();
    assert_eq!(missing.steps[4].event, TraceEvent::NoReply { key });
    assert!(missing.choice().is_none() && !missing.is_cut_short);
    let short = trace("1 5", 3).unwrap();
    assert_eq!((short.steps.len(), short.is_cut_short), (3, true));
    // A row that is there ends the scan.
    let found = trace("1 3", 100).unwrap();
    let codes: Vec<u8> = found.steps.iter().map(|step| step.code).collect();
    assert_eq!(codes, [1, 3, 3, 4, 6]);
    assert_eq!(found.choice(), Some(Move::on(8)));
    // A table for the second player has no opening.
    let defence = TransitionTable::parse("----------|5|1").unwrap();
    let line = Line::new(&game);
    let turn = Turn::new(&game, &line, &context);
    let refused = trace_table(&mut Automaton::new(defence.clone()), turn, &defence, 100);
    assert_eq!(refused, Err(NoMove::NoRow("---------".into())));
}
