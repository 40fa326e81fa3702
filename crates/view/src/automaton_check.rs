//! The check of an automaton's table, in words and as JSON.

use papan_solve::automaton::{End, Finding, Inspection, Problem};
use papan_strategies::{RowFlag, TransitionTable};

use crate::Messages;
use crate::json::{self, TableCheck, TableVerdict};

/// Returns a check as JSON.
#[must_use]
pub fn form(file: String, table: &TransitionTable, inspection: &Inspection) -> TableCheck {
    TableCheck {
        file,
        rows: table.rows().len(),
        findings: inspection.findings.iter().map(finding_form).collect(),
        verdict: verdict(&inspection.findings),
    }
}

/// Returns the sentences of a check: the findings, their number, and whether the table can lose.
#[must_use]
pub fn sentences(table: &TransitionTable, inspection: &Inspection, words: Messages) -> Vec<String> {
    let finding = |finding: &Finding| {
        let problem = problem_text(&finding.problem, words);
        let line = finding.line.to_string();
        let values = [("line", line.into()), ("problem", problem.into())];
        words.with("inspect-finding", values)
    };
    let mut sentences: Vec<String> = inspection.findings.iter().map(finding).collect();
    let rows = table.rows().len().to_string();
    let count = inspection.findings.len().to_string();
    let values = [("rows", rows.into()), ("count", count.into())];
    sentences.push(words.with("inspect-summary", values));
    sentences.push(words.text(match verdict(&inspection.findings) {
        TableVerdict::CanLose => "inspect-loses",
        TableVerdict::NeverLosesSoFar => "inspect-never-loses-so-far",
        TableVerdict::NeverLoses => "inspect-never-loses",
    }));
    sentences
}

fn verdict(findings: &[Finding]) -> TableVerdict {
    let loses = |finding: &Finding| matches!(finding.problem, Problem::Loses { .. });
    let stuck = |finding: &Finding| {
        matches!(
            finding.problem,
            Problem::MissingInputs { .. } | Problem::IllegalReply { .. } | Problem::NoStart
        )
    };
    if findings.iter().any(loses) {
        TableVerdict::CanLose
    } else if findings.iter().any(stuck) {
        TableVerdict::NeverLosesSoFar
    } else {
        TableVerdict::NeverLoses
    }
}

fn cells_text(cells: &[usize]) -> String {
    let cells: Vec<String> = cells.iter().map(|&cell| cell_text(cell)).collect();
    cells.join(" ")
}

fn cell_text(cell: usize) -> String {
    (cell + 1).to_string()
}

fn problem_text(problem: &Problem, words: Messages) -> String {
    match problem {
        Problem::NoStart => words.text("inspect-no-start"),
        Problem::MissingInputs { board, inputs } => {
            let values = [
                ("board", board_text(board).into()),
                ("inputs", cells_text(inputs).into()),
            ];
            words.with("inspect-missing", values)
        }
        Problem::Unreachable => words.text("inspect-unreachable"),
        Problem::Repeated {
            earlier,
            contradicts,
        } => {
            let key = if *contradicts {
                "inspect-contradicts"
            } else {
                "inspect-repeats"
            };
            words.with(key, [("earlier", earlier.to_string().into())])
        }
        Problem::IllegalInput => words.text("inspect-illegal-input"),
        Problem::IllegalReply { reply: Some(cell) } => words.with(
            "inspect-illegal-reply",
            [("reply", cell_text(*cell).into())],
        ),
        Problem::IllegalReply { reply: None } => words.text("inspect-no-reply"),
        Problem::UntrueFlag { truth } => {
            let flag = flag_letter(truth.map_or(RowFlag::Open, End::flag));
            words.with("inspect-flag", [("flag", flag.into())])
        }
        Problem::MissedWin { cells } => {
            words.with("inspect-missed-win", [("cells", cells_text(cells).into())])
        }
        Problem::Loses { game } => {
            words.with("inspect-loses-with", [("moves", cells_text(game).into())])
        }
    }
}

fn board_text(board: &papan_strategies::automaton::Board) -> String {
    let row = papan_strategies::Row {
        flag: RowFlag::Open,
        board: *board,
        input: 0,
        reply: None,
    };
    row.to_string()[1..10].to_owned()
}

fn flag_letter(flag: RowFlag) -> &'static str {
    match flag {
        RowFlag::Open => "-",
        RowFlag::Won => "w",
        RowFlag::Draw => "d",
        RowFlag::Lost => "l",
    }
}

/// Returns a finding in its JSON form.
fn finding_form(finding: &Finding) -> json::Finding {
    let cells = |cells: &[usize]| cells.iter().map(|&cell| cell_text(cell)).collect();
    let problem = match &finding.problem {
        Problem::NoStart => json::Problem::NoStart,
        Problem::MissingInputs { board, inputs } => json::Problem::MissingInputs {
            board: board_text(board),
            inputs: cells(inputs),
        },
        Problem::Unreachable => json::Problem::Unreachable,
        &Problem::Repeated {
            earlier,
            contradicts: true,
        } => json::Problem::Contradicts { earlier },
        &Problem::Repeated { earlier, .. } => json::Problem::Repeats { earlier },
        Problem::IllegalInput => json::Problem::IllegalInput,
        Problem::IllegalReply { reply } => json::Problem::IllegalReply {
            reply: reply.map(cell_text),
        },
        Problem::UntrueFlag { truth } => json::Problem::UntrueFlag {
            truth: flag_letter(truth.map_or(RowFlag::Open, End::flag)),
        },
        Problem::MissedWin { cells: wins } => json::Problem::MissedWin { cells: cells(wins) },
        Problem::Loses { game } => json::Problem::Loses { game: cells(game) },
    };
    json::Finding {
        line: finding.line,
        problem,
    }
}
