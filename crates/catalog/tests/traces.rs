//! Step-by-step runs beside the strategies themselves.

use papan_catalog::trace::{TRACEABLE, TraceRequest, TracedRun, trace, traceable};
use papan_catalog::{AnyGame, StrategySpec};
use papan_solve::TraceEvent;
use papan_strategies::{Context, Limits};

fn run(game: &str, moves: &str, strategy: &str, shown: u32) -> TracedRun {
    let game: AnyGame = game.parse().unwrap();
    let mut line = game.line();
    line.extend(moves).unwrap();
    let request = TraceRequest {
        strategy: strategy.parse().unwrap(),
        shown,
        steps: 100_000,
        nodes: u64::MAX,
        playouts: 30,
        seed: 0,
    };
    trace(&*line, &request).unwrap()
}

#[test]
fn the_names_are_those_of_the_strategies_that_can_be_traced() {
    let names = papan_catalog::STRATEGIES.iter().map(|info| info.name);
    let can_be_traced = names.filter(|name| {
        let needs_file = format!("{name}(file=x)");
        let spec = name.parse::<StrategySpec>().or_else(|_| needs_file.parse());
        spec.is_ok_and(|spec| traceable(&spec).is_some())
    });
    let found: std::collections::BTreeSet<_> = can_be_traced.collect();
    assert_eq!(found, TRACEABLE.into_iter().collect());
}

#[test]
fn of_every_position_the_best_so_far_is_the_choice_of_branch_and_bound() {
    let mut open = vec![String::new()];
    let mut seen = std::collections::HashSet::new();
    while let Some(moves) = open.pop() {
        let run = run("tictactoe", &moves, "branch-and-bound", 3);
        let last = run
            .trace
            .steps
            .iter()
            .rev()
            .find_map(|step| match &step.event {
                TraceEvent::Score {
                    candidate,
                    best: true,
                } => Some(candidate.mv),
                _ => None,
            });
        assert_eq!(last, run.trace.choice(), "{moves}");
        let queue = run.queue(run.trace.steps.len() - 1);
        assert_eq!(Some(queue[0].mv), run.trace.choice(), "{moves}");
        for mv in run.line.legal_moves() {
            let mut next = run.line.clone_line();
            next.play(mv).unwrap();
            if next.outcome().is_none() && seen.insert(next.position_text()) {
                open.push(next.text());
            }
        }
    }
    assert_eq!(seen.len(), 4519);
}

#[test]
fn the_printed_pseudo_code_is_traced_as_the_strategy_plays_it() {
    for (game, moves, depth) in [
        ("tictactoe", "", 9),
        ("tictactoe", "1 5 9 3", 9),
        ("tictactoe", "5 2 7 3", 9),
        ("tictactoe", "1 2 4 3", 2),
        ("othello:4x4", "", 4),
    ] {
        let text = format!("alphabeta(pseudo-code=as-printed,depth={depth})");
        let traced = run(game, moves, &text, u32::MAX);
        let game = traced.line.game();
        let mut seat = game.seat(&traced.strategy, &Limits::default()).unwrap();
        let decision = seat.decide(&*traced.line, &Context::default()).unwrap();
        assert_eq!(traced.trace.choice(), Some(decision.best), "{text} {moves}");
        let is_enter = |step: &&papan_solve::TraceStep| step.event == TraceEvent::Enter;
        let entered = traced.trace.steps.iter().filter(is_enter).count() as u64;
        assert_eq!(entered, decision.nodes, "{text} {moves}");
        // Collapsed, the same value after as many positions.
        let short = run(&game.name(), moves, &text, 1);
        assert_eq!(short.trace.choice(), traced.trace.choice());
        let last = short.trace.steps.len() - 1;
        assert_eq!(short.tree(last, &[]).nodes, entered);
        let value = |run: &TracedRun| {
            let mut steps = run.trace.steps.iter().filter(|step| step.path.is_empty());
            steps.find_map(|step| match step.event {
                TraceEvent::Better { value, .. } => Some(value),
                _ => None,
            })
        };
        assert_eq!(value(&short), value(&traced));
        // The root is left after its first move: beta is infinite there.
        let steps = traced.trace.steps.iter();
        let is_left = |event: &TraceEvent| matches!(event, TraceEvent::Abandon { .. });
        let left: Vec<_> = steps.filter(|step| is_left(&step.event)).collect();
        assert!(left.iter().all(|step| matches!(step.code, 6 | 13)));
        let roots = left.iter().filter(|step| step.path.is_empty());
        let codes: Vec<u8> = roots.map(|step| step.code).collect();
        assert_eq!(codes, [6], "{text} {moves}");
        let first_cut = traced.trace.next_cut(0).unwrap();
        assert!(is_left(&traced.step(first_cut).event));
    }
    // The document's algorithm as printed values the empty board at a win.
    let whole = run("tictactoe", "", "alphabeta(pseudo-code=as-printed)", 9);
    assert!(
        whole.trace.steps.iter().any(|step| step.path.is_empty()
            && matches!(step.event, TraceEvent::Better { value: 1, .. }))
    );
}
