//! A submission that is ready to run: built where it has to be, inside its sandbox.

use std::path::{Path, PathBuf};
use std::time::Duration;

use papan_catalog::StrategySpec;
use papan_protocol::{EngineCommand, EngineSettings, Program, Sandbox, run_once};
use papan_strategies::Limits;

use super::assignment::Assignment;
use crate::{Entrant, EntrantKind};

/// Time for a compiler.
const BUILD_TIME: Duration = Duration::from_secs(60);

/// A submission that is ready to run. A program that was built is deleted with the value.
pub(super) struct Submission {
    command: EngineCommand,
    limits: Limits,
    /// The command as text.
    text: String,
    _folder: Option<tempfile::TempDir>,
}

/// Returns the name of a submission.
pub(super) fn file_name(submission: &Path) -> String {
    let name = submission.file_name().unwrap_or(submission.as_os_str());
    name.to_string_lossy().into_owned()
}

impl Submission {
    /// Builds a submission, if the assignment has a command for that.
    ///
    /// # Errors
    /// When the assignment has no command for such a file, or it does not build.
    pub(super) fn prepare(assignment: &Assignment, submission: &Path) -> Result<Self, String> {
        let path = submission.canonicalize().ok();
        let settings = EngineSettings {
            name: Some(file_name(submission)),
            dir: path.and_then(|path| path.parent().map(Path::to_owned)),
            sandbox: Some(Sandbox {
                memory_mib: assignment.memory_mib,
                network: assignment.network,
            }),
            ..EngineSettings::default()
        };
        let mut built = PathBuf::new();
        let mut folder = None;
        if assignment.build_command(submission, &built)?.is_some() {
            let temporary =
                tempfile::tempdir().map_err(|cause| format!("no folder to build in: {cause}"))?;
            built = temporary.path().join("program");
            folder = Some(temporary);
            let command = assignment.build_command(submission, &built)?;
            run_once(&command.unwrap_or_default(), &settings, BUILD_TIME)
                .map_err(|why| format!("it does not build: {why}"))?;
        }
        let text = assignment.command(submission, &built)?;
        let mut command: EngineCommand = text.parse().map_err(|error| format!("{error}"))?;
        command.settings = settings;
        let limits = Limits {
            time: Some(assignment.time),
            ..Limits::default()
        };
        Ok(Self {
            command,
            limits,
            text,
            _folder: folder,
        })
    }

    /// Returns it as a strategy.
    pub(super) fn strategy(&self) -> StrategySpec {
        Program::new(self.command.clone(), self.limits, self.text.clone()).strategy()
    }

    /// Returns it as a player of a tournament.
    pub(super) fn entrant(&self) -> Entrant {
        Entrant {
            kind: EntrantKind::Engine(self.command.clone()),
            limits: self.limits,
        }
    }
}
