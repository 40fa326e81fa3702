//! Messages that builds for pages leave out are used by no crate that such a build contains.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Crates of the WebAssembly module without pages.
const MODULE: [&str; 10] = [
    "analysis",
    "catalog",
    "files",
    "mnk",
    "othello",
    "rules",
    "solve",
    "strategies",
    "view",
    "wasm",
];

/// Returns the keys of all messages.
fn keys() -> Vec<String> {
    let text = fs::read_to_string("locales/en.ftl").unwrap();
    let names = text.lines().filter(|line| !line.starts_with([' ', '#']));
    let names = names.filter_map(|line| Some(line.split_once(" =")?.0.to_owned()));
    names.collect()
}

/// Returns the keys that a list names. Every entry names some.
fn listed(file: &str) -> BTreeSet<String> {
    let keys = keys();
    let mut found = BTreeSet::new();
    for entry in fs::read_to_string(format!("locales/{file}"))
        .unwrap()
        .lines()
    {
        let before = found.len();
        found.extend(
            keys.iter()
                .filter(|key| match entry.strip_suffix('*') {
                    Some(start) => key.starts_with(start),
                    None => *key == entry,
                })
                .cloned(),
        );
        assert!(
            found.len() > before,
            "{file}: {entry} is no message, or listed twice"
        );
    }
    found
}

/// Returns the quoted words of all sources below a folder; `*` for what a format inserts.
fn literals(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            literals(&path, found);
            continue;
        }
        let is_source = path
            .extension()
            .is_some_and(|end| end == "rs" || end == "html" || end == "js");
        if !is_source {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let is_template = path.extension().is_some_and(|end| end == "html");
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            // Attributes of a template are quoted as well; messages are arguments.
            let words: Vec<&str> = if is_template {
                let arguments = line.split("(\"").skip(1);
                arguments
                    .filter_map(|rest| rest.split('"').next())
                    .collect()
            } else {
                line.split(['"', '\'', '`']).collect()
            };
            for word in words {
                let (mut pattern, mut depth) = (String::new(), 0);
                for letter in word.chars() {
                    match letter {
                        '{' => depth += 1,
                        '}' => {
                            depth -= 1;
                            pattern.push('*');
                        }
                        _ if depth == 0 => pattern.push(letter),
                        _ => {}
                    }
                }
                let is_key =
                    |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '*';
                // Keys have several words, and a format gives the last ones.
                let start = pattern.split('*').next().unwrap_or_default();
                let is_message = pattern.chars().all(is_key)
                    && start.starts_with(|c: char| c.is_ascii_lowercase())
                    && (start == pattern || start.contains('-'));
                if is_message {
                    found.insert(pattern);
                }
            }
        }
    }
}

/// Whether a pattern with `*` matches a key.
fn matches(pattern: &str, key: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == key,
        Some((start, rest)) => key.strip_prefix(start).is_some_and(|key| {
            (0..=key.len()).any(|at| key.is_char_boundary(at) && matches(rest, &key[at..]))
        }),
    }
}

fn assert_unused(list: &str, crates: &[&str]) {
    let mut used = BTreeSet::new();
    for name in crates {
        for folder in ["src", "templates", "assets", "site", "npm"] {
            literals(&Path::new("..").join(name).join(folder), &mut used);
        }
    }
    assert!(used.len() > 500, "the sources are found");
    let (plain, patterns): (BTreeSet<_>, BTreeSet<_>) =
        used.into_iter().partition(|word| !word.contains('*'));
    for key in listed(list) {
        assert!(!plain.contains(&key), "{list}: {key} is used");
        let pattern = patterns.iter().find(|pattern| matches(pattern, &key));
        assert!(pattern.is_none(), "{list}: {key} is used as {pattern:?}");
    }
}

#[test]
fn messages_of_programs_are_used_by_no_page() {
    assert_unused(
        "programs.txt",
        &[&MODULE[..], &["pages", "python"]].concat(),
    );
}

#[test]
fn messages_of_pages_are_used_by_no_other_crate_of_the_module() {
    let others = ["arena", "cli", "protocol", "python", "terminal"];
    assert_unused("pages.txt", &[&MODULE[..], &others].concat());
}
