//! Checks the commands on all documentation pages.
//! The commands of `console` blocks are run in the root of the repository (in a copy, where they
//! may write) and must print the text of the block. Commands in `sh` blocks and in code spans must
//! only parse. After an intended change run `PAPAN_OVERWRITE=1 cargo nextest run -p papan --test
//! pages`.
// Commands of pages are run by a shell.
#![cfg(unix)]

mod desk;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use desk::{Desk, root};

/// Marks blocks whose commands may fail: ```` ```console mistakes ````.
const MISTAKES: &str = "```console mistakes";

/// Adds the Markdown files below a folder.
fn add_markdown(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of pages") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add_markdown(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

/// The book and the pages at the root, without the changelog, which names commands in part.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    add_markdown(&root().join("docs"), &mut pages);
    for name in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "RELEASE.md",
    ] {
        pages.push(root().join(name));
    }
    pages.sort();
    pages
}

/// Returns the page with the actual output, and its errors.
fn rendered(page: &str) -> (String, Vec<String>) {
    let desk = Desk::new();
    let mut text = String::new();
    let mut wrong = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(text, "{line}");
        let Some(kind) = line.strip_prefix("```") else {
            // Every second part is a code span; `…` marks an abbreviated one.
            let spans = line.split('`').skip(1).step_by(2);
            let whole = spans.filter(|span| !span.contains(['…', '|']));
            shown(&desk, &whole.collect::<Vec<_>>(), &mut wrong);
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
        if kind.starts_with("console") {
            console(&desk, &block, line == MISTAKES, &mut text, &mut wrong);
        } else {
            if kind == "sh" || kind.is_empty() {
                shown(&desk, &block, &mut wrong);
            }
            text.extend(block.iter().flat_map(|line| [line, "\n"]));
        }
        text.push_str("```\n");
    }
    (text, wrong)
}

/// Runs the commands of a block and writes each with its output.
fn console(
    desk: &Desk,
    block: &[&str],
    mistakes: bool,
    text: &mut String,
    wrong: &mut Vec<String>,
) {
    let commands: Vec<&str> = block.iter().filter_map(|l| l.strip_prefix("$ ")).collect();
    for (place, command) in commands.iter().enumerate() {
        let (printed, code) = desk.run(command);
        if place > 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "$ {command}");
        let printed = printed.trim_end();
        for line in printed.lines() {
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if code != 0 {
            let _ = writeln!(text, "[exit code {code}]");
        }
        // 1 (negative answer) and 3 (undecided) are valid results.
        if ![0, 1, 3].contains(&code) && !mistakes {
            wrong.push(format!("`{command}` fails: {printed}"));
        }
    }
}

/// Checks that a command that is not run can be parsed.
fn shown(desk: &Desk, block: &[&str], wrong: &mut Vec<String>) {
    for line in block.iter().filter(|line| line.starts_with("papan ")) {
        let ends = [" #", " <", " >", " |"];
        let end = ends.iter().filter_map(|end| line.find(end)).min();
        let command = line[..end.unwrap_or(line.len())].trim_end();
        // clap parses the arguments before `--help`, and nothing runs.
        let (printed, code) = desk.run(&format!("{command} --help"));
        if code != 0 {
            wrong.push(format!("`{command}` is no command: {printed}"));
        }
    }
}

#[test]
fn every_page_shows_what_papan_prints() {
    let overwrite = std::env::var_os("PAPAN_OVERWRITE").is_some();
    let check = |path: &PathBuf| {
        let written = std::fs::read_to_string(path).expect("a page");
        let (found, mut wrong) = rendered(&written);
        if overwrite {
            std::fs::write(path, &found).expect("the page can be written");
        } else if let Some((line, (shown, printed))) = (1..)
            .zip(written.lines().zip(found.lines()))
            .find(|(_, (shown, printed))| shown != printed)
        {
            wrong.push(format!("line {line} shows\n{shown}\nnot\n{printed}"));
        } else if written != found {
            wrong.push(format!(
                "{} lines, not {}",
                written.lines().count(),
                found.lines().count()
            ));
        }
        let name = path.strip_prefix(root()).expect("a page of ours").display();
        wrong
            .iter()
            .map(|fault| format!("{name}: {fault}"))
            .collect::<Vec<_>>()
    };
    let pages = pages();
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let checks: Vec<_> = pages
            .iter()
            .map(|page| scope.spawn(|| check(page)))
            .collect();
        let found = checks
            .into_iter()
            .flat_map(|check| check.join().expect("a page is read"));
        found.collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_page_that_shows_its_own_failure_is_found() {
    let (_, wrong) = rendered("```console\n$ papan automaton check no-such-file\n```\n");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    let (_, wrong) = rendered("```sh\npapan prove tictactoe minimax --no-such-option # why\n```\n");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    let (text, wrong) = rendered("```console mistakes\n$ papan list --no-such-option\n```\n");
    assert!(wrong.is_empty() && text.contains("[exit code 2]"), "{text}");
}

/// The chapters of the book under a heading of its summary.
fn chapters(summary: &str, heading: &str) -> Vec<String> {
    let part = summary
        .split(&format!("# {heading}\n"))
        .nth(1)
        .expect("the part");
    let part = part.split("\n# ").next().expect("the part");
    let links = part.split("](").skip(1);
    links
        .filter_map(|link| link.split_once(".md)").map(|(name, _)| name.to_owned()))
        .collect()
}

/// Returns the number of headings of a page, outside of its blocks.
fn headings(page: &Path) -> usize {
    let text =
        std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let prose = text.split("```").step_by(2);
    let lines = prose.flat_map(str::lines);
    lines.filter(|line| line.starts_with('#')).count()
}

/// The pages of the Python package, whose names, docstrings and errors are English: `id/python.md` is an
/// introduction.
const ENGLISH_ONLY: [&str; 2] = ["python", "python-api"];

#[test]
fn every_page_of_learn_has_an_indonesian_one_with_as_many_headings() {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("the summary");
    let indonesian = chapters(&summary, "Bahasa Indonesia");
    let mut learn = chapters(&summary, "Learn");
    learn.push("tour".into());
    learn.retain(|page| !ENGLISH_ONLY.contains(&page.as_str()));
    assert!(learn.len() >= 7, "{learn:?}");
    for page in learn {
        let translated = format!("id/{page}");
        assert!(
            indonesian.contains(&translated),
            "{translated} is not in the summary"
        );
        let count = |name: &str| headings(&docs.join(format!("{name}.md")));
        assert_eq!(
            count(&translated),
            count(&page),
            "{translated} beside {page}"
        );
    }
}
