//! Checks that everything papan prints is localized (Indonesian): errors, help, man pages, and the
//! commands of the documentation.
// Commands of pages are run by a shell.
#![cfg(unix)]

mod desk;
mod vocabulary;

use std::process::Command;

use desk::Desk;
use vocabulary::english_lines;

/// Returns the error message for invalid input in a language.
fn error_message(folder: &std::path::Path, language: &str, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_papan"))
        .current_dir(folder)
        .args(["--lang", language])
        .args(args)
        .env("PAPAN_DATA_DIR", folder)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let code = output.status.code();
    assert!(matches!(code, Some(1 | 2)), "{args:?}: {code:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn errors_of_convert_games_and_arena_are_localized() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("kosong", "");
    write("good.txt", "f5d6c3\n");
    write("bad.txt", "f5d6\nf5a1\n");
    write("bad.obf", &format!("{} Z;\n", "-".repeat(64)));
    write("bad.sgf", "(;GM[2];W[f5])");
    write("over.txt", "1 4 2 5 3\n");
    write("bad.psq", "Piskvorky 15x15, 1\n99,1,0\n");
    write("other.results", "something else\n");
    let arena = |more: &[&'static str]| [&["arena", "tictactoe"], more].concat();
    let two = ["--players", "random,greedy"];
    let plays = |more: &[&'static str]| arena(&[&two, more].concat());
    for args in [
        vec!["convert", "nowhere.txt", "x.sgf"],
        vec!["convert", "kosong", "x.sgf"],
        vec!["convert", "good.txt", "x.nothing"],
        vec!["convert", "good.txt"],
        vec!["convert", "good.txt", "no/such/x.sgf"],
        vec!["convert", "good.txt", "x.psq"],
        vec!["convert", "bad.txt", "x.sgf"],
        vec!["convert", "bad.obf", "x.sgf"],
        vec!["convert", "bad.sgf", "x.txt"],
        vec!["convert", "bad.psq", "x.txt"],
        vec!["games", "nowhere.wtb"],
        vec!["games", "bad.sgf"],
        vec!["games", "good.txt", "--moves", "a1"],
        vec!["games", "good.txt", "--position", "XX"],
        vec!["play", "--load", "bad.sgf"],
        arena(&[]),
        arena(&["--players", "random"]),
        arena(&["--players", "random,nobody"]),
        arena(&["--players", "random,greedy@time=0s"]),
        arena(&["--players", "random,gtp:x@cores=xx"]),
        arena(&["--players", "random,lookup"]),
        arena(&["--player", "random", "--player", "gtp:./no-such-engine"]),
        plays(&["--games", "3"]),
        plays(&["--gauntlet"]),
        plays(&["--time", "nanti"]),
        plays(&["--nodes", "xx"]),
        plays(&["--openings", "tiada"]),
        plays(&["--openings", "random:none"]),
        plays(&["--openings", "over.txt"]),
        plays(&["--openings", "good.txt"]),
        plays(&["--balance", "greedy"]),
        plays(&["--results", "other.results"]),
        plays(&["--html", "no/such/page.html"]),
        plays(&["--export", "psq:games"]),
        vec!["engine", "gtp", "--nodes", "xx"],
        vec!["engine", "piskvork", "othello"],
        vec!["engine", "check", "gtp:./no-such-engine"],
    ] {
        let [english, indonesian] =
            ["en", "id"].map(|lang| error_message(folder.path(), lang, &args));
        assert_ne!(english, indonesian, "{args:?}");
        let found = english_lines(&indonesian);
        assert!(found.is_empty(), "{args:?}: {found:#?}");
        assert!(!indonesian.contains("(os error"), "{args:?}: {indonesian}");
    }
}

fn papan_in_indonesian(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args(["--lang", "id"])
        .args(arguments)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let both = [output.stdout, output.stderr].concat();
    String::from_utf8(both).unwrap()
}

/// Returns the commands that a help text lists, without `help`.
fn listed_commands(help: &str) -> impl Iterator<Item = &str> {
    let (_, list) = help.split_once("\nPerintah:\n").unwrap_or_default();
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    // A long description continues on a line that is indented further.
    let names = lines.filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help")
}

#[test]
fn the_help_and_the_man_page_of_every_command_are_localized() {
    let mut open = vec![String::new()];
    let mut seen = 0;
    while let Some(path) = open.pop() {
        let mut words: Vec<&str> = path.split_whitespace().collect();
        let manual = papan_in_indonesian(&[&["man"], &words[..]].concat());
        words.push("--help");
        let help = papan_in_indonesian(&words);
        assert!(help.contains("Pemakaian:"), "{path}: {help}");
        for text in [&help, &manual] {
            let english = english_lines(text);
            assert!(english.is_empty(), "papan {path}: {english:#?}");
            for word in [
                "Usage",
                "Options",
                "Print ",
                "default:",
                "possible values",
                "SYNOPSIS",
            ] {
                assert!(!text.contains(word), "papan {path}: {word}: {text}");
            }
        }
        seen += 1;
        for name in listed_commands(&help) {
            open.push(format!("{path} {name}").trim().to_owned());
        }
    }
    assert!(seen > 30, "{seen} commands");
    let asked = papan_in_indonesian(&["help", "automaton", "draw"]);
    assert_eq!(asked, papan_in_indonesian(&["automaton", "draw", "--help"]));
}

#[test]
fn argument_errors_are_localized() {
    for arguments in [
        &["play", "--frist", "human"][..],
        &["plya"],
        &["prove"],
        &["prove", "tictactoe", "minmax"],
        &["prove", "tictactoe", "minimax(dept=3)"],
        &["prove", "tictactoe", "minimax", "--as", "third"],
        &["prove", "tictactoe", "minimax", "--time", "nanti"],
        &["prove", "tictacto", "minimax"],
        &["prove", "tictactoe:0x0", "minimax"],
        &[
            "explain",
            "tictactoe",
            "--strategy",
            "minimax",
            "--tree",
            "99",
        ],
        &[
            "explain",
            "tictactoe",
            "--strategy",
            "minimax",
            "--seed",
            "x",
        ],
        &["explain", "tictactoe", "--strategy"],
        &["list", "--json", "--json"],
        &[
            "arena",
            "tictactoe",
            "--knockout",
            "--gauntlet",
            "--players",
            "a,b",
        ],
        &["automaton"],
        &["man", "nonsense"],
        &["trace", "tictactoe", "--strategy", "minimax@time=1s"],
        &["serve", "--listen", "nonsense"],
    ] {
        let text = papan_in_indonesian(arguments);
        let english = english_lines(&text);
        assert!(english.is_empty(), "{arguments:?}: {text}");
        for word in [
            "error", "invalid", "Usage", "tip:", "For more", "possible", "required",
        ] {
            assert!(!text.contains(word), "{arguments:?}: {word}: {text}");
        }
    }
}

#[test]
fn grades_and_the_errors_of_assignments_are_localized() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name).display().to_string()
    };
    let head = "title = 'T'\ngame = 'tictactoe'\nrun = { py = 'move:python3 {file}' }\n";
    let good = write(
        "good.toml",
        &format!(
            "{head}[[tests]]\nopponent = 'random'\ngames = 2\npoints = 1\n[[tests]]\nprove = 'first'\npoints = 1\n"
        ),
    );
    let submissions = [
        write("crash.py", "raise SystemExit(3)\n"),
        write(
            "occupied.py",
            "for line in open(0):\n    print(1, flush=True)\n",
        ),
        write("other.rb", "puts 5\n"),
        "nowhere.py".into(),
    ];
    let pages = folder.path().join("pages").display().to_string();
    let mut graded = vec!["grade", &good];
    graded.extend(submissions.iter().map(String::as_str));
    graded.extend(["--pages", &pages]);
    let mut texts = vec![papan_in_indonesian(&graded)];
    for page in std::fs::read_dir(&pages).unwrap() {
        let page = std::fs::read_to_string(page.unwrap().path()).unwrap();
        // Without its style sheet; tags do not count.
        let (_, body) = page.split_once("<body>").unwrap();
        let parts = body.split('<').map(|part| part.split_once('>'));
        let parts: Vec<&str> = parts.flatten().map(|(_, text)| text).collect();
        texts.push(parts.join("\n"));
    }
    graded.push("--json");
    texts.push(papan_in_indonesian(&graded).replace([',', '{'], "\n"));
    for text in &texts {
        let english = english_lines(text);
        assert!(english.is_empty(), "{english:#?}: {text}");
        for word in ["no such file", "runs files", "os error", "illegal"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
    }
    // Nothing at all was scored: 0, and not -0.
    assert!(texts.last().unwrap().contains("\"points\":0.0"));
    assert!(!texts.last().unwrap().contains("-0"));
    for wrong in [
        "",
        "title = 'T'\n",
        "title = 1\n",
        "title = 'T'\ngame = 'tictacto'\nrun = {}\ntests = []\n",
        "title = 'T'\ngame = 'tictactoe'\nrun = { py = 'python3' }\ntests = []\n",
        &format!("{head}tests = []\n"),
        &format!("{head}time = 'nanti'\ntests = []\n"),
        &format!("{head}memory = 0\ntests = []\n"),
        &format!("{head}memori = 5\ntests = []\n"),
        &format!("{head}[[tests]]\npoints = 1\n"),
        &format!("{head}[[tests]]\nprove = 'third'\npoints = 1\n"),
        &format!("{head}[[tests]]\nprove = 'first'\npoints = -1\n"),
        &format!("{head}[[tests]]\nopponent = 'minmax'\npoints = 1\n"),
        &format!("{head}[[tests]]\nopponent = 'lookup'\npoints = 1\n"),
        &format!("{head}[[tests]]\nopponent = 'random'\ngames = 0\npoints = 1\n"),
        &format!("{head}[[tests]]\nopponent = 'random'\nneed = 2.0\npoints = 1\n"),
        &format!("{head}[[tests]]\nposition = 'XX'\nanswers = ['1']\npoints = 1\n"),
        &format!("{head}[[tests]]\nposition = '--------- X'\nanswers = ['z']\npoints = 1\n"),
        &format!("{head}[[tests]]\nposition = 'XO------- X'\nanswers = ['1']\npoints = 1\n"),
    ] {
        let file = write("wrong.toml", wrong);
        for command in ["grade", "league"] {
            let [english, indonesian] = ["en", "id"]
                .map(|lang| error_message(folder.path(), lang, &[command, &file, "x.py"]));
            assert_ne!(english, indonesian, "{wrong}");
            let found = english_lines(&indonesian);
            assert!(found.is_empty(), "{wrong}: {indonesian}");
            for word in ["expected", "missing", "unknown", "invalid", "test "] {
                assert!(!indonesian.contains(word), "{wrong}: {indonesian}");
            }
        }
    }
}

/// Returns the commands of papan in the `console` and `sh` blocks of a page.
fn commands(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    // Every second part is a block.
    for block in page.split("```").skip(1).step_by(2) {
        let is_shell = block.starts_with("sh\n");
        let mut lines = block.replace("\\\n", " ");
        lines.retain(|c| c != '\r');
        for line in lines
            .lines()
            .filter(|_| is_shell || block.starts_with("console"))
        {
            let prompt = if is_shell { "papan " } else { "$ papan " };
            commands.extend(line.strip_prefix(prompt).map(str::to_owned));
        }
    }
    commands
}

/// Returns the commands in the tables of a page, without those that name no command.
fn tabled_commands(page: &str) -> Vec<String> {
    let rows = page.lines().filter(|line| line.starts_with('|'));
    let spans = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let commands = spans.filter_map(|span| span.strip_prefix("papan "));
    commands.map(str::to_owned).collect()
}

/// Every documented command, of the book, the README and the list of commands, is run in Indonesian
/// for a few seconds at most: one that is interrupted, finds no file or has no input says so in
/// Indonesian.
#[test]
fn documented_commands_print_no_english_sentence() {
    let desk = Desk::new();
    let root = desk::root();
    let folders = ["docs", "docs/id"].map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let entries = folders.into_iter().flatten();
    let mut pages: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.push(root.join("README.md"));
    let mut run = std::collections::BTreeSet::new();
    for path in pages {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut all = commands(&text);
        if path.ends_with("README.md") || path.ends_with("cli.md") {
            all.extend(tabled_commands(&text));
        }
        for command in all {
            let command = command.trim_start_matches("--lang id ");
            if !run.insert(command.to_owned()) {
                continue;
            }
            let limited = format!("timeout -k 5 -s INT 3 papan --lang id {command}");
            let (text, _) = desk.run(&limited);
            let english = english_lines(&text);
            let page = path.display();
            assert!(english.is_empty(), "{page}: papan {command}: {english:#?}");
        }
    }
    assert!(run.len() > 120, "{} commands", run.len());
    let help = papan_in_indonesian(&["--help"]);
    assert!(listed_commands(&help).count() > 15, "{help}");
    for name in listed_commands(&help) {
        let is_run = run.iter().any(|command| {
            let mut words = command.split_whitespace();
            words.any(|word| word == name)
        });
        assert!(is_run, "no page has papan {name}");
    }
}
