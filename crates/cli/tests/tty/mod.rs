//! Runs papan in a pseudo-terminal and emulates its screen.

use std::io::{Read as _, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// Timeout for everything, generous enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Tty {
    pub(crate) child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    bytes: Arc<Mutex<Vec<u8>>>,
    config: Option<tempfile::TempDir>,
}

fn size((columns, rows): (u16, u16)) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

impl Tty {
    /// Starts papan in a window of this size with fresh settings.
    pub(crate) fn papan(args: &[&str], window: (u16, u16)) -> Self {
        Self::with(args, window, &[], None)
    }

    pub(crate) fn with(
        args: &[&str],
        window: (u16, u16),
        variables: &[(&str, &str)],
        settings: Option<&str>,
    ) -> Self {
        let config = tempfile::tempdir().unwrap();
        Self::within(config, args, window, variables, settings)
    }

    /// Starts papan again with the settings of the previous run.
    pub(crate) fn again(mut self, args: &[&str], window: (u16, u16)) -> Self {
        let config = self.config.take().unwrap();
        Self::within(config, args, window, &[], None)
    }

    fn within(
        config: tempfile::TempDir,
        args: &[&str],
        window: (u16, u16),
        variables: &[(&str, &str)],
        settings: Option<&str>,
    ) -> Self {
        if let Some(settings) = settings {
            std::fs::write(config.path().join("terminal.settings"), settings).unwrap();
        }
        let pair = native_pty_system().openpty(size(window)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_papan"));
        command.args(args);
        command.cwd(config.path());
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("PAPAN_CONFIG_DIR", config.path());
        command.env("PAPAN_DATA_DIR", config.path());
        command.env_remove("NO_COLOR");
        command.env_remove("LC_ALL");
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(window.1, window.0, 0)));
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (drawn, kept) = (Arc::clone(&screen), Arc::clone(&bytes));
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                drawn.lock().unwrap().process(&buffer[..count]);
                kept.lock().unwrap().extend(&buffer[..count]);
            }
        });
        Self {
            child,
            writer: pair.master.take_writer().unwrap(),
            master: pair.master,
            screen,
            bytes,
            config: Some(config),
        }
    }

    pub(crate) fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    pub(crate) fn resize(&mut self, window: (u16, u16)) {
        self.screen
            .lock()
            .unwrap()
            .screen_mut()
            .set_size(window.1, window.0);
        self.master.resize(size(window)).unwrap();
    }

    pub(crate) fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Returns all bytes written to the terminal.
    pub(crate) fn written(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }

    fn wait_until(&self, what: &str, is_so: impl Fn(&str) -> bool) {
        let began = Instant::now();
        while !is_so(&self.text()) {
            let text = self.text();
            assert!(began.elapsed() < PATIENCE, "no {what:?} on:\n{text}");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until a text appears on the screen.
    pub(crate) fn expect(&self, text: &str) {
        // A sentence may be wrapped.
        let flat = |screen: &str| screen.split_whitespace().collect::<Vec<_>>().join(" ");
        self.wait_until(text, |screen| {
            screen.contains(text) || flat(screen).contains(text)
        });
    }

    /// Waits until a text disappears from the screen.
    pub(crate) fn expect_gone(&self, text: &str) {
        self.wait_until(&format!("end of {text}"), |screen| !screen.contains(text));
    }

    /// Waits for the program to exit and checks that the terminal is restored.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(
                began.elapsed() < PATIENCE,
                "it does not end:\n{}",
                self.text()
            );
            thread::sleep(Duration::from_millis(1));
        };
        // The last bytes may still be in the pipe.
        let restored = |screen: &vt100::Screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && !screen.bracketed_paste()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
        };
        let began = Instant::now();
        while !restored(self.screen.lock().unwrap().screen()) {
            assert!(
                began.elapsed() < PATIENCE,
                "the terminal is not as it was: full screen, cursor, paste or mouse"
            );
            thread::sleep(Duration::from_millis(1));
        }
        status
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        let status = std::process::Command::new("kill")
            .args([&format!("-{name}"), &self.pid().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
    }

    /// Returns the number of voluntary context switches of all threads.
    pub(crate) fn wakings(&self) -> u64 {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.pid())).unwrap();
        let count = |thread: std::fs::DirEntry| {
            let status = std::fs::read_to_string(thread.path().join("status")).unwrap();
            let key = "voluntary_ctxt_switches:";
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            line.unwrap().trim().parse::<u64>().unwrap()
        };
        threads.map(|thread| count(thread.unwrap())).sum()
    }

    /// Returns a field of `/proc/PID/stat`, counted from 1.
    pub(crate) fn stat(&self, field: usize) -> String {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).unwrap();
        let after_name = stat.rsplit_once(')').unwrap().1;
        let field = after_name.split_whitespace().nth(field - 3);
        field.unwrap().to_owned()
    }
}
