//! `papan automaton check`: reports the errors of a transition table.

use std::process::ExitCode;

use papan_rules::sanitize;
use papan_solve::automaton::inspect;
use papan_view::{Messages, automaton_check, json};

use super::{FileArgs, read};
use crate::exit_code;
use crate::output::print;

pub(super) fn run(args: &FileArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let table = read(&args.file, words)?;
    let inspection = inspect(&table);
    let file = args.file.display().to_string();
    if args.json {
        let check = automaton_check::form(file, &table, &inspection);
        print(&json::line(&check))?;
    } else {
        let file = sanitize(&file);
        let sentences = automaton_check::sentences(&table, &inspection, words);
        let lines = sentences
            .iter()
            .map(|sentence| format!("{file}: {sentence}\n"));
        print(&lines.collect::<String>())?;
    }
    Ok(exit_code::for_answer(inspection.findings.is_empty()))
}
