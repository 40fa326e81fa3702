//! Job objects: a process and its descendants, limited and killed together.
//!
//! The system kills a job whose last handle is closed, which also happens when the process that
//! holds it is killed. No process leaves a job, so no search for strays is needed.

use std::io;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::process::Child;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_AFFINITY,
    JOB_OBJECT_LIMIT_JOB_MEMORY, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{OpenThread, ResumeThread, THREAD_SUSPEND_RESUME};

use crate::ProcessLimits;

/// A job object. Dropping it kills its processes.
#[derive(Debug)]
pub(super) struct Job(OwnedHandle);

impl Job {
    /// Creates a job without processes. Limits that the system refuses are left out.
    pub(super) fn new(limits: &ProcessLimits) -> io::Result<Self> {
        // SAFETY: no pointers; a result that is not null is a new handle.
        let job = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        let job = Self(owned(job)?);
        let mut information = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        let basic = &mut information.BasicLimitInformation;
        basic.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        job.limit(&information)?;
        if let Some(memory) = limits.memory {
            information.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
            information.JobMemoryLimit = usize::try_from(memory).unwrap_or(usize::MAX);
            let _ = job.limit(&information);
        }
        let cores = limits.cores.iter().filter(|&&core| core < 64);
        let affinity = cores.fold(0, |mask, core| mask | 1usize << core);
        if affinity != 0 {
            information.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_AFFINITY;
            information.BasicLimitInformation.Affinity = affinity;
            let _ = job.limit(&information);
        }
        Ok(job)
    }

    fn limit(&self, information: &JOBOBJECT_EXTENDED_LIMIT_INFORMATION) -> io::Result<()> {
        // SAFETY: the struct belongs to the information class and has the given length.
        let done = unsafe {
            SetInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                std::ptr::from_ref(information).cast(),
                size_of_val(information) as u32,
            )
        };
        checked(done)
    }

    /// Puts a suspended process into the job and lets it run.
    pub(super) fn start(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are open.
        let done =
            unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), child.as_raw_handle()) };
        checked(done)?;
        resume(child.id())
    }

    /// Kills all processes of the job.
    pub(super) fn kill(&self) {
        // SAFETY: the handle is open.
        unsafe {
            TerminateJobObject(self.0.as_raw_handle(), 1);
        }
    }
}

/// Resumes the threads of a process, of which a new one has one.
fn resume(process: u32) -> io::Result<()> {
    // SAFETY: no pointers; a valid result is a new handle.
    let threads = owned(unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) })?;
    let mut entry = THREADENTRY32 {
        dwSize: size_of::<THREADENTRY32>() as u32,
        ..THREADENTRY32::default()
    };
    // SAFETY: the struct has its length in it, and the call fills it.
    let mut more = unsafe { Thread32First(threads.as_raw_handle(), &raw mut entry) };
    let mut resumed = 0;
    while more != 0 {
        if entry.th32OwnerProcessID == process {
            // SAFETY: no pointers; a result that is not null is a new handle.
            let thread = unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID) };
            let thread = owned(thread)?;
            // SAFETY: the handle is open and has the right to resume.
            if unsafe { ResumeThread(thread.as_raw_handle()) } == u32::MAX {
                return Err(io::Error::last_os_error());
            }
            resumed += 1;
        }
        // SAFETY: as above.
        more = unsafe { Thread32Next(threads.as_raw_handle(), &raw mut entry) };
    }
    if resumed == 0 {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(())
}

/// Returns ownership of a new handle, or the error of the call that should have made it.
fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is open, and the callers pass theirs on.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

fn checked(done: i32) -> io::Result<()> {
    if done == 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}
