//! Every command shown in the README prints what is shown there. After a change
//! that is meant: `TRYCMD=overwrite cargo test -p papan --test documents`.

#[test]
fn the_documentation_shows_what_papan_prints() {
    let data = tempfile::tempdir().unwrap();
    trycmd::TestCases::new()
        .env("LANG", "C.UTF-8")
        .env("LC_ALL", "C.UTF-8")
        .env("NO_COLOR", "1")
        .env("PAPAN_DATA_DIR", data.path().display().to_string())
        .case("../../README.md");
    // The cases run when they are dropped, and need their folder until then.
    drop(data);
}
