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

#[test]
fn the_page_says_where_the_techniques_are() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for concept in [
        "transposition table",
        "move ordering",
        "time management",
        "ProbCut",
        "parallel search",
        "endgame solver",
    ] {
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| {concept} | `")));
        assert!(row.is_some(), "no row for {concept}");
    }
}

/// Returns the first line of code that asks for the operating system: one of its types, its C library,
/// or a condition. Comments and unit tests do not count, nor WebAssembly without a system.
fn asks_for_system(text: &str) -> Option<&str> {
    let system = regex::Regex::new(
        r#"\bcfg.*\b(unix|windows|target_os = "[^u])|\bstd::os::|\b(libc|rustix|windows_sys)::"#,
    )
    .unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next()?;
    let lines = code.lines();
    let mut lines = lines.filter(|line| !line.trim_start().starts_with("//"));
    lines.find(|line| system.is_match(line))
}

#[test]
fn only_papan_os_asks_for_the_operating_system() {
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let mut files = Vec::new();
        rust_files(&folder.join("src"), &mut files);
        let asking = files.iter().find_map(|file| {
            let text = std::fs::read_to_string(file).unwrap();
            asks_for_system(&text).map(|line| format!("{}: {line}", file.display()))
        });
        let is_allowed = folder.ends_with("os");
        assert_eq!(asking.is_some(), is_allowed, "{folder:?}: {asking:?}");
    }
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .unwrap();
    for package in metadata.workspace_packages() {
        for dependency in &package.dependencies {
            let target = dependency.target.as_ref().map(ToString::to_string);
            let is_normal = dependency.kind == DependencyKind::Normal;
            let is_system = target.is_some_and(|t| t.contains("unix") || t.contains("windows"));
            assert!(
                !(is_normal && is_system) || package.name == "papan-os",
                "{} depends on {} on some systems",
                package.name,
                dependency.name
            );
        }
    }
}

#[test]
fn code_that_asks_for_the_operating_system_is_found() {
    for code in [
        "#[cfg(unix)]",
        "    #[cfg(not(windows))]",
        r#"if cfg!(target_os = "linux") {"#,
        r#"#[cfg(all(target_os = "macos", not(miri)))]"#,
        "use std::os::unix::fs::PermissionsExt as _;",
        "unsafe { libc::getpid() };",
    ] {
        assert!(asks_for_system(code).is_some(), "{code}");
    }
    for code in [
        r#"#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]"#,
        "// As on cfg(unix).",
        "fn config(windows: &[Window]) {}",
        "struct A;\n#[cfg(test)]\nmod tests {\n    #[cfg(unix)]\n    fn a() {}\n}",
    ] {
        assert_eq!(asks_for_system(code), None, "{code}");
    }
}

/// Code outside `papan-files` and `papan-os` that opens files for writing, with the reason why it does
/// not replace a whole file with `papan_files::write_atomic`.
const FILE_WRITERS: [(&str, &str); 8] = [
    ("arena/src/results/journal.rs", "appends to a journal"),
    ("cli/src/leaf_journal.rs", "appends to a journal"),
    ("pages/examples/assets.rs", "writes assets for a build"),
    ("protocol/src/conversation_log.rs", "appends to a new log"),
    ("solve/src/interview/journal.rs", "appends to a journal"),
    (
        "store/src/sqlite/file.rs",
        "creates the file that SQLite writes",
    ),
    ("terminal/src/effects/files.rs", "never replaces a file"),
    ("train/src/game_file.rs", "appends games"),
];

/// Returns the first line of code that opens a file for writing, renames one or writes one. Comments
/// and unit tests do not count.
fn writes_file(text: &str) -> Option<&str> {
    let writing = regex::Regex::new(
        r"\bfs::(write|rename|copy)\b|\bFile::(create|create_new|options)\b|\bOpenOptions::new\b|\.persist\(",
    )
    .unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next()?;
    let mut lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.find(|line| writing.is_match(line))
}

#[test]
fn whole_files_are_written_by_one_writer() {
    let crates = root().join("crates");
    let mut writers = BTreeSet::new();
    for entry in std::fs::read_dir(&crates).unwrap() {
        let folder = entry.unwrap().path();
        if folder.ends_with("files") || folder.ends_with("os") {
            continue;
        }
        let mut files = Vec::new();
        for part in ["src", "examples"] {
            let part = folder.join(part);
            if part.is_dir() {
                rust_files(&part, &mut files);
            }
        }
        for file in files {
            if writes_file(&std::fs::read_to_string(&file).unwrap()).is_some() {
                let file = file.strip_prefix(&crates).unwrap();
                writers.insert(file.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    let known = FILE_WRITERS.map(|(file, _)| file.to_owned());
    assert_eq!(writers, BTreeSet::from(known));
}

#[test]
fn code_that_writes_files_is_found() {
    for code in [
        "std::fs::write(path, text)?;",
        "    fs::rename(&temporary, path)?;",
        "let file = File::create(path)?;",
        "let mut options = OpenOptions::new();",
        "file.persist(path)?;",
    ] {
        assert!(writes_file(code).is_some(), "{code}");
    }
    for code in [
        "papan_files::write_atomic(path, bytes)?;",
        "// fs::write(path, text)",
        "let file = File::open(path)?;",
        "#[cfg(test)]\nmod tests {\n    fn a() { std::fs::write(path, text).unwrap() }\n}",
    ] {
        assert_eq!(writes_file(code), None, "{code}");
    }
}

/// Import cycles of more than two files that are accepted, with the reason.
const ACCEPTED_CYCLES: [(&str, &str); 0] = [];

/// The module of a file below `src`; a folder's `mod.rs` is the folder.
fn module(source: &Path, file: &Path) -> String {
    let relative = file.strip_prefix(source).unwrap().with_extension("");
    let mut parts: Vec<_> = relative
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if parts.last().is_some_and(|part| part == "mod") {
        parts.pop();
    }
    parts.join("::")
}

/// The `crate::` paths of a file, without comments and unit tests. Groups are expanded one level.
fn imports(text: &str) -> Vec<String> {
    let code: String = text
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default()
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let path =
        regex::Regex::new(r"crate::((?:[a-z_0-9]+::)*)(?:\{([^}]*)\}|([a-z_0-9]*))").unwrap();
    let mut found = Vec::new();
    for captures in path.captures_iter(&code) {
        let prefix = &captures[1];
        match captures.get(2) {
            Some(group) => {
                let parts = group.as_str().split(',').map(str::trim);
                found.extend(parts.map(|part| format!("{prefix}{part}")));
            }
            None => found.push(format!(
                "{prefix}{}",
                captures.get(3).map_or("", |m| m.as_str())
            )),
        }
    }
    found
}

fn rust_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The modules that import each module's file, directly.
fn import_graph(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut files = Vec::new();
    rust_files(source, &mut files);
    let texts: BTreeMap<String, String> = files
        .iter()
        .map(|file| (module(source, file), std::fs::read_to_string(file).unwrap()))
        .filter(|(name, _)| {
            let first = name.split("::").next().unwrap_or_default();
            !matches!(first, "lib" | "main" | "bin" | "testing") && !name.ends_with("tests")
        })
        .collect();
    let target = |path: &str| {
        let mut parts: Vec<&str> = path.split("::").filter(|part| !part.is_empty()).collect();
        while !parts.is_empty() && !texts.contains_key(&parts.join("::")) {
            parts.pop();
        }
        (!parts.is_empty()).then(|| parts.join("::"))
    };
    texts
        .iter()
        .map(|(name, text)| {
            let targets = imports(text)
                .iter()
                .filter_map(|path| target(path))
                .collect::<BTreeSet<_>>();
            (
                name.clone(),
                targets.into_iter().filter(|other| other != name).collect(),
            )
        })
        .collect()
}

/// Everything that a module reaches by imports.
fn reach(graph: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<&String> = graph[from].iter().collect();
    while let Some(next) = waiting.pop() {
        if seen.insert(next.clone()) {
            waiting.extend(&graph[next]);
        }
    }
    seen
}

#[test]
fn no_more_than_two_files_import_each_other() {
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let graph = import_graph(&folder.join("src"));
        let reached: BTreeMap<&String, BTreeSet<String>> = graph
            .keys()
            .map(|module| (module, reach(&graph, module)))
            .collect();
        for (module, others) in &reached {
            let cycle: Vec<_> = others
                .iter()
                .filter(|other| reached[other].contains(*module))
                .collect();
            let is_accepted = ACCEPTED_CYCLES
                .iter()
                .any(|(accepted, _)| *accepted == name);
            assert!(cycle.len() <= 2 || is_accepted, "{name}: {cycle:?}");
        }
    }
}

#[test]
fn a_cycle_of_three_files_is_found() {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in [
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "use crate::{c, d::D};"),
        ("c.rs", "fn c() { crate::a::run() }"),
        ("d.rs", "// use crate::a;"),
    ] {
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    let graph = import_graph(folder.path());
    assert!(reach(&graph, "a").contains("a"));
    assert_eq!(reach(&graph, "a").len(), 4);
    assert!(reach(&graph, "d").is_empty());
}
