//! The job server that commands submit work to: `--jobs URL`.

use clap::Args;
use papan_analysis::job::Analyses;
use papan_analysis::leaf::ProofLeaves;
use papan_arena::TournamentGames;
use papan_jobs::{Connection, JobsAddress, JobsError, Kinds, Notice, Worker, WorkerOptions};
use papan_strategies::StopToken;
use papan_train::distributed::SelfPlay;

use crate::exit_code::INTERRUPTED;
use crate::output::status;

/// The address that `papan worker` and `papan jobs` require.
#[derive(Args, Debug)]
pub(crate) struct JobServerArg {
    /// Job server: nats://HOST:PORT or tls://HOST:PORT, several of a cluster separated by commas
    #[arg(
        long,
        aliases = ["queue", "database"],
        value_name = "URL",
        env = "PAPAN_JOBS",
        hide_env_values = true
    )]
    pub(crate) jobs: String,
}

/// The variable that sets the address for all commands.
const VARIABLE: &str = "PAPAN_JOBS";

/// Returns the address from an option, or else from the environment; an empty one is none.
pub(crate) fn address(option: Option<&str>) -> Option<String> {
    let address = option.map(str::to_owned);
    let address = address.or_else(|| std::env::var(VARIABLE).ok());
    address.filter(|address| !address.is_empty())
}

/// The kinds of jobs that workers of this version run.
pub(crate) fn kinds() -> Kinds {
    Kinds::new()
        .with::<TournamentGames>()
        .with::<ProofLeaves>()
        .with::<SelfPlay>()
        .with::<Analyses>()
}

/// Messages of producers and workers, on standard error.
pub(crate) fn notice() -> Notice {
    Notice::new(|line| status(line))
}

/// Returns the command as it was typed, for lists of groups; addresses are left out, since they may
/// contain passwords.
pub(crate) fn command_line() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let shown = words.filter(|word| !word.contains("://"));
    format!("papan {}", shown.collect::<Vec<_>>().join(" "))
}

/// A connection for a command that lets workers do its work.
pub(crate) struct JobServer {
    pub(crate) connection: Connection,
    /// Triggered by Ctrl-C or SIGTERM; a second one exits at once.
    pub(crate) stop: StopToken,
    /// The worker of this process, with `--jobs local`.
    _worker: Option<Worker>,
}

impl JobServer {
    /// Connects; with `local:N` also starts N threads of this process as a worker.
    ///
    /// # Errors
    /// When the text is no address, or the server cannot be reached.
    pub(crate) fn open(text: &str) -> anyhow::Result<Self> {
        let address: JobsAddress = text.parse()?;
        let connection = Connection::open(&address, notice())?;
        let worker = match address {
            JobsAddress::Nats(_) => None,
            JobsAddress::Local { threads } => {
                let threads = threads.unwrap_or_else(cores);
                let options = WorkerOptions::named("this process").threads(threads);
                Some(Worker::start(
                    &connection,
                    kinds(),
                    options.notice(notice()),
                )?)
            }
        };
        let stop = StopToken::default();
        let token = stop.clone();
        papan_os::on_stop_request(move |count| {
            if count > 1 {
                std::process::exit(INTERRUPTED.into());
            }
            token.stop();
            status("stopping the jobs that run; a second signal exits at once");
        })?;
        Ok(Self {
            connection,
            stop,
            _worker: worker,
        })
    }
}

/// Connects to a server that other processes use too.
///
/// # Errors
/// When the text is not its address, or it cannot be reached.
pub(crate) fn connect(text: &str, notice: Notice) -> Result<Connection, JobsError> {
    let address: JobsAddress = text.parse()?;
    if matches!(address, JobsAddress::Local { .. }) {
        return Err(JobsError::Address(format!(
            "{address} is within one process; this command needs a NATS server, such as \
             nats://127.0.0.1:4222"
        )));
    }
    Connection::open(&address, notice)
}

/// Returns the number of cores.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
