//! Leaves out the messages that a build never shows: `locales/programs.txt` lists those of the command
//! line, the terminal and the server, `locales/pages.txt` those of pages. `*` ends the beginning of a name.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=locales");
    let mut left_out = String::new();
    for scope in ["programs", "pages"] {
        let feature = format!("CARGO_FEATURE_{}", scope.to_uppercase());
        if env::var_os(feature).is_none() {
            left_out += &read(&format!("{scope}.txt"));
        }
    }
    let is_left_out = |key: &str| {
        left_out.lines().any(|entry| match entry.strip_suffix('*') {
            Some(start) => key.starts_with(start),
            None => key == entry,
        })
    };
    let out = env::var("OUT_DIR").expect("cargo sets it");
    for name in ["en.ftl", "id.ftl"] {
        let mut kept = String::new();
        let mut is_kept = true;
        for line in read(name).lines() {
            // A message begins with its name; more lines of it are indented.
            if let Some((key, _)) = line.split_once(" =")
                && !line.starts_with([' ', '#'])
            {
                is_kept = !is_left_out(key);
            }
            if is_kept && !line.starts_with('#') && !line.is_empty() {
                kept += line;
                kept.push('\n');
            }
        }
        fs::write(Path::new(&out).join(name), kept).expect("cargo's folder is writable");
    }
}

fn read(name: &str) -> String {
    let path = Path::new("locales").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
