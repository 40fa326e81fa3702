//! Options shared by all commands: language, character set, colour and full-screen mode.

use std::io::IsTerminal as _;

use clap::{Args, ValueEnum};
use papan_view::text_board::Style;
use papan_view::{Language, Marks, Messages};

/// Options for the appearance of the output.
#[derive(Args, Clone, Debug)]
pub(crate) struct Appearance {
    /// Language, en or id [default: from the locale, else en]
    #[arg(long, global = true, value_name = "LANG")]
    lang: Option<Language>,
    /// Draw boards in ASCII
    #[arg(long, global = true)]
    ascii: bool,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
    /// Play line by line, without the full-screen board
    #[arg(long, global = true)]
    plain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// If standard output is a terminal with colours and NO_COLOR is not set
    Auto,
    Always,
    Never,
}

impl Appearance {
    /// Returns the messages of the selected language.
    pub(crate) fn words(&self) -> Messages {
        Messages::new(self.lang.unwrap_or_else(Language::of_environment))
    }

    /// Returns whether games are played on the full-screen board: at a terminal that can move
    /// its cursor, unless `--plain` is given.
    pub(crate) fn is_full_screen(&self) -> bool {
        !self.plain
            && std::io::stdout().is_terminal()
            && std::io::stdin().is_terminal()
            && set("TERM").is_some_and(|term| term != "dumb")
    }

    /// Returns the options for the full-screen board.
    pub(crate) fn full_screen(&self) -> papan_terminal::Options {
        papan_terminal::Options {
            language: self.lang,
            drawing: self.ascii.then_some(papan_terminal::Drawing::Ascii),
            colour: match self.color {
                Colour::Always => Some(true),
                Colour::Never => Some(false),
                Colour::Auto => None,
            },
            ..papan_terminal::Options::default()
        }
    }

    /// Returns the style in which boards are drawn.
    pub(crate) fn style(&self, marks: Marks) -> Style {
        Style {
            ascii: self.ascii || !locale_has_unicode(),
            colour: match self.color {
                Colour::Always => true,
                Colour::Never => false,
                Colour::Auto => terminal_has_colour(),
            },
            marks,
        }
    }
}

/// Returns a non-empty environment variable.
fn set(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn terminal_has_colour() -> bool {
    std::io::stdout().is_terminal()
        && set("NO_COLOR").is_none()
        && set("TERM").is_some_and(|term| term != "dumb")
}

/// Returns whether the locale uses UTF-8. Without a locale, as in containers, UTF-8 is assumed.
fn locale_has_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|n| set(n));
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}
