//! A command as one line of text.

use super::StartError;

/// Splits a command into words by the quoting rules of a POSIX shell, without expansions.
pub fn split_command(command: &str) -> Result<Vec<String>, StartError> {
    shlex::split(command).ok_or_else(|| StartError::Quote(command.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_at_spaces_outside_quotes() {
        let words = split_command(r#" a 'b c' "d'e"f  '' g\ h "#).unwrap();
        assert_eq!(words, ["a", "b c", "d'ef", "", "g h"]);
        assert_eq!(split_command("a 'b"), Err(StartError::Quote("a 'b".into())));
        assert_eq!(split_command("  "), Ok(Vec::new()));
    }
}
