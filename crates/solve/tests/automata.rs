//! Automata: compiled, inspected and minimised tables.

use papan_rules::{GameInfo, Grid, Move, Player, tictactoe};
use papan_solve::automaton::{
    CompileError, End, MealyMachine, MinimalTarget, Problem, Side, SmallestStrategyError, Target,
    compile, inspect, smallest_strategy,
};
use papan_solve::{StrategyFactory, Verdict, prove};
use papan_strategies::automaton::{ATTACK, DEFENCE, turned};
use papan_strategies::{
    Automaton, BranchAndBound, Expert, Greedy, Lookup, Perfect, Random, Strategy, TransitionTable,
    Watch,
};

const AS_PRINTED: &str = include_str!("../../../data/automata/document-000-as-printed.txt");

type Board = Grid<u64>;

fn compiled(factory: StrategyFactory<'_, Board>, player: Player) -> TransitionTable {
    let made = compile(&tictactoe(), factory, player, &Watch::default());
    made.unwrap().table
}

fn table(text: &str) -> TransitionTable {
    TransitionTable::parse(text).unwrap()
}

fn problems(text: &str) -> Vec<(usize, Problem)> {
    let found = inspect(&table(text)).findings.into_iter();
    found
        .map(|finding| (finding.line, finding.problem))
        .collect()
}

#[test]
fn the_built_in_tables_have_no_problem() {
    assert_eq!(problems(ATTACK), []);
    assert_eq!(problems(DEFENCE), []);
}

#[test]
fn the_printed_table_has_exactly_the_documented_problems() {
    let found = problems(AS_PRINTED);
    let line = |row: &str| 1 + AS_PRINTED.lines().position(|l| l == row).unwrap();
    let mut untrue = Vec::new();
    let mut repeated = 0;
    let mut missing = Vec::new();
    let mut missed = Vec::new();
    for (line, problem) in found {
        match problem {
            Problem::UntrueFlag { .. } => untrue.push(line),
            Problem::Repeated { contradicts, .. } => {
                assert!(!contradicts);
                repeated += 1;
            }
            Problem::MissingInputs { inputs, .. } => missing.push((line, inputs)),
            Problem::MissedWin { .. } => missed.push(line),
            other => panic!("line {line}: {other:?}"),
        }
    }
    // Q3 on 2 wins without the flag; Q16 on 7 has the flag of a win and does not win.
    assert_eq!(untrue, [line("-o-x-----o|2|5"), line("wo--oxx--o|7|3")]);
    // Q14 repeats Q11, and Q20 repeats Q17.
    assert_eq!(repeated, 8);
    // Q16 on 3 names a state that no reply leads to.
    assert_eq!(missing, [(line("-o---x---o|6|4"), vec![2])]);
    assert_eq!(missed, [] as [usize; 0]);
}

#[test]
fn a_compiled_table_plays_like_its_strategy_and_has_no_problem() {
    let game = tictactoe();
    let strategies: [StrategyFactory<'_, Board>; 4] = [
        &|| Box::new(BranchAndBound::default()),
        &|| Box::new(Greedy::default()),
        &|| Box::new(Expert::default()),
        &|| Box::new(Perfect::default()),
    ];
    for strategy in strategies {
        for player in Player::BOTH {
            let table = compiled(strategy, player);
            let allowed = |problem: &Problem| {
                matches!(problem, Problem::Loses { .. } | Problem::MissedWin { .. })
            };
            let inspected = inspect(&table).findings;
            assert!(
                inspected.iter().all(|f| allowed(&f.problem)),
                "{inspected:?}"
            );
            // The table round-trips through its text.
            let text: Vec<String> = table.rows().iter().map(|(_, r)| r.to_string()).collect();
            assert_eq!(TransitionTable::parse(&text.join("\n")).unwrap(), table);
            // It loses exactly when the strategy loses from openings 1, 2 or 5.
            let factory =
                || -> Box<dyn Strategy<Board>> { Box::new(Automaton::new(table.clone())) };
            let proof = prove(&game, &factory, player, &Watch::default()).unwrap();
            let loses = inspected
                .iter()
                .any(|f| matches!(f.problem, Problem::Loses { .. }));
            assert_eq!(proof.verdict() == Verdict::CanLose, loses);
        }
    }
}

#[test]
fn compiling_a_table_gives_the_table_back() {
    let automaton = || -> Box<dyn Strategy<Board>> { Box::new(Automaton::default()) };
    for (player, text) in [(Player::First, ATTACK), (Player::Second, DEFENCE)] {
        let made = compile(&tictactoe(), &automaton, player, &Watch::default()).unwrap();
        let sorted = |table: &TransitionTable| {
            let mut rows: Vec<String> = table.rows().iter().map(|(_, r)| r.to_string()).collect();
            rows.sort();
            rows
        };
        assert_eq!(sorted(&made.table), sorted(&table(text)));
        assert_eq!(made.differences, []);
    }
}

#[test]
fn differences_between_strategy_and_table_are_reported() {
    // Branch and bound takes the first of equal cells, which does not rotate with the board.
    let bound = || -> Box<dyn Strategy<Board>> { Box::new(BranchAndBound::default()) };
    let made = compile(&tictactoe(), &bound, Player::Second, &Watch::default()).unwrap();
    assert!(!made.differences.is_empty());
    for difference in &made.differences {
        assert_ne!(difference.table, difference.strategy);
        // Openings 1, 2 and 5 are compiled without rotation.
        assert!(![0, 1, 4].map(Move::on).contains(&difference.line[0]));
    }
}

#[test]
fn strategies_that_the_format_cannot_represent_are_refused_with_the_reason() {
    let random = || -> Box<dyn Strategy<Board>> { Box::new(Random::default()) };
    let refused = compile(&tictactoe(), &random, Player::First, &Watch::default());
    assert!(matches!(refused, Err(CompileError::Random { .. })));
    let bound = || -> Box<dyn Strategy<Board>> { Box::new(BranchAndBound::default()) };
    let large = Board::new(&[4, 4], 4).unwrap();
    let refused = compile(&large, &bound, Player::First, &Watch::default());
    assert_eq!(refused.unwrap_err(), CompileError::Board(large.name()));
}

#[test]
fn every_kind_of_problem_is_found_on_its_line() {
    let is = |text: &str, line: usize, problem: &Problem| {
        let found = problems(text);
        assert!(found.contains(&(line, problem.clone())), "{found:?}");
    };
    let rows: Vec<&str> = ATTACK.lines().filter(|l| !l.starts_with('#')).collect();
    let whole = rows.join("\n");
    is(rows[20], 1, &Problem::NoStart);
    // Truncated.
    assert!(
        problems(&rows[..20].join("\n"))
            .iter()
            .any(|(_, p)| matches!(p, Problem::MissingInputs { .. }))
    );
    let change = |from: &str, to: &str| {
        let line = 1 + rows.iter().position(|row| *row == from).unwrap();
        (whole.replace(from, to), line)
    };
    let (text, line) = change("wox----o--|3|4", "-ox----o--|3|4");
    is(
        &text,
        line,
        &Problem::UntrueFlag {
            truth: Some(End::Won),
        },
    );
    let (text, line) = change("wox----o--|3|4", "-ox----o--|3|5");
    is(&text, line, &Problem::MissedWin { cells: vec![3] });
    let (text, line) = change("wox----o--|3|4", "wox----o--|3|1");
    is(&text, line, &Problem::IllegalReply { reply: Some(0) });
    let (text, line) = change("wox----o--|3|4", "wox----o--|1|4");
    is(&text, line, &Problem::IllegalInput);
    let last = rows.len() + 1;
    let contradiction = Problem::Repeated {
        earlier: 1,
        contradicts: true,
    };
    is(&format!("{whole}\n-o--------|2|3"), last, &contradiction);
    is(
        &format!("{whole}\n-xo-------|4|5"),
        last,
        &Problem::Unreachable,
    );
    // A losing defence: the person completes the first row.
    let text = "----------|1|9\n-x-------o|2|8\nlxx-----oo|3|-";
    let lost = Problem::Loses {
        game: vec![0, 8, 1, 7, 2],
    };
    is(text, 3, &lost);
}

/// Returns the replies of a minimised machine to a sequence of inputs.
fn replies(machine: &MealyMachine, rotation: bool, inputs: &[usize]) -> Option<Vec<Option<usize>>> {
    let small = machine.minimize(rotation);
    let (mut state, mut turns) = (0, 0);
    let mut replies = Vec::new();
    for &input in inputs {
        let arc = small.states[state]
            .iter()
            .find(|arc| arc.input == turned(input, turns))?;
        replies.push(arc.reply.map(|cell| turned(cell, 4 - turns % 4)));
        match arc.target {
            MinimalTarget::State {
                state: next,
                turns: more,
            } => {
                state = next;
                turns = (turns + more) % 4;
            }
            _ => break,
        }
    }
    Some(replies)
}

/// Returns every input sequence of a machine with its replies.
fn behaviour(machine: &MealyMachine) -> Vec<(Vec<usize>, Vec<Option<usize>>)> {
    let mut all = Vec::new();
    let mut open = vec![(0, Vec::new(), Vec::new())];
    while let Some((state, inputs, given)) = open.pop() {
        for arc in &machine.states[state].arcs {
            let mut inputs: Vec<usize> = inputs.clone();
            let mut given: Vec<Option<usize>> = given.clone();
            inputs.push(arc.input);
            given.push(arc.reply);
            match arc.target {
                Target::State(next) => open.push((next, inputs, given)),
                _ => all.push((inputs, given)),
            }
        }
    }
    all
}

#[test]
fn a_minimized_machine_gives_the_same_replies_to_every_sequence_of_inputs() {
    for (text, side) in [(ATTACK, Side::Attack), (DEFENCE, Side::Defence)] {
        let machine = MealyMachine::of(&table(text), side).unwrap();
        for rotation in [false, true] {
            let small = machine.minimize(rotation);
            assert!(small.count() <= machine.count());
            for (inputs, given) in behaviour(&machine).iter().step_by(7) {
                assert_eq!(replies(&machine, rotation, inputs).as_ref(), Some(given));
            }
        }
        let turned = machine.minimize(true).count();
        assert!(turned <= machine.minimize(false).count());
    }
}

#[test]
fn the_documents_machine_needs_fewer_than_its_28_states() {
    let machine = MealyMachine::of(&table(ATTACK), Side::Attack).unwrap();
    // Q14 is Q11 and Q20 is Q17.
    assert_eq!(machine.count(), 26);
    assert_eq!(machine.arcs(), table(ATTACK).rows().len());
}

#[test]
fn twenty_two_positions_suffice_for_the_first_player_and_71_for_the_second() {
    let game = tictactoe();
    let watch = Watch::default();
    let centre = Some(Move::on(4));
    for (player, opening, count) in [(Player::First, centre, 22), (Player::Second, None, 71)] {
        let found = smallest_strategy(&game, player, opening, &watch).unwrap();
        assert_eq!(found.answers.len(), count);
        let text = found.text(&game);
        let list =
            || -> Box<dyn Strategy<Board>> { Box::new(Lookup::parse(&game, &text).unwrap()) };
        let proof = prove(&game, &list, player, &watch).unwrap();
        assert_eq!(proof.verdict(), Verdict::NeverLoses);
        // None is redundant: without any one of them some line has no answer.
        for without in 0..count {
            let fewer = found.answers.iter().enumerate();
            let fewer = fewer
                .filter(|(at, _)| *at != without)
                .map(|(_, answer)| *answer);
            let list = Lookup::new(&game, fewer);
            let list = || -> Box<dyn Strategy<Board>> { Box::new(list.clone()) };
            assert!(prove(&game, &list, player, &watch).is_err());
        }
    }
}

#[test]
fn a_player_who_can_be_beaten_has_no_smallest_strategy() {
    // The first player wins with three in a row on 4x3.
    let game = Board::new(&[4, 3], 3).unwrap();
    let found = smallest_strategy(&game, Player::Second, None, &Watch::default());
    assert_eq!(found.unwrap_err(), SmallestStrategyError::Lost);
}
