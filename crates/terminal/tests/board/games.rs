//! Games played by keys, without a terminal.

use std::time::Duration;

use crate::desk::Desk;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use papan_catalog::review::score_for_first;
use papan_rules::{Outcome, Player, Record, SplitMix};
use papan_terminal::{Annotation, Effect, Message, Row, geometry, on_bar, update};
use papan_view::Language;

pub(crate) fn desk() -> Desk {
    Desk::new(Language::English, (80, 24))
}

pub(crate) fn between(game: &str, first: &str, second: &str) -> Desk {
    desk().at(game, [first, second], "")
}

#[test]
fn a_person_plays_a_whole_game_by_numbers_and_the_computer_answers() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("1");
    assert_eq!(desk.moves(), "1 5");
    desk.keys("2");
    assert_eq!(desk.moves(), "1 5 2 3");
    desk.keys("4");
    let table = desk.state.table.as_ref().unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Win(Player::Second)));
    assert_eq!(desk.notice(), "YOU LOSE! Winning line: 3 5 7");
}

#[test]
fn squares_are_typed_and_h_both_moves_and_begins_a_square() {
    let mut desk = between("othello", "human", "human");
    desk.keys("f5");
    assert_eq!(desk.moves(), "f5");
    desk.keys("66");
    assert_eq!(desk.moves(), "f5f6");
    let before = desk.state.table.as_ref().unwrap().cursor;
    desk.keys("h");
    assert_eq!(desk.state.table.as_ref().unwrap().cursor, before - 1);
    desk.keys("8");
    assert!(
        desk.notice().contains("h8 flips nothing"),
        "{}",
        desk.notice()
    );
}

#[test]
fn a_number_that_could_go_on_waits_for_enter() {
    let mut desk = between("tictactoe:4x4", "human", "human");
    desk.keys("1");
    assert_eq!(desk.moves(), "");
    assert!(desk.screen().contains("Move: 1_"));
    desk.keys("\n");
    assert_eq!(desk.moves(), "1");
    desk.keys("16");
    assert_eq!(desk.moves(), "1 16");
    desk.keys("99");
    assert_eq!(desk.moves(), "1 16 9");
    assert!(desk.notice().contains("occupied"), "{}", desk.notice());
    desk.keys(":zzz\n");
    assert!(desk.notice().contains("zzz is not a move"));
}

#[test]
fn undo_takes_back_to_the_persons_turn_and_redo_plays_again() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("59");
    let played = desk.moves();
    desk.keys("u");
    assert_eq!(desk.moves().split(' ').count(), 2);
    desk.keys("r");
    assert_eq!(desk.moves(), played);
    desk.keys("uuu");
    assert_eq!(desk.notice(), "There is nothing to take back.");
    // The computer began: its first move cannot be taken back.
    let mut desk = between("tictactoe", "perfect", "human");
    let begun = desk.moves();
    desk.keys("u");
    assert_eq!(desk.moves(), begun);
}

#[test]
fn playing_on_from_an_earlier_position_keeps_the_variation() {
    let mut desk = between("tictactoe", "human", "human");
    desk.keys("519");
    desk.keys(",,");
    assert_eq!(desk.moves(), "5");
    desk.keys("2");
    assert_eq!(desk.moves(), "5 2");
    assert!(desk.screen().contains(">2 (1)"));
    desk.keys("]");
    assert_eq!(desk.moves(), "5 1");
    desk.press(KeyCode::End);
    assert_eq!(desk.moves(), "5 1 9");
    desk.press(KeyCode::Home);
    assert_eq!(desk.moves(), "");
}

#[test]
fn while_an_earlier_position_is_looked_at_the_computer_waits() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("59");
    desk.keys(",,,");
    assert_eq!(desk.moves(), "5");
    assert!(desk.screen().contains("looking back"));
    // A person may then move for the computer, which answers no more than its own turns.
    desk.keys("2");
    assert_eq!(desk.moves(), "5 2");
    desk.keys(",");
    desk.keys("p");
    assert_eq!(desk.moves(), "5 1");
}

#[test]
fn the_cursor_goes_round_the_board_and_enter_plays() {
    let mut desk = between("tictactoe", "human", "human");
    desk.keys("hk\n");
    assert_eq!(desk.moves(), "1");
    desk.press(KeyCode::Left);
    desk.press(KeyCode::Up);
    desk.keys(" ");
    assert_eq!(desk.moves(), "1 9");
    desk.keys(" ");
    assert!(desk.notice().contains("9 is occupied"));
}

#[test]
fn the_mouse_plays_and_the_wheel_walks() {
    let mut desk = between("tictactoe", "human", "human");
    let cell = geometry(&desk.state).unwrap().cell(6);
    let mouse = |kind, column, row| {
        Message::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        })
    };
    let down = MouseEventKind::Down(MouseButton::Left);
    desk.tell(mouse(down, cell.x + 1, cell.y));
    assert_eq!(desk.moves(), "7");
    desk.tell(mouse(MouseEventKind::ScrollUp, 0, 0));
    assert_eq!(desk.moves(), "");
    desk.tell(mouse(MouseEventKind::ScrollDown, 0, 0));
    assert_eq!(desk.moves(), "7");
    // A click on the list of moves goes there.
    desk.keys("519");
    let row = desk
        .screen()
        .lines()
        .position(|line| line.contains("1.  7"))
        .unwrap();
    let line = desk.screen().lines().nth(row).unwrap().to_owned();
    let column = line.chars().collect::<Vec<_>>().len() - 1;
    desk.tell(mouse(down, column as u16, row as u16));
    assert_eq!(desk.moves(), "7 5");
}

#[test]
fn a_watched_game_waits_between_moves_pauses_and_goes_on() {
    let mut desk = between("tictactoe", "perfect", "random(seed=1)");
    assert_eq!(desk.moves(), "");
    desk.wait(Duration::from_millis(600));
    assert_eq!(desk.moves().split(' ').count(), 1);
    desk.keys("p");
    desk.wait(Duration::from_secs(60));
    assert_eq!(desk.moves().split(' ').count(), 1);
    desk.keys("p");
    assert_eq!(desk.moves().split(' ').count(), 2);
    desk.keys("+++");
    for _ in 0..9 {
        desk.wait(Duration::from_millis(1));
    }
    assert!(desk.state.table.as_ref().unwrap().outcome().is_some());
}

#[test]
fn flipping_the_seats_sets_the_computer_to_work() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("s");
    assert_eq!(desk.moves().split(' ').count(), 1);
    assert!(desk.screen().contains("O you"));
}

#[test]
fn a_hint_is_the_advisors_move_and_is_marked() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 5 2");
    desk.keys("i");
    assert_eq!(desk.notice(), "Hint: 3 (perfect: draw)");
    assert!(desk.screen().contains("!"));
}

#[test]
fn the_numbers_go_from_reasons_to_scores_to_none() {
    let mut desk = desk().at("tictactoe", ["human", "greedy"], "5 1");
    let numbers = |desk: &Desk| desk.state.table.as_ref().unwrap().annotation;
    desk.keys("x");
    assert_eq!(numbers(&desk), Annotation::Reasons);
    assert!(desk.screen().contains("p = "), "{}", desk.screen());
    desk.keys("x");
    assert_eq!(numbers(&desk), Annotation::Scores);
    desk.keys("x");
    assert_eq!(numbers(&desk), Annotation::None);
}

#[test]
fn a_certain_win_is_told_move_by_move_and_numbered_on_the_board() {
    let mut desk = Desk::new(Language::English, (120, 40));
    desk = desk.at("tictactoe:5x6:4", ["human", "engine"], "9 20 23 16 10 11");
    desk.keys("x");
    let screen = desk.screen();
    assert!(screen.contains("The win, move by move"), "{screen}");
    let steps = ["1.", "2.", "3."];
    assert!(steps.iter().all(|step| screen.contains(step)), "{screen}");
    desk.keys("xxi");
    assert!(desk.notice().ends_with(", proved)"), "{}", desk.notice());
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let mut desk = desk();
    desk.state.settings.clock = "10s".parse().ok();
    let mut desk = desk.at("tictactoe", ["human", "human"], "");
    desk.wait(Duration::from_secs(3));
    assert!(desk.screen().contains("7.0"), "{}", desk.screen());
    desk.keys("5");
    desk.wait(Duration::from_secs(11));
    assert_eq!(desk.notice(), "X wins! O is out of time.");
    assert_eq!(desk.state.deadline(), None);
    desk.keys("1");
    assert_eq!(desk.notice(), "The game is over.");
}

#[test]
fn nothing_ticks_while_nobody_has_a_clock() {
    let desk = between("tictactoe", "human", "human");
    assert_eq!(desk.state.deadline(), None);
}

#[test]
fn a_record_is_saved_and_opened_again() {
    let mut desk = between("tictactoe", "human", "human");
    desk.keys("519");
    desk.keys("w");
    for _ in 0..30 {
        desk.press(KeyCode::Backspace);
    }
    desk.keys("my game\n");
    let Some(Effect::Save { path, text }) = desk.effects.pop() else {
        panic!("a record was to be saved");
    };
    assert_eq!(path, "my game");
    assert_eq!(Record::parse(&text).unwrap().moves, "5 1 9");
    let exists = std::io::ErrorKind::AlreadyExists;
    desk.tell(Message::Saved(path.clone(), Err(exists.into())));
    let notice = "my game was not written: there is a file of this name already";
    assert_eq!(desk.notice(), notice);
    let mut other = Desk::new(Language::English, (80, 24));
    other.tell(Message::Opened(path, Ok(text)));
    assert_eq!(other.moves(), "5 1 9");
    other.tell(Message::Opened("x".into(), Ok("papan record 1\n".into())));
    assert!(other.notice().starts_with("This is no record"));
    assert_eq!(other.moves(), "5 1 9");
}

#[test]
fn the_record_of_the_command_line_is_written_after_every_move() {
    let mut desk = between("tictactoe", "human", "human");
    desk.state.record = Some("file".into());
    desk.keys("51");
    let written = desk
        .effects
        .iter()
        .filter(|e| matches!(e, Effect::Record { .. }));
    assert_eq!(written.count(), 2);
}

#[test]
fn the_moves_are_copied() {
    let mut desk = desk().at("othello", ["human", "human"], "f5d6");
    desk.keys("y");
    assert!(matches!(desk.effects.last(), Some(Effect::Copy(text)) if text == "f5d6"));
}

#[test]
fn a_position_is_pasted_and_a_wrong_one_is_explained() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.tell(Message::Paste("XO-/---/--- X".into()));
    let table = desk.state.table.as_ref().unwrap();
    assert!(table.analysing && table.line().piece(1) == Some(Player::Second));
    desk.tell(Message::Paste("XXX------ O".into()));
    assert!(desk.notice().contains("cannot arise"), "{}", desk.notice());
    desk.keys("P5 1 9\n");
    assert_eq!(desk.moves(), "5 1 9");
    desk.keys("P5 5\n");
    assert!(desk.notice().contains("no legal move"), "{}", desk.notice());
}

#[test]
fn a_position_is_set_up_by_hand() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("E");
    desk.keys("hk1");
    desk.keys("\n");
    assert!(desk.notice().contains("O is to move"), "{}", desk.notice());
    desk.keys("s\n");
    let table = desk.state.table.as_ref().unwrap();
    assert!(table.setup.is_none() && table.analysing);
    assert_eq!(table.line().position_text(), "X-------- O");
    desk.keys("Ec");
    desk.press(KeyCode::Esc);
    let table = desk.state.table.as_ref().unwrap();
    assert_eq!(table.line().position_text(), "X-------- O");
}

#[test]
fn a_rematch_keeps_the_players_and_a_new_game_goes_to_the_start_page() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 4 2 5");
    desk.keys("3");
    assert_eq!(desk.notice(), "X wins! Winning line: 1 2 3");
    desk.keys("m");
    assert_eq!(desk.moves(), "");
    desk.keys("n");
    assert!(desk.state.table.is_none());
    desk.keys("\n");
    assert!(desk.state.table.is_some());
}

#[test]
fn othello_passes_by_enter_where_nothing_else_is_left() {
    // The shortest game of first legal moves, after one free choice, that has a pass.
    let game: papan_catalog::AnyGame = "othello:6x6".parse().unwrap();
    let before_a_pass = (0..4_usize).find_map(|choice| {
        let mut line = game.line();
        while let Some(&first) = line.legal_moves().first() {
            if first.cell().is_none() {
                return Some(line.text());
            }
            let legal = line.legal_moves();
            line.play(legal[(line.moves().len() * choice) % legal.len()])
                .unwrap();
        }
        None
    });
    let moves = before_a_pass.expect("one of these games has a pass");
    let mut desk = desk().at("othello:6x6", ["human", "human"], &moves);
    assert!(
        desk.screen().contains("has no move: Enter"),
        "{}",
        desk.screen()
    );
    desk.keys("\n");
    assert!(desk.notice().contains("passes"), "{}", desk.notice());
}

#[test]
fn every_cell_that_shares_a_line_with_the_cursor_is_marked() {
    let mut desk = between("tictactoe:3x3x3", "human", "human");
    // The centre shares a line with all others.
    let marked = |desk: &Desk| desk.screen().matches(['-', '+']).count();
    assert_eq!(desk.state.table.as_ref().unwrap().cursor, 13);
    assert_eq!(marked(&desk), 2 * 26);
    // A middle of a side with its row, its column and its depth, no diagonal.
    desk.keys("hhk");
    let lines = desk.screen();
    assert!(lines.contains("lines through"), "{lines}");
    assert!(marked(&desk) < 2 * 26);
}

#[test]
fn leaving_a_game_stops_whoever_thinks() {
    let mut desk = between("tictactoe", "human", "human");
    desk.state.table.as_mut().unwrap().players[0] = "mcts(playouts=100000000)".parse().unwrap();
    let started = update(&mut desk.state, Message::Tick, desk.now);
    let Some(Effect::Think(job)) = started.into_iter().next() else {
        panic!("it should think");
    };
    desk.keys("n");
    assert!(matches!(desk.effects.last(), Some(Effect::Stop(id)) if *id == job.id));
}

#[test]
fn any_keys_in_any_order_do_no_harm() {
    // With a seed of its own, so that a failure can be replayed.
    let mut random = SplitMix::new(0x2545_f491_4f6c_dd1d);
    let mut next = |n: usize| random.below(n);
    let special = [
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Backspace,
        KeyCode::PageUp,
    ];
    for game in ["tictactoe", "othello:4x4", "tictactoe:2x2x2"] {
        let mut desk = between(game, "human", "random(seed=3)");
        for _ in 0..400 {
            match next(3) {
                0 => desk.press(special[next(special.len())]),
                _ => desk.press(KeyCode::Char(char::from(b' ' + next(95) as u8))),
            }
            let _ = desk.screen();
        }
    }
}

#[test]
fn a_square_is_typed_whose_letter_is_a_command() {
    let mut desk = between("tictactoe:15x15:5", "human", "human");
    desk.keys("a1\n");
    // `m` alone is a rematch, `n` a new game, `o` opens a record, `i` is a hint.
    desk.keys("m8");
    desk.keys("n9");
    desk.keys("o7");
    desk.keys("i6");
    desk.keys("h5");
    let squares = ["a1", "m8", "n9", "o7", "i6", "h5"];
    let table = desk.state.table.as_ref().unwrap();
    assert_eq!(
        table.game.show_moves(table.line().moves()),
        squares.join(" ")
    );
    assert!(table.hint.is_none() && desk.state.prompt.is_none());
}

#[test]
fn what_a_letter_means_is_said_and_enter_makes_it_the_command() {
    let mut desk = between("tictactoe:15x15:5", "human", "human");
    desk.keys("i");
    assert!(desk.screen().contains("Move: i_"), "{}", desk.screen());
    assert!(desk.screen().contains("Enter: a hint"), "{}", desk.screen());
    // Any other key forgets it.
    desk.press(KeyCode::Right);
    assert!(!desk.screen().contains("Move: i_"));
    desk.keys("o\n");
    assert!(desk.state.prompt.is_some());
    // A letter that moves the cursor does so at once, and Enter plays there.
    let mut desk = between("tictactoe:15x15:5", "human", "human");
    desk.keys("hk\n");
    let table = desk.state.table.as_ref().unwrap();
    assert_eq!(table.game.show_moves(table.line().moves()), "g7");
    // Where cells have numbers the letters stay what they were.
    let mut desk = between("tictactoe", "human", "human");
    desk.keys("i");
    assert!(desk.notice().starts_with("Hint"), "{}", desk.notice());
}

#[test]
fn columns_beyond_z_have_two_letters() {
    let mut desk = between("tictactoe:2x40:2", "human", "human");
    desk.keys("an2");
    let table = desk.state.table.as_ref().unwrap();
    assert_eq!(table.game.show_moves(table.line().moves()), "an2");
}

#[test]
fn a_game_under_way_is_left_only_after_a_yes() {
    for key in ["m", "n", "q"] {
        let mut desk = between("tictactoe", "human", "human");
        desk.keys("51");
        desk.keys(key);
        assert!(desk.screen().contains("y / n"), "{}", desk.screen());
        desk.keys("n");
        assert_eq!(desk.moves(), "5 1");
        assert!(!desk.screen().contains("y / n"), "{}", desk.screen());
        let quit = |desk: &Desk| matches!(desk.effects.last(), Some(Effect::Quit(None)));
        assert!(!quit(&desk));
        desk.keys(key);
        desk.keys("y");
        match key {
            "m" => assert_eq!(desk.moves(), ""),
            "n" => assert!(desk.state.table.is_none()),
            _ => assert!(quit(&desk)),
        }
    }
    // In a window too small for the board, too.
    let mut desk = between("tictactoe", "human", "human");
    desk.keys("5");
    desk.tell(Message::Resized(20, 5));
    desk.keys("q");
    assert!(desk.screen().contains("y / n"), "{}", desk.screen());
}

#[test]
fn a_position_that_was_set_up_has_no_scores_of_the_old_one() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "");
    desk.keys("A");
    let scores = |desk: &Desk| {
        let table = desk.state.table.as_ref().unwrap();
        let analysis = table.tree.node(table.tree.current()).analysis.clone();
        analysis.map_or(0, |analysis| analysis.scores().count())
    };
    assert_eq!(scores(&desk), 9);
    desk.keys("E");
    assert!(!desk.screen().contains('='), "{}", desk.screen());
    // An answer about the old position comes when the new one is there already.
    let state = &mut desk.state;
    let mut old = state
        .table
        .as_ref()
        .unwrap()
        .tree
        .node(0)
        .analysis
        .clone()
        .unwrap();
    old.settled = false;
    state.table.as_mut().unwrap().tree.analyse(0, old.clone());
    state.table.as_mut().unwrap().setup = None;
    let thinks = update(state, Message::Tick, desk.now);
    let Some(Effect::Think(job)) = thinks.into_iter().next() else {
        panic!("the advisor was to look on");
    };
    let state = &mut desk.state;
    let _ = update(state, Message::Paste("X---O---- X".into()), desk.now);
    desk.tell(Message::Advised(job.id, Ok(old)));
    let table = desk.state.table.as_ref().unwrap();
    assert_eq!(table.line().position_text(), "X---O---- X");
    assert!(table.tree.node(0).analysis.is_none());
}

#[test]
fn the_curve_is_the_first_players_whoever_moves() {
    // X wins whatever O does, and a sampling player sees it at every ply.
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 2 5 9 4");
    let table = desk.state.table.as_mut().unwrap();
    table.advisor = "mcts(playouts=500)".parse().unwrap();
    desk.keys("v");
    let table = desk.state.table.as_ref().unwrap();
    let path = table.tree.path();
    for &id in &path[3..] {
        let insight = table.tree.node(id).analysis.as_ref().map(|a| &a.insight);
        let score = score_for_first(&*table.tree.line_to(id), insight).unwrap();
        assert!(
            on_bar(score) > 0.0,
            "after {}",
            table.tree.line_to(id).text()
        );
    }
}

#[test]
fn what_the_command_line_chose_is_not_remembered() {
    let mut desk = between("tictactoe", "human", "human");
    desk.state.settings.language = Some(Language::Indonesian);
    desk.state.settings.seed = Some(7);
    desk.keys("v");
    desk.keys("n");
    desk.press(KeyCode::Home);
    desk.press(KeyCode::Right);
    let kept = desk.effects.iter().filter_map(|effect| match effect {
        Effect::Remember(settings) => Some(settings),
        _ => None,
    });
    let kept: Vec<_> = kept.collect();
    assert_eq!(kept.len(), 2);
    assert!(
        kept.iter()
            .all(|s| s.language.is_none() && s.seed.is_none())
    );
    assert!(kept[0].evaluation && kept[1].game != "tictactoe");
    desk.keys("\nn");
    desk.press(KeyCode::Home);
}

#[test]
fn the_review_begins_with_its_first_mistake_and_counts_as_the_list_does() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 2 3 5 4 8");
    let list = desk.screen();
    desk.keys("R");
    let mistakes = desk.state.table.as_ref().unwrap().mistakes();
    assert!(mistakes.len() > 1);
    desk.press(KeyCode::Down);
    let table = desk.state.table.as_ref().unwrap();
    let first = mistakes[0];
    assert_eq!(table.tree.current(), table.tree.node(first.node).parent);
    desk.press(KeyCode::Down);
    let table = desk.state.table.as_ref().unwrap();
    assert_eq!(
        table.tree.current(),
        table.tree.node(mistakes[1].node).parent
    );
    // O's first move stands in the list's first row.
    assert!(list.contains("1.  1         2"), "{list}");
    assert!(
        desk.screen().contains("1. O 2: better"),
        "{}",
        desk.screen()
    );
}

#[test]
fn a_line_that_is_typed_is_emptied_by_control_u() {
    let empty = |desk: &mut Desk| {
        let key = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
        desk.tell(Message::Key(key));
    };
    let mut desk = desk();
    desk.press(KeyCode::Home);
    desk.press(KeyCode::Enter);
    assert_eq!(desk.state.start.editing.as_deref(), Some("tictactoe"));
    empty(&mut desk);
    assert_eq!(desk.state.start.editing.as_deref(), Some(""));
}

#[test]
fn during_ones_own_turn_an_advisor_does_not_think_in_ones_place() {
    let mut desk = between("tictactoe", "human", "perfect");
    let key = Message::Key(KeyEvent::from(KeyCode::Char('v')));
    let _ = update(&mut desk.state, key, desk.now);
    assert!(desk.state.table.as_ref().unwrap().advising.is_some());
    assert!(desk.screen().contains("Your turn."), "{}", desk.screen());
    assert!(!desk.screen().contains("is thinking"), "{}", desk.screen());
}

#[test]
fn numbers_on_the_cells_say_what_they_are() {
    let mut desk = desk().at("tictactoe", ["human", "branch-and-bound"], "5 1");
    desk.keys("x");
    assert!(
        desk.screen().contains("On the cells: cd/ca"),
        "{}",
        desk.screen()
    );
    assert!(!desk.screen().contains("-0"), "{}", desk.screen());
}

#[test]
fn what_goes_wrong_is_told_in_the_player_s_language() {
    use papan_terminal::{Failure, SettingsError, failure_text, settings_text};
    use std::io::ErrorKind;

    let mut desk = Desk::new(Language::Indonesian, (80, 24));
    for kind in [
        ErrorKind::NotFound,
        ErrorKind::IsADirectory,
        ErrorKind::InvalidInput,
        ErrorKind::FileTooLarge,
    ] {
        desk.tell(Message::Opened("x".into(), Err(kind.into())));
        let notice = desk.notice();
        assert!(notice.starts_with("x tidak dapat dibuka"), "{notice}");
        assert!(!notice.contains(" is "), "{notice}");
    }
    for text in [
        "papan record 1\n",
        "papan record 1\ngame: tictacto\nfirst: human\nsecond: human\nmoves: 5\nresult: unfinished\n",
        "papan record 1\ngame: tictactoe\nfirst: human\nsecond: human\nmoves: 5 5\nresult: unfinished\n",
    ] {
        desk.tell(Message::Opened("x".into(), Ok(text.into())));
        let notice = desk.notice();
        for english in ["line", "column", "missing", "occupied", "did you mean"] {
            assert!(!notice.contains(english), "{notice}");
        }
    }
    let [english, indonesian] = [Language::English, Language::Indonesian].map(|language| {
        let words = papan_view::Words::new(language);
        let game: papan_catalog::AnyGame = "othello".parse().unwrap();
        let spec: papan_catalog::StrategySpec = "expert".parse().unwrap();
        let seated = game.can_seat(&spec, &papan_strategies::Limits::default());
        let failures = [
            Failure::Unplayable(seated.unwrap_err()),
            Failure::NoMove(papan_strategies::NoMove::GameOver),
            Failure::BrokeDown,
            Failure::Silent,
            Failure::NoThread(ErrorKind::OutOfMemory.into()),
        ];
        let settings = [
            SettingsError::Unreadable(ErrorKind::PermissionDenied),
            SettingsError::Header("papan record 1".into()),
            SettingsError::Line {
                number: 3,
                text: "theme: pink".into(),
            },
        ];
        let mut told: Vec<String> = failures
            .iter()
            .map(|failure| failure_text(words, failure))
            .collect();
        told.extend(settings.iter().map(|error| settings_text(words, error)));
        told
    });
    for (english, indonesian) in english.iter().zip(&indonesian) {
        assert_ne!(english, indonesian);
    }
}

/// What was written where, last of all.
#[test]
fn other_programs_games_are_opened_and_pasted() {
    let sgf = "(;GM[2]FF[4]SZ[8];B[f5];W[d6];B[c3])";
    let mut desk = desk();
    desk.tell(Message::Opened("x.sgf".into(), Ok(sgf.into())));
    assert_eq!(desk.moves(), "f5d6c3");
    let mut desk = between("tictactoe", "human", "human");
    desk.tell(Message::Paste(sgf.into()));
    assert_eq!(desk.moves(), "f5d6c3");
}

#[test]
fn whoever_is_offered_can_play_and_the_usual_opponent_does() {
    for game in [
        "othello",
        "othello:6x6",
        "tictactoe:7x7:5",
        "tictactoe:15x15:5",
        "tictactoe:3x3x3",
    ] {
        let mut desk = desk();
        desk.state.start.set_game(game.parse().unwrap());
        let page = &desk.state.start;
        for player in &page.offered {
            if let papan_catalog::PlayerSpec::Strategy(spec) = player {
                let seated = page.game.seat(spec, &papan_strategies::Limits::default());
                assert!(seated.is_ok(), "{spec} at {game}");
            }
        }
        // Enter begins: nobody refuses the chair.
        let rows = desk.state.start.rows();
        let play = rows.iter().position(|row| matches!(row, Row::Play));
        desk.state.start.focus = play.unwrap();
        let key = Message::Key(KeyEvent::from(KeyCode::Enter));
        let _ = update(&mut desk.state, key, desk.now);
        assert!(desk.state.table.is_some(), "{game}: {}", desk.notice());
    }
}
