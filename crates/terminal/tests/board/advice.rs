//! Hints, reasons, scores, the curve and the review.

use std::sync::mpsc::channel;

use crossterm::event::{KeyCode, KeyEvent};
use papan_catalog::review::score_for_first;
use papan_rules::Move;
use papan_strategies::{Progress, Score};
use papan_terminal::{Annotation, Effect, EngineTasks, Message, on_bar, update};
use papan_view::{Language, score};

use crate::desk::Desk;
use crate::games::{between, desk};

#[test]
fn a_hint_is_the_advisors_move_and_is_marked() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 5 2");
    desk.keys("i");
    assert_eq!(desk.notice(), "Hint: 3 (perfect: draw)");
    assert!(desk.screen().contains("!"));
}

#[test]
fn the_numbers_go_from_scores_to_reasons_to_none() {
    let mut desk = desk().at("tictactoe", ["human", "greedy"], "5 1");
    let numbers = |desk: &Desk| desk.state.game.as_ref().unwrap().annotation;
    desk.keys("x");
    assert_eq!(numbers(&desk), Annotation::Scores);
    assert!(!desk.screen().contains("p = "), "{}", desk.screen());
    desk.keys("x");
    assert_eq!(numbers(&desk), Annotation::Reasons);
    assert!(desk.screen().contains("p = "), "{}", desk.screen());
    desk.keys("x");
    assert_eq!(numbers(&desk), Annotation::None);
}

#[test]
fn a_forced_win_is_listed_and_numbered_on_the_board() {
    let mut desk = Desk::new(Language::English, (120, 40));
    desk = desk.at("tictactoe:5x6:4", ["human", "engine"], "9 20 23 16 10 11");
    desk.keys("xx");
    let screen = desk.screen();
    assert!(screen.contains("The win, move by move"), "{screen}");
    let steps = ["1.", "2.", "3."];
    assert!(steps.iter().all(|step| screen.contains(step)), "{screen}");
    desk.keys("xi");
    assert!(desk.notice().ends_with(", proved)"), "{}", desk.notice());
}

#[test]
fn a_position_that_was_set_up_has_no_scores_of_the_old_one() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "");
    desk.keys("A");
    let scores = |desk: &Desk| {
        let game = desk.state.game.as_ref().unwrap();
        let analysis = game.tree.node(game.tree.current()).analysis.clone();
        analysis.map_or(0, |analysis| analysis.scores().count())
    };
    assert_eq!(scores(&desk), 9);
    desk.keys("E");
    assert!(!desk.screen().contains('='), "{}", desk.screen());
    // A result for the old position arrives after the new one is on the board.
    let state = &mut desk.state;
    let mut old = state
        .game
        .as_ref()
        .unwrap()
        .tree
        .node(0)
        .analysis
        .clone()
        .unwrap();
    old.settled = false;
    state.game.as_mut().unwrap().tree.analyse(0, old.clone());
    state.game.as_mut().unwrap().setup = None;
    let thinks = update(state, Message::Tick, desk.now);
    let Some(Effect::Think(job)) = thinks.into_iter().next() else {
        panic!("the advisor was to look on");
    };
    let state = &mut desk.state;
    let _ = update(state, Message::Paste("X---O---- X".into()), desk.now);
    desk.tell(Message::Analysis(job.id, Ok(old)));
    let game = desk.state.game.as_ref().unwrap();
    assert_eq!(game.line().position_text(), "X---O---- X");
    assert!(game.tree.node(0).analysis.is_none());
}

#[test]
fn the_score_line_is_the_best_move_with_the_number_on_its_cell_and_stays() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 2");
    desk.keys("A");
    let game = desk.state.game.as_mut().unwrap();
    let node = game.tree.current();
    let settled = game.tree.node(node).analysis.clone().unwrap();
    let best = settled.insight.best.unwrap();
    let line = format!(
        "Best: {} {}",
        game.rules.show_move(best),
        score::short(settled.score(best).unwrap(), false)
    );
    assert!(desk.screen().contains(&line), "{}", desk.screen());
    // The search goes deeper and reports another move with another score.
    let mut running = settled.clone();
    running.settled = false;
    desk.state
        .game
        .as_mut()
        .unwrap()
        .tree
        .analyse(node, running);
    let started = update(&mut desk.state, Message::Tick, desk.now);
    let Some(Effect::Think(job)) = started.into_iter().next() else {
        panic!("the advisor continues");
    };
    let progress = Progress {
        depth: 7,
        nodes: 12_345_678,
        score: Some(Score::chance(0.11)),
        pv: vec![Move::on(8), Move::on(2), Move::on(3)],
        ..Progress::default()
    };
    update(
        &mut desk.state,
        Message::Progress(job.id, progress),
        desk.now,
    );
    let screen = desk.screen();
    assert!(screen.contains(&format!("{line} (depth 7)")), "{screen}");
    assert!(!screen.contains("11%"), "{screen}");
    // It ends, and the line stays.
    update(
        &mut desk.state,
        Message::Analysis(job.id, Ok(settled)),
        desk.now,
    );
    assert!(desk.state.game.as_ref().unwrap().advisor_job.is_none());
    assert!(desk.screen().contains(&line), "{}", desk.screen());
}

#[test]
fn the_best_line_is_shown_whole_and_stays_with_its_depth() {
    for size in [(80, 24), (120, 40)] {
        let mut desk = Desk::new(Language::English, size);
        desk = desk.at("othello", ["human", "human"], "f5d6c3d3c4f4c5b3c2");
        desk.keys("A");
        let game = desk.state.game.as_mut().unwrap();
        let node = game.tree.current();
        let mut analysis = game.tree.node(node).analysis.clone().unwrap();
        let depth = analysis.depth.clone().expect("the engine has a depth");
        // A line as long as the rest of a game.
        let mut line = game.tree.line_to(node);
        let best = analysis.insight.best.unwrap();
        line.play(best).unwrap();
        let mut pv = vec![best];
        while let (Some(&mv), true) = (line.legal_moves().last(), pv.len() < 30) {
            line.play(mv).unwrap();
            pv.push(mv);
        }
        analysis.insight.pv = pv.clone();
        game.tree.analyse(node, analysis);
        let names: Vec<String> = pv.iter().map(|&mv| game.rules.show_move(mv)).collect();
        let panel = desk.screen();
        let words: Vec<&str> = panel.split_whitespace().collect();
        let rest = names[1..].join(" ");
        let in_order = words.join(" ");
        // The board's own labels and marks are on the same rows, so moves are looked up one by one.
        let mut from = 0;
        for name in rest.split(' ') {
            let found = in_order[from..].find(name);
            from += found.unwrap_or_else(|| panic!("{name} of {rest} is missing:\n{panel}"));
        }
        assert!(panel.contains(&format!("(depth {depth})")), "{panel}");
    }
}

#[test]
fn the_second_and_third_line_are_below_the_best_while_scores_are_shown() {
    for (game, moves) in [("othello", "f5d6c3d3c4f4c5b3c2"), ("gomoku", "h8 i9 h9")] {
        let mut desk = Desk::new(Language::English, (120, 40));
        desk = desk.at(game, ["human", "human"], moves);
        let key = Message::Key(KeyEvent::from(KeyCode::Char('A')));
        let effects = update(&mut desk.state, key, desk.now);
        let job = effects.into_iter().find_map(|effect| match effect {
            Effect::Think(job) => Some(job),
            _ => None,
        });
        let job = job.expect("the advisor searches");
        let id = job.id;
        // The first passes are too short for other lines.
        let (inbox, answers) = channel();
        let mut tasks = EngineTasks::new(inbox);
        tasks.think(*job);
        let analysis = answers.iter().find_map(|message| match message {
            Message::Analysis(_, Ok(analysis)) => (analysis.lines.len() == 2).then_some(analysis),
            _ => None,
        });
        tasks.stop(id);
        let mut analysis = analysis.expect("an analysis with two lines beside the best");
        analysis.settled = true;
        desk.tell(Message::Analysis(id, Ok(analysis.clone())));
        let game = desk.state.game.as_ref().unwrap();
        assert_eq!(game.annotation, Annotation::Scores);
        let best = analysis.insight.best.unwrap();
        let [second, third] = &analysis.lines[..] else {
            panic!("two lines beside the best: {:?}", analysis.lines);
        };
        let first_moves = [best, second.moves[0], third.moves[0]];
        assert!(
            first_moves[1..].iter().all(|mv| *mv != best),
            "{first_moves:?}"
        );
        assert_ne!(first_moves[1], first_moves[2]);
        let balances = [second, third].map(|line| line.score.balance());
        assert!(balances[0] >= balances[1], "{balances:?}");
        // Each has a row with its score and its moves.
        let names = |moves: &[Move]| {
            let names: Vec<String> = moves.iter().map(|&mv| game.rules.show_move(mv)).collect();
            names.join(" ")
        };
        let texts = [second, third].map(|line| {
            format!(
                "{} {}",
                score::short(line.score, false),
                names(&line.moves[..2])
            )
        });
        let screen = desk.screen();
        let row_of = |text: &str| screen.lines().position(|row| row.contains(text));
        let rows = [row_of("Best: "), row_of(&texts[0]), row_of(&texts[1])];
        assert!(
            rows.iter().all(Option::is_some) && rows.is_sorted(),
            "{texts:?}\n{screen}"
        );
        // Without scores on the cells there are no lines.
        desk.state.game.as_mut().unwrap().annotation = Annotation::None;
        let screen = desk.screen();
        assert!(texts.iter().all(|text| !screen.contains(text)), "{screen}");
    }
}

#[test]
fn scores_are_coloured_by_how_good_they_are() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 5 9 3");
    desk.keys("A");
    let colours = |desk: &Desk, cells: &[usize]| {
        let buffer = papan_terminal::snapshot::buffer(&desk.state);
        let geometry = papan_terminal::board_layout(&desk.state).unwrap();
        let style = |&cell: &usize| {
            let area = geometry.cell(cell);
            let row = area.y + area.height / 2;
            let inked = (area.left()..area.right())
                .find(|&x| buffer.cell((x, row)).is_some_and(|c| c.symbol() != " "));
            buffer.cell((inked.unwrap(), row)).unwrap().fg
        };
        cells.iter().map(style).collect::<Vec<_>>()
    };
    // Only 7 holds the draw.
    let shown = colours(&desk, &[6, 1, 3, 5, 7]);
    assert!(shown[1..].iter().all(|colour| *colour == shown[1]));
    assert_ne!(shown[0], shown[1]);
}

#[test]
fn a_thinking_player_shows_whole_moves_only() {
    let mut desk = between("othello", "human", "engine");
    let effects = {
        let key = Message::Key(KeyEvent::from(KeyCode::Char('d')));
        update(&mut desk.state, key, desk.now);
        update(
            &mut desk.state,
            Message::Key(KeyEvent::from(KeyCode::Char('3'))),
            desk.now,
        )
    };
    let job = effects.into_iter().find_map(|effect| match effect {
        Effect::Think(job) => Some(job),
        _ => None,
    });
    let job = job.expect("the computer thinks about its reply");
    let progress = Progress {
        depth: 14,
        nodes: 12_345_678,
        score: Some(Score::about_discs(-3.0)),
        pv: vec![
            Move::on(18),
            Move::on(19),
            Move::on(20),
            Move::on(21),
            Move::on(26),
        ],
        ..Progress::default()
    };
    update(
        &mut desk.state,
        Message::Progress(job.id, progress),
        desk.now,
    );
    let screen = desk.screen();
    let line = screen
        .lines()
        .find(|line| line.contains("depth 14"))
        .unwrap();
    let moves = line.split("depth 14").nth(1).unwrap();
    assert!(moves.contains("-3 c3"), "{screen}");
    let last = moves.split_whitespace().last().unwrap();
    assert_eq!(last.len(), 2, "{screen}");
}

#[test]
fn the_curve_is_for_the_first_player_on_every_turn() {
    // X wins by force, and a sampling player sees it at every ply.
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 2 5 9 4");
    let game = desk.state.game.as_mut().unwrap();
    game.advisor = "mcts(playouts=500)".parse().unwrap();
    desk.keys("v");
    let game = desk.state.game.as_ref().unwrap();
    let path = game.tree.path();
    for &id in &path[3..] {
        let insight = game.tree.node(id).analysis.as_ref().map(|a| &a.insight);
        let score = score_for_first(&*game.tree.line_to(id), insight).unwrap();
        assert!(
            on_bar(score) > 0.0,
            "after {}",
            game.tree.line_to(id).text()
        );
    }
}

#[test]
fn the_review_begins_with_its_first_mistake_and_counts_as_the_list_does() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 2 3 5 4 8");
    let list = desk.screen();
    desk.keys("R");
    let mistakes = desk.state.game.as_ref().unwrap().mistakes();
    assert!(mistakes.len() > 1);
    desk.press(KeyCode::Down);
    let game = desk.state.game.as_ref().unwrap();
    let first = mistakes[0];
    assert_eq!(game.tree.current(), game.tree.node(first.node).parent);
    desk.press(KeyCode::Down);
    let game = desk.state.game.as_ref().unwrap();
    assert_eq!(game.tree.current(), game.tree.node(mistakes[1].node).parent);
    // O's first move is in the first row of the list.
    assert!(list.contains("1.  1         2"), "{list}");
    assert!(
        desk.screen().contains("1. O 2?: better 5"),
        "{}",
        desk.screen()
    );
}

#[test]
fn an_advisor_search_does_not_hide_the_users_turn() {
    let mut desk = between("tictactoe", "human", "perfect");
    let key = Message::Key(KeyEvent::from(KeyCode::Char('v')));
    let _ = update(&mut desk.state, key, desk.now);
    assert!(desk.state.game.as_ref().unwrap().advisor_job.is_some());
    assert!(desk.screen().contains("Your turn."), "{}", desk.screen());
    assert!(!desk.screen().contains("is thinking"), "{}", desk.screen());
}

#[test]
fn numbers_on_the_cells_say_what_they_are() {
    let mut desk = desk().at("tictactoe", ["human", "branch-and-bound"], "5 1");
    desk.keys("xx");
    assert!(
        desk.screen().contains("On the cells: cd/ca"),
        "{}",
        desk.screen()
    );
    assert!(!desk.screen().contains("-0"), "{}", desk.screen());
}

/// The engine behind a level may prefer another move; the level plays its own highest estimate.
#[test]
fn the_numbers_of_a_level_are_its_estimates() {
    let mut desk = desk().at("tictactoe", ["human", "computer(level=3)"], "5 1");
    desk.keys("xx");
    let screen = desk.screen();
    assert!(screen.contains("On the cells: estimate."), "{screen}");
    assert!(!screen.contains('%'), "{screen}");
}
