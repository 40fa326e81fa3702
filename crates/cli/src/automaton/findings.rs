//! `papan automaton check`: what is wrong with a table, in words and in JSON.

use std::io::Write as _;
use std::process::ExitCode;

use papan_solve::automaton::{End, Finding, Problem, inspect};
use papan_strategies::RowFlag;
use papan_view::Words;
use serde_json::{Value, json};

use super::{FileArgs, read};

pub(super) fn run(args: &FileArgs, words: Words) -> anyhow::Result<ExitCode> {
    let table = read(&args.file)?;
    let inspection = inspect(&table);
    let file = args.file.display().to_string();
    let loses = |finding: &Finding| matches!(finding.problem, Problem::Loses { .. });
    let loses = inspection.findings.iter().any(loses);
    let mut out = std::io::stdout().lock();
    if args.json {
        let findings: Vec<Value> = inspection.findings.iter().map(finding_json).collect();
        let verdict = if loses { "can-lose" } else { "never-loses" };
        let value = json!({ "file": file, "findings": findings, "verdict": verdict });
        writeln!(out, "{value}")?;
    } else {
        for finding in &inspection.findings {
            let problem = problem_text(&finding.problem, words);
            let line = finding.line.to_string();
            let values = [("line", line.into()), ("problem", problem.into())];
            writeln!(out, "{file}: {}", words.with("inspect-finding", values))?;
        }
        let rows = table.rows().len().to_string();
        let count = inspection.findings.len().to_string();
        let values = [("rows", rows.into()), ("count", count.into())];
        writeln!(out, "{file}: {}", words.with("inspect-summary", values))?;
        let stuck = |finding: &Finding| {
            matches!(
                finding.problem,
                Problem::MissingInputs { .. } | Problem::IllegalReply { .. } | Problem::NoStart
            )
        };
        let verdict = match (loses, inspection.findings.iter().any(stuck)) {
            (true, _) => "inspect-loses",
            (false, true) => "inspect-never-loses-so-far",
            (false, false) => "inspect-never-loses",
        };
        writeln!(out, "{file}: {}", words.text(verdict))?;
    }
    Ok(ExitCode::from(u8::from(!inspection.findings.is_empty())))
}

fn cells_text(cells: &[usize]) -> String {
    let numbers: Vec<String> = cells.iter().map(|cell| (cell + 1).to_string()).collect();
    numbers.join(" ")
}

fn problem_text(problem: &Problem, words: Words) -> String {
    match problem {
        Problem::NoStart => words.text("inspect-no-start"),
        Problem::MissingInputs { board, inputs } => {
            let board: String = board_text(board);
            let values = [
                ("board", board.into()),
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
            [("reply", (cell + 1).to_string().into())],
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

fn finding_json(finding: &Finding) -> Value {
    let cells = |cells: &[usize]| cells.iter().map(|cell| cell + 1).collect::<Vec<_>>();
    let (kind, more) = match &finding.problem {
        Problem::NoStart => ("no-start", json!({})),
        Problem::MissingInputs { board, inputs } => (
            "missing-inputs",
            json!({ "board": board_text(board), "inputs": cells(inputs) }),
        ),
        Problem::Unreachable => ("unreachable", json!({})),
        Problem::Repeated {
            earlier,
            contradicts: true,
        } => ("contradicts", json!({ "earlier": earlier })),
        Problem::Repeated { earlier, .. } => ("repeats", json!({ "earlier": earlier })),
        Problem::IllegalInput => ("illegal-input", json!({})),
        Problem::IllegalReply { reply } => (
            "illegal-reply",
            json!({ "reply": reply.map(|cell| cell + 1) }),
        ),
        Problem::UntrueFlag { truth } => {
            let flag = flag_letter(truth.map_or(RowFlag::Open, End::flag));
            ("untrue-flag", json!({ "truth": flag }))
        }
        Problem::MissedWin { cells: wins } => ("missed-win", json!({ "cells": cells(wins) })),
        Problem::Loses { game } => ("loses", json!({ "game": cells(game) })),
    };
    let mut value = json!({ "line": finding.line, "kind": kind });
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    value
}
