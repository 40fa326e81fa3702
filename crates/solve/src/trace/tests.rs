//! Traces beside a plain implementation, and beside the strategies themselves.

use super::*;
use papan_rules::{Game, Grid, Line, tictactoe};
use papan_strategies::{
    AlphaBeta, BranchAndBound, Context, Mcts, Minimax, StopToken, Strategy, Turn,
};

const ALL: TraceOptions = TraceOptions {
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
    let mut mcts = |playouts| -> Box<dyn Strategy<Grid<u64>>> {
        Box::new(Mcts {
            playouts: Some(playouts),
            seed: Some(3),
        })
    };
    let best = mcts(40).decide(turn).unwrap().best;
    let trace = trace_playouts(&mut mcts, turn, 40).unwrap();
    assert_eq!(choice(&trace), best);
    assert_eq!(trace.steps.len(), 41);
}
