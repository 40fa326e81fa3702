//! The engine in play: tactics that it must not miss, checked with the rules alone.

use std::time::Duration;

use papan_mnk::{GridEngine, GridEngineOptions};
use papan_rules::{
    Bits, Game, Gomoku, GomokuPosition, GomokuRule, Grid, Line, Move, Notation as _, Outcome,
    Player, SplitMix, Wide,
};
use papan_strategies::{Context, Limits, ManualClock, Strategy, Turn, Value};

fn engine(grid: &Grid<Wide>, nodes: u64) -> GridEngine {
    let options = GridEngineOptions {
        nodes: Some(nodes),
        hash_mib: 1,
        ..GridEngineOptions::default()
    };
    GridEngine::new(grid, options)
}

fn answer(grid: &Grid<Wide>, line: &Line<Grid<Wide>>) -> Move {
    let mut choices = Vec::new();
    let context = Context::default();
    let chosen = engine(grid, 20_000).choose(Turn::new(grid, line, &context), &mut choices);
    chosen.expect("a move").0
}

fn board() -> Grid<Wide> {
    Grid::new(&[15, 15], 5).expect("a board")
}

/// Returns whether the player to move can make a double four.
fn can_make_two_fours(grid: &Grid<Wide>, line: &Line<Grid<Wide>>, player: Player) -> bool {
    grid.legal_moves(line.position()).any(|mv| {
        let next = grid.after(line.position(), mv);
        grid.completing_cells(&next, player).count() > 1
    })
}

#[test]
fn a_four_is_completed() {
    let grid = board();
    let line = Line::parse(&grid, "113 1 114 3 115 5 116 7").expect("a line");
    let mv = answer(&grid, &line);
    let mut next = *line.position();
    grid.play(&mut next, mv).expect("legal");
    assert_eq!(grid.outcome(&next), Some(Outcome::Win(Player::First)));
}

#[test]
fn a_four_is_blocked() {
    let grid = board();
    let line = Line::parse(&grid, "113 112 114 3 115 50 116").expect("a line");
    assert_eq!(answer(&grid, &line), Move::on(116));
}

#[test]
fn an_open_three_is_blocked() {
    let grid = board();
    for moves in ["113 1 114 3 115", "113 1 129 3 145", "113 1 128 3 143 20 9"] {
        let mut line = Line::parse(&grid, moves).expect("a line");
        assert!(line.ply() % 2 == 1, "second to move");
        let mv = answer(&grid, &line);
        line.play(&grid, mv).expect("legal");
        assert!(
            !can_make_two_fours(&grid, &line, Player::First),
            "{moves}: {mv:?}"
        );
    }
}

#[test]
fn a_win_by_threats_is_played_to_the_end_against_any_defence() {
    // Two crossing open twos: the first player wins by force.
    let grid = board();
    let mut seed = 7_u64;
    for _ in 0..4 {
        let mut line = Line::parse(&grid, "113 1 114 15 128 211 129 225").expect("a line");
        let decided = engine(&grid, 60_000).decide(Turn::new(&grid, &line, &Context::default()));
        let chosen = decided.expect("a decision");
        let score = chosen.chosen().and_then(|c| c.score).expect("a score");
        assert_eq!(score.value(), 1.0, "{chosen:?}");
        while grid.outcome(line.position()).is_none() {
            let mv = if line.ply().is_multiple_of(2) {
                answer(&grid, &line)
            } else {
                // Block a four, else play at random.
                let stop = grid
                    .completing_cells(line.position(), Player::First)
                    .first();
                let moves: Vec<Move> = grid.legal_moves(line.position()).collect();
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                stop.map_or(moves[(seed >> 33) as usize % moves.len()], Move::on)
            };
            line.play(&grid, mv).expect("legal");
        }
        let outcome = grid.outcome(line.position());
        assert_eq!(outcome, Some(Outcome::Win(Player::First)));
        assert!(line.ply() < 40, "{} plies", line.ply());
    }
}

#[test]
fn boards_of_every_shape_are_played_to_the_end() {
    for (sides, length) in [
        (&[4, 4, 4][..], 4),
        (&[1, 5], 2),
        (&[7, 7], 5),
        (&[2, 3, 3, 2], 3),
    ] {
        let grid = Grid::<Wide>::new(sides, length).expect("a board");
        let mut line = Line::new(&grid);
        let mut choices = Vec::new();
        let mut player = engine(&grid, 300);
        while grid.outcome(line.position()).is_none() {
            let context = Context::default();
            let chosen = player.choose(Turn::new(&grid, &line, &context), &mut choices);
            line.play(&grid, chosen.expect("a move").0).expect("legal");
        }
        assert!(line.ply() >= length, "{sides:?}");
    }
}

#[test]
fn every_rule_of_gomoku_is_played_legally_and_wins_against_random_moves() {
    for rule in GomokuRule::ALL {
        for me in Player::BOTH {
            let game = Gomoku::new(11, rule).expect("a board");
            let options = GridEngineOptions {
                nodes: Some(300),
                hash_mib: 1,
                ..GridEngineOptions::default()
            };
            let mut engine = GridEngine::at_gomoku(&game, options);
            let mut random = SplitMix::new(5);
            let mut line = Line::new(&game);
            while game.outcome(line.position()).is_none() {
                let mv = if game.turn(line.position()) == me {
                    let context = Context::default();
                    let decision = engine.decide(Turn::new(&game, &line, &context));
                    decision.expect("a move").best
                } else {
                    let moves: Vec<Move> = game.legal_moves(line.position()).collect();
                    moves[random.below(moves.len())]
                };
                line.play(&game, mv).expect("a legal move");
            }
            let outcome = game.outcome(line.position());
            assert_eq!(outcome, Some(Outcome::Win(me)), "{rule:?}");
        }
    }
}

/// The plies of the shortest win of the player to move, from plain minimax; `None` if there is none.
fn shortest_win(grid: &Grid<Wide>, position: &<Grid<Wide> as Game>::Position) -> Option<u32> {
    fn value(grid: &Grid<Wide>, position: &<Grid<Wide> as Game>::Position) -> (i32, i32) {
        if let Some(outcome) = grid.outcome(position) {
            return (outcome.value_for(grid.turn(position)), 0);
        }
        let replies = grid.legal_moves(position).map(|mv| {
            let (value, plies) = value(grid, &grid.after(position, mv));
            (-value, -plies + value.signum())
        });
        replies.max().expect("a move")
    }
    let (value, plies) = value(grid, position);
    (value > 0).then(|| plies.unsigned_abs())
}

#[test]
fn a_searched_win_takes_as_many_plies_as_it_says() {
    let grid = Grid::new(&[3, 3], 3).expect("a board");
    let mut found = 0;
    for moves in [
        "1 2 5 9",
        "1 2 3 4",
        "1 2 5 3",
        "5 2 1 3",
        "1 4 3 8",
        "1 5 9 3 7",
    ] {
        let line = Line::parse(&grid, moves).expect("a line");
        let context = Context::default();
        let decision = engine(&grid, 20_000).decide(Turn::new(&grid, &line, &context));
        for candidate in decision.expect("a decision").candidates {
            let Some(score) = candidate.score.filter(|s| s.proven() == Some(1)) else {
                continue;
            };
            let plies = score.plies().expect("a win has a length");
            let next = grid.after(line.position(), candidate.mv);
            let won = grid.outcome(&next).is_some();
            // The replies of the opponent; the longest line of the shortest wins.
            let expected = if won {
                1
            } else {
                let replies = grid.legal_moves(&next).map(|reply| {
                    let after = grid.after(&next, reply);
                    shortest_win(&grid, &after).expect("the win is forced")
                });
                2 + replies.max().expect("a reply")
            };
            assert_eq!(plies, expected, "{moves}: {candidate:?}");
            let wins = candidate.terms.iter().find(|term| term.name == "wins");
            let wins = &wins.expect("the term").value;
            assert_eq!(*wins, Value::Number(1), "{moves}: {candidate:?}");
            found += 1;
        }
    }
    assert!(found > 8, "{found}");
}

#[test]
fn a_time_limit_leaves_time_to_search_the_other_moves() {
    let game = Gomoku::new(15, GomokuRule::Freestyle).expect("a board");
    let line = Line::parse(&game, "h8 i9 j10").expect("a line");
    let mut engine = GridEngine::at_gomoku(&game, GridEngineOptions::default());
    // Every reading of the clock takes a part of the time, so that the limit is a number of nodes.
    let clock = ManualClock::stepping(Duration::from_micros(50));
    let limits = Limits {
        time: Some(Duration::from_millis(300)),
        ..Limits::default()
    };
    let context = Context::default().limited(limits, &clock);
    let decision = engine.decide(Turn::new(&game, &line, &context));
    let lines = decision.expect("a decision").candidates;
    for candidate in &lines[..3] {
        assert!(candidate.pv.len() > 2, "{candidate:?}");
    }
}

fn engine_of(game: &Gomoku, nodes: u64, threads: usize) -> GridEngine {
    let options = GridEngineOptions {
        nodes: Some(nodes),
        hash_mib: 1,
        threads,
        ..GridEngineOptions::default()
    };
    GridEngine::at_gomoku(game, options)
}

#[test]
fn a_lost_position_is_defended_as_long_as_possible() {
    // Two open threes: White has one four, which delays the loss by two plies, and loses at once after
    // anything else.
    for rule in GomokuRule::ALL {
        let game = Gomoku::new(15, rule).expect("a board");
        let moves = "h8 a15 i8 b15 j8 c15 d3 o1 e3 o4 f3";
        let mut line = Line::parse(&game, moves).expect("a line");
        let before = line.ply();
        while game.outcome(line.position()).is_none() {
            let mut engine = engine_of(&game, 20_000, 1);
            let context = Context::default();
            let (mv, _) = engine
                .best_at_gomoku(&game, line.position(), &context)
                .expect("a move");
            if line.ply() == before {
                let fours = ["d15", "e15"].map(|text| game.parse_move(text).expect("a cell"));
                assert!(fours.contains(&mv), "{rule:?}: {}", game.format_move(mv));
            }
            line.play(&game, mv).expect("legal");
        }
        assert_eq!(
            game.outcome(line.position()),
            Some(Outcome::Win(Player::First))
        );
        assert_eq!(line.ply() - before, 6, "{rule:?}: {}", line.text(&game));
    }
}

#[test]
fn several_threads_see_the_same_threats_under_every_rule() {
    for rule in GomokuRule::ALL {
        let game = Gomoku::new(15, rule).expect("a board");
        for threads in [1, 3] {
            for moves in ["h8 a1 i8 c1 j8", "h8 a1 i9 a3 j10", "h8 a1 h9 c1 h11"] {
                let line = Line::parse(&game, moves).expect("a line");
                let mut engine = engine_of(&game, 6_000, threads);
                let context = Context::default();
                let (mv, _) = engine
                    .best_at_gomoku(&game, line.position(), &context)
                    .expect("a move");
                // Black has no four that White cannot stop. At caro a stone that makes both ends of a five
                // White's stops two of them.
                let after = game.after(line.position(), mv);
                let has_five =
                    |pos: &GomokuPosition| !game.completing_cells(pos, Player::First).is_empty();
                let wins = |four: Move| {
                    let next = game.after(&after, four);
                    has_five(&next)
                        && game
                            .legal_moves(&next)
                            .all(|reply| has_five(&game.after(&next, reply)))
                };
                assert!(
                    !game.legal_moves(&after).any(wins),
                    "{rule:?}, {threads} threads, {moves}: {}",
                    game.format_move(mv)
                );
            }
        }
    }
}
