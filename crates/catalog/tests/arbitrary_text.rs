//! Property tests of the parsers: no text panics, and parsed values survive formatting.

use papan_catalog::{AnyGame, PlayerSpec, split_players};
use papan_rules::Record;
use papan_strategies::TransitionTable;
use proptest::prelude::*;

/// Text that is likely to be nearly right.
fn nearly(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => proptest::sample::select(words).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => any::<u32>().prop_map(|n| n.to_string()),
    ];
    proptest::collection::vec(word, 0..8).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn game_names(text in nearly(&["tictactoe", "othello", ":", "x", "3", "4", "8x8", "×", " "])) {
        if let Ok(game) = text.parse::<AnyGame>() {
            prop_assert_eq!(game.name().parse::<AnyGame>().unwrap().name(), game.name());
        }
    }

    #[test]
    fn players(text in nearly(&["alphabeta", "mcts", "(", ")", "depth", "=", ",", "3", " ", "file"])) {
        if let Ok(player) = text.parse::<PlayerSpec>() {
            prop_assert_eq!(player.to_string().parse::<PlayerSpec>().unwrap(), player);
        }
        prop_assert!(!split_players(&text).is_empty());
    }

    #[test]
    fn moves_and_positions(
        text in nearly(&["f5", "56", "pass", "X", "O", "-", "/", " ", ",", "9", "a1", "XO-XO-XO- X"]),
        name in proptest::sample::select(&["tictactoe", "tictactoe:3x3x3", "othello", "othello:4x4"][..]),
    ) {
        let game: AnyGame = name.parse().unwrap();
        if let Ok(mv) = game.parse_move(&text) {
            prop_assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv));
        }
        let _ = game.line().extend(&text);
        if let Ok(line) = game.line_from(&text) {
            let written = line.position_text();
            prop_assert_eq!(game.line_from(&written).unwrap().position_text(), written);
        }
    }

    #[test]
    fn records(text in nearly(&["papan record 1\n", "game: tictactoe\n", "first: a\n", "second: b\n",
                                 "moves: 1 2\n", "result: unfinished\n", "result: draw (time)\n", "start: ", "\n"])) {
        if let Ok(record) = Record::parse(&text) {
            let _ = record.line(&papan_rules::tictactoe());
            prop_assert_eq!(Record::parse(&record.to_string()).unwrap(), record);
        }
    }

    #[test]
    fn tables(text in nearly(&["-o--------|2|7\n", "w", "ox-", "|", "9", "\r\n", "#", "-"])) {
        if let Ok(table) = TransitionTable::parse(&text) {
            let written: Vec<String> = table.rows().iter().map(|(_, row)| row.to_string()).collect();
            let again = TransitionTable::parse(&written.join("\n")).unwrap();
            prop_assert_eq!(again.rows().len(), table.rows().len());
        }
    }
}
