//! Tests of child processes, locks and interrupts. The program is its own child, so that the tests
//! run on every system and under emulators.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, ErrorKind, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use papan_os::{ChildProcess, FileId, ProcessLimits};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["child", "echo"] => echo(),
        ["child", "hang", file] => hang(file),
        ["child", "beat", file] => beat(file),
        ["child", "lock", file] => lock(file),
        ["child", "allocate"] => allocate(),
        ["child", "wait"] => wait(),
        ["child", "replace", code] => replace(code),
        ["child", "end", code, ..] => end(code, &words[3..]),
        // nextest asks for the list of tests, then for one of them.
        ["--list", "--format", "terse", ..] if words.contains(&"--ignored") => {}
        ["--list", "--format", "terse", ..] => println!("system: test"),
        _ => {
            for (name, test) in TESTS {
                println!("{name}");
                test();
            }
        }
    }
}

const TESTS: [(&str, fn()); 8] = [
    ("lines_come_back_and_the_end_is_seen", lines_come_back),
    ("full_pipes_do_not_block", full_pipes_do_not_block),
    ("descendants_are_killed", descendants_are_killed),
    ("memory_is_limited", memory_is_limited),
    ("a_lock_excludes_other_processes", a_lock_excludes_others),
    (
        "a_replaced_file_has_another_identity",
        identity_is_of_the_file,
    ),
    ("an_interrupt_ends_a_process", an_interrupt_ends_a_process),
    (
        "a_replaced_process_keeps_streams_arguments_and_exit_code",
        replaced_process_keeps_everything,
    ),
];

fn is_wine() -> bool {
    std::env::var_os("WINEPREFIX").is_some()
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

fn child(words: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg("child").args(words);
    command
}

fn start(words: &[&str], limits: &ProcessLimits) -> ChildProcess {
    ChildProcess::spawn(&mut child(words), limits).unwrap()
}

/// Reads standard output until it ends or satisfies a condition.
fn read_until(process: &mut ChildProcess, done: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let (mut all, mut chunk) = (Vec::new(), [0; 4096]);
    let deadline = soon();
    while !done(&all) {
        match process.read_output(&mut chunk) {
            Ok(0) => break,
            Ok(read) => all.extend_from_slice(&chunk[..read]),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::WouldBlock);
                assert!(process.wait_readable(deadline), "{all:?}");
            }
        }
    }
    all
}

fn lines_come_back() {
    let mut process = start(&["echo"], &ProcessLimits::default());
    assert!(process.write(b"one\r\ntwo\r\n").unwrap() == 10);
    let said = read_until(&mut process, |all| all.ends_with(b"two\r\n"));
    assert_eq!(said, b"one\r\ntwo\r\n");
    assert!(!process.wait_readable(Instant::now()));
    process.write(b"quit\r\n").unwrap();
    assert_eq!(read_until(&mut process, |_| false), b"");
    let deadline = soon();
    let status = loop {
        if let Some(status) = process.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < deadline);
        sleep(Duration::from_millis(1));
    };
    assert_eq!(status.code(), Some(3));
    let mut errors = [0; 100];
    let read = process.read_errors(&mut errors).unwrap();
    assert_eq!(&errors[..read], b"ended\n");
    assert_eq!(process.read_errors(&mut errors).unwrap(), 0);
}

/// Copies lines; ends at `quit`.
fn echo() {
    for line in io::stdin().lock().split(b'\n') {
        let line = line.unwrap();
        if line == b"quit\r" {
            eprintln!("ended");
            std::process::exit(3);
        }
        let mut out = io::stdout();
        out.write_all(&line).unwrap();
        out.write_all(b"\n").unwrap();
        out.flush().unwrap();
    }
}

fn full_pipes_do_not_block() {
    let mut process = start(&["wait"], &ProcessLimits::default());
    let much = vec![b'x'; 1 << 20];
    let mut written = 0;
    loop {
        match process.write(&much) {
            Ok(length) => written += length,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::WouldBlock);
                if !process.wait_writable(Instant::now() + Duration::from_millis(300)) {
                    break;
                }
            }
        }
        assert!(written < 1 << 22);
    }
}

fn descendants_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("beats");
    let size = || std::fs::metadata(&file).map_or(0, |found| found.len());
    let process = start(&["hang", file.to_str().unwrap()], &ProcessLimits::default());
    let deadline = soon();
    while size() == 0 {
        assert!(Instant::now() < deadline);
        sleep(Duration::from_millis(10));
    }
    drop(process);
    // A beat may be under way.
    sleep(Duration::from_millis(300));
    let before = size();
    sleep(Duration::from_millis(500));
    assert_eq!(size(), before);
}

/// Starts a descendant and hangs.
fn hang(file: &str) {
    let mut descendant = child(&["beat", file])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    descendant.wait().unwrap();
}

/// Lengthens a file.
fn beat(file: &str) {
    let mut file = File::create(file).unwrap();
    for _ in 0..10_000 {
        file.write_all(b"x").unwrap();
        sleep(Duration::from_millis(20));
    }
}

fn memory_is_limited() {
    let limits = |mib: u64| ProcessLimits {
        memory: Some(mib << 20),
        cores: vec![0],
    };
    let mut enough = start(&["allocate"], &limits(4000));
    assert_eq!(read_until(&mut enough, |_| false), b"allocated");
    // Only Linux and Windows have such limits, but not wine; an emulator needs memory of its own.
    let is_linux = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if is_linux || cfg!(windows) && !is_wine() {
        let mut little = start(&["allocate"], &limits(200));
        assert_eq!(read_until(&mut little, |_| false), b"refused");
    }
}

fn allocate() {
    // The limit is set right after the start.
    sleep(Duration::from_millis(300));
    let mut bytes = Vec::<u8>::new();
    match bytes.try_reserve_exact(500 << 20) {
        Ok(()) => print!("allocated"),
        Err(_) => print!("refused"),
    }
}

fn open(path: &Path) -> File {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    papan_os::restrict_to_owner(&mut options);
    options.open(path).unwrap()
}

fn a_lock_excludes_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("locked");
    let mut file = open(&path);
    papan_os::try_lock(&file).unwrap();
    let try_in_child = || {
        let output = child(&["lock", path.to_str().unwrap()]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    file.write_all(b"contents").unwrap();
    assert_eq!(try_in_child(), "in use: contents");
    drop(file);
    assert_eq!(try_in_child(), "locked: contents");
}

/// Tries to lock a file, and reads it, which the lock must not hinder.
fn lock(file: &str) {
    let mut file = open(Path::new(file));
    match papan_os::try_lock(&file) {
        Ok(()) => print!("locked: "),
        Err(std::fs::TryLockError::WouldBlock) => print!("in use: "),
        Err(error) => panic!("{error}"),
    }
    let mut contents = String::new();
    file.read_to_string(&mut contents).unwrap();
    print!("{contents}");
}

fn identity_is_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let [path, other] = ["a", "b"].map(|name| folder.path().join(name));
    let file = open(&path);
    let id = FileId::of(&file).unwrap();
    assert_eq!(FileId::at(&path).unwrap(), id);
    open(&other);
    assert_ne!(FileId::at(&other).unwrap(), id);
    drop(file);
    std::fs::rename(&other, &path).unwrap();
    assert_ne!(FileId::at(&path).unwrap(), id);
    std::fs::remove_file(&path).unwrap();
    assert!(FileId::at(&path).is_err());
}

fn an_interrupt_ends_a_process() {
    // Without a terminal wine has no console to send it through.
    if is_wine() {
        return;
    }
    let mut command = child(&["wait"]);
    papan_os::make_interruptible(&mut command);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut ready = [0; 5];
    process
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut ready)
        .unwrap();
    papan_os::interrupt(&process).unwrap();
    assert!(!process.wait().unwrap().success());
}

/// Arguments that a command line of Windows has to quote.
const HARD: [&str; 5] = ["a b", "", "\"quoted\"", "back\\slash\\", "é*?"];

fn replaced_process_keeps_everything() {
    for code in [0, 7] {
        let mut command = child(&["replace", &code.to_string()]);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = process.stdin.take().unwrap();
        input.write_all(b"input").unwrap();
        drop(input);
        let output = process.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(said, format!("{HARD:?} input"));
        assert_eq!(output.status.code(), Some(code));
    }
}

/// Becomes another process.
fn replace(code: &str) {
    let arguments = [&["child", "end", code], &HARD[..]].concat();
    let arguments: Vec<_> = arguments.iter().map(std::ffi::OsString::from).collect();
    let program = std::env::current_exe().unwrap();
    let error = papan_os::replace_process(&program, &arguments);
    panic!("{error:?}");
}

/// Prints the arguments and standard input, and ends with an exit code.
fn end(code: &str, arguments: &[&str]) {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    print!("{arguments:?} {input}");
    io::stdout().flush().unwrap();
    std::process::exit(code.parse().unwrap());
}

/// Does nothing for a while.
fn wait() {
    println!("ready");
    sleep(Duration::from_secs(20));
}
