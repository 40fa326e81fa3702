//! Engine processes: line-based I/O over non-blocking pipes.
//!
//! No behaviour of the other program may block papan beyond a deadline or exhaust its
//! memory: reads and writes wait with a deadline, and lines have a maximum length. The
//! program is killed with its descendants ([`papan_os::ChildProcess`]).

mod command_line;
mod error;
mod run_once;
mod sandbox;
mod stop;

pub use command_line::split_command;
pub use error::{ProcessError, StartError};
pub use run_once::run_once;
pub use sandbox::Sandbox;
pub use stop::stop_waiting_by;

use std::io::{self, ErrorKind};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use papan_os::{ChildProcess, Scheduling};

use crate::conversation_log::{ConversationLog, Direction};
use crate::engine_settings::EngineSettings;

/// Maximum length of a line in bytes.
pub(crate) const MAX_LINE: usize = 1 << 16;
/// Bytes at the end of standard error that are kept for error messages.
const STDERR_TAIL: usize = 1 << 10;
/// Reads of standard error at a time, so that a program that never stops writing to it
/// does not block the caller.
const MAX_STDERR_READS: usize = 64;
/// Time to exit after the quit command, before the process is killed.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum time by which a deadline is extended because the program waited for a processor.
const MAX_EXTENSION: Duration = Duration::from_secs(60);
/// Steps of the extension while the program is active.
const EXTENSION_STEP: Duration = Duration::from_millis(100);

/// A running program and its pipes. Dropping it terminates the program.
#[derive(Debug)]
pub(crate) struct LineProcess {
    child: ChildProcess,
    /// Output that has been read; `buffer[consumed..]` has not been returned yet.
    buffer: Vec<u8>,
    consumed: usize,
    stderr_tail: Vec<u8>,
    log: Option<ConversationLog>,
    /// When text was last sent to the program, and its scheduling until then.
    sent: (Instant, Scheduling),
    /// The command that ends the program; `None` when it does not respond any more.
    quit_command: Option<&'static str>,
}

impl LineProcess {
    /// Starts a command, split into words as by [`split_command`] and without a shell.
    /// `quit_command` ends the program.
    ///
    /// # Errors
    /// When the program does not exist or cannot be executed.
    pub(crate) fn start(
        command: &str,
        settings: &EngineSettings,
        quit_command: &'static str,
    ) -> Result<Self, StartError> {
        let mut words = split_command(command)?;
        if let (Some(sandbox), false) = (settings.sandbox, words.is_empty()) {
            words = sandbox.wrap(words);
        }
        let (program, arguments) = words.split_first().ok_or(StartError::Empty)?;
        let refused = |cause: io::ErrorKind| StartError::Refused {
            program: program.clone(),
            cause,
        };
        let log = settings.open_log(command).transpose().map_err(|error| {
            let folder = settings.log_dir.clone().unwrap_or_default();
            let cause = error.kind();
            StartError::Log { folder, cause }
        })?;
        let mut start = Command::new(program);
        if settings.sandbox.is_some() {
            Sandbox::restrict_environment(&mut start);
        }
        start
            .args(arguments)
            .envs(settings.env.iter().map(|(key, value)| (key, value)));
        if let Some(folder) = &settings.dir {
            start.current_dir(folder);
        }
        let child = ChildProcess::spawn(&mut start, &settings.process_limits())
            .map_err(|cause| refused(cause.kind()))?;
        Ok(Self {
            child,
            buffer: Vec::new(),
            consumed: 0,
            stderr_tail: Vec::new(),
            log,
            sent: (Instant::now(), Scheduling::default()),
            quit_command: Some(quit_command).filter(|command| !command.is_empty()),
        })
    }

    /// Sends text, which should end in a line break.
    ///
    /// # Errors
    /// When the program has exited or does not read its input.
    pub(crate) fn send(&mut self, text: &str, deadline: Instant) -> Result<(), ProcessError> {
        self.log(Direction::Sent, text);
        self.sent = (Instant::now(), self.child.scheduling());
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.child.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    // The program may be blocked on a full standard error.
                    self.drain_errors();
                    let is_ready = stop::wait(deadline, |until| self.child.wait_writable(until));
                    match is_ready {
                        Some(true) => {}
                        Some(false) => return Err(self.unresponsive(ProcessError::InputBlocked)),
                        None => return Err(self.unresponsive(ProcessError::Stopped)),
                    }
                }
                Err(_) => return Err(self.exited()),
            }
        }
        Ok(())
    }

    /// Returns the next line, without its terminator. Time in which the program waited for a
    /// processor does not count.
    ///
    /// # Errors
    /// When there is none before the deadline, or it is too long.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<String, ProcessError> {
        let mut searched = self.consumed;
        loop {
            let newline = self.buffer[searched..].iter().position(|&b| b == b'\n');
            if let Some(length) = newline {
                let end = searched + length;
                let bytes = String::from_utf8_lossy(&self.buffer[self.consumed..end]);
                let line = bytes.trim_end_matches('\r').to_owned();
                self.consumed = end + 1;
                self.log(Direction::Received, &line);
                return Ok(line);
            }
            self.buffer.drain(..self.consumed);
            self.consumed = 0;
            searched = self.buffer.len();
            if self.buffer.len() > MAX_LINE {
                return Err(self.unresponsive(ProcessError::LineTooLong));
            }
            self.fill(deadline)?;
        }
    }

    fn fill(&mut self, deadline: Instant) -> Result<(), ProcessError> {
        let mut chunk = [0; 4096];
        let mut extension = Duration::ZERO;
        loop {
            match self.child.read_output(&mut chunk) {
                Ok(0) => return Err(self.exited()),
                Ok(read) => {
                    self.buffer.extend_from_slice(&chunk[..read]);
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let until = deadline + extension;
                    match stop::wait(until, |until| self.child.wait_readable(until)) {
                        Some(true) => self.drain_errors(),
                        Some(false) => {
                            extension = match self.extension(deadline) {
                                Some(longer) if longer > extension => longer,
                                _ => return Err(ProcessError::Timeout),
                            }
                        }
                        None => return Err(self.unresponsive(ProcessError::Stopped)),
                    }
                }
                Err(_) => return Err(self.exited()),
            }
        }
    }

    /// Returns by how much a deadline that has passed is extended: by the time in which the program
    /// waited for a processor, and a little while it is active and has not used its time. `None` if
    /// it used it or the extension is too long.
    fn extension(&self, deadline: Instant) -> Option<Duration> {
        let (sent, before) = self.sent;
        let now = self.child.scheduling();
        let busy = now.busy.saturating_sub(before.busy);
        let delay = now.delay.saturating_sub(before.delay);
        let late = deadline.elapsed();
        if late > MAX_EXTENSION || busy >= deadline.saturating_duration_since(sent) {
            return None;
        }
        let active = late + EXTENSION_STEP;
        Some(if now.is_active {
            delay.max(active)
        } else {
            delay
        })
    }

    /// Empties the pipe of standard error, so that the program does not block on it.
    fn drain_errors(&mut self) {
        let mut chunk = [0; 4096];
        for _ in 0..MAX_STDERR_READS {
            match self.child.read_errors(&mut chunk) {
                Ok(0) => return,
                Ok(read) => {
                    let text = String::from_utf8_lossy(&chunk[..read]).into_owned();
                    self.log(Direction::Stderr, &text);
                    self.stderr_tail.extend_from_slice(&chunk[..read]);
                    let surplus = self.stderr_tail.len().saturating_sub(STDERR_TAIL);
                    self.stderr_tail.drain(..surplus);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    fn log(&mut self, direction: Direction, text: &str) {
        if let Some(log) = &mut self.log {
            log.write(direction, text);
        }
    }

    /// Marks the program as unresponsive because of an error.
    fn unresponsive(&mut self, error: ProcessError) -> ProcessError {
        self.abandon();
        error
    }

    fn exited(&mut self) -> ProcessError {
        self.abandon();
        let status = self.wait_until(Instant::now() + Duration::from_millis(100));
        self.drain_errors();
        let status = status.map(|status| status.to_string());
        let text = String::from_utf8_lossy(&self.stderr_tail);
        let stderr = text
            .lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty());
        ProcessError::Exited {
            status,
            stderr: stderr.map(Into::into),
        }
    }

    /// Marks the program as unresponsive: it will be killed without a quit command.
    pub(crate) fn abandon(&mut self) {
        self.quit_command = None;
    }

    fn wait_until(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                _ => return None,
            }
        }
    }
}

impl Drop for LineProcess {
    fn drop(&mut self) {
        if let Some(quit_command) = self.quit_command {
            let deadline = Instant::now() + QUIT_TIMEOUT;
            if self.send(quit_command, deadline).is_ok() {
                self.wait_until(deadline);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(command: &str) -> Result<LineProcess, StartError> {
        LineProcess::start(command, &EngineSettings::default(), "\n")
    }

    fn timeout() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn an_empty_command_is_an_error() {
        assert_eq!(start("  ").unwrap_err(), StartError::Empty);
    }

    #[test]
    fn lines_come_back() {
        let mut cat = start("cat").unwrap();
        cat.send("one\r\ntwo\n\nthree", timeout()).unwrap();
        assert_eq!(cat.line(timeout()).unwrap(), "one");
        assert_eq!(cat.line(timeout()).unwrap(), "two");
        assert_eq!(cat.line(timeout()).unwrap(), "");
        let now = Instant::now();
        assert_eq!(cat.line(now), Err(ProcessError::Timeout));
        cat.send("\n", timeout()).unwrap();
        assert_eq!(cat.line(timeout()).unwrap(), "three");
    }

    #[test]
    fn the_exit_status_and_the_last_error_output_are_reported() {
        let mut program = start("sh -c 'echo last; echo no luck >&2; exit 3'").unwrap();
        assert_eq!(program.line(timeout()).unwrap(), "last");
        let status = Some("exit status: 3".into());
        let stderr = Some("no luck".into());
        assert_eq!(
            program.line(timeout()),
            Err(ProcessError::Exited { status, stderr })
        );
    }

    #[test]
    fn an_endless_line_is_cut_off() {
        let mut program = start("cat /dev/zero").unwrap();
        assert_eq!(program.line(timeout()), Err(ProcessError::LineTooLong));
        assert!(program.buffer.len() < 2 * MAX_LINE);
    }

    #[test]
    fn a_program_that_does_not_read_does_not_block_the_caller() {
        let mut program = start("sleep 1000").unwrap();
        let much = "x".repeat(1 << 20);
        let deadline = Instant::now() + Duration::from_millis(50);
        assert_eq!(
            program.send(&much, deadline),
            Err(ProcessError::InputBlocked)
        );
    }

    #[test]
    fn the_error_names_the_program_that_does_not_start() {
        let error = start("./no-such-engine --fast").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("cannot start `./no-such-engine`")
        );
    }

    #[test]
    fn a_full_standard_error_does_not_block_the_program() {
        let much = "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789 >&2; i=$((i+1)); done; echo done; sleep 100";
        let mut program = start(&format!("sh -c '{much}'")).unwrap();
        assert_eq!(program.line(timeout()).unwrap(), "done");
        assert!(program.stderr_tail.len() <= STDERR_TAIL);
    }

    /// A stray that did not die would be found for a minute.
    #[cfg(target_os = "linux")]
    #[test]
    fn descendants_in_another_session_are_killed() {
        let mut program = start("sh -c 'setsid sleep 60 & echo $!; exec cat'").unwrap();
        let pid = program.line(timeout()).unwrap();
        // A process that has exited, or has not left the session yet, does not count.
        let is_stray = || {
            let status = std::fs::read_to_string(format!("/proc/{pid}/stat"));
            let status = status.unwrap_or_default();
            // After the name in parentheses: state, parent, process group, session.
            let fields: Vec<&str> = status.rsplit(')').next().unwrap_or("").split(' ').collect();
            fields.get(1) != Some(&"Z") && fields.get(4) == Some(&pid.as_str())
        };
        let until = |expected: bool| {
            let deadline = Instant::now() + Duration::from_secs(20);
            while is_stray() != expected {
                assert!(Instant::now() < deadline, "{pid} is stray: {}", !expected);
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        until(true);
        drop(program);
        until(false);
    }

    #[test]
    fn the_directory_and_the_environment_are_set() {
        let folder = tempfile::tempdir().unwrap();
        let settings = EngineSettings {
            dir: Some(folder.path().into()),
            env: vec![("PAPAN_WORD".into(), "hello there".into())],
            ..EngineSettings::default()
        };
        let command = "sh -c 'pwd -P; echo $PAPAN_WORD'";
        let mut program = LineProcess::start(command, &settings, "\n").unwrap();
        let there = folder.path().canonicalize().unwrap();
        assert_eq!(
            program.line(timeout()).unwrap(),
            there.display().to_string()
        );
        assert_eq!(program.line(timeout()).unwrap(), "hello there");
    }

    #[test]
    fn a_sandbox_limits_memory_and_hides_the_environment() {
        let settings = EngineSettings {
            sandbox: Some(Sandbox {
                memory_mib: 200,
                network: false,
            }),
            ..EngineSettings::default()
        };
        // The limit is set right after the start.
        let command = "sh -c 'sleep 0.2; ulimit -v; echo [$CARGO_MANIFEST_DIR]'";
        let mut program = LineProcess::start(command, &settings, "").unwrap();
        if cfg!(target_os = "linux") {
            assert_eq!(program.line(timeout()).unwrap(), "204800");
            assert_eq!(program.line(timeout()).unwrap(), "[]");
        }
        if Sandbox::can_cut_network() {
            let command = "sh -c 'wc -l < /proc/net/dev'";
            let mut program = LineProcess::start(command, &settings, "").unwrap();
            // Two lines of heading and the loopback device.
            assert_eq!(program.line(timeout()).unwrap().trim(), "3");
        }
    }
}
