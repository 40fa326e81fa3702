//! A NATS server of a test's own: on a loopback port, with its files in a temporary folder.
#![allow(dead_code, reason = "each test program uses some of it")]

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server; it is killed when the test ends.
pub(crate) struct NatsServer {
    process: Option<Child>,
    port: u16,
    config: PathBuf,
    /// Its `server_name`, where the configuration takes that from the environment.
    node: String,
    _folder: tempfile::TempDir,
}

/// The program that the variable names, that of `cargo xtask`, or Debian's, which is outside the path
/// of ordinary users.
fn program() -> PathBuf {
    let named = std::env::var_os("PAPAN_NATS_SERVER").map(PathBuf::from);
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let installed = cache
        .or(home)
        .map(|cache| cache.join("papan/nats-server/bin/nats-server"));
    let usual = ["/usr/sbin/nats-server", "/usr/local/bin/nats-server"];
    let mut usual = installed
        .into_iter()
        .chain(usual.map(PathBuf::from))
        .filter(|path| path.is_file());
    named
        .or_else(|| usual.next())
        .unwrap_or_else(|| PathBuf::from("nats-server"))
}

/// Debian's program that lets the kernel kill a child when its parent ends, however it ends.
const SETPRIV: &str = "/usr/bin/setpriv";

/// Returns a command whose process ends with the thread that started it, also if that is killed.
pub(crate) fn mortal(program: &Path) -> Command {
    if !Path::new(SETPRIV).is_file() {
        return Command::new(program);
    }
    let mut command = Command::new(SETPRIV);
    command.args(["--pdeathsig", "KILL", "--"]).arg(program);
    command
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
    listener.local_addr().expect("its address").port()
}

impl NatsServer {
    /// Starts one server.
    pub(crate) fn start() -> Self {
        Self::with("")
    }

    /// Starts one server with more lines in its configuration.
    pub(crate) fn with(more: &str) -> Self {
        let port = free_port();
        let mut server = Self::configured(port, more);
        server.restart();
        server
    }

    /// Starts three servers that replicate each other.
    pub(crate) fn cluster() -> [Self; 3] {
        let ports = [free_port(), free_port(), free_port()];
        let routes = [free_port(), free_port(), free_port()];
        let all: Vec<String> = routes
            .iter()
            .map(|port| format!("nats://127.0.0.1:{port}"))
            .collect();
        let all = all.join(", ");
        let mut servers = [0, 1, 2].map(|index| {
            let (name, route) = (format!("node{index}"), routes[index]);
            let cluster = format!(
                "server_name: {name}\n\
                 cluster {{ name: test, listen: \"127.0.0.1:{route}\", routes: [{all}] }}\n"
            );
            Self::configured(ports[index], &cluster)
        });
        for server in &mut servers {
            server.restart();
        }
        servers
    }

    fn configured(port: u16, more: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = folder.path().join("nats.conf");
        let store = folder.path().join("store");
        let text = format!(
            "listen: \"127.0.0.1:{port}\"\n\
             jetstream {{ store_dir: \"{}\" }}\n\
             {more}",
            store.display()
        );
        std::fs::write(&config, text).expect("a configuration");
        Self {
            process: None,
            port,
            config,
            node: String::new(),
            _folder: folder,
        }
    }

    /// Starts the three nodes of `deploy/nats-cluster.conf` on loopback ports of their own.
    pub(crate) fn deployed_cluster() -> [Self; 3] {
        const FILES: [(&str, &str); 2] = [
            (
                "nats-server.conf",
                include_str!("../../../../deploy/nats-server.conf"),
            ),
            (
                "nats-cluster.conf",
                include_str!("../../../../deploy/nats-cluster.conf"),
            ),
        ];
        let routes = [free_port(), free_port(), free_port()];
        let mut servers = [0, 1, 2].map(|index| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let (port, monitor) = (free_port(), free_port());
            let store = folder.path().join("store").display().to_string();
            let mut places = vec![
                ("0.0.0.0:4222".to_owned(), format!("127.0.0.1:{port}")),
                ("127.0.0.1:8222".to_owned(), format!("127.0.0.1:{monitor}")),
                (
                    "0.0.0.0:6222".to_owned(),
                    format!("127.0.0.1:{}", routes[index]),
                ),
                ("/var/lib/nats".to_owned(), store),
            ];
            for (node, route) in (1..).zip(routes) {
                let host = format!("jobs{node}.example:6222");
                places.push((host, format!("127.0.0.1:{route}")));
            }
            for (name, text) in FILES {
                let place = |text: String, (from, to): &(String, String)| text.replace(from, to);
                let text = places.iter().fold(text.to_owned(), place);
                assert!(!text.contains(".example:6222"), "another host: {text}");
                std::fs::write(folder.path().join(name), text).expect("a configuration");
            }
            Self {
                process: None,
                port,
                config: folder.path().join("nats-cluster.conf"),
                node: format!("jobs{}", index + 1),
                _folder: folder,
            }
        });
        for server in &mut servers {
            server.restart();
        }
        servers
    }

    /// The address for `--jobs`.
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The id of its process; 0 while it is down.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.as_ref().map_or(0, Child::id)
    }

    /// Kills the server with SIGKILL.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Starts it, again with the same files.
    pub(crate) fn restart(&mut self) {
        self.kill();
        let started = mortal(&program())
            .arg("-c")
            .arg(&self.config)
            .env("NATS_NODE", &self.node)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.process = Some(started.expect("nats-server starts: `cargo xtask test` installs it"));
        let deadline = Instant::now() + Duration::from_secs(30);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < deadline, "nats-server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        self._folder.path()
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}
