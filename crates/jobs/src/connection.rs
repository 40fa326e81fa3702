//! A connection to a transport, with the runtime that drives it.

use std::sync::Arc;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::transport::Transport;
use crate::transport::memory::MemoryTransport;
use crate::transport::nats::NatsTransport;
use crate::{JobsAddress, JobsError, Notice};

/// A connection to workers: one per process is enough. Clones share it.
#[derive(Clone)]
pub struct Connection {
    transport: Arc<dyn Transport>,
    handle: Handle,
    /// Keeps a runtime of its own alive.
    _runtime: Option<Arc<OwnRuntime>>,
}

/// A runtime that may be dropped anywhere, also inside another one.
struct OwnRuntime(Option<Runtime>);

impl Drop for OwnRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Connection {
    /// Connects, with a runtime of its own. The methods that block may be called from any thread
    /// that is not part of an asynchronous runtime.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub fn open(address: &JobsAddress, notice: Notice) -> Result<Self, JobsError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("jobs")
            .enable_all()
            .build()
            .map_err(|error| JobsError::Unreachable {
                server: address.to_string(),
                reason: error.to_string(),
            })?;
        let handle = runtime.handle().clone();
        let transport = handle.block_on(transport(address, notice))?;
        Ok(Self {
            transport,
            handle,
            _runtime: Some(Arc::new(OwnRuntime(Some(runtime)))),
        })
    }

    /// Connects inside the present runtime.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub async fn connect(address: &JobsAddress, notice: Notice) -> Result<Self, JobsError> {
        Ok(Self {
            transport: transport(address, notice).await?,
            handle: Handle::current(),
            _runtime: None,
        })
    }

    /// Opens a connection within this process, without a server.
    ///
    /// # Errors
    /// When no runtime can be started.
    pub fn local() -> Result<Self, JobsError> {
        Self::open(&JobsAddress::Local { threads: None }, Notice::none())
    }

    /// Returns the server, without its password.
    #[must_use]
    pub fn server(&self) -> &str {
        self.transport.name()
    }

    pub(crate) fn transport(&self) -> &Arc<dyn Transport> {
        &self.transport
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.handle.block_on(future)
    }
}

async fn transport(address: &JobsAddress, notice: Notice) -> Result<Arc<dyn Transport>, JobsError> {
    Ok(match address {
        JobsAddress::Local { .. } => Arc::new(MemoryTransport::default()),
        JobsAddress::Nats(address) => Arc::new(NatsTransport::connect(address, notice).await?),
    })
}
