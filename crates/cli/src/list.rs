//! `papan list`: lists the games, strategies and parameters of the catalog.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use papan_catalog::{FAMILIES, Parameter, ParameterKind, STRATEGIES, StrategyInfo};
use papan_view::json::{self, List};
use papan_view::{Messages, messages};

use crate::output::print;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ListArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let text = if args.json {
        json::page(&List::of_catalog())
    } else {
        as_text(appearance.words())
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn as_text(words: Messages) -> String {
    let mut text = format!("{}\n", words.text("list-games"));
    for family in FAMILIES {
        let sizes = words.phrase(family.sizes);
        let size = words.with("list-sizes", [("sizes", sizes.into())]);
        let _ = writeln!(text, "  {}  ({size})", family.name);
        let _ = writeln!(text, "      {}", family.examples.join("  "));
    }
    let _ = writeln!(text, "\n{}", words.text("list-strategies"));
    let _ = writeln!(text, "  {:<18}{}", "human", words.text("strategy-human"));
    for recipe in STRATEGIES {
        let summary = words.text(&format!("strategy-{}", recipe.name));
        let _ = writeln!(text, "  {:<18}{summary}", recipe.name);
        for parameter in recipe.parameters {
            let _ = writeln!(text, "      {}", parameter_text(recipe, parameter, words));
        }
    }
    text
}

fn parameter_text(recipe: &StrategyInfo, parameter: &Parameter, words: Messages) -> String {
    let default = messages::default(words, recipe, parameter);
    let default = words.with("list-default", [("default", default.into())]);
    let takes = match parameter.kind {
        ParameterKind::Choice(choices) => choices.join("|"),
        ParameterKind::Number { .. } => "N".into(),
        ParameterKind::File => words.phrase("FILE"),
    };
    let summary = messages::parameter(words, recipe, parameter);
    format!("{}={takes}  {summary} ({default})", parameter.name)
}
