//! A server in a child process, for programs that attack or kill it: the program starts itself
//! again as `serve FOLDER`.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use papan_web::Settings;
use tokio::sync::oneshot;

use crate::client::Failure;

/// A server process, killed on drop.
pub(crate) struct OwnServer {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl OwnServer {
    /// Starts a server with the database in a folder.
    pub(crate) fn start(folder: &Path) -> Result<Self, Failure> {
        let mut process = Command::new(std::env::current_exe()?)
            .arg("serve")
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = process.stdout.take().ok_or("the server has no output")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address)?;
        Ok(Self {
            process,
            address: address.trim().parse()?,
        })
    }

    /// Returns the peak resident memory in MiB.
    pub(crate) fn peak_memory(&self) -> Result<u64, Failure> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let mut lines = status.lines();
        let peak = lines.find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = peak.ok_or("no VmHWM")?.trim().trim_end_matches(" kB");
        Ok(kib.parse::<u64>()? / 1024)
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        // SIGKILL, so that nothing is written after this.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the folder if this process is the server.
pub(crate) fn folder_to_serve() -> Option<PathBuf> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == "serve").then(|| arguments.next().map(PathBuf::from))?
}

/// Serves until the parent process ends, which closes standard input.
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
    papan_web::serve(settings, stop, |bound| println!("{}", bound.public)).await?;
    Ok(())
}
