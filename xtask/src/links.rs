//! Checks the relative links of all documentation pages, including their anchors.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context as _, bail};
use regex::Regex;

use crate::command::{command, root};

/// A link and the line it is on.
#[derive(Debug, PartialEq, Eq)]
struct Link {
    line: usize,
    target: String,
}

/// Returns the lines of a page outside fenced code blocks, with their numbers.
fn text_lines(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    (1..).zip(page.lines()).filter(move |(_, line)| {
        let trimmed = line.trim_start();
        let marker = ["```", "~~~"].into_iter().find(|m| trimmed.starts_with(m));
        match (fence, marker) {
            (None, Some(marker)) => {
                fence = Some(marker);
                false
            }
            (Some(open), Some(marker)) if open == marker => {
                fence = None;
                false
            }
            (open, _) => open.is_none(),
        }
    })
}

/// Returns the inline links and the link definitions of a page.
fn links(page: &str) -> Vec<Link> {
    static CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new("`[^`]*`").expect("a valid regex"));
    static LINK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)"#)
            .expect("a valid regex")
    });
    let mut links = Vec::new();
    for (line, text) in text_lines(page) {
        let text = CODE.replace_all(text, "``");
        for found in LINK.captures_iter(&text) {
            let target = found.get(1).or_else(|| found.get(2));
            links.extend(target.map(|target| Link {
                line,
                target: target.as_str().to_owned(),
            }));
        }
    }
    links
}

/// Returns the anchors of a page: the slugs of its headings as GitHub and mdBook generate them,
/// and explicit ids.
fn anchors(page: &str) -> HashSet<String> {
    static HEADING: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^#{1,6}\s+(.*?)\s*#*$").expect("a valid regex"));
    static LINK_TEXT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\[([^\]]*)\]\([^)]*\)").expect("a valid regex"));
    static ID: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"\b(?:id|name)="([^"]+)""#).expect("a valid regex"));
    let mut anchors = HashSet::new();
    let mut repetitions: HashMap<String, usize> = HashMap::new();
    for (_, line) in text_lines(page) {
        for id in ID.captures_iter(line) {
            anchors.insert(id[1].to_owned());
        }
        let Some(heading) = HEADING.captures(line) else {
            continue;
        };
        let slug = slug(&LINK_TEXT.replace_all(&heading[1], "$1"));
        let count = repetitions.entry(slug.clone()).or_insert(0);
        anchors.insert(match *count {
            0 => slug,
            count => format!("{slug}-{count}"),
        });
        *count += 1;
    }
    anchors
}

fn slug(heading: &str) -> String {
    heading
        .chars()
        .filter_map(|c| match c {
            _ if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
            _ if c.is_whitespace() => Some('-'),
            _ => None,
        })
        .collect()
}

/// Resolves `.` and `..` in a path without accessing the file system.
fn normalize(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// Returns the broken links of pages, which are given by their path in the repository. `exists`
/// decides about files that are not pages.
fn broken_links(pages: &BTreeMap<PathBuf, String>, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let anchors: BTreeMap<&Path, HashSet<String>> = pages
        .iter()
        .map(|(path, page)| (path.as_path(), anchors(page)))
        .collect();
    let mut broken = Vec::new();
    for (path, page) in pages {
        for Link { line, target } in links(page) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let linked = if file.is_empty() {
                path.clone()
            } else {
                normalize(&path.parent().unwrap_or(Path::new("")).join(file))
            };
            let place = format!("{}:{line}: {target}", path.display());
            match anchors.get(linked.as_path()) {
                Some(anchors) if anchor.is_empty() || anchors.contains(anchor) => {}
                Some(_) => broken.push(format!("{place}: no such anchor")),
                None if exists(&linked) => {}
                None => broken.push(format!("{place}: no such file")),
            }
        }
    }
    broken
}

/// Checks all tracked Markdown pages.
pub(crate) fn check() -> anyhow::Result<()> {
    let files = command("git", &["ls-files", "*.md"]).output()?;
    let mut pages = BTreeMap::new();
    for path in String::from_utf8(files.stdout)?.lines() {
        // Templates of pages link relative to the page that is rendered from them.
        if path.starts_with("docs/") || !path.contains('/') {
            let page = std::fs::read_to_string(root().join(path)).context(path.to_owned())?;
            pages.insert(PathBuf::from(path), page);
        }
    }
    let broken = broken_links(&pages, |path| root().join(path).exists());
    if !broken.is_empty() {
        bail!("broken links:\n{}", broken.join("\n"));
    }
    println!("links: {} pages checked", pages.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(texts: &[(&str, &str)]) -> BTreeMap<PathBuf, String> {
        let page = |(path, text): &(&str, &str)| (PathBuf::from(path), (*text).to_owned());
        texts.iter().map(page).collect()
    }

    #[test]
    fn links_in_code_are_ignored() {
        let page = "[a](b.md) and `[c](d)`\n```\n[e](f)\n```\n[g]: h.md\n![i](<j.png> \"k\")\n";
        let targets: Vec<String> = links(page).into_iter().map(|link| link.target).collect();
        assert_eq!(targets, ["b.md", "h.md", "j.png"]);
    }

    #[test]
    fn headings_have_the_slugs_of_github() {
        let page = "# A `b` and C: [d](e)!\n## Again\n## Again\n<a id=\"x\"></a>\n```\n# no\n```\n";
        let mut found: Vec<String> = anchors(page).into_iter().collect();
        found.sort();
        assert_eq!(found, ["a-b-and-c-d", "again", "again-1", "x"]);
    }

    #[test]
    fn missing_files_and_anchors_are_broken() {
        let pages = pages(&[
            ("README.md", "[a](docs/a.md#one) [b](docs/b.md) [c](x.png)"),
            (
                "docs/a.md",
                "# One\n[up](../README.md) [no](#two) [web](https://a.b/c)",
            ),
        ]);
        let broken = broken_links(&pages, |path| path == Path::new("x.png"));
        assert_eq!(
            broken,
            [
                "README.md:1: docs/b.md: no such file",
                "docs/a.md:2: #two: no such anchor"
            ]
        );
    }
}
