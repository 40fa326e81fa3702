//! A server in a process of its own, for programs that attack or kill it: the
//! program starts itself once more, as `serve FOLDER`.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use papan_web::Settings;
use tokio::sync::oneshot;

use crate::client::Failure;

/// A server; it is killed when this is dropped.
pub(crate) struct OwnServer {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl OwnServer {
    /// Starts a server over the database in a folder.
    pub(crate) fn start(folder: &Path) -> Result<Self, Failure> {
        let mut process = Command::new(std::env::current_exe()?)
            .arg("serve")
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let said = process.stdout.take().ok_or("the server has no output")?;
        let mut address = String::new();
        BufReader::new(said).read_line(&mut address)?;
        Ok(Self {
            process,
            address: address.trim().parse()?,
        })
    }

    /// The most memory that it took so far, in MiB.
    pub(crate) fn most_memory(&self) -> Result<u64, Failure> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let mut lines = status.lines();
        let most = lines.find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = most.ok_or("no VmHWM")?.trim().trim_end_matches(" kB");
        Ok(kib.parse::<u64>()? / 1024)
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        // SIGKILL: what it has not written by now never is.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The folder, where this process shall be the server.
pub(crate) fn folder_to_serve() -> Option<PathBuf> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == "serve").then(|| arguments.next().map(PathBuf::from))?
}

/// Is the server, until whoever started it ends.
pub(crate) async fn be_server(folder: &Path, settings: Settings) -> Result<(), Failure> {
    let settings = Settings {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        database: papan_store::Address::Sqlite(folder.join("games.sqlite")),
        ..settings
    };
    let (ended, end) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = ended.send(());
    });
    let stop = async {
        let _ = end.await;
    };
    papan_web::serve(settings, stop, |address| println!("{address}")).await?;
    Ok(())
}
