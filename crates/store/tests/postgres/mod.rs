//! A PostgreSQL server in a temporary folder for the tests.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Settings for tests: no durability, little memory.
const QUICK: [&str; 5] = [
    "fsync=off",
    "full_page_writes=off",
    "shared_buffers=16MB",
    "max_connections=200",
    "listen_addresses=",
];

/// A running PostgreSQL server on a socket in its folder.
pub(crate) struct Postgres {
    folder: tempfile::TempDir,
    settings: Vec<String>,
    server: Option<Child>,
}

#[allow(dead_code, reason = "every test takes what it needs")]
impl Postgres {
    /// Creates and starts a server.
    pub(crate) fn start() -> Self {
        Self::with(&QUICK)
    }

    /// Creates and starts a server with these settings.
    pub(crate) fn with(settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        if let Some((user, group)) = other_user() {
            std::os::unix::fs::chown(folder.path(), Some(user), Some(group)).unwrap();
        }
        let made = program("initdb")
            .args([
                "--auth=trust",
                "--username=papan",
                "--no-sync",
                "--encoding=UTF8",
                "-D",
            ])
            .arg(&data)
            .output()
            .unwrap();
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let mut postgres = Self {
            folder,
            settings: settings.iter().map(|&setting| setting.into()).collect(),
            server: None,
        };
        postgres.start_again();
        postgres
    }

    /// Creates a database and returns its address.
    pub(crate) fn database(&self, name: &str) -> String {
        let created = Command::new(tool("psql"))
            .args(["--username=papan", "--dbname=postgres", "--quiet", "--host"])
            .arg(self.folder.path())
            .arg("--command")
            .arg(format!("CREATE DATABASE {name}"))
            .output()
            .unwrap();
        assert!(
            created.status.success(),
            "{}",
            String::from_utf8_lossy(&created.stderr)
        );
        self.url(name)
    }

    /// Returns the address of a database.
    pub(crate) fn url(&self, name: &str) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://papan@{folder}/{name}")
    }

    /// Restarts a stopped server.
    pub(crate) fn start_again(&mut self) {
        let mut server = program("postgres");
        server.arg("-D").arg(self.folder.path().join("data"));
        server.arg("-k").arg(self.folder.path());
        for setting in &self.settings {
            server.args(["-c", setting]);
        }
        server.stdout(Stdio::null()).stderr(Stdio::null());
        self.server = Some(server.spawn().unwrap());
        let deadline = Instant::now() + Duration::from_secs(60);
        while !self.is_ready() {
            assert!(Instant::now() < deadline, "PostgreSQL does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn is_ready(&self) -> bool {
        let asked = Command::new(tool("pg_isready"))
            .args(["--quiet", "--host"])
            .arg(self.folder.path())
            .status();
        asked.unwrap().success()
    }

    /// Stops the server immediately, like a crash.
    pub(crate) fn stop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let signalled = Command::new("kill")
                .args(["-QUIT", &server.id().to_string()])
                .status();
            assert!(signalled.unwrap().success());
            server.wait().unwrap();
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Returns a PostgreSQL program that runs as another user, because it refuses to run as root. It
/// ends with the test.
fn program(name: &str) -> Command {
    let mut command = Command::new("setpriv");
    if let Some((user, group)) = other_user() {
        command.args([format!("--reuid={user}"), format!("--regid={group}")]);
        command.arg("--clear-groups");
    }
    command.args(["--pdeathsig", "QUIT"]).arg(tool(name));
    command.current_dir("/");
    command
}

/// Returns the user `postgres` of Debian's package if the tests run as root.
fn other_user() -> Option<(u32, u32)> {
    let own = std::fs::metadata("/proc/self").unwrap();
    if std::os::unix::fs::MetadataExt::uid(&own) != 0 {
        return None;
    }
    let users = std::fs::read_to_string("/etc/passwd").unwrap();
    let line = users.lines().find(|line| line.starts_with("postgres:"));
    let line = line.expect("Debian's package postgresql makes the user postgres");
    let mut numbers = line
        .split(':')
        .skip(2)
        .map(|number| number.parse().unwrap());
    numbers.next().zip(numbers.next())
}

/// Debian installs the programs outside the path, by version; the newest is used.
fn tool(name: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let versions = versions
        .flatten()
        .map(|version| version.path().join("bin").join(name));
    let versions = versions.filter(|path| path.is_file());
    let newest = versions.max_by_key(|path| version(path));
    newest.unwrap_or_else(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut found = std::env::split_paths(&path).map(|folder| folder.join(name));
        found.find(|path| path.is_file()).unwrap_or_else(|| {
            panic!("these tests start a PostgreSQL: install Debian's package postgresql ({name})")
        })
    })
}

fn version(path: &Path) -> u32 {
    let folder = path.ancestors().nth(2).and_then(Path::file_name);
    folder
        .and_then(|name| name.to_str()?.parse().ok())
        .unwrap_or(0)
}
