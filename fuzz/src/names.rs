//! Fuzz targets for command-line syntax: games, players, moves, positions, times.

use std::sync::LazyLock;

use papan_arena::Entrant;
use papan_arena::statistics::Sprt;
use papan_catalog::{AnyGame, PlayerSpec, split_players};
use papan_protocol::limits;
use papan_view::Setup;

use crate::{Target, text, texts};

/// Games in which moves and positions are parsed: one of each kind.
static BOARDS: LazyLock<Vec<AnyGame>> = LazyLock::new(|| {
    let names = [
        "tictactoe",
        "tictactoe:15x15:5",
        "tictactoe:3x3x3",
        "othello",
    ];
    names
        .map(|name| name.parse().expect("a valid game name"))
        .into()
});

pub(crate) const GAMES: Target = Target {
    name: "games",
    seeds: || {
        texts(&[
            "tictactoe",
            "tictactoe:7x7:5",
            "tictactoe:3x3x3x3:3",
            "othello:6x6",
        ])
    },
    run: |bytes| {
        if let Ok(game) = text(bytes).parse::<AnyGame>() {
            let again: AnyGame = game.name().parse().expect("a formatted name is valid");
            assert_eq!(again.name(), game.name());
            assert_eq!(again.cells(), game.cells());
        }
    },
    cases: 400,
};

pub(crate) const PLAYERS: Target = Target {
    name: "players",
    seeds: || {
        texts(&[
            "alphabeta(depth=6)",
            "mcts(playouts=100,seed=7)",
            "greedy(formula=-p+l,ties=reply)",
            "automaton(file=a,b.txt),human",
            "engine(nodes=1000)@time=5m+3s",
            "gtp:some engine @ nodes=7",
            "automaton(file=a@b)@time=1s",
        ])
    },
    run: |bytes| {
        let text = text(bytes);
        let parts = split_players(&text);
        assert!(parts.iter().all(|part| text.contains(part)));
        for part in parts {
            if let Ok(player) = part.parse::<PlayerSpec>() {
                let again = player.to_string().parse::<PlayerSpec>();
                assert_eq!(
                    again.as_ref().map(ToString::to_string),
                    Ok(player.to_string())
                );
            }
            if let Ok(entrant) = part.parse::<Entrant>() {
                let again: Entrant =
                    (entrant.to_string().parse()).expect("a formatted player is valid");
                assert_eq!(again.to_string(), entrant.to_string());
            }
        }
    },
    cases: 4000,
};

pub(crate) const MOVES: Target = Target {
    name: "moves",
    seeds: || texts(&["5 1 9 2", "f5d6c3d3c4", "h8, 7 200", "pass"]),
    run: |bytes| {
        let text = text(bytes);
        for game in BOARDS.iter() {
            if let Ok(mv) = game.parse_move(&text) {
                assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv));
            }
            let mut line = game.line();
            if line.extend(&text).is_ok() {
                let mut again = game.line();
                again
                    .extend(&line.text())
                    .expect("a formatted line is valid");
                assert_eq!(again.moves(), line.moves());
            }
        }
    },
    cases: 2000,
};

pub(crate) const POSITIONS: Target = Target {
    name: "positions",
    seeds: || {
        let mut othello = BOARDS[3].line();
        othello.extend("f5d6c3d3c4").expect("a legal line");
        let mut seeds = texts(&["X--/-O-/--X O", "XOX------------------------ O"]);
        seeds.push(othello.position_text().into_bytes());
        seeds
    },
    run: |bytes| {
        let text = text(bytes);
        for game in BOARDS.iter() {
            let Ok(setup) = Setup::parse(game, &text) else {
                continue;
            };
            let again = Setup::parse(game, &setup.to_string()).expect("a formatted setup is valid");
            assert_eq!(again.to_string(), setup.to_string());
            if let Ok(line) = setup.line(game) {
                let text = line.position_text();
                let again = game
                    .line_from(&text)
                    .expect("a formatted position is valid");
                assert_eq!(again.position_text(), text);
            }
        }
    },
    cases: 2000,
};

pub(crate) const TIMES: Target = Target {
    name: "times",
    seeds: || {
        texts(&[
            "time=5m+3s",
            "time=1m30s nodes=5",
            "time=50ms;depth=3",
            "time=44400000703947157m",
            "0,5,0.05,0.05",
        ])
    },
    run: |bytes| {
        let text = text(bytes);
        if let Ok(found) = limits::parse(&text) {
            let again = limits::parse(&limits::format(&found));
            assert_eq!(again, Ok(found));
        }
        if let Ok(test) = text.parse::<Sprt>() {
            let again = test.to_string().parse::<Sprt>();
            assert_eq!(again.map(|t| t.to_string()), Ok(test.to_string()));
        }
    },
    cases: 10_000,
};
