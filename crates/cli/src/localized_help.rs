//! Help texts and argument errors in the language of the user. clap has no translations of its own:
//! the command tree is walked once before parsing, and every text is replaced by its phrase.

use std::ffi::OsString;
use std::io::IsTerminal as _;

use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command};
use papan_catalog::{GameError, PlayerError};
use papan_strategies::TimeError;
use papan_view::{Language, Messages, messages};

use crate::arena_messages;
use crate::player_arg::PlayerArgError;

const TEMPLATE: &str = "{before-help}{about-with-newline}\nUSAGE {usage}\n\n{all-args}{after-help}";

/// Returns the messages of the language that the arguments or the environment ask for. An invalid
/// `--lang` is reported by the parser.
pub(crate) fn words(arguments: &[OsString]) -> Messages {
    let texts: Vec<&str> = arguments.iter().filter_map(|word| word.to_str()).collect();
    let spaced = texts.windows(2).filter(|pair| pair[0] == "--lang");
    let joined = texts.iter().filter_map(|word| word.strip_prefix("--lang="));
    let mut given = spaced.map(|pair| pair[1]).chain(joined);
    let language = given.find_map(|word| word.parse::<Language>().ok());
    Messages::new(language.unwrap_or_else(Language::of_environment))
}

/// Returns the arguments with `help COMMAND` written as `COMMAND --help`: the help command of clap
/// cannot be translated.
pub(crate) fn without_help_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_option = |word: &OsString| word.to_string_lossy().starts_with('-');
    let mut words = arguments.iter().enumerate().skip(1);
    let is_value = |at: usize| arguments[at - 1] == "--lang" || arguments[at - 1] == "--color";
    let first = words.find(|(at, word)| !is_option(word) && !is_value(*at));
    if let Some((at, word)) = first
        && word == "help"
    {
        arguments.remove(at);
        arguments.push("--help".into());
    }
    arguments
}

/// Translates a command with its arguments and subcommands.
pub(crate) fn localize(command: Command, words: Messages) -> Command {
    if words.language() == Language::English {
        return command;
    }
    let labels = Labels::new(words);
    let version = Arg::new("version")
        .short('V')
        .long("version")
        .action(ArgAction::Version)
        .help(words.phrase("Print version"))
        .help_heading(labels.options);
    let help =
        Command::new("help").about("Print this message or the help of the given subcommand(s)");
    let command = command
        .disable_help_subcommand(true)
        .subcommand(help)
        .disable_version_flag(true);
    walk(command, &labels).arg(version)
}

/// Headings. clap wants them for ever; they are made once.
struct Labels {
    words: Messages,
    options: &'static str,
    arguments: &'static str,
    commands: &'static str,
    command: &'static str,
}

impl Labels {
    fn new(words: Messages) -> Self {
        let label = |english: &str| -> &'static str { words.phrase(english).leak() };
        Self {
            words,
            options: label("Options"),
            arguments: label("Arguments"),
            commands: label("Commands"),
            command: label("COMMAND"),
        }
    }
}

fn walk(mut command: Command, labels: &Labels) -> Command {
    let words = labels.words;
    let text = |found: Option<&clap::builder::StyledStr>| {
        found.map(|text| words.phrase(&text.to_string()))
    };
    let (about, after) = (text(command.get_about()), text(command.get_after_help()));
    let long_about = text(command.get_long_about());
    let ids: Vec<String> = command
        .get_arguments()
        .map(|arg| arg.get_id().to_string())
        .collect();
    let names: Vec<String> = command
        .get_subcommands()
        .map(|sub| sub.get_name().to_owned())
        .collect();
    for id in ids {
        command = command.mut_arg(id, |arg| argument(arg, labels));
    }
    for name in names {
        command = command.mut_subcommand(name, |sub| walk(sub, labels));
    }
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help(words.phrase("Print help"))
        .help_heading(labels.options);
    let template = TEMPLATE.replace("USAGE", &words.phrase("Usage:"));
    command = command
        .disable_help_flag(true)
        .arg(help)
        .subcommand_help_heading(labels.commands)
        .subcommand_value_name(labels.command)
        .help_template(template);
    if let Some(about) = about {
        command = command.about(about);
    }
    if let Some(long_about) = long_about {
        command = command.long_about(long_about);
    }
    match after {
        Some(after) => command.after_help(after),
        None => command,
    }
}

fn argument(arg: Arg, labels: &Labels) -> Arg {
    let words = labels.words;
    let text = |found: Option<&clap::builder::StyledStr>| {
        found.map_or_else(String::new, |text| words.phrase(&text.to_string()))
    };
    let (mut short, mut long) = (text(arg.get_help()), text(arg.get_long_help()));
    if long.is_empty() {
        long.clone_from(&short);
    }
    let heading = if arg.is_positional() {
        labels.arguments
    } else {
        labels.options
    };
    let takes_values = arg.get_action().takes_values();
    let values = if takes_values && !arg.is_hide_possible_values_set() {
        arg.get_possible_values()
    } else {
        Vec::new()
    };
    let visible = values.iter().filter(|value| !value.is_hide_set());
    let mut notes = Vec::new();
    let names: Vec<&str> = visible.clone().map(PossibleValue::get_name).collect();
    if !names.is_empty() {
        let label = words.phrase("possible values");
        notes.push(format!("[{label}: {}]", names.join(", ")));
    }
    let defaults: Vec<String> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    if takes_values && !defaults.is_empty() && !arg.is_hide_default_value_set() {
        let label = words.phrase("default");
        notes.push(format!("[{label}: {}]", defaults.join(" ")));
    }
    for value in visible {
        if let Some(about) = value.get_help() {
            let about = words.phrase(&about.to_string());
            long += &format!("\n- {}: {about}", value.get_name());
        }
    }
    for note in notes {
        short += &format!(" {note}");
        long += &format!("\n{note}");
    }
    let arg = arg.help(short).long_help(long).help_heading(heading);
    if !takes_values {
        return arg;
    }
    arg.hide_possible_values(true).hide_default_value(true)
}

/// Formats an error of the arguments, or the help text or version that was asked for.
pub(crate) fn render(error: &clap::Error, words: Messages) -> String {
    let rendered = error.render();
    if !error.use_stderr() {
        let has_colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let text = if has_colour {
            rendered.ansi().to_string()
        } else {
            rendered.to_string()
        };
        return text.replace("[OPTIONS]", &words.phrase("[OPTIONS]"));
    }
    let text = rendered.to_string();
    let text = match reason(error, words) {
        Some(reason) => {
            // The reason is the end of the first line.
            let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
            let source = std::error::Error::source(error).map(ToString::to_string);
            let first = source.and_then(|source| first.strip_suffix(&format!(": {source}")));
            let first = first.unwrap_or("error: invalid value");
            format!("{}: {reason}\n{}", words.phrase(first), words.phrase(rest))
        }
        None => words.phrase(&text),
    };
    text.replace("[OPTIONS]", &words.phrase("[OPTIONS]"))
}

/// Returns why the value of an argument is invalid, where papan's own parser refused it.
fn reason(error: &clap::Error, words: Messages) -> Option<String> {
    let source = std::error::Error::source(error)?;
    if error.kind() != ErrorKind::ValueValidation {
        return None;
    }
    if let Some(error) = source.downcast_ref::<GameError>() {
        return Some(messages::game(words, error));
    }
    if let Some(error) = source.downcast_ref::<PlayerError>() {
        return Some(messages::player(words, error));
    }
    if let Some(PlayerArgError::Entrant(error)) = source.downcast_ref::<PlayerArgError>() {
        return Some(arena_messages::entrant(words, error));
    }
    let time = source.downcast_ref::<TimeError>();
    time.map(|error| messages::time(words, error))
}
