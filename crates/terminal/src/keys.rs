//! Key bindings, in one table: the board looks keys up in it, and the help page prints it.
//!
//! The letters `a` to `g` are not bound, because they begin a square. On boards with more lettered
//! columns other letters begin one as well; a command on such a letter waits for Enter.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A command of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Moves the cursor left.
    Left,
    /// Moves the cursor down.
    Down,
    /// Moves the cursor up.
    Up,
    /// Moves the cursor right.
    Right,
    /// Moves the cursor to the next level of a cube.
    Level,
    /// Moves the cursor to the level before.
    LevelBack,
    /// Plays at the cursor.
    Place,
    /// Types a move.
    Type,
    /// Takes a move back.
    Undo,
    /// Plays a move that was taken back.
    Redo,
    /// Shows the position before.
    Back,
    /// Shows the next position.
    Forward,
    /// Shows the start.
    First,
    /// Shows the last position.
    Last,
    /// Shows the next variation.
    NextVariation,
    /// Shows the variation before.
    PreviousVariation,
    /// Asks for a hint.
    Hint,
    /// Shows the numbers of a strategy on the cells.
    Explain,
    /// Shows the evaluation of the engine.
    Evaluation,
    /// Pauses a game between strategies.
    Pause,
    /// Shortens the pause between their moves.
    Faster,
    /// Lengthens it.
    Slower,
    /// Turns the board.
    Flip,
    /// Reviews the game.
    Review,
    /// Starts the game again.
    Rematch,
    /// Starts another game.
    New,
    /// Saves the game.
    Save,
    /// Opens a file.
    Open,
    /// Copies the moves.
    Copy,
    /// Pastes moves.
    Paste,
    /// Opens the analysis.
    Analyse,
    /// Sets up a position.
    SetUp,
    /// Changes the colours.
    Theme,
    /// Changes the language.
    Language,
    /// Changes how the board is drawn.
    Drawing,
    /// Shows the help page.
    Help,
    /// Closes a dialog or stops a search.
    Stop,
    /// Leaves the game.
    Quit,
}

/// A command with its keys and its line on the help page.
pub(crate) struct Binding {
    /// The command.
    pub command: Command,
    /// Its keys.
    pub keys: &'static [KeyCode],
    /// The keys as the help page shows them.
    pub label: &'static str,
    /// Message id of the description; empty where the line above describes this key.
    pub text: &'static str,
}

const fn binding(
    command: Command,
    keys: &'static [KeyCode],
    label: &'static str,
    text: &'static str,
) -> Binding {
    Binding {
        command,
        keys,
        label,
        text,
    }
}

use KeyCode::Char;

/// All bindings, in the order of the help page.
pub(crate) const BINDINGS: [Binding; 38] = [
    binding(
        Command::Left,
        &[KeyCode::Left, Char('h')],
        "arrows, h j k l",
        "key-move",
    ),
    binding(Command::Down, &[KeyCode::Down, Char('j')], "", ""),
    binding(Command::Up, &[KeyCode::Up, Char('k')], "", ""),
    binding(Command::Right, &[KeyCode::Right, Char('l')], "", ""),
    binding(
        Command::Level,
        &[KeyCode::Tab],
        "Tab, Shift-Tab",
        "key-level",
    ),
    binding(Command::LevelBack, &[KeyCode::BackTab], "", ""),
    binding(
        Command::Place,
        &[KeyCode::Enter, Char(' ')],
        "Enter, Space",
        "key-place",
    ),
    binding(Command::Type, &[Char(':')], "1-9, a-z, :", "key-type"),
    binding(Command::Undo, &[Char('u')], "u", "key-undo"),
    binding(Command::Redo, &[Char('r')], "r", "key-redo"),
    binding(
        Command::Back,
        &[Char(','), KeyCode::PageUp],
        ", .",
        "key-walk",
    ),
    binding(Command::Forward, &[Char('.'), KeyCode::PageDown], "", ""),
    binding(Command::First, &[KeyCode::Home], "Home, End", "key-ends"),
    binding(Command::Last, &[KeyCode::End], "", ""),
    binding(Command::NextVariation, &[Char(']')], "[ ]", "key-variation"),
    binding(Command::PreviousVariation, &[Char('[')], "", ""),
    binding(Command::Hint, &[Char('i')], "i", "key-hint"),
    binding(Command::Explain, &[Char('x')], "x", "key-explain"),
    binding(Command::Evaluation, &[Char('v')], "v", "key-evaluation"),
    binding(Command::Pause, &[Char('p')], "p", "key-pause"),
    binding(Command::Faster, &[Char('+'), Char('=')], "+ -", "key-speed"),
    binding(Command::Slower, &[Char('-')], "", ""),
    binding(Command::Flip, &[Char('s')], "s", "key-flip"),
    binding(Command::Review, &[Char('R')], "R", "key-review"),
    binding(Command::Rematch, &[Char('m')], "m", "key-rematch"),
    binding(Command::New, &[Char('n')], "n", "key-new"),
    binding(Command::Save, &[Char('w')], "w", "key-save"),
    binding(Command::Open, &[Char('o')], "o", "key-open"),
    binding(Command::Copy, &[Char('y')], "y", "key-copy"),
    binding(Command::Paste, &[Char('P')], "P", "key-paste"),
    binding(Command::Analyse, &[Char('A')], "A", "key-analyse"),
    binding(Command::SetUp, &[Char('E')], "E", "key-set-up"),
    binding(Command::Theme, &[Char('t')], "t", "key-theme"),
    binding(Command::Language, &[Char('L')], "L", "key-language"),
    binding(Command::Drawing, &[Char('B')], "B", "key-drawing"),
    binding(
        Command::Help,
        &[Char('?'), KeyCode::F(1)],
        "?, F1",
        "key-help",
    ),
    binding(Command::Stop, &[KeyCode::Esc], "Esc", "key-stop"),
    binding(Command::Quit, &[Char('q')], "q, Ctrl-C", "key-quit"),
];

/// A command of the board.
#[must_use]
pub(crate) fn command(key: KeyEvent) -> Option<Command> {
    let held = KeyModifiers::CONTROL | KeyModifiers::ALT;
    if key.modifiers.intersects(held) {
        return None;
    }
    let binding = BINDINGS.iter().find(|b| b.keys.contains(&key.code))?;
    Some(binding.command)
}

/// Returns the message id of a command's description.
#[must_use]
pub(crate) fn text(command: Command) -> &'static str {
    let of_it = |binding: &&Binding| binding.command == command;
    BINDINGS.iter().find(of_it).map_or("", |b| b.text)
}

/// Returns the command on a typed letter, which waits for Enter.
pub(crate) fn waiting_command(typed: &str) -> Option<Command> {
    let mut letters = typed.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return None;
    };
    let key = KeyEvent::from(KeyCode::Char(letter));
    command(key).filter(|_| letter.is_ascii_lowercase() && !moves_cursor(letter))
}

/// Whether a letter moves the cursor.
pub(crate) fn moves_cursor(letter: char) -> bool {
    matches!(letter, 'h' | 'j' | 'k' | 'l')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_two_commands_and_square_letters_are_unbound() {
        let keys: Vec<KeyCode> = BINDINGS.iter().flat_map(|b| b.keys).copied().collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{key:?} stands twice");
            assert!(!matches!(key, Char('a'..='g' | '0'..='9')), "{key:?}");
        }
    }

    #[test]
    fn every_key_has_its_message() {
        for language in papan_view::Language::ALL {
            let messages = papan_view::Messages::new(language);
            for binding in BINDINGS.iter().filter(|b| !b.text.is_empty()) {
                assert!(messages.has(binding.text), "{}", binding.text);
                // It must fit beside the keys in a window of 80 columns.
                let text = messages.text(binding.text);
                assert!(text.chars().count() <= 62, "{text}");
            }
        }
    }
}
