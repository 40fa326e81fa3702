//! Child processes in process groups of their own, with non-blocking pipes.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::{reaper, stray};
use crate::{ProcessLimits, Scheduling};

/// A running program and its pipes, which never block. Dropping it kills the program with its
/// descendants; so does the end of this process, even by SIGKILL.
#[derive(Debug)]
pub struct ChildProcess {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Standard error, until the program closes it.
    errors: Option<ChildStderr>,
    /// The value that marks the program's descendants; see [`stray`].
    mark: String,
}

impl ChildProcess {
    /// Starts a program in a process group of its own: its children can be killed with it, and
    /// Ctrl-C at the terminal does not reach it.
    ///
    /// # Errors
    /// When the program does not exist or cannot be executed.
    pub fn spawn(command: &mut Command, limits: &ProcessLimits) -> io::Result<Self> {
        let mark = stray::new_mark();
        command
            .env(stray::VARIABLE, &mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = command.spawn()?;
        reaper::watch(child.id());
        apply(limits, child.id());
        let process = Self {
            input: child.stdin.take().expect("stdin is piped"),
            output: child.stdout.take().expect("stdout is piped"),
            errors: Some(child.stderr.take().expect("stderr is piped")),
            child,
            mark,
        };
        let errors = process.errors.as_ref().map(AsFd::as_fd);
        let pipes = [process.input.as_fd(), process.output.as_fd()];
        for pipe in pipes.into_iter().chain(errors) {
            let flags = fcntl_getfl(pipe)?;
            fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?;
        }
        Ok(process)
    }

    /// Returns the process identifier.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the scheduling of the program's main thread so far; all zero where it is unknown.
    #[must_use]
    pub fn scheduling(&self) -> Scheduling {
        Scheduling::of_process(self.child.id())
    }

    /// Writes to standard input.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if the pipe is full; others when the program has closed it.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.input.write(bytes)
    }

    /// Reads from standard output. Zero bytes are its end.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if the pipe is empty.
    pub fn read_output(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.output.read(chunk)
    }

    /// Reads from standard error. Zero bytes are its end.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if the pipe is empty.
    pub fn read_errors(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        let Some(errors) = &mut self.errors else {
            return Ok(0);
        };
        let read = errors.read(chunk);
        if matches!(read, Ok(0)) {
            self.errors = None;
        }
        read
    }

    /// Waits until standard input takes bytes; returns `false` when the deadline passes first.
    #[must_use]
    pub fn wait_writable(&mut self, deadline: Instant) -> bool {
        wait(&[(self.input.as_fd(), PollFlags::OUT)], deadline)
    }

    /// Waits until standard output or standard error has bytes or ends; returns `false` when the
    /// deadline passes first.
    #[must_use]
    pub fn wait_readable(&mut self, deadline: Instant) -> bool {
        let mut pipes = vec![(self.output.as_fd(), PollFlags::IN)];
        let errors = self.errors.as_ref();
        pipes.extend(errors.map(|errors| (errors.as_fd(), PollFlags::IN)));
        wait(&pipes, deadline)
    }

    /// Returns the exit status, if the program has exited.
    ///
    /// # Errors
    /// When the system cannot tell.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        if let Some(group) = Pid::from_raw(self.child.id().cast_signed()) {
            // Fails when every process of the group has exited.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        stray::kill_marked(&self.mark);
        reaper::release(self.child.id());
    }
}

/// Waits until one of the pipes is ready; returns `false` when the deadline passes first.
fn wait(pipes: &[(BorrowedFd<'_>, PollFlags)], deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).unwrap_or(Timespec {
            tv_sec: 3600,
            tv_nsec: 0,
        });
        let poll_fd = |&(pipe, flags): &(_, _)| PollFd::from_borrowed_fd(pipe, flags);
        let mut poll_fds: Vec<PollFd<'_>> = pipes.iter().map(poll_fd).collect();
        match poll(&mut poll_fds, Some(&timeout)) {
            Ok(0) if left.is_zero() => return false,
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            // The next read or write reports an error of the pipe.
            _ => return true,
        }
    }
}

/// Sets the limits of a new process.
#[cfg(target_os = "linux")]
fn apply(limits: &ProcessLimits, process: u32) {
    let process = Pid::from_raw(process.cast_signed());
    if !limits.cores.is_empty() {
        let mut set = rustix::thread::CpuSet::new();
        limits.cores.iter().for_each(|&core| set.set(core));
        let _ = rustix::thread::sched_setaffinity(process, &set);
    }
    if limits.memory.is_some() {
        let limit = rustix::process::Rlimit {
            current: limits.memory,
            maximum: limits.memory,
        };
        let _ = rustix::process::prlimit(process, rustix::process::Resource::As, limit);
    }
}

#[cfg(not(target_os = "linux"))]
fn apply(_: &ProcessLimits, _: u32) {}

/// Prepares a command for [`interrupt`].
pub const fn make_interruptible(_: &mut Command) {}

/// Asks a child process to end, as a service manager does (SIGTERM). Its command was prepared by
/// [`make_interruptible`].
///
/// # Errors
/// When the process has exited.
pub fn interrupt(child: &Child) -> io::Result<()> {
    let process = Pid::from_raw(child.id().cast_signed());
    let process = process.ok_or(io::ErrorKind::NotFound)?;
    Ok(kill_process(process, Signal::TERM)?)
}

/// Replaces this process by another program with the same name and arguments.
///
/// # Errors
/// When that fails; otherwise it does not return.
pub fn replace_process(program: &Path, arguments: &[OsString]) -> io::Result<Infallible> {
    let name = std::env::args_os().next().unwrap_or_default();
    Err(Command::new(program).arg0(name).args(arguments).exec())
}
