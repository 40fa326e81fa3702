//! Tournaments whose games begin with a swap opening.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use papan_arena::results::{Memory, Results as _};
use papan_arena::{ArenaError, Format, GameResult, RunOptions, Schedule, Tournament, run};
use papan_protocol::ForfeitKind;
use papan_rules::{Outcome, SwapRule, SwapStep};
use papan_strategies::Limits;

fn tournament(players: &[&str], rule: SwapRule) -> Tournament {
    Tournament {
        game: "gomoku:9x9".parse().unwrap(),
        entrants: players.iter().map(|p| p.parse().unwrap()).collect(),
        format: Format::RoundRobin,
        games: 6,
        openings: vec![Vec::new()],
        limits: Limits::default(),
        margin: Duration::ZERO,
        patience: Duration::from_secs(60),
        seed: 1,
        timed: false,
        swap: Some(rule),
        adjudication: Default::default(),
    }
}

fn play(tournament: &Tournament) -> Result<(Vec<GameResult>, [u64; 2]), ArenaError> {
    let mut store = Memory::default();
    let settings = RunOptions {
        concurrency: 1,
        sprt: None,
        observer: &mut |_| {},
        live_games: None,
        stop: papan_strategies::StopToken::default(),
    };
    let scoreboard = run(tournament, &mut store, settings)?;
    let mut games = Vec::new();
    store.replay(&mut |record| games.push(GameResult::decode(record).unwrap()))?;
    games.sort_by_key(|game| game.game);
    let score = scoreboard.standings().between(0, 1).unwrap();
    Ok((games, [score.wins, score.losses]))
}

#[test]
fn the_players_make_the_openings_and_wins_count_for_the_players_not_the_seats() {
    for rule in SwapRule::ALL {
        let plan = tournament(&["engine@nodes=3000", "random"], rule);
        let (games, wins) = play(&plan).unwrap();
        let schedule = Schedule::new(&plan);
        let mut exchanges = 0;
        for game in &games {
            let opening = game.opening.unwrap();
            assert_eq!(opening.rule(), rule);
            assert_eq!(opening.check(game.moves.len()), Ok(()));
            assert_eq!(opening.step(game.moves.len()), SwapStep::Over);
            let planned = schedule.game(game.game).unwrap();
            let seats = game.seats(&planned);
            exchanges += usize::from(seats != planned.seats);
            assert_eq!(seats != planned.seats, opening.exchanged());
            let counted: u64 = game.costs.iter().map(|cost| cost.moves).sum();
            assert_eq!(counted, game.moves.len() as u64);
            if let Outcome::Win(winner) = game.outcome {
                assert_eq!(seats[winner.index()], 0, "the engine beats random");
            }
        }
        assert!(exchanges > 0, "{rule}: some players take Black");
        assert_eq!(wins, [6, 0], "{rule}");
        assert_eq!(play(&plan).unwrap().0, games, "a plan is repeatable");
    }
}

#[test]
fn only_piskvork_engines_know_swap2_and_their_stones_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let brain = |stones: &str| {
        let path = folder.path().join(format!("brain{}", stones.len()));
        let script = format!(
            "#!/bin/sh\nwhile read -r command rest; do\n case $command in\n  START*|RESTART*) echo OK;;\n  \
             ABOUT*) echo 'name=\"b\", version=\"1\"';;\n  DONE*) echo '{stones}';;\n  END*) exit;;\n esac\ndone\n"
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        format!("piskvork:{}", path.display())
    };
    for (stones, kind) in [
        ("1,1 1,1 2,2", ForfeitKind::Illegal),
        ("1,1 99,1 2,2", ForfeitKind::Illegal),
        ("1,1 2,2", ForfeitKind::Protocol),
        ("SWAP", ForfeitKind::Protocol),
    ] {
        let mut plan = tournament(&[&brain(stones), "random"], SwapRule::Swap2);
        plan.games = 2;
        let (games, _) = play(&plan).unwrap();
        let forfeit = games[0].forfeit.as_ref().unwrap();
        assert_eq!(forfeit.kind, kind, "{stones}: {forfeit}");
        assert_eq!(games[0].outcome, Outcome::Win(papan_rules::Player::Second));
    }
    let refused = |player: &str, rule| {
        let error = play(&tournament(&[player, "random"], rule)).unwrap_err();
        error.to_string()
    };
    let error = refused(&brain("SWAP"), SwapRule::Swap);
    assert!(error.contains("has no opening rule swap;"), "{error}");
}
