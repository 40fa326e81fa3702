//! Conversations in GTP, some of them recorded from controllers.

use std::io::Cursor;

use papan_protocol::{Input, gtp};

use crate::session;

pub(crate) fn gtp_says(game: &str, strategy: &str, input: &str) -> String {
    let mut output = Vec::new();
    let input = Input::script(Cursor::new(input.to_owned()));
    gtp::serve(&mut session(game, strategy), input, &mut output, |score| {
        format!("{:+}", score.balance())
    })
    .unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn gtp_plays_a_game_of_tictactoe() {
    let said = gtp_says(
        "tictactoe",
        "minimax",
        "1 protocol_version\n2 play b b2\n3 genmove w\n4 play b b2\n5 undo\n6 genmove white\n\
         7 play b c3\n8 play w c1\n# a comment\n\n9 final_score\n10 swim\n11 play b\n12 quit\nname\n",
    );
    // Minimax answers the centre in the first corner.
    let expected = "=1 2\n\n=2 \n\n=3 a3\n\n?4 illegal move: that cell is occupied\n\n=5 \n\n\
                    =6 a3\n\n=7 \n\n=8 \n\n?9 cannot score\n\n?10 unknown command\n\n\
                    ?11 syntax error\n\n=12 \n\n";
    assert_eq!(said, expected);
}

#[test]
fn gtp_scores_a_finished_game_and_changes_boards() {
    let said = gtp_says(
        "tictactoe",
        "random",
        "play b a1\nplay w a2\nplay b b1\nplay w b2\nplay b c1\nfinal_score\ngenmove w\n\
         boardsize 4\nplay b d4\nboardsize 99\nset_game othello\nplay b f5\nplay b d6\nset_game chess\n",
    );
    let answers: Vec<&str> = said.split("\n\n").collect();
    assert_eq!(answers[5], "= B+1");
    assert_eq!(answers[6], "? the game is over");
    assert_eq!(answers[7..9], ["= ", "= "]);
    assert_eq!(answers[9], "? unacceptable size");
    assert_eq!(answers[10..12], ["= ", "= "]);
    assert_eq!(answers[12], "? illegal move: it is the other player's turn");
    assert_eq!(answers[13], "? there is no game `chess`");
}

#[test]
fn gtp_lists_games_and_lets_both_players_pass_at_the_end() {
    let said = gtp_says(
        "othello:4x4",
        "random",
        "list_games\nset_game Othello\nset_game othello:4x4\n",
    );
    let answers: Vec<&str> = said.split("\n\n").collect();
    assert!(answers[0].lines().any(|name| name.ends_with("Othello")));
    assert_eq!(answers[1..3], ["= ", "= "]);
    let over = "play b a1\nplay w c1\nplay b b1\nplay w c2\nplay b c3\n\
                final_score\nplay w pass\nplay b PASS\nplay w b3\ngenmove b\n";
    let said = gtp_says(
        "tictactoe",
        "random",
        &over.replace("play b c3", "play b a2\nplay w c3"),
    );
    let answers: Vec<&str> = said.split("\n\n").collect();
    assert_eq!(answers[6], "= W+1");
    assert_eq!(answers[7..9], ["= ", "= "]);
    assert!(answers[9].starts_with("? illegal move"), "{}", answers[9]);
}

#[test]
fn gtp_loads_games_and_evaluates_every_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    std::fs::write(&path, "(;GM[2]FF[4]SZ[8];B[f5];W[d6];B[c3])").unwrap();
    let path = path.display();
    let said = gtp_says(
        "tictactoe",
        "alphabeta(depth=2)",
        &format!(
            "1 gogui-analyze_commands\n2 loadsgf {path} 3\n3 papan-evaluation\n4 play b c3\n\
             5 loadsgf {path}\n6 play b c3\n7 loadsgf {path}x\n8 loadsgf\n9 papan-limits nodes 50\n"
        ),
    );
    assert!(
        said.contains("=1 gfx/Evaluation of every move/papan-evaluation\n"),
        "{said}"
    );
    let shown = said
        .split("=3 ")
        .nth(1)
        .unwrap()
        .split("\n\n")
        .next()
        .unwrap();
    // Black's five answers to f5 d6.
    for square in ["C3", "C4", "C5", "C6", "C7"] {
        assert!(shown.contains(&format!("LABEL {square} ")), "{shown}");
    }
    assert!(
        shown.contains("VAR b C") && shown.contains("TEXT C"),
        "{shown}"
    );
    assert!(said.contains("=4 \n") && said.contains("=5 \n"), "{said}");
    assert!(
        said.contains("?6 illegal move") && said.contains("?7 cannot load file"),
        "{said}"
    );
    assert!(said.contains("?8 syntax error"), "{said}");
}

#[test]
fn quarry_sets_up_a_game_and_asks_for_moves() {
    // The commands of Quarry 0.2.0: its handshake and a game at two seconds per move.
    let said = gtp_says(
        "tictactoe",
        "minimax(depth=1)",
        "protocol_version\nname\nversion\nlist_commands\nlist_games\nset_game Othello\n\
         boardsize 8\nclear_board\ntime_settings 0 2 1\nplay black F5\ntime_left white 2 1\n\
         genmove white\nquit\n",
    );
    let answers: Vec<&str> = said.split_terminator("\n\n").collect();
    assert_eq!(answers.len(), 13, "{said}");
    assert!(
        answers.iter().all(|answer| answer.starts_with('=')),
        "{said}"
    );
    assert!(answers[4].lines().any(|name| name == "Othello"));
    assert!(["= d6", "= f4", "= f6"].contains(&answers[11]), "{said}");
}

#[test]
fn gogui_queries_the_rules_of_othello() {
    let rules = "gogui-rules_board\ngogui-rules_legal_moves\ngogui-rules_side_to_move\n";
    let said = gtp_says(
        "othello",
        "minimax(depth=1)",
        &format!(
            "gogui-rules_game_id\ngogui-rules_board_size\n{rules}play b F5\n{rules}\
             gogui-rules_final_result\ngogui-rules_board now\n"
        ),
    );
    let answers: Vec<&str> = said.split_terminator("\n\n").collect();
    assert_eq!(answers[..2], ["= Othello", "= 8"]);
    // Row 1 is the last line.
    let empty = ". . . . . . . .\n";
    let board = |fifth: &str, fourth: &str| {
        let (three, others) = (empty.repeat(3), empty.repeat(3));
        format!("= {three}{fifth}\n{fourth}\n{}", others.trim_end())
    };
    assert_eq!(answers[2], board(". . . X O . . .", ". . . O X . . ."));
    assert_eq!(answers[3..5], ["= D3 C4 F5 E6", "= black"]);
    assert_eq!(answers[6], board(". . . X X X . .", ". . . O X . . ."));
    assert_eq!(answers[7..9], ["= F4 D6 F6", "= white"]);
    assert_eq!(answers[9..], ["? the game is not over", "? syntax error"]);
}

#[test]
fn gogui_queries_the_result_and_other_boards() {
    let won = "play b a1\nplay w a2\nplay b b1\nplay w b2\nplay b c1\n";
    let rules = "gogui-rules_legal_moves\ngogui-rules_final_result\ngogui-rules_board\n";
    let said = gtp_says("tictactoe", "random", &format!("{won}{rules}"));
    let answers: Vec<&str> = said.split_terminator("\n\n").skip(5).collect();
    assert_eq!(answers, ["= ", "= Black wins", "= . . .\nO O .\nX X X"]);
    let size = "gogui-rules_board_size\n";
    let says = |game| gtp_says(game, "random", size);
    assert_eq!(says("tictactoe:3x4"), "= 4 3\n\n");
    assert_eq!(
        says("tictactoe:3x3x3"),
        "? the board is not two-dimensional\n\n"
    );
}
