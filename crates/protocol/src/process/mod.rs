//! A program in another process that is spoken to in lines.
//!
//! Whatever that program does, papan neither waits beyond a deadline nor keeps
//! more than one line of it: all pipes are non-blocking, and a line has a limit.

mod command_line;
mod error;
mod reaper;

pub use command_line::split_command;
pub use error::{ProcessError, StartError};

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::conversation_log::{ConversationLog, Voice};
use crate::engine_settings::EngineSettings;

/// Bytes that a line may have.
pub(crate) const LONGEST_LINE: usize = 1 << 16;
/// Bytes of standard error that are remembered.
const REMEMBERED: usize = 1 << 10;
/// How long a program may take to leave when it is told to.
const LEAVE: Duration = Duration::from_millis(500);

/// A running program and its pipes. Dropping it ends the program.
#[derive(Debug)]
pub(crate) struct LineProcess {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Its standard error, until it closes it.
    errors: Option<ChildStderr>,
    /// What has been read but not handed out: `buffer[taken..]`.
    buffer: Vec<u8>,
    taken: usize,
    /// The end of what it wrote to standard error.
    remembered: Vec<u8>,
    log: Option<ConversationLog>,
    /// What makes it leave; nothing for one that does not listen any more.
    goodbye: Option<&'static str>,
}

impl LineProcess {
    /// Starts a command: words separated by spaces, with `'…'` and `"…"` around
    /// words that hold spaces. No shell sees it. `goodbye` is what makes it leave.
    ///
    /// # Errors
    /// When there is no such program, or it may not be run.
    pub(crate) fn start(
        command: &str,
        settings: &EngineSettings,
        goodbye: &'static str,
    ) -> Result<Self, StartError> {
        let words = split_command(command)?;
        let (program, arguments) = words.split_first().ok_or(StartError::Empty)?;
        let refused = |cause: io::ErrorKind| StartError::Refused {
            program: program.clone(),
            cause,
        };
        let log = settings.open_log(command).transpose();
        let log = log.map_err(|error| StartError::Log {
            folder: settings.log_dir.clone().unwrap_or_default(),
            cause: error.kind(),
        })?;
        let mut start = Command::new(program);
        start
            .args(arguments)
            .envs(settings.env.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: it can be ended with everything it started, and
            // an interrupt at the terminal reaches papan alone.
            .process_group(0);
        if let Some(folder) = &settings.dir {
            start.current_dir(folder);
        }
        let mut child = start.spawn().map_err(|cause| refused(cause.kind()))?;
        reaper::watch(child.id());
        settings.bind_to_cores(child.id());
        let input = child.stdin.take().expect("its input is piped");
        let output = child.stdout.take().expect("its output is piped");
        let errors = child.stderr.take().expect("its standard error is piped");
        for pipe in [input.as_fd(), output.as_fd(), errors.as_fd()] {
            fcntl_getfl(pipe)
                .and_then(|flags| fcntl_setfl(pipe, flags | OFlags::NONBLOCK))
                .map_err(|cause| refused(cause.kind()))?;
        }
        Ok(Self {
            child,
            input,
            output,
            errors: Some(errors),
            buffer: Vec::new(),
            taken: 0,
            remembered: Vec::new(),
            log,
            goodbye: Some(goodbye),
        })
    }

    /// Sends text, which should end in a line break.
    ///
    /// # Errors
    /// When the program has ended or does not read.
    pub(crate) fn send(&mut self, text: &str, deadline: Instant) -> Result<(), ProcessError> {
        self.note(Voice::Papan, text);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    // It may be stuck on its own standard error.
                    self.drain_errors();
                    if !wait(&[(self.input.as_fd(), PollFlags::OUT)], deadline) {
                        return Err(self.given_up(ProcessError::Deaf));
                    }
                }
                Err(_) => return Err(self.ended()),
            }
        }
        Ok(())
    }

    /// The next line, without its end.
    ///
    /// # Errors
    /// When none comes before the deadline, or it is too long.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<String, ProcessError> {
        let mut searched = self.taken;
        loop {
            if let Some(length) = memchr(&self.buffer[searched..]) {
                let end = searched + length;
                let line = &self.buffer[self.taken..end];
                let line = String::from_utf8_lossy(line)
                    .trim_end_matches('\r')
                    .to_owned();
                self.taken = end + 1;
                self.note(Voice::Engine, &line);
                return Ok(line);
            }
            self.buffer.drain(..self.taken);
            self.taken = 0;
            searched = self.buffer.len();
            if self.buffer.len() > LONGEST_LINE {
                return Err(self.given_up(ProcessError::LongLine));
            }
            self.fill(deadline)?;
        }
    }

    fn fill(&mut self, deadline: Instant) -> Result<(), ProcessError> {
        let mut chunk = [0; 4096];
        loop {
            match self.output.read(&mut chunk) {
                Ok(0) => return Err(self.ended()),
                Ok(read) => {
                    self.buffer.extend_from_slice(&chunk[..read]);
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let mut pipes = vec![(self.output.as_fd(), PollFlags::IN)];
                    let errors = self.errors.as_ref();
                    pipes.extend(errors.map(|errors| (errors.as_fd(), PollFlags::IN)));
                    if !wait(&pipes, deadline) {
                        return Err(ProcessError::Silent);
                    }
                    self.drain_errors();
                }
                Err(_) => return Err(self.ended()),
            }
        }
    }

    /// Takes what it wrote to standard error, so that it can go on.
    fn drain_errors(&mut self) {
        let mut chunk = [0; 4096];
        // So much at a time: one that never stops complaining must not hold us up.
        for _ in 0..64 {
            let Some(errors) = &mut self.errors else {
                return;
            };
            match errors.read(&mut chunk) {
                Ok(0) => self.errors = None,
                Ok(read) => {
                    let text = String::from_utf8_lossy(&chunk[..read]).into_owned();
                    self.note(Voice::Errors, &text);
                    self.remembered.extend_from_slice(&chunk[..read]);
                    let surplus = self.remembered.len().saturating_sub(REMEMBERED);
                    self.remembered.drain(..surplus);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    fn note(&mut self, voice: Voice, text: &str) {
        if let Some(log) = &mut self.log {
            log.write(voice, text);
        }
    }

    /// Whether it is worth speaking to any more is answered: no.
    fn given_up(&mut self, fault: ProcessError) -> ProcessError {
        self.goodbye = None;
        fault
    }

    fn ended(&mut self) -> ProcessError {
        self.goodbye = None;
        let status = self.wait_until(Instant::now() + Duration::from_millis(100));
        self.drain_errors();
        let text = String::from_utf8_lossy(&self.remembered);
        let last_words = text
            .lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty());
        ProcessError::Ended {
            status,
            last_words: last_words.map(Into::into),
        }
    }

    /// Ends the program without a word: it is hung, or will not listen.
    pub(crate) fn abandon(&mut self) {
        self.goodbye = None;
    }

    fn wait_until(&mut self, deadline: Instant) -> Option<String> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
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
        if let Some(goodbye) = self.goodbye {
            let soon = Instant::now() + LEAVE;
            if self.send(goodbye, soon).is_ok() {
                self.wait_until(soon);
            }
        }
        if let Some(group) = Pid::from_raw(self.child.id().cast_signed()) {
            // Nobody is left to hear of a failure; a program that has ended is fine.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        reaper::release(self.child.id());
    }
}

/// Waits until one of the pipes is ready; `false` when the deadline passes first.
fn wait(pipes: &[(BorrowedFd<'_>, PollFlags)], deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).unwrap_or(Timespec {
            tv_sec: 3600,
            tv_nsec: 0,
        });
        let poll_fd = |&(pipe, what): &(_, _)| PollFd::from_borrowed_fd(pipe, what);
        let mut pipes: Vec<PollFd<'_>> = pipes.iter().map(poll_fd).collect();
        match poll(&mut pipes, Some(&timeout)) {
            Ok(0) if left.is_zero() => return false,
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            // An error of the pipe shows itself at the next read or write.
            _ => return true,
        }
    }
}

fn memchr(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(command: &str) -> Result<LineProcess, StartError> {
        LineProcess::start(command, &EngineSettings::default(), "\n")
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn nothing_is_no_program() {
        assert_eq!(start("  ").unwrap_err(), StartError::Empty);
    }

    #[test]
    fn lines_come_back() {
        let mut cat = start("cat").unwrap();
        cat.send("one\r\ntwo\n\nthree", soon()).unwrap();
        assert_eq!(cat.line(soon()).unwrap(), "one");
        assert_eq!(cat.line(soon()).unwrap(), "two");
        assert_eq!(cat.line(soon()).unwrap(), "");
        let now = Instant::now();
        assert_eq!(cat.line(now), Err(ProcessError::Silent));
        cat.send("\n", soon()).unwrap();
        assert_eq!(cat.line(soon()).unwrap(), "three");
    }

    #[test]
    fn a_program_that_ends_says_how() {
        let mut program = start("sh -c 'echo last; echo no luck >&2; exit 3'").unwrap();
        assert_eq!(program.line(soon()).unwrap(), "last");
        let status = Some("exit status: 3".into());
        let last_words = Some("no luck".into());
        assert_eq!(
            program.line(soon()),
            Err(ProcessError::Ended { status, last_words })
        );
    }

    #[test]
    fn an_endless_line_is_cut_off() {
        let mut program = start("cat /dev/zero").unwrap();
        assert_eq!(program.line(soon()), Err(ProcessError::LongLine));
        assert!(program.buffer.len() < 2 * LONGEST_LINE);
    }

    #[test]
    fn a_program_that_does_not_read_blocks_nobody() {
        let mut program = start("sleep 1000").unwrap();
        let much = "x".repeat(1 << 20);
        let deadline = Instant::now() + Duration::from_millis(50);
        assert_eq!(program.send(&much, deadline), Err(ProcessError::Deaf));
    }

    #[test]
    fn what_cannot_be_started_is_named() {
        let error = start("./no-such-engine --fast").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("`./no-such-engine` does not start")
        );
    }

    #[test]
    fn much_on_standard_error_stops_nobody() {
        let much = "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789 >&2; i=$((i+1)); done; echo done; sleep 100";
        let mut program = start(&format!("sh -c '{much}'")).unwrap();
        assert_eq!(program.line(soon()).unwrap(), "done");
        assert!(program.remembered.len() <= REMEMBERED);
    }

    #[test]
    fn a_program_runs_where_and_with_what_it_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let settings = EngineSettings {
            dir: Some(folder.path().into()),
            env: vec![("PAPAN_WORD".into(), "hello there".into())],
            ..EngineSettings::default()
        };
        let command = "sh -c 'pwd -P; echo $PAPAN_WORD'";
        let mut program = LineProcess::start(command, &settings, "\n").unwrap();
        let there = folder.path().canonicalize().unwrap();
        assert_eq!(program.line(soon()).unwrap(), there.display().to_string());
        assert_eq!(program.line(soon()).unwrap(), "hello there");
    }
}
