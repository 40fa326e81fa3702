//! `docs/documents.md` says what papan says. The page is rendered from
//! `documents_page.md`, in which every number is an expression, and compared.
//! After a change that is meant: `PAPAN_OVERWRITE=1 cargo test -p papan --test
//! documents_page`. With `PAPAN_5X5=1` the 5x5 board is proved again, too.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;

use papan_rules::{Game, Grid, Line, Move, Outcome, Player, Symmetric, tictactoe};
use papan_strategies::{BranchAndBound, Context, Minimax, Prefer, Strategy};
use serde_json::{Value, json};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// What papan prints, run from the root of the project.
fn papan(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args(arguments)
        .current_dir(root())
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("papan runs");
    assert_ne!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("papan prints UTF-8")
}

fn papan_json(arguments: &[&str]) -> Value {
    serde_json::from_str(&papan(arguments)).expect("--json prints JSON")
}

/// What a proof of 5x5 found: minutes of work, done again when asked for.
fn five_by_five(seat: &str) -> Value {
    let known = match seat {
        "first" => json!({
            "lines": 1_200_691_749_320_u64, "wins": 31_974_482_424_u64,
            "draws": 1_168_717_266_896_u64, "losses": 0, "positions": 282_640_270,
            "verdict": "never-loses", "losing_line": null,
        }),
        _ => json!({
            "lines": 5_781_790_705_685_u64, "wins": 150_150_068_772_u64,
            "draws": 5_631_640_618_713_u64, "losses": 18_200, "positions": 544_570_676,
            "verdict": "can-lose",
            "losing_line": "2 1 14 4 13 12 16 11 21 17 25 5 8 7 24 9 18 19 23 3 22".split(' ').collect::<Vec<_>>(),
        }),
    };
    witness(&known);
    if std::env::var_os("PAPAN_5X5").is_some() {
        let game = "tictactoe:5x5";
        let found = papan_json(&["prove", game, "branch-and-bound", "--as", seat, "--json"]);
        for (field, value) in known.as_object().expect("an object") {
            assert_eq!(found[field], *value, "5x5 as {seat}: {field}");
        }
    }
    known
}

/// What can be seen at once of a proof of 5x5: its sum, and the game that was lost.
fn witness(proof: &Value) {
    let count = |field: &str| proof[field].as_u64().expect("a count");
    assert_eq!(
        count("lines"),
        count("wins") + count("draws") + count("losses")
    );
    let Some(moves) = proof["losing_line"].as_array() else {
        return;
    };
    let game = Grid::<u64>::new(&[5, 5], 5).expect("a board");
    let mut line = Line::new(&game);
    for cell in moves {
        let mv = Move::on(cell.as_u64().expect("a cell") as usize - 1);
        if game.turn(line.position()) == Player::Second {
            let mut choices = Vec::new();
            let asked =
                BranchAndBound.choices(&game, &line, &Context::default(), &mut choices);
            asked.expect("it always answers");
            assert!(choices.contains(&mv), "it would not play {cell}");
        }
        line.push(&game, mv);
    }
    assert_eq!(
        game.outcome(line.position()),
        Some(Outcome::Win(Player::First))
    );
}

#[derive(Default)]
struct Page {
    proofs: HashMap<(String, String, String), Value>,
    facts: HashMap<&'static str, String>,
}

impl Page {
    fn proof(&mut self, game: &str, strategy: &str, seat: &str) -> &Value {
        let key = (game.to_owned(), strategy.to_owned(), seat.to_owned());
        self.proofs.entry(key).or_insert_with(|| {
            if game == "tictactoe:5x5" {
                return five_by_five(seat);
            }
            papan_json(&["prove", game, strategy, "--as", seat, "--json"])
        })
    }

    fn evaluate(&mut self, expression: &str) -> String {
        let words: Vec<&str> = expression.split(' ').collect();
        match words[..] {
            ["prove", game, strategy, seat, field] => {
                number(&self.proof(game, strategy, seat)[field])
            }
            ["yes", game, strategy, seat] => {
                match self.proof(game, strategy, seat)["verdict"].as_str() {
                    Some("never-loses") => "yes".into(),
                    _ => "**no**".into(),
                }
            }
            ["row", game, strategy, seat] => row(self.proof(game, strategy, seat), seat),
            ["nodes", strategy] => {
                let found = papan_json(&["explain", "tictactoe", "--strategy", strategy, "--json"]);
                number(&found["nodes"])
            }
            ["check", file, "rows"] => {
                papan_json(&["automaton", "check", file, "--json"])["rows"].to_string()
            }
            ["check", file, "findings"] => {
                let found = papan_json(&["automaton", "check", file, "--json"]);
                found["findings"]
                    .as_array()
                    .expect("findings")
                    .len()
                    .to_string()
            }
            ["minimize", file, path] => minimized(&["automaton", "minimize", file, "--json"], path),
            ["rotation", file, path] => minimized(
                &["automaton", "minimize", file, "--json", "--rotation"],
                path,
            ),
            ["smallest", seat] => {
                let mut arguments = vec!["automaton", "smallest", "--as", seat];
                if seat == "first" {
                    arguments.extend(["--opening", "5"]);
                }
                let list = papan(&arguments);
                (list.lines().count() - 2).to_string()
            }
            ["fact", name] => {
                if self.facts.is_empty() {
                    self.facts = facts();
                }
                self.facts[name].clone()
            }
            _ => panic!("no such expression: {expression}"),
        }
    }
}

fn minimized(arguments: &[&str], path: &str) -> String {
    let pointer = format!("/{}", path.replace('.', "/"));
    number(
        papan_json(arguments)
            .pointer(&pointer)
            .expect("such a field"),
    )
}

/// Digits in groups of three.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn number(value: &Value) -> String {
    match value {
        Value::String(text) => grouped(text),
        other => grouped(&other.to_string()),
    }
}

fn row(proof: &Value, seat: &str) -> String {
    let mut cells = vec![seat.to_owned()];
    cells.extend(["lines", "wins", "draws", "losses", "positions"].map(|f| number(&proof[f])));
    cells.push(match proof["losing_line"].as_array() {
        None => "never loses".into(),
        Some(line) => {
            let moves: Vec<&str> = line.iter().filter_map(Value::as_str).collect();
            format!("loses: `{}`", moves.join(" "))
        }
    });
    format!("| {} |", cells.join(" | "))
}

/// What no command prints as one number, from the rules and strategies.
fn facts() -> HashMap<&'static str, String> {
    let mut facts = HashMap::new();
    let nine: u64 = (1..=9).step_by(2).product();
    facts.insert("nine-lines", nine.to_string());
    let automaton = papan_json(&["prove", "tictactoe", "automaton", "--as", "first", "--json"]);
    let lines = automaton["lines"].as_u64().expect("a count");
    facts.insert("corner-lines", (lines / 4).to_string());
    endings(&mut facts);
    declined(&mut facts);
    let file = "automata/document-000-as-printed.txt";
    let printed = papan_json(&["automaton", "check", file, "--json"]);
    let count = |kind: &str| {
        let all = printed["findings"].as_array().expect("findings");
        all.iter().filter(|f| f["kind"] == kind).count().to_string()
    };
    facts.insert("printed-flags", count("untrue-flag"));
    facts.insert("printed-missing", count("missing-inputs"));
    facts.insert("printed-repeats", count("repeats"));
    facts
}

/// Finished positions up to symmetry.
fn endings(facts: &mut HashMap<&'static str, String>) {
    let game = tictactoe();
    let mut seen = HashSet::new();
    let mut open = vec![game.start()];
    let mut counts = HashMap::new();
    while let Some(pos) = open.pop() {
        let (representative, _) = game.canonical(&pos);
        if !seen.insert(representative) {
            continue;
        }
        if let Some(outcome) = game.outcome(&pos) {
            *counts.entry(outcome).or_insert(0) += 1;
        }
        open.extend(game.legal_moves(&pos).map(|mv| {
            let mut next = pos;
            game.play_unchecked(&mut next, mv);
            next
        }));
    }
    let total: i32 = counts.values().sum();
    facts.insert("endings", total.to_string());
    for (name, outcome) in [
        ("endings-first", Outcome::Win(Player::First)),
        ("endings-second", Outcome::Win(Player::Second)),
        ("endings-drawn", Outcome::Draw),
    ] {
        facts.insert(name, counts[&outcome].to_string());
    }
}

/// Positions in which minimax lets an immediate win pass.
fn declined(facts: &mut HashMap<&'static str, String>) {
    let game = tictactoe();
    let mut seen = HashSet::new();
    let mut open = std::collections::VecDeque::from([Line::new(&game)]);
    let (mut winnable, mut declined, mut shortest) = (0, 0, 0);
    let mut first: Option<String> = None;
    while let Some(line) = open.pop_front() {
        let pos = *line.position();
        if game.outcome(&pos).is_some() || !seen.insert(pos) {
            continue;
        }
        let wins = game.completing_cells(&pos, game.turn(&pos));
        if wins != 0 {
            winnable += 1;
            let takes = |prefer: Prefer| {
                let mut minimax = Minimax {
                    prefer,
                    ..Minimax::default()
                };
                let mut out = Vec::new();
                let asked = minimax.choices(&game, &line, &Context::default(), &mut out);
                asked.expect("minimax always answers");
                out[0].cell().is_some_and(|cell| wins >> cell & 1 == 1)
            };
            if !takes(Prefer::First) {
                declined += 1;
                first.get_or_insert_with(|| line.text(&game));
            }
            shortest += i32::from(!takes(Prefer::Shortest));
        }
        for mv in game.legal_moves(&pos) {
            let mut next = line.clone();
            next.push(&game, mv);
            open.push_back(next);
        }
    }
    facts.insert("winnable", grouped(&winnable.to_string()));
    facts.insert("declined", grouped(&declined.to_string()));
    facts.insert("declined-shortest", shortest.to_string());
    facts.insert("declined-line", first.expect("there is such a game"));
}

#[test]
fn every_number_on_the_page_is_what_papan_finds() {
    let template = include_str!("documents_page.md");
    let mut page = Page::default();
    let mut rendered = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (expression, after) = after.split_once("}}").expect("an expression ends");
        rendered.push_str(before);
        rendered.push_str(&page.evaluate(expression));
        rest = after;
    }
    rendered.push_str(rest);
    let path = root().join("docs/documents.md");
    if std::env::var_os("PAPAN_OVERWRITE").is_some() {
        std::fs::write(&path, &rendered).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).expect("there is a page");
    for (number, (on_page, found)) in written.lines().zip(rendered.lines()).enumerate() {
        assert_eq!(on_page, found, "docs/documents.md, line {}", number + 1);
    }
    assert_eq!(written, rendered);
}
