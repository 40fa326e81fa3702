//! Scripted engines with the quirks of real ones, each of which must complete whole games.
// Engines are shell scripts.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use papan_arena::results::{Memory, Results as _};
use papan_arena::{Entrant, EntrantKind, Format, GameResult, RunOptions, Tournament, run};
use papan_protocol::ForfeitKind;
use papan_protocol::compliance::{Compliance, check};
use papan_strategies::{Limits, StopToken};

/// A Gomocup engine for 5x5 that plays the first free cell and logs its starts and input.
const BRAIN: &str = r#"#!/bin/sh
quirk=$1
log=$2
cr=$(printf '\r')
echo START-OF-PROCESS >> "$log"
say() { printf '%s\r\n' "$1"; }
taken=' '
answer() {
  y=0
  while [ $y -lt 5 ]; do
    x=0
    while [ $x -lt 5 ]; do
      case $taken in *" $x,$y "*) ;; *)
        taken="$taken$x,$y "
        say "$x,$y"
        return ;;
      esac
      x=$((x+1))
    done
    y=$((y+1))
  done
}
move() {
  case $quirk in
    error) say 'ERROR unknown option in INFO'; say 'UNKNOWN whatever' ;;
    chatty) say 'MESSAGE thinking'; say 'DEBUG depth 3' ;;
    illegal) say '0,9'; return ;;
    late) if [ ! -e "$log.late" ]; then touch "$log.late"; sleep 1; fi ;;
  esac
  answer
}
while read -r line; do
  line=${line%"$cr"}
  echo "$line" >> "$log"
  case $line in
    START*) say OK; if [ "$quirk" = busy ]; then sleep 0.2; fi ;;
    RESTART)
      taken=' '
      case $quirk in
        restart) say 'UNKNOWN command' ;;
        *) say OK ;;
      esac ;;
    ABOUT) say 'name="Scripted", version="1.0", author="nobody"' ;;
    INFO*) if [ "$quirk" = info ]; then say "UNKNOWN $line"; fi ;;
    BEGIN) move ;;
    TURN*) taken="$taken${line#TURN } "; move ;;
    BOARD) taken=' ' ;;
    DONE) move ;;
    *,*,*) taken="$taken${line%,*} " ;;
    END) exit 0 ;;
    *) say "UNKNOWN $line" ;;
  esac
done
"#;

/// A GTP engine for 3x3 that plays the first free cell.
const ENGINE: &str = r#"#!/bin/sh
quirk=$1
log=$2
echo START-OF-PROCESS >> "$log"
taken=' '
answer() { printf '=%s %s\n\n' "$id" "$1"; }
while read -r id command first second; do
  case $id in
    [0-9]*) ;;
    *) second=$first; first=$command; command=$id; id= ;;
  esac
  echo "$command $first $second" >> "$log"
  case $command in
    list_commands) answer "name
play
genmove
clear_board
time_settings
quit" ;;
    clear_board) taken=' '; answer ;;
    play) taken="$taken$second "; answer ;;
    genmove)
      if [ "$quirk" = late ] && [ ! -e "$log.late" ]; then touch "$log.late"; sleep 2; fi
      for cell in a1 b1 c1 a2 b2 c2 a3 b3 c3; do
        case $taken in *" $cell "*) ;; *) break ;; esac
      done
      taken="$taken$cell "
      answer "$cell" ;;
    quit) answer; exit 0 ;;
    *) answer ;;
  esac
  if [ "$quirk" = twice ]; then answer 'once more'; fi
done
"#;

/// A UGI engine for 3x3 that plays the first free cell and ponders on the next one.
const PONDERER: &str = r#"#!/bin/sh
quirk=$1
log=$2
echo START-OF-PROCESS >> "$log"
taken=' '
free() {
  for cell in 1 2 3 4 5 6 7 8 9; do
    case $taken in *" $cell "*) ;; *) echo "$cell"; return ;; esac
  done
}
answer() {
  best=$(free)
  taken="$taken$best "
  expected=$(free)
  echo "info depth 1 nodes 1"
  echo "bestmove ${best:-none}${expected:+ ponder $expected}"
}
while read -r line; do
  echo "$line" >> "$log"
  case $line in
    ugi)
      echo 'id name Ponderer'
      if [ "$quirk" = ponder ]; then echo 'option name Ponder type check default false'; fi
      echo ugiok ;;
    isready) echo readyok ;;
    'position startpos moves'*) taken="${line#position startpos moves} " ;;
    position*) taken=' ' ;;
    'go ponder'*) ;;
    go* | ponderhit | stop) answer ;;
    quit) exit 0 ;;
  esac
done
"#;

/// A UGI engine for 3x3 that names cells by letter and row, and exits at other names.
const LETTERED: &str = r#"#!/bin/sh
log=$2
taken=' '
while read -r line; do
  echo "$line" >> "$log"
  case $line in
    ugi) echo 'id name Lettered'; echo ugiok ;;
    isready) echo readyok ;;
    'position startpos moves'*)
      taken="${line#position startpos moves} "
      for word in $taken; do
        case $word in [abc][123]) ;; *) exit 1 ;; esac
      done ;;
    position*) taken=' ' ;;
    go*)
      for cell in b2 a1 a2 a3 b1 b3 c1 c2 c3; do
        case $taken in *" $cell "*) ;; *) break ;; esac
      done
      echo "bestmove $cell" ;;
    quit) exit 0 ;;
  esac
done
"#;

struct Scripted {
    folder: tempfile::TempDir,
}

impl Scripted {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn heard(&self) -> Vec<String> {
        let text = fs::read_to_string(self.log()).unwrap();
        text.lines().map(Into::into).collect()
    }

    fn starts(&self) -> usize {
        let is_start = |line: &&String| *line == "START-OF-PROCESS";
        self.heard().iter().filter(is_start).count()
    }

    fn brain(&self, quirk: &str) -> String {
        let script = self.script("brain.sh", BRAIN);
        player("piskvork", &script, quirk, &self.log())
    }

    fn ugi(&self, quirk: &str) -> String {
        let script = self.script("ponderer.sh", PONDERER);
        player("ugi", &script, quirk, &self.log())
    }

    fn lettered(&self) -> String {
        let script = self.script("lettered.sh", LETTERED);
        player("ugi", &script, "plain", &self.log())
    }

    fn gtp(&self, quirk: &str) -> String {
        let script = self.script("engine.sh", ENGINE);
        player("gtp", &script, quirk, &self.log())
    }
}

/// The first words of the lines that follow lines with this prefix.
fn next_words<'a>(heard: &'a [String], begin: &str) -> Vec<&'a str> {
    let pairs = heard.windows(2).filter(|pair| pair[0].starts_with(begin));
    pairs
        .map(|pair| pair[1].split(' ').next().unwrap_or_default())
        .collect()
}

fn player(protocol: &str, script: &Path, quirk: &str, log: &Path) -> String {
    format!("{protocol}:{} {quirk} {}", script.display(), log.display())
}

fn play(game: &str, player: &str, games: u64) -> Vec<GameResult> {
    let tournament = Tournament {
        game: game.parse().unwrap(),
        entrants: vec![player.parse().unwrap(), "random".parse().unwrap()],
        format: Format::RoundRobin,
        games,
        openings: vec![Vec::new()],
        limits: Limits::default(),
        margin: Duration::from_millis(50),
        patience: Duration::from_secs(20),
        seed: 1,
        timed: false,
        swap: None,
        adjudication: Default::default(),
    };
    let mut store = Memory::default();
    let settings = RunOptions {
        concurrency: 1,
        sprt: None,
        observer: &mut |_| {},
        live_games: None,
        stop: StopToken::default(),
    };
    run(&tournament, &mut store, settings).unwrap();
    let mut games = Vec::new();
    store
        .replay(&mut |record| games.push(GameResult::decode(record).unwrap()))
        .unwrap();
    games.sort_by_key(|game| game.game);
    games
}

fn no_forfeits(games: &[GameResult]) {
    for game in games {
        assert_eq!(game.forfeit, None, "game {}", game.game);
    }
}

#[test]
fn an_engine_may_report_errors_and_still_move() {
    for quirk in ["plain", "error", "chatty", "busy"] {
        let scripted = Scripted::new();
        let games = play("tictactoe:5x5:5", &scripted.brain(quirk), 4);
        no_forfeits(&games);
        assert_eq!(games.len(), 4, "{quirk}");
        assert_eq!(scripted.starts(), 1, "{quirk}");
    }
}

#[test]
fn an_unknown_setting_is_not_taken_for_the_answer_to_the_next_command() {
    let scripted = Scripted::new();
    no_forfeits(&play("tictactoe:5x5:5", &scripted.brain("info"), 4));
    assert_eq!(scripted.starts(), 1);
}

#[test]
fn an_engine_without_restart_gets_a_new_process() {
    let scripted = Scripted::new();
    no_forfeits(&play("tictactoe:5x5:5", &scripted.brain("restart"), 4));
    assert_eq!(scripted.starts(), 4);
    assert!(scripted.heard().contains(&"END".into()), "told to leave");
}

#[test]
fn an_illegal_move_does_not_restart_the_engine() {
    let scripted = Scripted::new();
    let games = play("tictactoe:5x5:5", &scripted.brain("illegal"), 4);
    for game in &games {
        assert_eq!(game.forfeit.as_ref().unwrap().kind, ForfeitKind::Illegal);
    }
    assert_eq!(scripted.starts(), 1);
}

#[test]
fn a_late_move_does_not_restart_a_gomocup_engine() {
    let scripted = Scripted::new();
    let brain = format!("{}@time=500ms", scripted.brain("late"));
    let games = play("tictactoe:5x5:5", &brain, 4);
    assert_eq!(games[0].forfeit.as_ref().unwrap().kind, ForfeitKind::Late);
    assert_eq!(scripted.starts(), 1);
    assert_eq!(games.len(), 4);
}

#[test]
fn a_gomocup_engine_gets_memory_clock_and_options() {
    let scripted = Scripted::new();
    let brain = format!("{}@time=3s option.thread_num=1", scripted.brain("plain"));
    no_forfeits(&play("tictactoe:5x5:5", &brain, 2));
    let heard = scripted.heard();
    for line in [
        "INFO max_memory 367001600",
        "INFO timeout_turn 3000",
        "INFO timeout_match 0",
        "INFO time_left 2147483647",
        "INFO thread_num 1",
        "INFO rule 0",
    ] {
        assert!(heard.contains(&line.into()), "{line}: {heard:?}");
    }
    let own = format!("{}@memory=1000000 restart=game", scripted.brain("plain"));
    no_forfeits(&play("tictactoe:5x5:5", &own, 4));
    assert!(scripted.heard().contains(&"INFO max_memory 1000000".into()));
    assert_eq!(scripted.starts(), 1 + 4, "anew for every game");
}

#[test]
fn surplus_responses_are_skipped() {
    for quirk in ["plain", "twice"] {
        let scripted = Scripted::new();
        let games = play("tictactoe", &scripted.gtp(quirk), 6);
        no_forfeits(&games);
        assert_eq!(scripted.starts(), 1, "{quirk}");
    }
}

#[test]
fn gtp_times_are_whole_seconds_per_period() {
    let scripted = Scripted::new();
    let engine = format!("{}@time=2.5s", scripted.gtp("plain"));
    no_forfeits(&play("tictactoe", &engine, 2));
    assert!(scripted.heard().contains(&"time_settings 0 5 2".into()));
}

#[test]
fn a_late_move_does_not_restart_a_gtp_engine() {
    let scripted = Scripted::new();
    let engine = format!("{}@time=1s", scripted.gtp("late"));
    let games = play("tictactoe", &engine, 4);
    assert_eq!(games[0].forfeit.as_ref().unwrap().kind, ForfeitKind::Late);
    for game in &games {
        // Only the first has to be late; a busy machine may make others so.
        let kind = game.forfeit.as_ref().map(|forfeit| forfeit.kind);
        assert!(
            kind.is_none_or(|kind| kind == ForfeitKind::Late),
            "{kind:?}"
        );
    }
    assert_eq!(scripted.starts(), 1);
}

#[test]
fn an_engine_ponders_and_gets_ponderhit_or_stop() {
    let scripted = Scripted::new();
    let engine = format!("{}@ponder=on nodes=5", scripted.ugi("ponder"));
    no_forfeits(&play("tictactoe", &engine, 20));
    let heard = scripted.heard();
    assert!(heard.contains(&"setoption name Ponder value true".into()));
    let after = next_words(&heard, "go ponder nodes 5");
    // Against random moves, expected and unexpected replies both occur.
    for word in ["ponderhit", "stop"] {
        assert!(after.contains(&word), "{word}: {after:?}");
    }
    assert!(
        after
            .iter()
            .all(|word| ["ponderhit", "stop", "quit"].contains(word))
    );
    // It ponders on the move that it expects.
    let hit = heard.iter().position(|line| line == "ponderhit").unwrap();
    assert!(heard[hit - 2].starts_with("position startpos moves "));
    assert_eq!(scripted.starts(), 1);
}

#[test]
fn an_engine_ponders_only_when_enabled_and_supported() {
    for (quirk, setting) in [("plain", "ponder=on"), ("ponder", "ponder=off")] {
        let scripted = Scripted::new();
        let engine = format!("{}@{setting} nodes=5", scripted.ugi(quirk));
        no_forfeits(&play("tictactoe", &engine, 4));
        assert!(
            !scripted.heard().iter().any(|line| line.contains("onder")),
            "{quirk}"
        );
    }
}

#[test]
fn moves_are_sent_in_the_notation_of_the_engine() {
    let scripted = Scripted::new();
    no_forfeits(&play("tictactoe", &scripted.lettered(), 4));
    let heard = scripted.heard();
    assert!(heard.contains(&"go movetime 1000".into()), "{heard:?}");
    let lettered = |line: &String| line.starts_with("position startpos moves b2 ");
    assert!(heard.iter().any(lettered), "{heard:?}");
}

/// The scripted engine also answers comments and empty lines.
#[test]
fn the_compliance_check_matches_responses_to_commands() {
    let scripted = Scripted::new();
    let entrant: Entrant = scripted.gtp("plain").parse().unwrap();
    let EntrantKind::Engine(engine) = entrant.kind else {
        panic!("it is an engine");
    };
    let game = "tictactoe".parse().unwrap();
    let trials = check(&engine, &game, Duration::from_secs(20)).unwrap();
    let trial = |what: &str| {
        trials
            .iter()
            .find(|trial| trial.expectation.contains(what))
            .unwrap()
    };
    assert_eq!(trial("a comment").compliance, Compliance::Violated);
    let listed = &trial("`list_commands`").observed;
    assert!(listed.contains("genmove"), "{listed}");
    assert_eq!(trial("`time_settings`").compliance, Compliance::Satisfied);
}
