//! `papan grade`: runs the tests of an assignment on submissions.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use papan_arena::grading::{
    Assignment, Grade, GradeJson, assignment_error, grade, html, junit, table,
};
use papan_strategies::{StepKind, Watch};
use papan_view::{Messages, json, messages};
use rayon::prelude::*;

use crate::exit_code::{self, INTERRUPTED};
use crate::output::{self, status};
use crate::progress::watched;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct GradeArgs {
    /// Assignment, a TOML file
    #[arg(value_name = "ASSIGNMENT")]
    assignment: PathBuf,
    /// Submissions, a file each
    #[arg(value_name = "SUBMISSION", required = true)]
    submissions: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write JUnit XML to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a page for each submission into this folder
    #[arg(long, value_name = "FOLDER")]
    pages: Option<PathBuf>,
    /// Submissions that are graded at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
}

pub(crate) fn run(args: &GradeArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let assignment = assignment(&args.assignment, words)?;
    let mut threads = rayon::ThreadPoolBuilder::new();
    if let Some(jobs) = args.jobs {
        threads = threads.num_threads(jobs.into());
    }
    let threads = threads.build()?;
    let watch = Arc::new(Watch::default());
    let grades = watched(&watch, &assignment.game, words, || {
        threads.install(|| grade_all(&assignment, &args.submissions, &watch))
    });
    if watch.stop.is_stopped() {
        status(words.text("stopped"));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(path) = &args.junit {
        output::write_file(path, junit(&assignment, &grades, words).as_bytes())?;
    }
    if let Some(folder) = &args.pages {
        write_pages(&assignment, &grades, folder, words)?;
    }
    let text = if args.json {
        let forms = grades
            .iter()
            .map(|grade| GradeJson::new(&assignment, grade, words));
        json::array(&forms.collect::<Vec<_>>())
    } else {
        table(&assignment, &grades, words)
    };
    output::print_beside(args.junit.as_deref(), &text)?;
    let complete = |grade: &Grade| grade.failure.is_none() && grade.tests.iter().all(|t| t.passed);
    Ok(exit_code::for_answer(grades.iter().all(complete)))
}

/// Reads an assignment.
pub(crate) fn assignment(path: &Path, words: Messages) -> anyhow::Result<Assignment> {
    let wrong = |why| anyhow::anyhow!(messages::in_file(words, path, why));
    let text =
        std::fs::read_to_string(path).map_err(|cause| wrong(messages::file(words, &cause)))?;
    Assignment::parse(&text).map_err(|error| wrong(assignment_error(words, &error)))
}

fn grade_all(assignment: &Assignment, submissions: &[PathBuf], watch: &Watch) -> Vec<Grade> {
    watch.begin_step(0, StepKind::Problems, submissions.len() as u64);
    // The proofs report their own progress; the grades are the steps.
    let one = |submission: &PathBuf| {
        let mut own = Watch::default();
        own.stop = watch.stop.clone();
        let grade = grade(assignment, submission, &own);
        watch.advance(1, 1);
        grade
    };
    submissions.par_iter().map(one).collect()
}

fn write_pages(
    assignment: &Assignment,
    grades: &[Grade],
    folder: &Path,
    words: Messages,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).map_err(|cause| {
        anyhow::anyhow!(messages::in_file(
            words,
            folder,
            messages::file(words, &cause)
        ))
    })?;
    for (number, grade) in (1..).zip(grades) {
        // Two submissions of one name have two pages.
        let page = folder.join(format!("{number:03}-{}.html", grade.submission));
        output::write_file(&page, html(assignment, grade, words).as_bytes())?;
    }
    Ok(())
}
