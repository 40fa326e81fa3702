//! Licences and sources of what papan is built from, as `deny.toml` allows them.
//!
//! `cargo deny check` reads the same file and knows more; this needs nothing but
//! cargo, so it runs everywhere.

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::step::{command, root};

pub(crate) fn check() -> anyhow::Result<()> {
    let deny = std::fs::read_to_string(root().join("deny.toml")).context("deny.toml")?;
    let allowed = allowed(&deny);
    let output = command("cargo", &["metadata", "--format-version", "1", "--locked"]).output()?;
    if !output.status.success() {
        bail!(
            "cargo metadata failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("packages")?;
    let mut wrong = Vec::new();
    for package in packages {
        let name = format!("{} {}", package["name"], package["version"]);
        let licence = package["license"].as_str().unwrap_or("(none)");
        if !is_allowed(licence, &allowed) {
            wrong.push(format!("{name}: licence {licence} is not in deny.toml"));
        }
        if let Some(source) = package["source"].as_str()
            && !source.starts_with("registry+")
        {
            wrong.push(format!("{name}: comes from {source}, not from a registry"));
        }
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    println!("licences: {} packages, all allowed", packages.len());
    Ok(())
}

/// The quoted words of the `allow` list.
fn allowed(deny: &str) -> Vec<&str> {
    let list = deny.split_once("allow = [").map_or("", |(_, rest)| rest);
    let list = list.split(']').next().unwrap_or("");
    list.split('"').skip(1).step_by(2).collect()
}

/// Whether an expression such as `MIT OR (Apache-2.0 AND ISC)` can be met.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ");
    split(&expression, " OR ").iter().any(|all| {
        split(all, " AND ").iter().all(|one| {
            let one = one.trim();
            match one.strip_prefix('(').and_then(|one| one.strip_suffix(')')) {
                Some(inner) => is_allowed(inner, allowed),
                None => allowed.contains(&one),
            }
        })
    })
}

/// Splits outside parentheses.
fn split<'a>(text: &'a str, at: &str) -> Vec<&'a str> {
    let mut depth = 0;
    let mut start = 0;
    let mut parts = Vec::new();
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ if depth == 0 && text[index..].starts_with(at) => {
                parts.push(&text[start..index]);
                start = index + at.len();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_by_one_of_their_choices() {
        let allowed = ["MIT", "Apache-2.0"];
        assert!(is_allowed("MIT OR GPL-3.0", &allowed));
        assert!(is_allowed("(MIT OR ISC) AND Apache-2.0", &allowed));
        assert!(is_allowed("MIT/Apache-2.0", &allowed));
        assert!(!is_allowed("GPL-3.0", &allowed));
        assert!(!is_allowed("MIT AND GPL-3.0", &allowed));
    }

    #[test]
    fn the_list_is_read_from_deny_toml() {
        assert_eq!(
            allowed("[licenses]\nallow = [\n  \"MIT\",\n  \"ISC\",\n]\n"),
            ["MIT", "ISC"]
        );
    }
}
