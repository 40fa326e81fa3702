//! The screenshots in the repository are up to date.

use std::path::PathBuf;
use std::process::Command;

const SCREEN: &str = env!("CARGO_BIN_EXE_screen");

#[test]
fn the_committed_screen_is_what_the_command_prints() {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (file, arguments) in [("screen.txt", &[][..]), ("screen.svg", &["--svg"][..])] {
        let output = Command::new(SCREEN).args(arguments).output();
        let printed = String::from_utf8(output.unwrap().stdout).unwrap();
        let committed = std::fs::read_to_string(docs.join(file)).unwrap();
        assert!(
            printed == committed,
            "docs/{file} is old; run `cargo run --package papan-terminal{} > docs/{file}`",
            if arguments.is_empty() {
                ""
            } else {
                " -- --svg"
            }
        );
    }
}

#[cfg(unix)]
#[test]
fn a_panic_restores_the_terminal() {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(SCREEN);
    command.arg("--panic");
    command.env("TERM", "xterm");
    command.env("RUST_BACKTRACE", "0");
    let mut child = pair.slave.spawn_command(command).unwrap();
    let mut reader = pair.master.try_clone_reader().unwrap();
    let read = std::thread::spawn(move || {
        let (mut all, mut buffer) = (Vec::new(), [0; 4096]);
        while let Ok(count @ 1..) = std::io::Read::read(&mut reader, &mut buffer) {
            all.extend(&buffer[..count]);
        }
        all
    });
    assert!(!child.wait().unwrap().success());
    // Canonical mode again: line feeds become carriage return and line feed.
    let modes = pair.master.get_termios().unwrap();
    drop((pair.slave, pair.master));
    let written = read.join().unwrap();
    let mut terminal = vt100::Parser::new(24, 80, 0);
    terminal.process(&written);
    let screen = terminal.screen();
    assert!(!screen.alternate_screen() && !screen.hide_cursor());
    assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    // The panic message is on the main screen.
    assert!(
        screen.contents().contains("on kind"),
        "{}",
        screen.contents()
    );
    let modes = format!("{modes:?}");
    assert!(
        modes.contains("ICANON") && modes.contains("ECHO"),
        "{modes}"
    );
}
