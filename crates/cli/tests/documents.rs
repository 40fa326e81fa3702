//! Every command shown in the README and in the docs prints what is shown there.
//! After a change that is meant: `TRYCMD=overwrite cargo test -p papan --test documents`.

#[test]
fn the_documentation_shows_what_papan_prints() {
    trycmd::TestCases::new()
        .env("LANG", "C.UTF-8")
        .env("LC_ALL", "C.UTF-8")
        .env("NO_COLOR", "1")
        .case("../../README.md");
}
