//! Pipes of a child process with a thread each: the way to wait for several pipes with a deadline
//! where `poll(2)` does not exist.
//!
//! Each thread moves bytes between its pipe and a bounded queue. The threads end with their pipes,
//! which close when the program is killed.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// Bytes of a queue, as in a pipe of Linux.
const CAPACITY: usize = 1 << 16;

/// One direction: bytes in transit and whether more can follow.
#[derive(Debug, Default)]
struct Queue {
    bytes: VecDeque<u8>,
    /// Bytes that were taken out of `bytes` but are not written yet.
    in_flight: usize,
    is_closed: bool,
}

#[derive(Debug, Default)]
struct Queues {
    input: Queue,
    output: Queue,
    errors: Queue,
}

#[derive(Debug, Default)]
struct Shared {
    queues: Mutex<Queues>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the condition holds; returns `false` when the deadline passes first.
    fn wait_until(&self, deadline: Instant, holds: impl Fn(&Queues) -> bool) -> bool {
        let mut queues = self.lock();
        loop {
            if holds(&queues) {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.changed.wait_timeout(queues, left);
            queues = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn wait(&self, holds: impl Fn(&Queues) -> bool) -> MutexGuard<'_, Queues> {
        let waits = |queues: &mut Queues| !holds(queues);
        let waited = self.changed.wait_while(self.lock(), waits);
        waited.unwrap_or_else(PoisonError::into_inner)
    }
}

/// The standard streams of a child process. Nothing blocks beyond a deadline.
#[derive(Debug)]
pub(crate) struct ThreadedPipes {
    shared: Arc<Shared>,
}

impl ThreadedPipes {
    /// Starts the threads.
    pub(crate) fn new(input: ChildStdin, output: ChildStdout, errors: ChildStderr) -> Self {
        let shared = Arc::<Shared>::default();
        let own = Arc::clone(&shared);
        thread::spawn(move || write_all(&own, input));
        let own = Arc::clone(&shared);
        thread::spawn(move || read_all(&own, output, |queues| &mut queues.output));
        let own = Arc::clone(&shared);
        thread::spawn(move || read_all(&own, errors, |queues| &mut queues.errors));
        Self { shared }
    }

    /// Writes to standard input.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut queues = self.shared.lock();
        let input = &mut queues.input;
        if input.is_closed {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let room = CAPACITY.saturating_sub(input.bytes.len() + input.in_flight);
        if room == 0 {
            return Err(ErrorKind::WouldBlock.into());
        }
        let length = room.min(bytes.len());
        input.bytes.extend(&bytes[..length]);
        self.shared.changed.notify_all();
        Ok(length)
    }

    /// Reads from standard output. Zero bytes are its end.
    pub(crate) fn read_output(&self, chunk: &mut [u8]) -> io::Result<usize> {
        self.read(chunk, |queues| &mut queues.output)
    }

    /// Reads from standard error. Zero bytes are its end.
    pub(crate) fn read_errors(&self, chunk: &mut [u8]) -> io::Result<usize> {
        self.read(chunk, |queues| &mut queues.errors)
    }

    fn read(&self, chunk: &mut [u8], queue: fn(&mut Queues) -> &mut Queue) -> io::Result<usize> {
        let mut queues = self.shared.lock();
        let queue = queue(&mut queues);
        if queue.bytes.is_empty() && !queue.is_closed {
            return Err(ErrorKind::WouldBlock.into());
        }
        let length = queue.bytes.read(chunk)?;
        self.shared.changed.notify_all();
        Ok(length)
    }

    /// Waits until standard input takes bytes; returns `false` when the deadline passes first.
    pub(crate) fn wait_writable(&self, deadline: Instant) -> bool {
        self.shared.wait_until(deadline, |queues| {
            let Queue {
                bytes, in_flight, ..
            } = &queues.input;
            bytes.len() + in_flight < CAPACITY || queues.input.is_closed
        })
    }

    /// Waits until standard output has bytes or ends, or standard error has bytes; returns `false`
    /// when the deadline passes first.
    pub(crate) fn wait_readable(&self, deadline: Instant) -> bool {
        self.shared.wait_until(deadline, |queues| {
            let has_bytes = |queue: &Queue| !queue.bytes.is_empty();
            has_bytes(&queues.output) || queues.output.is_closed || has_bytes(&queues.errors)
        })
    }

    /// Waits until the program has closed standard error, or its queue is full.
    #[cfg_attr(
        not(windows),
        allow(dead_code, reason = "other systems have no threads")
    )]
    pub(crate) fn wait_closed(&self, deadline: Instant) {
        self.shared.wait_until(deadline, |queues| {
            queues.errors.is_closed || queues.errors.bytes.len() >= CAPACITY
        });
    }
}

impl Drop for ThreadedPipes {
    fn drop(&mut self) {
        let mut queues = self.shared.lock();
        queues.input.is_closed = true;
        // The reading threads must not wait for room.
        queues.output.is_closed = true;
        queues.errors.is_closed = true;
        self.shared.changed.notify_all();
    }
}

fn write_all(shared: &Shared, mut input: ChildStdin) {
    loop {
        let mut queues =
            shared.wait(|queues| !queues.input.bytes.is_empty() || queues.input.is_closed);
        if queues.input.is_closed {
            return;
        }
        let chunk: Vec<u8> = queues.input.bytes.drain(..).collect();
        queues.input.in_flight = chunk.len();
        drop(queues);
        let written = input.write_all(&chunk).and_then(|()| input.flush());
        let mut queues = shared.lock();
        queues.input.in_flight = 0;
        queues.input.is_closed |= written.is_err();
        shared.changed.notify_all();
    }
}

fn read_all(shared: &Shared, mut pipe: impl Read, queue: fn(&mut Queues) -> &mut Queue) {
    let mut chunk = [0; 4096];
    loop {
        let read = match pipe.read(&mut chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read.unwrap_or(0),
        };
        let has_room = |queues: &mut Queues| {
            let queue = queue(queues);
            queue.bytes.len() < CAPACITY || queue.is_closed
        };
        let full = shared
            .changed
            .wait_while(shared.lock(), |queues| !has_room(queues));
        let mut queues = full.unwrap_or_else(PoisonError::into_inner);
        let queue = queue(&mut queues);
        if read == 0 || queue.is_closed {
            queue.is_closed = true;
            shared.changed.notify_all();
            return;
        }
        queue.bytes.extend(&chunk[..read]);
        shared.changed.notify_all();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use super::*;

    fn start(script: &str) -> (Child, ThreadedPipes) {
        let mut child = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let errors = child.stderr.take().unwrap();
        (child, ThreadedPipes::new(input, output, errors))
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    /// Reads standard output to its end.
    fn rest(pipes: &ThreadedPipes) -> Vec<u8> {
        let (mut all, mut chunk) = (Vec::new(), [0; 1000]);
        loop {
            match pipes.read_output(&mut chunk) {
                Ok(0) => return all,
                Ok(read) => all.extend_from_slice(&chunk[..read]),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock);
                    assert!(pipes.wait_readable(soon()));
                }
            }
        }
    }

    #[test]
    fn bytes_go_through_in_order_and_the_end_is_seen() {
        let (mut child, pipes) = start("echo wrong >&2; head -c 300000");
        let much: Vec<u8> = (0..300_000u32).map(|at| (at % 251) as u8).collect();
        let mut left = &much[..];
        let (mut all, mut chunk) = (Vec::new(), [0; 4096]);
        while !left.is_empty() {
            match pipes.write(left) {
                Ok(written) => left = &left[written..],
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
            while let Ok(read) = pipes.read_output(&mut chunk) {
                all.extend_from_slice(&chunk[..read]);
                if read == 0 {
                    break;
                }
            }
        }
        all.extend(rest(&pipes));
        assert!(all == much, "{} bytes", all.len());
        assert_eq!(pipes.read_errors(&mut chunk).unwrap(), 6);
        assert_eq!(&chunk[..6], b"wrong\n");
        drop(pipes);
        child.wait().unwrap();
    }

    #[test]
    fn a_program_that_does_not_read_does_not_block() {
        let (mut child, pipes) = start("exec sleep 1000");
        let much = vec![b'x'; 1 << 20];
        let mut written = 0;
        let late = loop {
            match pipes.write(&much) {
                Ok(length) => written += length,
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock);
                    if !pipes.wait_writable(Instant::now() + Duration::from_millis(200)) {
                        break written;
                    }
                }
            }
        };
        // The queue and the pipe of the system.
        assert!(late <= 4 * CAPACITY, "{late}");
        assert!(!pipes.wait_readable(Instant::now()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(pipes.wait_readable(soon()), "the end of the output");
        assert_eq!(pipes.read_output(&mut [0; 8]).unwrap(), 0);
    }

    #[test]
    fn a_program_that_writes_without_end_waits_and_ends_with_its_reader() {
        let (mut child, pipes) = start("exec cat /dev/zero");
        std::thread::sleep(Duration::from_millis(100));
        assert!(pipes.shared.lock().output.bytes.len() < 2 * CAPACITY);
        drop(pipes);
        // The closed pipe kills it.
        child.wait().unwrap();
    }
}
