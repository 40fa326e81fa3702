//! Engine protocols: GTP, UGI, Piskvork and NBoard, each as client and as server, and `move:`, the
//! protocol for beginners ([`PositionLineClient`]).
//!
//! A client starts an engine in another process and asks it for moves
//! ([`EngineCommand::start`], [`Engine`]). A server makes papan itself such an engine
//! ([`EngineSession`], [`gtp::serve`], [`ugi::serve`], [`piskvork::serve`],
//! [`nboard::serve`]). [`compliance`] tests whether an engine follows its protocol.
//!
//! ```
//! use papan_protocol::{EngineSession, Input, gtp};
//! use papan_strategies::Limits;
//!
//! let limits = Limits::default();
//! let mut session = EngineSession::new("tictactoe".parse()?, None, limits, 1)?;
//! let mut output = Vec::new();
//! let input = Input::script("1 play black b2\n2 quit\n".as_bytes());
//! gtp::serve(&mut session, input, &mut output, |score| score.balance().to_string())?;
//! assert_eq!(output, b"=1 \n\n=2 \n\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod compliance;
mod connect;
mod conversation_log;
mod engine;
mod engine_command;
mod engine_session;
mod engine_settings;
mod forfeit;
pub mod gtp;
pub mod limits;
mod line_reader;
mod move_overhead;
pub mod nboard;
mod notation;
pub mod piskvork;
pub mod position_line;
mod process;
mod program;
mod session;
mod time_control;
pub mod ugi;

pub use engine::{Engine, EngineMove, MoveRequest};
pub use engine_command::{EngineCommand, EngineCommandError, EngineError, FileDigest, Protocol};
pub use engine_session::EngineSession;
pub use engine_settings::{EngineSettings, Restart, SettingError};
pub use forfeit::{Forfeit, ForfeitKind};
pub use move_overhead::MoveOverhead;
pub use notation::ProtocolNotation;
pub use position_line::PositionLineClient;
pub use process::{ProcessError, Sandbox, StartError, run_once, split_command, stop_waiting_by};
pub use program::{PATIENCE, Program, SeatedProgram};
pub use session::Input;
pub use time_control::AnnouncedTime;
