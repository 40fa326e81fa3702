//! The machine: its name, memory, processor time and priorities.

use std::time::Duration;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::SystemInformation::{
    ComputerNameDnsHostname, GetComputerNameExW, GlobalMemoryStatusEx, MEMORYSTATUSEX,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessTimes, SetThreadPriority,
    THREAD_PRIORITY_BELOW_NORMAL,
};

/// Returns the MiB of memory available to a new table. `None` where the system does not report it.
#[must_use]
pub fn available_memory_mib() -> Option<usize> {
    let mut status = MEMORYSTATUSEX {
        dwLength: size_of::<MEMORYSTATUSEX>() as u32,
        ..MEMORYSTATUSEX::default()
    };
    // SAFETY: the struct has its length in it, and the call fills it.
    let done = unsafe { GlobalMemoryStatusEx(&raw mut status) };
    (done != 0).then_some((status.ullAvailPhys >> 20) as usize)
}

/// Returns the name of this machine.
#[must_use]
pub fn host_name() -> String {
    let mut name = [0; 256];
    let mut length = name.len() as u32;
    // SAFETY: the buffer has the given length; the call writes at most that many units.
    let done =
        unsafe { GetComputerNameExW(ComputerNameDnsHostname, name.as_mut_ptr(), &raw mut length) };
    if done == 0 {
        return "windows".into();
    }
    String::from_utf16_lossy(&name[..length as usize])
}

/// Lowers the scheduling priority of the calling thread, so that other threads of the program
/// respond while it computes.
pub fn lower_thread_priority() {
    // SAFETY: the pseudo handle of the calling thread is always valid.
    unsafe {
        SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
    }
}

/// Returns `wanted`: sockets are limited by memory only.
#[must_use]
pub const fn raise_open_files(wanted: u64) -> u64 {
    wanted
}

/// Returns the user CPU time of this process so far.
#[must_use]
pub fn user_time() -> Duration {
    let [mut created, mut exited, mut kernel, mut user] = [FILETIME::default(); 4];
    // SAFETY: the pseudo handle of this process is always valid; the call fills the structs.
    unsafe {
        GetProcessTimes(
            GetCurrentProcess(),
            &raw mut created,
            &raw mut exited,
            &raw mut kernel,
            &raw mut user,
        );
    }
    // In units of 100 ns.
    let ticks = u64::from(user.dwHighDateTime) << 32 | u64::from(user.dwLowDateTime);
    Duration::from_nanos(ticks.saturating_mul(100))
}
