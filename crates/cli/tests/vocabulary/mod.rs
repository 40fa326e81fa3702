//! English words in Indonesian output.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::desk::root;

/// Short words of English sentences. One of them may be a name; two in a line are a sentence.
const SHORT: [&str; 4] = ["is", "of", "by", "no"];

/// English words that papan's commands, options and data have as names.
const ALLOWED: [&str; 35] = [
    "always",
    "answers",
    "any",
    "book",
    "build",
    "check",
    "compile",
    "computer",
    "completions",
    "convert",
    "copy",
    "corrected",
    "counted",
    "expert",
    "explain",
    "force",
    "frames",
    "generate",
    "grade",
    "league",
    "lookup",
    "make",
    "man",
    "minimize",
    "need",
    "never",
    "play",
    "points",
    "proof",
    "queens",
    "run",
    "serve",
    "smallest",
    "strategies",
    "submissions",
];

/// Minimum length of a word that is English by itself.
const MIN_LENGTH: usize = 3;

fn text(name: &str) -> String {
    let path = root().join("crates/view/locales").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the words of a text, without code in back quotes and without placeholders.
fn words(text: &str) -> BTreeSet<String> {
    let prose: String = text.split('`').step_by(2).collect();
    let prose: String = prose
        .split('{')
        .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest))
        .collect::<Vec<_>>()
        .join(" ");
    let words = prose.split(|c: char| !c.is_ascii_alphabetic());
    let long = words.filter(|word| word.len() >= MIN_LENGTH);
    long.map(str::to_lowercase).collect()
}

/// Returns the texts of a Fluent file, without the names of the messages.
fn messages(name: &str) -> String {
    let text = text(name);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let values = lines.map(|line| line.split_once(" = ").map_or(line, |(_, value)| value));
    values.collect::<Vec<_>>().join("\n")
}

/// Returns the words of papan's English texts that its Indonesian ones do not have.
fn english() -> &'static BTreeSet<String> {
    static ENGLISH: OnceLock<BTreeSet<String>> = OnceLock::new();
    ENGLISH.get_or_init(|| {
        let phrases = text("phrases.id.txt");
        let pairs = phrases
            .split("\n\n")
            .filter_map(|pair| pair.trim_matches('\n').split_once('\n'));
        let (mut english, mut indonesian) = (messages("en.ftl"), messages("id.ftl"));
        for (from, to) in pairs {
            english += &format!("\n{from}");
            indonesian += &format!("\n{to}");
        }
        let mut found = &words(&english) - &words(&indonesian);
        found.retain(|word| !ALLOWED.contains(&word.as_str()));
        found
    })
}

/// Returns whether a line has an English word. Code in back quotes, quotations of the user's words,
/// placeholders, values that an option can have, JSON, comments of files, words in capitals and the log
/// of a server do not count.
fn is_english(line: &str) -> bool {
    if line.contains("Z  INFO ")
        || line
            .trim_start()
            .starts_with(['{', '[', '#', '"', '(', '<', '.'])
    {
        return false;
    }
    let prose: String = line.split('`').step_by(2).collect();
    let prose: String = prose.split(['“', '”', '"', '{', '}']).step_by(2).collect();
    let value = prose
        .trim_start()
        .trim_start_matches('\\')
        .strip_prefix("- ");
    let about = value.and_then(|value| value.split_once(": "));
    let prose = about.map_or(&*prose, |(_, about)| about);
    let is_code = |c: char| c.is_alphanumeric() || "-=_./:'@".contains(c);
    let words = prose.split(|c: char| !is_code(c));
    let words: Vec<&str> = words
        .map(|word| word.trim_end_matches([':', '.']))
        .collect();
    let is_word = |word: &&&str| english().contains(&word.to_lowercase());
    let is_capital = |word: &str| word.chars().all(|c| c.is_ascii_uppercase());
    let short = words.iter().filter(|word| SHORT.contains(word)).count();
    short >= 2 || words.iter().filter(is_word).any(|word| !is_capital(word))
}

/// Returns the lines of a text that are English.
pub(crate) fn english_lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| is_english(line)).collect()
}

#[test]
fn short_english_errors_are_found() {
    assert!(english().len() > 800, "{}", english().len());
    for line in [
        "expected a cell",
        "galat: could not write",
        "x.txt: could not write: cannot create it",
        "tests.toml: unknown field `memori`",
    ] {
        assert_eq!(english_lines(line), [line]);
    }
    for line in [
        "galat: x.txt: berkas tidak ada",
        "  check        Memeriksa sertifikat",
        "Pemakaian: papan play [OPSI] [GAME]",
        "`the cell` adalah kode",
        "minimax(depth=3) sebagai pemain pertama di tictactoe: tidak pernah kalah",
    ] {
        assert!(english_lines(line).is_empty(), "{line}");
    }
}

/// One word for a cell and one for a line of play, in the program and in the book.
#[test]
fn indonesian_texts_use_one_word_for_one_thing() {
    let mut pages = vec![("id.ftl".to_owned(), messages("id.ftl"))];
    pages.push(("phrases".into(), text("phrases.id.txt")));
    for entry in std::fs::read_dir(root().join("docs/id")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        pages.push((path.display().to_string(), text));
    }
    assert!(pages.len() > 8);
    for (name, text) in &pages {
        for line in text.lines() {
            // Characters that draw boxes.
            let line = line.to_lowercase().replace("karakter kotak", "");
            let words: Vec<&str> = line.split(|c: char| !c.is_alphabetic()).collect();
            for word in ["kotak", "kotaknya", "petak", "petaknya"] {
                assert!(!words.contains(&word), "{name}: a cell is `sel`: {line}");
            }
            let is_other = line.contains("jalur permainan");
            assert!(
                !is_other,
                "{name}: a line of play is `jalan permainan`: {line}"
            );
        }
    }
}
