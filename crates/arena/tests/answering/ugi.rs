//! The Universal Game Interface.

use papan_arena::protocol::ugi;

use crate::responder;

pub(crate) fn ugi_says(game: &str, strategy: &str, input: &str) -> String {
    let mut output = Vec::new();
    let input = std::io::Cursor::new(input.to_owned());
    ugi::answer(&mut responder(game, strategy), input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
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
