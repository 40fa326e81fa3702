//! Limits for untrusted programs: memory, network, environment.
//!
//! They contain mistakes, not attacks: a program still sees the file system of the user. Hostile code
//! belongs in a container or a virtual machine.

use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The limits of an untrusted program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// Address space in MiB.
    pub memory_mib: u64,
    /// Whether it may use the network.
    pub network: bool,
}

/// Environment variables that a program in a sandbox keeps.
const KEPT_VARIABLES: [&str; 4] = ["PATH", "LANG", "LC_ALL", "SystemRoot"];

/// The command that runs another one in a new user and network namespace.
const UNSHARE: [&str; 4] = ["unshare", "--map-root-user", "--net", "--"];

impl Sandbox {
    /// Returns whether this system lets papan take the network away from a program.
    #[must_use]
    pub fn can_cut_network() -> bool {
        static ALLOWED: OnceLock<bool> = OnceLock::new();
        *ALLOWED.get_or_init(|| {
            let [program, arguments @ ..] = UNSHARE;
            let tried = Command::new(program)
                .args(arguments)
                .arg("true")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            tried.is_ok_and(|status| status.success())
        })
    }

    /// Returns the words of the command inside the sandbox.
    pub(super) fn wrap(self, words: Vec<String>) -> Vec<String> {
        if self.network || !Self::can_cut_network() {
            return words;
        }
        UNSHARE
            .map(str::to_owned)
            .into_iter()
            .chain(words)
            .collect()
    }

    /// Leaves the program only the variables that it needs to run.
    pub(super) fn restrict_environment(command: &mut Command) {
        command.env_clear();
        for name in KEPT_VARIABLES {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
    }
}
