//! Checks comments and documentation for phrases that plain technical English avoids.
//!
//! Nine patterns find a private dialect: indefinite people as subjects, clauses used as nouns,
//! unspecific amounts. Their frequency per 10,000 words is measured for every crate and page. The
//! code bases that serve as models have fewer than 8.
//!
//! Quotations and false positives are listed in `xtask/prose-allow.txt`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context as _, bail};
use regex::Regex;

use crate::command::{command, root};

/// Whether a violation fails the check, or is only printed.
const ENFORCE: bool = true;
/// Maximum frequency in the whole repository, per 10,000 words.
const MAX_TOTAL: f64 = 8.0;
/// Maximum frequency in a crate or page.
const MAX_GROUP: f64 = 15.0;
/// Number of matching lines to print.
const MAX_PRINTED: usize = 40;

const ALLOW_LIST: &str = "xtask/prose-allow.txt";

/// A phrase. The regex crate has no look-ahead, so exceptions are matched against the text that
/// follows.
struct Pattern {
    name: &'static str,
    phrase: Regex,
    /// No match if this matches directly after the phrase.
    unless_followed_by: Option<Regex>,
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let regex = |text: &str| Regex::new(text).expect("the patterns are valid");
    let pattern = |name, phrase: &str| Pattern {
        name,
        phrase: regex(phrase),
        unless_followed_by: None,
    };
    let with_exception = |name, phrase: &str, exception: &str| Pattern {
        unless_followed_by: Some(regex(exception)),
        ..pattern(name, phrase)
    };
    vec![
        pattern(
            "indefinite people",
            r"\b(whoever|nobody|somebody|anybody|everybody)\b",
        ),
        // Questions are allowed.
        with_exception(
            "clause as noun",
            r"\b[Ww]hat (is|was|are|were|it|they|he|a|an|the|comes|came|stands|belongs|has|had|one|no|others?)\b",
            r"^[^.\n]*\?",
        ),
        with_exception(
            "so many",
            r"\b[Ss]o (many|much|long)\b",
            r"^ (as|that|longer)",
        ),
        pattern("told", r"\b(is|are|was|were) (told|said)\b"),
        pattern("stands", r"\b(stands|stood)\b"),
        pattern("goes on", r"\b(goes|gone|went) on\b"),
        pattern(
            "lots",
            r"\b(by lot|lots|drawn by lot|a lot (chose|chooses))\b",
        ),
        pattern("surer", r"\b(surer|bolder)\b"),
        pattern("too", r", too\b"),
    ]
});

impl Pattern {
    fn count(&self, text: &str) -> usize {
        let is_exception = |end: usize| {
            let exception = self.unless_followed_by.as_ref();
            exception.is_some_and(|exception| exception.is_match(&text[end..]))
        };
        self.phrase
            .find_iter(text)
            .filter(|found| !is_exception(found.end()))
            .count()
    }
}

/// Words and matches of a crate or page.
#[derive(Clone, Copy, Default)]
struct Frequency {
    words: usize,
    matches: usize,
}

impl Frequency {
    fn per_10_000(self) -> f64 {
        10_000.0 * self.matches as f64 / self.words.max(1) as f64
    }
}

/// Returns the lines of a file that are prose, with their numbers.
fn prose<'a>(path: &str, text: &'a str) -> Vec<(usize, &'a str)> {
    static RUST_COMMENT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"//[/!]?\s?(.*)").expect("a valid regex"));
    static SCRIPT_COMMENT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*(//|\*|/\*)").expect("a valid regex"));
    let lines = || (1..).zip(text.lines());
    let extension = Path::new(path).extension().and_then(|name| name.to_str());
    match extension {
        Some("rs") => lines()
            .filter_map(|(number, line)| {
                let comment = RUST_COMMENT.captures(line)?.get(1)?.as_str();
                Some((number, comment))
            })
            .collect(),
        Some("js" | "mjs" | "css") => lines()
            .filter(|(_, line)| SCRIPT_COMMENT.is_match(line))
            .collect(),
        Some("md" | "ftl" | "html") if !path.ends_with("id.ftl") => lines().collect(),
        _ => Vec::new(),
    }
}

/// Returns the crate of a file, or the file itself if it belongs to none.
fn group(path: &str) -> String {
    let mut parts = path.split('/');
    match (parts.next(), parts.next()) {
        (Some("crates"), Some(name)) => format!("crates/{name}"),
        (Some(name @ ("xtask" | "fuzz")), Some(_)) => name.to_owned(),
        _ => path.to_owned(),
    }
}

/// The allowed lines, and whether each was needed.
struct AllowList(Vec<(String, bool)>);

impl AllowList {
    /// Parses a list with a fragment and a reason on each line, separated by ` | `.
    fn parse(text: &str) -> anyhow::Result<Self> {
        let lines = text.lines().map(str::trim);
        let entries = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let fragment = |line: &str| {
            let (fragment, reason) = line
                .split_once(" | ")
                .with_context(|| format!("{ALLOW_LIST}: no reason in `{line}`"))?;
            anyhow::ensure!(!reason.trim().is_empty(), "{ALLOW_LIST}: `{line}`");
            Ok((fragment.trim().to_owned(), false))
        };
        Ok(Self(entries.map(fragment).collect::<anyhow::Result<_>>()?))
    }

    fn contains(&mut self, line: &str) -> bool {
        let entry = self.0.iter_mut().find(|(text, _)| line.contains(&**text));
        match entry {
            Some((_, is_used)) => {
                *is_used = true;
                true
            }
            None => false,
        }
    }

    fn unused(&self) -> impl Iterator<Item = &str> {
        let unused = self.0.iter().filter(|(_, is_used)| !is_used);
        unused.map(|(text, _)| text.as_str())
    }
}

/// The result of a check.
#[derive(Default)]
struct Report {
    groups: BTreeMap<String, Frequency>,
    /// Matching lines.
    hits: Vec<String>,
}

impl Report {
    fn add(&mut self, path: &str, text: &str, allowed: &mut AllowList) {
        let lines = prose(path, text);
        if lines.is_empty() {
            return;
        }
        let frequency = self.groups.entry(group(path)).or_default();
        for (number, line) in lines {
            frequency.words += words(line);
            for pattern in PATTERNS.iter() {
                let count = pattern.count(line);
                if count > 0 && !allowed.contains(line) {
                    frequency.matches += count;
                    let shown: String = line.trim().chars().take(140).collect();
                    self.hits
                        .push(format!("{path}:{number}: [{}] {shown}", pattern.name));
                }
            }
        }
    }

    fn total(&self) -> Frequency {
        let mut total = Frequency::default();
        for frequency in self.groups.values() {
            total.words += frequency.words;
            total.matches += frequency.matches;
        }
        total
    }

    /// Returns the limits that are exceeded.
    fn violations(&self) -> Vec<String> {
        let mut violations = Vec::new();
        let total = self.total().per_10_000();
        if total > MAX_TOTAL {
            violations.push(format!("repository: {total:.1} (maximum {MAX_TOTAL})"));
        }
        for (name, frequency) in &self.groups {
            let frequency = frequency.per_10_000();
            if frequency > MAX_GROUP {
                violations.push(format!("{name}: {frequency:.1} (maximum {MAX_GROUP})"));
            }
        }
        violations
    }
}

fn words(line: &str) -> usize {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '\'';
    let words = line.split(|c| !is_letter(c));
    words.filter(|word| !word.is_empty()).count()
}

/// Checks all tracked files.
pub(crate) fn check() -> anyhow::Result<()> {
    let list = std::fs::read_to_string(root().join(ALLOW_LIST)).context(ALLOW_LIST)?;
    let mut allowed = AllowList::parse(&list)?;
    let files = command("git", &["ls-files"]).output()?;
    let mut report = Report::default();
    for path in String::from_utf8(files.stdout)?.lines() {
        // Binary files and deleted ones have no prose.
        if let Ok(text) = std::fs::read_to_string(root().join(path)) {
            report.add(path, &text, &mut allowed);
        }
    }
    if let Some(fragment) = allowed.unused().next() {
        bail!("{ALLOW_LIST}: `{fragment}` matches nothing and can be removed");
    }
    let violations = report.violations();
    let mut text = String::new();
    if !violations.is_empty() {
        for hit in report.hits.iter().take(MAX_PRINTED) {
            let _ = writeln!(text, "{hit}");
        }
        let _ = writeln!(text, "matches per 10,000 words:");
        for violation in &violations {
            let _ = writeln!(text, "  {violation}");
        }
        if ENFORCE {
            bail!("prose:\n{text}");
        }
        print!("prose (warning):\n{text}");
    }
    let total = report.total();
    println!(
        "prose: {} matches, {:.1} per 10,000 words",
        total.matches,
        total.per_10_000()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(line: &str) -> Vec<&'static str> {
        let found = PATTERNS.iter().filter(|pattern| pattern.count(line) > 0);
        found.map(|pattern| pattern.name).collect()
    }

    #[test]
    fn every_pattern_finds_its_phrase() {
        for (line, name) in [
            ("Nothing that nobody reads", "indefinite people"),
            ("Returns what was found", "clause as noun"),
            ("After so many plies", "so many"),
            ("The caller is told", "told"),
            ("The table stands below", "stands"),
            ("The search goes on", "goes on"),
            ("A move is drawn by lot", "lots"),
            ("With a surer bound", "surer"),
            ("In the cache, too", "too"),
        ] {
            assert_eq!(matches(line), [name], "{line}");
        }
    }

    #[test]
    fn questions_and_comparisons_are_no_matches() {
        for line in [
            "What is the best move?",
            "so long as it runs",
            "so much that it matters",
            "Stores the bound; it is too deep",
        ] {
            assert_eq!(matches(line), [""; 0], "{line}");
        }
        assert_eq!(matches("What is this. Why?"), ["clause as noun"]);
    }

    #[test]
    fn only_comments_of_code_are_prose() {
        let text = "let nobody = 1; // somebody\n/// nobody\n";
        assert_eq!(
            prose("crates/a/src/b.rs", text),
            [(1, "somebody"), (2, "nobody")]
        );
        assert_eq!(
            prose("a.js", "nobody()\n  // nobody\n"),
            [(2, "  // nobody")]
        );
        assert!(prose("locales/id.ftl", "nobody").is_empty());
        assert!(prose("data.bin", "nobody").is_empty());
    }

    #[test]
    fn frequencies_are_summed_by_crate_and_allowed_lines_do_not_count() {
        let mut allowed = AllowList::parse("# list\n“nobody home” | a quotation\n").unwrap();
        let mut report = Report::default();
        report.add("crates/a/src/b.rs", "// nobody is here\n", &mut allowed);
        report.add("crates/a/src/c.rs", "// says “nobody home”\n", &mut allowed);
        report.add("docs/a.md", "one two\n", &mut allowed);
        assert_eq!(report.groups["crates/a"].matches, 1);
        assert_eq!(report.groups["crates/a"].words, 6);
        assert_eq!(report.groups["docs/a.md"].words, 2);
        assert_eq!(allowed.unused().count(), 0);
        assert_eq!(report.violations().len(), 2);
        assert!(AllowList::parse("no reason").is_err());
    }
}
