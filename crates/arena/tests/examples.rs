//! The teaching example plays its match.

#[path = "../examples/run_match.rs"]
mod run_match;

#[test]
fn run_match_prints_a_score() {
    run_match::main().unwrap();
}
