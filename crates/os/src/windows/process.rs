//! Child processes in job objects.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::os::windows::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_SUSPENDED,
};

use super::job::Job;
use super::signals::leave_events_to_child;
use crate::threaded_pipes::ThreadedPipes;
use crate::{ProcessLimits, Scheduling};

/// Time to read the output of a program that has exited. Its descendants may keep the pipes open.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A running program and its pipes, which never block. Dropping it kills the program with its
/// descendants; so does the end of this process.
#[derive(Debug)]
pub struct ChildProcess {
    child: Child,
    pipes: ThreadedPipes,
    job: Job,
}

impl ChildProcess {
    /// Starts a program in a job object of its own: its children can be killed with it, and Ctrl-C
    /// in the console does not reach it. It opens no window.
    ///
    /// # Errors
    /// When the program does not exist or cannot be executed.
    pub fn spawn(command: &mut Command, limits: &ProcessLimits) -> io::Result<Self> {
        let job = Job::new(limits)?;
        // Suspended until it is in the job: a program that starts another one at once would leave
        // that one outside.
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP);
        let mut child = command.spawn()?;
        if let Err(error) = job.start(&child) {
            let _ = child.kill();
            return Err(error);
        }
        let input = child.stdin.take().expect("stdin is piped");
        let output = child.stdout.take().expect("stdout is piped");
        let errors = child.stderr.take().expect("stderr is piped");
        Ok(Self {
            child,
            pipes: ThreadedPipes::new(input, output, errors),
            job,
        })
    }

    /// Returns the process identifier.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the scheduling of the program's main thread so far: unknown.
    #[must_use]
    pub fn scheduling(&self) -> Scheduling {
        Scheduling::default()
    }

    /// Writes to standard input.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if the pipe is full; others when the program has closed it.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pipes.write(bytes)
    }

    /// Reads from standard output. Zero bytes are its end.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if the pipe is empty.
    pub fn read_output(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.pipes.read_output(chunk)
    }

    /// Reads from standard error. Zero bytes are its end.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if the pipe is empty.
    pub fn read_errors(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.pipes.read_errors(chunk)
    }

    /// Waits until standard input takes bytes; returns `false` when the deadline passes first.
    #[must_use]
    pub fn wait_writable(&mut self, deadline: Instant) -> bool {
        self.pipes.wait_writable(deadline)
    }

    /// Waits until standard output or standard error has bytes or ends; returns `false` when the
    /// deadline passes first.
    #[must_use]
    pub fn wait_readable(&mut self, deadline: Instant) -> bool {
        self.pipes.wait_readable(deadline)
    }

    /// Returns the exit status, if the program has exited.
    ///
    /// # Errors
    /// When the system cannot tell.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        if status.is_some() {
            // The threads may not have read the last words yet.
            self.pipes.wait_closed(Instant::now() + LAST_WORDS);
        }
        Ok(status)
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.job.kill();
        let _ = self.child.wait();
    }
}

/// Prepares a command for [`interrupt`].
pub fn make_interruptible(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

/// Asks a child process to end, as Ctrl-Break in its console does. Its command was prepared by
/// [`make_interruptible`].
///
/// # Errors
/// When the process has exited or there is no console.
pub fn interrupt(child: &Child) -> io::Result<()> {
    // SAFETY: no pointers.
    if unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, child.id()) } == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Runs another program in place of this one: with its input, output and console. No process of
/// Windows can become another program, so this one waits and ends with the same exit code. If it is
/// killed, the other one is killed with it.
///
/// # Errors
/// When the program does not start; otherwise it does not return.
pub fn replace_process(program: &Path, arguments: &[OsString]) -> io::Result<Infallible> {
    let job = Job::new(&ProcessLimits::default())?;
    let mut command = Command::new(program);
    command.args(arguments).creation_flags(CREATE_SUSPENDED);
    let mut child = command.spawn()?;
    // Events of the console reach both programs; the other one decides what they mean. Earlier, it
    // would inherit that they are ignored.
    let started = leave_events_to_child().and_then(|()| job.start(&child));
    if let Err(error) = started {
        let _ = child.kill();
        return Err(error);
    }
    let status = child.wait()?;
    std::process::exit(status.code().unwrap_or(1))
}
