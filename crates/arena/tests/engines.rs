//! Misbehaving engines: each forfeits with the right reason, is restarted, and does not
//! affect other games.
// Engines are shell scripts.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use papan_arena::GameResult;
use papan_arena::results::{Memory, Results as _};
use papan_arena::{ArenaError, Format, RunOptions, Schedule, Tournament, run};
use papan_protocol::ForfeitKind;
use papan_rules::Player;
use papan_strategies::{Limits, StopToken};

/// A GTP engine that answers everything properly until it is asked for a move.
const SCRIPT: &str = r#"#!/bin/sh
while read -r command colour vertex; do
  case $command in
    list_commands) printf '= name\nplay\ngenmove\nclear_board\nquit\n\n' ;;
    genmove)
      case $1 in
        crash) exit 3 ;;
        hang) sleep 1000 ;;
        nonsense) printf '= z9\n\n' ;;
        occupied) printf '= a1\n\n' ;;
        long) head -c 200000 /dev/zero | tr '\0' x ;;
        endless) yes 'thinking' ;;
        binary) head -c 5000 /dev/urandom | tr -d '=?'; sleep 1000 ;;
        refuse) printf '? no idea\n\n' ;;
        resign) printf '= resign\n\n' ;;
        many) printf '= '; yes 'a1' ;;
        deaf) printf '= b2\n\n'; exec sleep 1000 ;;
      esac ;;
    quit) printf '= \n\n'; exit ;;
    *) printf '= \n\n' ;;
  esac
done
"#;

fn script(folder: &Path) -> String {
    let path = folder.join("engine.sh");
    fs::write(&path, SCRIPT).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn tournament(players: &[&str], games: u64) -> Tournament {
    Tournament {
        game: "tictactoe".parse().unwrap(),
        entrants: players.iter().map(|p| p.parse().unwrap()).collect(),
        format: Format::RoundRobin,
        games,
        openings: vec![Vec::new()],
        limits: Limits::default(),
        margin: Duration::ZERO,
        patience: Duration::from_secs(600),
        seed: 1,
        timed: false,
        swap: None,
        adjudication: Default::default(),
    }
}

fn play(tournament: &Tournament) -> Result<Vec<GameResult>, ArenaError> {
    let mut store = Memory::default();
    let settings = RunOptions {
        concurrency: 2,
        sprt: None,
        observer: &mut |_| {},
        live_games: None,
        stop: StopToken::default(),
    };
    run(tournament, &mut store, settings)?;
    let mut games = Vec::new();
    store.replay(&mut |record| games.push(GameResult::decode(record).unwrap()))?;
    games.sort_by_key(|game| game.game);
    Ok(games)
}

#[test]
fn every_misbehaviour_has_its_forfeit() {
    let folder = tempfile::tempdir().unwrap();
    let script = script(folder.path());
    for (behaviour, kind, words) in [
        ("crash", ForfeitKind::Crash, "exit status: 3"),
        ("hang", ForfeitKind::Hang, "no answer within 300ms"),
        ("nonsense", ForfeitKind::Illegal, "`z9` is not a move"),
        (
            "occupied",
            ForfeitKind::Illegal,
            "`7`: that cell is occupied",
        ),
        ("long", ForfeitKind::Protocol, "line longer than"),
        ("endless", ForfeitKind::Hang, "no answer"),
        ("binary", ForfeitKind::Hang, "no answer"),
        ("refuse", ForfeitKind::NoMove, "no idea"),
        ("resign", ForfeitKind::Resigned, ""),
        ("many", ForfeitKind::Protocol, "endless response"),
    ] {
        let engine = format!("gtp:{script} {behaviour}");
        let mut plan = tournament(&[&engine, "greedy", "random"], 4);
        if kind == ForfeitKind::Hang {
            plan.patience = Duration::from_millis(300);
        }
        let schedule = Schedule::new(&plan);
        let games = play(&plan).unwrap();
        assert_eq!(games.len(), 12, "{behaviour}");
        for game in &games {
            let seats = schedule.game(game.game).unwrap().seats;
            let Some(seat) = seats.iter().position(|&player| player == 0) else {
                assert_eq!(game.forfeit, None, "{behaviour} disturbs others");
                continue;
            };
            let forfeit = game.forfeit.as_ref().expect(behaviour);
            assert_eq!(forfeit.kind, kind, "{behaviour}: {forfeit}");
            assert!(forfeit.detail.contains(words), "{behaviour}: {forfeit}");
            let winner = game.outcome.winner();
            assert_eq!(winner, Some(Player::BOTH[1 - seat]), "{behaviour}");
        }
    }
}

#[test]
fn an_engine_that_stops_reading_loses_that_game_only() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("gtp:{} deaf", script(folder.path()));
    let mut plan = tournament(&[&engine, "greedy"], 4);
    // Long enough for one good move on a busy machine.
    plan.patience = Duration::from_secs(3);
    for game in play(&plan).unwrap() {
        // It makes one good move, then no more: it was started again every time.
        let seat = (game.game % 2) as usize;
        assert_eq!(game.costs[seat].moves, 1, "game {}", game.game);
        assert_eq!(game.forfeit.unwrap().kind, ForfeitKind::Hang);
    }
}

#[test]
fn a_hang_under_a_time_limit_is_a_late_move() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("gtp:{} hang@time=50ms", script(folder.path()));
    let games = play(&tournament(&[&engine, "greedy"], 2)).unwrap();
    for game in games {
        assert_eq!(game.forfeit.unwrap().kind, ForfeitKind::Late);
    }
}

#[test]
fn an_engine_that_does_not_start_is_named_before_the_first_game() {
    for (engine, words) in [
        ("gtp:./no-such-engine", "cannot start `./no-such-engine`"),
        ("gtp:false", "`false` failed its handshake: crash"),
        ("ugi:true", "`true` failed its handshake: crash"),
        (
            "piskvork:cat",
            "five in a row on two-dimensional boards only",
        ),
    ] {
        let error = play(&tournament(&["greedy", engine], 2))
            .unwrap_err()
            .to_string();
        assert!(error.contains(words), "{error}");
        assert!(error.starts_with(&format!("player `{engine}`")), "{error}");
    }
}
