//! Man pages and completions, as papan prints them.

use anyhow::ensure;

use crate::command::command;

/// Shells with completions.
const SHELLS: [&str; 4] = ["bash", "zsh", "fish", "powershell"];

/// The documents of a release.
pub(crate) struct Documents {
    /// File names and man pages.
    pub(crate) man: Vec<(String, Vec<u8>)>,
    /// Shells and completion scripts.
    pub(crate) completions: Vec<(&'static str, Vec<u8>)>,
}

impl Documents {
    /// Lets a program that runs here print them.
    pub(crate) fn print(program: &str) -> anyhow::Result<Self> {
        let print = |words: &[&str]| -> anyhow::Result<Vec<u8>> {
            let output = command(program, words).env("LC_ALL", "C").output()?;
            ensure!(output.status.success(), "papan {words:?} failed");
            Ok(output.stdout)
        };
        let mut man = vec![("papan.1".to_owned(), print(&["man"])?)];
        let help = print(&["help"])?;
        let help = String::from_utf8_lossy(&help).into_owned();
        for name in commands(&help) {
            man.push((format!("papan-{name}.1"), print(&["man", name])?));
        }
        ensure!(man.len() > 10, "no commands in `papan help`");
        let completions = SHELLS
            .iter()
            .map(|shell| Ok((*shell, print(&["completions", shell])?)))
            .collect::<anyhow::Result<_>>()?;
        Ok(Self { man, completions })
    }
}

/// Returns the names of the commands in the text of `papan help`.
fn commands(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help")
}

#[cfg(test)]
mod tests {
    #[test]
    fn commands_are_found_in_the_help() {
        let help = "About.\n\nUsage: papan\n\nCommands:\n  play   Play a\n         game\n  help   Print\n\nOptions:\n  -h\n";
        assert_eq!(super::commands(help).collect::<Vec<_>>(), ["play"]);
    }
}
