//! Fuzz targets for the files and messages of training: weights for five in a row, self-play games
//! and the jobs of self-play.

use papan_jobs::{JobKind, Payload};
use papan_mnk::{GomokuTable, GomokuWeights};
use papan_rules::fnv::fnv1a;
use papan_train::distributed::{Games, SelfPlay};
use papan_train::games::Game;
use papan_train::gomoku::games::{GomokuGame, ScoredMove};
use papan_train::plan::{Batch, Plan};
use papan_train::selfplay::SelfPlaySettings;
use papan_train::wthor;

use crate::{Target, text, texts};

pub(crate) const WEIGHTS: Target = Target {
    name: "gomoku_weights",
    seeds: || {
        // As small as a valid file can be: every number is 0.
        let table = GomokuTable {
            values: vec![[0; 2]; GomokuWeights::SETS],
            orders: vec![[0; 2]; GomokuWeights::SETS],
            threats: vec![0; GomokuWeights::THREATS],
        };
        let tables = vec![table; GomokuWeights::TABLES];
        vec![GomokuWeights { tables }.write()]
    },
    run: |bytes| {
        let _ = GomokuWeights::read(bytes);
        // With a valid checksum mutations reach the code behind that test.
        let line = bytes.iter().position(|&byte| byte == b'\n');
        let Some((header, (_, body))) = line.and_then(|end| {
            let (header, rest) = bytes.split_at(end + 1);
            Some((header, rest.split_first_chunk::<8>()?))
        }) else {
            return;
        };
        let sealed = [header, &fnv1a(body).to_le_bytes(), body].concat();
        if let Ok(weights) = GomokuWeights::read(&sealed) {
            let again = GomokuWeights::read(&weights.write());
            assert_eq!(again.ok(), Some(weights), "a written file is valid");
        }
    },
    cases: 300,
};

pub(crate) const GAMES: Target = Target {
    name: "training_games",
    seeds: || {
        let mut othello = Vec::new();
        Games(vec![first_game(), first_game()])
            .0
            .iter()
            .for_each(|game| game.write(&mut othello));
        let moves = [112, 113, 97].map(|cell| ScoredMove { cell, score: -7 });
        let game = GomokuGame {
            rule: papan_rules::GomokuRule::ALL[0],
            side: 15,
            random: 1,
            result: 2,
            moves: moves.into(),
        };
        let mut gomoku = Vec::new();
        game.write(&mut gomoku);
        game.write(&mut gomoku);
        // A WTHOR database with one game, f5d6c3d3c4.
        let mut wthor = vec![0; 16 + 68];
        wthor[..4].copy_from_slice(&[20, 26, 1, 1]);
        wthor[4] = 1;
        wthor[12] = 8;
        wthor[16 + 8..16 + 13].copy_from_slice(&[56, 64, 33, 34, 43]);
        vec![othello, gomoku, wthor]
    },
    run: |bytes| {
        let games = Game::read_all(bytes);
        games.iter().for_each(|game| drop(game.positions()));
        let _ = wthor::read(bytes);
        let games = GomokuGame::read_all(bytes);
        let mut written = Vec::new();
        games.iter().for_each(|game| game.write(&mut written));
        assert!(bytes.starts_with(&written), "complete games are kept");
    },
    cases: 10_000,
};

/// Returns the first game of [`plan`].
fn first_game() -> Game {
    let batch = Batch(0..1);
    let games = plan().play_batch(&batch, &papan_strategies::StopToken::default());
    games.into_iter().next().expect("a batch of one game")
}

/// Returns a plan whose games take milliseconds.
fn plan() -> Plan {
    let settings = SelfPlaySettings {
        depth: 1,
        solve: 2,
        seed: 1,
        threads: 1,
    };
    Plan::new(settings, None, Vec::new()).expect("the bundled weights are valid")
}

pub(crate) const SELF_PLAY: Target = Target {
    name: "self_play",
    seeds: || {
        let mut seeds = texts(&["0 1", "32 64"]);
        seeds.push(plan().to_bytes());
        seeds.push(Games(vec![first_game()]).to_bytes());
        seeds
    },
    run: |bytes| {
        let _ = text(bytes).parse::<Plan>();
        if let Ok(batch) = Batch::from_bytes(bytes) {
            assert_eq!(Batch::from_bytes(&batch.to_bytes()), Ok(batch));
        }
        if let Ok(games) = Games::from_bytes(bytes) {
            let _ = SelfPlay::verify(&plan(), &Batch(0..1), &games);
        }
    },
    cases: 1000,
};
