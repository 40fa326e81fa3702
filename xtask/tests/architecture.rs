//! Checks ARCHITECTURE.md against the workspace: its table of crates against cargo's metadata, and
//! the files that it names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cargo_metadata::{DependencyKind, MetadataCommand};

/// A row of the table: the crate, its folder, and the crates it may use.
struct Row {
    name: String,
    folder: String,
    uses: BTreeSet<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Parses the table of crates. `all` means all crates of the rows above.
fn table() -> Vec<Row> {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut rows: Vec<Row> = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [name, folder, .., uses] = cells[..] else {
            panic!("a row of four cells: {line}");
        };
        let full = |word: &str| format!("papan-{word}");
        let uses = match uses {
            "all" => rows.iter().map(|row| row.name.clone()).collect(),
            "–" | "std, `thiserror`" => BTreeSet::new(),
            words => words.split(", ").map(full).collect(),
        };
        let plain = |cell: &str| cell.trim_matches('`').to_owned();
        let (name, folder) = (plain(name), plain(folder));
        rows.push(Row { name, folder, uses });
    }
    rows
}

/// Returns the directory and the workspace dependencies of each crate.
fn workspace() -> BTreeMap<String, (String, BTreeSet<String>)> {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .unwrap();
    let packages = metadata.workspace_packages();
    let ours: BTreeSet<String> = packages.iter().map(|p| p.name.to_string()).collect();
    let folder = |path: &Path| {
        let path = path.parent().unwrap().strip_prefix(root()).unwrap();
        path.display().to_string()
    };
    packages
        .iter()
        .map(|package| {
            let normal = package.dependencies.iter();
            let normal = normal.filter(|d| d.kind == DependencyKind::Normal);
            let uses = normal.map(|d| d.name.clone()).filter(|d| ours.contains(d));
            let folder = folder(package.manifest_path.as_std_path());
            (package.name.to_string(), (folder, uses.collect()))
        })
        .collect()
}

#[test]
fn the_table_has_every_crate_and_every_arrow() {
    let crates = workspace();
    let rows = table();
    let named: Vec<&String> = rows.iter().map(|row| &row.name).collect();
    let known: BTreeSet<&String> = crates.keys().collect();
    assert_eq!(named.iter().copied().collect::<BTreeSet<_>>(), known);
    // Dependencies are transitive.
    let mut reach: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for row in &rows {
        let (folder, uses) = &crates[&row.name];
        assert_eq!(row.folder, *folder, "the folder of {}", row.name);
        let mut all = row.uses.clone();
        for used in &row.uses {
            let further = reach.get(used.as_str());
            all.extend(
                further
                    .unwrap_or_else(|| panic!("{} uses {used}, which stands below it", row.name))
                    .clone(),
            );
        }
        let missing: Vec<_> = uses.difference(&all).collect();
        assert!(missing.is_empty(), "{} also uses {missing:?}", row.name);
        reach.insert(&row.name, all);
    }
}

#[test]
fn the_table_names_no_arrow_that_is_not_there() {
    let crates = workspace();
    // The binary may use all crates, some of them indirectly.
    for row in table().iter().filter(|row| row.name != "papan") {
        let idle: Vec<_> = row.uses.difference(&crates[&row.name].1).collect();
        assert!(idle.is_empty(), "{} does not use {idle:?}", row.name);
    }
}

#[test]
fn every_file_that_the_page_names_is_there() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let spans = page.split('`').skip(1).step_by(2);
    let files = spans.filter(|span| span.ends_with(".rs") && span.contains('/'));
    let mut count = 0;
    for file in files {
        let (name, rest) = file.split_once('/').unwrap();
        let path = root().join("crates").join(name).join("src").join(rest);
        assert!(path.is_file(), "{file}");
        count += 1;
    }
    assert!(count > 5, "{count} files");
}
