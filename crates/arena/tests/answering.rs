//! papan as an engine: whole conversations, and whatever anybody may type.

use papan_arena::Responder;
use papan_arena::protocol::{gtp, nboard, piskvork, ugi};
use papan_strategies::Limits;
use proptest::prelude::*;

fn responder(game: &str, strategy: &str) -> Responder {
    let strategy = strategy.parse().unwrap();
    let limits = Limits {
        nodes: Some(50),
        ..Limits::default()
    };
    Responder::new(game.parse().unwrap(), Some(strategy), limits, 1).unwrap()
}

fn gtp_says(game: &str, strategy: &str, input: &str) -> String {
    let mut output = Vec::new();
    gtp::answer(
        &mut responder(game, strategy),
        input.as_bytes(),
        &mut output,
    )
    .unwrap();
    String::from_utf8(output).unwrap()
}

fn ugi_says(game: &str, strategy: &str, input: &str) -> String {
    let mut output = Vec::new();
    let input = std::io::Cursor::new(input.to_owned());
    ugi::answer(&mut responder(game, strategy), input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

fn nboard_says(strategy: &str, input: &str) -> String {
    let mut output = Vec::new();
    let input = std::io::Cursor::new(input.to_owned());
    nboard::answer(&mut responder("othello", strategy), input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

fn piskvork_says(strategy: &str, input: &str) -> String {
    let mut output = Vec::new();
    let mut responder = responder("tictactoe:15x15:5", strategy);
    piskvork::answer(&mut responder, input.as_bytes(), &mut output).unwrap();
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
fn gtp_lists_games_as_others_name_them_and_lets_both_pass_in_the_end() {
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
fn ugi_gives_no_answer_to_half_a_position() {
    let said = ugi_says(
        "tictactoe",
        "minimax",
        "position startpos moves 5 5\ngo nodes 10\nquery p1turn\n\
         position startpos moves 5\nquery p1turn\ngo nodes 10\n",
    );
    let plain = |line: &&str| !line.starts_with("info");
    let lines: Vec<&str> = said.lines().filter(plain).collect();
    assert_eq!(
        lines[..3],
        ["bestmove none", "response none", "response false"]
    );
    assert_eq!(lines[3], "bestmove 1");
}

#[test]
fn nboard_follows_a_game_and_answers_in_order() {
    let said = nboard_says(
        "minimax(depth=1)",
        "nboard 2\nset depth 3\nset contempt 10\nset game (;GM[Othello]PB[a]PW[b]TY[8]\
         BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
         B[f5//1.5]W[f6/0.5];)\nping 1\ngo\nping 2\nmove E6/1.00/0.5\nmove A1\nmove QQ\nping 3\n\
         go\nwhat is this\nlearn\nhint 2\nquit\nping 4\n",
    );
    let version = env!("CARGO_PKG_VERSION");
    assert!(said.starts_with(&format!("set myname papan {version}\npong 1\n")));
    // After f5 f6 Black has e6 and f7 among others; after f5 f6 e6 it is White's turn.
    let chosen: Vec<&str> = said.lines().filter(|l| l.starts_with("=== ")).collect();
    let word = |line: &str| line[4..].split('/').next().unwrap().to_owned();
    let game: papan_catalog::AnyGame = "othello".parse().unwrap();
    for (line, moves) in chosen.iter().zip(["f5 f6", "f5 f6 e6"]) {
        let mut there = game.line();
        there.extend(moves).unwrap();
        assert!(there.extend(&word(line)).is_ok(), "{line} after {moves}");
    }
    assert_eq!(chosen.len(), 2, "{said}");
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(place("=== ") < place("pong 2") && place("pong 2") < place("pong 3"));
    assert!(place("`a1`") < place("pong 3") && place("`QQ` is no move") < place("pong 3"));
    assert!(place("pong 3") < place("learned") && place("learned") < place("search "));
    assert!(!said.contains("pong 4"));
}

#[test]
fn gtp_loads_games_and_shows_what_every_move_is_worth() {
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
    // As Quarry 0.2.0 says it: to make itself acquainted, and for a game at two seconds a move.
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
fn gogui_learns_the_rules_of_othello() {
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
    // Row 1 is the last line: Black has e4 and d5, which the moves confirm.
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
fn gogui_learns_when_a_game_is_over_and_what_no_flat_board_has() {
    let won = "play b a1\nplay w a2\nplay b b1\nplay w b2\nplay b c1\n";
    let rules = "gogui-rules_legal_moves\ngogui-rules_final_result\ngogui-rules_board\n";
    let said = gtp_says("tictactoe", "random", &format!("{won}{rules}"));
    let answers: Vec<&str> = said.split_terminator("\n\n").skip(5).collect();
    assert_eq!(answers, ["= ", "= Black wins", "= . . .\nO O .\nX X X"]);
    let size = "gogui-rules_board_size\n";
    let says = |game| gtp_says(game, "random", size);
    assert_eq!(says("tictactoe:3x4"), "= 4 3\n\n");
    assert_eq!(says("tictactoe:3x3x3"), "? the board is not flat\n\n");
}

#[test]
fn nboard_says_what_every_position_of_a_game_was_worth_to_black() {
    let said = nboard_says(
        "minimax(depth=1)",
        "nboard 2\nset depth 2\nset game (;GM[Othello]PB[a]PW[b]TY[8]\
         BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
         B[f5]W[d6]B[c3];)\nping 1\nanalyze\nmove D3\ngo\n",
    );
    let analysed = |said: &str| -> Vec<String> {
        let lines = said.lines();
        let lines = lines.filter_map(|line| line.strip_prefix("analysis "));
        lines.map(Into::into).collect()
    };
    let plies: Vec<String> = analysed(&said);
    let plies: Vec<&str> = plies
        .iter()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(plies, ["3", "2", "1", "0"], "{said}");
    // The game still stands where it stood: White's d3 is a move there.
    assert!(!said.contains("`d3`") && said.contains("=== "), "{said}");
    // One square is left, and whoever takes it takes all.
    for (mover, other, colour, sign) in [('*', 'O', 'B', ""), ('O', '*', 'W', "-")] {
        let full = mover.to_string().repeat(8);
        let first = format!("-{other}{}", &full[..6]);
        let rows = format!("{first} {}", vec![full; 7].join(" "));
        let said = nboard_says(
            "minimax(depth=1)",
            &format!(
                "set game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 {rows} {mover}]{colour}[a1];)\nanalyze\n"
            ),
        );
        let expected = [format!("1 {sign}64.00"), format!("0 {sign}64.00")];
        assert_eq!(analysed(&said), expected, "{said}");
    }
    let stopped = nboard_says("mcts(playouts=100000000)", "analyze\nping 7\n");
    assert!(
        analysed(&stopped).is_empty() && stopped.ends_with("pong 7\n"),
        "{stopped}"
    );
}

#[test]
fn nboard_stops_thinking_when_it_is_pinged_and_refuses_other_games() {
    // A hundred million playouts, if nobody stopped them.
    let said = nboard_says(
        "mcts(playouts=100000000)",
        "set depth 60\nset game (;GM[4]SZ[15];B[hh])\nhint 3\nping 1\nset game (;GM[Othello]\nping 2\n",
    );
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(place("it is one of tictactoe:15x15:5") < place("status thinking"));
    assert!(place("status thinking") < place("pong 1"));
    assert!(said.matches("cannot be read").count() == 2, "{said}");
}

#[test]
fn piskvork_declines_rules_that_it_does_not_play() {
    let said = piskvork_says(
        "greedy",
        "START 15\r\nINFO rule 1\r\nBEGIN\r\nSWAP2BOARD\r\nINFO rule 0\r\nBEGIN\r\n",
    );
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "OK");
    for line in &lines[1..3] {
        assert!(line.starts_with("ERROR rule 1 is not supported"), "{line}");
    }
    assert!(lines[3].starts_with("UNKNOWN"), "{}", lines[3]);
    assert_eq!(lines[4].split(',').count(), 2, "a move");
}

#[test]
fn ugi_offers_the_levels_of_the_computer() {
    let said = ugi_says(
        "tictactoe",
        "minimax",
        "ugi\nsetoption name Level value 6\nposition fen XX-OO---- X\ngo\n\
         setoption name Level value 11\nugi\nquit\n",
    );
    let has = |text: &str| assert!(said.contains(text), "{text}: {said}");
    has("option name Level type spin default 10 min 0 max 10");
    has("bestmove 3");
    has("`11` is no level from 0 to 10");
    has("papan 0.1.0 computer(level=6)");
}

#[test]
fn ugi_follows_a_position_and_answers_queries() {
    let said = ugi_says(
        "tictactoe",
        "minimax",
        "isready\nposition startpos moves 5\nquery p1turn\ngo\nposition startpos moves 1 4 2 5 3\n\
         query gameover\nquery result\nposition fen XX-OO---- X\ngo nodes 100000\n\
         position startpos moves 1 1\nsetoption name Strategy value nobody\nquit\nisready\n",
    );
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.starts_with("info nodes"))
        .collect();
    let lines: Vec<&str> = lines
        .into_iter()
        .filter(|line| !line.starts_with("info depth"))
        .collect();
    assert_eq!(
        lines[..6],
        [
            "readyok",
            "response false",
            "bestmove 1",
            "response true",
            "response p1win",
            "bestmove 3"
        ]
    );
    assert!(lines[6].starts_with("info string move `1`"), "{}", lines[6]);
    assert!(
        lines[7].contains("there is no strategy `nobody`"),
        "{}",
        lines[7]
    );
    assert_eq!(lines.len(), 8, "nothing after quit");
}

#[test]
fn ugi_thinks_until_it_is_stopped() {
    let said = ugi_says(
        "tictactoe",
        "greedy",
        "go infinite\nisready\nstop\nquery p1turn\n",
    );
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.starts_with("info"))
        .collect();
    assert_eq!(lines, ["readyok", "bestmove 1", "response true"]);
}

#[test]
fn ugi_thinks_on_the_others_time_until_the_move_is_made_or_it_is_stopped() {
    let plain = |said: &str| -> Vec<String> {
        let lines = said.lines().filter(|line| !line.starts_with("info"));
        lines.map(Into::into).collect()
    };
    let position = "setoption name Ponder value true\nposition startpos moves 5\n";
    for end in ["ponderhit", "stop"] {
        // A hundred million playouts, if nobody stopped them.
        let said = ugi_says(
            "tictactoe",
            "mcts(playouts=100000000)",
            &format!("{position}go ponder nodes 100\nisready\n{end}\nquery p1turn\n"),
        );
        let lines = plain(&said);
        assert_eq!(
            (lines.len(), lines[0].as_str()),
            (3, "readyok"),
            "{end}: {said}"
        );
        assert!(lines[1].starts_with("bestmove "), "{end}: {said}");
        assert_eq!(lines[2], "response false");
    }
    // A strategy that tells how it expects play to go on says which answer it expects.
    let expects = |ponder: &str| {
        let go = "position startpos moves f5\ngo nodes 20000\n";
        let option = format!("setoption name Ponder value {ponder}\n");
        let said = ugi_says("othello", "engine(hash=1)", &format!("{option}{go}"));
        plain(&said).pop().unwrap().contains(" ponder ")
    };
    assert!(expects("true") && !expects("false"));
    let said = ugi_says(
        "tictactoe",
        "greedy",
        "ponderhit\nsetoption name Ponder value 1\n",
    );
    assert_eq!(said, "info string `1` is neither true nor false\n");
}

#[test]
fn piskvork_starts_plays_and_takes_back() {
    let said = piskvork_says(
        "greedy",
        "START 15\r\nTURN 7,7\r\nTAKEBACK 0,0\r\nRESTART\r\nBEGIN\r\nBEGIN\r\nSTART 3\r\nSTART 99\r\n\
         RECTSTART 20,10\r\nTURN 19,9\r\nTURN 9,19\r\nBOARD\r\n0,0,2\r\nDONE\r\nBOARD\r\n0,0,1\r\nDONE\r\n\
         INFO rule 4\r\nDONE\r\n5,5,1\r\nSWIM\r\nABOUT\r\nEND\r\nABOUT\r\n",
    );
    let lines: Vec<&str> = said.split("\r\n").collect();
    assert_eq!(lines[0], "OK");
    let cell = |line: &str| -> (usize, usize) {
        let (x, y) = line.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    let answer = cell(lines[1]);
    assert!(answer != (7, 7) && answer.0 < 15 && answer.1 < 15);
    assert_eq!(
        lines[2],
        if answer == (0, 0) {
            "OK"
        } else {
            "ERROR only the last stone can be taken back"
        }
    );
    assert_eq!(lines[3], "OK");
    cell(lines[4]);
    assert_eq!(lines[5], "ERROR the game has begun already");
    assert!(lines[6].starts_with("ERROR unsupported size"));
    assert!(lines[7].starts_with("ERROR unsupported size"));
    assert_eq!(lines[8], "OK");
    let answer = cell(lines[9]);
    assert!(answer.0 < 20 && answer.1 < 10);
    assert_eq!(lines[10], "ERROR not on the board");
    assert_ne!(cell(lines[11]), (0, 0));
    assert_eq!(lines[12], "ERROR it is not the turn of 1");
    assert!(lines[13].starts_with("ERROR rule 4 is not supported"));
    assert_eq!(lines[14], "ERROR DONE without BOARD");
    assert_eq!(lines[15], "ERROR a stone outside BOARD");
    assert_eq!(lines[16], "UNKNOWN SWIM");
    assert!(lines[17].starts_with("name=\"papan greedy\""));
    assert_eq!(lines.len(), 19, "nothing after END");
}

/// Words of the protocols, so that chance gets beyond the first word.
const WORDS: [&str; 53] = [
    "play",
    "genmove",
    "b",
    "w",
    "black",
    "a1",
    "b2",
    "z9",
    "pass",
    "undo",
    "boardsize",
    "3",
    "5",
    "8",
    "clear_board",
    "set_game",
    "othello",
    "tictactoe:4x4",
    "time_left",
    "time_settings",
    "0",
    "-1",
    "papan-level",
    "papan-limits",
    "nodes",
    "99999999999999999999",
    "position",
    "startpos",
    "fen",
    "moves",
    "query",
    "result",
    "setoption",
    "name",
    "value",
    "Game",
    "BOARD",
    "DONE",
    "1,1,2",
    "TURN 3,3",
    "START",
    "nboard",
    "set",
    "game",
    "(;GM[Othello]B[f5];)",
    "(;GM[Othello]BO[",
    "depth",
    "hint",
    "ping",
    "move",
    "F5/0/0",
    "PA",
    "learn",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn nothing_that_is_typed_makes_it_panic(
        words in proptest::collection::vec(prop_oneof![
            8 => (0..WORDS.len()).prop_map(|i| WORDS[i].to_owned()),
            1 => any::<String>(),
        ], 0..60),
        breaks in proptest::collection::vec(any::<bool>(), 60),
    ) {
        let mut text = String::new();
        for (word, line_break) in words.iter().zip(breaks) {
            text += word;
            text.push(if line_break { '\n' } else { ' ' });
        }
        gtp_says("tictactoe", "random", &text);
        ugi_says("tictactoe", "random", &text);
        piskvork_says("random", &text);
        nboard_says("random", &text);
    }
}
