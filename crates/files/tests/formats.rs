//! Files as other programs write them, and a round trip of every format.

use papan_catalog::AnyGame;
use papan_files::{FileError, Format, read, write, wthor};
use papan_rules::{Comment, Record, RecordResult};
use proptest::prelude::*;

fn only(text: &str) -> Record {
    let file = read(text.as_bytes(), None).unwrap();
    assert_eq!(file.faults, [], "{text}");
    let [record] = file.records.try_into().expect("one game");
    record
}

#[test]
fn a_game_of_the_othello_server_is_read() {
    let text = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]\
        RW[2199.72]TI[05:00//02:00]TY[8]RE[-64.000:r]BO[8 -------- -------- -------- ---O*--- ---*O--- \
        -------- -------- -------- *]B[d3//0.01]W[c3//0.25]B[c4/-2.0/1.5];)";
    let record = only(text);
    assert_eq!(record.game, "othello");
    assert_eq!(record.players, ["Saio1200", "Saio3000"]);
    assert_eq!(record.moves, "d3c3c4");
    assert_eq!(record.times, [10, 250, 1500]);
    assert_eq!(
        (record.result.to_string().as_str(), record.reason.as_deref()),
        ("second", Some("resigned"))
    );
    assert_eq!(record.event.as_deref(), Some("GGS/os"));
    let pair = format!("2 {text}{text}");
    assert_eq!(read(pair.as_bytes(), None).unwrap().records.len(), 2);
}

#[test]
fn a_row_beyond_all_numbers_is_no_point() {
    let text = "(;GM[4]SZ[15];B[h18446744073709551615])";
    let file = read(text.as_bytes(), None).unwrap();
    assert_eq!((file.records.len(), file.faults.len()), (0, 1), "{file:?}");
}

#[test]
fn sgf_keeps_variations_and_comments() {
    let record = only(
        "(;FF[4]GM[4]SZ[15]PB[Black\\] one]PW[White]DT[2020-01-02]C[the start]\n;B[hh];W[hi]C[close]\n\
         (;B[ii];W[gg])(;B[gg]C[the other way\nin two lines]))",
    );
    assert_eq!(record.game, "tictactoe:15x15:5");
    assert_eq!(record.players, ["Black] one", "White"]);
    assert_eq!(record.moves, "113 128 129 97");
    assert_eq!(record.variations, ["113 128 97"]);
    let told: Vec<_> = record
        .comments
        .iter()
        .map(|c| (c.moves.as_str(), c.text.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("", "the start"),
            ("113 128", "close"),
            ("113 128 97", "the other way\nin two lines")
        ]
    );
}

#[test]
fn the_rule_of_gomoku_survives_sgf_and_piskvork_files() {
    for name in [
        "gomoku",
        "gomoku:20x20",
        "gomoku:standard",
        "gomoku:9x9:caro",
        "renju",
    ] {
        let game: AnyGame = name.parse().unwrap();
        let mut line = game.line();
        for square in ["e5", "f6", "e6"] {
            line.play(game.parse_move(square).unwrap()).unwrap();
        }
        let record = line.record(["a".into(), "b".into()]);
        let through = |format| only(&write(std::slice::from_ref(&record), format).unwrap());
        let sgf = through(Format::Sgf);
        assert_eq!((sgf.game.as_str(), sgf.moves.as_str()), (name, "e5 f6 e6"));
        let psq = through(Format::Psq);
        assert_eq!((psq.game.as_str(), psq.moves.as_str()), (name, "e5 f6 e6"));
    }
}

#[test]
fn a_freestyle_piskvork_file_is_gomoku_unless_the_grid_is_asked_for() {
    let file = |size: &str| format!("Piskvorky {size}, 0:0, 0\n1,2,0\n2,2,0\n-1\n");
    let game = |size: &str, asked: Option<&str>| {
        let asked: Option<AnyGame> = asked.map(|name| name.parse().unwrap());
        let read = read(file(size).as_bytes(), asked.as_ref()).unwrap();
        (read.records[0].game.clone(), read.records[0].moves.clone())
    };
    let is = |game: &str, moves: &str| (game.to_owned(), moves.to_owned());
    assert_eq!(game("15x15", None), is("gomoku", "a14 b14"));
    let grid = "tictactoe:15x15:5";
    assert_eq!(game("15x15", Some(grid)), is(grid, "16 17"));
    assert_eq!(game("15x15", Some("othello")), is("gomoku", "a14 b14"));
    assert_eq!(game("12x10", None), is("tictactoe:10x12:5", "13 14"));
}

#[test]
fn the_last_number_of_a_piskvork_header_says_who_began() {
    let file = |beginner: u8, round: &str| {
        let moves = "8,8,1500\n9,9,20\n";
        only(&format!(
            "Piskvorky 15x15, 11:11, {beginner}\n{moves}Ann.exe\nBo.exe\n-1\n{round}"
        ))
    };
    let first = file(0, "");
    assert_eq!(first.game, "gomoku");
    assert_eq!(first.players, ["Ann", "Bo"]);
    let second = file(1, "0,Freestyle15_1\n");
    assert_eq!(second.game, "gomoku");
    assert_eq!(second.players, ["Bo", "Ann"]);
    assert_eq!(file(0, "0,Renju15_1\n").game, "renju");
    assert_eq!(file(0, "0,Standard15_1\n").game, "gomoku:standard");
    // A game of two people ends without names.
    let people = only("Piskvorky 15x15, 0:0, 0\n8,8,0\n9,9,0\n-1\n");
    assert_eq!(people.players, ["", ""]);
}

#[test]
fn othello_in_sgf_may_name_its_first_discs_and_leave_passes_out() {
    let start = "(;GM[2]SZ[8]AB[ed][de]AW[dd][ee]PL[B];B[fe];W[fd])";
    let record = only(start);
    assert_eq!(
        (record.start.as_deref(), record.moves.as_str()),
        (None, "f5f4")
    );
    assert_eq!(only("(;GM[2];B[f5];W[f4])").moves, "f5f4");
    // Some managers write a pass after the end.
    let over = "f5f6e6d6c7f4g5";
    let mut moves: Vec<String> = Vec::new();
    for (at, square) in over.as_bytes().chunks(2).enumerate() {
        let letter = if at % 2 == 0 { 'B' } else { 'W' };
        moves.push(format!(
            ";{letter}[{}]",
            std::str::from_utf8(square).unwrap()
        ));
    }
    assert_eq!(only(&format!("(;GM[2]{})", moves.concat())).moves, over);
}

#[test]
fn a_piskvork_game_is_read_with_its_times_and_players() {
    let record = only(
        "Piskvorky 20x20, 11:11, 0\r\n7,9,1047\r\n8,10,0\r\nRAPFI21.zip\r\nYIXIN18.exe\r\n1,Freestyle\r\n",
    );
    assert_eq!(record.game, "gomoku:20x20");
    assert_eq!(record.moves, "g12 h11");
    assert_eq!(record.times, [1047, 0]);
    assert_eq!(record.players, ["RAPFI21.zip", "YIXIN18"]);
}

/// A database of two games, the second with an illegal move if `broken`.
fn database(broken: bool) -> Vec<u8> {
    let mut bytes = vec![20, 4, 1, 2, 2, 0, 0, 0, 0, 0, 212, 7, 8, 0, 22, 0];
    for second in [false, true] {
        bytes.extend([1, 0, 0, 0, 1, 0, 40, 36]);
        let mut moves = [0_u8; 60];
        moves[..3].copy_from_slice(&[56, 64, 33]);
        if second && broken {
            moves[1] = 11;
        }
        bytes.extend(moves);
    }
    bytes
}

#[test]
fn the_good_games_of_a_damaged_database_are_read() {
    let file = read(&database(true), None).unwrap();
    assert_eq!(file.format, Format::Wthor);
    assert_eq!((file.records.len(), file.faults.len()), (1, 1));
    assert_eq!((file.faults[0].line, file.faults[0].column), (2, 2));
    let cut = &database(false)[..100];
    let file = read(cut, None).unwrap();
    assert_eq!((file.records.len(), file.faults.len()), (1, 1));
}

#[test]
fn names_stand_beside_the_database() {
    let mut jou = vec![0; 16];
    for name in ["Tamenori", "Mälinen"] {
        let latin: Vec<u8> = name.chars().map(|c| c as u8).collect();
        jou.extend(&latin);
        jou.extend(vec![0; 20 - latin.len()]);
    }
    let names = wthor::players(&jou);
    assert_eq!(names, ["Tamenori", "Mälinen"]);
    let bytes = database(false);
    let database = wthor::Database::new(&bytes).unwrap();
    let record = database.records(Some(&names), None).next().unwrap();
    let record = record.unwrap();
    assert_eq!(record.players, ["Tamenori", "Mälinen"]);
    assert_eq!(
        (record.moves.as_str(), record.date.as_deref()),
        ("f5d6c3", Some("2004"))
    );
    assert_eq!(record.event.as_deref(), Some("#1"));
}

#[test]
fn a_broken_game_in_the_middle_costs_only_itself() {
    let good = "(;GM[2];B[f5];W[f4])\n";
    let text = format!("{good}(;GM[2];B[a1])\n(;GM[2];B[f5\n{good}");
    let file = read(text.as_bytes(), None).unwrap();
    assert_eq!(file.records.len(), 1);
    let places: Vec<_> = file.faults.iter().map(|fault| fault.line).collect();
    assert_eq!(places[0], 2, "{:?}", file.faults);
    let lists = read(b"f5d6\n# a comment\nf5zz\nf5f6\n", None).unwrap();
    assert_eq!(
        (
            lists.records.len(),
            lists.faults[0].line,
            lists.faults[0].column
        ),
        (2, 3, 3)
    );
}

#[test]
fn what_is_no_text_and_no_database_is_refused_with_its_place() {
    assert_eq!(read(b"f5\xff\xfe", None).unwrap_err(), FileError::NoText(3));
    assert_eq!(read(b" \n", None).unwrap_err(), FileError::Empty);
    let error = write(&[Record::blank("tictactoe:4x4")], Format::Sgf).unwrap_err();
    assert_eq!(
        error.to_string(),
        "game 1: a sgf file cannot hold a game of tictactoe:4x4; a record can"
    );
}

#[test]
fn obf_positions_keep_their_scores() {
    let line =
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;";
    let record = only(line);
    assert_eq!(record.comments[0].text, "G8:+18; H1:+12;");
    assert_eq!(write(&[record], Format::Obf).unwrap(), format!("{line}\n"));
}

/// A random game.
fn played(game: &str, lots: &[u16]) -> Record {
    line(game, lots).record(["Ann [a\\b]".into(), "Bo".into()])
}

fn line(game: &str, lots: &[u16]) -> Box<dyn papan_catalog::AnyLine> {
    let game: AnyGame = game.parse().unwrap();
    let mut line = game.line();
    for &lot in lots {
        let moves = line.legal_moves();
        if moves.is_empty() {
            break;
        }
        line.play(moves[usize::from(lot) % moves.len()]).unwrap();
    }
    line
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_kind_is_read_as_it_was_written(lots in prop::collection::vec(any::<u16>(), 1..70), other in any::<u16>()) {
        for (name, formats) in [
            ("othello", &[Format::Record, Format::Sgf, Format::Ggf, Format::Transcript][..]),
            ("othello:6x6", &[Format::Record, Format::Sgf, Format::Ggf]),
            ("tictactoe:15x15:5", &[Format::Record, Format::Sgf, Format::Psq]),
            ("tictactoe:12x20:5", &[Format::Record, Format::Sgf, Format::Psq]),
            ("tictactoe:3x3x3", &[Format::Record]),
        ] {
            let record = played(name, &lots);
            for &format in formats {
                let text = write(std::slice::from_ref(&record), format).unwrap();
                let game: AnyGame = name.parse().unwrap();
                let file = read(text.as_bytes(), Some(&game)).unwrap();
                prop_assert_eq!(&file.faults, &[]);
                prop_assert_eq!(&file.records[0].moves, &record.moves);
                prop_assert_eq!(&file.records[0].result, &record.result);
            }
            let mut other_lots: Vec<u16> = lots[..lots.len() / 2].to_vec();
            other_lots.push(other);
            let variation = line(name, &other_lots);
            let mut rich = record;
            if !line(name, &lots).moves().starts_with(variation.moves()) {
                rich.variations = vec![variation.text()];
            }
            rich.comments.push(Comment { moves: rich.moves.clone(), text: "]\\ odd".into() });
            rich.date = Some("2020".into());
            for format in [Format::Record, Format::Sgf] {
                if formats.contains(&format) {
                    let text = write(std::slice::from_ref(&rich), format).unwrap();
                    let again = read(text.as_bytes(), None).unwrap().records.remove(0);
                    prop_assert_eq!(&again.variations, &rich.variations);
                    prop_assert_eq!(&again.comments, &rich.comments);
                    prop_assert_eq!(&again.date, &rich.date);
                }
            }
        }
    }

    #[test]
    fn nothing_that_is_read_panics(text in "[(;)\\[\\]A-Z*O a-h1-8\\-\\\\\n]{0,200}", bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(text.as_bytes(), None);
        let _ = read(format!("(;GM[Othello]{text}").as_bytes(), None);
        let _ = read(format!("(;GM[4]{text}").as_bytes(), None);
        let _ = read(format!("Piskvorky 15x15, {text}").as_bytes(), None);
        let _ = read(&bytes, None);
        let mut database = database(false);
        for (at, byte) in bytes.iter().enumerate().take(136) {
            database[16 + at] = *byte;
        }
        let _ = read(&database, None);
    }
}

#[test]
fn several_records_stand_in_one_file() {
    let records = [
        played("othello", &[1, 2, 3]),
        played("tictactoe", &[4, 4, 4]),
    ];
    let text = write(&records, Format::Record).unwrap();
    assert_eq!(read(text.as_bytes(), None).unwrap().records, records);
    assert_eq!(records[1].result, RecordResult::Unfinished);
    let other = read(b"papan certificate 1\nx\n", None).unwrap();
    assert_eq!(other.faults.len(), 1);
}

#[test]
fn a_position_is_found_in_every_symmetry_and_by_every_way() {
    use papan_files::PositionSearch;
    let game: AnyGame = "othello".parse().unwrap();
    let line = |text: &str| {
        let mut line = game.line();
        line.extend(text).unwrap();
        line
    };
    // The images of the parallel opening; the reply is mapped back to the orientation of the query.
    let asked = PositionSearch::new(&*line("f5f6"));
    for (played, reply) in [
        ("f5f6e6", "e6"),
        ("c4c3d3", "e6"),
        ("d3c3c4", "e6"),
        ("e6f6f5", "e6"),
    ] {
        let found = asked.reply(None, line(played).moves().iter().copied());
        assert_eq!(
            found.flatten().map(|mv| game.format_move(mv)).as_deref(),
            Some(reply),
            "{played}"
        );
    }
    assert_eq!(
        asked.reply(None, line("f5d6c3").moves().iter().copied()),
        None
    );
    let grid: AnyGame = "tictactoe".parse().unwrap();
    let mut cross = grid.line();
    cross.extend("1 5 9").unwrap();
    let mut other = grid.line();
    other.extend("7 5 3 2").unwrap();
    let found = PositionSearch::new(&*cross).reply(None, other.moves().iter().copied());
    assert!(found.flatten().is_some());
}

#[test]
fn a_swap_opening_survives_every_format_of_gomoku() {
    let game: AnyGame = "gomoku:standard".parse().unwrap();
    let mut line = game.line();
    line.extend("h8 i9 k10 f7").unwrap();
    let mut record = line.record(["a".into(), "b".into()]);
    record.opening = "swap2 black".parse().ok();
    for format in [Format::Sgf, Format::Psq, Format::Record] {
        let text = write(std::slice::from_ref(&record), format).unwrap();
        let read = only(&text);
        assert_eq!(read.opening, record.opening, "{text}");
        assert_eq!(read.players, record.players, "{text}");
        assert_eq!(read.game, record.game, "{text}");
    }
    // Names of other openings, and choices that do not fit the moves, are left out.
    for name in ["Canon", "swap2 two black"] {
        let sgf = format!("(;GM[4]SZ[15]ON[{name}];B[hh];W[ig];B[kf];W[fi])");
        assert_eq!(only(&sgf).opening, None, "{name}");
    }
}
