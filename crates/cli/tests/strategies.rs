//! `docs/strategies.md` shows what its commands print. After a change that is meant:
//! `TRYCMD=overwrite cargo test -p papan --test strategies`.

#[test]
fn the_tournaments_of_the_documents_strategies_are_as_shown() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().display().to_string();
    trycmd::TestCases::new()
        .env("PAPAN_DATA_DIR", folder)
        .case("../../docs/strategies.md");
    // The cases run when they are dropped, and need their folder until then.
    drop(data);
}
