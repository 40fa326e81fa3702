//! Tests of `papan store`.
// Needs the PostgreSQL of a Unix system.
#![cfg(unix)]
#![cfg(feature = "serve")]

mod machines;
#[path = "../../store/tests/postgres/mod.rs"]
mod postgres;

use machines::papan;
use postgres::Postgres;

#[test]
fn a_store_is_copied_by_one_command_and_a_missing_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let from = format!("sqlite:{}", folder.path().join("none.sqlite").display());
    let refused = papan(&["store", "copy", &from, &url]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("no such file"), "{said}");
    let to = format!("sqlite:{}", folder.path().join("to.sqlite").display());
    let copied = papan(&["store", "copy", &url, &to]).output().unwrap();
    assert!(copied.status.success(), "{copied:?}");
    let copied = String::from_utf8_lossy(&copied.stdout).into_owned();
    assert!(copied.starts_with("games "), "{copied}");
}
