//! Journal recovery: committed records survive a crash, torn ones are cut off.

use std::fs;
use std::path::Path;

use papan_arena::results::{DamagedRange, Header, Journal, Results, ResultsError, Tolerance};
use proptest::prelude::*;

fn header() -> Header {
    Header::default().with("game", "tictactoe").with("seed", 7)
}

fn write(path: &Path, records: &[Vec<u8>]) {
    let mut journal = Journal::open(path, &header()).unwrap();
    for record in records {
        journal.append(record);
    }
    journal.commit().unwrap();
}

fn read(path: &Path) -> (Vec<Vec<u8>>, u64) {
    let mut journal = Journal::open(path, &header()).unwrap();
    let mut records = Vec::new();
    journal
        .replay(&mut |record| records.push(record.to_vec()))
        .unwrap();
    (records, journal.cut())
}

#[test]
fn records_come_back_in_order_and_more_can_follow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    let records: Vec<Vec<u8>> = (1..=100_u8).map(|n| vec![n; usize::from(n)]).collect();
    write(&path, &records[..60]);
    write(&path, &records[60..]);
    assert_eq!(read(&path), (records, 0));
}

#[test]
fn uncommitted_records_are_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    let mut journal = Journal::open(&path, &header()).unwrap();
    journal.append(b"kept");
    journal.commit().unwrap();
    journal.append(b"lost");
    drop(journal);
    assert_eq!(read(&path).0, [b"kept".to_vec()]);
}

#[test]
fn a_file_cut_anywhere_keeps_every_whole_record_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    let records = [b"one".to_vec(), b"three".to_vec(), b"seventeen".to_vec()];
    write(&path, &records);
    let whole = fs::read(&path).unwrap();
    let begin = header().to_string().len() + 1;
    let ends: Vec<usize> = records
        .iter()
        .scan(begin, |end, record| {
            *end += 8 + record.len();
            Some(*end)
        })
        .collect();
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let kept = ends.iter().filter(|&&end| end <= length).count();
        let (found, cut) = read(&path);
        assert_eq!(found, &records[..kept], "cut to {length} bytes");
        let torn = length.saturating_sub(if kept == 0 { begin } else { ends[kept - 1] });
        assert_eq!(cut, torn as u64, "cut to {length} bytes");
        write(&path, &[b"more".to_vec()]);
        let (found, _) = read(&path);
        assert_eq!(found.last().map(Vec::as_slice), Some(&b"more"[..]));
        assert_eq!(found.len(), kept + 1);
    }
}

#[test]
fn damage_is_named_and_the_file_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    let records = vec![vec![1; 1 << 20]; 6];
    write(&path, &records);
    let mut bytes = fs::read(&path).unwrap();
    let begin = header().to_string().len() as u64 + 1;
    bytes[begin as usize + 100] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = Journal::open(&path, &header()).unwrap_err();
    let ResultsError::Damaged {
        offset,
        bytes: gone,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!((offset, gone), (begin, 8 + (1 << 20)));
    assert_eq!(fs::read(&path).unwrap(), bytes, "the file is left as it is");
}

#[test]
fn a_hole_that_was_never_written_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    write(&path, &[b"kept".to_vec()]);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend([0; 50]);
    fs::write(&path, &bytes).unwrap();
    assert_eq!(read(&path), (vec![b"kept".to_vec()], 50));
}

/// A journal as papan 0.1.0 wrote it, byte by byte.
#[test]
fn a_journal_of_0_1_0_is_still_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    let mut bytes = b"papan results 1\ngame: tictactoe\nseed: 7\n\n".to_vec();
    bytes.extend([4, 0, 0, 0, 0xcd, 0xfb, 0x3c, 0xb6, 1, 2, 3, 4]);
    fs::write(&path, &bytes).unwrap();
    assert_eq!(read(&path), (vec![vec![1, 2, 3, 4]], 0));
}

#[test]
fn a_file_of_something_else_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    let other = Header::default().with("game", "othello").with("seed", 7);
    drop(Journal::open(&path, &other).unwrap());
    let error = Journal::open(&path, &header()).unwrap_err().to_string();
    assert!(
        error.contains("game is `othello`; here, `tictactoe`"),
        "{error}"
    );
    for text in ["", "p", "papan results 1\ngame: tictac"] {
        fs::write(&path, text).unwrap();
        assert!(
            Journal::open(&path, &header()).is_ok(),
            "cut short: {text:?}"
        );
    }
    for text in [
        "papan record 1\n",
        "\0\0\0\0",
        "papan results 9\n\n",
        "papan results 1\n",
    ] {
        let text = format!("{text}{}", "-".repeat(60));
        fs::write(&path, &text).unwrap();
        assert!(Journal::open(&path, &header()).is_err(), "{text:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn two_cannot_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    let first = Journal::open(&path, &header()).unwrap();
    let error = Journal::open(&path, &header()).unwrap_err();
    assert!(matches!(error, ResultsError::InUse { .. }), "{error}");
    drop(first);
    assert!(Journal::open(&path, &header()).is_ok());
}

proptest! {
    #[test]
    fn a_flipped_byte_is_found_and_repair_loses_that_record_alone(at in 0_usize..400, flip in 1_u8..) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r");
        let mut records: Vec<Vec<u8>> = (0..20_u8).map(|n| vec![n; 12]).collect();
        write(&path, &records);
        let mut bytes = fs::read(&path).unwrap();
        let begin = header().to_string().len() + 1;
        bytes[begin + at] ^= flip;
        fs::write(&path, &bytes).unwrap();
        let error = Journal::open(&path, &header()).unwrap_err();
        let is_damage = matches!(error, ResultsError::Damaged { .. });
        prop_assert!(is_damage, "{}", error);
        prop_assert_eq!(&fs::read(&path).unwrap(), &bytes);
        let repair = Tolerance { repair: true, ..Tolerance::default() };
        let journal = Journal::open_with(&path, &header(), repair).unwrap();
        let dropped = journal.dropped().to_vec();
        drop(journal);
        let there = (begin + at / 20 * 20) as u64;
        prop_assert_eq!(dropped, vec![DamagedRange { offset: there, bytes: 20 }]);
        records.remove(at / 20);
        prop_assert_eq!(read(&path), (records, 0));
        let kept = fs::read(path.with_file_name("r.damaged")).unwrap();
        prop_assert_eq!(kept, bytes);
    }
}
