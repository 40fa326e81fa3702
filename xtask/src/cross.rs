//! Cross compilation: targets, the programs that they need, and emulators that run the result.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::command::{Skipped, cache, command, exists, set_mode, succeeds, target};
use crate::{packages, python, targets};

/// Zig, whose C compiler has the headers of musl for every processor. Debian has them for that of the
/// machine alone.
const ZIG: &str = "ziglang>=0.15,<0.18";

/// The linker that comes with the Rust toolchain.
const LLD: &str = "rust-lld";

/// A target that this machine can compile for.
pub(crate) struct Cross {
    /// The platform, in words.
    pub(crate) platform: &'static str,
    /// The target triple.
    pub(crate) target: &'static str,
    /// Programs that the build needs, and the Debian packages that contain them.
    pub(crate) build: &'static [(&'static str, &'static str)],
    /// The same for running the result.
    pub(crate) run: &'static [(&'static str, &'static str)],
    /// The target in the words of zig, if zig compiles C for it.
    pub(crate) zig: Option<&'static str>,
    /// The command that runs a program of this target.
    pub(crate) emulator: &'static [&'static str],
    /// Environment variables of the build and of the emulator.
    pub(crate) env: &'static [(&'static str, &'static str)],
}

pub(crate) const WINDOWS: Cross = Cross {
    platform: "Windows",
    target: "x86_64-pc-windows-gnu",
    build: &[("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")],
    run: &[("wine", "wine"), ("/usr/lib/wine/wine64", "wine64")],
    zig: None,
    emulator: &["wine"],
    env: &[
        ("WINEDEBUG", "-all"),
        // Neither .NET nor a browser is wanted; wine would offer to download them.
        ("WINEDLLOVERRIDES", "mscoree=;mshtml="),
    ],
};

pub(crate) const ARM: Cross = Cross {
    platform: "Linux on ARM",
    target: "aarch64-unknown-linux-musl",
    build: &[],
    run: &[("qemu-aarch64", "qemu-user")],
    zig: Some("aarch64-linux-musl"),
    emulator: &["qemu-aarch64"],
    // The linker of the Rust toolchain, which comes with musl and its start files.
    env: &[("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER", LLD)],
};

pub(crate) const STATIC: Cross = Cross {
    platform: "static Linux",
    target: "x86_64-unknown-linux-musl",
    build: &[("musl-gcc", "musl-tools")],
    run: &[],
    zig: None,
    emulator: &[],
    env: &[("CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER", LLD)],
};

/// macOS builds for both of its processors.
pub(crate) const MAC: [Cross; 2] = [mac("aarch64-apple-darwin"), mac("x86_64-apple-darwin")];

const fn mac(target: &'static str) -> Cross {
    Cross {
        platform: "macOS",
        target,
        build: &[],
        run: &[],
        zig: None,
        emulator: &[],
        env: &[],
    }
}

impl Cross {
    /// Installs the compilers, or names the missing ones.
    pub(crate) fn install_compiler(&self) -> Result<(), Skipped> {
        let target = self.target;
        if !targets::is_installed(target) {
            let add = command("rustup", &["target", "add", target]);
            if !succeeds(add) || !targets::is_installed(target) {
                return Err(Skipped(format!("`rustup target add {target}` failed")));
            }
        }
        install(self.build)
    }

    /// Installs the emulator, or names the missing one.
    pub(crate) fn install_emulator(&self) -> Result<(), Skipped> {
        install(self.run)
    }

    /// Returns whether programs of this target are linked by LLD.
    pub(crate) fn has_lld(&self) -> bool {
        self.env.iter().any(|(_, value)| *value == LLD)
    }

    /// Returns cargo with these arguments, the target and the environment.
    pub(crate) fn cargo(&self, args: &[&str]) -> anyhow::Result<Command> {
        let mut cargo = command("cargo", args);
        cargo.args(["--target", self.target]);
        cargo.envs(self.env.iter().copied());
        if let Some(zig) = self.zig {
            let target = self.target.replace('-', "_");
            let [compiler, archiver] = zig_programs(zig)?;
            cargo.env(format!("CC_{target}"), compiler);
            cargo.env(format!("AR_{target}"), archiver);
        }
        // Line tables of a foreign program are of no use here, and cost half of the time to link.
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "false");
        if !self.emulator.is_empty() {
            let name = self.target.to_ascii_uppercase().replace('-', "_");
            cargo.env(
                format!("CARGO_TARGET_{name}_RUNNER"),
                self.emulator.join(" "),
            );
            cargo.env("WINEPREFIX", wine_prefix()?);
        }
        Ok(cargo)
    }

    /// Returns the path of a built program.
    pub(crate) fn program(&self, profile: &str) -> PathBuf {
        let suffix = if self.target.contains("windows") {
            ".exe"
        } else {
            ""
        };
        let folder = target().join(self.target).join(profile);
        folder.join(format!("papan{suffix}"))
    }

    /// Returns a command that runs a program of this target.
    pub(crate) fn command(&self, program: &str, args: &[&str]) -> anyhow::Result<Command> {
        let words = [self.emulator, &[program], args].concat();
        let mut command = command(words[0], &words[1..]);
        command.envs(self.env.iter().copied());
        command.env("WINEPREFIX", wine_prefix()?);
        Ok(command)
    }
}

/// Installs the packages of missing programs, or says which these are.
fn install(programs: &[(&str, &str)]) -> Result<(), Skipped> {
    // The name of a program, or the path of another file.
    let is_missing = |program: &str| !exists(program) && !Path::new(program).exists();
    let missing: Vec<&str> = programs
        .iter()
        .filter(|(program, _)| is_missing(program))
        .map(|(_, package)| *package)
        .collect();
    packages::install(&missing).map_err(|error| Skipped(format!("{error:#}")))
}

/// Returns the paths of the C compiler and of the archiver of zig, which is installed if it is missing.
fn zig_programs(target: &str) -> anyhow::Result<[PathBuf; 2]> {
    let zig = python::install("python-zig", ZIG)?;
    let folder = cache("python-zig")?;
    // Zig refuses the target in the words of clang, which the crate `cc` adds, and checks unoptimised C
    // for undefined behaviour with a library that is not linked here.
    let compiler = format!(
        "for word do\n  shift\n  case $word in\n    --target=*) ;;\n    \
         *) set -- \"$@\" \"$word\" ;;\n  esac\ndone\n\
         exec '{zig}' cc -target {target} -fno-sanitize=all \"$@\"\n"
    );
    let archiver = format!("exec '{zig}' ar \"$@\"\n");
    let programs = [("cc", compiler), ("ar", archiver)];
    let paths = programs.map(|(name, text)| {
        let path = folder.join(format!("{target}-{name}"));
        write_script(&path, &text).map(|()| path)
    });
    let [compiler, archiver] = paths;
    Ok([compiler?, archiver?])
}

/// Writes a shell script, unless it is there already.
fn write_script(path: &Path, commands: &str) -> anyhow::Result<()> {
    let text = format!("#!/bin/sh\n{commands}");
    if fs::read_to_string(path).is_ok_and(|written| written == text) {
        return Ok(());
    }
    fs::write(path, text)?;
    set_mode(path, 0o755)?;
    Ok(())
}

/// Returns the directory of wine's own files.
fn wine_prefix() -> anyhow::Result<PathBuf> {
    let folder = cache("wine")?;
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Prepares wine's copy of Windows, with a library that wine before version 9 does not have.
pub(crate) fn prepare_wine() -> anyhow::Result<()> {
    let system = wine_prefix()?.join("drive_c/windows/system32");
    if !system.is_dir() {
        // The exit code tells of parts that are not needed.
        let boot = WINDOWS.command("wineboot", &["--init"])?.output();
        boot.context("cannot start wine")?;
        ensure!(system.is_dir(), "wine made no {}", system.display());
    }
    let library = system.join("bcryptprimitives.dll");
    if library.is_file() {
        return Ok(());
    }
    let source = "xtask/wine/bcryptprimitives.c";
    let mut compile = command("x86_64-w64-mingw32-gcc", &["-O2", "-shared", source, "-o"]);
    compile.arg(&library).arg("-ladvapi32");
    crate::command::run(compile)
}

/// Ends every process of wine's copy of Windows, also those that a test left behind.
pub(crate) fn stop_wine() -> anyhow::Result<()> {
    if exists("wineserver") {
        let mut stop = command("wineserver", &["--kill"]);
        // The exit code tells whether there was a server.
        stop.env("WINEPREFIX", wine_prefix()?).output()?;
    }
    Ok(())
}
