//! Fuzz targets for file formats: records, tables, certificates, positions, weights, journals.

use std::io::Write as _;

use papan_arena::grading::Assignment;
use papan_arena::results::{Header, Journal, Results as _};
use papan_arena::{GameResult, openings};
use papan_catalog::{AnyGame, puzzles};
use papan_files::{Collection, obf};
use papan_othello::Book;
use papan_othello::eval::weights;
use papan_rules::fnv::fnv1a;
use papan_rules::{Grid, Player, Record, tictactoe};
use papan_solve::automaton::inspect;
use papan_solve::{
    Certificate, InterviewJournal, SearchCheckpoint, check, check_claims, read_claim,
};
use papan_strategies::{Expert, Lookup, Strategy, TransitionTable, Watch};

use crate::{Target, text, texts};

pub(crate) const RECORDS: Target = Target {
    name: "records",
    seeds: || {
        let mut seeds = Vec::new();
        for (name, moves) in [("tictactoe:4x4", "1 5 9"), ("othello", "f5d6c3d3c4")] {
            let game: AnyGame = name.parse().expect("a valid game name");
            let mut line = game.line();
            line.extend(moves).expect("a legal line");
            let players = ["human".into(), "greedy(ties=reply)".into()];
            seeds.push(line.record(players).to_string().into_bytes());
        }
        seeds
    },
    run: |bytes| {
        let Ok(record) = Record::parse(&text(bytes)) else {
            return;
        };
        let again = Record::parse(&record.to_string()).expect("a formatted record is valid");
        assert_eq!(again, record);
        if let Ok(game) = record.game.parse::<AnyGame>()
            && let Ok(line) = game.line_of(&record)
        {
            let again = game.line_of(&again).expect("a formatted line is valid");
            assert_eq!(again.text(), line.text());
        }
    },
    cases: 3000,
};

pub(crate) const TABLES: Target = Target {
    name: "tables",
    seeds: || {
        texts(&[
            include_str!("../../data/automata/attack.txt"),
            include_str!("../../data/automata/document-000-as-printed.txt"),
        ])
    },
    run: |bytes| {
        let Ok(table) = TransitionTable::parse(&text(bytes)) else {
            return;
        };
        let rows = |table: &TransitionTable| -> String {
            let rows = table.rows().iter();
            rows.map(|(_, row)| format!("{row}\n")).collect()
        };
        let again = TransitionTable::parse(&rows(&table)).expect("formatted rows are valid");
        assert_eq!(rows(&again), rows(&table));
        let _ = inspect(&table);
    },
    cases: 400,
};

pub(crate) const LOOKUPS: Target = Target {
    name: "lookups",
    seeds: || texts(&["papan lookup 1\ngame tictactoe\n--------- X 5\n"]),
    run: |bytes| {
        let _ = Lookup::parse(&tictactoe(), &text(bytes));
    },
    cases: 4000,
};

pub(crate) const CERTIFICATES: Target = Target {
    name: "certificates",
    seeds: || {
        let game = tictactoe();
        let expert = || Box::new(Expert::default()) as Box<dyn Strategy<_>>;
        let written = Certificate::new(&game, &expert, "expert", Player::First, &Watch::default());
        vec![
            written.expect("the expert never loses").text().into(),
            include_bytes!("../../data/certificates/tictactoe-3x4.certificate").to_vec(),
            // Version 3: 4x4x4 after `1 28 64 22 16 2`.
            include_bytes!("../seeds/sequences.certificate").to_vec(),
        ]
    },
    run: |bytes| {
        let _ = read_claim(bytes);
        let _ = check(&tictactoe(), bytes);
        // With a valid checksum (FNV-1a), mutations reach the code behind that test.
        let end = bytes.windows(9).rposition(|word| word == b"checksum ");
        let body = &bytes[..end.unwrap_or(bytes.len())];
        let sealed = [body, format!("checksum {:016x}\n", fnv1a(body)).as_bytes()].concat();
        let _ = read_claim(&sealed);
        let _ = check(&tictactoe(), &sealed);
        for (sides, length) in [(&[3, 4][..], 3), (&[4, 4, 4], 4)] {
            let grid = Grid::<u64>::new(sides, length).expect("a board");
            let _ = check_claims(&grid, &sealed);
        }
    },
    cases: 1500,
};

pub(crate) const OBF: Target = Target {
    name: "obf",
    seeds: || texts(&[include_str!("../../crates/othello/suite/papan.obf")]),
    run: |bytes| {
        for problem in obf::parse(&text(bytes)).unwrap_or_default() {
            let again = obf::parse_line(&problem.format(), problem.line)
                .expect("a formatted position is valid");
            assert_eq!(again.format(), problem.format());
        }
    },
    cases: 2000,
};

pub(crate) const BOOKS: Target = Target {
    name: "books",
    seeds: || texts(&["papan book 1\n-: f5+0 d3+0\nf5: d6+1 f6+1 f4-6\nf5d6: c3+0 c4-1\n"]),
    run: |bytes| {
        if let Ok(book) = Book::parse(&text(bytes)) {
            let again = Book::parse(&book.to_string()).expect("a formatted book is valid");
            assert_eq!(again.to_string(), book.to_string());
        }
    },
    cases: 2_000,
};

pub(crate) const WEIGHTS: Target = Target {
    name: "weights",
    seeds: || {
        let weights = include_bytes!("../../crates/othello/weights/othello.weights");
        vec![weights[..4000].to_vec()]
    },
    run: |bytes| {
        let _ = weights::read(bytes);
    },
    cases: 300,
};

pub(crate) const JOURNALS: Target = Target {
    name: "journals",
    seeds: || {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("journal");
        let header = header();
        let mut journal = Journal::open(&path, &header).expect("a new journal");
        let games = (FINISHED.seeds)();
        games.iter().for_each(|record| journal.append(record));
        journal.commit().expect("records can be written");
        drop(journal);
        vec![std::fs::read(path).expect("the journal was written")]
    },
    run: |bytes| {
        if let Ok(header) = Header::parse(&text(bytes)) {
            let again = Header::parse(&header.to_string());
            assert_eq!(again.expect("a formatted header is valid"), header);
        }
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(bytes).expect("the file can be written");
        if let Ok(mut journal) = Journal::open(file.path(), &header()) {
            let mut decoded_bytes = 0;
            let replayed = journal.replay(&mut |record| {
                let _ = GameResult::decode(record);
                decoded_bytes += record.len();
            });
            assert!(replayed.is_err() || decoded_bytes <= bytes.len());
        }
    },
    cases: 500,
};

/// Returns the header of some tournament.
fn header() -> Header {
    Header::default().with("game", "tictactoe").with("seed", 1)
}

pub(crate) const FINISHED: Target = Target {
    name: "finished",
    seeds: || vec![vec![0, 3, 5, 9, 40, 4, 7, 30, 9, 5, 1, 9, 2, 3, 7, 4, 6, 8]],
    run: |bytes| {
        if let Ok(game) = GameResult::decode(bytes) {
            let mut written = Vec::new();
            game.encode(&mut written);
            assert_eq!(GameResult::decode(&written), Ok(game));
        }
    },
    cases: 20_000,
};

pub(crate) const OPENINGS: Target = Target {
    name: "openings",
    seeds: || texts(&["# two\n5 1 9\n1, 5\n"]),
    run: |bytes| {
        let game: AnyGame = "tictactoe".parse().expect("a valid game name");
        let _ = openings::parse_any(&game, &text(bytes));
    },
    cases: 4000,
};

pub(crate) const COLLECTIONS: Target = Target {
    name: "collections",
    seeds: || {
        texts(&[
            include_str!("../../docs/examples/game.sgf"),
            "(;GM[4]SZ[15]RU[renju]ON[swap2 two black];B[hh];W[ii]C[a \\] b](;B[hi])(;B[jj]))",
            "(;GM[Othello]PC[x]DT[2026.11.18]PB[a]PW[b]RE[+2.000]TI[15:00]TY[8]\
             BO[8 ---------------------------O*------*O--------------------------- *]\
             B[f5//1.25]W[d6];)",
            "Piskvorky 15x15, 11:11, 1\n8,8,0\n9,9,120\na\nb\n0,Standard15_1\n",
            "f5d6c3d3c4\nf5f6e6f4\n",
        ])
    },
    run: |bytes| {
        let renju: AnyGame = "renju".parse().expect("a valid game name");
        for game in [None, Some(&renju)] {
            let Ok(collection) = papan_files::read(bytes, game) else {
                continue;
            };
            let Ok(written) = papan_files::write(&collection.records, collection.format) else {
                continue;
            };
            // Games without moves are empty lines in a list of moves.
            let played = |games: &Collection| {
                let records = games.records.iter();
                records.filter(|record| !record.moves.is_empty()).count()
            };
            if played(&collection) > 0 {
                let again = papan_files::read(written.as_bytes(), game);
                let again = again.map(|again| played(&again));
                assert_eq!(again.ok(), Some(played(&collection)), "{written}");
            }
        }
    },
    cases: 3000,
};

pub(crate) const PUZZLES: Target = Target {
    name: "puzzles",
    seeds: || {
        let lines: Vec<&str> = include_str!("../../data/puzzles.txt").lines().collect();
        vec![
            lines[..20].join("\n").into(),
            lines[lines.len() - 5..].join("\n").into(),
        ]
    },
    run: |bytes| {
        if let Ok(puzzles) = puzzles::parse(&text(bytes)) {
            let again = puzzles::parse(&puzzles::format(&puzzles));
            assert_eq!(again.ok(), Some(puzzles));
        }
    },
    cases: 3000,
};

pub(crate) const INTERVIEWS: Target = Target {
    name: "interviews",
    seeds: || {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("journal");
        drop(InterviewJournal::open(&path, "tictactoe", "move:x").expect("a new journal"));
        let mut journal = std::fs::read(path).expect("the journal was written");
        journal.extend(b"first asked --------- X 5\n");
        vec![journal]
    },
    run: |bytes| {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(bytes).expect("the file can be written");
        let Ok(journal) = InterviewJournal::open(file.path(), "tictactoe", "move:x") else {
            return;
        };
        let answers = journal.len();
        drop(journal);
        let again = InterviewJournal::open(file.path(), "tictactoe", "move:x");
        assert_eq!(again.expect("a repaired journal is valid").len(), answers);
    },
    cases: 1000,
};

pub(crate) const CHECKPOINTS: Target = Target {
    name: "checkpoints",
    seeds: || {
        let (game, position) = CHECKPOINT;
        let mut tables = SearchCheckpoint::default().to_bytes(game, position);
        tables.truncate(tables.len() - 8);
        // The empty tables as a stored block of DEFLATE, whose bytes can be changed.
        let header = tables
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n');
        let end = header.map(|(at, _)| at + 1).nth(3).expect("four lines");
        let entry = [
            1_u64.to_le_bytes(),
            7_u64.to_le_bytes(),
            [3, 0, 0, 0, 4, 0, 0, 0],
        ]
        .concat();
        let plain = [&entry[..], &[0; 24]].concat();
        let length = (plain.len() as u16).to_le_bytes();
        let stored = [
            &tables[..end],
            &[1, length[0], length[1], !length[0], !length[1]],
            &plain,
        ]
        .concat();
        [tables, stored]
            .map(|body| [&body[..], &fnv1a(&body).to_le_bytes()].concat())
            .into()
    },
    run: |bytes| {
        let (game, position) = CHECKPOINT;
        let _ = SearchCheckpoint::parse(bytes, game, position);
        let body = &bytes[..bytes.len().saturating_sub(8)];
        let sealed = [body, &fnv1a(body).to_le_bytes()].concat();
        if let Ok(checkpoint) = SearchCheckpoint::parse(&sealed, game, position) {
            let written = checkpoint.to_bytes(game, position);
            let again = SearchCheckpoint::parse(&written, game, position);
            assert_eq!(again, Ok(checkpoint), "a written checkpoint is valid");
        }
    },
    cases: 2000,
};

/// Game and position of the checkpoints.
const CHECKPOINT: (&str, &str) = ("tictactoe", "--------- X");

pub(crate) const ASSIGNMENTS: Target = Target {
    name: "assignments",
    seeds: || {
        texts(&[r#"title = "Tic-tac-toe"
game = "tictactoe"
run = { py = "move:python3 {file}", c = "move:{out}" }
build = { c = "cc -O2 -o {out} {file}" }
time = "500ms"
memory = 64

[[tests]]
points = 2.5
prove = "first"

[[tests]]
name = "match"
points = 1
opponent = "greedy(ties=reply)"
games = 10
need = 0.5
seed = 3

[[tests]]
points = 1
position = "X---O---- X"
answers = ["2", "9"]
"#])
    },
    run: |bytes| {
        if let Ok(assignment) = Assignment::parse(&text(bytes)) {
            assert!(!assignment.tests.is_empty() && assignment.memory_mib > 0);
        }
    },
    cases: 2000,
};
