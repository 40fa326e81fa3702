//! A program in another process that is spoken to in lines.
//!
//! Whatever that program does, papan neither waits beyond a deadline nor keeps
//! more than one line of it: both pipes are non-blocking, and a line has a limit.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};

/// Bytes that a line may have.
pub(crate) const LONGEST_LINE: usize = 1 << 16;

/// Why a program in another process gave no line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessFault {
    /// It has ended.
    #[error("it ended{}", status.as_ref().map(|s| format!(" ({s})")).unwrap_or_default())]
    Ended {
        /// How, if it is known.
        status: Option<String>,
    },
    /// It said nothing until the deadline.
    #[error("no answer")]
    Silent,
    /// It does not read what it is sent.
    #[error("it does not read its input")]
    Deaf,
    /// Its line does not end.
    #[error("a line of more than {LONGEST_LINE} bytes")]
    LongLine,
}

/// A program that could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// There is nothing to start.
    #[error("there is no command to start")]
    Empty,
    /// A quotation mark has no partner.
    #[error("`{0}` has a quotation mark without a partner")]
    Quote(String),
    /// The system refused.
    #[error("`{program}` does not start: {cause}")]
    Refused {
        /// The program.
        program: String,
        /// What the system said.
        cause: String,
    },
}

/// A running program and its two pipes. Dropping it ends the program.
#[derive(Debug)]
pub(crate) struct LineProcess {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// What has been read but not handed out: `buffer[taken..]`.
    buffer: Vec<u8>,
    taken: usize,
}

impl LineProcess {
    /// Starts a command: words separated by spaces, with `'…'` and `"…"` around
    /// words that hold spaces. No shell sees it.
    ///
    /// # Errors
    /// When there is no such program, or it may not be run.
    pub(crate) fn start(command: &str) -> Result<Self, StartError> {
        let words = split_command(command)?;
        let (program, arguments) = words.split_first().ok_or(StartError::Empty)?;
        let refused = |cause: &dyn std::fmt::Display| StartError::Refused {
            program: program.clone(),
            cause: cause.to_string(),
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // A group of its own: it can be ended with everything it started, and
            // an interrupt at the terminal reaches papan alone.
            .process_group(0)
            .spawn()
            .map_err(|cause| refused(&cause))?;
        let input = child.stdin.take().expect("its input is piped");
        let output = child.stdout.take().expect("its output is piped");
        let process = Self {
            child,
            input,
            output,
            buffer: Vec::new(),
            taken: 0,
        };
        for pipe in [process.input.as_fd(), process.output.as_fd()] {
            fcntl_getfl(pipe)
                .and_then(|flags| fcntl_setfl(pipe, flags | OFlags::NONBLOCK))
                .map_err(|cause| refused(&cause))?;
        }
        Ok(process)
    }

    /// Sends text, which should end in a line break.
    ///
    /// # Errors
    /// When the program has ended or does not read.
    pub(crate) fn send(&mut self, text: &str, deadline: Instant) -> Result<(), ProcessFault> {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if !wait(self.input.as_fd(), PollFlags::OUT, deadline) {
                        return Err(ProcessFault::Deaf);
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
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<String, ProcessFault> {
        let mut searched = self.taken;
        loop {
            if let Some(length) = memchr(&self.buffer[searched..]) {
                let end = searched + length;
                let line = &self.buffer[self.taken..end];
                let line = String::from_utf8_lossy(line)
                    .trim_end_matches('\r')
                    .to_owned();
                self.taken = end + 1;
                return Ok(line);
            }
            self.buffer.drain(..self.taken);
            self.taken = 0;
            searched = self.buffer.len();
            if self.buffer.len() > LONGEST_LINE {
                return Err(ProcessFault::LongLine);
            }
            self.fill(deadline)?;
        }
    }

    fn fill(&mut self, deadline: Instant) -> Result<(), ProcessFault> {
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
                    if !wait(self.output.as_fd(), PollFlags::IN, deadline) {
                        return Err(ProcessFault::Silent);
                    }
                }
                Err(_) => return Err(self.ended()),
            }
        }
    }

    fn ended(&mut self) -> ProcessFault {
        let status = self.wait_until(Instant::now() + Duration::from_millis(100));
        ProcessFault::Ended { status }
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
        if let Some(group) = Pid::from_raw(self.child.id().cast_signed()) {
            // Nobody is left to hear of a failure; a program that has ended is fine.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until a pipe is ready; `false` when the deadline passes first.
fn wait(pipe: std::os::fd::BorrowedFd<'_>, what: PollFlags, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).unwrap_or(Timespec {
            tv_sec: 3600,
            tv_nsec: 0,
        });
        let mut pipes = [PollFd::from_borrowed_fd(pipe, what)];
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

/// Splits a command into words as a shell would, without any of its magic.
fn split_command(command: &str) -> Result<Vec<String>, StartError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(c) = characters.next() {
        match c {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some(end) if end == c => break,
                        Some(inner) => word.push(inner),
                        None => return Err(StartError::Quote(command.into())),
                    }
                }
            }
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn commands_are_split_at_spaces_outside_quotes() {
        let words = split_command(r#" a 'b c' "d'e"f  '' "#).unwrap();
        assert_eq!(words, ["a", "b c", "d'ef", ""]);
        assert_eq!(split_command("a 'b"), Err(StartError::Quote("a 'b".into())));
        assert_eq!(LineProcess::start("  ").unwrap_err(), StartError::Empty);
    }

    #[test]
    fn lines_come_back() {
        let mut cat = LineProcess::start("cat").unwrap();
        cat.send("one\r\ntwo\n\nthree", soon()).unwrap();
        assert_eq!(cat.line(soon()).unwrap(), "one");
        assert_eq!(cat.line(soon()).unwrap(), "two");
        assert_eq!(cat.line(soon()).unwrap(), "");
        let now = Instant::now();
        assert_eq!(cat.line(now), Err(ProcessFault::Silent));
        cat.send("\n", soon()).unwrap();
        assert_eq!(cat.line(soon()).unwrap(), "three");
    }

    #[test]
    fn a_program_that_ends_says_how() {
        let mut program = LineProcess::start("sh -c 'echo last; exit 3'").unwrap();
        assert_eq!(program.line(soon()).unwrap(), "last");
        let status = Some("exit status: 3".into());
        assert_eq!(program.line(soon()), Err(ProcessFault::Ended { status }));
    }

    #[test]
    fn an_endless_line_is_cut_off() {
        let mut program = LineProcess::start("cat /dev/zero").unwrap();
        assert_eq!(program.line(soon()), Err(ProcessFault::LongLine));
        assert!(program.buffer.len() < 2 * LONGEST_LINE);
    }

    #[test]
    fn a_program_that_does_not_read_blocks_nobody() {
        let mut program = LineProcess::start("sleep 1000").unwrap();
        let much = "x".repeat(1 << 20);
        let deadline = Instant::now() + Duration::from_millis(50);
        assert_eq!(program.send(&much, deadline), Err(ProcessFault::Deaf));
    }

    #[test]
    fn what_cannot_be_started_is_named() {
        let error = LineProcess::start("./no-such-engine --fast").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("`./no-such-engine` does not start")
        );
    }
}
