//! A command as one line of text.

use super::StartError;

/// Splits a command into words by the quoting rules of a POSIX shell, without expansions. Where
/// paths are written with backslashes, these do not quote.
pub fn split_command(command: &str) -> Result<Vec<String>, StartError> {
    split(command, papan_os::BACKSLASH_IS_SEPARATOR)
}

fn split(command: &str, keep_backslashes: bool) -> Result<Vec<String>, StartError> {
    /// No command contains it.
    const STAND_IN: &str = "\0";
    let words = if keep_backslashes {
        shlex::split(&command.replace('\\', STAND_IN)).map(|words| {
            let restored = words.iter().map(|word| word.replace(STAND_IN, "\\"));
            restored.collect()
        })
    } else {
        shlex::split(command)
    };
    words.ok_or_else(|| StartError::Quote(command.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_at_spaces_outside_quotes() {
        let words = split(r#" a 'b c' "d'e"f  '' g\ h "#, false).unwrap();
        assert_eq!(words, ["a", "b c", "d'ef", "", "g h"]);
        assert_eq!(split_command("a 'b"), Err(StartError::Quote("a 'b".into())));
        assert_eq!(split_command("  "), Ok(Vec::new()));
    }

    #[test]
    fn backslashes_of_windows_paths_are_kept() {
        let words = split(r#"C:\engines\new.exe "C:\My games\b.txt" 'a\b' --x"#, true).unwrap();
        let expected = [r"C:\engines\new.exe", r"C:\My games\b.txt", r"a\b", "--x"];
        assert_eq!(words, expected);
        let unclosed = split(r#""C:\a"#, true);
        assert_eq!(unclosed, Err(StartError::Quote(r#""C:\a"#.into())));
    }
}
