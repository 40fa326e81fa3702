//! Builds the Python package and runs its tests: pytest, the examples in its documentation, mypy and
//! pyright.
//!
//! `cargo xtask test` uses a debug build; `cargo xtask wheel` makes the wheel and the source
//! distribution for a release and tests the wheel.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::command::{cache, command, root, run, succeeds, target};
use crate::packages;

/// The tools of the tests, and the packages that they import.
const REQUIREMENTS: &[&str] = &[
    "maturin",
    "pytest",
    "mypy",
    "numpy",
    "pandas",
    "open_spiel",
    "pettingzoo",
    "gymnasium",
    "nbclient",
    "nbformat",
    "ipykernel",
    "ziglang",
];

/// Major version of pyright on npm.
const PYRIGHT: &str = "1";

/// Maximum size of a wheel.
const MAX_WHEEL_BYTES: u64 = 16 << 20;

/// Builds a wheel of the debug build, and tests it in a virtual environment.
pub(crate) fn test() -> anyhow::Result<()> {
    let environment = environment()?;
    let wheel = build(&environment, "wheels/debug", &[])?;
    install_wheel(&environment, &wheel)?;
    run_tests(&environment)
}

/// Builds the wheel and the source distribution of a release into `target/wheels/release`, and tests
/// the wheel. Returns the folder.
pub(crate) fn release() -> anyhow::Result<PathBuf> {
    let environment = environment()?;
    let wheel = build(&environment, "wheels/release", &["--release", "--strip"])?;
    let bytes = wheel.metadata()?.len();
    println!("{}: {bytes} bytes", wheel.display());
    if bytes > MAX_WHEEL_BYTES {
        bail!("the wheel has {bytes} bytes; at most {MAX_WHEEL_BYTES} are allowed");
    }
    let folder = wheel.parent().context("a wheel is in a folder")?;
    let out = folder.display().to_string();
    tool(&environment, "maturin", &["sdist", "--out", &out])?;
    install_wheel(&environment, &wheel)?;
    run_tests(&environment)?;
    Ok(folder.to_owned())
}

/// Builds a wheel into a folder of `target` and returns its path.
fn build(environment: &Path, folder: &str, profile: &[&str]) -> anyhow::Result<PathBuf> {
    let folder = target().join(folder);
    // Wheels of other versions would be found below.
    let _ = std::fs::remove_dir_all(&folder);
    let out = folder.display().to_string();
    // Zig links against an old glibc, so that the wheel runs on older systems.
    let manylinux = ["--zig", "--compatibility", "manylinux_2_28"];
    let build = ["build", "--quiet", "--out", &out];
    let build = [&build[..], &manylinux, profile].concat();
    tool(environment, "maturin", &build)?;
    std::fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|kind| kind == "whl"))
        .context("maturin built no wheel")
}

fn install_wheel(environment: &Path, wheel: &Path) -> anyhow::Result<()> {
    let wheel = wheel.display().to_string();
    let reinstall = ["install", "--quiet", "--force-reinstall", "--no-deps"];
    tool(environment, "pip", &[&reinstall[..], &[&wheel]].concat())
}

fn run_tests(environment: &Path) -> anyhow::Result<()> {
    tool(environment, "pytest", &["tests"])?;
    tool(
        environment,
        "pytest",
        &["--doctest-modules", "--pyargs", "papan"],
    )?;
    // Pages name files as seen from the root of the repository.
    let pages = [
        "-q",
        "--doctest-glob=*.md",
        "crates/python/README.md",
        "docs/python.md",
    ];
    tool_in(root(), environment, "pytest", &pages)?;
    tool(environment, "mypy", &["python/papan", "tests"])?;
    pyright(environment)
}

/// Checks the types with a second checker, from npm.
fn pyright(environment: &Path) -> anyhow::Result<()> {
    let folder = cache("pyright")?;
    let program = folder.join("node_modules/pyright/index.js");
    if !program.is_file() {
        std::fs::create_dir_all(&folder)?;
        let mut install = command("npm", &["install", "--no-fund", "--no-audit", "--prefix"]);
        install.arg(&folder).arg(format!("pyright@{PYRIGHT}"));
        run(install)?;
    }
    let mut check = command("node", &[]);
    check.arg(program).arg("--pythonpath");
    check.arg(environment.join("bin/python"));
    check.current_dir(root().join("crates/python"));
    run(check)
}

/// Runs a tool of the environment in the folder of the package.
fn tool(environment: &Path, name: &str, args: &[&str]) -> anyhow::Result<()> {
    tool_in(&root().join("crates/python"), environment, name, args)
}

fn tool_in(folder: &Path, environment: &Path, name: &str, args: &[&str]) -> anyhow::Result<()> {
    let bin = environment.join("bin");
    let mut tool = command(&bin.join(name).display().to_string(), args);
    // maturin finds zig on the path.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(bin).chain(std::env::split_paths(&path));
    tool.current_dir(folder)
        .env("VIRTUAL_ENV", environment)
        .env("PATH", std::env::join_paths(paths)?);
    run(tool)
}

/// Returns the virtual environment with the tools, installed if it is missing.
fn environment() -> anyhow::Result<PathBuf> {
    let environment = cache("python-package")?;
    let ready = environment.join("installed");
    let wanted = REQUIREMENTS.join(" ");
    if std::fs::read_to_string(&ready).is_ok_and(|installed| installed == wanted) {
        return Ok(environment);
    }
    install(&environment)?;
    std::fs::write(ready, wanted)?;
    Ok(environment)
}

fn install(environment: &Path) -> anyhow::Result<()> {
    // On Debian venv is a separate package.
    if !succeeds(command("python3", &["-m", "ensurepip", "--version"])) {
        packages::install(&["python3-venv"])?;
    }
    let folder = environment.display().to_string();
    run(command("python3", &["-m", "venv", &folder]))?;
    let pip = environment.join("bin/pip").display().to_string();
    run(command(
        &pip,
        &[&["install", "--quiet"], REQUIREMENTS].concat(),
    ))
}
