//! Golden test of `docs/documents.md` and its Indonesian version.
//!
//! Each page is rendered from a template (`documents_page.md`, `documents_page.id.md`) in which
//! every number is an expression, and compared with the committed page. After an intended change:
//! `PAPAN_OVERWRITE=1 cargo test -p papan --test documents_page`. `PAPAN_5X5=1` also repeats the
//! proofs on 5x5.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use papan_rules::{Game, Grid, Line, Notation, Outcome, Player};
use papan_strategies::{BranchAndBound, Context, Strategy, Turn};
use serde_json::{Value, json};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Runs papan in the root of the project and returns its output.
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

/// The result of the proof for 5x5, which takes minutes and is only repeated on request.
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

/// Checks the recorded proof for 5x5: the sum of its results, and the lost game.
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
        let text = cell.as_str().expect("a move is text");
        let mv = game.parse_move(text).expect("a move");
        if game.turn(line.position()) == Player::Second {
            let mut choices = Vec::new();
            let asked = BranchAndBound::default()
                .choices(Turn::new(&game, &line, &Context::default()), &mut choices);
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

/// The words that expressions produce, and the separator of thousands.
#[derive(Clone, Copy)]
struct Language {
    yes: &'static str,
    no: &'static str,
    first: &'static str,
    second: &'static str,
    never_loses: &'static str,
    loses: &'static str,
    thousands: char,
}

const ENGLISH: Language = Language {
    yes: "yes",
    no: "**no**",
    first: "first",
    second: "second",
    never_loses: "never loses",
    loses: "loses",
    thousands: ',',
};

const INDONESIAN: Language = Language {
    yes: "ya",
    no: "**tidak**",
    first: "pertama",
    second: "kedua",
    never_loses: "tidak pernah kalah",
    loses: "kalah",
    thousands: '.',
};

struct Page {
    language: Language,
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
                let language = self.language;
                language.number(&self.proof(game, strategy, seat)[field])
            }
            ["yes", game, strategy, seat] => {
                match self.proof(game, strategy, seat)["verdict"].as_str() {
                    Some("never-loses") => self.language.yes.into(),
                    _ => self.language.no.into(),
                }
            }
            ["row", game, strategy, seat] => {
                let language = self.language;
                language.row(self.proof(game, strategy, seat), seat)
            }
            ["count", game, path] => self.language.pointed(&["count", game, "--json"], path),
            ["missed", strategy, field] => {
                let arguments = ["prove", "tictactoe", strategy, "--missed-wins", "--json"];
                self.language.pointed(&arguments, field)
            }
            ["nodes", strategy] => {
                let found = papan_json(&["explain", "tictactoe", "--strategy", strategy, "--json"]);
                self.language.number(&found["nodes"])
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
            ["minimize", file, path] => self
                .language
                .pointed(&["automaton", "minimize", file, "--json"], path),
            ["rotation", file, path] => self.language.pointed(
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

impl Language {
    fn pointed(self, arguments: &[&str], path: &str) -> String {
        let pointer = format!("/{}", path.replace('.', "/"));
        self.number(
            papan_json(arguments)
                .pointer(&pointer)
                .expect("such a field"),
        )
    }

    /// Formats digits in groups of three.
    fn grouped(self, digits: &str) -> String {
        let mut text = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(self.thousands);
            }
            text.push(digit);
        }
        text
    }

    fn number(self, value: &Value) -> String {
        match value {
            Value::Array(moves) => {
                let moves: Vec<&str> = moves.iter().filter_map(Value::as_str).collect();
                moves.join(" ")
            }
            Value::String(text) => self.grouped(text),
            other => self.grouped(&other.to_string()),
        }
    }

    fn row(self, proof: &Value, seat: &str) -> String {
        let seat = if seat == "first" {
            self.first
        } else {
            self.second
        };
        let mut cells = vec![seat.to_owned()];
        let counts = ["lines", "wins", "draws", "losses", "positions"];
        cells.extend(counts.map(|field| self.number(&proof[field])));
        cells.push(match proof["losing_line"].as_array() {
            None => self.never_loses.into(),
            Some(line) => {
                let moves: Vec<&str> = line.iter().filter_map(Value::as_str).collect();
                format!("{}: `{}`", self.loses, moves.join(" "))
            }
        });
        format!("| {} |", cells.join(" | "))
    }
}

/// Numbers that no single command prints.
fn facts() -> HashMap<&'static str, String> {
    let mut facts = HashMap::new();
    let nine: u64 = (1..=9).step_by(2).product();
    facts.insert("nine-lines", nine.to_string());
    let automaton = papan_json(&["prove", "tictactoe", "automaton", "--as", "first", "--json"]);
    let lines = automaton["lines"].as_u64().expect("a count");
    facts.insert("corner-lines", (lines / 4).to_string());
    let file = "data/automata/document-000-as-printed.txt";
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

fn compare(template: &str, language: Language, page: &str) {
    let mut values = Page {
        language,
        proofs: HashMap::new(),
        facts: HashMap::new(),
    };
    let mut rendered = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (expression, after) = after.split_once("}}").expect("an expression ends");
        rendered.push_str(before);
        rendered.push_str(&values.evaluate(expression));
        rest = after;
    }
    rendered.push_str(rest);
    let path = root().join(page);
    if std::env::var_os("PAPAN_OVERWRITE").is_some() {
        std::fs::write(&path, &rendered).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).expect("there is a page");
    for (number, (on_page, found)) in written.lines().zip(rendered.lines()).enumerate() {
        assert_eq!(on_page, found, "{page}, line {}", number + 1);
    }
    assert_eq!(written, rendered);
}

#[test]
fn every_number_on_the_page_is_computed_by_papan() {
    let template = include_str!("documents_page.md");
    compare(template, ENGLISH, "docs/documents.md");
}

#[test]
fn every_number_on_the_indonesian_page_is_computed_by_papan() {
    let template = include_str!("documents_page.id.md");
    compare(template, INDONESIAN, "docs/id/documents.md");
}
