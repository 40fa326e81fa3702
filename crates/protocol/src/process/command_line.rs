//! A command as one line of text.

use super::StartError;

/// Splits a command into words as a shell would, without any of its magic.
pub fn split_command(command: &str) -> Result<Vec<String>, StartError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(c) = characters.next() {
        match c {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some(end) if end == c => break,
                        Some(inner) => word.push(inner),
                        None => return Err(StartError::Quote(command.into())),
                    }
                }
            }
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_at_spaces_outside_quotes() {
        let words = split_command(r#" a 'b c' "d'e"f  '' "#).unwrap();
        assert_eq!(words, ["a", "b c", "d'ef", ""]);
        assert_eq!(split_command("a 'b"), Err(StartError::Quote("a 'b".into())));
        assert_eq!(split_command("  "), Ok(Vec::new()));
    }
}
