//! Standard streams and the console.

use std::io;

use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_DISK, GetFileType};
use windows_sys::Win32::System::Console::{
    ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, GetStdHandle, STD_ERROR_HANDLE,
    STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetConsoleMode,
};

/// Checks that there was a standard output when the program was started. Programs with windows start
/// others without one, on purpose.
///
/// # Errors
/// Never.
pub const fn check_stdout() -> io::Result<()> {
    Ok(())
}

/// Returns whether standard input is redirected from a file.
#[must_use]
pub fn stdin_is_file() -> bool {
    // SAFETY: the handle is one of this process, or invalid, which the call reports.
    unsafe { GetFileType(GetStdHandle(STD_INPUT_HANDLE)) == FILE_TYPE_DISK }
}

/// Makes the console interpret escape sequences for colours and cursor movement, which is not the
/// default outside of Windows Terminal.
pub fn enable_escape_sequences() {
    for stream in [STD_OUTPUT_HANDLE, STD_ERROR_HANDLE] {
        // SAFETY: the handle is one of this process, or invalid, which the calls report. `mode` is
        // written before it is read.
        unsafe {
            let handle = GetStdHandle(stream);
            let mut mode = 0;
            if GetConsoleMode(handle, &raw mut mode) != 0 {
                SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
            }
        }
    }
}
