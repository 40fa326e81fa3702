//! Tests of the menu before a game, with piped input.

mod dialogue;
mod shell;

use dialogue::{papan, says, stderr, stdout};

#[test]
fn the_questions_lead_to_every_program_of_the_documents() {
    // Branch and bound on a custom board: game, board, opponent, mark, seat.
    let game = papan(&[], "1\n4x4\nbranch-and-bound\n1\n1\nquit\n");
    says(
        &game,
        &[
            "Choose a game",
            "Board (",
            "Choose an opponent",
            "Choose your mark",
            "Choose your player",
            " 16",
            "Your move:",
            "Goodbye.",
        ],
    );
    // The automaton plays O and moves first, as in document 000.
    let game = papan(&["--lang", "id"], "1\n\nautomaton\n1\n2\nkeluar\n");
    says(
        &game,
        &[
            "[PILIH LAWAN]",
            "[PILIH BIDAK]",
            "[PILIH PLAYER]",
            "Giliran komputer (O)",
            "Giliran Anda (X)",
        ],
    );
    // Two human players on an Othello board.
    let game = papan(&[], "2\n\n1\nf5\nquit\n");
    says(
        &game,
        &[
            "Black 2, White 2",
            "Black to move (●)",
            "Your move: f5",
            "Black 4, White 1",
            "White to move (○)",
        ],
    );
}

#[test]
fn the_menu_answers_wrong_names_in_the_player_s_language() {
    let typed = "tictacto\n1\n99x99\n4x4\nminimx\nkeluar\n";
    let output = papan(&["--lang", "id", "--plain"], typed);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for english in [
        "did you mean",
        "is no game",
        "is no strategy",
        "at most",
        "no player",
    ] {
        assert!(!text.contains(english), "{english}\n{text}");
    }
    assert!(text.contains("Maksud Anda tictactoe?"), "{text}");
    assert!(text.contains("Maksud Anda minimax?"), "{text}");
}

#[test]
fn the_menu_asks_for_x_or_o() {
    // The player takes O and moves first; then takes O and moves second.
    let game = papan(&["--plain"], "1\n\nminimax\n2\n1\n5\nquit\n");
    says(
        &game,
        &["Choose your mark", "Your turn (O)", "Computer's turn (X)"],
    );
    let game = papan(&["--plain"], "1\n\nminimax\no\n2\nquit\n");
    says(&game, &["Computer's turn (X)", "Your turn (O)"]);
    let game = papan(&["--plain"], "1\n\nminimax\nx\n2\nquit\n");
    says(&game, &["Computer's turn (O)", "Your turn (X)"]);
    // With two human players, player 1 chooses the mark.
    let game = papan(&["--plain"], "1\n\n1\nO\n5\nquit\n");
    says(&game, &["O to move", "X to move"]);
    // With discs there is no mark to choose.
    let game = papan(&["--plain"], "2\n4x4\nrandom\n1\nquit\n");
    assert!(
        !stdout(&game).contains("Choose your mark"),
        "{}",
        stdout(&game)
    );
    says(&game, &["Your turn"]);
}

/// Returns the players that the menu offers for a game.
fn offered(family: &str, size: &str) -> Vec<String> {
    let menu = papan(&["--plain"], &format!("{family}\n{size}\nquit\n"));
    let text = stdout(&menu);
    let list = text.split("Choose an opponent").nth(1).expect("the list");
    let names = list.lines().filter_map(|line| {
        let (number, rest) = line.trim().split_once(". ")?;
        number.parse::<u32>().ok()?;
        rest.split_whitespace().next().map(str::to_owned)
    });
    names.skip(1).collect()
}

#[test]
fn every_player_that_the_menu_offers_plays_on_that_board() {
    let boards = [
        ("tictactoe", "3x3"),
        ("tictactoe", "4x4"),
        ("tictactoe", "3x3x3"),
        ("tictactoe", "9x9:5"),
        ("othello", "4x4"),
        ("othello", "8x8"),
    ];
    for (family, size) in boards {
        let players = offered(family, size);
        assert!(players.contains(&"mcts".to_owned()), "{players:?}");
        assert!(!players.contains(&"lookup".to_owned()), "{players:?}");
        for (number, _) in players.iter().enumerate() {
            let number = number + 2;
            let input = format!("{family}\n{size}\n{number}\n\n\nquit\nquit\n");
            let game = papan(&["--plain"], &input);
            says(&game, &["Choose your player", "Your turn", "Goodbye."]);
        }
    }
    assert!(!offered("tictactoe", "4x4").contains(&"automaton".to_owned()));
    assert!(offered("tictactoe", "4x4").contains(&"minimax(depth=3)".to_owned()));
    assert!(offered("othello", "8x8").contains(&"engine".to_owned()));
    assert!(offered("othello", "6x6").contains(&"engine".to_owned()));
    assert!(offered("othello", "6x6").contains(&"Newcomer".to_owned()));
}

#[test]
fn enter_alone_always_leads_to_a_game() {
    for (family, typed) in [("tictactoe", "\n\n\n\n\n"), ("othello", "othello\n\n\n\n")] {
        let game = papan(&["--plain"], &format!("{typed}quit\n"));
        says(
            &game,
            &["Casual (level 3)", "Your turn", "Your move:", "Goodbye."],
        );
        assert!(game.status.success(), "{family}");
    }
}

#[test]
fn every_question_of_the_menu_leads_back_to_the_one_before() {
    // A missing file is rejected, and another player can be chosen; `back` leads to the board, to
    // the game, and out.
    let input = "1\n\nlookup\nlookup(file=nowhere.list)\nminimax\n1\n0\n0\n0\n4x4\nback\n0\n0\n";
    let menu = papan(&["--plain"], input);
    says(
        &menu,
        &[
            "Choose a game",
            "Board (",
            "Choose an opponent",
            "lookup needs a file",
            "Choose an opponent",
            "nowhere.list",
            "Choose an opponent",
            "Choose your mark",
            "Choose your player",
            "Choose your mark",
            "Choose an opponent",
            "Board (",
            "Choose an opponent",
            "Board (",
            "Choose a game",
            "Goodbye.",
        ],
    );
    assert_eq!(menu.status.code(), Some(0));
}

#[test]
fn errors_before_a_game_are_localized() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let record = |game: &str, moves: &str| {
        let head = "papan record 1\n";
        format!(
            "{head}game: {game}\nfirst: human\nsecond: human\nmoves: {moves}\nresult: unfinished\n"
        )
    };
    let good = file("good", &record("tictactoe", "5"));
    let other_kind = file("kind", "papan settings 1\n");
    let other_game = file("game", &record("tictacto", "5"));
    let illegal = file("illegal", &record("tictactoe", "5 5"));
    let no_text = directory.path().join("bytes");
    std::fs::write(&no_text, [0xff, 0xfe]).unwrap();
    let table = file("table", "nonsense\n");
    let automaton = format!("automaton(file={table})");
    let lookup = format!("lookup(file={table})");
    let nowhere = directory.path().join("no/such/directory");
    let nowhere = nowhere.to_str().unwrap();
    for args in [
        vec!["--load", nowhere],
        vec!["--load", directory.path().to_str().unwrap()],
        vec!["--load", no_text.to_str().unwrap()],
        vec!["--load", &other_kind],
        vec!["--load", &other_game],
        vec!["--load", &illegal],
        vec!["--load", &good, "othello"],
        vec!["--record", nowhere],
        vec!["--moves", "5 5"],
        vec!["--moves", "zz"],
        vec!["--position", "XX------- X"],
        vec!["--first", &automaton],
        vec!["--first", &lookup],
        vec!["--first", "lookup"],
        vec!["othello", "--first", "expert"],
        vec!["tictactoe:4x4", "--first", "expert"],
        vec!["tictactoe:9x9", "--first", "minimax"],
        vec!["tictactoe:9x9", "--first", "perfect"],
    ] {
        let error_message = |language: &str| {
            let start = ["--lang", language, "play"];
            let output = papan(&[&start, &args[..]].concat(), "quit\n");
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            stderr(&output)
        };
        let (english, indonesian) = (error_message("en"), error_message("id"));
        assert_ne!(english, indonesian, "{args:?}");
        for word in [" the ", " is ", " not ", "expected", "cannot", "(os error"] {
            assert!(!indonesian.contains(word), "{args:?}: {indonesian}");
        }
    }
}
